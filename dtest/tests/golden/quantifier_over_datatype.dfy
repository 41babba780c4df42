datatype Bit = Zero | One

predicate Injective(f: Bit -> int) {
  forall a: Bit, b: Bit :: f(a) == f(b) ==> a == b
}
