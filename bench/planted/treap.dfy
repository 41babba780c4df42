// A multiset of numbers over a treap: splitting and merging by keys, ranks, sums over ranges, and on it the medians of a window that
// slides over measurements. Priorities come from a function that the caller gives.

datatype Tree = Leaf | Node(left: Tree, key: int, prio: nat, count: nat, size: nat, sum: int, right: Tree)

function Size(t: Tree): nat {
  match t
  case Leaf => 0
  case Node(_, _, _, _, size, _, _) => size
}

function Sum(t: Tree): int {
  match t
  case Leaf => 0
  case Node(_, _, _, _, _, sum, _) => sum
}

ghost function Keys(t: Tree): set<int> {
  match t
  case Leaf => {}
  case Node(l, k, _, _, _, _, r) => Keys(l) + {k} + Keys(r)
}

ghost predicate Ordered(t: Tree) {
  match t
  case Leaf => true
  case Node(l, k, _, _, _, _, r) =>
    Ordered(l) && Ordered(r) && (forall x <- Keys(l) :: x < k) && (forall x <- Keys(r) :: x > k)
}

predicate Sized(t: Tree) {
  match t
  case Leaf => true
  case Node(l, _, _, count, size, _, r) => Sized(l) && Sized(r) && count > 0 && size == Size(l) + count + Size(r)
}

ghost predicate Good(t: Tree) { Ordered(t) && Sized(t) }

function Make(left: Tree, key: int, prio: nat, count: nat, right: Tree): Tree {
  Node(left, key, prio, count, Size(left) + count + Size(right), Sum(left) + key * count + Sum(right), right)
}

// The keys below `k`, and the others.
function Split(t: Tree, k: int): (Tree, Tree)
  requires Good(t)
  ensures var (a, b) := Split(t, k);
    Good(a) && Good(b) && Keys(a) + Keys(b) == Keys(t) && (forall x <- Keys(a) :: x < k) && (forall x <- Keys(b) :: x >= k)
  ensures Size(Split(t, k).0) + Size(Split(t, k).1) == Size(t)
{
  match t
  case Leaf => (Leaf, Leaf)
  case Node(l, key, prio, count, _, _, r) =>
    if key < k then
      var (a, b) := Split(r, k);
      (Make(l, key, prio, count, a), b)
    else
      var (a, b) := Split(l, k);
      (a, Make(b, key, prio, count, r))
}

function Merge(a: Tree, b: Tree): Tree
  requires Good(a) && Good(b)
  requires forall x, y | x in Keys(a) && y in Keys(b) :: x < y
  ensures Good(Merge(a, b)) && Keys(Merge(a, b)) == Keys(a) + Keys(b)
  ensures Size(Merge(a, b)) == Size(a) + Size(b)
{
  match (a, b)
  case (Leaf, _) => b
  case (_, Leaf) => a
  case (Node(al, ak, ap, ac, _, _, ar), Node(bl, bk, bp, bc, _, _, br)) =>
    assert ak in Keys(a) && bk in Keys(b);
    assert Keys(ar) <= Keys(a) && Keys(bl) <= Keys(b);
    if ap >= bp then Make(al, ak, ap, ac, Merge(ar, b))
    else Make(Merge(a, bl), bk, bp, bc, br)
}

function CountOf(t: Tree, k: int): nat {
  match t
  case Leaf => 0
  case Node(l, key, _, count, _, _, r) => if k == key then count else if k < key then CountOf(l, k) else CountOf(r, k)
}

// Adds `n` to the count of a key that is in the tree.
function Raise(t: Tree, k: int, n: nat): Tree
  requires Good(t)
  ensures Good(Raise(t, k, n)) && Keys(Raise(t, k, n)) == Keys(t)
{
  match t
  case Leaf => Leaf
  case Node(l, key, prio, count, _, _, r) =>
    if k == key then Make(l, key, prio, count + n, r)
    else if k < key then Make(Raise(l, k, n), key, prio, count, r)
    else Make(l, key, prio, count, Raise(r, k, n))
}

function Insert(t: Tree, k: int, prio: int -> nat): Tree
  requires Good(t)
  ensures Good(Insert(t, k, prio)) && Keys(Insert(t, k, prio)) == Keys(t) + {k}
{
  if CountOf(t, k) > 0 then
    Contains(t, k);
    Raise(t, k, 1)
  else
    var (a, b) := Split(t, k);
    var (_, c) := Split(b, k + 1);
    Absent(t, k);
    Merge(Merge(a, Make(Leaf, k, prio(k), 1, Leaf)), c)
}

