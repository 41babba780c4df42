//! Tests of the interpreter with Dafny programs.

use std::sync::Arc;

use super::super::*;
use dafny_resolve::typed::{self, Arena, Options};
use dafny_source::SourceMap;
use dtest_sorted::SortedMap;
use dtest_value::{Contents, FunctionValue, Object, ObjectId, Template};

pub(super) struct Subject {
    map: SourceMap,
    pub(super) program: ir::Program,
}

pub(super) fn subject(source: &str) -> Subject {
    subject_with(source, Options::default())
}

pub(super) fn subject_with(source: &str, options: Options) -> Subject {
    let (map, typed) = dtest_lower::testing::resolved(source, options);
    Subject {
        map,
        program: dtest_lower::lower(Arc::new(typed)),
    }
}

impl Subject {
    pub(super) fn callable(&self, name: &str) -> CallableId {
        let typed = &self.program.typed;
        let found = Arena::<CallableId>::ids(&**typed)
            .into_iter()
            .find(|id| typed.callable_path(*id) == name);
        found.unwrap_or_else(|| panic!("no {name}"))
    }

    pub(super) fn ty(&self, name: &str) -> Type {
        let typed = &self.program.typed;
        let decl = Arena::<TypeId>::ids(&**typed)
            .into_iter()
            .find(|id| typed.type_path(*id) == name);
        Type::named(decl.unwrap_or_else(|| panic!("no {name}")), Vec::new())
    }

    pub(super) fn ctor(&self, name: &str) -> typed::CtorId {
        let typed = &self.program.typed;
        let found = Arena::<typed::CtorId>::ids(&**typed)
            .into_iter()
            .find(|id| &*typed[*id].name == name);
        found.unwrap_or_else(|| panic!("no {name}"))
    }

    pub(super) fn text(&self, span: dafny_source::Span) -> &str {
        self.map.text(span)
    }

    pub(super) fn run(&self, name: &str, inputs: &Inputs) -> Execution {
        Interp::new(&self.program, Limits::default()).run(self.callable(name), inputs)
    }

    /// Returns the values that a unit returns.
    pub(super) fn returns(&self, name: &str, args: impl IntoIterator<Item = Value>) -> Vec<Value> {
        match self.run(name, &with(args)).outcome {
            Outcome::Returned(values) => values.into_iter().map(Option::unwrap).collect(),
            other => panic!("{other:?}"),
        }
    }

    /// Returns the kind and the text of the failure with which a unit ends.
    fn fails(&self, name: &str, args: impl IntoIterator<Item = Value>) -> (FailureKind, &str) {
        match self.run(name, &with(args)).outcome {
            Outcome::Failed(f) => (f.kind, self.map.text(f.span)),
            other => panic!("{other:?}"),
        }
    }

    pub(super) fn requires(&self, name: &str, inputs: &Inputs) -> Vec<Truth> {
        let check =
            Interp::new(&self.program, Limits::default()).check_inputs(self.callable(name), inputs);
        check
            .types
            .into_iter()
            .chain(check.requires)
            .map(|c| c.truth)
            .collect()
    }

    pub(super) fn ensures(&self, name: &str, inputs: &Inputs) -> Vec<Truth> {
        let interp = Interp::new(&self.program, Limits::default());
        let unit = self.callable(name);
        let execution = interp.run(unit, inputs);
        interp
            .check_ensures(unit, inputs, &execution)
            .into_iter()
            .map(|c| c.truth)
            .collect()
    }
}

pub(super) fn with(args: impl IntoIterator<Item = Value>) -> Inputs {
    Inputs {
        args: args.into_iter().collect(),
        ..Inputs::default()
    }
}

fn ints(items: impl IntoIterator<Item = i64>) -> Value {
    Value::seq(items.into_iter().map(Value::int))
}

/// Returns the output of `Main`.
pub(super) fn printed(source: &str) -> String {
    let s = subject(source);
    let mut text = String::new();
    let result =
        Interp::new(&s.program, Limits::default()).run_main(&[], &mut |t| text.push_str(t));
    assert_eq!(
        result.outcome,
        Outcome::Returned(Vec::new()),
        "after {text:?}"
    );
    text
}

fn array(items: impl IntoIterator<Item = i64>) -> Object {
    let elements: Vec<Option<Value>> = items.into_iter().map(|n| Some(Value::int(n))).collect();
    let ty = Type::Array {
        dims: 1,
        nullable: false,
        elem: Box::new(Type::Int),
    };
    Object::new(ty, Contents::Elements(dtest_value::Elements::row(elements)))
}

