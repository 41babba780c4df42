// refused: 17, 18, 19, 20, 21
// options: --type-system-refresh=true --general-newtypes=true --general-traits=datatype

trait Shape<X> {}
class Round<X> extends Shape<X> {}
class Pair<X> extends Shape<(int, seq<X>)> {}
class Lost<X> extends Shape<int> {}
type Alias<X, Y> = Pair<X>
type Checked<X, Y> = p: Pair<X> | true witness *
type Hard = n: int | forall m :: m * m != n witness 2
type Small = n: int | n < 10

method Test<X>(s: Shape<X>, p: Shape<(int, seq<X>)>, i: Shape<int>, d: Pair<X>, o: object, n: int, f: int ~> int) returns (b: bool) {
  b := s is Round<X> && p is Pair<X> && d is Alias<X, X> && n is Small && n is nat && f is int ~> int && o is object?;
  ghost var all := d is Checked<X, X> && i is Lost<X> && o is array<int> && n is Hard && f is int -> int;
  var inferred := n is Hard;
  b := d is Checked<X, X>;
  b := i is Lost<X>;
  b := o is array<int>;
  b := n is Hard;
  b := f is int -> int;
}
