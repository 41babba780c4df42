// refused: 5, 7, 8, 10, 11, 12
// first: 7
// What is not allowed in a context is found with names, before types; the body does not hide it.
class C { var x: int }
function F(c: C): (r: int)
  reads c
  ensures old(c.x) == r
  ensures fresh(c)
{ true }
function G(c: C): int
  ensures allocated(c)
  ensures unchanged(c)
{ "a" }
