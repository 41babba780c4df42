class C
{
  var next: C?

  constructor ()
  {
    next := (var n: C? := null; n);
  }
}

method Main()
{
  var c := new C();
  print (var n: C? := null; c.next == n), (var n: C?, k := null, 1; n == c && k == 1), "\n";
}
