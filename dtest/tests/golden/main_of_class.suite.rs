// tests/dtest/program.rs

use dunit::prelude::*;

use crate::subject::main_of_class::Program;

/// An object of the class at src/main_of_class.dfy:1:7: printed form, changes of fields, the view through its traits, constants.
#[dunit(unit = "Program")]
fn object() {
    let program = Ref::new(Program {});

    expect_eq!(
        to_dafny_string(&program),
        "_module.Program",
        "src/main_of_class.dfy:1:7: Program, printed",
    );
}

// tests/dtest/program_main.rs

use dunit::prelude::*;

use crate::subject::main_of_class::Program;

/// Reaches src/main_of_class.dfy:2:24: the body is entered (block 1 of 1).
#[dunit(unit = "Program.Main")]
fn runs() {
    Program::main();

    expect_prints!("in a class\n", "src/main_of_class.dfy:2:17: what Main prints");
}
