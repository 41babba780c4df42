// tests/dtest/range.rs

use dunit::prelude::*;

use crate::subject::class_named_constructor::Range;

/// An object of the class at src/class_named_constructor.dfy:1:7: printed form, changes of fields, the view through its traits, constants.
#[dunit(unit = "Range")]
fn object() {
    let range_2 = Ref::new(Range { low: int(2), high: int(3) });

    expect_eq!(
        to_dafny_string(&range_2),
        "_module.Range",
        "src/class_named_constructor.dfy:1:7: Range, printed",
    );
    expect_eq!(
        constant_names(&range_2),
        ["low", "high"],
        "src/class_named_constructor.dfy:1:7: Range, constants",
    );
}

// tests/dtest/range_single.rs

use dunit::prelude::*;

use crate::subject::class_named_constructor::Range;

/// Reaches src/class_named_constructor.dfy:7:3: the body is entered (block 1 of 1).
#[dunit(unit = "Range.Single")]
fn runs() {
    let n = int(3);

    let this = Range::single(&n);

    expect_eq!(
        this.low,
        int(3),
        "src/class_named_constructor.dfy:5:15: Single by Dafny's semantics",
    );
    expect_eq!(
        this.high,
        int(3),
        "src/class_named_constructor.dfy:5:15: Single by Dafny's semantics",
    );
    expect!(
        this.low == n && this.high == n,
        "src/class_named_constructor.dfy:6:13: low == n && high == n",
    );
}
