const self: int := 3
function Self(): int { self + 1 }
function super_(): int { 5 }
function super(): int { 6 }
datatype self_ = Self(super: int, super_: int) | Crate
method crate(super: int) returns (super_: int) {
  super_ := super + 1;
  var crate, crate_ := super, super_;
  print crate, crate_, "\n";
}
method Main() {
  print self, Self(), super_(), super(), "\n";
  var x := self_.Self(1, 2);
  print x, x.super, x.super_, "\n";
  var r := crate(4);
  print r, "\n";
}
