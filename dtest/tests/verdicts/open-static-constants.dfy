// refused: 8, 9, 13
datatype Box<T(0)> = Empty | Full(T) {
  static const size := 30
  static function Size(): int { size }
  const inner := size
}
method Use() {
  var y := Box.size;
  var z := Box.Size();
  var right := Box<int>.size + Box<bool>.Size();
}
class Shelf<U> {
  static const k := 3 method M() { var r := k; var f := Shelf.k; }
}
