//! Rules of classes, traits, contracts and iterators.

use crate::rules;

#[test]
fn members_have_unique_names() {
    rules(&[
        ("class C { var x: int @ }", "var y: int", "var x: bool"),
        ("class C { var x: int @ }", "method y() {}", "method x() {}"),
        (
            "class C { constructor A() {} @ }",
            "constructor B() {}",
            "constructor A() {}",
        ),
        (
            "class C { constructor () {} @ }",
            "constructor B() {}",
            "constructor () {}",
        ),
        (
            "function F(): int { 1 } @",
            "method G() {}",
            "method F() {}",
        ),
    ]);
}

#[test]
fn objects_are_made_by_a_constructor() {
    rules(&[
        (
            "class C { constructor A(x: int) {} } method M() {\nvar c := #; }",
            "new C.A(1)",
            "new C",
        ),
        (
            "class C { constructor A(x: int) {} } method M() { var c := @; }",
            "new C.A(1)",
            "new C.B(1)",
        ),
        (
            "class C { constructor A(x: int) {} } method M() { var c := @; }",
            "new C.A(1)",
            "new C.A(true)",
        ),
        (
            "class C { } trait T { } method M() { var c := @; }",
            "new C",
            "new T",
        ),
        (
            "class C { constructor () {} } method M() { var c := @; }",
            "new C()",
            "new D()",
        ),
        ("method M() { var a := @; }", "new int[3]", "new int[true]"),
        (
            "method M() { var a := @; }",
            "new int[2] [1, 2]",
            "new int[2] [1, true]",
        ),
        (
            "method M() { var a := @; }",
            "new int[2](i => i)",
            "new int[2](b => b && true)",
        ),
    ]);
}

#[test]
fn a_constructor_initializes_before_it_uses() {
    rules(&[
        (
            "class C { var x: int constructor () { @ } }",
            "x := 1;",
            "var y := x;",
        ),
        (
            "class C { var x: int constructor () { x := 1; @ } method M() {} }",
            "new; M();",
            "M();",
        ),
        (
            "class C { const x: int constructor () { @ } }",
            "x := 1;",
            "new; x := 1;",
        ),
        (
            "class C { var x: int constructor () { @ } }",
            "new;",
            "new; new;",
        ),
    ]);
}

#[test]
fn this_exists_in_instance_members() {
    rules(&[
        (
            "class C { var x: int @ }",
            "method M() { var y := x; }",
            "static method M() { var y := x; }",
        ),
        (
            "class C { var x: int @ }",
            "function F(): int reads this { x }",
            "static function F(): int { this.x }",
        ),
        (
            "class C { method N() {} @ }",
            "method M() { N(); }",
            "static method M() { N(); }",
        ),
        (
            "class C { static method N() {} method K() {} } method M() { @ }",
            "C.N();",
            "C.K();",
        ),
        ("method M() { @ }", "var x := 1;", "var x := this;"),
    ]);
}

#[test]
fn overriding_members_keep_the_signature() {
    rules(&[
        (
            "trait T { method M(x: int) } class C extends T { @ }",
            "method M(x: int) {}",
            "method M(x: bool) {}",
        ),
        (
            "trait T { method M(x: int) } class C extends T { @ }",
            "method M(x: int) {}",
            "method M(x: int, y: int) {}",
        ),
        (
            "trait T { method M(x: int) } class C extends T { @ }",
            "method M(x: int) {}",
            "function M(x: int): int { 1 }",
        ),
        (
            "trait T { function F(): int } class C extends T { @ }",
            "function F(): int { 1 }",
            "function F(): bool { true }",
        ),
        (
            "trait T { function F(): int } class C extends T { @ }",
            "function F(): int { 1 }",
            "ghost function F(): int { 1 }",
        ),
        (
            "trait T { method M() } @",
            "class C extends T { method M() {} }",
            "class C extends T { }",
        ),
        (
            "trait T { var x: int } class C extends T { @ }",
            "var y: int",
            "var x: int",
        ),
        (
            "trait T { static method M() {} method N() } class C extends T { @ method N() {} }",
            "method K() {}",
            "static method M() {}",
        ),
    ]);
}

#[test]
fn classes_extend_traits() {
    rules(&[
        (
            "trait T {} class D {} @",
            "class C extends T {}",
            "class C extends D {}",
        ),
        (
            "trait T {} @",
            "class C extends T {}",
            "class C extends U {}",
        ),
        (
            "trait A {} @",
            "trait B extends A {}",
            "trait B extends B {}",
        ),
        ("trait A<X> {}\nclass C extends A<#> {}", "int", "int, int"),
    ]);
}

#[test]
fn frames_contain_objects_and_fields() {
    rules(&[
        (
            "class C { var v: int } method M(c: C, n: int) modifies @ { }",
            "c",
            "n",
        ),
        (
            "class C { var v: int } method M(c: C) modifies @ { }",
            "c`v",
            "c`w",
        ),
        (
            "class C { var v: int } method M(c: C, s: set<C>, t: set<int>) modifies @ { }",
            "s",
            "t",
        ),
        (
            "class C { var v: int } function F(c: C, n: int): int reads @ { 1 }",
            "c",
            "n",
        ),
        (
            "class C { var v: int method M() modifies @ { } }",
            "this",
            "that",
        ),
        (
            "class C { const k: int var v: int method M() modifies @ { } }",
            "this`v",
            "this`k",
        ),
    ]);
}

#[test]
fn contracts_see_what_is_in_scope() {
    rules(&[
        (
            "method M(x: int) returns (r: int) requires @ { r := 1; }",
            "x > 0",
            "r > 0",
        ),
        (
            "method M(x: int) returns (r: int) ensures @ { r := 1; }",
            "r > 0",
            "s > 0",
        ),
        (
            "function F(x: int): (r: int) ensures @ { 1 }",
            "r > 0",
            "s > 0",
        ),
        (
            "function F(x: int): int ensures @ { 1 }",
            "F(x) > 0",
            "F() > 0",
        ),
        ("function F(x: int): int decreases @ { 1 }", "x", "y"),
        ("method M(x: int := @) { }", "1", "true"),
    ]);
}

#[test]
fn functions_do_not_change_the_state() {
    rules(&[
        ("function F(x: int): int { @ }", "x + 1", "x := 1; x"),
        (
            "method N() {} lemma L() {} function F(x: int): int { @ x }",
            "L();",
            "N();",
        ),
        ("function F(x: int): # { 1 }", "int", "bool"),
    ]);
}

#[test]
fn iterators_yield_their_parameters() {
    rules(&[
        (
            "iterator I(n: int) yields (x: int) { @ }",
            "yield 1;",
            "yield true;",
        ),
        (
            "iterator I(n: int) yields (x: int) { @ }",
            "yield 1;",
            "yield 1, 2;",
        ),
        (
            "iterator I(n: int) yields (x: int) { @ }",
            "x := 1; yield;",
            "n := 1; yield;",
        ),
        (
            "iterator I(n: int) yields (x: int) yield ensures @ { }",
            "x > n",
            "y > n",
        ),
        (
            "iterator I() yields (x: int) { yield 1; } method M() { var i := new I(); @ }",
            "var b := i.MoveNext();",
            "var b: int := i.MoveNext();",
        ),
        ("method M() { @ }", "var x := 1;", "yield;"),
    ]);
}
