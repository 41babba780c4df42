function Smallest(s: set<int>): int
  requires s != {}
  requires exists m :: m in s && forall x | x in s :: m <= x
{
  assert forall m, n | m in s && n in s && (forall x | x in s :: m <= x) && (forall x | x in s :: n <= x) :: m == n;
  var m :| m in s && forall x | x in s :: m <= x;
  m
}
