//! Tests of the interpreter with codatatypes.

use super::super::*;
use super::source::{subject, subject_with, with};
use dtest_ir::reason::Reason;
use std::sync::Arc;

use dafny_resolve::typed::Options;

const STREAMS: &str = "
    codatatype Stream<T> = Cons(head: T, tail: Stream<T>)
    codatatype Lazy<T> = Nil | More(head: T, tail: Lazy<T>)
    function Up(n: int): Stream<int> { Cons(n, Up(n + 1)) }
    function Ones(): Stream<int> { Cons(1, Ones()) }
    function Zeros(): Stream<int> { Cons(0, Zeros()) }
    function Flip(): Stream<int> { Cons(0, Flop()) }
    function Flop(): Stream<int> { Cons(1, Flip()) }
    function Flipping(): Stream<int> { Cons(0, Cons(1, Flipping())) }
    function Add(a: Stream<int>, b: Stream<int>): Stream<int> { Cons(a.head + b.head, Add(a.tail, b.tail)) }
    function {:abstemious} Sum(a: Stream<int>, b: Stream<int>): Stream<int> { Cons(a.head + b.head, Sum(a.tail, b.tail)) }
    function Fib(): Stream<int> { Cons(0, Cons(1, Sum(Fib(), Fib().tail))) }
    function {:abstemious} Match(a: Stream<int>, b: Stream<int>): Stream<int> {
      match (a, b) case (Cons(x, xs), Cons(y, ys)) => Cons(x + y, Match(xs, ys))
    }
    function {:abstemious} Bind(a: Stream<int>, b: Stream<int>): Stream<int> {
      var s := b.tail;
      Cons(a.head + b.head, Bind(a.tail, s))
    }
    function Fib2(): Stream<int> { Cons(0, Cons(1, if Up(0).head == 0 then Match(Fib2(), Fib2().tail) else Bind(Fib2(), Fib2().tail))) }
    function Fib3(): Stream<int> { Cons(0, Cons(1, Bind(Fib3(), Fib3().tail))) }
    function Range(n: nat): Lazy<nat> { if n == 0 then Nil else More(n, Range(n - 1)) }
    function Take<T>(n: nat, s: Stream<T>): seq<T> { if n == 0 then [] else [s.head] + Take(n - 1, s.tail) }
    function Nth(s: Stream<int>, n: nat): int { if n == 0 then s.head else Nth(s.tail, n - 1) }
    method First<T>(n: nat, s: Stream<T>) returns (r: seq<T>) {
      var s := s;
      r := [];
      while |r| < n { r := r + [s.head]; s := s.tail; }
    }
";

#[test]
fn a_stream_goes_as_far_as_it_is_read() {
    let s = subject(&format!(
        "{STREAMS}
        method Count() returns (r: seq<int>) {{ r := First(4, Up(7)); }}
        method Fibs() returns (r: seq<int>) {{ r := Take(10, Fib()); }}
        method Matched() returns (r: seq<int>) {{ r := Take(10, Fib2()); }}
        method Bound() returns (r: seq<int>) {{ r := Take(10, Fib3()); }}
        method Far() returns (r: int) {{ var s := Up(0); var i := 0; while i < 20_000 {{ s := s.tail; i := i + 1; }} r := s.head; }}"
    ));
    let ints = |xs: &[i64]| Value::seq(xs.iter().map(|x| Value::int(*x)));
    assert_eq!(s.returns("Count", []), [ints(&[7, 8, 9, 10])]);
    assert_eq!(
        s.returns("Fibs", []),
        [ints(&[0, 1, 1, 2, 3, 5, 8, 13, 21, 34])]
    );
    assert_eq!(s.returns("Matched", []), s.returns("Fibs", []));
    assert_eq!(s.returns("Bound", []), s.returns("Fibs", []));
    assert_eq!(s.returns("Far", []), [Value::int(20_000)]);
}

#[test]
fn equality_of_streams_is_decided_if_they_differ_or_repeat() {
    let check = |spec: &str, expected: Truth| {
        let s = subject(&format!(
            "{STREAMS} method M() returns (r: int) ensures {spec} {{ r := 0; }}"
        ));
        let found = s.ensures("M", &with([]));
        let known = |t: &Truth| matches!(t, Truth::Unknown(_));
        assert!(
            found == [expected.clone()] || (known(&expected) && found.iter().all(known)),
            "{spec}: {found:?}"
        );
    };
    check("Ones() == Ones()", Truth::True);
    check("Ones() == Ones().tail.tail", Truth::True);
    check("Ones() != Zeros()", Truth::True);
    check("Flip() == Flipping()", Truth::True);
    check("Flip() == Flop()", Truth::False);
    check("Flip() == Flop().tail", Truth::True);
    check("Up(0).tail == Up(1)", Truth::True);
    check(
        "Add(Up(0), Ones()) == Up(1)",
        Truth::Unknown(Reason::SameSoFar(500)),
    );
    check("Add(Up(0), Ones()) == Up(2)", Truth::False);
    check("Add(Up(0), Ones()) ==#[20] Up(1)", Truth::True);
    check("Cons(5, Up(1)) !=#[1] Up(0)", Truth::True);
    check("Cons(0, Up(5)) ==#[1] Up(0)", Truth::True);
    check("Cons(0, Up(5)) ==#[2] Up(0)", Truth::False);
    check("Range(3) == More(3, More(2, More(1, Nil)))", Truth::True);
    check("[Ones(), Flip()] == [Ones(), Flipping()]", Truth::True);
    check("(Ones(), 1) == (Zeros(), 1)", Truth::False);
}

