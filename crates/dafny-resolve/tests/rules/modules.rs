//! Rules of modules, imports, exports and refinement.

use crate::rules;

#[test]
fn names_of_modules_are_imported() {
    rules(&[
        (
            "module A { const c := 1 } module B { @ const d := A.c }",
            "import A",
            "import C = A.D",
        ),
        (
            "module A { const c := 1 } module B { import opened A const d := @ }",
            "c",
            "e",
        ),
        (
            "module A { const c := 1 } module B { import A const d := @ }",
            "A.c",
            "A.e",
        ),
        (
            "module A { const c := 1 } module B { import X = A const d := @ }",
            "X.c",
            "A.c",
        ),
        (
            "module A { const c := 1 } module B { import A const d := @ }",
            "A.c",
            "c",
        ),
        ("module A { } @", "module B { }", "module A { }"),
    ]);
}

#[test]
fn imports_are_not_cyclic() {
    rules(&[
        ("\nmodule A { # } module B { import A }", "", "import B"),
        ("@", "module A { }", "module A { import A.B }"),
    ]);
}

#[test]
fn exports_limit_what_is_seen() {
    rules(&[
        (
            "module A { export provides c const c := 1 const d := 2 } module B { import A const e := @ }",
            "A.c",
            "A.d",
        ),
        (
            "module A { export provides T type T = int } module B { import A method M(x: @ ) }",
            "A.T",
            "A.U",
        ),
        (
            "module A { export reveals T type T = int } module B {\nimport A const t: A.T const e: int := # }",
            "t",
            "true",
        ),
        (
            "module A { export provides T, t type T = int const t: T } module B { import A const e := @ }",
            "A.t",
            "A.t + 1",
        ),
        (
            "module A { export @ const c := 1 }",
            "provides c",
            "provides d",
        ),
        (
            "module A { export provides T, F type T = int function F(): T { 1 } } module B {\nimport A const e: A.T := # }",
            "A.F()",
            "1",
        ),
    ]);
}

#[test]
fn refinement_keeps_what_was_declared() {
    rules(&[
        (
            "module A { function F(): int } module B refines A { @ }",
            "function F(): int { 1 }",
            "function F(): bool { true }",
        ),
        (
            "module A { method M(x: int) } module B refines A { @ }",
            "method M(x: int) { }",
            "method M(x: bool) { }",
        ),
        (
            "\nmodule A { type T } module B refines A { # }",
            "type T = int",
            "function T(): int { 1 }",
        ),
        (
            "module A { const c: int } module B refines A { @ }",
            "const c := 1",
            "const c: bool := true",
        ),
        (
            "module A { function F(): int { 1 } } module B refines A { @ }",
            "function G(): int { 1 }",
            "function F(): int { 2 }",
        ),
        (
            "module A { } @",
            "module B refines A { }",
            "module B refines C { }",
        ),
    ]);
}

#[test]
fn abstract_modules_are_not_imported_directly() {
    rules(&[
        (
            "abstract module A { type T } module B refines A { type T = int } module C { @ }",
            "import B",
            "import D",
        ),
        (
            "abstract module A { function F(): int } @ ",
            "abstract module B { import X : A const c := X.F() }",
            "module B { import X = A const c := X.G() }",
        ),
    ]);
}
