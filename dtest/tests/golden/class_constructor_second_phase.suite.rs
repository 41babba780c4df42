// tests/dtest/log.rs

use dunit::prelude::*;

use crate::subject::class_constructor_second_phase::Log;

/// An object of the class at src/class_constructor_second_phase.dfy:1:7: printed form, changes of fields, the view through its traits, constants.
#[dunit(unit = "Log")]
fn object() {
    let log = Ref::new(Log {
        lines: Field::new(Seq::<Seq<Char>>::new()),
    });

    expect_eq!(
        to_dafny_string(&log),
        "_module.Log",
        "src/class_constructor_second_phase.dfy:1:7: Log, printed",
    );
    expect_eq!(
        field_names(&log),
        ["lines"],
        "src/class_constructor_second_phase.dfy:1:7: Log, fields that can be assigned",
    );
}

// tests/dtest/log_append.rs

use dunit::prelude::*;

use crate::subject::class_constructor_second_phase::Log;

/// Reaches src/class_constructor_second_phase.dfy:15:3: the body is entered (block 1 of 1).
#[dunit(unit = "Log.Append")]
fn runs() {
    let this = Log::new();
    Log::append(&this, &str(" "));
    Log::append(&this, &str("aa"));
    let line = str("0Z\n");

    let before = Snapshot::take();
    Log::append(&this, &line);

    expect_eq!(
        this.lines.get(),
        seq![str("open"), str(" "), str("aa"), str("0Z\n")],
        "src/class_constructor_second_phase.dfy:12:10: Append by Dafny's semantics",
    );
    expect!(
        this.lines.get() == before.old(|| this.lines.get()) + seq![line.clone()],
        "src/class_constructor_second_phase.dfy:14:13: lines == old(lines) + [line]",
    );
    expect_frame!(
        before,
        [this],
        [this],
        "src/class_constructor_second_phase.dfy:13:14: modifies this",
    );
}

// tests/dtest/log_new.rs

use dunit::prelude::*;

use crate::subject::class_constructor_second_phase::Log;

/// Reaches src/class_constructor_second_phase.dfy:6:3: the body is entered (block 1 of 1).
#[dunit(unit = "Log._ctor")]
fn runs() {
    let this = Log::new();

    expect_eq!(
        this.lines.get(),
        seq![str("open")],
        "src/class_constructor_second_phase.dfy:4:3: _ctor by Dafny's semantics",
    );
    expect!(
        this.lines.get() == seq![str("open")],
        "src/class_constructor_second_phase.dfy:5:13: lines == [\"open\"]",
    );
}
