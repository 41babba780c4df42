method Statements(a: array<int>, m: array2<int>) returns (r: int, s: seq<int>)
{
  {}
  { var x := 1; }
  var x, y: int, {:attr} z: bool;
  var p, q := 1, F(2) {:attr};
  ghost var g: nat :| g > 3;
  var h {:trigger f(h)} :| assume {:axiom} h == 1;
  var _ := 1;
  var (t, (u: int, _)) := (1, (2, 3));
  ghost var Cons(hd, tl) := list;
  var ok :- Try();
  var ok2, ok3 :- expect {:attr} Try(), 5;
  :- assert Try();
  :- Try() {:attr};
  r, s :- assume Try();
  r :- Try() by { assert true; }
  var o := new C;
  var o1 := new C(1, named := 2);
  var o2 := new M.C<int>.Init(1);
  var b := new int[10];
  var b1 := new int[2, 3]((i, j) => i + j);
  var b2 := new int[3][1, 2, 3];
  var b3 := new int[] [1, 2];
  var b4 := new [n];
  var b5 := new [] [];
  a[0], m[1, 2], o.x, o.y.z := 1, 2, *, new C;
  x := *;
  x, y :| x < y;
  y := x by { assert x == x; }
  M.N.Call<int>(1, x := 2);
  this.Method();
  Lemma(x) by { reveal F(); }
  o.Call(1) {:attr} ;
  (o).Call();
  f(1)(2);
  prefix#[k](1);
  assert x == y;
  assert Label: x == y;
  assert {:split_here} x == y by { Lemma(); }
  assert ...;
  assume {:axiom} x > 0;
  assume ...;
  expect x > 0, "message";
  expect x > 0;
  print "x = ", x, "\n";
  reveal F(), G, this.H;
  reveal *;
  hide F, G;
  hide *;
  calc { }
  calc {:attr} <= { 1; 2; < { assert true; } 3; ==#[k] { Lemma(); } calc { 1; 1; } 4; 5; } calc { true; <==> true; ==> true; }
  modify a, this`x, {o};
  modify a { a[0] := 1; }
  modify ...;
  if x > 0 { } else if * { } else {:attr} { x := 1; }
  if (*) { }
  if i: int, j {:attr} :| i < j { }
  if { case x > 0 => x := 1; case {:attr} i :| i > 0 => }
  if case x > 0 => y := 1; x := 2; case true => { }
  if ... { }
  while x > 0
    invariant {:attr} x >= 0
    decreases x, y
    modifies a
  { x := x - 1; continue; }
  while * decreases * { break; }
  while x > 0 invariant true;
  (o).Call();
  while x > 0 invariant true
  while ... invariant x == 1 ...
  while { case x > 0 => x := 1; case true => }
  while invariant true decreases y case x > 0 => x := 0;
  for i := 0 to 10 { }
  for i: nat := 10 downto 0 invariant true { }
  for {:attr} i := 0 to * decreases * { }
  for _ := 0 to |s| { }
  for i := 0 to 1
  forall i, j: int | 0 <= i < j ensures F(i) == 1 { Lemma(i); }
  forall (i <- s, j <- t | i != j) { a[i] := 1; }
  forall i {:trigger f(i)} | true ensures f(i)
  forall { }
  match x { case 0 => case 1 | 2 => y := 1; case -3 => case Cons(h, Nil) => { } case (a, _) => case "s" | 'c' => case n: int => case {:attr} _ => }
  match x case 0 => y := 1; case _ =>
  label Outer: label Inner: while true { break Outer; break break; break break continue; continue Inner; }
  label L: x := old@L(x);
  label 0: { }
  opaque ensures x == 1 modifies a { x := 1; }
  opaque { }
  return;
  return x, [1] {:attr};
  return {:attr} 1, 2;
  yield 1;
  yield;
  ...;
  ghost var to := 1;
  opaque := reveals_ + hide(1);
  label End:
}
