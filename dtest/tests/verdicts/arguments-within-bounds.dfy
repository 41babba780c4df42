// refused: 15, 16, 17, 19, 21, 24
trait Shape extends object { }
trait Box<T> { }
class Round extends Shape, Box<int> { constructor () { } }
class Other { constructor () { } }
type Kept = r: Round | true witness *
function Area<X extends Shape>(x: X): int { 3 }
method Open<T, B extends Box<T>>(b: B, t: T) { }
class Holder<X extends Shape> { constructor () { } }
datatype Cell<X extends object> = Cell(X)
method Use<S extends Shape, U>(s: S, u: U, r: Round, o: Other, k: Kept, n: Round?) {
  print Area(r), Area(s), Area<Shape>(r), Area(k);
  Open(r, 3);
  var d := Cell(o);
  print Area(o);
  print Area(u);
  print Area(3);
  Open<int, Round>(r, 4);
  Open<bool, Round>(r, true);
  var h := new Holder<Round>();
  print (x: Holder<Other>) => 3;
}
type Alias<X extends Shape> = Holder<X>
type Loose<X> = Holder<X>
