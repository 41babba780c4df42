class Stack {}
method Use() {
  var s := Stack;
}
