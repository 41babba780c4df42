// tests/dtest/money.rs

use dunit::prelude::*;

use crate::subject::datatype_member_function::Money;

/// Values of the constructors at src/datatype_member_function.dfy:1:10: discriminators, fields, printed form.
#[dunit(unit = "Money")]
fn constructors() {
    let money = Money::Money { cents: int(2) };
    expect!(money.is_money(), "src/datatype_member_function.dfy:1:18: Money");
    expect_eq!(
        *money.cents(),
        int(2),
        "src/datatype_member_function.dfy:1:18: Money.cents",
    );
    expect_eq!(
        format!("{money:?}"),
        "Money.Money(2)",
        "src/datatype_member_function.dfy:1:18: Money, printed",
    );
    expect_eq!(
        money.whole(),
        int(0),
        "src/datatype_member_function.dfy:2:9: Money.whole",
    );
}

// tests/dtest/money_plus.rs

use dunit::prelude::*;

use crate::subject::datatype_member_function::Money;

/// Reaches src/datatype_member_function.dfy:5:5: the body is entered (block 1 of 1).
#[dunit(unit = "Money.Plus")]
fn runs() {
    let this = Money::Money { cents: int(3) };
    let other = Money::Money { cents: int(2) };

    let result = this.plus(&other);

    expect_eq!(
        result,
        Money::Money { cents: int(5) },
        "src/datatype_member_function.dfy:4:12: Plus by Dafny's semantics",
    );
}
