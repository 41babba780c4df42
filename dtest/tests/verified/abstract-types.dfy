// options: --relax-definite-assignment
type Path(==,00,!new)
type Q(0,==)
datatype Pair = Pair(q: Q, n: int)
ghost method Nonempty() { var h: Path; var s := {h}; assert h in s; }
method Local() { var q: Q; assert q == q; }
method Havoc(n: nat) returns (q: Q) { var m := 10 / (n + 1); q := *; }
method InPair() returns (q: Q) { var p: Pair; q := p.q; }
method InArray(n: nat) returns (q: Q) { var a := new Q[n + 1]; q := a[0]; }
datatype AtomicShells<A> = Atom(a: A) | Shell(inner: AtomicShells<A>)
method Nested() { var zero: AtomicShells<AtomicShells<int>>; var o: AtomicShells<AtomicShells<AtomicShells<bool>>>; assert zero == zero && o == o; }