#[test]
fn a_default_value_may_be_infinite() {
    let s = subject_with(
        &format!(
            "{STREAMS}
            codatatype Tree = Node(mark: nat, kids: seq<Tree>, next: Tree)
            method M() returns (a: Stream<int>, b: Lazy<int>, c: Tree) {{ }}
            method Three() returns (r: seq<int>) {{ var s: Stream<int> := *; r := Take(3, s); }}"
        ),
        Options {
            relax_definite_assignment: true,
            ..Options::default()
        },
    );
    assert_eq!(
        s.returns("Three", []),
        [Value::seq([0, 0, 0].map(Value::int))]
    );
    let made = s.returns("M", []);
    let tag = |v: &Value| {
        if let Value::Datatype(d) = v {
            s.program.typed[d.ctor].name.to_string()
        } else {
            String::new()
        }
    };
    assert_eq!(
        made.iter().map(tag).collect::<Vec<_>>(),
        ["Cons", "Nil", "Node"]
    );
}

#[test]
fn codatatypes_print_their_constructor_only() {
    let s = subject(&format!(
        "{STREAMS} method Main() {{ print Up(3), ' ', Range(0), ' ', [Ones()], ' ', Up(3).tail; }}"
    ));
    let mut printed = String::new();
    let result = Interp::new(&s.program, Limits::default())
        .run_main(&[], &mut |text| printed.push_str(text));
    assert_eq!(
        (result.status, printed.as_str()),
        (0, "Stream.Cons' 'Lazy.Nil' '[Stream.Cons]' 'Stream.Cons")
    );
}

#[test]
fn a_value_that_needs_itself_runs_out_of_fuel() {
    let s = subject(&format!(
        "{STREAMS} function Bad(): Stream<int> {{ Cons(0, Bad().tail) }}
        method M() returns (r: int) {{ r := Bad().tail.head; }}"
    ));
    assert!(matches!(
        s.run("M", &with([])).outcome,
        Outcome::OutOfFuel(_)
    ));
}

#[test]
fn a_default_value_that_is_read_does_not_hold_itself() {
    let s = subject(&format!(
        "{STREAMS} method M() returns (r: int) {{ r := 0; }}"
    ));
    let interp = Interp::new(&s.program, Limits::default());
    let stream = Type::Named {
        decl: s.program.typed[s.ctor("Cons")].datatype,
        args: vec![Type::Int],
        nullable: false,
    };
    let value = interp.default_value(&stream).expect("a default value");
    let twice = [value.clone(), Value::int(2)];
    // Reading computes the tail in place.
    assert_eq!(
        interp.run(s.callable("Nth"), &with(twice)).outcome,
        Outcome::Returned(vec![Some(Value::int(0))])
    );
    let Value::Datatype(d) = &value else {
        panic!("{value:?}")
    };
    let Some(Value::Lazy(tail)) = d.args.get(1) else {
        panic!("{value:?}")
    };
    assert!(!matches!(tail.computed(), Some(Ok(Value::Datatype(t))) if Arc::ptr_eq(t, d)));
}

#[test]
fn only_the_parts_read_of_an_infinite_value_are_computed() {
    let s = subject(&format!(
        "{STREAMS}
        codatatype Tree = Node(left: Tree, mark: int, right: Tree)
        function Below(n: int): Tree {{ Node(Below(2 * n), n, Below(2 * n + 1)) }}
        function Bad(n: int): Stream<int> {{ Cons(n, Worse(n)) }}
        function Worse(n: int): Stream<int> {{ Cons(1 / (n - n), Bad(n)) }}
        method M() returns (up: Stream<int>, three: Lazy<nat>, tree: Tree, bad: Stream<int>) {{
          up, three, tree, bad := Up(3), Range(3), Below(1), Bad(7);
        }}"
    ));
    let values = s.returns("M", []);
    let interp = Interp::new(&s.program, Limits::default());
    values
        .iter()
        .for_each(|v| interp.look_into(v, &Heap::default()));
    // The numbers in the order of traversal; `.` for a part that was not computed.
    let shown = |value: &Value| {
        let (mut out, mut work) = (
            Vec::new(),
            std::collections::VecDeque::from([value.clone()]),
        );
        while let Some(value) = work.pop_front() {
            match &value {
                Value::Int(n) => out.push(n.to_string()),
                Value::Lazy(lazy) => match lazy.computed() {
                    Some(Ok(v)) => work.push_back(v.clone()),
                    Some(Err(_)) | None => out.push(".".into()),
                },
                other => work.extend(other.parts().into_iter().cloned()),
            }
        }
        out.concat()
    };
    assert_eq!(
        values.iter().map(shown).collect::<Vec<_>>(),
        ["3456.", "321", "123.4..5..6..7.", "7."]
    );
    let settled: Vec<bool> = values.iter().map(|v| v.settled().is_some()).collect();
    assert_eq!(settled, [false, true, false, false]);
}
