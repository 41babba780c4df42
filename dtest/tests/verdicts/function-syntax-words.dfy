// refused: 4, 6, 8, 9, 10, 11, 14, 15
// options: --function-syntax=3
module A {
  function F(ghost x: int): int { x }
  function method G(ghost x: int): int { 3 }
  ghost function H(): int { 3 }
  function I(): int { 3 } by method { return 3; }
  ghost predicate P() { true }
  function method K(): int { 3 } by method { return 3; }
  class C { ghost function L(): int { 3 } }
  module {:options "--function-syntax:4"} B { function method M(): int {3}  function N(ghost x: int): int { 3 } module C { ghost function O(ghost y: int): int { 4 } } }
}
const c: bool := 5
twostate function T(ghost z: int): int { 3 }
least predicate LL(ghost z: int) { true }
