// refused: 14, 15, 16, 17, 18
// What stands before the dot of a static member is not evaluated, but it is part of compiled code.
class C {
  static const K := 3
  static function F(): int { 3 }
  static method S() {}
  static lemma L() {}
  ghost function Me(): C { this }
}
method Compiled(c: C, ghost g: C) {
  c.S();
  var x := c.K + c.F();
  var f := c.F;
  old(c).S();
  g.S();
  x := g.K;
  x := c.Me().F();
  f := old(c).F;
}
method Ghost(c: C, ghost g: C) {
  g.L();
  old(c).L();
  ghost var x := g.K + old(c).F();
  ghost var f := c.Me().F;
  assert old(c).F() == g.K;
}
