// refused: 6
// One error for one wrong argument.
datatype List<T> = Nil | Cons(T, List)
method M(l: List) returns (r: List) {
  r := Cons(
    1,
    l);
}
