//! Tests of bodies: inferred types, ghostness, bounds, and error messages.

use super::super::resolve;
use crate::typed::{
    Arena, BinaryOp, Body, CallableId, Domain, Expr, ExprKind, Literal, LocalId, Options, Program,
    Quantified, Stmt, StmtKind, UnaryOp,
};
use dafny_source::SourceMap;

fn run_with(source: &str, options: Options) -> (Program, Vec<String>) {
    let mut map = SourceMap::new();
    map.add("t.dfy", source, true);
    let (file, errors) = dafny_syntax::parse(0, source);
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

fn errors(source: &str) -> Vec<String> {
    run_with(source, Options::default()).1
}

/// Formats each variable that is not a parameter as `name: type`, in source order, with `ghost`
/// before ghost ones.
fn locals(source: &str) -> String {
    let p = run(source);
    let formals: Vec<LocalId> = Arena::<CallableId>::ids(&p)
        .into_iter()
        .flat_map(|c| {
            p[c].ins
                .iter()
                .chain(&p[c].outs)
                .map(|f| f.local)
                .collect::<Vec<_>>()
        })
        .collect();
    let show = |id: LocalId| {
        format!(
            "{}{}: {}",
            if p[id].ghost { "ghost " } else { "" },
            p[id].name,
            p.show_type(&p[id].ty)
        )
    };
    let mut ids: Vec<LocalId> = Arena::<LocalId>::ids(&p)
        .into_iter()
        .filter(|l| !formals.contains(l))
        .collect();
    ids.retain(|l| p[*l].span.end > 0);
    ids.into_iter().map(show).collect::<Vec<_>>().join(", ")
}

fn show(p: &Program, e: &Expr) -> String {
    match &e.kind {
        ExprKind::Local(l) => p[*l].name.to_string(),
        ExprKind::Literal(Literal::Int(n)) => n.to_string(),
        ExprKind::Literal(Literal::Bool(b)) => b.to_string(),
        ExprKind::Unary(UnaryOp::Neg, x) => format!("-{}", show(p, x)),
        ExprKind::Binary(op, a, b) => format!("({} {} {})", show(p, a), op.as_str(), show(p, b)),
        ExprKind::Cardinality(x) => format!("|{}|", show(p, x)),
        ExprKind::Index { object, indices } => {
            format!(
                "{}[{}]",
                show(p, object),
                indices
                    .iter()
                    .map(|i| show(p, i))
                    .collect::<Vec<_>>()
                    .join(", ")
            )
        }
        ExprKind::Convert(x) => format!("({} as {})", show(p, x), p.show_type(&e.ty)),
        ExprKind::If { cond, then, els } => format!(
            "(if {} then {} else {})",
            show(p, cond),
            show(p, then),
            show(p, els)
        ),
        ExprKind::Builtin { object, .. } => format!("{}.builtin", show(p, object)),
        other => format!("{other:?}"),
    }
}

/// The bounds of the quantifier that is the body of function `F`.
fn bounds(source: &str) -> String {
    let p = run(source);
    let f = Arena::<CallableId>::ids(&p)
        .into_iter()
        .find(|c| &*p[*c].name == "F");
    let Some(Body::Expr(e)) = f.map(|f| &p[f].body) else {
        return "no body".into();
    };
    match &e.kind {
        ExprKind::Quantifier { vars, .. }
        | ExprKind::SetComp { vars, .. }
        | ExprKind::MapComp { vars, .. }
        | ExprKind::LetSuchThat { vars, .. } => show_bounds(&p, vars),
        other => format!("{other:?}"),
    }
}

/// The bounds of the quantifiers that the body of function `F` consists of.
fn parts(source: &str) -> String {
    fn collect(p: &Program, e: &Expr, out: &mut Vec<String>) {
        match &e.kind {
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, a, b) => {
                collect(p, a, out);
                collect(p, b, out);
            }
            ExprKind::Quantifier { vars, .. } => out.push(show_bounds(p, vars)),
            _ => out.push(show(p, e)),
        }
    }
    let p = run(source);
    let f = Arena::<CallableId>::ids(&p)
        .into_iter()
        .find(|c| &*p[*c].name == "F");
    let mut out = Vec::new();
    if let Some(Body::Expr(e)) = f.map(|f| &p[f].body) {
        collect(&p, e, &mut out);
    }
    out.join(" | ")
}

