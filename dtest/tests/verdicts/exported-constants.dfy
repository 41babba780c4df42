// refused: 3, 11, 12, 15, 17, 20, 25
module Library {
  export provides A1, A2, A3, A4, A5, A6, A7, A8, A9, AA, AB, AC, AD, AE, AF, AG, AH, Some, Pair, D, P
  export Revealed reveals A3, D
  datatype D = D
  datatype P<X> = P(x: X)
  function Some(): seq<int> { [] }
  function Pair(): (int, D) { (3, D) }
  const A1 := Some()
  const A2 := Pair()
  const A3 := (D, D)
  const A4 := P(D)
  const A5 := P<D>.P(D)
  const A6 := (x: int) => x
  const A7 := [D]
  const A8 := if 1 < 2 then Some() else Some()
  const A9 := Some()[1..]
  const AA := Some() + Some()
  const AB := set x: int | 0 <= x < 3
  const AC := seq(3, i => i)
  const AD := seq<int>(3, i => i)
  const AE := var x := 3; Some()
  const AF := Some()[0 := 1]
  const AG := "ab" + "cd"
  const AH := multiset(Some())
}
module Members {
  export provides C, C.c, C.d
  class C { static const c := 2 static const d: set<int> := {3} }
}
