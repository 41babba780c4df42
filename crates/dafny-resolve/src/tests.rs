//! Tests of declarations: resolved names and signatures, and error messages.

use super::resolve;
use crate::typed::{
    Arena, Attributes, CallableId, FieldId, Options, Program, TypeDeclKind, TypeId,
};
use dafny_source::SourceMap;

fn run_with(source: &str, options: Options) -> (Program, Vec<String>) {
    let mut map = SourceMap::new();
    map.add("t.dfy", source, true);
    let (file, errors) = dafny_syntax::parse_with(0, source, options.syntax());
    assert!(errors.is_empty(), "{errors:?}");
    let (program, diagnostics) = resolve(vec![file], options);
    let show = |d: &dafny_source::diagnostic::Diagnostic| {
        let help = d
            .help
            .as_ref()
            .map_or_else(String::new, |h| format!(" ({h})"));
        format!(
            "`{}` {}: {}{help}",
            map.text(d.span.unwrap_or_default()),
            d.id,
            d.message
        )
    };
    (
        program,
        diagnostics
            .iter()
            .filter(|d| d.is_error())
            .map(show)
            .collect(),
    )
}

fn run(source: &str) -> Program {
    let (program, errors) = run_with(source, Options::default());
    assert!(errors.is_empty(), "{errors:#?}\n{source}");
    program
}

/// The errors of a program, each with the source text at its span.
fn errors(source: &str) -> Vec<String> {
    run_with(source, Options::default()).1
}

