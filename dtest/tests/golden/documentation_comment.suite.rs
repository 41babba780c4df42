// tests/dtest/gross.rs

use dunit::prelude::*;

use crate::subject::documentation_comment;

/// Reaches src/documentation_comment.dfy:3:3: the body is entered (block 1 of 1).
#[dunit(unit = "Gross")]
fn runs() {
    let net = int(200);
    require!(0 <= net, "src/documentation_comment.dfy:2:16: net is a nat");

    let result = documentation_comment::gross(&net);

    expect_eq!(
        result,
        int(240),
        "src/documentation_comment.dfy:2:10: Gross by Dafny's semantics",
    );
    expect!(0 <= result, "src/documentation_comment.dfy:2:10: the result is a nat");
}