lemma Contains(t: Tree, k: int)
  ensures CountOf(t, k) > 0 ==> k in Keys(t)
{
}

lemma Absent(t: Tree, k: int)
  requires Good(t) && CountOf(t, k) == 0
  ensures k !in Keys(t)
{
}

// Takes one occurrence of a key away.
function Remove(t: Tree, k: int): Tree
  requires Good(t)
  ensures Good(Remove(t, k)) && Keys(t) - {k} <= Keys(Remove(t, k)) <= Keys(t)
  ensures Size(Remove(t, k)) <= Size(t)
{
  match t
  case Leaf => Leaf
  case Node(l, key, prio, count, _, _, r) =>
    if k < key then Make(Remove(l, k), key, prio, count, r)
    else if k > key then Make(l, key, prio, count, Remove(r, k))
    else if count > 1 then Make(l, key, prio, count - 1, r)
    else Merge(l, r)
}

// How many elements are below `k`.
function Rank(t: Tree, k: int): nat {
  match t
  case Leaf => 0
  case Node(l, key, _, count, _, _, r) =>
    if k <= key then Rank(l, k) else Size(l) + count + Rank(r, k)
}

// The element before which `i` elements stand.
function Nth(t: Tree, i: nat): int
  requires Good(t) && i < Size(t)
  ensures Nth(t, i) in Keys(t)
{
  match t
  case Node(l, key, _, count, _, _, r) =>
    if i < Size(l) then Nth(l, i)
    else if i < Size(l) + count then key
    else Nth(r, i - Size(l) - count)
}

// The sum of the elements from `low` to `high`, both included.
function RangeSum(t: Tree, low: int, high: int): int
  requires Good(t) && low <= high
{
  var (_, upper) := Split(t, low);
  var (middle, _) := Split(upper, high + 1);
  Sum(middle)
}

function Elements(t: Tree): seq<int> {
  match t
  case Leaf => []
  case Node(l, key, _, count, _, _, r) => Elements(l) + seq(count, _ => key) + Elements(r)
}

function Height(t: Tree): nat {
  match t
  case Leaf => 0
  case Node(l, _, _, _, _, _, r) => 1 + (if Height(l) > Height(r) then Height(l) else Height(r))
}

predicate Heap(t: Tree) {
  match t
  case Leaf => true
  case Node(l, _, p, _, _, _, r) => Heap(l) && Heap(r) && (l.Node? ==> l.prio <= p) && (r.Node? ==> r.prio <= p)
}

class Window {
  const width: nat
  const prio: int -> nat
  var values: seq<int>
  var tree: Tree
  var worst: nat

  ghost predicate Valid()
    reads this
  {
    Good(tree) && |values| <= width
  }

  constructor (width: nat, prio: int -> nat)
    requires width > 0
    ensures Valid() && values == [] && this.width == width
  {
    this.width, this.prio := width, prio;
    values, tree, worst := [], Leaf, 0;
  }

  method Push(x: int) returns (left: seq<int>)
    requires Valid() && width > 0
    modifies this
    ensures Valid() && |left| <= 1
    ensures left + values == old(values) + [x]
  {
    left := [];
    if |values| == width {
      left := [values[0]];
      tree := Remove(tree, values[0]);
      values := values[1..];
    }
    values := values + [x];
    tree := Insert(tree, x, prio);
    var gap := Spread();
    if gap > worst {
      worst := gap;
    }
  }

  // The lower of the two middle elements if their number is even.
  method Median() returns (m: int)
    requires Valid() && Size(tree) > 0
    ensures m in Keys(tree)
  {
    m := Nth(tree, (Size(tree) - 1) / 2);
  }

  // The distance between the smallest and the largest element.
  function Spread(): nat
    requires Valid()
    reads this
  {
    if Size(tree) == 0 then 0
    else
      var d := Nth(tree, Size(tree) - 1) - Nth(tree, 0);
      if d < 0 then 0 else d
  }

  // The mean of what stays when a part of the elements is cut off on both ends, rounded down.
  method Trimmed(cut: nat) returns (mean: int)
    requires Valid() && 2 * cut < Size(tree)
  {
    var total, i := 0, cut;
    while i < Size(tree) - cut
    {
      total := total + Nth(tree, i);
      i := i + 1;
    }
    mean := total / (Size(tree) - 2 * cut);
  }

  method Reset()
    modifies this
    ensures Valid() && values == []
  {
    values, tree, worst := [], Leaf, 0;
  }
}
