// Functions by method: both the expression and the method have obligations, and they agree.
function Agrees(n: nat): nat { if n == 0 then 0 else n + Agrees(n - 1) } by method {
  var r := 0;
  for i := 0 to n invariant r == Agrees(i) { r := r + i + 1; assert Agrees(i + 1) == i + 1 + Agrees(i); }
  return r;
}
function Differs(n: nat): nat { n + 1 } by method { return n; } // !
function WellFormed(n: int): int requires n == 0 ==> false { 10 / n } by method { return 10 / n; }
function Divides(n: int): int { 10 / n } by method { assume {:axiom} n != 0; return 10 / n; } // !
function Postcondition(n: int): (r: int) ensures r > 0 { n } by method { assume {:axiom} n > 0; return n; } // !
function Endless(n: int): int { if n == 0 then 0 else Endless(n) } by method { assume {:axiom} n == 0; return 0; } // !
function Narrow(n: int): nat { n - 1 } by method { assume {:axiom} n > 0; return n - 1; } // !
function Method(s: seq<int>): int { 0 } by method { var x := s[0]; return 0; } // !
class Cell {
  var x: int
  function Reads(): int { x } by method { return x; } // !
  function Named(): (r: int) reads this { x } by method { r := x; }
  function Wrong(): (r: int) reads this { x } by method { r := x - 1; } // !
  function Writes(): (r: int) reads this { x } by method { r := x; x := r; } // !
  function Allocates(): (r: int) reads this { x } by method { var c := new Cell; c.x := x; r := c.x; }
}
