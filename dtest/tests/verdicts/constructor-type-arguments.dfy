// refused: 4, 5
datatype Box<T> = Empty | Full(value: T)
method M() {
  var a := Box.Empty<int>;
  var b := Full<int>(3);
  var c := Box<int>.Empty;
  var d: Box<bool> := Box.Empty;
}
