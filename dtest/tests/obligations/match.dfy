datatype T = A | B | C
function Expression(t: T): int requires t != C { match t case A => 1 case B => 2 }
function Missing(t: T): int { match t case A => 1 case B => 2 } // !
method Statement(t: T) { match t { case A => } } // !
method Integer(n: int) { match n { case 0 => case 1 => } } // !
// Contracts are well-formed, also of declarations without a body.
const K: int := 4
datatype List = Nil | Cons(head: int, tail: List)
method Ensures(l: List) ensures match l { case Nil => true } // !
method Values(l: List) ensures match l { case Nil => true case Cons(3, _) => true } // !
method Constants(n: int) ensures match n { case 3 => true case K => true } // !
method Rest(n: int) ensures match n { case 3 => true case _ => true }
method All(l: List) ensures match l { case Nil => true case Cons(h, t) => true }
method Requires(n: int) requires match n { case 3 => true } // !
predicate Predicate(n: int) requires match n { case 3 => true } // !
type Constraint = n: int | match n { case 0 => true case 1 => true } // !
method Parts(p: (int, List)) ensures match p { case (_, Nil) => true } // !
trait Shape { method Draw(l: List) ensures match l { case Nil => true } } // !
method Condition(n: int) { assert n > 0 ==> match n { case 1 => true }; } // !
lemma Quantified() ensures forall n: nat :: n < 9 ==> match n { case 1 => true } { } // !
