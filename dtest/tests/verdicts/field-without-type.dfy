// refused: 3, 9
class C {
  var x

  method M()
}
class D {
  ghost
  var y
  var z: int
}