fn show_bounds(p: &Program, q: &Quantified) -> String {
    let Some(bounds) = &q.bounds else {
        return "none".into();
    };
    let end = |e: &Option<Box<Expr>>| e.as_ref().map_or_else(String::new, |e| show(p, e));
    let domain = |d: &Domain| match d {
        Domain::IntRange { low, high } => format!("{}..{}", end(low), end(high)),
        Domain::Exact(e) => format!("= {}", show(p, e)),
        Domain::Elements(e) => format!("in {}", show(p, e)),
        Domain::SubsetsOf(e) => format!("<= {}", show(p, e)),
        Domain::PrefixesOf(e) => format!("prefix {}", show(p, e)),
        Domain::AllValues(t) => format!("all {}", p.show_type(t)),
        Domain::SubtermsOf(e) => format!("in term {}", show(p, e)),
    };
    bounds
        .iter()
        .map(|b| format!("{} {}", p[b.var].name, domain(&b.domain)))
        .collect::<Vec<_>>()
        .join("; ")
}

/// The statements of method `M`, with ghost ones in brackets.
fn ghostness(source: &str) -> String {
    let p = run(source);
    let m = Arena::<CallableId>::ids(&p)
        .into_iter()
        .find(|c| &*p[*c].name == "M");
    let Some(Body::Block(b)) = m.map(|m| &p[m].body) else {
        return "no body".into();
    };
    b.stmts.iter().map(word).collect::<Vec<_>>().join(" ")
}

fn word(s: &Stmt) -> String {
    let inner = |stmts: &[Stmt]| stmts.iter().map(word).collect::<Vec<_>>().join(" ");
    let text = match &s.kind {
        StmtKind::If { then, els, .. } => {
            let els = els
                .as_ref()
                .map_or_else(String::new, |e| format!(" else {}", word(e)));
            format!("if {{{}}}{els}", inner(&then.stmts))
        }
        StmtKind::Block(b) => format!("{{{}}}", inner(&b.stmts)),
        StmtKind::While { body, .. } => format!(
            "while {{{}}}",
            body.as_ref().map_or_else(String::new, |b| inner(&b.stmts))
        ),
        StmtKind::Assign { .. } => "assign".into(),
        StmtKind::Call { .. } => "call".into(),
        StmtKind::Assert { .. } => "assert".into(),
        StmtKind::Print(_) => "print".into(),
        StmtKind::Return => "return".into(),
        StmtKind::VarDecl(_) => "var".into(),
        StmtKind::Forall { .. } => "forall".into(),
        other => format!("{other:?}")
            .chars()
            .take_while(|c| c.is_alphanumeric())
            .collect::<String>()
            .to_lowercase(),
    };
    if s.ghost { format!("[{text}]") } else { text }
}

#[test]
fn locals_take_the_join_of_what_flows_into_them() {
    assert_eq!(
        locals(
            "method M(n: nat, s: seq<nat>) { var x := n; x := -1; var y := s; y := y + [-1]; var z: nat := n; }"
        ),
        "x: int, y: seq<int>, z: nat"
    );
    assert_eq!(
        locals(
            "trait T extends object {} class A extends T {} class B extends T {} method M(b: bool, a: A, c: B) { var x := if b then a else c; var s := [a, c]; var n := null; n := a; }"
        ),
        "x: T, s: seq<T>, n: A?"
    );
}

