// refused: 8, 9, 10, 19, 20
// Type arguments are given to callables and types, not to variables, constants and fields.
const Limit: int := 3

class Cell<T> {
  var value: T
  constructor (value: T) ensures this.value == value { this.value := value; }
  method Get(step: int) returns (r: T) ensures step<int> == step { r := value; }
  method Same(that: Cell<T>) returns (r: bool) { r := that.value<int> == that.value; }
  function Read(): int reads this { Limit<int> }
  function Again(): int reads this { Id<int>(Limit) }
  static function Id<U>(u: U): U { u }
}

datatype Answer = Yes | No(why: int)
method Members(a: array<int>, m: map<int, int>, answer: Answer) returns (n: int, b: bool) {
  n := a.Length + |m.Keys|;
  b := answer.Yes?;
  n := a.Length<int>;
  b := answer.Yes?<int>;
}
