use dunit::dunit;

#[dunit(uint = "Find")]
fn unknown_key() {}

#[dunit(unit = "")]
fn empty_unit() {}

#[dunit(unit = "Find", unit = "Find")]
fn key_given_twice() {}

#[dunit(stack = "large", timeout = 99999999999999999999999)]
fn two_bad_values() {}

#[dunit]
struct NoFunction;

fn main() {}
