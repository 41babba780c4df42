// tests/dtest/named_rename.rs

use dunit::prelude::*;

use crate::subject::trait_field::{Named, Person};

/// Reaches src/trait_field.dfy:7:3: the body is entered (block 1 of 1).
/// Called as a member of the trait `Named`.
#[dunit(unit = "Named.Rename")]
fn runs() {
    let person0 = Person::new(&str("0a\n"));
    let this = upcast::<dyn Named, _>(&person0);
    let name = str("0Z\n");

    let before = Snapshot::take();
    Named::rename(&*this, &name);

    expect_eq!(
        person0.name.get(),
        str("0Z\n"),
        "src/trait_field.dfy:4:10: Rename by Dafny's semantics",
    );
    expect!(
        Named::name(&*this).get() == name,
        "src/trait_field.dfy:6:13: this.name == name",
    );
    expect_frame!(before, [person0], [this], "src/trait_field.dfy:5:14: modifies this");
}

// tests/dtest/person.rs

use dunit::prelude::*;

use crate::subject::trait_field::{Named, Person};

/// An object of the class at src/trait_field.dfy:12:7: printed form, changes of fields, the view through its traits, constants.
#[dunit(unit = "Person")]
fn object() {
    let person = Ref::new(Person {
        name: Field::new(str(" ")),
    });

    expect_eq!(
        to_dafny_string(&person),
        "_module.Person",
        "src/trait_field.dfy:12:7: Person, printed",
    );
    expect_eq!(
        field_names(&person),
        ["name"],
        "src/trait_field.dfy:12:7: Person, fields that can be assigned",
    );
    expect_eq!(
        Named::name(&person).get(),
        str(" "),
        "src/trait_field.dfy:2:7: Person.name, seen as `Named`",
    );
}

// tests/dtest/person_new.rs

use dunit::prelude::*;

use crate::subject::trait_field::Person;

/// Reaches src/trait_field.dfy:15:3: the body is entered (block 1 of 1).
#[dunit(unit = "Person._ctor")]
fn runs() {
    let name = str("0Z\n");

    let this = Person::new(&name);

    expect_eq!(
        this.name.get(),
        str("0Z\n"),
        "src/trait_field.dfy:13:3: _ctor by Dafny's semantics",
    );
    expect!(this.name.get() == name, "src/trait_field.dfy:14:13: this.name == name");
}
