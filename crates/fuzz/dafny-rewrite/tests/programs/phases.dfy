class Phases {
  var a: int
  var b: int
  const c: int

  constructor (n: int)
    ensures a == n + 1
  {
    a := n + 1;
    c := 7;
    new;
    var x, y := n, 2;
    b := x + y;
    x := b + 1;
    y := x;
    b := y;
  }
}

method Use() returns (r: int)
{
  var p := new Phases(3);
  r := p.b + p.c;
}
