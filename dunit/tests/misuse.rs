//! The errors of the macros on misuse.

#[test]
fn every_misuse_is_one_error_at_the_users_tokens() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
