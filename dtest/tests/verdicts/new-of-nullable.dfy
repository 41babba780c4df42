// refused: 6, 7, 8, 9
class Cell { }
class Made<T> { constructor (t: T) { } constructor Other() { } }
trait Able extends object { }
method M() {
  var a := new Cell?;
  var b := new Made?<int>(3);
  var c := new Able;
  var d := new int;
  var e, h := new Cell, new object;
  var f := new Made(3);
  var g := new Made<bool>.Other();
}
