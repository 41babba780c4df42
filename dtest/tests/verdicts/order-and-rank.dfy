// refused: 5, 6, 7, 8, 9, 10, 11
datatype Tree = Leaf | Node(left: Tree, right: Tree)
codatatype Stream = More(tail: Stream)
class Cell { }
lemma A(s: Stream, t: Stream) ensures s < t { }
lemma B<T>(x: T, y: T) ensures x < y { }
lemma C(a: Cell, b: Cell) ensures a <= b { }
lemma D(s: seq<int>, t: seq<int>) ensures s >= t { }
lemma E(t: Tree, n: int) ensures t < n { }
lemma F(t: Tree) ensures t.left >= t { }
lemma G(m: map<int, int>) ensures m > m { }
lemma Fine<T>(t: Tree, x: T, p: (Tree, int), s: seq<int>, c: char, o: ORDINAL, z: set<int>)
  requires x < t || t.left < t || t > t.right || t < p || s < s || s <= s || c < 'a' || o > 3 || z >= z
{ }
