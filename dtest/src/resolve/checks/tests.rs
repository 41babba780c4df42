//! Programs whose lines with errors are marked `// error`; there are no others.

use crate::source::SourceMap;
use crate::typed::Options;

fn check(source: &str) {
    check_with(source, Options::default());
}

fn check_with(source: &str, options: Options) {
    let mut map = SourceMap::new();
    map.add("a.dfy", source, true);
    let (file, mut diagnostics) = crate::syntax::parse(0, source);
    diagnostics.extend(super::super::resolve(vec![file], options).1);
    let errors = diagnostics.iter().filter(|d| d.is_error());
    let mut found: Vec<u32> = errors.clone().filter_map(|d| Some(map.line_column(d.span?.start)?.line)).collect();
    found.sort_unstable();
    found.dedup();
    let marked = source.lines().zip(1u32..).filter(|(l, _)| l.contains("// error")).map(|(_, n)| n);
    let shown: Vec<String> = errors.map(|d| format!("{}: {}", d.span.map_or_else(String::new, |s| map.locate(s)), d.message)).collect();
    assert_eq!(found, marked.collect::<Vec<_>>(), "{shown:#?}");
}

#[test]
fn what_traits_give_is_overridden_as_declared() {
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
fn a_trait_of_another_module_is_extended_only_where_somebody_vouches_for_it() {
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
fn type_parameters_vary_as_they_say() {
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
fn no_type_has_more_values_than_itself() {
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
