// accepted
module L3 {
  export E1 provides Something, I, F reveals D, D3
  datatype Something = S(int)
  type I = int
  datatype D = D(t: Something)
  type D3 = x: D | x == x witness *
  ghost function F(m: map<D, I>, c: Something): bool { c in multiset{c} }
}
module M {
  import L3`E1
  method T(d: L3.D) { if d == d {} }
  method U(d: set<L3.D>) { }
  method V(d: set<L3.D3>) { }
  method W(d: L3.Something) { if d == d {} }
}
