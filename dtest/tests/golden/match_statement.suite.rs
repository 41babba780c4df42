// tests/dtest/command.rs

use dunit::prelude::*;

use crate::subject::match_statement::Command;

/// Values of the constructors at src/match_statement.dfy:1:10: discriminators, fields, printed form.
#[dunit(unit = "Command")]
fn constructors() {
    let add = Command::Add { n: int(2) };
    expect!(add.is_add() && !add.is_clear(), "src/match_statement.dfy:1:20: Add");
    expect_eq!(*add.n(), int(2), "src/match_statement.dfy:1:20: Add.n");
    expect_eq!(
        format!("{add:?}"),
        "Command.Add(2)",
        "src/match_statement.dfy:1:20: Add, printed",
    );

    let clear = Command::Clear;
    expect!(clear.is_clear() && !clear.is_add(), "src/match_statement.dfy:1:34: Clear");
    expect_eq!(
        format!("{clear:?}"),
        "Command.Clear",
        "src/match_statement.dfy:1:34: Clear, printed",
    );
}

// tests/dtest/run.rs

use dunit::prelude::*;

use crate::subject::match_statement::{self, Command};

/// Reaches src/match_statement.dfy:5:20: case `Add(n)` (block 2 of 3); also block 1.
/// Path: Add(n).
#[dunit(unit = "Run")]
fn in_case_add_n() {
    let total = int(3);
    let c = Command::Add { n: int(2) };

    let r = match_statement::run(&total, &c);

    expect_eq!(r, int(5), "src/match_statement.dfy:3:8: Run by Dafny's semantics");
}

/// Reaches src/match_statement.dfy:6:19: case `Clear` (block 3 of 3); also block 1.
/// Path: !(Add(n)).
#[dunit(unit = "Run")]
fn in_case_clear() {
    let total = int(3);
    let c = Command::Clear;

    let r = match_statement::run(&total, &c);

    expect_eq!(r, int(0), "src/match_statement.dfy:3:8: Run by Dafny's semantics");
}
