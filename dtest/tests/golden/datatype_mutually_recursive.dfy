datatype Forest = Empty | Trees(first: Tree, rest: Forest)
datatype Tree = Tree(value: int, children: Forest)

function Values(f: Forest): int {
  match f
  case Empty => 0
  case Trees(t, rest) => t.value + Values(rest)
}
