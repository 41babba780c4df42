class Stack {
  var top: int
  ghost var pushed: seq<int>

  method Push(x: int)
    modifies this
    ensures pushed == old(pushed) + [x]
  {
    top := x;
    pushed := pushed + [x];
  }
}
