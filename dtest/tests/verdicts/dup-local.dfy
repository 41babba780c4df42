// refused: 6, 7, 12, 17, 22, 29, 38, 43
datatype Pair = Pair(left: int, right: int)

// A variable is declared once in a scope, to which the results belong.
method Locals(a: int) returns (sum: int) {
  var sum := a;
  var x, x := 1, 2;
  { var x := 3; }
  sum := x;
}

method Patterns(p: Pair) { var a := 1; var Pair(b, c) := p; var (a, d) := (b, c);
}

method Binding(s: set<int>)
  requires s != {}
{ if x :| x in s { print 1; var x := 2; print x; }
}

method Indices() {
  for i := 0 to 3 { var i := 1; print i; }
  forall k: int, k: int ensures k == k { }
}

// The body of `modify` has no scope of its own.
method Inner(c: array<int>)
  modifies c
{
  var y := 1; modify c { var y := 2; }
}

method Cases(p: Pair) {
  match p {
    case Pair(a, b) => var a := b; print a;
  }
  match p {
    case Pair(0, b) => print b;
    case Pair(b, b) => print b;
  }
}

function Twice(p: Pair): int {
  var (l, l) := (p.left, p.right); l
}
