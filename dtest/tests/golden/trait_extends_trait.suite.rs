// tests/dtest/extended_next.rs

use dunit::prelude::*;

use crate::subject::trait_extends_trait::{Extended, Item};

/// Reaches src/trait_extends_trait.dfy:7:5: the body is entered (block 1 of 1).
/// Called as a member of the trait `Extended`.
#[dunit(unit = "Extended.Next")]
fn runs() {
    let item0 = Item::new();
    let this = upcast::<dyn Extended, _>(&item0);

    let result = Extended::next(&*this);

    expect_eq!(
        result,
        int(8),
        "src/trait_extends_trait.dfy:6:12: Next by Dafny's semantics",
    );
}

// tests/dtest/item.rs

use dunit::prelude::*;

use crate::subject::trait_extends_trait::Item;

/// An object of the class at src/trait_extends_trait.dfy:11:7: printed form, changes of fields, the view through its traits, constants.
#[dunit(unit = "Item")]
fn object() {
    let item = Ref::new(Item {});

    expect_eq!(
        to_dafny_string(&item),
        "_module.Item",
        "src/trait_extends_trait.dfy:11:7: Item, printed",
    );
}

// tests/dtest/item_id.rs

use dunit::prelude::*;

use crate::subject::trait_extends_trait::{Base, Item};

/// Reaches src/trait_extends_trait.dfy:16:5: the body is entered (block 1 of 1).
/// Called as a member of the trait `Base`.
#[dunit(unit = "Item.Id")]
fn runs() {
    let this = Item::new();

    let result = Base::id(&this);

    expect_eq!(
        result,
        int(7),
        "src/trait_extends_trait.dfy:15:12: Id by Dafny's semantics",
    );
}

// tests/dtest/item_new.rs

use dunit::prelude::*;

use crate::subject::trait_extends_trait::Item;

/// Unchecked: no result, no state and no clause is checked; only a panic fails this test.
/// Reaches src/trait_extends_trait.dfy:12:18: the body is entered (block 1 of 1).
#[dunit(unit = "Item._ctor")]
fn runs() {
    let _this = Item::new();
}
