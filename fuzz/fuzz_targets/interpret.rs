//! Whatever resolves, the interpreter executes: every execution ends, and none in something that cannot be; an execution is the same again.
//!
//! `cargo xtask fuzz interpret`, or `cargo +nightly fuzz run interpret fuzz/corpus/interpret fixtures`

#![no_main]

use std::sync::Arc;

use dafny_resolve::resolve;
use dafny_resolve::typed::Options;
use dafny_source::diagnostic::Diagnostic;
use dafny_syntax::parse;
use dtest_interp::{Interp, Limits};
use dtest_lower::{lower, units};
use dtest_search::random::Random;
use libfuzzer_sys::{Corpus, fuzz_target};

/// Units of a program that are executed, and inputs of each.
const UNITS: usize = 8;
const INPUTS: usize = 4;
const LIMITS: Limits = Limits {
    steps: 20_000,
    stack: 100_000,
    objects: 20_000,
    check_calls: true,
};

fuzz_target!(|text: &str| -> Corpus {
    let (file, diagnostics) = parse(0, text);
    if diagnostics.iter().any(Diagnostic::is_error) {
        return Corpus::Reject;
    }
    let (program, diagnostics) = resolve(vec![file], Options::default());
    if diagnostics.iter().any(Diagnostic::is_error) {
        return Corpus::Keep;
    }
    let program = lower(Arc::new(program));
    let interp = Interp::new(&program, LIMITS);
    for unit in units::units(&program.typed, |_| true)
        .into_iter()
        .take(UNITS)
    {
        let Some(mut random) = Random::new(&program, &interp, unit.callable, 1) else {
            continue;
        };
        for _ in 0..INPUTS {
            let Some(inputs) = random.inputs() else { break };
            if interp
                .check_inputs(unit.callable, &inputs)
                .verdict()
                .is_false()
            {
                continue;
            }
            let execution = interp.run(unit.callable, &inputs);
            assert!(
                !execution.outcome.is_ill_typed(),
                "{:?} of {} with {:?} in\n{text}",
                execution.outcome,
                unit.path,
                inputs.args
            );
            interp.check_ensures(unit.callable, &inputs, &execution);
            assert_eq!(
                execution.outcome,
                interp.run(unit.callable, &inputs).outcome,
                "another execution of {} in\n{text}",
                unit.path
            );
        }
    }
    Corpus::Keep
});
