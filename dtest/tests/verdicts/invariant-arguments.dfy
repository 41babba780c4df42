// refused: 14, 18
// A class's type arguments do not vary: two type parameters are two types, though each stands for any.
class Node<T> {
  var data: T
  constructor (data: T) { this.data := data; }
}

class Queue<T> {
  var tail: Node<object>

  constructor (tail: Node<object>) { this.tail := tail; }

  method Append(node: Node<T>) modifies this {
    tail := node;
  }
}

method Copy<A, B>(from: array<A>) returns (to: array<B>) { to := from; }

trait Shape { var area: int }
class Square extends Shape { constructor () { area := 4; } }

method Narrow(shape: Shape) returns (square: Square)
  requires shape is Square
{
  square := shape;
}
