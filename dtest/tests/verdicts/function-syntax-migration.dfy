// refused: 3, 6, 7, 10, 12, 13, 15, 16, 19, 20, 21, 22
module {:options "--function-syntax:migration3to4"} A {
  function F(): int { 3 }
  function method G(): int { 3 }
  ghost function H(): int { 3 }
  ghost function method I(): int { 3 }
  predicate P() { true }
  predicate method Q() { true }
  ghost predicate R() { true }
  ghost predicate method S() { true }
  function T(): int { 3 } by method { return 3; }
  function method U(): int { 3 } by method { return 3; }
  ghost function V(): int { 3 } by method { return 3; }
  predicate W() { true } by method { return true; }
  predicate method X() { true } by method { return true; }
  ghost predicate Y() { true } by method { return true; }
  twostate function Z(): int { 3 }
  least predicate AA() { true }
  ghost twostate function AB(): int { 3 }
  ghost least predicate AC() { true }
  predicate AF(ghost x: int) { true }
  function AG(ghost x: int): int { 3 }
}
