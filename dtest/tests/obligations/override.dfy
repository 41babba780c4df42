trait T {
  method M(n: int) returns (r: int) requires n > 0 ensures r > 0
  function F(n: int): (r: int) requires n > 0 ensures r > 0
}
class Weaker extends T {
  constructor () { }
  method M(n: int) returns (r: int) requires n > 1 ensures r > 0 { r := 1; } // !
  function F(n: int): (r: int) requires n > 1 ensures r > 0 { 1 } // !
}
class Stronger extends T {
  constructor () { }
  method M(n: int) returns (r: int) requires n > 0 ensures r >= 0 { r := 0; } // !
  function F(n: int): (r: int) requires n > 0 ensures r >= 0 { 0 } // !
}
trait Shelf<X> {
  method Put(x: X) returns (r: X) ensures r == x
  function Count(x: X, n: int): int requires n > 0 ensures Count(x, n) >= n
  lemma Total(n: int) ensures n == n
}
class IntShelf extends Shelf<int> {
  constructor () { }
  method Put(x: int) returns (r: int) ensures r >= x { r := x + 1; } // !
  function Count(x: int, n: int): int requires n > x { n } // !
  lemma Total(n: int) requires n > 0 { } // !
}
class Bag<Y> extends Shelf<Y> {
  constructor () { }
  method Put(x: Y) returns (r: Y) ensures r == x { r := x; }
  function Count(x: Y, n: int): int requires n > 0 ensures Count(x, n) >= n { n }
  lemma Total(n: int) requires n > 0 { } // !
}
