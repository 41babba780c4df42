// refused: 7
abstract module A {
  method M<T>(x: T)
  method N<T>(x: set<T>)
}
module B refines A {
  method M<T(==)>(x: T) { }
  method N<T(==)>(x: set<T>) { }
}
