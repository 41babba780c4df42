datatype Box = Box(value: int, ghost history: seq<int>)

function Opened(b: Box): int {
  b.value
}
