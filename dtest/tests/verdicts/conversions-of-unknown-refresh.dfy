// refused: 13, 14
// options: --type-system-refresh=true --general-newtypes=true --general-traits=datatype
// The same for the new type system, which infers nothing from a class behind `as` either.
trait T extends object {} class D extends T { var y: int }
method Codes(s: string, b: bv8, t: T)
  requires |s| > 0 && s[0] < 128 as char
{
  var a := (c => c as bv16)(s[0]);
  var a2 := (c => c as int + 1)(b);
  var b := (c => c is D)(t);
}
method Unknown() {
  var f := c => c as int;
  var a := c => (c as D).y;
}
