// refused: 26
module M {
  export provides D, T, C?, Sy, MyData, N
  datatype D = D1 | D2
  type T = int
  type Sy<X> = seq<X>
  class C? { }
  newtype N = int
  const MyData: D := D1
}
module M1 {
  import M
  const c1: M.D
  const c2: M.T
  ghost const c3: M.D
  const c4: M.Sy<int>
  const c6: (M.D, int)
  const c7: seq<M.D>
  const c9: M.N
  class K { const f: M.D  constructor () { f := M.MyData; } }
  class K2 { const f: M.D }
  class K3 { var f: M.D }
  datatype E = E(d: M.D)
  const c10: E
  static const c11: M.D
  iterator It() yields (x: M.D)
  method Q() returns (x: M.D) { }
  method R() { var a := new M.D[3]; }
}