#[test]
fn operators_compute_as_the_manual_says() {
    let text = printed(
        r#"newtype u8 = x: int | 0 <= x < 256
           datatype D = A | B(x: int, y: seq<int>)
           method Main() {
             print -7 / 2, " ", -7 % 2, " ", 7 / -2, " ", 7 % -2, "\n";
             print (200 as u8) / 7, " ", 300 as bv16 * 300, " ", !(5 as bv8), " ", (1 as bv8) << 3, "\n";
             print 1.5 + 0.25, " ", (7.0 / 2.0).Floor, " ", 3 as real, "\n";
             print [1, 2] + [3], " ", [1, 2, 3][1..], " ", |{1, 1, 2}|, " ", {1, 2} - {2}, "\n";
             print multiset{1, 1, 2}[1], " ", map[1 := 2] + map[1 := 3], " ", 3 in map[3 := 4], "\n";
             print B(1, [2]), " ", B(1, []).(x := 5), " ", A, " ", (1, 'c', "s"), "\n";
             print set x | 0 <= x < 10 && x % 3 == 0 :: x * x, " ", map x | x in {1, 2} :: x := -x, "\n";
             print 'a' + (1 as char), " ", 'a' as int, " ", "ab" < "abc", " ", {1} < {1, 2}, "\n";
           }"#,
    );
    insta::assert_snapshot!(text);
}

#[test]
fn loops_classes_and_arrays_run() {
    let text = printed(
        r#"trait Shape { var name: string  function Area(): int reads this  method Show() { print name, " ", Area(), "\n"; } }
           class Square extends Shape { var side: int
             constructor (side: int) ensures this.side == side { this.side := side; name := "square"; }
             function Area(): int reads this { side * side } }
           class Unit extends Shape { constructor () { name := "unit"; }
             function Area(): int { 1 }  method Show() { print "just ", name, "\n"; } }
           method Main() {
             var s: Shape := new Square(4);
             s.Show();
             s := new Unit();
             s.Show();
             var a := new int[3](i => i * i);
             a[1] := 7;
             print a[..], " ", a.Length, "\n";
             forall i | 0 <= i < 3 { a[i] := a[(i + 1) % 3]; }
             print a[..], "\n";
             var m := new int[2, 3]((i, j) => 10 * i + j);
             print m[1, 2], " ", m.Length0, m.Length1, "\n";
             var i := 0;
             while true { i := i + 1; if i == 3 { continue; } if i > 5 { break; } print i, " "; }
             for k := 3 downto 0 { print k; }
             print "\n";
           }"#,
    );
    insta::assert_snapshot!(text);
}

#[test]
fn functions_are_values() {
    let s = subject(
        "function Twice<T>(f: T -> T, x: T): T { f(f(x)) }
         function Adder(n: int): int -> int { x => x + n }
         function Compose(n: int): int { Twice(Adder(n), 0) }
         function Partial(f: int --> int, x: int): int requires f.requires(x) { f(x) }
         function Guarded(x: int): int { Partial(y requires y > 3 => y * y, x) }
         function Named(x: int): int { Twice(Adder(1), Partial(Adder(x), 1)) }",
    );
    assert_eq!(s.returns("Compose", [Value::int(4)]), [Value::int(8)]);
    assert_eq!(
        s.fails("Guarded", [Value::int(3)]).0,
        FailureKind::Precondition
    );
    assert_eq!(s.returns("Guarded", [Value::int(4)]), [Value::int(16)]);
    assert_eq!(s.returns("Named", [Value::int(4)]), [Value::int(7)]);
    let apply = |f: FunctionValue| {
        let inputs = Inputs {
            type_args: vec![Type::Int],
            args: vec![Value::Function(Arc::new(f)), Value::int(1)],
            ..Inputs::default()
        };
        s.run("Twice", &inputs).outcome
    };
    let table = FunctionValue::Table {
        entries: vec![(vec![Value::int(1)], Value::int(5))],
        default: Value::int(9),
    };
    assert_eq!(apply(table), Outcome::Returned(vec![Some(Value::int(9))]));
    assert_eq!(
        apply(FunctionValue::Template(Template::Successor)),
        Outcome::Returned(vec![Some(Value::int(3))])
    );
}

#[test]
fn proof_obligations_are_checked() {
    let s = subject(
        "newtype u8 = x: int | 0 <= x < 256
         type Even = x: int | x % 2 == 0
         function Add(a: u8, b: u8): u8 { a + b }
         function Half(n: int): int requires n % 2 == 0 { n / 2 }
         function Caller(n: int): int { Half(n) + 1 }
         method At(s: seq<int>, i: int) returns (r: int) { r := s[i]; }
         method Narrow(n: int) returns (e: Even) { e := n; }
         method Assert(n: int) { assert n < 3; }
         method Pick(n: int) returns (r: int) { r :| 0 <= r < n; }
         datatype D = A | B(x: int)
         function Get(d: D): int { d.x }
         method Apply(n: int) returns (r: int) { var f := x requires x > 0 => 10 / x; r := f(n); }",
    );
    assert_eq!(
        s.fails("Apply", [Value::int(0)]),
        (FailureKind::Application, "f(n)")
    );
    assert_eq!(s.returns("Apply", [Value::int(5)]), [Value::int(2)]);
    let int = Value::int;
    assert_eq!(s.returns("Add", [int(255), int(0)]), [int(255)]);
    assert_eq!(
        s.fails("Add", [int(255), int(1)]),
        (FailureKind::TypeConstraint, "a + b")
    );
    assert_eq!(
        s.fails("Caller", [int(3)]),
        (FailureKind::Precondition, "Half(n)")
    );
    assert_eq!(
        s.fails("At", [ints([1]), int(1)]),
        (FailureKind::Index, "s[i]")
    );
    assert_eq!(s.fails("Narrow", [int(3)]).0, FailureKind::TypeConstraint);
    assert_eq!(s.fails("Assert", [int(3)]).0, FailureKind::Assert);
    assert_eq!(s.fails("Pick", [int(0)]).0, FailureKind::NoCandidate);
    assert_eq!(
        s.fails("Get", [Value::datatype(s.ctor("A"), Vec::new())]),
        (FailureKind::Destructor, "d.x")
    );
}

