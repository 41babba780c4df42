//! What the macros say when they are misused.

#[test]
fn every_misuse_is_an_error_at_the_users_tokens() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
