ghost function Successor(o: ORDINAL): ORDINAL {
  o + 1
}

function Kept(n: nat, ghost o: ORDINAL): nat {
  n + 1
}
