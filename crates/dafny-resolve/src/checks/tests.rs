//! Programs in which every line with an error, and no other, ends with `// error`.

mod types;

use crate::typed::Options;
use dafny_source::SourceMap;

fn check(source: &str) {
    check_with(source, Options::default());
}

fn check_with(source: &str, options: Options) {
    let mut map = SourceMap::new();
    map.add("a.dfy", source, true);
    let (file, mut diagnostics) = dafny_syntax::parse_with(0, source, options.syntax());
    diagnostics.extend(super::super::resolve(vec![file], options).1);
    let errors = diagnostics.iter().filter(|d| d.is_error());
    let mut found: Vec<u32> = errors
        .clone()
        .filter_map(|d| Some(map.line_column(d.span?.start)?.line))
        .collect();
    found.sort_unstable();
    found.dedup();
    let marked = source
        .lines()
        .zip(1u32..)
        .filter(|(l, _)| l.contains("// error"))
        .map(|(_, n)| n);
    let shown: Vec<String> = errors
        .map(|d| {
            format!(
                "{}: {}",
                d.span.map_or_else(String::new, |s| map.locate(s)),
                d.message
            )
        })
        .collect();
    assert_eq!(found, marked.collect::<Vec<_>>(), "{shown:#?}");
}

#[test]
fn trait_members_are_overridden_consistently() {
    check(
        "trait T<A> {
           const c: int
           static method S()
           method M(x: A)
           function F(x: int): int
           function Full(): int { 1 }
           ghost method G()
         }
         class Good extends T<bool> {
           constructor () { }
           method M(x: bool) { }
           function F(x: int): int { x }
           ghost method G() { }
         }
         class Bad extends T<bool> {
           constructor () { }
           const c: int                       // error
           static method S() { }              // error
           method M(x: int) { }               // error
           function F(x: int): bool { true }  // error
           function Full(): int { 2 }         // error
           method G() { }                     // error
         }",
    );
}

#[test]
fn bodiless_members_must_be_given_unless_the_type_is_a_trait() {
    check(
        "trait T { method M() method E() }
         trait U extends T { method E() { } }
         class C extends U {   // error
           constructor () { }
         }",
    );
}

#[test]
fn a_name_comes_from_one_trait() {
    check(
        "trait A { method M() { } }
         trait B { method M() { } }
         class C extends A, B { constructor () { } }   // error
         trait D extends A, B { }                      // error
         trait E extends A { method M() { } }
         class F extends A, E { constructor () { } }",
    );
}

#[test]
fn a_trait_of_another_module_is_extended_only_with_the_termination_attribute() {
    check(
        "module A {
           trait T { }
           trait {:termination false} U { }
         }
         module B {
           import opened A
           class C extends T { }   // error
           class D extends U { }
           @AssumeCrossModuleTermination
           class E extends T { }
         }",
    );
}

#[test]
fn type_parameters_are_used_by_their_variance() {
    check(
        "datatype Co<+A> = Co(A, seq<A>)
         datatype In<-A> = In(A -> int)
         datatype Wrong<+A> = Wrong(A -> int)    // error
         datatype Strict<A> = Strict(A -> int)   // error
         datatype Lax<!A> = Lax(A -> A)
         type Out<*A> = iset<A>
         type Both<-A> = int -> A                // error
         class C<+A> { }                         // error",
    );
}

#[test]
fn no_type_contains_the_set_of_its_own_subsets() {
    check(
        "datatype D = D(D -> bool)      // error
         datatype E = E(iset<F>)        // error
         datatype F = F(E)
         datatype G = G(int -> G) | H",
    );
}

#[test]
fn constraints_do_not_depend_on_their_own_type() {
    check(
        "type Even = x: int | IsEven(x) witness 0
         predicate IsEven(x: int) { x % 2 == 0 }
         type Odd = x: int | IsOdd(x) witness 1    // error
         predicate IsOdd(x: int) { exists y :: 0 <= y <= x && y as Odd == x }",
    );
}

#[test]
fn fields_and_constants_have_values() {
    check(
        "type Empty = x: int | false witness *
         type Ghostly = x: int | x == 3 ghost witness 3
         class A { var e: Empty }                        // error
         class B { var e: Empty constructor () { e := *; } }
         class C { ghost var g: Ghostly var n: A? }
         const c: Ghostly                                // error
         ghost const d: Ghostly
         datatype D = D { const e: Empty }               // error",
    );
}

#[test]
fn constructors_are_called() {
    check(
        "module A { class Plain { } class Made { constructor () { } constructor Named() { } } }
         module B {
           import A
           class Own { }
           method M() {
             var a := new Own;
             var b := new A.Plain;  // error
             var c := new A.Made;   // error
             var d := new A.Made();
             var e := new object;
           }
         }",
    );
}

