//! The behaviour of an execution as a set of features: the ways that activations and iterations of
//! loops take, how often each way is taken, and which ways follow each other. A way is a set of
//! decisions: the branches, the operands of `&&`, `||` and `==>`, and the comparisons of equal
//! numbers.
//!
//! Executions that cover the same blocks differ in these features: one merge or three in a row, an
//! iteration that skips an element before or after one that takes it. The search compares inputs by
//! them. This is coverage of n-grams of ways, the equivalent of the n-gram coverage of greybox
//! fuzzers (Wang, Duan, Song, Yin and Song, *Be Sensitive and Collaborative*, 2019) on typed code.
//!
//! `Interp::observe` starts and stops the observation; `Interp::behaviour` returns the features of
//! the last execution. Code of mutants and specifications is not observed.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use crate::Interp;
use dafny_resolve::typed::CallableId;
use dtest_ir::BlockId;
use dtest_sorted::SortedSet;

/// Maximum number of features of one execution. Further ones are not recorded.
const MAX_FEATURES: usize = 600;
/// Number of repetitions from which on all counts are the same.
const MAX_COUNT: u32 = 3;
/// Maximum recursion depth that is distinguished.
const MAX_DEPTH: usize = 4;

/// A property of an execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Feature {
    /// The number of ways in sequence that the feature is about: 1 to 3.
    pub order: u8,
    hash: u64,
}

/// An activation of compiled code.
struct Activation {
    /// The number of frames when it is at the top of the stack.
    depth: usize,
    callable: Option<CallableId>,
    /// The decisions that it took, as a set of bits. Equal sets are the same way; that different
    /// sets may have the same bits loses features, which does no harm.
    taken: u64,
    /// The loops that it is in, innermost last.
    loops: Vec<Iteration>,
}

/// The current iteration of a loop.
struct Iteration {
    head: BlockId,
    taken: u64,
    /// The ways of the two iterations before, the latest first.
    before: [Option<u64>; 2],
}

/// The observation of one execution.
#[derive(Default)]
pub(super) struct Behaviour {
    open: Vec<Activation>,
    /// The number of open activations of each callable. A recursion without an end opens millions.
    depths: FxHashMap<Option<CallableId>, usize>,
    /// For each callable, the ways of its two last activations, the latest first.
    last: FxHashMap<Option<CallableId>, [Option<u64>; 2]>,
    counts: FxHashMap<u64, u32>,
    features: FxHashSet<Feature>,
}

impl Behaviour {
    /// Begins an activation at this depth of the stack.
    pub(super) fn begin(&mut self, depth: usize, callable: Option<CallableId>) {
        // Activations that a failure ended were not reported.
        self.end(depth);
        self.open.push(Activation {
            depth,
            callable,
            taken: 0,
            loops: Vec::new(),
        });
        let same = self.depths.entry(callable).or_default();
        *same += 1;
        let same = *same;
        self.note(1, (callable, "depth", same.min(MAX_DEPTH)));
    }

    /// Ends the activations at this depth of the stack and above.
    pub(super) fn end(&mut self, depth: usize) {
        while self.open.last().is_some_and(|a| a.depth >= depth) {
            let Some(mut ended) = self.open.pop() else {
                return;
            };
            if let Some(same) = self.depths.get_mut(&ended.callable) {
                *same -= 1;
            }
            while let Some(iteration) = ended.loops.pop() {
                ended.taken |= iteration.taken;
            }
            let before = self.last.entry(ended.callable).or_default();
            let known = *before;
            *before = [Some(ended.taken), known[0]];
            self.ways(&(ended.callable, "activation"), ended.taken, known);
        }
    }

    /// Records a decision of the activation at this depth.
    pub(super) fn decide(&mut self, depth: usize, place: impl Hash) {
        let bit = 1 << (hashed(place) >> 58);
        if let Some(activation) = self.open.last_mut().filter(|a| a.depth == depth) {
            match activation.loops.last_mut() {
                Some(iteration) => iteration.taken |= bit,
                None => activation.taken |= bit,
            }
        }
    }

