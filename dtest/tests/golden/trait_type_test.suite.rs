// tests/dtest/size.rs

use dmock::mock;
use dunit::prelude::*;

use crate::subject::trait_type_test::{self, Part, Wheel};

mock! {
    /// A mock of `Part`.
    #[class("_module.Part")]
    struct MockPart;

    impl Part for MockPart {}
}

/// Reaches src/trait_type_test.dfy:15:17: `p is Wheel` holds (block 2 of 3); also block 1.
/// Path: p is Wheel.
#[dunit(unit = "Size")]
fn when_p_is_wheel() {
    let wheel0 = Wheel::new(&int(3));
    let p = upcast::<dyn Part, _>(&wheel0);

    let before = Snapshot::take();
    let r = trait_type_test::size(&p);

    expect_eq!(r, int(3), "src/trait_type_test.dfy:14:8: Size by Dafny's semantics");
    expect_frame!(
        before,
        [wheel0],
        [],
        "src/trait_type_test.dfy:14:8: nothing is modified",
    );
}

/// Reaches src/trait_type_test.dfy:17:4: `p is Wheel` does not hold (block 3 of 3); also block 1.
/// Path: !(p is Wheel).
#[dunit(unit = "Size")]
fn unless_p_is_wheel() {
    let p = MockPart::build().create_as::<dyn Part>();

    let before = Snapshot::take();
    let r = trait_type_test::size(&p);

    expect_eq!(r, int(0), "src/trait_type_test.dfy:14:8: Size by Dafny's semantics");
    expect_frame!(before, [p], [], "src/trait_type_test.dfy:14:8: nothing is modified");
}

// tests/dtest/wheel.rs

use dunit::prelude::*;

use crate::subject::trait_type_test::Wheel;

/// An object of the class at src/trait_type_test.dfy:4:7: printed form, changes of fields, the view through its traits, constants.
#[dunit(unit = "Wheel")]
fn object() {
    let wheel = Ref::new(Wheel { size: int(2) });

    expect_eq!(
        to_dafny_string(&wheel),
        "_module.Wheel",
        "src/trait_type_test.dfy:4:7: Wheel, printed",
    );
    expect_eq!(
        constant_names(&wheel),
        ["size"],
        "src/trait_type_test.dfy:4:7: Wheel, constants",
    );
}

// tests/dtest/wheel_new.rs

use dunit::prelude::*;

use crate::subject::trait_type_test::Wheel;

/// Reaches src/trait_type_test.dfy:9:3: the body is entered (block 1 of 1).
#[dunit(unit = "Wheel._ctor")]
fn runs() {
    let size = int(3);

    let this = Wheel::new(&size);

    expect_eq!(
        this.size,
        int(3),
        "src/trait_type_test.dfy:7:3: _ctor by Dafny's semantics",
    );
    expect!(this.size == size, "src/trait_type_test.dfy:8:13: this.size == size");
}
