datatype Pair = Pair(int, bool)

function Left(p: Pair): int {
  match p
  case Pair(n, _) => n
}
