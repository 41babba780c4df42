// refused: 5, 7
// For `>`, the older type system has to know whether the operands are ranks, and so solves all constraints so far: the first error
// is not that of the product.
method Area(length: seq<int>, width: int) returns (area: int)
  requires length > 0
  requires width > 0
  ensures area == width * length
{ }
