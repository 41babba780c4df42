method Loop(n: int) { var i := n; while i != 0 decreases i { i := i - 2; } } // !
method Still(n: int) { var i := n; while i > 0 { } } // !
function Call(n: int): int { if n == 0 then 0 else Call(n - 1) } // !
method Recursive(n: nat) { Recursive(n); } // !
method Even(n: nat) { Odd(n); } // !
method Odd(n: nat) { Even(n); } // !