#[test]
fn preconditions_and_types_of_arguments_are_decided() {
    let s = subject(
        "predicate Sorted(s: seq<int>) { forall i, j :: 0 <= i < j < |s| ==> s[i] <= s[j] }
         method Find(s: seq<nat>, x: int) requires Sorted(s) requires exists i :: 0 <= i < |s| && s[i] == x { }
         method Injective(f: int -> int) requires forall x, y :: f(x) == f(y) ==> x == y { }",
    );
    let check = |items: &[i64], x: i64| {
        s.requires("Find", &with([ints(items.iter().copied()), Value::int(x)]))
    };
    assert_eq!(
        check(&[1, 2, 2], 2),
        [Truth::True, Truth::True, Truth::True, Truth::True]
    );
    assert_eq!(
        check(&[1, 3, 2], 4),
        [Truth::True, Truth::True, Truth::False, Truth::False]
    );
    assert_eq!(
        check(&[-1], -1),
        [Truth::False, Truth::True, Truth::True, Truth::True]
    );
    let constant = FunctionValue::Table {
        entries: Vec::new(),
        default: Value::int(0),
    };
    let inject = |f: FunctionValue| {
        s.requires("Injective", &with([Value::Function(Arc::new(f))]))
            .pop()
            .unwrap()
    };
    assert_eq!(inject(constant), Truth::False);
    assert!(matches!(
        inject(FunctionValue::Template(Template::Identity)),
        Truth::Unknown(_)
    ));
}

#[test]
fn postconditions_read_the_old_heap() {
    let s = subject(
        "method Increment(a: array<int>, i: int) returns (r: int)
           requires 0 <= i < a.Length
           modifies a
           ensures a[i] == old(a[i]) + 1
           ensures r == old(a[..])[i]
           ensures forall k :: 0 <= k < a.Length && k != i ==> a[k] == old(a[k])
           ensures fresh(a)
         { r := a[i]; a[i] := r + 1; }",
    );
    let inputs = Inputs {
        args: vec![Value::Ref(ObjectId(0)), Value::int(1)],
        heap: Heap {
            objects: vec![array([4, 5, 6])],
        },
        ..Inputs::default()
    };
    assert_eq!(
        s.ensures("Increment", &inputs),
        [Truth::True, Truth::True, Truth::True, Truth::False]
    );
    assert_eq!(s.run("Increment", &inputs).heap.objects, [array([4, 6, 6])]);
    assert_eq!(
        s.requires("Increment", &inputs),
        [Truth::True, Truth::True, Truth::True]
    );
}

#[test]
fn fields_of_input_objects_are_read_and_written() {
    let s = subject(
        "class Counter { var n: int  const step: int
           constructor (step: int) ensures n == 0 && this.step == step ensures fresh(this) { n := 0; this.step := step; }
           method Tick() returns (r: int) modifies this ensures n == old(n) + step && r == n ensures unchanged(this) { n := n + step; r := n; } }",
    );
    let typed = &s.program.typed;
    let field = |name: &str| {
        Arena::<FieldId>::ids(&**typed)
            .into_iter()
            .find(|f| &*typed[*f].name == name)
            .unwrap()
    };
    let fields = SortedMap::from([(field("n"), Value::int(5)), (field("step"), Value::int(2))]);
    let counter = Object::new(s.ty("Counter"), Contents::Fields(fields));
    let inputs = Inputs {
        args: vec![Value::Ref(ObjectId(0))],
        heap: Heap {
            objects: vec![counter],
        },
        ..Inputs::default()
    };
    assert_eq!(
        s.run("Counter.Tick", &inputs).outcome,
        Outcome::Returned(vec![Some(Value::int(7))])
    );
    assert_eq!(
        s.ensures("Counter.Tick", &inputs),
        [Truth::True, Truth::False]
    );
    let fresh = Object::new(s.ty("Counter"), Contents::Fields(SortedMap::new()));
    let inputs = Inputs {
        args: vec![Value::Ref(ObjectId(0)), Value::int(3)],
        heap: Heap {
            objects: vec![fresh],
        },
        ..Inputs::default()
    };
    assert_eq!(
        s.ensures("Counter._ctor", &inputs),
        [Truth::True, Truth::True]
    );
}

