class C { constructor () { } }
iterator Gen(c: C) yields (x: int) {
  _new := _new + {c}; // !
  yield 1;
}
