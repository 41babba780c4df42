// tests/dtest/item.rs

use dunit::prelude::*;

use crate::subject::datatype_printed::Item;

/// Values of the constructors at src/datatype_printed.dfy:1:10: discriminators, fields, printed form.
#[dunit(unit = "Item")]
fn constructors() {
    let item = Item::Item {
        name: str(" "),
        count: int(3),
    };
    expect!(item.is_item(), "src/datatype_printed.dfy:1:17: Item");
    expect_eq!(*item.name(), str(" "), "src/datatype_printed.dfy:1:17: Item.name");
    expect_eq!(*item.count(), int(3), "src/datatype_printed.dfy:1:17: Item.count");
    expect_eq!(
        format!("{item:?}"),
        "Item.Item(\" \", 3)",
        "src/datatype_printed.dfy:1:17: Item, printed",
    );
}

// tests/dtest/show.rs

use dunit::prelude::*;

use crate::subject::datatype_printed::{self, Item};

/// Reaches src/datatype_printed.dfy:3:22: the body is entered (block 1 of 1).
#[dunit(unit = "Show")]
fn runs() {
    let i = Item::Item {
        name: str("0Z\n"),
        count: int(3),
    };

    datatype_printed::show(&i);

    expect_prints!(
        "Item.Item(\"0Z\\n\", 3)\n",
        "src/datatype_printed.dfy:3:8: what Show prints",
    );
}
