datatype List = Nil | Cons(head: (int, int), tail: List)

function Second(xs: List, otherwise: int): int
{
  if otherwise < 0 then otherwise else
    match xs
    case Cons((1, x), Cons((2, y), Nil)) => x + y
    case Cons(_, Cons((_, y), _)) => y
    case _ => otherwise
}

method Main()
{
  print Second(Nil, -1), Second(Cons((1, 10), Cons((2, 20), Nil)), 0), Second(Cons((5, 6), Cons((7, 8), Nil)), 0), Second(Nil, 3), "\n";
}
