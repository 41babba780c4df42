// refused: 6, 8, 10, 14, 16
method {:print} Hello() { print "hello"; }
class C {
  method {:print} In() { }
}
function {:print} F(): int { 3 }

lemma {:print} L() { }

ghost method {:print} G() { }

trait T { method M() method {:print} P() }
class D extends T {
  method {:print} M() { }
  method {:print} P() { }
  method {:print 3} Q() { }
}
