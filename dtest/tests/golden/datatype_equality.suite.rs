// tests/dtest/key.rs

use dunit::prelude::*;

use crate::subject::datatype_equality::Key;

/// Values of the constructors at src/datatype_equality.dfy:1:10: discriminators, fields, printed form.
#[dunit(unit = "Key")]
fn constructors() {
    let number = Key::Number { n: int(2) };
    expect!(
        number.is_number() && !number.is_name(),
        "src/datatype_equality.dfy:1:16: Number",
    );
    expect_eq!(*number.n(), int(2), "src/datatype_equality.dfy:1:16: Number.n");
    expect_eq!(
        format!("{number:?}"),
        "Key.Number(2)",
        "src/datatype_equality.dfy:1:16: Number, printed",
    );

    let name = Key::Name { s: str(" ") };
    expect!(
        name.is_name() && !name.is_number(),
        "src/datatype_equality.dfy:1:33: Name",
    );
    expect_eq!(*name.s(), str(" "), "src/datatype_equality.dfy:1:33: Name.s");
    expect_eq!(
        format!("{name:?}"),
        "Key.Name(\" \")",
        "src/datatype_equality.dfy:1:33: Name, printed",
    );
}

// tests/dtest/same.rs

use dunit::prelude::*;

use crate::subject::datatype_equality::{self, Key};

/// Reaches src/datatype_equality.dfy:4:3: the body is entered (block 1 of 1).
#[dunit(unit = "Same")]
fn runs() {
    let a = Key::Number { n: int(3) };
    let b = Key::Number { n: int(2) };

    let result = datatype_equality::same(&a, &b);

    expect_eq!(
        result,
        false,
        "src/datatype_equality.dfy:3:11: Same by Dafny's semantics",
    );
}
