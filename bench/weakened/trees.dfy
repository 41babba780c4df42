// Binary search trees.

datatype Tree = Leaf | Node(left: Tree, value: int, right: Tree)

function Elements(t: Tree): set<int> {
  match t
  case Leaf => {}
  case Node(l, v, r) => Elements(l) + {v} + Elements(r)
}

predicate Ordered(t: Tree) {
  match t
  case Leaf => true
  case Node(l, v, r) =>
    Ordered(l) && Ordered(r) && (forall x :: x in Elements(l) ==> x < v) &&
    (forall x :: x in Elements(r) ==> v < x)
}

method Contains(t: Tree, x: int) returns (b: bool)
  requires Ordered(t)
  ensures b <==> x in Elements(t)
{
  var rest := t;
  b := false;
  while rest.Node?
    invariant Ordered(rest)
    invariant x in Elements(t) <==> x in Elements(rest)
    decreases rest
  {
    if x == rest.value {
      return true;
    }
    rest := if x < rest.value then rest.left else rest.right;
  }
}

method Smallest(t: Tree) returns (x: int)
  requires t.Node? && Ordered(t)
  ensures x in Elements(t)
  ensures forall y :: y in Elements(t) ==> x <= y
{
  if t.left.Leaf? {
    return t.value;
  }
  x := Smallest(t.left);
}

method InOrder(t: Tree) returns (s: seq<int>)
  requires Ordered(t)
  ensures forall x :: x in s <==> x in Elements(t)
  ensures forall i, j :: 0 <= i < j < |s| ==> s[i] < s[j]
{
  match t
  case Leaf => s := [];
  case Node(l, v, r) =>
    var a := InOrder(l);
    var b := InOrder(r);
    assert forall x :: x in b ==> v < x;
    assert forall x :: x in a ==> x < v;
    s := a + [v] + b;
    forall i, j | 0 <= i < j < |s|
      ensures s[i] < s[j]
    {
      assert i < |a| ==> s[i] == a[i] && s[i] in a;
      assert j > |a| ==> s[j] == b[j - |a| - 1] && s[j] in b;
      assert i > |a| ==> s[i] == b[i - |a| - 1];
    }
}
