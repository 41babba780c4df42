//! Objects that only the search made, exchanged for objects in states that calls lead to.
//!
//! The solver gives objects their fields one by one. A reader of the test cannot know whether such
//! an object exists in real use. [`Table::remake`] looks for a similar state that constructors and
//! methods lead to, and takes it if the test loses no goal and no mutant that only it kills.

use super::construct::Constructor;
use super::mutate::Mutator;
use super::sequences::Sequences;
use super::shrink::is_as_good;
use super::states::{self, Reached};
use super::strengthen::{Table, is_settled};
use super::validate::{Candidate, Validator};
use dafny_resolve::typed::CallableKind;
use dtest_interp::Inputs;
use dtest_sorted::SortedSet;
use dtest_value::{ObjectId, Value};

/// Interpreter steps for replacing states of objects, per share.
const REMAKING_STEPS: u64 = 1_000_000;

impl Table {
    /// Replaces objects that were created field by field by objects in states that calls lead to,
    /// if the test still covers its goals and kills the mutants that only it killed. Only such
    /// states occur in real use: a constructor relates the fields to each other.
    pub(super) fn remake(
        &mut self,
        validator: &mut Validator<'_>,
        mutator: &mut Mutator<'_>,
        candidates: &mut [Candidate],
    ) {
        self.allow(validator, REMAKING_STEPS);
        let mut sequences = Sequences::default();
        let mut constructor = Constructor::new(validator.interp().program());
        // Objects of tests without an expected value are left alone, because kills could not be
        // compared.
        for (i, candidate) in candidates
            .iter_mut()
            .enumerate()
            .filter(|(_, t)| is_settled(t))
        {
            let mut next = 0;
            while let Some(id) =
                next_made_by_hand(validator, &mut constructor, &candidate.inputs, next)
            {
                next = id.0 + 1;
                // The constructions found so far remain valid without further steps.
                if validator.interp().steps() >= self.limit || validator.is_over() {
                    return;
                }
                let (program, interp) = (validator.interp().program(), validator.interp());
                let near = states::near(program, interp, &candidate.inputs, id);
                let remade = self.remade(validator, candidate, i, id, near).or_else(|| {
                    // More calls are expensive, so that they come second.
                    let near = sequences.toward(validator, mutator, &candidate.inputs, id);
                    self.remade(validator, candidate, i, id, near)
                });
                if let Some((better, killed)) = remade {
                    *candidate = better;
                    self.killed_by_test
                        .get_mut(i)
                        .into_iter()
                        .for_each(|t| t.clone_from(&killed));
                }
            }
        }
    }

    /// A candidate like the test with one object in one of the states `near`, and the mutants
    /// that it kills. All mutants that only this test killed are among them.
    pub(super) fn remade(
        &self,
        validator: &mut Validator<'_>,
        candidate: &Candidate,
        i: usize,
        id: ObjectId,
        near: Vec<Reached>,
    ) -> Option<(Candidate, SortedSet<usize>)> {
        let killed = self.killed_by_test.get(i)?;
        let others: SortedSet<usize> = self
            .killed_by_test
            .iter()
            .enumerate()
            .filter(|(j, _)| *j != i)
            .flat_map(|(_, t)| t)
            .copied()
            .collect();
        // The mutant that the test is named after must stay killed even if other tests kill it,
        // too.
        let is_purpose = |m: &usize| {
            self.mutants
                .get(*m)
                .is_some_and(|m| Some(&m.mutant.mutation) == candidate.sole_kill.as_ref())
        };
        let needed: SortedSet<usize> = killed
            .iter()
            .copied()
            .filter(|m| !others.contains(m) || is_purpose(m))
            .collect();
        let class = candidate.inputs.heap.objects.get(id.0 as usize)?.ty.clone();
        for state in near {
            if validator.interp().steps() >= self.limit {
                return None;
            }
            let Some(inputs) = states::exchanged(&candidate.inputs, id, &state) else {
                continue;
            };
            let Some(mut better) = validator.validate(inputs) else {
                continue;
            };
            // Goals, kills and checks must be at least those of the original test.
            let is_worse =
                !is_as_good(&better, candidate, &candidate.covers) || !is_settled(&better);
            if is_worse
                || self
                    .killed_by(validator, &better, needed.iter().copied())
                    .len()
                    < needed.len()
            {
                continue;
            }
            let killed = self.killed_by(validator, &better, killed.iter().copied());
            // The calls are recorded, so that the test can construct the object by them.
            validator.learn(&candidate.inputs.type_args, &class, state);
            better.given = validator.given_in(&better.inputs);
            better.sole_kill.clone_from(&candidate.sole_kill);
            return Some((better, killed));
        }
        None
    }
}

/// The first argument that is an object with a number of at least `from` and whose state no calls
/// are known to lead to.
fn next_made_by_hand(
    validator: &Validator<'_>,
    constructor: &mut Constructor<'_>,
    inputs: &Inputs,
    from: u32,
) -> Option<ObjectId> {
    let receiver = usize::from(
        validator.interp().program().typed[validator.procedure().callable].kind
            == CallableKind::Constructor,
    );
    let ids = inputs.args.iter().skip(receiver).filter_map(|v| {
        if let Value::Ref(id) = v
            && id.0 >= from
        {
            Some(*id)
        } else {
            None
        }
    });
    // The order of identifiers makes the result independent of the order of arguments.
    let mut ids: Vec<ObjectId> = ids.collect();
    ids.sort();
    ids.into_iter().find(|id| {
        !validator.given(&inputs.type_args).has(inputs, *id)
            && constructor.construction(inputs, *id).is_none()
    })
}
