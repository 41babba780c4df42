datatype Box<T> = Empty | Full(value: T)
method M() {
  var a := Box.Empty<int>;
}
