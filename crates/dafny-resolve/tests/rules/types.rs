//! Rules of types and their declarations.

use crate::rules;

#[test]
fn names_of_types() {
    rules(&[
        ("type T = int const c: @", "T", "U"),
        ("datatype D<A> = C(A) const c: @", "D<int>", "D<int, int>"),
        ("datatype D<A> = C(A) const c: @", "D<int>", "D<int, bool>"),
        ("class C {} const c: @", "C?", "C<int>"),
        ("method M<T>(x: @ )", "T", "U"),
        ("type T = int @", "type U = int", "type T = bool"),
        ("datatype D = A @", "datatype E = A", "datatype D = B"),
    ]);
}

#[test]
fn type_synonyms_are_not_cyclic() {
    rules(&[
        ("@ type B = int", "type A = B", "type A = A"),
        ("@ type B = A", "type A = int", "type A = B"),
        ("@", "type A<T> = seq<T>", "type A<T> = seq<A<T>>"),
    ]);
}

#[test]
fn constraints_of_subset_types_are_conditions() {
    rules(&[
        ("type T = x: int | @ witness 1", "x > 0", "x + 1"),
        ("type T = x: int | @ witness 1", "x > 0", "y > 0"),
        ("type T = x: int | x > 0 witness @", "1", "true"),
        ("newtype T = x: int | @ witness 1", "x > 0", "x"),
        ("newtype T = x: # | true", "int", "bool"),
        ("newtype T = x: # | true", "real", "string"),
    ]);
}

#[test]
fn type_parameters_have_characteristics() {
    rules(&[
        (
            "method N<T(==)>(x: T) method M<U(==)>(x: U, f: int -> int) {\nN(#); }",
            "x",
            "f",
        ),
        (
            "method N<T(0)>() {} type Empty(0) type Odd method M() {\nN<#>(); }",
            "Empty",
            "Odd",
        ),
        (
            "method N<T(!new)>(x: T) class C {} method M(c: C, i: int) {\nN(#); }",
            "i",
            "c",
        ),
        (
            "datatype D<T(==)> = C(T) codatatype S = N(S)\nconst c: D<#>",
            "int",
            "S",
        ),
    ]);
}

#[test]
fn operators_of_numbers_stay_within_one_type() {
    rules(&[
        (
            "newtype T = int method M(x: int, t: T) {\nvar r := t + #; }",
            "t",
            "x",
        ),
        (
            "newtype T = int method M(x: int, t: T) {\nvar r := t == #; }",
            "t",
            "x",
        ),
        (
            "newtype T = int method M(x: int, t: T) {\nvar r: int := #; }",
            "t as int",
            "t",
        ),
        ("method M(x: int, r: real) {\nvar y := x + #; }", "1", "r"),
        ("method M(x: bv8, y: bv16) {\nvar z := x & #; }", "x", "y"),
        ("method M(x: int) {\nvar y := x / #; }", "2", "2.0"),
    ]);
}

#[test]
fn conversions_go_to_scalar_and_reference_types() {
    rules(&[
        ("method M(x: int) { var y := @; }", "x as real", "x as bool"),
        ("method M(b: bool) { var y := @; }", "b", "b as int"),
        (
            "method M(c: char) { var y := @; }",
            "c as int",
            "c as string",
        ),
        (
            "class A {} class B {} method M(a: A) { var y := @; }",
            "a as object",
            "a as B",
        ),
        (
            "class A {} class B {} method M(a: A) { var y := @; }",
            "a is object",
            "a is B",
        ),
        ("method M(s: seq<int>) { var y := @; }", "s", "s as int"),
    ]);
}

#[test]
fn assignments_follow_subtyping() {
    rules(&[
        (
            "trait T {} class C extends T {} method M(c: C, i: int) {\nvar t: T := #; }",
            "c",
            "i",
        ),
        (
            "class C {} method M(c: C, d: C?) {\nvar o: object? := #; }",
            "d",
            "3",
        ),
        (
            "trait T {} class C extends T {} method M(c: seq<C>, i: seq<int>) {\nvar t: seq<T> := #; }",
            "c",
            "i",
        ),
        (
            "method M(f: int -> int, g: bool -> int) {\nvar h: int ~> int := #; }",
            "f",
            "g",
        ),
        (
            "class C {} method M(a: array<C>, b: array<object>) {\nvar x: array<C> := #; }",
            "a",
            "b",
        ),
        ("method M(n: nat, b: bool) {\nvar x: int := #; }", "n", "b"),
    ]);
}

#[test]
fn arguments_of_mutable_types_are_invariant() {
    let program = |parameter: &str, target: &str| {
        format!(
            "trait T {{}} class C extends T {{}} class D<X> {{}} method M(b: {parameter}) {{ @ }}"
        )
        .replace('@', &format!("\nvar x: {target} := b;"))
    };
    for (parameter, target) in [
        ("array<object>", "array<C>"),
        ("array<C>", "array<object>"),
        ("array<object?>", "array<C?>"),
        ("array<T>", "array<C>"),
        ("D<object>", "D<C>"),
        ("D<C>", "D<T>"),
        ("array2<object>", "array2<C>"),
        ("seq<array<object>>", "seq<array<C>>"),
        ("array<set<object>>", "array<set<array<int>>>"),
        ("array<nat>", "array<int>"),
        ("array<C?>", "array<C>"),
    ] {
        let source = program(parameter, target);
        assert_eq!(crate::error_lines(&source), [2], "{source}");
    }
    for same in ["array<object>", "D<C>", "seq<array<T>>", "array<nat>"] {
        let source = program(same, same);
        assert_eq!(crate::error_lines(&source), [0; 0], "{source}");
    }
}

#[test]
fn abstract_types_have_no_operators() {
    rules(&[
        (
            "type T method M(x: T, y: T) { ghost var b := @; }",
            "x == y",
            "x < y",
        ),
        (
            "type T(==) method M(x: T, y: T) returns (b: bool) { b := @; }",
            "x == y",
            "x + y == x",
        ),
        (
            "type T method M(x: T, y: T) returns (b: bool) { b := @; }",
            "true",
            "x == y",
        ),
    ]);
}

#[test]
fn nullable_types_exist_for_classes_only() {
    rules(&[
        ("class C {} datatype D = A const c: @", "C?", "D?"),
        ("class C {} type T = int const c: @", "array?<int>", "T?"),
        (
            "class C {} method M(c: C, d: C?) { var b := @; }",
            "d == null",
            "3 == null",
        ),
    ]);
}
