//! One round: a program, programs that mean the same, and all that is held against all.

use dafny_rewrite::{Chain, Mutation, Random, Step, Subject, draw_order};

use super::own::Known;
use super::{Class, Disagreement};

/// What a round does.
#[derive(Clone, Debug)]
pub struct Plan {
    /// How many programs that mean the same are made of one.
    pub rewritten: u32,
    /// Most mutations of one of them.
    pub max_order: u32,
    /// Which mutations may be taken.
    pub mutations: Vec<Mutation>,
}

/// What came of a round.
#[derive(Debug, Default)]
pub struct Outcome {
    /// The chains that were made.
    pub chains: Vec<Vec<Step>>,
    /// What does not agree.
    pub found: Vec<Finding>,
}

/// A disagreement with the programs that show it.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What it is.
    pub what: Disagreement,
    /// The program.
    pub program: String,
    /// The program that means the same, and how it came about.
    pub rewritten: Option<(String, Vec<Step>)>,
}

/// Holds what this tool says of a program against itself. `seed` determines the chains; `is_over` is asked between two of them.
pub fn own(subject: &Subject, seed: u64, plan: &Plan, is_over: &dyn Fn() -> bool) -> Outcome {
    let known = Known::of(subject);
    let mut outcome = Outcome::default();
    let alone = |what| Finding { what, program: subject.text().to_owned(), rewritten: None };
    outcome.found.extend(known.alone(subject).into_iter().map(alone));
    for chain in chains(seed, plan) {
        if is_over() {
            break;
        }
        let new = subject.chain(&chain);
        let found = known.against(subject, &new);
        let with = |what| Finding { what, program: subject.text().to_owned(), rewritten: Some((new.text.clone(), new.steps.clone())) };
        outcome.found.extend(found.into_iter().map(with));
        if new.steps.is_empty() {
            // Other seeds may find a way, but where there is no place at all, none does.
            break;
        }
        outcome.chains.push(new.steps);
    }
    outcome
}

/// The chains of a round.
fn chains(seed: u64, plan: &Plan) -> Vec<Chain> {
    let mut random = Random::new(seed);
    let mut one =
        || Chain { order: draw_order(plan.max_order as usize, &mut random), seed: random.draw(), mutations: plan.mutations.clone() };
    (0..plan.rewritten).map(|_| one()).collect()
}

/// That a stage panicked on a program.
pub fn panicked(program: &str, message: &str) -> Finding {
    let what = Disagreement::new(Class::Panic, message, format!("a stage panicked: {message}"));
    Finding { what, program: program.to_owned(), rewritten: None }
}