    /// Records that the activation at this depth comes to the head of a loop.
    pub(super) fn iterate(&mut self, depth: usize, head: BlockId) {
        let Some(activation) = self.open.last_mut().filter(|a| a.depth == depth) else {
            return;
        };
        let callable = activation.callable;
        match activation.loops.iter().position(|l| l.head == head) {
            None => activation.loops.push(Iteration {
                head,
                taken: 0,
                before: [None; 2],
            }),
            Some(at) => {
                // Inner loops that were left are a part of this iteration.
                let inner = activation.loops.drain(at + 1..).fold(0, |n, l| n | l.taken);
                let Some(iteration) = activation.loops.last_mut() else {
                    return;
                };
                let way = iteration.taken | inner;
                let before = iteration.before;
                (iteration.taken, iteration.before) = (0, [Some(way), before[0]]);
                // What an iteration does belongs to the way of the code around it, too.
                match activation.loops.iter_mut().rev().nth(1) {
                    Some(outer) => outer.taken |= way,
                    None => activation.taken |= way,
                }
                self.ways(&(callable, "iteration", head), way, before);
            }
        }
    }

    /// Notes a way, the number of times that it was taken, and the ways before it.
    fn ways(&mut self, kind: &impl Hash, way: u64, before: [Option<u64>; 2]) {
        let count = self.counts.entry(hashed((kind, way))).or_default();
        *count += 1;
        let count = *count;
        if count <= MAX_COUNT {
            self.note(1, (kind, way, count));
        }
        if let [Some(last), _] = before {
            self.note(2, (kind, way, last));
        }
        if let [Some(last), Some(first)] = before {
            self.note(3, (kind, way, last, first));
        }
    }

    fn note(&mut self, order: u8, property: impl Hash) {
        if self.features.len() < MAX_FEATURES {
            let hash = hashed(property);
            self.features.insert(Feature { order, hash });
        }
    }

    /// Ends the observation.
    pub(super) fn finish(mut self) -> SortedSet<Feature> {
        self.end(0);
        self.features.into_iter().collect()
    }
}

fn hashed(value: impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}

impl Interp<'_> {
    /// Starts or stops the observation of executions.
    pub fn observe(&self, on: bool) {
        self.behaviour.replace(on.then(SortedSet::new));
    }

    /// Returns the features of the last execution since the observation began.
    pub fn behaviour(&self) -> SortedSet<Feature> {
        let mut behaviour = self.behaviour.borrow_mut();
        behaviour.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// The observation of a new execution, if executions are observed. Those of mutants are not.
    pub(super) fn new_behaviour(&self) -> Option<Box<Behaviour>> {
        let is_observed = self.behaviour.borrow().is_some() && self.variant.borrow().is_none();
        is_observed.then(Box::default)
    }

    /// Stores the features of an execution that ended.
    pub(super) fn observed(&self, behaviour: Option<Box<Behaviour>>) {
        if let (Some(known), Some(new)) = (self.behaviour.borrow_mut().as_mut(), behaviour) {
            *known = new.finish();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn features_of(depths: impl IntoIterator<Item = usize>) -> SortedSet<Feature> {
        let mut behaviour = Behaviour::default();
        for depth in depths {
            behaviour.begin(depth, Some(CallableId(0)));
        }
        behaviour.finish()
    }

    /// The cost of an activation does not depend on the number of open ones.
    #[test]
    fn recursion_without_an_end_has_the_features_of_a_deep_one() {
        assert_eq!(features_of(1..=300_000), features_of(1..=100));
    }

    #[test]
    fn activations_one_after_the_other_are_not_nested() {
        let nested = features_of([1, 2, 3, 4]);
        let alternating = features_of([1, 1, 1, 1]);
        let (Some(one), true) = (
            nested.len().checked_sub(alternating.len()),
            nested != alternating,
        ) else {
            panic!("{nested:?} {alternating:?}")
        };
        // Depths 2, 3 and 4 occur only in the recursion.
        assert_eq!(one, 3);
    }
}
