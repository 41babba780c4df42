datatype Tree = Leaf | Node(left: Tree, value: int, right: Tree)

function Size(t: Tree): nat {
  match t
  case Leaf => 0
  case Node(l, _, r) => Size(l) + 1 + Size(r)
}
