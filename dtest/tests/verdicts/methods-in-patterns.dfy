// refused: 9, 11, 17, 19, 21
// A name in a pattern is taken for a constant or a method before it becomes a variable.
class C {
  const k: int := 3
  var v: int
  method Foo() {}
  function Bar(): int { 3 }
  constructor Ctor() {}
  method M(n: int) { match n case Foo => }
  method M2(n: int) { match n case Bar => }
  method M3(n: int) { match n case Ctor => }
  method M4(n: int) { match n case v => }
  method M5(n: int) { match n case k => }
}
method Top() {}
function Fun(): int { 3 }
method M7(n: int) { match n case Top => }
method M8(n: int) { match n case Fun => }
method M9(n: int) { match n case Note => }
lemma Note() {}
method M11(n: int) { match n case M11 => }
method M12(n: int) { match n case n => }
method M13(n: int) { var q := 3; match n case q => }
