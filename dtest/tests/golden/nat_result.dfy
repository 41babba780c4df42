function Saturated(a: nat, b: nat): nat {
  if a < b then 0 else a - b
}
