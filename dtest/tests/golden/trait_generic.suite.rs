// tests/dtest/single.rs

use dunit::prelude::*;

use crate::subject::trait_generic::Single;

/// An object of the class at src/trait_generic.dfy:5:7: printed form, changes of fields, the view through its traits, constants.
#[dunit(unit = "Single")]
fn object() {
    let single = Ref::new(Single { content: int(2) });

    expect_eq!(
        to_dafny_string(&single),
        "_module.Single",
        "src/trait_generic.dfy:5:7: Single, printed",
    );
    expect_eq!(
        constant_names(&single),
        ["content"],
        "src/trait_generic.dfy:5:7: Single, constants",
    );
}

// tests/dtest/single_get.rs

use dunit::prelude::*;

use crate::subject::trait_generic::{Container, Single};

/// Reaches src/trait_generic.dfy:15:5: the body is entered (block 1 of 1).
/// Called as a member of the trait `Container`.
#[dunit(unit = "Single.Get")]
fn runs() {
    let this = Single::<Int>::new(&int(3));

    let result = Container::get(&this);

    expect_eq!(result, int(3), "src/trait_generic.dfy:14:12: Get by Dafny's semantics");
}

// tests/dtest/single_new.rs

use dunit::prelude::*;

use crate::subject::trait_generic::Single;

/// Reaches src/trait_generic.dfy:10:3: the body is entered (block 1 of 1).
#[dunit(unit = "Single._ctor")]
fn runs() {
    let content = int(3);

    let this = Single::<Int>::new(&content);

    expect_eq!(
        this.content,
        int(3),
        "src/trait_generic.dfy:8:3: _ctor by Dafny's semantics",
    );
    expect!(
        this.content == content,
        "src/trait_generic.dfy:9:13: this.content == content",
    );
}
