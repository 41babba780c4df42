codatatype Stream = Cons(head: int, tail: Stream)

function From(n: int): Stream {
  Cons(n, From(n + 1))
}

function Third(n: int): int {
  From(n).tail.tail.head
}