#[test]
fn contents_of_objects_belong_to_their_types() {
    let s =
        subject("class Box { var n: nat var next: Box? var all: seq<Box> } method M(b: Box) { }");
    let typed = &s.program.typed;
    let field = |name: &str| {
        Arena::<FieldId>::ids(&**typed)
            .into_iter()
            .find(|f| &*typed[*f].name == name)
            .unwrap()
    };
    let verdict = |n: i64, element: Value| {
        let fields = [
            (field("n"), Value::int(n)),
            (field("next"), Value::Null),
            (field("all"), Value::seq([element])),
        ];
        let object = Object::new(s.ty("Box"), Contents::Fields(fields.into()));
        let inputs = Inputs {
            args: vec![Value::Ref(ObjectId(0))],
            heap: Heap {
                objects: vec![object],
            },
            ..Inputs::default()
        };
        Interp::new(&s.program, Limits::default())
            .check_inputs(s.callable("M"), &inputs)
            .verdict()
    };
    assert_eq!(verdict(3, Value::Ref(ObjectId(0))), Truth::True);
    assert_eq!(verdict(-3, Value::Ref(ObjectId(0))), Truth::False);
    assert_eq!(verdict(3, Value::Null), Truth::False);
}

#[test]
fn a_choice_with_one_candidate_is_deterministic() {
    let s = subject(
        "method Any(s: set<int>) returns (r: int) requires s != {} { r :| r in s; }
         method Least(s: set<int>) returns (r: int) { r :| r in s && forall x :: x in s ==> r <= x; }
         method Star() returns (r: int) { if * { r := 1; } else { r := 2; } }
         method Havoc() returns (r: int) { r := *; }
         method Unread() returns (r: int) { var x: int := *; x := 3; r := x; }
         method Plain() returns (r: int) { r := 3; }",
    );
    let set = || Value::set([5, 2, 9].map(Value::int));
    let run = |name: &str, args: Vec<Value>| {
        let e = s.run(name, &with(args));
        (e.outcome, e.deterministic)
    };
    let returned = |n: i64| Outcome::Returned(vec![Some(Value::int(n))]);
    assert_eq!(run("Any", vec![set()]), (returned(2), false));
    assert_eq!(
        run("Any", vec![Value::set([Value::int(4)])]),
        (returned(4), true)
    );
    assert_eq!(run("Least", vec![set()]), (returned(2), true));
    assert_eq!(run("Star", vec![]), (returned(1), false));
    assert_eq!(run("Havoc", vec![]), (returned(0), false));
    assert_eq!(run("Unread", vec![]), (returned(3), true));
    assert_eq!(run("Plain", vec![]), (returned(3), true));
}

#[test]
fn blocks_are_recorded_up_to_a_failure() {
    let s = subject(
        "method M(n: int) returns (r: int) { if n > 0 { r := 1; } else { r := 10 / n; } r := r + 1; }",
    );
    let one = s.run("M", &with([Value::int(1)]));
    let zero = s.run("M", &with([Value::int(0)]));
    assert!(matches!(
        zero.outcome,
        Outcome::Failed(Failure {
            kind: FailureKind::Division,
            ..
        })
    ));
    assert_eq!(one.visited.first(), zero.visited.first());
    assert_ne!(one.visited, zero.visited);
    assert_eq!(one.trace.len(), 1);
}

#[test]
fn default_values_meet_their_types() {
    let s = subject(
        "type Big = x: int | x > 100 witness 101
         newtype Digit = x: int | 0 <= x < 10
         datatype Tree = Node(left: Tree, n: Big, right: Tree) | Leaf(d: Digit)
         type None = x: int | x != x witness *
         class C {}",
    );
    let interp = Interp::new(&s.program, Limits::default());
    assert_eq!(interp.default_value(&s.ty("Big")), Some(Value::int(101)));
    assert_eq!(
        interp.default_value(&s.ty("Tree")),
        Some(Value::datatype(s.ctor("Leaf"), vec![Value::int(0)]))
    );
    assert_eq!(interp.default_value(&s.ty("None")), None);
    assert_eq!(interp.default_value(&s.ty("C")), None);
    let heap = Heap::default();
    let leaf = |n: i64| Value::datatype(s.ctor("Leaf"), vec![Value::int(n)]);
    assert_eq!(
        interp.value_has_type(&leaf(9), &s.ty("Tree"), &heap),
        Truth::True
    );
    assert_eq!(
        interp.value_has_type(&leaf(10), &s.ty("Tree"), &heap),
        Truth::False
    );
    assert_eq!(
        interp.value_has_type(&Value::Bool(true), &s.ty("Big"), &heap),
        Truth::False
    );
    let node = Value::datatype(s.ctor("Node"), vec![leaf(1), Value::int(100), leaf(2)]);
    assert_eq!(
        interp.value_has_type(&node, &s.ty("Tree"), &heap),
        Truth::False
    );
}

