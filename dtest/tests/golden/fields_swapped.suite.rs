// tests/dtest/pair.rs

use dunit::prelude::*;

use crate::subject::fields_swapped::Pair;

/// An object of the class at src/fields_swapped.dfy:1:7: printed form, changes of fields, the view through its traits, constants.
#[dunit(unit = "Pair")]
fn object() {
    let pair = Ref::new(Pair {
        a: Field::new(int(2)),
        b: Field::new(int(3)),
    });

    expect_eq!(
        to_dafny_string(&pair),
        "_module.Pair",
        "src/fields_swapped.dfy:1:7: Pair, printed",
    );
    expect_eq!(
        field_names(&pair),
        ["a", "b"],
        "src/fields_swapped.dfy:1:7: Pair, fields that can be assigned",
    );
}

// tests/dtest/pair_swap.rs

use dunit::prelude::*;

use crate::subject::fields_swapped::Pair;

/// Reaches src/fields_swapped.dfy:8:3: the body is entered (block 1 of 1).
/// Created field by field (no calls were found that create it): this.
#[dunit(unit = "Pair.Swap")]
fn runs() {
    let this = Ref::new(Pair {
        a: Field::new(int(3)),
        b: Field::new(int(2)),
    });

    let before = Snapshot::take();
    Pair::swap(&this);

    expect_eq!(
        this.a.get(),
        int(2),
        "src/fields_swapped.dfy:5:10: Swap by Dafny's semantics",
    );
    expect_eq!(
        this.b.get(),
        int(3),
        "src/fields_swapped.dfy:5:10: Swap by Dafny's semantics",
    );
    expect!(
        this.a.get() == before.old(|| this.b.get())
            && this.b.get() == before.old(|| this.a.get()),
        "src/fields_swapped.dfy:7:13: a == old(b) && b == old(a)",
    );
    expect_frame!(before, [this], [this], "src/fields_swapped.dfy:6:14: modifies this");
}
