trait Container<T> {
  function Get(): T
}

class Single<T> extends Container<T> {
  const content: T

  constructor (content: T)
    ensures this.content == content
  {
    this.content := content;
  }

  function Get(): T {
    content
  }
}
