//! `dead`: what is said of code that nothing reaches, and what it takes to have it allowed.

use super::Package;

const SAMPLE: &str = "newtype Byte = x: int | 0 <= x < 256

method Implied(x: int) returns (r: int) {
  if x > 10 {
    if x < 5 { return 1; }
    return 2;
  }
  return 3;
}

method Range(b: Byte) returns (r: int) {
  if b as int > 255 { return 1; }
  return 0;
}

method Never(x: int) returns (r: int)
  requires x > 5
  requires x % 2 == 0
  requires x < 3
{
  if x == 4 { r := 1; } else { r := 2; }
}

method Sum(s: seq<int>) returns (r: int) {
  var i := 0;
  r := 0;
  while i < |s|
    invariant i <= |s|
  {
    r := r + s[i];
    i := i + 1;
  }
  if i > |s| { r := 0; }
}

method Steps(n: nat) returns (r: nat) {
  r := 0;
  while r < n { r := r + 1; }
  if r > n { r := 0; }
}
";

#[test]
fn every_dead_block_is_shown_with_its_strength_and_its_causes() {
    let package = Package::new(&[("src/lib.dfy", SAMPLE)]);
    insta::assert_snapshot!(package.run(&["dead"]).shown());
    insta::assert_snapshot!(package.run(&["dead", "--message-format", "short"]).shown());
}
