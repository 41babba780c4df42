// refused: 2, 4, 6, 9, 11, 13, 16, 18, 20, 22, 24, 25
@Axiom
datatype D = D
@Print
class C { }
@Foo
method Unknown() { }

@axiom
lemma Lower() ensures true
@TailRecursion(true)
method Counts() { }
@Fuel(low := 1, high := true)
function Types(): int { 3 }

@TestInline(2, 3)
method Many() { }
@TestInline(lavel := 2)
method Named() { }
@Unknown
method Mention() { }
@AutoRequires
method Requires() { }
@Compile(1 == 2)
@Verify(false)
method Literal() { }
