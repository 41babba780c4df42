method Loop(n: int) { var i := n; while i != 0 decreases i { i := i - 2; } } // !
method Still(n: int) { var i := n; while i > 0 { } } // !
function Call(n: int): int { if n == 0 then 0 else Call(n - 1) } // !
method Recursive(n: nat) { Recursive(n); } // !
method Even(n: nat) { Odd(n); } // !
method Odd(n: nat) { Even(n); } // !
function Ghost(n: nat, ghost g: nat): nat { if g > 0 then Ghost(n, g + 1) else n } // !
function GhostElse(n: nat, ghost g: nat): (r: nat) ensures r == n { if g == 0 then n else GhostElse(n, g + 1) } // !
codatatype Bits = Bit(head: bool, tail: Bits) {
  static function Ensures(n: nat): (b: Bits) ensures b.head { Bit(true, Ensures(n + 1)) } // !
  static function Nested(n: nat): (b: Bits) ensures b.head { Bit(true, Bit(false, Nested(n + 1))) } // !
  static function InBranch(n: nat): (b: Bits) ensures b.head { Bit(true, if n == 0 then Night() else InBranch(n)) } // !
  static function Night(): Bits { Bit(false, Night()) }
  static function Precondition(n: nat): Bits requires n < 9 { Bit(true, Precondition(n + 1)) } // !
  static function Divisor(n: int): Bits { Bit(true, Divisor(10 / n)) } // !
  static function Down(n: nat): (b: Bits) ensures b.head { Bit(true, if n == 0 then Night() else Down(n - 1)) }
}
codatatype Stream = More(head: int, tail: Stream)
function Climbs(x: int): Stream { if x > 100 then Descends(x, 5) else Climbs(x + 1) } // !
function Descends(x: int, n: nat): Stream decreases n { if n == 0 then More(x, Climbs(x)) else Descends(x, n - 1) }
trait Nested { function Depth(n: int): int decreases n }
class Inner extends Nested { const of: Nested constructor (of: Nested) { this.of := of; } function Depth(n: int): int decreases n { of.Depth(n) } } // !
class Outer extends Nested { const of: Nested constructor (of: Nested) { this.of := of; } function Depth(n: int): int decreases n { if n <= 0 then 0 else of.Depth(n - 1) } }
