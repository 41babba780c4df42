datatype T = A | B | C
function Expression(t: T): int requires t != C { match t case A => 1 case B => 2 }
function Missing(t: T): int { match t case A => 1 case B => 2 } // !
method Statement(t: T) { match t { case A => } } // !
method Integer(n: int) { match n { case 0 => case 1 => } } // !
