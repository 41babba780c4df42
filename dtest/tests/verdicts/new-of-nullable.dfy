// refused: 6, 7, 8, 9
class Cell { }
class Made<T> { constructor (t: T) { } constructor Other() { } }
trait Able extends object { }
method M() {
  var a := new Cell?;
  var b := new Made?<int>(3);
  var c := new Able;
  var d := new int;
  var e, f, g, h := new Cell, new Made(3), new Made<bool>.Other(), new object;
}