/// Formats the signature of the callable at `path` as `name(type, …): type, …`.
fn signature(program: &Program, path: &str) -> String {
    let id = Arena::<CallableId>::ids(program)
        .into_iter()
        .find(|c| program.callable_path(*c) == path);
    let Some(id) = id else {
        return format!("no {path}");
    };
    let list = |fs: &[crate::typed::Formal]| {
        fs.iter()
            .map(|f| program.show_type(&program[f.local].ty))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let c = &program[id];
    format!(
        "{}({}): {}",
        if c.ghost { "ghost " } else { "" },
        list(&c.ins),
        list(&c.outs)
    )
}

fn type_id(program: &Program, path: &str) -> TypeId {
    Arena::<TypeId>::ids(program)
        .into_iter()
        .find(|t| program.type_path(*t) == path)
        .unwrap_or_else(|| panic!("no {path}"))
}

fn callable_id(program: &Program, path: &str) -> CallableId {
    Arena::<CallableId>::ids(program)
        .into_iter()
        .find(|c| program.callable_path(*c) == path)
        .unwrap_or_else(|| panic!("no {path}"))
}

fn field_type(program: &Program, name: &str) -> String {
    let id = Arena::<FieldId>::ids(program)
        .into_iter()
        .find(|f| &*program[*f].name == name)
        .unwrap_or_else(|| panic!("no {name}"));
    program.show_type(&program[id].ty)
}

#[test]
fn signatures_mention_built_in_declared_and_synonym_types() {
    let p = run("
        type Bytes = seq<bv8>  type Pair<A, B> = (A, B)  type Small = x: int | 0 <= x < 9
        datatype Option<+T> = None | Some(value: T)
        class C { var next: C?  var items: array<Option<nat>> }
        method M(a: Pair<int, Bytes>, b: Small, m: map<char, array2<real>>) returns (r: Option<int -> bool>, s: string)
        predicate P(c: C, o: object?, t: (int, ghost nat))
    ");
    assert_eq!(
        signature(&p, "M"),
        "((int, seq<bv8>), Small, map<char, array2<real>>): Option<int -> bool>, string"
    );
    assert_eq!(signature(&p, "P"), "(C, object?, (int, ghost nat)): bool");
    assert_eq!(field_type(&p, "next"), "C?");
    assert_eq!(field_type(&p, "items"), "array<Option<nat>>");
}

#[test]
fn type_arguments_left_out_in_a_signature_come_from_its_parameters_or_are_added() {
    let p = run("
        datatype List<T> = Nil | Cons(head: T, tail: List)
        function Length<X>(l: List): nat
        function Free(l: List, m: List): int
    ");
    assert_eq!(field_type(&p, "tail"), "List<T>");
    assert_eq!(signature(&p, "Length"), "(List<X>): nat");
    assert_eq!(signature(&p, "Free"), "(List<_T0>, List<_T0>): int");
}

#[test]
fn names_come_from_imports_by_the_rules_of_the_manual() {
    let p = run("
        module Lib { type T = int  module Inner { datatype D = D0 } }
        module Option { datatype Option<T> = None | Some(v: T) }
        module A { import Lib  import opened Lib.Inner  function F(x: Lib.T, d: D): int }
        module B { import opened L = Lib  function G(x: T, d: Inner.D): L.T }
        module C { import opened Option  function H(x: Option<int>): int }
        module D.E { import F = Lib.Inner  function I(x: F.D): int }
        module P { module X { type T = bool }  module Y { import X  function J(x: X.T): int } }
    ");
    assert_eq!(signature(&p, "A.F"), "(int, D): int");
    assert_eq!(signature(&p, "B.G"), "(int, D): int");
    assert_eq!(signature(&p, "C.H"), "(Option<int>): int");
    assert_eq!(signature(&p, "D.E.I"), "(D): int");
    assert_eq!(signature(&p, "P.Y.J"), "(bool): int");
}

#[test]
fn an_alias_of_an_alias_has_the_same_view() {
    let p = run("
        module A { export S provides T  export B reveals T  type T = nat }
        module C { import S = A`S  export provides S }
        module D { import C  import X = C.S  function F(x: X.T): int }
    ");
    assert_eq!(signature(&p, "D.F"), "(nat): int");
}

#[test]
fn export_sets_limit_what_an_import_sees() {
    let source = "
        module M { export provides T, F  export All reveals *  export Ext extends M reveals G
          type T = int  function F(): T  function G(): int  type U = bool }
        module X { import M  function A(): M.T  function B(): M.U }
        module Y { import opened M`All  function C(): U }
        module Z { import N = M`{M, Ext}  function D(): N.U }
        module W { import M`Nope }
    ";
    let expected = [
        "`U` resolve/not-exported: the type `U` is not exported by its module (add it to an export set of the module, or import another export set)",
        "`U` resolve/not-exported: the type `U` is not exported by its module (add it to an export set of the module, or import another export set)",
        "`Nope` resolve/unknown-export: no export set 'Nope' in module 'M'",
    ];
    assert_eq!(errors(source), expected);
}

#[test]
fn errors_are_reported_once_with_suggestions() {
    let expected: &[(&str, &[&str])] = &[
        (
            "type Lenght = int  function F(x: Length): int",
            &["`Length` resolve/unknown-name: unresolved type: Length (did you mean `Lenght`?)"],
        ),
        (
            "function F(x: fp64): int",
            &[
                "`fp64` resolve/floating-point: the floating-point type `fp64` is not supported (use `real`, the type of exact real numbers)",
            ],
        ),
        (
            "datatype D = A | B  class D {}  method D2() method D2()",
            // Members of the module precede its types.
            &[
                "`D2` resolve/duplicate: duplicate name of member: D2",
                "`D` resolve/duplicate: duplicate name of top-level declaration: D",
                "`D` resolve/unknown-name: the type `D?` does not exist, because `D` is declared more than once",
            ],
        ),
        (
            "type A = B  type B = seq<A>",
            &["`A` resolve/cyclic-type: type synonym 'A' depends on itself"],
        ),
        (
            "module A { import B }  module B { import A }",
            &[
                "`A` resolve/cyclic-module: cyclic dependency between modules: module A -> import B -> module B -> import A -> module A",
            ],
        ),
        (
            "module A refines B {}  module B refines A {}",
            &[
                "`A` resolve/cyclic-module: cyclic dependency between modules: module A -> module B -> module A",
            ],
        ),
        (
            "import Nope",
            &["`Nope` resolve/unknown-module: module Nope does not exist"],
        ),
        (
            "datatype L<T> = N  function F(x: L<int, int>): L?<int>",
            &[
                "`L<int, int>` resolve/type-arguments: wrong number of type arguments (2 instead of 1) passed to `L`",
                "`L?<int>` resolve/no-nullable: `L` is not a reference type, so it has no nullable form",
            ],
        ),
        (
            "module A { type T } module B { type T } module C { import opened A import opened B function F(): T }",
            &[
                "`T` resolve/ambiguous-name: the type `T` is ambiguous (qualify it with its module or type)",
            ],
        ),
        (
            "trait A extends B {} trait B extends A {}",
            &["`A` resolve/cyclic-type: type 'A' extends itself, directly or through others"],
        ),
        (
            "class C extends D {} class D {}",
            &["`D` resolve/not-a-trait: a type can extend only traits (found 'D')"],
        ),
        (
            "newtype N = x: M | true newtype M = x: N | true",
            &[
                "`N` resolve/cyclic-type: the base of type 'N' is the type itself, directly or through others",
            ],
        ),
        (
            "newtype W<X> = X newtype A = W<A>",
            &[
                "`A` resolve/cyclic-type: the base of type 'A' is the type itself, directly or through others",
            ],
        ),
        (
            "datatype D = A(x: int) | B(x: bool)",
            &[
                "`x` resolve/shared-destructor: shared destructors must have the same type and ghostness: x",
            ],
        ),
        (
            "method M(x: int) returns (x: int)",
            &["`x` resolve/duplicate: duplicate name of parameter: x"],
        ),
        ("type A0 = (int, int) type A1 = (A0, A0)", &[]),
        (
            "type P<T> = (T, T) type Q<T> = P<P<P<P<P<T>>>>> type R<T> = Q<Q<Q<Q<T>>>>",
            &[
                "`Q<Q<Q<T>>>` resolve/type-too-large: type `Q` is too large when its synonyms are expanded",
            ],
        ),
        (
            "method M ...",
            &[
                "`M` resolve/refinement: declaration 'M' indicates refining (notation `...`), but does not refine anything",
            ],
        ),
    ];
    for (source, wanted) in expected {
        assert_eq!(errors(source), *wanted, "{source}");
    }
}

#[test]
fn a_refining_module_has_what_its_base_declares_and_what_it_adds() {
    let p = run("
        abstract module A {
          type T(==)  const c: int  datatype D = D0(n: int)
          function F(x: T): T  method M(x: int) returns (r: int) ensures r > 0
          module Inner { type I = int }  module User { import Inner  function U(): Inner.I }
        }
        module B refines A {
          datatype T = T0 | T1  const c := 3  datatype D ... { function Get(): int }
          function F ...  { x }  method M ... { r := 1; }  function New(t: T): Inner.I
        }
        abstract module K { import X : A  function G(t: X.T): X.T }
        module L refines K { import X = B }
    ");
    assert_eq!(signature(&p, "B.F"), "(T): T");
    assert!(matches!(
        p[type_id(&p, "B.T")].kind,
        TypeDeclKind::Datatype { .. }
    ));
    assert_eq!(signature(&p, "B.D.Get"), "(): int");
    assert_eq!(signature(&p, "B.New"), "(T): int");
    assert_eq!(signature(&p, "B.User.U"), "(): int");
    let g = callable_id(&p, "L.G");
    assert_eq!(
        p[p[g].ins[0].local].ty,
        crate::typed::Type::named(type_id(&p, "B.T"), vec![])
    );
}

#[test]
fn a_replacement_is_used_wherever_the_replaced_module_is_named() {
    let p = run("
        replaceable module A { type T  method M() returns (t: T) }
        module B replaces A { datatype T = X | Y }
        module C { import A  function F(t: A.T): int }
    ");
    let f = callable_id(&p, "C.F");
    assert_eq!(
        p[p[f].ins[0].local].ty,
        crate::typed::Type::named(type_id(&p, "B.T"), vec![])
    );
}

/// Base and refining declarations, with the errors of the refinement.
const REFINEMENTS: &[(&str, &str, &[&str])] = &[
    ("type T(==)", "type T = int", &[]),
    (
        "type T = int",
        "type T = int",
        &["`T` a type synonym (T) is not allowed to replace a type synonym"],
    ),
    (
        "type T = int",
        "type T ...",
        &["`T` an abstract type declaration (T) in a refining module cannot replace"],
    ),
    (
        "class C { }",
        "class C { }",
        &["`C` to redeclare and refine declaration 'C', you must use the refining"],
    ),
    (
        "class C { }",
        "trait C ... { }",
        &["`C` a trait declaration (C) in a refinement module can only refine a trait"],
    ),
    ("type W", "module W { }", &["`W` resolve/duplicate"]),
    (
        "module W { }",
        "module W { }",
        &["`W` to redeclare and refine declaration 'W'"],
    ),
    (
        "const c: int",
        "export A ... provides c",
        &["`export A ... provides c` declaration 'A' indicates refining"],
    ),
    (
        "export reveals c const c: int",
        "export P ...",
        &["`P` can't change if a module export is default"],
    ),
    ("const c: int", "const c := 3", &[]),
    (
        "const c := 3",
        "const c := 3",
        &["`c` a const re-declaration (c) can give an initializing expression only if"],
    ),
    (
        "const c := 3",
        "const c: int",
        &["`c` a const re-declaration (c) must be to add 'ghost'"],
    ),
    (
        "type T = bool const c: bool",
        "const c: T := true",
        &["`c` the type of a const declaration (c)"],
    ),
    (
        "class A { var c: int }",
        "class A ... { ghost var c: int }",
        &[],
    ),
    (
        "class A { var c: int }",
        "class A ... { var c: int }",
        &["`c` a field re-declaration (c) must be to add 'ghost'"],
    ),
    (
        "class A { var c: int }",
        "class A ... { const c: int }",
        &["`c` a const declaration (c) can only refine a const"],
    ),
    (
        "function F(i: int): bool",
        "predicate F(i: int) { true }",
        &["`F` a predicate declaration (F) can only refine a predicate"],
    ),
    (
        "function F(i: int): int",
        "function F(i: int): int { i }",
        &[],
    ),
    (
        "function F(i: int): int",
        "function F(i: int): int requires i > 0 { i }",
        &["`requires i > 0` a refining function is not allowed"],
    ),
    (
        "function F(i: int): int { i }",
        "function F(i: int): int { i }",
        &["`F` a refining function is not allowed to extend/change the body"],
    ),
    (
        "ghost function F(i: int): int",
        "function F(i: int): int { i }",
        &[],
    ),
    (
        "function F(i: int): int",
        "ghost function F(i: int): int { i }",
        &["`F` a compiled function cannot be changed"],
    ),
    (
        "function F(): (r: int)",
        "function F(): (s: int) { 1 }",
        &["`s` the name of function return value 'F'(s) differs"],
    ),
    (
        "function F(): int",
        "function F(): bool { true }",
        &["`bool` the result type of function 'F' (bool) differs"],
    ),
    (
        "method M(i: int)",
        "method M(j: int) { }",
        &["`j: int` there is a difference in name of in-parameter 0 ('j' versus 'i')"],
    ),
    (
        "method M(i: int)",
        "method M(i: int, j: int) { }",
        &["`j: int` method 'M' is declared with a different number of in-parameters"],
    ),
    (
        "method M(ghost i: int)",
        "method M(i: int) { }",
        &["`i: int` in-parameter 'i' of method M cannot be changed"],
    ),
    (
        "method M(i: int)",
        "method M(i: int := 9) { }",
        &["`i: int := 9` a refining formal parameter ('i')"],
    ),
    (
        "method M(i: int := 9)",
        "method M(i: int) { } method N() { M(); }",
        &[],
    ),
    (
        "method M<T(0), U>()",
        "method M<T, U>() { }",
        &["`T` type parameter 'T' is not allowed to change the requirement"],
    ),
    (
        "method M<U>()",
        "method M<U(==)>() { }",
        &["`U` type parameter 'U' is not allowed to change the requirement"],
    ),
    (
        "method M<T>()",
        "method M<U>() { }",
        &["`U` type parameters are not allowed to be renamed"],
    ),
    (
        "type T<+U>",
        "type T<U> = int",
        &["`U` type parameter 'U' is not allowed to change variance (here, from '+' to '=')"],
    ),
    (
        "method M()",
        "ghost method M() { }",
        &["`method M` a method cannot be changed into a ghost method"],
    ),
    ("method M() decreases *", "method M() decreases 1 { }", &[]),
    (
        "method M(n: nat)",
        "method M(n: nat) decreases n { }",
        &["`decreases n` decreases clause on refining method not supported"],
    ),
];

#[test]
fn a_refinement_changes_only_what_it_may() {
    for (base, refinement, wanted) in REFINEMENTS {
        let source =
            format!("abstract module P {{ {base} }} module Q refines P {{ {refinement} }}");
        let found: Vec<String> = errors(&source)
            .iter()
            .map(|e| e.replacen("resolve/refinement: ", "", 1))
            .collect();
        let same =
            found.len() == wanted.len() && found.iter().zip(*wanted).all(|(f, w)| f.starts_with(w));
        assert!(same, "{source}\n{found:#?}");
    }
}

#[test]
fn ghostness_of_functions_follows_the_function_syntax() {
    let source = "
        function F(): int  predicate P()  function method G(): int  least predicate L(x: int)
        module {:options \"--function-syntax:4\"} Four { function F(): int  ghost predicate P() }
        function ByM(): int { 1 } by method { return 1; }
    ";
    let (p, _) = run_with(
        source,
        Options {
            function_syntax: 3,
            ..Options::default()
        },
    );
    let ghost = |path: &str| signature(&p, path).starts_with("ghost");
    let all = ["F", "P", "G", "L", "Four.F", "Four.P", "ByM"].map(ghost);
    assert_eq!(all, [true, true, false, true, false, true, false]);
    assert_eq!(signature(&p, "L#"), "ghost (ORDINAL, int): bool");
}

#[test]
fn members_are_inherited_from_traits_with_their_arguments() {
    let source = "
        trait Base<A> { var f: A  function Get(x: A): A }
        trait Mid<B> extends Base<seq<B>> { method Do(b: B) }
        class C extends Mid<int> { constructor () {}  function Get(x: seq<int>): seq<int> { x }  method Do(b: int) {} }
    ";
    let p = run(source);
    let get = callable_id(&p, "C.Get");
    assert_eq!(
        p[get]
            .overrides
            .iter()
            .map(|c| p.callable_path(*c))
            .collect::<Vec<_>>(),
        ["Base.Get"]
    );
}

#[test]
fn an_iterator_is_desugared_to_a_class() {
    let p = run("iterator Gen(n: nat) yields (x: int, ghost y: bool) decreases n, [true]");
    let fields = &p[type_id(&p, "Gen")].fields;
    let names: Vec<String> = fields
        .iter()
        .map(|f| format!("{}{}", if p[*f].ghost { "ghost " } else { "" }, p[*f].name))
        .collect();
    let expected = [
        "n",
        "x",
        "ghost y",
        "ghost xs",
        "ghost ys",
        "ghost _reads",
        "ghost _modifies",
        "ghost _new",
        "ghost _decreases0",
        "ghost _decreases1",
    ];
    assert_eq!(names, expected);
    assert_eq!(field_type(&p, "_decreases1"), "seq<bool>");
    assert_eq!(signature(&p, "Gen.MoveNext"), "(): bool");
    assert_eq!(signature(&p, "Gen._ctor"), "(nat): ");
    assert_eq!(field_type(&p, "xs"), "seq<int>");
}

#[test]
fn attributes_have_one_spelling_and_main_is_found() {
    let p = run(
        "@Test method T() {}  method {:test} U() {}  module M { method Main(args: seq<string>) {} }  abstract module N { method Main() }",
    );
    assert_eq!(
        Arena::<CallableId>::ids(&p)
            .into_iter()
            .filter(|c| p[*c].attribute("test").is_some())
            .count(),
        2
    );
    assert_eq!(p.main.map(|c| p.callable_path(c)), Some("M.Main".into()));
}

#[test]
fn characteristics_of_declared_types_are_inferred() {
    let p = run("
        datatype List<T> = Nil | Cons(head: T, tail: List<T>)  datatype F = F(f: int -> int)  codatatype S = S(s: S)
        class C {}  datatype H = H(c: C)  datatype G = G(ghost x: int)
        method M<K, V>(m: map<K, V>)
    ");
    let show = |t: &str| {
        let c = p[type_id(&p, t)].characteristics;
        format!(
            "{}{}{}{}",
            u8::from(c.equality),
            u8::from(c.auto_init),
            u8::from(c.nonempty),
            u8::from(c.no_new)
        )
    };
    assert_eq!(
        ["List", "F", "S", "H", "G"].map(show),
        ["1111", "0111", "0111", "1000", "0111"]
    );
    let m = callable_id(&p, "M");
    assert_eq!(
        p[m].type_params
            .iter()
            .map(|t| p[*t].characteristics.equality)
            .collect::<Vec<_>>(),
        [true, false]
    );
}

#[test]
fn autocontracts_complete_a_class() {
    let p = run("
        class Part { ghost var Repr: set<object>  ghost predicate Valid() reads this, Repr }
        class {:autocontracts} C {
          var part: Part?  var items: array<int>  var n: int
          ghost predicate Valid() { n > 0 }
          constructor () { items := new int[2]; part := null; n := 1; }
          method Set(i: int) { n := i; }
          method Get() returns (r: int) { r := n; }
          function F(): int { n }
        }
    ");
    let clauses = |path: &str| {
        let id = callable_id(&p, path);
        let spec = &p[id].spec;
        format!(
            "{} requires, {} ensures, {} reads, {} modifies",
            spec.requires.len(),
            spec.ensures.len(),
            spec.reads.len(),
            spec.modifies.len()
        )
    };
    assert_eq!(
        clauses("C.Valid"),
        "0 requires, 1 ensures, 2 reads, 0 modifies"
    );
    assert_eq!(
        clauses("C._ctor"),
        "0 requires, 2 ensures, 0 reads, 0 modifies"
    );
    assert_eq!(
        clauses("C.Set"),
        "1 requires, 2 ensures, 0 reads, 1 modifies"
    );
    assert_eq!(
        clauses("C.Get"),
        "1 requires, 0 ensures, 0 reads, 0 modifies"
    );
    assert_eq!(clauses("C.F"), "1 requires, 0 ensures, 1 reads, 0 modifies");
}