#[test]
fn a_function_by_method_runs_its_method() {
    let s = subject(
        "function Fib(n: nat): nat { if n < 2 then n else Fib(n - 1) + Fib(n - 2) } by method {
           var a, b := 0, 1;
           for i := 0 to n { a, b := b, a + b; }
           return a;
         }
         function Plus(n: nat): nat { Fib(n) + 1 }",
    );
    assert_eq!(
        s.returns("Fib", [Value::int(80)]),
        [Value::int(23_416_728_348_467_685_i64)]
    );
    assert_eq!(
        s.returns("Plus", [Value::int(80)]),
        [Value::int(23_416_728_348_467_686_i64)]
    );
}

#[test]
fn values_are_allocated_with_their_objects() {
    let s = subject(
        "class C { constructor() {} } datatype D = Nil | Cons(C, D)
         method M() returns (r: int) {
           var d1, d2 := Nil, Nil; var c1 := new C(); label L1: var c2 := new C();
           assert old(allocated(d1) && allocated(d2));
           d1 := Cons(c1, Nil); d2 := Cons(c2, d1);
           assert old(!allocated(d1) && !allocated([d2])) && allocated(d1) && allocated({d2});
           assert old@L1(allocated(d1) && !allocated(d2));
           r := 1;
         }",
    );
    assert_eq!(s.returns("M", []), [Value::int(1)]);
}

#[test]
fn objects_print_as_the_run_time_library_prints_them() {
    let source = "class C {} method Main() { var a, b := new int[2], new bool[1, 2]; var o := new object; var n: C? := null; print a, b, o, n; }";
    assert_eq!(printed(source), "arrayarray2objectnull");
}

#[test]
fn decreases_to_is_the_well_founded_order() {
    let s = subject(
        "datatype Tree = Node(children: seq<Tree>) | Nil
         function Count(children: seq<Tree>): nat {
           if |children| == 0 then 0
           else
             assert children decreases to children[0];
             assert (children, 3 decreases to children, 2) && !(children[1..] decreases to children) && (children nonincreases to children);
             var first := match children[0] case Node(inner) => (assert children[0] decreases to inner; Count(inner)) case Nil => 1;
             assert children decreases to children[1..];
             first + Count(children[1..])
         }",
    );
    let nil = Value::datatype(s.ctor("Nil"), vec![]);
    let node = Value::datatype(s.ctor("Node"), vec![Value::seq([nil.clone(), nil.clone()])]);
    assert_eq!(
        s.returns("Count", [Value::seq([node, nil])]),
        [Value::int(3)]
    );
}

#[test]
fn ghost_code_of_a_method_means_the_expressions_of_functions() {
    // Assertions of a method about its own function, and about others, refer to their expressions:
    // reference manual, section 6.4.3.
    let s = subject(
        "function Same(n: nat): nat { n } by method { assert Same(n) == Twice(n); assert Same(n + 1) > n; ghost var g := Twice(n); assert g == n; return n; }
         function Twice(n: nat): nat { n } by method { return n + 1; }
         method M(n: nat) returns (r: nat) { var f := Twice; assert f(n) == n; r := f(n); }",
    );
    assert_eq!(s.returns("Same", [Value::int(7)]), [Value::int(7)]);
    assert_eq!(s.returns("M", [Value::int(7)]), [Value::int(8)]);
}

#[test]
fn infinite_values_run_out_of_fuel() {
    let s = subject(
        "function Down(n: int): int { Down(n - 1) }
         function Types<T>(x: T): int { Types<(T, T)>((x, x)) }
         method TypesOf() returns (n: int) { n := Types(1); }
         method Forever() decreases * { while true decreases * { } }
         method Grow() returns (s: seq<int>) decreases * { s := [1]; while true decreases * { s := s + s; } }
         datatype Tree = Leaf | Node(left: Tree, right: Tree)
         method Fork() returns (t: Tree) decreases * { t := Leaf; while true decreases * { t := Node(t, t); } }
         method Pair() returns (t: Tree) decreases * { t := Leaf; while true decreases * { var p := (t, t); t := Node(p.0, p.1); } }
         method Square() returns (n: int) decreases * { n := 2; while true decreases * { n := n * n; } }",
    );
    for name in [
        "Down", "TypesOf", "Forever", "Grow", "Fork", "Pair", "Square",
    ] {
        let args = if name == "Down" {
            vec![Value::int(0)]
        } else {
            Vec::new()
        };
        let outcome = s.run(name, &with(args)).outcome;
        assert!(
            matches!(outcome, Outcome::OutOfFuel(_)),
            "{name}: {outcome:?}"
        );
    }
}

#[test]
fn an_expectation_halts_with_its_message() {
    let s = subject("method M(n: int) { expect n > 0, (\"bad\", n); }");
    assert!(
        matches!(s.run("M", &with([Value::int(0)])).outcome, Outcome::Halted { message, .. } if message == "(['b', 'a', 'd'], 0)")
    );
    assert_eq!(
        s.run("M", &with([Value::int(1)])).outcome,
        Outcome::Returned(Vec::new())
    );
}