#[test]
fn literals_are_of_the_type_that_is_expected() {
    assert_eq!(
        locals(
            "newtype byte = x | 0 <= x < 256  method M(b: byte, v: bv8) { var x := b + 1; var y := [b, 2]; var z := v & 3; var w := 4; var r := 1.5; var i := 5 as byte; }"
        ),
        "x: int, x: byte, y: seq<byte>, z: bv8, w: int, r: real, i: byte"
    );
}

#[test]
fn type_arguments_of_calls_and_constructors_are_inferred() {
    let source = "
        datatype Option<+T> = None | Some(value: T)
        function Map<A, B>(f: A -> B, s: seq<A>): seq<B>
        class Cell<T> { var x: T constructor (x: T) { this.x := x; } }
        method M() {
            var a := Some(3); var b := if a.Some? then None else Some(4); var c: Option<nat> := None;
            var d := Map(x => x > 2, [1, 2]); var e := new Cell(true); var f := e.x; var g := map[1 := 'c']; var h := g.Keys;
        }";
    assert_eq!(
        locals(source),
        "value: T, a: Option<int>, b: Option<int>, c: Option<nat>, x: int, d: seq<bool>, e: Cell<bool>, f: bool, g: map<int, char>, h: set<int>"
    );
}

#[test]
fn type_arguments_keep_a_subset_type_that_all_values_have() {
    let source = "datatype Box<T> = Box(v: T) method M(n: nat, i: int) { var a := Box(n); var b := Box(i); var c := [Box(n), Box(i)]; }";
    assert_eq!(
        locals(source),
        "v: T, a: Box<nat>, b: Box<int>, c: seq<Box<int>>"
    );
}

#[test]
fn bound_variables_get_their_type_from_their_uses() {
    assert_eq!(
        locals(
            "predicate P(s: set<char>, t: seq<real>) { forall x, i :: x in s && 0 <= i < |t| ==> t[i] > 0.0 }"
        ),
        "x: char, i: int"
    );
    assert_eq!(
        locals(
            "function F(m: map<int, string>): set<int> { set k, v | k in m && v == m[k] && |v| > 1 :: k }"
        ),
        "k: int, v: string"
    );
}

#[test]
fn patterns_bind_the_parts_of_a_value() {
    let source = "
        datatype Tree<T> = Leaf | Node(left: Tree<T>, value: T, right: Tree<T>)
        function Sum(t: Tree<nat>): int { match t case Leaf => 0 case Node(l, v, Node(_, w, _)) => v + w case Node(l, v, r) => v }
        method M(p: (int, (bool, char))) { var (a, (b, _)) := p; }";
    assert_eq!(
        locals(source),
        "left: Tree<T>, value: T, right: Tree<T>, l: Tree<nat>, v: nat, w: nat, l: Tree<nat>, v: nat, r: Tree<nat>, a: int, b: bool"
    );
}

