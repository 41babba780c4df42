class C {
  var x: int
  constructor () { x := 0; }
  function Own(): int { x } // !
  ghost predicate {:axiom} Ok() ensures Ok() ==> x == 0 // !
}
function Field(c: C): int { c.x } // !
function Element(a: array<int>): int requires a.Length > 0 { a[0] } // !
function Reads(c: C): int reads c { c.x }
function Call(c: C): int { Reads(c) } // !
function Precondition(c: C): int requires c.x > 0 { 3 } // !
function {:axiom} Postcondition(c: C): (r: int) ensures r > c.x // !
