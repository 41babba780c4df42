// accepted
datatype Pair = Pair(left: int, right: int)

// Parameters, and the variables of outer blocks and patterns, may be hidden.
method Hides(a: int) returns (r: int) {
  var a := a + 1;
  r := a;
  while r < 10
  { var a := 2; r := r + a; }
  for a := 0 to 2 { var a := a + 1; r := r + a; }
  if r > 3 { var b := 1; r := b; } else { var b := 2; r := b; }
  var f := (a: int) => var a := a + 1; a;
  forall k: int ensures k == k { assert exists k :: k == 0 by { assert 0 == 0; } }
  var _, b := 1, 2;
  var _ := b;
}

method Cases(p: Pair) {
  match p
  case Pair(a, b) => { var a := b; print a; }
}

function Lets(p: Pair): int {
  var Pair(a, _) := p;
  var a := a + 1;
  match p case Pair(b, _) => var b := b + a; b
}

function {:induction n, result} Result(n: nat): (result: nat) ensures result >= 0 { var result := n; result }

method {:note inner} Attributes() { var inner := 3; }
