class Box<T> {
  var content: T

  constructor (content: T)
    ensures this.content == content
  {
    this.content := content;
  }

  method Swap(other: T) returns (previous: T)
    modifies this
    ensures content == other && previous == old(content)
  {
    previous := content;
    content := other;
  }
}
