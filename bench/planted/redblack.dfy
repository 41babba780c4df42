// An ordered map over a red-black tree: insertion, deletion, neighbours, ranks, ranges, and a score board on top of it.

datatype Option<T> = None | Some(value: T)

datatype Color = Red | Black

datatype Tree = Leaf | Node(color: Color, left: Tree, key: int, value: int, right: Tree)

function Size(t: Tree): nat {
  if t.Leaf? then 0 else Size(t.left) + 1 + Size(t.right)
}

function Get(t: Tree, key: int): Option<int> {
  if t.Leaf? then None
  else if key < t.key then Get(t.left, key)
  else if key > t.key then Get(t.right, key)
  else Some(t.value)
}

function Items(t: Tree): seq<(int, int)>
  ensures |Items(t)| == Size(t)
{
  if t.Leaf? then [] else Items(t.left) + [(t.key, t.value)] + Items(t.right)
}

// The number of black nodes on each way down, if it is the same on all of them and no red node has a red child.
function BlackHeight(t: Tree): Option<nat> {
  if t.Leaf? then Some(0)
  else
    var l, r := BlackHeight(t.left), BlackHeight(t.right);
    if l.None? || l != r then None
    else if t.color == Black then Some(l.value + 1)
    else if IsRed(t.left) || IsRed(t.right) then None
    else l
}

predicate IsRed(t: Tree) {
  t.Node? && t.color == Red
}

predicate IsBlack(t: Tree) {
  t.Node? && t.color == Black
}

function Paint(t: Tree, color: Color): Tree {
  if t.Leaf? then Leaf else t.(color := color)
}

// A black node; if a red child of it has a red child, the three are arranged anew.
function Balance(l: Tree, key: int, value: int, r: Tree): Tree
  ensures Size(Balance(l, key, value, r)) == Size(l) + 1 + Size(r)
{
  if IsRed(l) && IsRed(r) then Node(Red, Paint(l, Black), key, value, Paint(r, Black))
  else if IsRed(l) && IsRed(l.left) then
    Node(Red, Paint(l.left, Black), l.key, l.value, Node(Black, l.right, key, value, r))
  else if IsRed(l) && IsRed(l.right) then
    var m := l.right;
    Node(Red, Node(Black, l.left, l.key, l.value, m.left), m.key, m.value, Node(Black, m.right, key, value, r))
  else if IsRed(r) && IsRed(r.right) then
    Node(Red, Node(Black, l, key, value, r.left), r.key, r.value, Paint(r.right, Black))
  else if IsRed(r) && IsRed(r.left) then
    var m := r.left;
    Node(Red, Node(Black, l, key, value, m.left), m.key, m.value, Node(Black, m.right, r.key, r.value, r.right))
  else Node(Black, l, key, value, r)
}

function Put(t: Tree, key: int, value: int): Tree {
  Paint(PutBelow(t, key, value), Black)
}

function PutBelow(t: Tree, key: int, value: int): Tree {
  if t.Leaf? then Node(Red, Leaf, key, value, Leaf)
  else if key == t.key then t.(value := value)
  else if key < t.key then
    var l := PutBelow(t.left, key, value);
    if t.color == Black then Balance(l, t.key, t.value, t.right) else t.(left := l)
  else
    var r := PutBelow(t.right, key, value);
    if t.color == Black then Balance(t.left, t.key, t.value, r) else t.(right := r)
}

// The left side has lost a black node.
function RepairLeft(l: Tree, key: int, value: int, r: Tree): Tree {
  if IsRed(l) then Node(Red, Paint(l, Black), key, value, r)
  else if IsBlack(r) then Balance(l, key, value, Paint(r, Red))
  else if IsRed(r) && IsBlack(r.left) then
    var m := r.left;
    Node(Red, Node(Black, l, key, value, m.left), m.key, m.value,
         Balance(m.right, r.key, r.value, Paint(r.right, Red)))
  else Node(Black, l, key, value, r)
}

