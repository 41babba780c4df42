least predicate Even(n: int) { n == 0 || Even(n - 2) }
greatest predicate All(s: seq<int>, n: nat) requires n <= |s| { n == |s| || (s[n] == 0 && All(s, n + 1)) }
least predicate Down(n: nat) { n == 0 || (10 / n >= 0 && Down(n - 1)) }
codatatype Stream = Cons(head: int, tail: Stream)
greatest predicate Positive(s: Stream) { s.head > 0 && Positive(s.tail) }
least predicate Find(s: Stream, x: int) { s.head == x || Find(s.tail, x) }
class Node { var next: Node? var value: int
  least predicate Reaches(to: Node, all: set<Node>) reads all requires this in all { this == to || (next != null && next in all && next.Reaches(to, all)) }
}
