method Statement(n: int) { assert n > 0; } // !
function Expression(n: int): int { assert n > 0; n } // !
method By(n: int) { assert n > 0 by { } } // !
method Else(n: int) { assert n * n >= 0; }
