// tests/dtest/is_probe_warm.rs

use dunit::prelude::*;

use crate::subject::trait_of_external_class;

/// Reaches src/trait_of_external_class.dfy:23:51: the body is entered (block 1 of 1).
/// No Rust is linked to `Probe._ctor`: a stub returns results according to its contract.
/// No Rust is linked to `Probe.Read`: a stub returns results according to its contract.
#[dunit(unit = "IsProbeWarm")]
fn runs() {
    let pin = int(3);
    stub_once!("Probe._ctor", [int(3)] => ());
    stub_once!("Probe.Read", [Anything] => int(2));
    require!(0 <= pin, "src/trait_of_external_class.dfy:23:20: pin is a nat");

    let warm = trait_of_external_class::is_probe_warm(&pin);

    expect_eq!(
        warm,
        false,
        "src/trait_of_external_class.dfy:23:8: IsProbeWarm by Dafny's semantics",
    );
    expect_calls!(
        "src/trait_of_external_class.dfy:23:8: the calls that IsProbeWarm makes",
    );
}

// tests/dtest/is_warm.rs

use dunit::prelude::*;

use crate::subject::trait_of_external_class::{self, Meter, Probe};

/// Reaches src/trait_of_external_class.dfy:17:19: `celsius > 30` holds (block 2 of 3); also block 1.
/// Path: celsius > 30.
/// No Rust is linked to `Probe.Read`: a stub returns results according to its contract.
/// Created field by field (no calls were found that create it): probe0.
#[dunit(unit = "IsWarm")]
fn when_celsius_is_greater_than_30() {
    let probe0 = Ref::new(Probe {});
    let meter = upcast::<dyn Meter, _>(&probe0);
    stub_once!("Probe.Read", [probe0.clone()] => int(31));

    let before = Snapshot::take();
    let warm = trait_of_external_class::is_warm(&meter);

    expect_eq!(
        warm,
        true,
        "src/trait_of_external_class.dfy:15:8: IsWarm by Dafny's semantics",
    );
    expect_frame!(
        before,
        [probe0],
        [],
        "src/trait_of_external_class.dfy:15:8: nothing is modified",
    );
    expect_calls!("src/trait_of_external_class.dfy:15:8: the calls that IsWarm makes");
}

/// Reaches src/trait_of_external_class.dfy:19:4: `celsius > 30` does not hold (block 3 of 3); also block 1.
/// Path: celsius <= 30.
/// No Rust is linked to `Probe.Read`: a stub returns results according to its contract.
/// Created field by field (no calls were found that create it): probe0.
#[dunit(unit = "IsWarm")]
fn when_celsius_is_at_most_30() {
    let probe0 = Ref::new(Probe {});
    let meter = upcast::<dyn Meter, _>(&probe0);
    stub_once!("Probe.Read", [probe0.clone()] => int(30));

    let before = Snapshot::take();
    let warm = trait_of_external_class::is_warm(&meter);

    expect_eq!(
        warm,
        false,
        "src/trait_of_external_class.dfy:15:8: IsWarm by Dafny's semantics",
    );
    expect_frame!(
        before,
        [probe0],
        [],
        "src/trait_of_external_class.dfy:15:8: nothing is modified",
    );
    expect_calls!("src/trait_of_external_class.dfy:15:8: the calls that IsWarm makes");
}

// tests/dtest/probe.rs

use dunit::prelude::*;

use crate::subject::trait_of_external_class::Probe;

/// An object of the class at src/trait_of_external_class.dfy:8:17: printed form, changes of fields, the view through its traits, constants.
#[dunit(unit = "Probe")]
fn object() {
    let probe = Ref::new(Probe {});

    expect_eq!(
        to_dafny_string(&probe),
        "_module.Probe",
        "src/trait_of_external_class.dfy:8:17: Probe, printed",
    );
}
