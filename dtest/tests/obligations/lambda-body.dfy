method Index(s: seq<int>) { var f := (i: nat) => s[i]; } // -
method Divisor() { var f := (i: int) => 10 / i; } // -
class C { var x: int constructor () { x := 0; } }
method Reads(c: C) { var f: () -> int := () => c.x; } // -
method Requires(s: seq<int>) { var f := (i: nat) requires i < |s| => s[i]; }
