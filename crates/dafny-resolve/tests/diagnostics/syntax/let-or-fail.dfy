datatype Reply = Ok | Failed
function Sum(): int {
  var a, b :- 1, 2;
  a + b
}