#[test]
fn bodiless_code_has_the_same_result_in_code_and_contracts() {
    let s = subject(
        "function {:extern} Outside(n: int): int
         function {:axiom} Ghostly(n: int): int
         ghost function G(n: int): int { n }
         method Uses(n: int) returns (r: int) requires Outside(n) > 3 ensures r == n { r := n; if Outside(n) > 5 { r := 1; } }
         method Spec(n: int) returns (r: int) ensures n > 0 || Outside(n) == 1 { r := n; }",
    );
    // Without a postcondition, any value is allowed: the first candidate, or the one from the
    // inputs.
    let none = with([Value::int(0)]);
    let given = |result: i64| Inputs {
        answers: vec![Answer {
            callee: s.callable("Outside"),
            type_args: Vec::new(),
            args: vec![Some(Value::int(0))],
            results: vec![Some(Value::int(result))],
            changes: Vec::new(),
            undecided: Vec::new(),
        }],
        ..with([Value::int(0)])
    };
    let uses = s.run("Uses", &none);
    assert_eq!(uses.outcome, Outcome::Returned(vec![Some(Value::int(0))]));
    let results: Vec<_> = uses.answers.iter().map(|a| a.results.clone()).collect();
    assert_eq!(results, [vec![Some(Value::int(0))]]);
    let uses = s.run("Uses", &given(6));
    assert_eq!(uses.outcome, Outcome::Returned(vec![Some(Value::int(1))]));
    // Contracts see the same results.
    assert_eq!(s.requires("Uses", &none), [Truth::True, Truth::False]);
    assert_eq!(s.requires("Uses", &given(6)), [Truth::True, Truth::True]);
    assert_eq!(s.ensures("Spec", &with([Value::int(1)])), [Truth::True]);
    assert_eq!(s.ensures("Spec", &none), [Truth::False]);
    assert_eq!(s.ensures("Spec", &given(1)), [Truth::True]);
}

#[test]
fn inner_bounds_are_evaluated_only_if_outer_conditions_hold() {
    let s = subject(
        "datatype D = A | B(items: set<int>)
         function All(s: seq<D>): set<int> { set i, b | 0 <= i < |s| && s[i].B? && b in s[i].items :: b }
         method Pair() returns (x: int, y: int) { x, y :| 12 <= x < y && x * x == 196; }",
    );
    let b = |items: &[i64]| {
        Value::datatype(
            s.ctor("B"),
            vec![Value::set(items.iter().map(|n| Value::int(*n)))],
        )
    };
    let items = Value::seq([
        Value::datatype(s.ctor("A"), Vec::new()),
        b(&[1, 2]),
        b(&[2, 3]),
    ]);
    assert_eq!(
        s.returns("All", [items]),
        [Value::set([1, 2, 3].map(Value::int))]
    );
    assert_eq!(s.returns("Pair", []), [Value::int(14), Value::int(15)]);
}

#[test]
fn values_are_tested_for_the_constraints_of_types() {
    let s = subject_with(
        "type Small = x: int | x < 10
         method Is(x: int) returns (a: bool, b: bool) { a := x is nat; b := x is Small; }",
        Options {
            type_system_refresh: true,
            ..Options::default()
        },
    );
    for (n, is_nat, is_small) in [(-1, false, true), (9, true, true), (10, true, false)] {
        assert_eq!(
            s.returns("Is", [Value::int(n)]),
            [Value::Bool(is_nat), Value::Bool(is_small)],
            "{n}"
        );
    }
}

#[test]
fn ghost_code_that_costs_too_much_is_unknown() {
    let s = subject(
        "ghost function Slow(n: nat): nat { if n == 0 then 0 else Slow(n - 1) + Slow(n - 1) }
         method Fast(n: nat) returns (r: nat) requires n > 2 { assert Slow(60) == 0; ghost var g := Slow(60); r := n; }",
    );
    let e = s.run("Fast", &with([Value::int(3)]));
    assert_eq!(e.outcome, Outcome::Returned(vec![Some(Value::int(3))]));
    assert_eq!(e.unknown.len(), 1);
    assert!(e.steps < Limits::default().steps);
}

#[test]
fn an_execution_pays_for_a_constant_that_is_computed_again_each_time() {
    let s = subject(
        "function F(n: nat): int { if n == 0 then 0 else 1 + F(n - 1) }
         const C: int := F(1000)
         method M() { var i := 0; while i < 50 decreases 50 - i { i := i + (if C == 1000 then 1 else 2); } }",
    );
    let interp = Interp::new(
        &s.program,
        Limits {
            steps: 100_000,
            ..Limits::default()
        },
    );
    assert_eq!(
        interp.run(s.callable("M"), &with([])).outcome,
        Outcome::Returned(vec![])
    );
    // If choices are resolved from outside, constants are not cached.
    let resolution = Resolution::Random {
        seed: 0,
        ints: Vec::new(),
    };
    let resolved = interp.run_resolved(s.callable("M"), &with([]), &resolution);
    assert!(
        matches!(resolved.outcome, Outcome::OutOfFuel(_)),
        "{:?} after {} steps",
        resolved.outcome,
        resolved.steps
    );
}

