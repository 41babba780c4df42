module Base {
  newtype Size = int
}
module More refines Base {
  newtype Size = ... int
}