#[test]
fn two_states_are_compared_where_there_are_two() {
    check(
        "class C { var x: int }
         twostate predicate Grew(c: C) reads c { old(c.x) <= c.x }
         ghost function F(c: C): int reads c { old(c.x) }// error
         method M(c: C)
           requires old(c.x) == 0                        // error
           modifies c
           ensures Grew(c) && fresh(c)
         {
           c.x := 1;
           label L:
           c.x := 2;
           assert old@L(c.x) == 1;
           if c.x == 2 {
             label In:
             c.x := 3;
             assert old@In(c.x) == 2;
           }
           assert old@In(c.x) == 2;                      // error
           assert old(old(c.x)) == 0;                    // error
           label L: c.x := 4;                            // error
         }
         ghost const k := var c := 1; old(c)                 // error",
    );
}

#[test]
fn ghost_code_changes_nothing_that_is_compiled() {
    check(
        "class C {
           var x: int
           ghost var g: int
           ghost constructor () {
             x := 1;
             new;
             x := 2;              // error
             g := 2;
           }
           ghost method G(a: array<int>) modifies this, a {
             g := 1;
             x := 1;              // error
             a[0] := 1;           // error
             print 1;             // error
             Compiled();          // error
             var own := new int[2];
           }
           method Compiled() modifies this {
             ghost var b := g == 0;
             if b { x := 1; }     // error
             if b { g := 1; }
           }
         }",
    );
}

#[test]
fn proofs_change_nothing_that_they_do_not_declare() {
    check(
        "class C { ghost var g: int }
         ghost method Effect(c: C) modifies c
         lemma L(c: C) returns (r: int) {
           r := 1;
           c.g := 1;                    // error
           var a := new int[1];         // error
           Effect(c);                   // error
         }
         method M(c: C) modifies c {
           ghost var n := 0;
           assert true by {
             var own := 1;
             own := 2;
             n := 1;                    // error
             Effect(c);                 // error
           }
           calc {
             1;
             { n := 2; }                // error
             1;
           }
           forall i | 0 <= i < 3 ensures i == i {
             var r := L(c);
             modify c;                  // error
           }
         }",
    );
}

#[test]
fn type_arguments_have_the_required_characteristics() {
    check(
        "type Empty = x: int | false witness *
         type Ghostly = x: int | x == 3 ghost witness 3
         class Eq<T(==)> { constructor () { } }
         datatype Box<T> = Box(T)
         datatype Keys<T> = Keys(set<T>)
         method Init<T(0)>() { }
         method Some<T(00)>() { }
         method Pure<T(!new)>() { }
         method M(f: Eq<int -> int>) {       // error
           var a: Eq<bool>;
           Init<int>();
           Init<Ghostly>();                  // error
           Some<Ghostly>();
           Some<Empty>();                    // error
           Pure<object?>();                  // error
           var b: set<int -> int> := {};     // error
           ghost var c: set<int -> int> := {};
           var d: Keys<int ~> int>;          // error
         }",
    );
}

#[test]
fn compiled_code_compares_what_has_equality() {
    check(
        "codatatype Stream = Nil | Cons(int, Stream)
         datatype Hidden = Hidden(ghost g: int)
         method M<T, E(==)>(s: Stream, t: T, e: E, h: Hidden, i: iset<int>) {
           var a := e == e && i == i;
           var b := s == s;                  // error
           var c := t == t;                  // error
           var d := h == h;                  // error
           var f := s == Nil;
           ghost var g := s == s && t == t && h == h;
         }",
    );
}

#[test]
fn datatypes_over_abstract_types_have_equality() {
    check(
        "type Value
         datatype Vote = Vote(value: Value, ballot: nat)
         datatype Batch = Batch(values: seq<Value>, last: Box<Value>)
         datatype Box<T> = Box(content: T) | Empty
         datatype Phantom<T> = Phantom(int)
         datatype List<T> = Nil | Cons(head: T, tail: List<T>)
         datatype Hidden = Hidden(f: int -> int)
         datatype Even<T> = Even(Odd<T>) | Zero
         datatype Odd<T> = Odd(Even<T>, T)
         method Needs<E(==)>(e: E) { }
         method Votes(s: set<Vote>, m: map<Vote, int>, b: set<Batch>, t: set<(Vote, int)>) { }
         method Compares(v: Vote, s: seq<Vote>) returns (r: bool) {
           r := v == v && v in s && multiset(s) == multiset(s);
           Needs(v);
         }
         method Value0(s: set<Value>) { }            // error
         method Value1(s: set<seq<Value>>) { }       // error
         method Value2(s: set<(Value, int)>) { }     // error
         method Value3(v: Value) { Needs(v); }       // error
         method Box0(s: set<Box<Vote>>) { }
         method Box1(s: set<Box<Value>>) { }         // error
         method Box2(s: set<Box<Box<Value>>>) { }    // error
         method Box3<T>(s: set<Box<T>>) { }          // error
         method List0(s: set<List<List<Hidden>>>) { } // error
         method List1(s: set<List<Phantom<Value>>>) { }
         method Even0(s: set<Even<Vote>>) { }
         method Even1(s: set<Even<Value>>) { }       // error",
    );
}

