// Meant to be wrong: what its measures obligation does not hold.
function Bad(x: int): int { if x == 0 then 0 else Bad(x - 1) }
function Good(x: nat): nat { if x == 0 then 0 else Good(x - 1) }
datatype List = Nil | Cons(head: int, tail: List)
function Len(l: List): nat { match l case Nil => 0 case Cons(_, t) => 1 + Len(t) }
function Same(l: List): nat { match l case Nil => 0 case Cons(_, t) => if t == Nil then 1 else 1 + Same(l) }
method Up(n: nat) { var i := 0; while i < n { i := i - 1; if i < -5 { i := n; } } }
method Stuck(n: nat) { var i := 0; while i != n { if i == 3 { i := 2; } i := i + 1; } }
method Ok(n: nat) { var i := 0; while i < n && n < 100 { i := i + 1; } }
method Even(n: nat) returns (b: bool) { if n == 0 { b := true; } else { b := Odd(n - 1); } }
method Odd(n: nat) returns (b: bool) { if n == 0 { b := false; } else { b := Even(n); } }
function Sum(s: seq<int>): int { if s == [] then 0 else s[0] + Sum(s[1..]) }
function Ack(m: nat, n: nat): nat { if m == 0 then n + 1 else if n == 0 then Ack(m - 1, 1) else Ack(m - 1, Ack(m, n - 1)) }
lemma Ind(n: nat) ensures n < n + 1 { if n > 0 { Ind(n + 1); } }
class Node { var next: Node? var repr: set<object>
  function Depth(): nat reads this, repr requires next != null ==> next in repr && next.repr < repr && this in repr && this !in next.repr { if next == null then 0 else if next.next == null then 1 else 2 }
}
method W(s: set<int>) { var t := s; while t != {} { var x :| x in t; t := t - {x}; } }
method W2(s: set<int>) { var t := s; while t != {} { var x :| x in t; t := t - {x + 1}; if |t| > 7 { break; } } }
