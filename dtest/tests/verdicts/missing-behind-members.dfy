// refused: 4, 5, 10
// first: 10
// What a class does not implement is found behind what its members override wrongly, and traits come before classes.
class Store extends Shelf {
  var size: int
}
trait Shelf extends Thing {
  method Put(x: int)
  var size: int
  var name: int
}
trait Thing { var name: int }
