// refused: 15, 16, 17, 18, 19, 26, 27, 35, 37
// options: --type-system-refresh=true --general-newtypes=true --general-traits=datatype

newtype Small = x: int | 0 <= x < 100
newtype Flags = b: bool | true
newtype Half = r: real | true
type Box<+T, U, -V>
trait Animal {}
class Cat extends Animal {}
datatype Fish extends Animal = Fish

method Numbers(b: bool, c: char, n: int, w: bv8, o: ORDINAL, r: real, s: Small, f: Flags, h: Half) {
  var good := (c as int, c as bv8, n as real, n as ORDINAL, w as char, w as bv9 as int, r as int, s as bv8, s as char, f as bool);
  var better := (c is int, n is real, w is int, r is int, s is Small, f is bool, h as real, r as Half);
  var wrong := c as real;
  var worse := w as real;
  var bad := o is bv8;
  var half := n as Half;
  var third := h as int;
}

method Related(a: Animal, f: Fish, c: Cat, b: Box<Animal, Animal, Animal>, t: seq<Animal>) {
  var good := (a is Fish, a is Cat, f as Animal, t is seq<Cat>, t as seq<Fish>);
  var better := (b as Box<Cat, Animal, Animal>, b as Box<Animal, Animal, Cat>);
  // One parameter up, the other down.
  var wrong := b is Box<Cat, Animal, Cat>;
  var worse := b is Box<Animal, Cat, Animal>;
}

type Odd = n: int | n % 2 == 1 witness 1

method Constraints<T(==), U>(t: T, u: U, o: Odd, s: seq<Odd>, f: int ~> Odd, a: array<Animal>) {
  var good := (t is T, o is nat, s is seq<nat>, s as seq<int>, a is array<Animal>);
  ghost var better := f is int -> nat;
  var wrong := t is U;
  ghost var fine := f is int --> int;
  var worse := a is array<Cat>;
}

class Cell<T> {}

method References<T>(o: object, c: Cell<T>, n: Cell?<nat>) {
  ghost var known := o is Cell<T>;
  ghost var equal := n is Cell<int>;
}
