abstract module A {
  method M<T>(x: T)
}
module B refines A {
  method M<T(==)>(x: T) { }
}
