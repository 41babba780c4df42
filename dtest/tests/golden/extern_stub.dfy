method {:extern} Read() returns (value: int)
  ensures value >= 0

method Positive() returns (r: bool) {
  var v := Read();
  r := v > 0;
}
