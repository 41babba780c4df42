module Unknown {
  ghost const chosen: iset<int>
  const limit: nat
  const twice := 2 * limit
  datatype D = D { const size: nat }
  ghost function Weight(s: iset<int>): real
  lemma {:axiom} ChosenIsFull() ensures 7 in chosen
  lemma {:axiom} LimitIsLarge() ensures limit > 10
  lemma {:axiom} TwiceIsLarger() ensures twice > 20
  lemma {:axiom} Sizes(d: D) ensures d.size > 0
  lemma {:axiom} WeightIsPositive(s: iset<int>) ensures Weight(s) >= 0.0
  lemma Use() { ChosenIsFull(); assert 7 in chosen; LimitIsLarge(); assert limit > 3; }
}
module {:extern "Outside"} Outside {
  class C { }
  const {:extern} c: C
  method Check(x: C) { }
  method Test() { Check(c); assert true; }
}
