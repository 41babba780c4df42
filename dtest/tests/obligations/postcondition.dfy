method AtEnd(n: int) returns (r: int) ensures r > n { r := n; } // !
method AtReturn(n: int) returns (r: int) ensures r > 0 { if n == 7 { return 0; } r := 1; } // !
function OfFunction(n: int): (r: int) ensures r > 0 { n } // !
lemma OfLemma(n: int) ensures n > 0 { } // !
method Holds(n: nat) returns (r: int) ensures r > n { r := n + 1; }