#[test]
fn quantifiers_over_a_type_parameter_are_decided_where_it_stands_for_a_finite_type() {
    let s = subject(
        "ghost predicate Reflexive<T(!new)>(r: (T, T) -> bool) { forall x :: r(x, x) }
         ghost predicate Total<T(!new)>(r: (T, T) -> bool) { forall x, y :: r(x, y) || r(y, x) }
         method Sort<T(!new)>(r: (T, T) -> bool) requires Reflexive(r) requires Total(r) { }",
    );
    let requires = |ty: Type, f: FunctionValue| {
        let inputs = Inputs {
            type_args: vec![ty],
            args: vec![Value::Function(Arc::new(f))],
            ..Inputs::default()
        };
        s.requires("Sort", &inputs).split_off(1)
    };
    assert_eq!(
        requires(Type::Bool, FunctionValue::Template(Template::Equal)),
        [Truth::True, Truth::False]
    );
    let order = FunctionValue::Table {
        entries: vec![(
            vec![Value::Bool(true), Value::Bool(false)],
            Value::Bool(false),
        )],
        default: Value::Bool(true),
    };
    assert_eq!(requires(Type::Bool, order), [Truth::True, Truth::True]);
    assert_eq!(
        requires(Type::Int, FunctionValue::Template(Template::Less)).first(),
        Some(&Truth::False)
    );
    assert!(matches!(
        requires(Type::Int, FunctionValue::Template(Template::AtMost)).first(),
        Some(Truth::Unknown(_))
    ));
}

