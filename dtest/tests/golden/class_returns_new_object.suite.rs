// tests/dtest/issue.rs

use dunit::prelude::*;

use crate::subject::class_returns_new_object;

/// Reaches src/class_returns_new_object.dfy:13:1: the body is entered (block 1 of 1).
#[dunit(unit = "Issue")]
fn runs() {
    let id = int(3);

    let before = Snapshot::take();
    let t = class_returns_new_object::issue(&id);

    expect_eq!(
        t.id,
        int(3),
        "src/class_returns_new_object.dfy:11:8: Issue by Dafny's semantics",
    );
    expect!(
        before.is_fresh(t.identity()) && t.id == id,
        "src/class_returns_new_object.dfy:12:11: fresh(t) && t.id == id",
    );
}

// tests/dtest/token.rs

use dunit::prelude::*;

use crate::subject::class_returns_new_object::Token;

/// An object of the class at src/class_returns_new_object.dfy:1:7: printed form, changes of fields, the view through its traits, constants.
#[dunit(unit = "Token")]
fn object() {
    let token = Ref::new(Token { id: int(2) });

    expect_eq!(
        to_dafny_string(&token),
        "_module.Token",
        "src/class_returns_new_object.dfy:1:7: Token, printed",
    );
    expect_eq!(
        constant_names(&token),
        ["id"],
        "src/class_returns_new_object.dfy:1:7: Token, constants",
    );
}

// tests/dtest/token_new.rs

use dunit::prelude::*;

use crate::subject::class_returns_new_object::Token;

/// Reaches src/class_returns_new_object.dfy:6:3: the body is entered (block 1 of 1).
#[dunit(unit = "Token._ctor")]
fn runs() {
    let id = int(3);

    let this = Token::new(&id);

    expect_eq!(
        this.id,
        int(3),
        "src/class_returns_new_object.dfy:4:3: _ctor by Dafny's semantics",
    );
    expect!(this.id == id, "src/class_returns_new_object.dfy:5:13: this.id == id");
}
