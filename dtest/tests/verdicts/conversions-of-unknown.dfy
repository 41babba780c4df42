// refused: 15, 16
// `as` says nothing of its operand: its type follows from elsewhere, or is not known.
method Codes(s: string, n: nat, b: bv8, r: real)
  requires |s| > 0 && s[0] < 128 as char
{
  var a := (c => c as bv16)(s[0]);
  var a1 := (c => c as int)(s[0]);
  var a2 := (c => c as nat + 1)(b);
  var a3 := (c => (c as int, c))(r);
  var f := (c, d) => c as int + d as int;
  var a5 := f(s[0], r);
  var a7 := seq(n, i => i as bv8);
}
method Unknown() {
  var f := c => c as int;
  ghost var b1 := forall x :: x as int == 3;
}
