// tests/dtest/pair.rs

use dunit::prelude::*;

use crate::subject::unchanged_in_postcondition::Pair;

/// An object of the class at src/unchanged_in_postcondition.dfy:1:7: printed form, changes of fields, the view through its traits, constants.
#[dunit(unit = "Pair")]
fn object() {
    let pair = Ref::new(Pair {
        left: Field::new(int(2)),
        right: Field::new(int(3)),
    });

    expect_eq!(
        to_dafny_string(&pair),
        "_module.Pair",
        "src/unchanged_in_postcondition.dfy:1:7: Pair, printed",
    );
    expect_eq!(
        field_names(&pair),
        ["left", "right"],
        "src/unchanged_in_postcondition.dfy:1:7: Pair, fields that can be assigned",
    );
}

// tests/dtest/pair_set_left.rs

use dunit::prelude::*;

use crate::subject::unchanged_in_postcondition::Pair;

/// Reaches src/unchanged_in_postcondition.dfy:9:3: the body is entered (block 1 of 1).
/// Created field by field (no calls were found that create it): this.
#[dunit(unit = "Pair.SetLeft")]
fn runs() {
    let this = Ref::new(Pair {
        left: Field::new(int(2)),
        right: Field::new(int(7)),
    });
    let x = int(3);

    let before = Snapshot::take();
    Pair::set_left(&this, &x);

    expect_eq!(
        this.left.get(),
        int(3),
        "src/unchanged_in_postcondition.dfy:5:10: SetLeft by Dafny's semantics",
    );
    expect_eq!(
        this.right.get(),
        int(7),
        "src/unchanged_in_postcondition.dfy:5:10: SetLeft by Dafny's semantics",
    );
    expect!(this.left.get() == x, "src/unchanged_in_postcondition.dfy:7:13: left == x");
    expect!(
        before.unchanged_field(&this, "right"),
        "src/unchanged_in_postcondition.dfy:8:13: unchanged(this`right)",
    );
    expect_frame!(
        before,
        [this],
        [this],
        "src/unchanged_in_postcondition.dfy:6:14: modifies this",
    );
}
