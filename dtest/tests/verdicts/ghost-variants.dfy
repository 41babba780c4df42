// refused: 9, 10, 11, 14, 22
module Updates {
  datatype D = D0(c: int) | ghost D1(c: int, x: int) | ghost D2(c: int, x: int, y: int)
  function Compare(a: D, b: D): bool { a == b }

  method Update(d: D) returns (r: D) {
    r := d.(c := 2);
    ghost var g := d.(x := 2);
    r := d.(x := 3);
    r := d.(c := 3, x := 3);
    r := d.(y := 3);
    var inferred := d.(y := 3);
    ghost var also := inferred;
    r := inferred;
  }
}
module Equality {
  datatype D = D0(c: int) | ghost D1(f: int -> int)
  datatype Ghostly = ghost G0 | ghost G1
  function Some(a: D, b: D): bool { a == b }
  ghost function Any(a: Ghostly, b: Ghostly): bool { a == b }
  function Never(a: Ghostly, b: Ghostly): bool { a == b }
}
