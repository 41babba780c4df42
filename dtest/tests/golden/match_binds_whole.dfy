datatype List = Nil | Cons(head: int, tail: List)

function Second(l: List): List {
  match l
  case Nil => Nil
  case Cons(_, rest: List) => rest
}
