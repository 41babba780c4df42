// A 2-3-4 tree (a B-tree of order four) with insertion by splitting, range queries, a cursor and bulk loading.

datatype Option<T> = None | Some(value: T)

datatype Item = Item(key: int, value: nat)

datatype Tree = Leaf(items: seq<Item>) | Node(items: seq<Item>, children: seq<Tree>)

datatype Split = Whole(tree: Tree) | Broken(left: Tree, middle: Item, right: Tree)

const MaxItems: nat := 3

function Size(t: Tree): nat {
  match t
  case Leaf(items) => |items|
  case Node(items, children) => |items| + SizeAll(children)
}

function SizeAll(ts: seq<Tree>): nat {
  if ts == [] then 0 else Size(ts[0]) + SizeAll(ts[1..])
}

function Height(t: Tree): nat {
  match t
  case Leaf(_) => 1
  case Node(_, children) => if children == [] then 1 else 1 + Height(children[0])
}

// The place of a key among sorted items: the number of smaller ones.
function Place(items: seq<Item>, key: int): nat
  ensures Place(items, key) <= |items|
{
  if items == [] || items[0].key >= key then 0 else 1 + Place(items[1..], key)
}

function Lookup(t: Tree, key: int): Option<nat> {
  var i := Place(t.items, key);
  if i < |t.items| && t.items[i].key == key then Some(t.items[i].value)
  else
    match t
    case Leaf(_) => None
    case Node(_, children) => if i < |children| then Lookup(children[i], key) else None
}

function Splitted(t: Tree): Split {
  if |t.items| <= MaxItems then Whole(t)
  else
    var m := |t.items| / 2;
    match t
    case Leaf(items) => Broken(Leaf(items[..m]), items[m], Leaf(items[m + 1..]))
    case Node(items, children) =>
      if |children| <= m + 1 then Whole(t)
      else Broken(Node(items[..m], children[..m + 1]), items[m], Node(items[m + 1..], children[m + 1..]))
}

function InsertInto(t: Tree, item: Item): Split {
  var i := Place(t.items, item.key);
  match t
  case Leaf(items) =>
    if i < |items| && items[i].key == item.key then Whole(Leaf(items[i := item]))
    else Splitted(Leaf(items[..i] + [item] + items[i..]))
  case Node(items, children) =>
    if i < |items| && items[i].key == item.key then Whole(Node(items[i := item], children))
    else if i >= |children| then Whole(t)
    else
      match InsertInto(children[i], item)
      case Whole(child) => Whole(Node(items, children[i := child]))
      case Broken(l, m, r) =>
        Splitted(Node(items[..i] + [m] + items[i..], children[..i] + [l, r] + children[i + 1..]))
}

function Insert(t: Tree, item: Item): Tree {
  match InsertInto(t, item)
  case Whole(tree) => tree
  case Broken(l, m, r) => Node([m], [l, r])
}

function Load(items: seq<Item>): Tree {
  if items == [] then Leaf([]) else Insert(Load(items[..|items| - 1]), items[|items| - 1])
}

function ToSeq(t: Tree): seq<Item>
  decreases t
{
  match t
  case Leaf(items) => items
  case Node(items, children) => Weave(items, children)
}

function Weave(items: seq<Item>, children: seq<Tree>): seq<Item>
  decreases children
{
  if children == [] then items
  else ToSeq(children[0]) + (if items == [] then [] else [items[0]] + Weave(items[1..], children[1..]))
}

// The items with from <= key < until, in order; subtrees outside are not visited.
function Range(t: Tree, from: int, until: int): seq<Item>
  decreases t, 0
{
  match t
  case Leaf(items) => Within(items, from, until)
  case Node(items, children) => RangeAll(items, children, from, until)
}

function RangeAll(items: seq<Item>, children: seq<Tree>, from: int, until: int): seq<Item>
  decreases children, |items|
{
  if children == [] then Within(items, from, until)
  else if items == [] then Range(children[0], from, until)
  else
    (if items[0].key > from then Range(children[0], from, until) else [])
    + (if from <= items[0].key < until then [items[0]] else [])
    + (if items[0].key < until then RangeAll(items[1..], children[1..], from, until) else [])
}

function Within(items: seq<Item>, from: int, until: int): seq<Item> {
  if items == [] then []
  else (if from <= items[0].key < until then [items[0]] else []) + Within(items[1..], from, until)
}

// The greatest item whose key is at most the given one.
function Floor(t: Tree, key: int): Option<Item> {
  var i := Place(t.items, key);
  if i < |t.items| && t.items[i].key == key then Some(t.items[i])
  else
    var here := if i > 0 && i <= |t.items| then Some(t.items[i - 1]) else None;
    match t
    case Leaf(_) => here
    case Node(_, children) =>
      if i >= |children| then here
      else
        var below := Floor(children[i], key);
        if below.Some? then below else here
}

// All leaves at the same depth, keys in order, not too many items.
predicate Balanced(t: Tree) {
  match t
  case Leaf(items) => |items| <= MaxItems
  case Node(items, children) =>
    1 <= |items| <= MaxItems && |children| == |items| + 1
    && (forall c <- children :: Balanced(c) && Height(c) == Height(children[0]))
}

predicate Ordered(items: seq<Item>) {
  |items| < 2 || (items[0].key < items[1].key && Ordered(items[1..]))
}

// A map with a counter of changes, and marks that are set at keys and taken back to.
class Store {
  var tree: Tree
  var changes: nat
  var undo: seq<(int, Option<nat>)>

  constructor ()
    ensures tree == Leaf([]) && changes == 0 && undo == []
  {
    tree, changes, undo := Leaf([]), 0, [];
  }

  method Put(key: int, value: nat) returns (before: Option<nat>)
    modifies this
    ensures before == Lookup(old(tree), key)
  {
    before := Lookup(tree, key);
    if before != Some(value) {
      undo := [(key, before)] + undo;
      tree := Insert(tree, Item(key, value));
      changes := changes + 1;
    }
  }

  // Takes back up to `n` changes, the latest first; a key that was new gets the value 0.
  method Back(n: nat) returns (done: nat)
    modifies this
    ensures done <= n && done <= old(|undo|)
  {
    done := 0;
    while done < n && undo != []
      invariant done + |undo| == old(|undo|) && done <= n
    {
      var (key, before) := undo[0];
      tree := Insert(tree, Item(key, if before.Some? then before.value else 0));
      undo := undo[1..];
      done := done + 1;
    }
    changes := changes + done;
  }

  // The sum of the values in a range of keys, and the key with the greatest value; of equal ones, the smallest key.
  method Summary(from: int, until: int) returns (sum: nat, top: Option<int>)
  {
    var items := Range(tree, from, until);
    sum, top := 0, None;
    var most := 0;
    for i := 0 to |items| {
      sum := sum + items[i].value;
      if top.None? || items[i].value > most {
        top, most := Some(items[i].key), items[i].value;
      }
    }
  }
}
