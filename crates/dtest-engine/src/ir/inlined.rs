//! Inlined calls: blocks of callees that are goals once for each call by way of which a unit comes there, and callees that paths go
//! through (Fedchin et al. 2023: the modes *InlinedBlock* and *Path*).
//!
//! Nothing is copied. The calls of a unit are a tree, whose nodes are numbered; interpreter and encoder keep the number of the call by
//! way of which an activation was entered.

use std::collections::VecDeque;

use super::{BlockId, Goal, GoalId, Program};
use dafny_resolve::typed::CallableId;
use dafny_syntax::source::Span;
use dtest_sorted::{SortedMap, SortedSet};

/// Blocks of one unit that are goals for each call, at most.
pub const MAX_INLINED: usize = 400;

/// A call in the tree of a unit's calls: an index into [`Inlined::calls`].
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, serde::Serialize, serde::Deserialize,
)]
pub struct CallId(pub u32);

/// A call that is told from the others, and from itself where its caller is called otherwise.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct InlinedCall {
    /// The call of the caller; `None`: the unit itself calls.
    pub from: Option<CallId>,
    /// Where it stands.
    pub site: Span,
    /// What runs.
    pub callee: CallableId,
}

/// What of other callables counts as a unit's own code.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Inlined {
    /// The calls by way of which blocks are goals, callers before what they call.
    pub calls: Vec<InlinedCall>,
    /// Calls whose blocks would have been beyond [`MAX_INLINED`]: these, and what they call, are told apart no further.
    pub left_out: usize,
    /// The callables that paths go through, the unit among them.
    pub followed: SortedSet<CallableId>,
    places: SortedMap<(Option<CallId>, Span, CallableId), CallId>,
}

impl Inlined {
    /// The call that runs `callee` at a place in what `from` runs. `None`: it is not told apart.
    pub fn call(&self, from: Option<CallId>, site: Span, callee: CallableId) -> Option<CallId> {
        self.places.get(&(from, site, callee)).copied()
    }

    /// The calls from the unit to this one, which is the last.
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
    /// Makes code of `followed` callables count as the unit's own, call by call, as far as the criteria ask for it. A callable is not entered
    /// again where `nested` activations of it are under way, the unit's among them.
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

    /// Numbers the calls, those that are nearest to the unit first.
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
                // A callable without goals costs something too: the tree of calls is bounded by their number.
                goals += blocks.max(1);
                at.push_back((
                    Some(inlined.push(InlinedCall { from, site, callee })),
                    callee,
                ));
            }
        }
    }

    /// The goals of a unit that are blocks by way of a call, call by call.
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