#[test]
fn attributes_mention_what_exists() {
    check(
        "predicate P(x: int)
         method {:note x, r, 1} M(x: int) returns (r: int)
           requires {:note nobody} x == 0           // error
         {
           r := 1;
           assert {:note r + x} {:split true + 1} true;   // error
           assert forall i {:trigger P(i)} :: P(i) ==> P(i);
           if y {:trigger P(y)} :| P(y) { }
         }",
    );
}

const DETERMINISTIC: &str = "class A { var f: int constructor () { f := 0; } }
     class Constants { const c := 3 }
     class {:extern} Elsewhere { var f: int }
     iterator Nothing() { yield; }
     method Havoc(a: array<int>, o: A) modifies a, o {
       var x: int := *;                       // error
       x := *;                                // error
       var y: int, z: int := 3, *;            // error
       o.f := *;                              // error
       forall i | 0 <= i < a.Length {
         a[i] := *;                           // error
       }
     }
     method SuchThat() {
       var x :| 0 <= x < 5;                   // error
       x :| x < 5;                            // error
       ghost var g :| 0 <= g < 5;             // error
       var let := var s :| s == 3; s;
     }
     method Branches(k: int) {
       if * { }                               // error
       else if i :| 0 <= i < k { }            // error
       if {                                   // error
         case k >= 0 => while {               // error
           case false => { }
         }
         case k <= 0 =>
       }
       if { case true => }
       if k == 3 { } else { while * { } }     // error
     }
     method Modifies(o: A) modifies o {
       modify o;                              // error
     }
     function ByMethod(): int { 3 } by method {
       var x :| x == 3;                       // error
       return x;
     }
     lemma Lemma() { var x :| x == 3; if * { } }
     ghost method Ghost() { var x: int := *; while * { } }
     class NoConstructor { var j: int }       // error
     iterator Gen(n: int) yields (x: int) {   // error
       x := *;                                // error
     }";

#[test]
fn nondeterminism_is_rejected_with_enforce_determinism() {
    check_with(
        DETERMINISTIC,
        Options {
            enforce_determinism: true,
            ..Options::default()
        },
    );
    check(&DETERMINISTIC.replace("// error", ""));
}

#[test]
fn specifications_say_that_a_type_holds_no_references_in_either_syntax() {
    let old = |source| {
        check_with(
            source,
            Options {
                function_syntax: 3,
                ..Options::default()
            },
        )
    };
    old("predicate Total<T(!new)>(r: (T, T) -> bool)
         lemma L<T>(r: (T, T) -> bool) requires Total(r) { } // error
         method Pure<T(!new)>() { }
         method M<T>() { Pure<T>(); } // error");
    check(
        "ghost predicate Total<T(!new)>(r: (T, T) -> bool)
         lemma L<T>(r: (T, T) -> bool)
           requires Total(r) // error
         { }",
    );
}

#[test]
fn constructors_go_before_destructors_of_their_name() {
    check(
        "datatype Value = S(S: string) | N(N: int)
         function Made(): Value { Value.S(\"a\") }
         function Read(v: Value): int { if v.S? then |v.S| else v.N }
         function Wrong(): int { Value.M } // error",
    );
}

#[test]
fn an_export_set_names_the_anonymous_constructor() {
    check(
        "module A { export reveals C provides C._ctor
                    class C { constructor () {} } }
         module B { import A method M() { var c := new A.C(); } }
         module D { export provides _none // error
                    class C { constructor () {} } }",
    );
}

#[test]
fn a_variable_for_a_ghost_out_parameter_is_ghost() {
    check(
        "datatype R = Ok(v: int) | Bad {
           predicate IsFailure() { Bad? }
           function PropagateFailure(): R { this }
           function Extract(): int requires Ok? { v } }
         method Inner(n: int) returns (r: R, ghost g: seq<int>)
         method Outer(n: int) returns (r: R, k: int) {
           var v, g :- Inner(n);
           assert |g| >= 0;
           k := |g|; // error
           r := Ok(v + 1);
         }",
    );
}
