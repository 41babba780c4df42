// refused: 5, 7, 9
module Inner {
  type Hidden
  datatype List<T> = Nil | Cons(head: T, tail: List<T>)
  ghost predicate P() { forall h: Hidden :: h == h }
  ghost predicate R() { forall l: List<int> :: l == l }
  ghost predicate S() { exists l: List<Hidden> :: l == l }
  type Shown(!new)
  ghost function F<T>(m: map<T, int>): bool { forall k: T :: k in m }
  ghost function G<T>(m: map<T, int>): bool { forall k: T :: k in m ==> m[k] == 0 }
}
