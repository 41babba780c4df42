// tests/dtest/rule.rs

use dunit::prelude::*;

use crate::subject::datatype_with_function_field::Rule;

/// Values of the constructors at src/datatype_with_function_field.dfy:1:10: discriminators, fields, printed form.
#[dunit(unit = "Rule")]
fn constructors() {
    let rule = Rule::Rule {
        apply: Fun1::named("x => x", |a: &Int| a.clone()),
    };
    expect!(rule.is_rule(), "src/datatype_with_function_field.dfy:1:17: Rule");
}

// tests/dtest/use_.rs

use dunit::prelude::*;

use crate::subject::datatype_with_function_field::{self, Rule};

/// Reaches src/datatype_with_function_field.dfy:4:3: the body is entered (block 1 of 1).
#[dunit(unit = "Use")]
fn runs() {
    let r = Rule::Rule {
        apply: Fun1::named("x => x", |a: &Int| a.clone()),
    };
    let n = int(3);

    let result = datatype_with_function_field::r#use(&r, &n);

    expect_eq!(
        result,
        int(3),
        "src/datatype_with_function_field.dfy:3:10: Use by Dafny's semantics",
    );
}
