// refused: 5, 6, 7, 8, 9, 10
module A {
  export Good provides M, L, C.M, D.F reveals F, C, D, K, C.k, D.F
  export
    reveals M
    reveals L
    reveals C.M
    provides C.z
    provides M.z
    provides Nothing.z
  method M() { }
  lemma L() { }
  function F(): int { 3 }
  const K := 3
  class C { method M() { }  const k := 3 }
  datatype D = D { function F(): int { 3 } }
}