#[test]
fn failures_propagate_through_compatible_types() {
    let source = "
        datatype R<+T> = Ok(v: T) | Err(e: string) {
            predicate IsFailure() { Err? }
            function PropagateFailure<U>(): R<U> requires Err? { Err(e) }
            function Extract(): T requires Ok? { v }
        }
        method N() returns (r: R<int>, c: char)
        function G(): R<bool>
        method M() returns (r: R<string>) { var x, c :- N(); var y :- G(); var z :- expect Ok(3); return Ok(\"\"); }
        function H(): R<char> { var b :- G(); if b then Ok('a') else Err(\"\") }";
    assert!(
        locals(source).contains("x: int, c: char"),
        "{}",
        locals(source)
    );
    assert!(locals(source).contains("y: bool"), "{}", locals(source));
}

#[test]
fn a_range_gives_both_ends_of_an_integer() {
    assert_eq!(
        bounds("predicate F(n: int) { forall i :: 0 <= i < n ==> i * i != 3 }"),
        "i 0..n"
    );
    assert_eq!(
        bounds("predicate F(n: int) { exists i: nat :: i <= n && i * i == n }"),
        "i 0..(n + 1)"
    );
    assert_eq!(
        bounds("predicate F(n: int) { forall i | 0 <= i + 1 < n :: i * i != 3 }"),
        "i (0 - 1)..(n - 1)"
    );
    assert_eq!(
        bounds("predicate F(n: int) { forall i | 2 - i <= 2 && -n < -i :: i * i != 3 }"),
        "i (2 - 2)..--n"
    );
    assert_eq!(
        bounds("predicate F(a: int, b: int) { forall i | a <= i && b <= i < 9 :: i * i != 3 }"),
        "i (if (a < b) then b else a)..9"
    );
}

#[test]
fn variables_that_bound_each_other_are_ordered() {
    assert_eq!(
        bounds("predicate F(n: int) { forall i, j :: 0 <= i < j < n ==> i * j > 0 }"),
        "i 0..(n - 1); j (i + 1)..n"
    );
    assert_eq!(
        bounds("predicate F(s: set<seq<int>>) { forall x, t | t in s && x in t :: x > 0 }"),
        "t in s; x in t"
    );
    assert_eq!(
        bounds("function F(m: map<int, int>): set<int> { set k, v | k in m && v == m[k] :: v }"),
        "k in m; v = m[k]"
    );
}

#[test]
fn small_types_are_enumerated() {
    assert_eq!(
        bounds("datatype D = A | B  predicate F() { forall b: bool, d: D :: b || d.B? }"),
        "b = false; d all D"
    );
    assert_eq!(
        bounds("newtype small = x | 0 <= x < 9  predicate F() { exists s: small :: s > 3 }"),
        "s 4..9"
    );
    assert_eq!(
        bounds(
            "type Low = x: int | 0 <= x < 9  predicate F() { exists s: Low :: s == 3 || s == 4 }"
        ),
        "s 0..9"
    );
    assert_eq!(
        bounds("predicate F(s: set<int>) { exists t :: t <= s && |t| == 2 }"),
        "t <= s"
    );
}

#[test]
fn ghost_quantifiers_are_split_where_each_part_has_bounds() {
    let parts_of =
        |params: &str, body: &str| parts(&format!("ghost predicate F({params}) {{ {body} }}"));
    let sets = "s: set<int>, t: set<int>, u: set<int>, b: bool";
    assert_eq!(
        parts_of(sets, "forall x :: x in s <==> x in t"),
        "x in s | x in t"
    );
    assert_eq!(
        parts_of(sets, "forall x :: (x in s) == (x in t)"),
        "x in s | x in t"
    );
    assert_eq!(
        parts_of(sets, "forall x :: (x in s ==> x > 0) && (x in t ==> x > 1)"),
        "x in s | x in t"
    );
    assert_eq!(
        parts_of(sets, "forall x :: x in s || x in t ==> x in u"),
        "x in s | x in t"
    );
    assert_eq!(
        parts_of(sets, "forall x :: x in u <==> x in s || x in t"),
        "x in u | x in s | x in t"
    );
    assert_eq!(
        parts_of(sets, "forall x | x in s || x in t :: x in u"),
        "x in s | x in t"
    );
    assert_eq!(
        parts_of(sets, "exists x :: (x in s && x > 2) || x in t"),
        "x in s | x in t"
    );
    assert_eq!(
        parts_of(
            sets,
            "forall x, y :: (x in s ==> x > 0) && (y in t ==> y > 0)"
        ),
        "x in s | y in t"
    );
    assert_eq!(
        parts_of(sets, "forall x :: b && (x in s ==> x > 0)"),
        "b | x in s"
    );
    // One domain suffices; no domain exists; and a large type that is no domain.
    assert_eq!(
        parts_of(sets, "forall x :: x in s ==> (x in t <==> x in u)"),
        "x in s"
    );
    assert_eq!(parts_of(sets, "forall x :: x > 3 <==> x in t"), "x ..");
    let exists = "forall x :: x in r <==> exists i :: 0 <= i < |a| && a[i] == x";
    assert_eq!(
        parts_of("a: seq<int>, r: set<int>", exists),
        "x in r | i 0..|a|; x = a[i]"
    );
    let within = "ghost predicate In(s: set<int>, x: int) { x in s } ghost predicate F(s: set<int>) { forall x :: In(s, x) ==> x > 2 }";
    assert_eq!(parts(within), "x in s");
    // A predicate's body bounds the variables in its arguments, whatever else it states, but not
    // variables that bound those arguments themselves.
    let has = "predicate Has<T(==)>(s: seq<T>, x: T) { exists i :: 0 <= i < |s| && s[i] == x }";
    let of_cards = |body: &str| {
        parts(&format!(
            "{has} ghost predicate F(s: seq<int>, t: seq<int>, m: map<int, int>) {{ {body} }}"
        ))
    };
    assert_eq!(
        of_cards("forall x :: x in m <==> Has(s, x)"),
        "x in m | i 0..|s|; x = s[i]"
    );
    assert_eq!(
        of_cards("forall x :: Has(s, x) ==> x in m"),
        "i 0..|s|; x = s[i]"
    );
    assert_eq!(
        of_cards("forall x, y :: Has(s, x) && Has(t, y) ==> x < y"),
        "x ..; y ..(x + 1)"
    );
    assert_eq!(
        of_cards("exists x :: Has(s, x) && x !in m"),
        "i 0..|s|; x = s[i]"
    );
    let either = "ghost predicate Either(s: set<int>, t: set<int>, x: int, b: bool) { if b then x in s else x in t }";
    let asked = format!(
        "{either} ghost predicate F(s: set<int>, t: set<int>, b: bool) {{ forall x :: Either(s, t, x, b) ==> x > 0 }}"
    );
    assert_eq!(parts(&asked), "x in s | x in t");
    let recursive = "ghost predicate In(s: seq<int>, x: int) { if s == [] then false else x == s[0] || In(s[1..], x) }
        ghost predicate F(s: seq<int>) { forall x :: In(s, x) ==> x > 0 }";
    assert_eq!(parts(recursive), "x ..1");
    assert_eq!(
        parts_of("n: int", "forall k :: k * k < n ==> k * k != k + 5"),
        "k -n..(n + 1)"
    );
    assert_eq!(
        parts_of("n: int", "exists k :: n == k * k"),
        "k -n..(n + 1)"
    );
    assert_eq!(
        parts_of("n: int", "exists k :: n == 2 * k + 1"),
        "k = ((n - 1) / 2)"
    );
    assert_eq!(parts_of("n: int", "exists k :: n == 0 * k"), "k ..");
    assert_eq!(
        parts_of(
            "s: set<char>, t: seq<char>",
            "forall c :: c in s <==> c in t"
        ),
        "c in s | c in t"
    );
    assert_eq!(
        parts("predicate F(s: set<char>, t: seq<char>) { forall c :: c in s <==> c in t }"),
        "c all char"
    );
    assert_eq!(
        errors("predicate F(s: set<int>, t: set<int>) { forall x :: x in s <==> x in t }").len(),
        1
    );
}

#[test]
fn a_variable_without_bounds_is_for_ghost_code() {
    assert_eq!(
        bounds("ghost predicate F() { forall i: int :: i * i * i != 7 }"),
        "i .."
    );
    assert_eq!(
        bounds("ghost predicate F() { forall s: seq<int> :: |s| >= 0 }"),
        "none"
    );
    assert_eq!(
        errors("predicate F() { forall i: int :: i * i >= 0 }").len(),
        1
    );
}

#[test]
fn ghost_values_make_their_variables_and_branches_ghost() {
    let source = "
        ghost function G(): int { 3 }
        lemma L()
        method M(ghost g: int, n: int) returns (r: int) {
            var a := G();
            if g > 2 { L(); } else { assert n == n; }
            if n > 2 { L(); }
            if n > 3 { r := 1; L(); }
            forall i | 0 <= i < n ensures i >= 0 {}
            ghost var h := n;
            h := a;
            while n < 0 { L(); }
            return 3;
        }";
    assert_eq!(
        ghostness(source),
        "[assign] [if {[call]} else [{[assert]}]] [if {[call]}] if {assign [call]} [forall] [assign] [assign] [while {[call]}] assign return"
    );
}

#[test]
fn ghost_code_is_kept_out_of_compiled_code() {
    assert_eq!(
        errors(
            "ghost function G(): int { 3 } method M() returns (r: int) { r := G(); } function F(ghost x: int): int { x }"
        ),
        [
            "`G()` resolve/ghost-in-compiled: the ghost function `G` can be used in ghost contexts only (declare the target `ghost`, or remove `ghost` from the declaration that is used)",
            "`x` resolve/ghost-in-compiled: the ghost variable `x` can be used in ghost contexts only (declare the target `ghost`, or remove `ghost` from the declaration that is used)",
        ]
    );
    let of_ghost_constructors = "datatype D = J(j: int) | ghost K(i: int, j: int) method M(d: D) requires d.K? { ghost var g := d.i; print d.j; print d.i; }";
    assert_eq!(
        errors(of_ghost_constructors),
        [
            "`d.i` resolve/ghost-in-compiled: the field `i` of a ghost constructor can be used in ghost contexts only (declare the target `ghost`, or remove `ghost` from the declaration that is used)"
        ]
    );
    assert_eq!(
        errors("method M(ghost g: bool) returns (r: int) { if g { r := 3; } }").len(),
        1
    );
    assert!(
        errors("method M(x: int) returns (r: int) { var y := old(x); assert y == x; r := x; }")
            .is_empty()
    );
}

#[test]
fn a_branch_that_changes_ghost_parameters_only_is_not_compiled() {
    let recursive = "function F(x: nat, ghost y: nat): nat { if x == 0 then 0 else if y != 0 then F(x, y - 1) else F(x - 1, 60) + 13 }";
    assert!(errors(recursive).is_empty());
    assert_eq!(
        errors("function F(x: nat, ghost y: nat): nat { if y != 0 then x else 0 }").len(),
        1
    );
}

#[test]
fn errors_use_dafny_terms() {
    let check = |body: &str, expected: &[&str]| {
        let source = format!(
            "datatype Opt<T> = None | Some(value: T) class C {{ var f: int }} function Fun(x: int, y: bool): int {{ x }} method M(n: nat, o: Opt<int>, c: C) returns (r: int) {{ {body} }}"
        );
        assert_eq!(errors(&source), expected, "{body}");
    };
    check(
        "var x := 5; x := true;",
        &["`x` resolve/type-mismatch: expected int, found bool"],
    );
    check(
        "r := Fun(1);",
        &[
            "`Fun(1)` resolve/argument-count: wrong number of arguments: `Fun` takes 2, found 1 (missing: y)",
        ],
    );
    check(
        "r := fun(1, true);",
        &["`fun` resolve/unknown-name: unresolved name: fun (did you mean `Fun`?)"],
    );
    check(
        "r := c.g;",
        &["`g` resolve/unknown-member: `g` is not a member of type `C` (did you mean `f`?)"],
    );
    check(
        "r := o.valeu;",
        &[
            "`valeu` resolve/unknown-member: `valeu` is not a member of type `Opt<int>` (did you mean `value`?)",
        ],
    );
    check(
        "n := 3;",
        &[
            "`n` resolve/immutable: the in-parameter or bound variable `n` cannot be assigned to (declare a local variable for the new value)",
        ],
    );
    check(
        "var l := 'a'; r := l(4);",
        &["`l(4)` resolve/not-a-function: a value of type `char` is not a function"],
    );
    check(
        "match o { case Sume(v) => case None => }",
        &[
            "`Sume(v)` resolve/unknown-constructor: `Sume` is not a constructor of `Opt<int>` (did you mean `Some`?)",
        ],
    );
    check(
        "var u;",
        &[
            "`u` resolve/underspecified-type: the type of `u` cannot be inferred (add a type annotation: `u: T`)",
        ],
    );
    check(
        "if 3 { }",
        &["`3` resolve/type-mismatch: expected bool, found int"],
    );
    check(
        "r := 1 + true;",
        &["`1 + true` resolve/type-mismatch: + cannot be used on values of types int and bool"],
    );
}

#[test]
fn one_broken_body_costs_only_itself() {
    let (p, errors) = run_with(
        "method A() returns (r: int) { r := true; } method B() returns (r: int) { r := 3; }",
        Options::default(),
    );
    assert_eq!(errors.len(), 1);
    let has_body = |name: &str| {
        Arena::<CallableId>::ids(&p)
            .into_iter()
            .any(|c| &*p[c].name == name && matches!(p[c].body, Body::Block(_)))
    };
    assert!(!has_body("A") && has_body("B"));
}

#[test]
fn defaults_and_named_arguments_are_filled_in() {
    let p = run(
        "function G(x: int, y: int := x + 1, z: int := y): int { x }  function F(a: int): int { G(a, z := 5) }",
    );
    let f = Arena::<CallableId>::ids(&p)
        .into_iter()
        .find(|c| &*p[*c].name == "F");
    let Some(Body::Expr(e)) = f.map(|f| &p[f].body) else {
        panic!()
    };
    let ExprKind::Call(c) = &e.kind else { panic!() };
    assert_eq!(
        c.args.iter().map(|a| show(&p, a)).collect::<Vec<_>>(),
        ["a", "(a + 1)", "5"]
    );
}

#[test]
fn deep_expressions_need_no_deep_stack() {
    let sum = vec!["x"; 400].join(" + ");
    let p = run(&format!("function F(x: int): int {{ {sum} }}"));
    std::mem::forget(p);
}

#[test]
fn iterators_loops_and_assignments_are_checked() {
    let cases: [(&str, &[&str]); 9] = [
        (
            "method M() { yield; }",
            &["`yield` is allowed in the body of an iterator only"],
        ),
        (
            "iterator I() yields (x: int) { return 3; }",
            &["`return` is for methods, not for iterators"],
        ),
        (
            "iterator I() yields (x: int) { yield 1, 2; }",
            &["`yield` has 2 values"],
        ),
        (
            "iterator I() yields (x: int) { yield true; }",
            &["expected int, found bool"],
        ),
        (
            "iterator I(n: int) yields (x: int) { n := 3; }",
            &["the constant `n` cannot be assigned to"],
        ),
        (
            "iterator I(xs: int) yields (x: int) { }",
            &["name of in- or yield-parameter is used by another member of the iterator: xs"],
        ),
        (
            "method P() returns (a: int, b: int) method M() { var x := 1; x, x := P(); }",
            &["duplicate variable in left-hand side of call statement: x"],
        ),
        (
            "method M() { for c: char := 'a' to 'b' { } }",
            &["index variable is expected to be of an integer type (got char)"],
        ),
        (
            "iterator I(c: array<int>, n: nat) yields (x: int) requires n > 2 modifies c decreases n, c yield requires |xs| < n { yield c[0] + n; }",
            &[],
        ),
    ];
    for (source, expected) in cases {
        let found = errors(source);
        let as_expected =
            found.len() == expected.len() && found.iter().zip(expected).all(|(f, e)| f.contains(e));
        assert!(as_expected, "{source}: {found:?}");
    }
}

#[test]
fn a_character_must_fit_one_code_unit_without_unicode_char() {
    let units = Options {
        unicode_char: false,
        ..Options::default()
    };
    let one = run_with("method M() { var a := '\u{1F600}'; }", units).1;
    assert_eq!(
        one,
        [
            "`'\u{1F600}'` resolve/character: with `--unicode-char:false` this character is two code units, not one `char`"
        ]
    );
}
