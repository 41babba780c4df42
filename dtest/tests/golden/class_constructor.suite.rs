// tests/dtest/account.rs

use dunit::prelude::*;

use crate::subject::class_constructor::Account;

/// An object of the class at src/class_constructor.dfy:1:7: printed form, changes of fields, the view through its traits, constants.
#[dunit(unit = "Account")]
fn object() {
    let account = Ref::new(Account {
        balance: Field::new(int(2)),
        owner: str("aa"),
    });

    expect_eq!(
        to_dafny_string(&account),
        "_module.Account",
        "src/class_constructor.dfy:1:7: Account, printed",
    );
    expect_eq!(
        field_names(&account),
        ["balance"],
        "src/class_constructor.dfy:1:7: Account, fields that can be assigned",
    );
    expect_eq!(
        constant_names(&account),
        ["owner"],
        "src/class_constructor.dfy:1:7: Account, constants",
    );
}

// tests/dtest/account_new.rs

use dunit::prelude::*;

use crate::subject::class_constructor::Account;

/// Reaches src/class_constructor.dfy:7:3: the body is entered (block 1 of 1).
#[dunit(unit = "Account._ctor")]
fn runs() {
    let owner = str("0Z\n");
    let balance = int(3);

    let this = Account::new(&owner, &balance);

    expect_eq!(
        this.balance.get(),
        int(3),
        "src/class_constructor.dfy:5:3: _ctor by Dafny's semantics",
    );
    expect_eq!(
        this.owner,
        str("0Z\n"),
        "src/class_constructor.dfy:5:3: _ctor by Dafny's semantics",
    );
    expect!(
        this.owner == owner && this.balance.get() == balance,
        "src/class_constructor.dfy:6:13: this.owner == owner && this.balance == balance",
    );
}