#[test]
fn a_long_list_is_built_summed_and_printed() {
    let text = printed(
        "datatype List = Nil | Cons(head: int, tail: List)
         function Count(n: nat, rest: List): List { if n == 0 then rest else Count(n - 1, Cons(n, rest)) }
         function Sum(l: List): int { match l case Nil => 0 case Cons(h, t) => h + Sum(t) }
         method Main() { var l := Count(100000, Nil); print Sum(l), \" \", l, \"\\n\"; }",
    );
    assert!(text.starts_with("5000050000 List.Cons(1, List.Cons(2, "));
    assert!(text.ends_with("List.Nil))\n") || text.ends_with(")))\n"));
}

#[test]
fn equivalences_are_decided_from_both_sides() {
    let s = subject(
        "method Range(n: int, s: set<int>) requires forall i :: 0 <= i < n <==> i in s { }
         method Image(a: seq<int>, s: set<int>) requires forall x :: x in s <==> exists i :: 0 <= i < |a| && a[i] == x { }",
    );
    let set = |items: &[i64]| Value::set(items.iter().map(|n| Value::int(*n)));
    let range = |n: i64, items: &[i64]| {
        s.requires("Range", &with([Value::int(n), set(items)]))
            .pop()
            .unwrap()
    };
    assert_eq!(range(9, &[0, 1, 2, 3, 4, 5, 6, 7, 8]), Truth::True);
    assert_eq!(range(9, &[0, 1, 2, 3, 4, 5, 6, 7]), Truth::False);
    assert_eq!(range(2, &[0, 1, 70]), Truth::False);
    let image = |a: &[i64], items: &[i64]| {
        s.requires("Image", &with([ints(a.iter().copied()), set(items)]))
            .pop()
            .unwrap()
    };
    assert_eq!(image(&[50, 60, 50], &[50, 60]), Truth::True);
    assert_eq!(image(&[50, 60, 50], &[50, 60, 70]), Truth::False);
    assert_eq!(image(&[50, 60, 70], &[50, 60]), Truth::False);
}

#[test]
fn one_location_gets_one_value() {
    let s = subject(
        "class C { var x: int }
         method Two() returns (a: int, b: int) { return 1, 2; }
         method Elements(i: int, j: int, v: int) { var a := new int[3]; a[i], a[j] := 1, v; }
         method Fields(same: bool, v: int) { var c, d := new C, new C; if same { d := c; } c.x, d.x := 1, v; }
         method Results(i: int, j: int) { var a := new int[3]; a[i], a[j] := Two(); }
         method All(k: int) { var a := new int[3]; forall i | 0 <= i < 3 { a[i * k % 3] := i; } }",
    );
    let int = Value::int;
    assert_eq!(s.returns("Elements", [int(0), int(1), int(2)]), []);
    assert_eq!(s.returns("Elements", [int(1), int(1), int(1)]), []);
    assert_eq!(
        s.fails("Elements", [int(1), int(1), int(2)]).0,
        FailureKind::Aliasing
    );
    assert_eq!(s.returns("Fields", [Value::Bool(false), int(2)]), []);
    assert_eq!(
        s.fails("Fields", [Value::Bool(true), int(2)]).0,
        FailureKind::Aliasing
    );
    assert_eq!(
        s.fails("Results", [int(2), int(2)]).0,
        FailureKind::Aliasing
    );
    assert_eq!(s.returns("All", [int(2)]), []);
    assert_eq!(s.fails("All", [int(0)]).0, FailureKind::Aliasing);
}

#[test]
fn results_that_depend_on_a_choice_are_not_deterministic() {
    let s = subject(
        "method Apart(x: int) returns (r: int) { if { case x > 0 => r := 1; case x <= 0 => r := 2; } }
         method Overlap(x: int) returns (r: int) { if { case x > 0 => r := 1; case x > 9 => r := 2; case x <= 0 => r := 3; } }
         method Down(n: nat) returns (r: int) { r := n; while { case r > 3 => r := r - 1; case 0 < r <= 3 => r := r - 1; } }
         const Some: int := var y: int :| 5 <= y < 10; y
         const One: int := var y: int :| 5 <= y < 6; y
         function F(): int { var y: int :| 5 <= y < 10; y }
         const Called: int := F()
         class C { const h: int := var y: int :| 5 <= y < 10; y  var f: int  constructor () {} }
         method Constant() returns (r: int) { r := Some; }
         method Sole() returns (r: int) { r := One; }
         method Function() returns (r: int) { r := Called; }
         method Field() returns (r: int) { var c := new C(); r := c.h; }
         method Default() returns (r: int) { var c := new C(); r := c.f; }
         method Element() returns (r: int) { var a := new int[2]; r := a[1]; }
         method Assigned() returns (r: int) { var a := new int[2]; a[1] := 5; r := a[1]; }",
    );
    let run = |name: &str, args: &[i64]| {
        let e = s.run(name, &with(args.iter().copied().map(Value::int)));
        assert!(
            matches!(e.outcome, Outcome::Returned(_)),
            "{name}: {:?}",
            e.outcome
        );
        e.deterministic
    };
    for (name, args) in [
        ("Apart", &[3][..]),
        ("Overlap", &[5]),
        ("Overlap", &[0]),
        ("Down", &[6]),
        ("Sole", &[]),
        ("Assigned", &[]),
    ] {
        assert!(run(name, args), "{name} {args:?}");
    }
    let chosen = [
        ("Overlap", &[12][..]),
        ("Constant", &[]),
        ("Constant", &[]),
        ("Function", &[]),
        ("Field", &[]),
        ("Default", &[]),
        ("Element", &[]),
    ];
    for (name, args) in chosen {
        assert!(!run(name, args), "{name} {args:?}");
    }
    // A constant is computed once; the record of its choice is kept.
    let interp = Interp::new(&s.program, Limits::default());
    assert!((0..2).all(|_| {
        !interp
            .run(s.callable("Constant"), &Inputs::default())
            .deterministic
    }));
    assert!(
        interp
            .run(s.callable("Apart"), &with(vec![Value::int(1)]))
            .deterministic
    );
}

#[test]
fn choices_in_obligations_leave_compiled_code_determined() {
    let s = subject(
        "predicate Small(s: seq<int>) { forall x <- s :: x < 100 }
         method Swept() returns (a: array<int>) { a := new int[2]; assert Small(a[..]); a[0], a[1] := 3, 4; }
         method Asked() returns (r: int) { var a := new int[2]; assert a[1] == a[1]; r := a[1]; }
         method Twice() returns (r: int) { var a := new int[2]; r := a[0]; assert a[1] == a[1]; }
         method Checked() returns (r: nat) { ghost var g := 1; var y: int :| 0 <= y < 5; assert g == 1; var z: nat := y; r := z; }
         method Kept() returns (r: int) { var a := new int[2]; ghost var g := a[1]; r := 1; }
         method Needs(s: seq<int>) requires Small(s) || |s| > 0 {}
         method Called() returns (r: int) { var a := new int[2]; Needs([a[0]]); r := 1; }
         ghost predicate Any(a: array<int>) reads a { a.Length > 0 ==> a[0] == a[0] }
         method Given(a: array<int>) requires Any(a) {}
         method Passed() returns (r: int) { var a := new int[2]; Given(a); r := 1; }",
    );
    let run = |name: &str, args: Vec<Value>| {
        let e = s.run(name, &with(args));
        assert!(
            matches!(e.outcome, Outcome::Returned(_)),
            "{name}: {:?}",
            e.outcome
        );
        (e.deterministic, e.determined)
    };
    assert_eq!(run("Swept", vec![]), (false, true));
    assert_eq!(run("Passed", vec![]), (false, true));
    // A value that compiled code reads remains a choice, whether an obligation reads it before or
    // after.
    for name in ["Asked", "Twice", "Called", "Checked"] {
        assert_eq!(run(name, vec![]), (false, false), "{name}");
    }
    // The value of a ghost variable may be used later.
    assert_eq!(run("Kept", vec![]), (false, false));
}
