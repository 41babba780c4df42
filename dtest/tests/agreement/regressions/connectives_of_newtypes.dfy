newtype B = bool { function g(): int { if this as bool then 1 else 0 } }
method Main() {
  var a: B := false as B;
  var b: B := true as B;
  print (a ==> b).g(), (a <==> b).g(), (a && b).g(), (!a).g(), (a <== b).g(), "\n";
}
