//! Inlined calls: blocks of callees that are goals once for each chain of calls that leads to them,
//! and callees that paths go through (Fedchin et al. 2023: the modes *InlinedBlock* and *Path*).
//!
//! Nothing is copied. The calls of a unit form a numbered tree; interpreter and encoder record the
//! number of the call that entered an activation.
//!
//! Key types: [`CallId`], [`Inlined`]. Key function: [`Program::inline`].

use std::collections::VecDeque;

use super::{BlockId, Goal, GoalId, Program};
use dafny_resolve::typed::CallableId;
use dafny_source::Span;
use dtest_sorted::{SortedMap, SortedSet};

/// The limit of goal blocks of inlined callees of one unit.
pub const MAX_INLINED: usize = 400;

/// A call in the call tree of a unit: an index into [`Inlined::calls`].
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, serde::Serialize, serde::Deserialize,
)]
pub struct CallId(pub u32);

/// A node of the call tree. The same call in the text is a different node for each chain of calls
/// that leads to its caller.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct InlinedCall {
    /// The call that entered the caller; `None`: the unit itself is the caller.
    pub from: Option<CallId>,
    /// The call in the source.
    pub site: Span,
    /// The callable that is entered.
    pub callee: CallableId,
}

/// The inlined callees of one unit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Inlined {
    /// The calls whose blocks are goals, callers before their callees.
    pub calls: Vec<InlinedCall>,
    /// The number of calls that would have exceeded [`MAX_INLINED`]. They and the calls below them
    /// are not distinguished.
    pub left_out: usize,
    /// The callables that paths go through, including the unit.
    pub followed: SortedSet<CallableId>,
    places: SortedMap<(Option<CallId>, Span, CallableId), CallId>,
}

impl Inlined {
    /// Returns the node of the call of `callee` at `site` below the node `from`; `None` if calls
    /// are not distinguished there.
    pub fn call(&self, from: Option<CallId>, site: Span, callee: CallableId) -> Option<CallId> {
        self.places.get(&(from, site, callee)).copied()
    }

    /// Returns the chain of calls from the unit to `call`, which is the last.
    pub fn chain(&self, call: CallId) -> Vec<&InlinedCall> {
        let step = |c: &&InlinedCall| c.from.and_then(|from| self.calls.get(from.0 as usize));
        let mut chain: Vec<&InlinedCall> =
            std::iter::successors(self.calls.get(call.0 as usize), step).collect();
        chain.reverse();
        chain
    }

    fn push(&mut self, call: InlinedCall) -> CallId {
        let id = CallId(self.calls.len() as u32);
        self.places.insert((call.from, call.site, call.callee), id);
        self.calls.push(call);
        id
    }
}

impl Program {
    /// Inlines the calls of `unit` to the `followed` callables if the criteria need it. A callable
    /// is not entered again where `nested` activations of it are active, counting that of the unit.
    pub fn inline(
        &mut self,
        unit: CallableId,
        followed: SortedSet<CallableId>,
        nested: impl Fn(CallableId) -> u32,
    ) {
        let mut inlined = Inlined {
            followed,
            ..Inlined::default()
        };
        inlined.followed.insert(unit);
        if self.criteria.has(super::Criterion::InlinedBlock) {
            self.number_calls(unit, &mut inlined, nested);
        }
        self.inlined.insert(unit, inlined);
    }

    /// Numbers the calls in breadth-first order, so that the limit cuts the most distant calls.
    fn number_calls(
        &self,
        unit: CallableId,
        inlined: &mut Inlined,
        nested: impl Fn(CallableId) -> u32,
    ) {
        let mut sites: SortedMap<CallableId, Vec<(Span, CallableId)>> = SortedMap::new();
        let mut goals = 0;
        let mut at: VecDeque<(Option<CallId>, CallableId)> = VecDeque::from([(None, unit)]);
        while let Some((from, caller)) = at.pop_front() {
            let calls = sites
                .entry(caller)
                .or_insert_with(|| self.call_sites(caller))
                .clone();
            for (site, callee) in calls {
                if !inlined.followed.contains(&callee) {
                    continue;
                }
                let chain = from.map_or_else(Vec::new, |from| inlined.chain(from));
                let under_way = chain.iter().filter(|c| c.callee == callee).count()
                    + usize::from(callee == unit);
                if under_way as u64 >= u64::from(nested(callee)) {
                    continue;
                }
                let blocks = self
                    .procedures
                    .get(&callee)
                    .map_or(0, |p| p.goal_blocks().count());
                if goals + blocks > MAX_INLINED {
                    inlined.left_out += 1;
                    continue;
                }
                // A callable without goals counts as one, so that the size of the call tree is
                // bounded too.
                goals += blocks.max(1);
                at.push_back((
                    Some(inlined.push(InlinedCall { from, site, callee })),
                    callee,
                ));
            }
        }
    }

    /// Returns the goals that are blocks of inlined callees, call by call.
    pub(super) fn goals_by_calls(&self, unit: CallableId) -> Vec<(GoalId, &Goal)> {
        let calls = self
            .inlined
            .get(&unit)
            .map_or(&[][..], |i| i.calls.as_slice());
        let of_call = |(i, call): (u32, &InlinedCall)| {
            let (id, callee) = (CallId(i), call.callee);
            let blocks = self
                .procedures
                .get(&callee)
                .into_iter()
                .flat_map(|p| p.goal_blocks());
            blocks
                .map(move |(b, g): (BlockId, _)| (GoalId::BlockBy(id, callee, b), g))
                .collect::<Vec<_>>()
        };
        (0..).zip(calls).flat_map(of_call).collect()
    }
}
