function Sum(s: seq<int>): int {
  if s == [] then 0 else s[0] + Sum(s[1..])
} by method {
  var total := 0;
  var i := |s|;
  while i > 0
    invariant 0 <= i <= |s| && total == Sum(s[i..])
  {
    i := i - 1;
    total := s[i] + total;
  }
  return total;
}
