// refused: 13, 16, 19
// first: 16
// What a synonym is declared to have is looked at where it is declared, not in views that hide what it stands for. Arguments are.
module L {
  export E1 provides Something reveals A, B, C, D
  type Something = int
  type A(==) = Something
  type B(0) = Something
  type C(00) = Something
  type D(!new) = Something
}
module M {
  export provides Something reveals Box, Boxed
  type Something = int
  datatype Box<T(==)> = Box(t: T)
  type Boxed = Box<Something>
}
module N {
  type A(==) = int -> int
}
