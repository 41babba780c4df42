// refused: 3, 8, 14, 22, 30, 32, 36
method Endless() {
  while true decreases * { }
}
method MayRun() decreases * { while true decreases * { } }
method Calls(n: nat) {
  if n > 0 {
    MayRun();
  }
}
class C {
  constructor () decreases * { }
  static method New() {
    var c := new C();
  }
}
method Fine() decreases * {
  MayRun();
  for i := 0 to * { break; }
}
method For() {
  for i := 0 to 3 decreases i { }
}
method ForMeasured(n: nat) {
  for i := 0 to *
    decreases n - i
  {
    if i == n { break; }
  }
  for i := 0 to * { break; }
  while
    decreases *
  { case true => break; }
}
lemma Proof() {
  MayRun();
}
