// refused: 11, 13, 20, 21, 22
trait Shape {
  opaque predicate Valid()
  opaque function Size(): int { 3 }
  predicate Plain()
}
class Square extends Shape {
  opaque predicate Valid() { true }
  predicate Plain() { true }
}
method Use(s: Shape, q: Square) { reveal s.Valid();
  reveal s.Size(), q.Valid(), s.Plain();
  hide s.Valid(); reveal s.Valid();
}

lemma Plain(n: int) {}
twostate lemma Two(n: int) {}
function F(n: int): int { n }
twostate function G(n: int): int { n }
method Labels() { label L: ghost var f := F@L(1);
  Plain@L(2);
  var h := (x: int) => x; var k := h@L(3);
  Two@L(3);
  ghost var g := G@L(4);
}
