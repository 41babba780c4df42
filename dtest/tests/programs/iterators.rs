//! Programs with iterators.

use super::Row;

pub const ROWS: &[Row] = &[
    (
        "an iterator",
        "iterator I(n: int) yields (x: int) { yield n; yield n + 1; x := n + 2; yield; } method Main() decreases * { var i := new I(5); while true decreases * { var more := i.MoveNext(); if !more { break; } print i.x; } }",
        "567",
    ),
    (
        "an iterator that yields nothing",
        "iterator I() yields (x: int) { print \"body\"; } method Main() { var i := new I(); var more := i.MoveNext(); print more; }",
        "bodyfalse",
    ),
    (
        "an iterator that ends ends for good",
        "iterator I() yields (x: int) { yield 1; } method Main() { var i := new I(); var a := i.MoveNext(); var b := i.MoveNext(); var c := i.MoveNext(); print a, b, c, i.x; }",
        "truefalsefalse1",
    ),
    (
        "an iterator without values",
        "iterator I() { print 1; yield; print 2; yield; print 3; } method Main() { var i := new I(); for k := 0 to 4 { var m := i.MoveNext(); print m, \" \"; } }",
        "1true 2true 3false false ",
    ),
    (
        "an iterator with several values",
        "iterator I(a: int, b: int) yields (q: int, r: int) requires b > 0 { var n := a; while n > 0 { yield n / b, n % b; n := n / b; } } method Main() decreases * { var i := new I(11, 2); while true decreases * { var m := i.MoveNext(); if !m { return; } print i.q, i.r, \" \"; } }",
        "51 21 10 01 ",
    ),
    (
        "an iterator of a type parameter",
        "iterator Each<T(0)>(s: seq<T>) yields (t: T, k: nat) { for i := 0 to |s| { yield s[i], i; } } method Main() decreases * { var e := new Each([\"a\", \"b\"]); while true decreases * { var m := e.MoveNext(); if !m { break; } print e.k, e.t; } var f := new Each<bool>([true]); var m := f.MoveNext(); print f.t; }",
        "0a1btrue",
    ),
    (
        "yield within every kind of loop",
        "iterator I() yields (x: int) { var i := 0; while i < 2 { yield i; i := i + 1; } for j := 4 downto 2 { yield j; } while decreases 3 - i { case i < 3 => i := i + 1; yield i * 10; } for k := 0 to * decreases 2 - k { if k == 2 { break; } yield k + 100; } } method Main() decreases * { var i := new I(); while true decreases * { var m := i.MoveNext(); if !m { break; } print i.x, \" \"; } }",
        "0 1 3 2 30 100 101 ",
    ),
    (
        "yield within branches",
        "iterator I(s: seq<int>) yields (x: int) { for i := 0 to |s| { if s[i] == 0 { continue; } match s[i] { case 1 => yield 10; case 2 | 3 => { yield 20; yield 21; } case n => if { case n > 9 => break; case n <= 9 => yield -n; } } label l: { if i == 3 { break l; } yield 99; } } } method Main() decreases * { var i := new I([1, 0, 2, 4, 5, 10, 1]); while true decreases * { var m := i.MoveNext(); if !m { break; } print i.x, \" \"; } }",
        "10 99 20 21 99 -4 -5 99 ",
    ),
    (
        "an iterator that looks at a heap",
        "class C { var n: int } iterator I(c: C) yields (x: int) modifies c { while c.n > 0 { yield c.n; c.n := c.n - 1; } } method Main() { var c := new C; c.n := 5; var i := new I(c); var m := i.MoveNext(); print i.x; c.n := 3; m := i.MoveNext(); print i.x; m := i.MoveNext(); print i.x, c.n; }",
        "5211",
    ),
    (
        "an iterator over another",
        "iterator Up(n: nat) yields (x: nat) { for i := 0 to n { yield i; } } iterator Evens(n: nat) yields (y: nat) { var up := new Up(n); while true decreases n - |up.xs| { var m := up.MoveNext(); if !m { break; } if up.x % 2 == 0 { yield up.x; } } } method Main() decreases * { var e := new Evens(7); while true decreases * { var m := e.MoveNext(); if !m { break; } print e.y; } }",
        "0246",
    ),
    (
        "iterators in collections",
        "iterator Up(n: nat) yields (x: nat) { for i := n to n + 100 { yield i; } } method Main() { var s: seq<Up> := []; for i := 0 to 3 { var u := new Up(i * 10); s := s + [u]; } for r := 0 to 2 { for i := 0 to 3 { var m := s[i].MoveNext(); print s[i].x, \" \"; } } print s[0] == s[0], s[0] == s[1], |{s[0], s[1], s[0]}|; }",
        "0 10 20 1 11 21 truefalse2",
    ),
    (
        "an iterator in a field",
        "iterator Up() yields (x: nat) { for i := 0 to 100 { yield i; } } class Source { var up: Up constructor () { up := new Up(); } method Next() returns (n: nat) modifies this, up { var m := up.MoveNext(); return up.x; } } method Main() { var s := new Source(); var a := s.Next(); var b := s.Next(); print a, b, s.up.x; }",
        "011",
    ),
    (
        "a parameter with a default",
        "iterator I(a: int, b: int := a + 1) yields (x: int) { yield a; yield b; } method Main() { var i := new I(3); var m := i.MoveNext(); print i.x, i.a, i.b; m := i.MoveNext(); print i.x; var j := new I(b := 9, a := 8); print j.a, j.b; }",
        "334489",
    ),
    (
        "an iterator may be null",
        "iterator I() yields (x: int) { yield 4; } method Main() { var i: I? := null; if i == null { i := new I(); } var m := i.MoveNext(); print i.x; }",
        "4",
    ),
    (
        "an iterator calls methods",
        "method Twice(n: int) returns (r: int) { r := n + n; } function Inc(n: int): int { n + 1 } iterator I(n: int) yields (x: int) { x := Twice(n); yield; var y := Twice(x); yield Inc(y); } method Main() { var i := new I(5); var m := i.MoveNext(); print i.x; m := i.MoveNext(); print i.x; }",
        "1021",
    ),
    (
        "yield of what a choice gives",
        "iterator All(s: set<int>) yields (x: int) { var r := s; while r != {} { var y :| y in r; r, x := r - {y}, y; yield; } } method Main() decreases * { var a := new All({3, 1, 2}); while true decreases * { var m := a.MoveNext(); if !m { break; } print a.x; } }",
        "123",
    ),
    (
        "closures in a body",
        "iterator I(n: int) yields (f: int -> int) { for i := 0 to n { yield x => x + i; } } method Main() { var i := new I(3); var m := i.MoveNext(); var f := i.f; m := i.MoveNext(); print f(10), i.f(10); }",
        "1011",
    ),
    (
        "ghosts of an iterator",
        "iterator I(n: int, ghost g: int) yields (x: int, ghost y: int) ensures |xs| == 1 { ghost var h := g; y := h; yield n, h + 1; } method Main() { var i := new I(3, 4); var m := i.MoveNext(); assert i.xs == [3] && i.ys == [5]; print i.x; }",
        "3",
    ),
    (
        "a tree is walked with a stack",
        "datatype Tree = Leaf | Node(l: Tree, v: int, r: Tree) iterator InOrder(t: Tree) yields (v: int) { var stack: seq<Tree>, at := [], t; while at.Node? || stack != [] { while at.Node? decreases at { stack, at := stack + [at], at.l; } var top := stack[|stack| - 1]; stack := stack[..|stack| - 1]; if top.Node? { yield top.v; at := top.r; } } } method Main() decreases * { var i := new InOrder(Node(Node(Leaf, 1, Leaf), 2, Node(Node(Leaf, 3, Leaf), 4, Leaf))); while true decreases * { var m := i.MoveNext(); if !m { break; } print i.v; } }",
        "1234",
    ),
    (
        "an expectation within a body",
        "iterator I() yields (x: int) { yield 1; expect false, \"no more\"; } method Main() { var i := new I(); var m := i.MoveNext(); print i.x, \"\\n\"; m := i.MoveNext(); }",
        "1\n[Program halted] test.dfy(1,40): no more\n",
    ),
    (
        "a body prints as it goes",
        "iterator I() yields (x: int) { print \"a\"; yield 1; print \"b\"; yield 2; print \"c\"; } method Main() { var i := new I(); print \"0\"; var m := i.MoveNext(); print i.x; m := i.MoveNext(); print i.x; m := i.MoveNext(); print m; }",
        "0a1b2cfalse",
    ),
    (
        "an iterator is an object",
        "iterator I() yields (x: int) { yield 4; } method Main() { var i := new I(); var o: object := i; var s: set<object> := {o, i}; print o == i, |s|, o is I, (o as I).x; var m := (o as I).MoveNext(); print i.x; }",
        "true1true04",
    ),
    (
        "an iterator that takes iterators",
        "iterator Up(n: nat) yields (x: nat) { for i := n to n + 100 { yield i; } } iterator Both(a: Up, b: Up) yields (x: nat, y: nat) { var m, n := true, true; while m && n { m := a.MoveNext(); n := b.MoveNext(); yield a.x, b.x; } } method Main() { var u := new Up(1); var v := new Up(10); var b := new Both(u, v); for i := 0 to 2 { var m := b.MoveNext(); print b.x, \" \", b.y, \" \"; } }",
        "1 10 2 11 ",
    ),
    (
        "a method that takes an iterator",
        "iterator Up(n: nat) yields (x: nat) { for i := n to n + 100 { yield i; } } method Sum(u: Up, k: nat) returns (s: nat) { s := 0; for i := 0 to k { var m := u.MoveNext(); s := s + u.x; } } method Main() { var u := new Up(1); var a := Sum(u, 3); var b := Sum(u, 2); print a, \" \", b; }",
        "6 9",
    ),
    (
        "this in a body",
        "class Box { var it: I? } iterator I(b: Box) yields (x: int) modifies b { b.it := this; yield 1; x := x + 1; yield; yield this.x + 5; } method Main() { var b := new Box; b.it := null; var i := new I(b); var m := i.MoveNext(); print b.it == i, i.x; m := i.MoveNext(); m := b.it.MoveNext(); print i.x; }",
        "true17",
    ),
    (
        "labels and parallel assignments across a wait",
        "iterator I(n: nat) yields (x: int) { var a, b := 0, 1; label go: while true { if a > n { break go; } x, a, b := a, b, a + b; yield; } } method Main() decreases * { var i := new I(9); while true decreases * { var m := i.MoveNext(); if !m { break; } print i.x, \" \"; } }",
        "0 1 1 2 3 5 8 ",
    ),
    (
        "arrays and objects of a body",
        "class C { var n: int constructor (k: int) { n := k; } } iterator I() yields (x: int) { var a := new int[3](i => i * i); var c := new C(7); for i := 0 to a.Length { c.n := c.n + a[i]; yield c.n; } forall i | 0 <= i < 3 { a[i] := c.n; } yield a[2]; } method Main() decreases * { var i := new I(); while true decreases * { var m := i.MoveNext(); if !m { break; } print i.x, \" \"; } }",
        "7 8 12 12 ",
    ),
    (
        "failures are handled in a body",
        "datatype R = Ok(v: int) | Bad { predicate IsFailure() { Bad? } function PropagateFailure(): R { this } function Extract(): int requires Ok? { v } } function F(n: int): R { if n < 2 then Ok(n) else Bad } iterator I() yields (x: int) { var r := F(0); expect !r.IsFailure(), r; yield r.Extract(); r := var v :- F(1); Ok(v + 1); yield r.v; r := var v :- F(2); Ok(v + 1); if !r.IsFailure() { yield 9; } } method Main() decreases * { var i := new I(); while true decreases * { var m := i.MoveNext(); if !m { break; } print i.x, \" \"; } }",
        "0 2 ",
    ),
    (
        "an iterator in a module",
        "module M { iterator I(n: int) yields (x: int) { yield n; } } module N { import M  method Get() returns (r: int) { var i := new M.I(6); var m := i.MoveNext(); return i.x; } } method Main() { var r := N.Get(); print r; }",
        "6",
    ),
    (
        "an iterator prints its type",
        "iterator I() yields (x: int) { } method Main() { var i := new I(); print i; }",
        "_module.I",
    ),
];
