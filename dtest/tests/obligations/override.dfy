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
