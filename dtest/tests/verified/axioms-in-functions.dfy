newtype uint8 = x: int | 0 <= x < 256
lemma {:axiom} InMemory(value: nat) ensures value < 256 // !
lemma Indirect(value: nat) ensures value < 256 { InMemory(value); }
lemma ByAssumption(value: nat) ensures value < 256 { assume {:axiom} value < 256; }
function Direct(x: uint8, y: uint8): uint8 { InMemory(x as nat + y as nat); x + y }
function ByLemma(x: uint8, y: uint8): uint8 { Indirect(x as nat + y as nat); x + y }
function ByAssumed(x: uint8, y: uint8): uint8 { ByAssumption(x as nat + y as nat); x + y }
function InProof(x: uint8, y: uint8): uint8 { assert x as nat + y as nat < 256 by { InMemory(x as nat + y as nat); } x + y }
function InCalculation(x: uint8, y: uint8): uint8 {
  calc { true; { InMemory(x as nat + y as nat); } x as nat + y as nat < 256; }
  x + y
}
method Sum(n: uint8) returns (r: uint8) {
  r := Direct(n, 200);
  r := ByLemma(n, 200);
  r := ByAssumed(n, 200);
  r := InProof(n, 200);
  r := InCalculation(n, 200);
}
