// tests/dtest/car.rs

use dunit::prelude::*;

use crate::subject::class_field_of_class::{Car, Engine};

/// An object of the class at src/class_field_of_class.dfy:11:7: printed form, changes of fields, the view through its traits, constants.
#[dunit(unit = "Car")]
fn object() {
    let engine_of_car = Ref::new(Engine {
        power: Field::new(int(2)),
    });
    let car = Ref::new(Car {
        engine: engine_of_car.clone(),
    });

    expect_eq!(
        to_dafny_string(&car),
        "_module.Car",
        "src/class_field_of_class.dfy:11:7: Car, printed",
    );
    expect_eq!(
        constant_names(&car),
        ["engine"],
        "src/class_field_of_class.dfy:11:7: Car, constants",
    );
}

// tests/dtest/car_new.rs

use dunit::prelude::*;

use crate::subject::class_field_of_class::{Car, Engine};

/// Reaches src/class_field_of_class.dfy:16:3: the body is entered (block 1 of 1).
#[dunit(unit = "Car._ctor")]
fn runs() {
    let engine = Engine::new(&int(3));

    let before = Snapshot::take();
    let this = Car::new(&engine);

    expect_eq!(
        this.engine,
        engine,
        "src/class_field_of_class.dfy:14:3: _ctor by Dafny's semantics",
    );
    expect!(
        this.engine == engine,
        "src/class_field_of_class.dfy:15:13: this.engine == engine",
    );
    expect_frame!(
        before,
        [engine],
        [],
        "src/class_field_of_class.dfy:14:3: nothing is modified",
    );
}

// tests/dtest/car_tune.rs

use dunit::prelude::*;

use crate::subject::class_field_of_class::{Car, Engine};

/// Reaches src/class_field_of_class.dfy:23:3: the body is entered (block 1 of 1).
#[dunit(unit = "Car.Tune")]
fn runs() {
    let engine0 = Engine::new(&int(3));
    let this = Car::new(&engine0.clone());

    let before = Snapshot::take();
    Car::tune(&this);

    expect_eq!(
        engine0.power.get(),
        int(4),
        "src/class_field_of_class.dfy:20:10: Tune by Dafny's semantics",
    );
    expect!(
        this.engine.power.get() == before.old(|| this.engine.power.get()) + 1,
        "src/class_field_of_class.dfy:22:13: engine.power == old(engine.power) + 1",
    );
    expect_frame!(
        before,
        [this, engine0],
        [this.engine],
        "src/class_field_of_class.dfy:21:14: modifies engine",
    );
}

// tests/dtest/engine.rs

use dunit::prelude::*;

use crate::subject::class_field_of_class::Engine;

/// An object of the class at src/class_field_of_class.dfy:1:7: printed form, changes of fields, the view through its traits, constants.
#[dunit(unit = "Engine")]
fn object() {
    let engine = Ref::new(Engine {
        power: Field::new(int(2)),
    });

    expect_eq!(
        to_dafny_string(&engine),
        "_module.Engine",
        "src/class_field_of_class.dfy:1:7: Engine, printed",
    );
    expect_eq!(
        field_names(&engine),
        ["power"],
        "src/class_field_of_class.dfy:1:7: Engine, fields that can be assigned",
    );
}

// tests/dtest/engine_new.rs

use dunit::prelude::*;

use crate::subject::class_field_of_class::Engine;

/// Reaches src/class_field_of_class.dfy:6:3: the body is entered (block 1 of 1).
#[dunit(unit = "Engine._ctor")]
fn runs() {
    let power = int(3);

    let this = Engine::new(&power);

    expect_eq!(
        this.power.get(),
        int(3),
        "src/class_field_of_class.dfy:4:3: _ctor by Dafny's semantics",
    );
    expect!(
        this.power.get() == power,
        "src/class_field_of_class.dfy:5:13: this.power == power",
    );
}
