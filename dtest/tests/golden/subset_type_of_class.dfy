class Node {
  const leaf: bool

  constructor (leaf: bool)
    ensures this.leaf == leaf
  {
    this.leaf := leaf;
  }
}

type Leaf = n: Node? | n != null && n.leaf witness *

method IsLeaf(l: Leaf) returns (r: bool)
  ensures r
{
  r := l.leaf;
}
