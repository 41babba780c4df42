// tests/dtest/gauge.rs

use dunit::prelude::*;

use crate::subject::class_invariant::Gauge;

/// An object of the class at src/class_invariant.dfy:1:7: printed form, changes of fields, the view through its traits, constants.
#[dunit(unit = "Gauge")]
fn object() {
    let gauge = Ref::new(Gauge {
        level: Field::new(int(2)),
        limit: int(3),
    });

    expect_eq!(
        to_dafny_string(&gauge),
        "_module.Gauge",
        "src/class_invariant.dfy:1:7: Gauge, printed",
    );
    expect_eq!(
        field_names(&gauge),
        ["level"],
        "src/class_invariant.dfy:1:7: Gauge, fields that can be assigned",
    );
    expect_eq!(
        constant_names(&gauge),
        ["limit"],
        "src/class_invariant.dfy:1:7: Gauge, constants",
    );
}

// tests/dtest/gauge_fill.rs

use dunit::prelude::*;

use crate::spec;
use crate::subject::class_invariant::Gauge;

/// Reaches src/class_invariant.dfy:15:3: the body is entered (block 1 of 1).
/// Created field by field (no calls were found that create it): this.
#[dunit(unit = "Gauge.Fill")]
fn runs() {
    let this = Ref::new(Gauge {
        level: Field::new(int(0)),
        limit: int(3),
    });
    require!(
        spec::class_invariant::gauge_valid(&this),
        "src/class_invariant.dfy:12:14: Valid()",
    );

    let before = Snapshot::take();
    Gauge::fill(&this);

    expect_eq!(
        this.level.get(),
        int(3),
        "src/class_invariant.dfy:11:10: Fill by Dafny's semantics",
    );
    expect!(
        spec::class_invariant::gauge_valid(&this) && this.level.get() == this.limit,
        "src/class_invariant.dfy:14:13: Valid() && level == limit",
    );
    expect_frame!(
        before,
        [this],
        [this],
        "src/class_invariant.dfy:13:14: modifies this",
    );
}

// tests/dtest/spec.rs

//! Specification functions and tests of the program, which only this suite calls.

pub mod class_invariant {
    use dunit::prelude::*;
    use crate::subject;
    /// Specification only: executed by tests, not part of the program.
    ///
    /// From src/class_invariant.dfy:5.
    pub fn gauge_valid(this: &Ref<subject::class_invariant::Gauge>) -> bool {
        0 <= this.level.get() && this.level.get() <= this.limit
    }
}
