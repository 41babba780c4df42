class C { var x: int constructor () { x := 0; } }
method M() returns (c: C) {
  c := new C();
  assert old(c.x) == 0 || true; // !
}
twostate function Two(c: C): int { 3 }
method Call() { var c := new C(); ghost var t := Two(c); } // !