// The right side has lost a black node.
function RepairRight(l: Tree, key: int, value: int, r: Tree): Tree {
  if IsRed(r) then Node(Red, l, key, value, Paint(r, Black))
  else if IsBlack(l) then Balance(Paint(l, Red), key, value, r)
  else if IsRed(l) && IsBlack(l.right) then
    var m := l.right;
    Node(Red, Balance(Paint(l.left, Red), l.key, l.value, m.left), m.key, m.value,
         Node(Black, m.right, key, value, r))
  else Node(Black, l, key, value, r)
}

// Two trees of the same black height; all keys of the first are smaller than those of the second.
function Join(a: Tree, b: Tree): Tree
  decreases Size(a) + Size(b)
{
  if a.Leaf? then b
  else if b.Leaf? then a
  else if a.color == Red && b.color == Red then
    var m := Join(a.right, b.left);
    if IsRed(m) then m.(left := a.(right := m.left), right := b.(left := m.right))
    else a.(right := b.(left := m))
  else if a.color == Black && b.color == Black then
    var m := Join(a.right, b.left);
    if IsRed(m) then m.(left := a.(right := m.left), right := b.(left := m.right))
    else RepairLeft(a.left, a.key, a.value, b.(left := m))
  else if b.color == Red then b.(left := Join(a, b.left))
  else a.(right := Join(a.right, b))
}

function Remove(t: Tree, key: int): Tree {
  Paint(RemoveBelow(t, key), Black)
}

function RemoveBelow(t: Tree, key: int): Tree {
  if t.Leaf? then Leaf
  else if key < t.key then
    var l := RemoveBelow(t.left, key);
    if IsBlack(t.left) then RepairLeft(l, t.key, t.value, t.right) else Node(Red, l, t.key, t.value, t.right)
  else if key > t.key then
    var r := RemoveBelow(t.right, key);
    if IsBlack(t.right) then RepairRight(t.left, t.key, t.value, r) else Node(Red, t.left, t.key, t.value, r)
  else Join(t.left, t.right)
}

// The entry with the greatest key that is at most the given one.
function Floor(t: Tree, key: int): Option<(int, int)> {
  if t.Leaf? then None
  else if key < t.key then Floor(t.left, key)
  else if key == t.key then Some((t.key, t.value))
  else
    var right := Floor(t.right, key);
    if right.None? then Some((t.key, t.value)) else right
}

// The number of keys below a key.
function Rank(t: Tree, key: int): nat {
  if t.Leaf? then 0
  else if key <= t.key then Rank(t.left, key)
  else Size(t.left) + 1 + Rank(t.right, key)
}

function Nth(t: Tree, n: nat): (int, int)
  requires n < Size(t)
{
  var before := Size(t.left);
  if n < before then Nth(t.left, n)
  else if n == before then (t.key, t.value)
  else Nth(t.right, n - before - 1)
}

// The entries with keys from a key to before another one.
function Range(t: Tree, from: int, to: int): seq<(int, int)> {
  if t.Leaf? then []
  else if t.key < from then Range(t.right, from, to)
  else if t.key >= to then Range(t.left, from, to)
  else Range(t.left, from, to) + [(t.key, t.value)] + Range(t.right, from, to)
}

// Players by points; players with equal points share an entry, which counts them.
class Board {
  var counts: Tree
  var points: map<string, int>

  constructor ()
    ensures points == map[] && counts == Leaf
  {
    counts, points := Leaf, map[];
  }

  method Leave(player: string)
    modifies this
    ensures points == old(points) - {player}
  {
    if player in points {
      var p := points[player];
      var n := Get(counts, p);
      if n.Some? {
        counts := if n.value > 1 then Put(counts, p, n.value - 1) else Remove(counts, p);
      }
      points := points - {player};
    }
  }

  method Score(player: string, gained: int)
    modifies this
    ensures player in points
  {
    var p := gained + if player in points then points[player] else 0;
    Leave(player);
    var n := Get(counts, p);
    counts := Put(counts, p, 1 + if n.Some? then n.value else 0);
    points := points[player := p];
  }

  // The place of a player: one more than the number of players with more points.
  method Place(player: string) returns (place: int)
    requires player in points
  {
    place := 1;
    var better := Range(counts, points[player] + 1, points[player] + 1_000_000);
    for i := 0 to |better| {
      place := place + better[i].1;
    }
  }
}
