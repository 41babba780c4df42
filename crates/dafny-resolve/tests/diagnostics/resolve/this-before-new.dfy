class Node {
  var next: Node
  constructor () {
    Link();
    new;
  }
  method Link() {}
}
