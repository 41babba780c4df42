//! Tests of the encoder: small programs, the goals that have models, and what a model decodes to.
//!
//! Two oracles need no expected terms. *Soundness*: the interpreter executes what a model decodes
//! to, and reaches the goal of the query. *Exactness*: with its inputs fixed, a unit reaches the
//! same blocks under the encoding as under the interpreter.

use std::time::Duration;

use super::*;
use dafny_resolve::typed::Arena;
use dtest_interp::{Interp, Limits, Truth};
use dtest_ir::{Criteria, describe};
use dtest_lower::testing::lowered;
use dtest_smt::{Answer, Budget, Solver};

const BUDGET: Budget = Budget {
    rlimit: 20_000_000,
    timeout: Duration::from_secs(60),
};

const SMALL: Bounds = Bounds::START;

fn program(source: &str) -> (dafny_source::SourceMap, ir::Program) {
    lowered(source, Criteria::default())
}

/// Returns the callable with this name.
fn unit(program: &ir::Program, name: &str) -> CallableId {
    Arena::<CallableId>::ids(&*program.typed)
        .into_iter()
        .find(|id| program.typed.callable_path(*id) == name)
        .unwrap_or_else(|| panic!("no {name}"))
}

fn encoded<'p>(program: &'p ir::Program, name: &str, bounds: Bounds, mode: Mode) -> Encoding<'p> {
    encode(program, unit(program, name), &[], bounds, mode).expect("a body")
}

/// Asks for a model in which all of `conditions` hold, under the assumptions of the encoding.
fn ask(encoding: &Encoding<'_>, conditions: &[Term]) -> Answer {
    let mut solver = Solver::new(0, false);
    for fact in encoding
        .assumptions
        .iter()
        .chain(encoding.givens.iter().map(|(_, literal)| literal))
        .chain(conditions)
    {
        solver.assert(encoding.terms(), *fact);
    }
    solver.check(encoding.terms(), &[], BUDGET)
}

fn has_model(encoding: &Encoding<'_>, conditions: &[Term]) -> bool {
    match ask(encoding, conditions) {
        Answer::Sat(_) => true,
        Answer::Unsat(_) => false,
        Answer::Unknown(why) => panic!("undecided: {why}"),
    }
}

/// Returns the goals of a unit in words, those that have a model first.
fn goals(source: &str, name: &str, bounds: Bounds, mode: Mode) -> (Vec<String>, Vec<String>) {
    let (sources, program) = program(source);
    let encoding = encoded(&program, name, bounds, mode);
    let (mut with, mut without) = (Vec::new(), Vec::new());
    for (id, goal) in program.goals(unit(&program, name)) {
        let condition = encoding.reached.get(&id).copied();
        let is_reached = condition.is_some_and(|c| has_model(&encoding, &[c]));
        let list = if is_reached { &mut with } else { &mut without };
        list.push(describe::phrase(goal, &sources));
    }
    (with, without)
}

/// Asserts that every goal has a model, and that the interpreter, on what the model decodes to,
/// accepts the inputs and reaches the goal.
#[track_caller]
fn assert_models_are_executions(source: &str, name: &str) {
    let (sources, program) = program(source);
    let callable = unit(&program, name);
    let encoding = encoded(&program, name, SMALL, Mode::Cut);
    let interp = Interp::new(&program, Limits::default());
    for (id, goal) in program.goals(callable) {
        let GoalId::Block(block) = id else { continue };
        let what = describe::phrase(goal, &sources);
        let reached = *encoding.reached.get(&id).expect(&what);
        let Answer::Sat(model) = ask(&encoding, &[reached]) else {
            panic!("no model: {what}");
        };
        let inputs = encoding.decode(&model).expect(&what);
        let check = interp.check_inputs(callable, &inputs);
        assert!(check.verdict() == Truth::True, "{what}: {inputs:?}");
        let execution = interp.run(callable, &inputs);
        assert!(execution.visited.contains(&block), "{what}: {inputs:?}");
    }
}

/// Asserts that a unit with one `int` parameter reaches the same blocks under the encoding as under
/// the interpreter, for all arguments from -`most` to `most`.
#[track_caller]
fn assert_exact(source: &str, name: &str, most: i64) {
    let (_, program) = program(source);
    let callable = unit(&program, name);
    let interp = Interp::new(&program, Limits::default());
    let bounds = Bounds {
        unroll: 12,
        inline: 12,
        ..SMALL
    };
    let mut encoding = encoded(&program, name, bounds, Mode::Cut);
    for n in -most..=most {
        let argument = Value::Int(n.into());
        let fixed = encoding.pin(std::slice::from_ref(&argument));
        let inputs = Inputs {
            args: vec![argument],
            ..Inputs::default()
        };
        let is_allowed = interp.check_inputs(callable, &inputs).verdict() == Truth::True;
        let execution = interp.run(callable, &inputs);
        for (id, reached) in encoding.reached.clone() {
            let GoalId::Block(block) = id else { continue };
            let executed = is_allowed && execution.visited.contains(&block);
            let modelled = has_model(&encoding, &[fixed, reached]);
            assert_eq!(modelled, executed, "{n} at {block:?}");
        }
    }
}

#[test]
fn both_branches_have_a_model_and_dead_code_has_none() {
    let source = "method M(x: int) returns (r: int) {
        if x < 0 { r := 1; } else if x > 10 && x < 5 { r := 2; } else { r := 3; }
    }";
    let (with, without) = goals(source, "M", SMALL, Mode::Havoc);
    assert_eq!(with.len(), 5, "{with:?}");
    assert_eq!(without.len(), 1, "{without:?}");
    assert!(without[0].contains("x > 10 && x < 5"), "{without:?}");
}

#[test]
fn preconditions_are_assumed() {
    let source = "method M(x: int) returns (r: int) requires 0 < x {
        if x < 0 { r := 1; } else { r := 2; }
    }";
    assert_eq!(goals(source, "M", SMALL, Mode::Havoc).1.len(), 1);
}

/// Four iterations are beyond the bound of two: cut executions do not come to the end, and under
/// havoc the end is reached only if the literal of the cut does not hold.
#[test]
fn a_cut_excludes_executions_and_havoc_names_the_bound() {
    let source = "method M(n: nat) returns (r: int) {
        var i := 0;
        while i < n { i := i + 1; }
        if i == 4 { r := 1; }
    }";
    let (_, program) = program(source);
    let end = |encoding: &Encoding<'_>| {
        let unit = unit(&program, "M");
        let then = program.goals(unit).into_iter().map(|(id, _)| id);
        // The branch of `i == 4` is the last block but one.
        let all: Vec<_> = then.filter_map(|id| encoding.reached.get(&id)).collect();
        all.into_iter().copied().collect::<Vec<_>>()
    };
    let cut = encoded(&program, "M", SMALL, Mode::Cut);
    let unreached = end(&cut)
        .iter()
        .filter(|t| !has_model(&cut, &[**t]))
        .count();
    assert_eq!(unreached, 1);
    let havoc = encoded(&program, "M", SMALL, Mode::Havoc);
    assert!(havoc.cut.contains(&BoundKind::Unroll));
    let followed = havoc.cuts[&BoundKind::Unroll];
    for reached in end(&havoc) {
        assert!(has_model(&havoc, &[reached]));
    }
    let excluded = end(&havoc)
        .iter()
        .filter(|t| !has_model(&havoc, &[**t, followed]))
        .count();
    assert_eq!(excluded, 1);
    let more = encoded(&program, "M", Bounds { unroll: 4, ..SMALL }, Mode::Cut);
    assert!(end(&more).iter().all(|t| has_model(&more, &[*t])));
}

#[test]
fn only_an_encoding_without_bounds_is_complete() {
    let (_, straight) = program("method M(x: int) returns (r: int) { r := x; }");
    assert!(encoded(&straight, "M", SMALL, Mode::Havoc).is_complete());
    let (_, loops) = program("method M(n: nat) { var i := 0; while i < n { i := i + 1; } }");
    let encoding = encoded(&loops, "M", SMALL, Mode::Havoc);
    assert!(!encoding.is_complete());
    // Executions are cut, so that nothing is known of any set of inputs either.
    assert_eq!(encoding.scope(), None);
    let (_, sequences) = program("method M(s: seq<bool>) returns (r: int) { r := |s|; }");
    let encoding = encoded(&sequences, "M", SMALL, Mode::Havoc);
    assert!(!encoding.is_complete());
    let scope = encoding.scope().expect("all inputs of two elements");
    assert_eq!(scope.collection, Some(SMALL.collection));
}

/// The right operand of `&&` is evaluated only where the left one holds: a division by zero there
/// excludes no execution.
#[test]
fn failures_count_only_where_an_operand_is_evaluated() {
    assert_exact(
        "method M(x: int) returns (r: int) { if x != 0 && 6 / x == 2 { r := 1; } else { r := 2; } }",
        "M",
        7,
    );
    assert_exact(
        "method M(x: int) returns (r: int) { r := 0; if 6 / x == 2 { r := 1; } }",
        "M",
        7,
    );
}

#[test]
fn integer_arithmetic_is_that_of_the_interpreter() {
    assert_exact(
        "method M(x: int) returns (r: int) {
            var d, m := x / 3, x % 3;
            var e, n := x / -3, x % -3;
            if d < 0 { r := 1; }
            if m == 2 { r := 2; }
            if e == 2 { r := 3; }
            if n == 1 { r := 4; }
            if x * x - 4 * x == 12 { r := 5; }
        }",
        "M",
        8,
    );
}

#[test]
fn bitvectors_and_native_types_wrap_like_the_interpreter() {
    assert_exact(
        "newtype small = x: int | 0 <= x < 8
        method M(x: int) returns (r: int) requires 0 <= x < 8 {
            var b := x as bv3;
            var c := b + 3;
            if c < b { r := 1; }
            if b & 5 == 4 { r := 2; }
            if (b << 1) == 6 { r := 3; }
            if (c as int) + (x as small as int) == 9 { r := 4; }
        }",
        "M",
        8,
    );
}

#[test]
fn loops_and_recursion_take_as_many_turns_as_the_interpreter() {
    assert_exact(
        "function F(n: nat): nat { if n == 0 then 1 else n * F(n - 1) }
        method M(n: int) returns (r: int) requires 0 <= n <= 5 {
            var i, sum := 0, 0;
            while i < n { i := i + 1; if i % 2 == 1 { continue; } sum := sum + i; }
            if sum == 6 { r := 1; }
            if F(n) == 24 { r := 2; }
        }",
        "M",
        5,
    );
}

#[test]
fn models_of_collections_are_inputs_of_the_interpreter() {
    assert_models_are_executions(
        "method M(s: seq<int>, t: set<int>, m: map<int, bool>, b: multiset<int>) returns (r: int) {
            r := 0;
            if |s| == 2 && s[0] > s[1] { r := 1; }
            if 3 in t && 4 !in t { r := 2; }
            if 5 in m && m[5] { r := 3; }
            if b[7] == 2 { r := 4; }
        }",
        "M",
    );
}

#[test]
fn models_of_datatypes_are_inputs_of_the_interpreter() {
    assert_models_are_executions(
        "datatype Tree = Leaf | Node(left: Tree, key: int, right: Tree)
        method M(t: Tree) returns (r: int) {
            match t
            case Leaf => r := 0;
            case Node(Leaf, k, Leaf) => r := k;
            case Node(l, k, Node(_, q, _)) =>
                if k < q { r := 1; } else { r := 2; }
            case Node(_, _, _) => r := 3;
        }",
        "M",
    );
}

#[test]
fn models_of_objects_are_inputs_of_the_interpreter() {
    assert_models_are_executions(
        "class Cell { var value: int; var next: Cell? constructor () { value := 0; next := null; } }
        method M(a: Cell, b: Cell?) returns (r: int) modifies a {
            r := 0;
            if a == b { r := 1; }
            if b != null && a.next == b && b.value == a.value + 1 { r := 2; }
            a.value := 5;
            if b != null && b.value == 5 && b != a { r := 3; }
        }",
        "M",
    );
}

#[test]
fn models_of_arrays_are_inputs_of_the_interpreter() {
    assert_models_are_executions(
        "method M(a: array<int>, i: int) returns (r: int) requires 0 <= i < a.Length modifies a {
            a[i] := a[i] + 1;
            if a[0] == 3 && i != 0 { r := 1; } else if a[i] == 3 { r := 2; } else { r := 3; }
        }",
        "M",
    );
}

/// A function without a body is a table: equal arguments have equal results.
#[test]
fn unknown_functions_have_one_result_for_an_argument() {
    let source = "method M(f: int -> int, x: int, y: int) returns (r: int) {
        if x == y && f(x) != f(y) { r := 1; } else if f(x) == 3 { r := 2; }
    }";
    let (with, without) = goals(source, "M", SMALL, Mode::Havoc);
    assert_eq!(without.len(), 1, "{with:?} {without:?}");
}

/// With the rule for choices `:|` takes the least candidate; where choices are free, any.
#[test]
fn a_free_choice_takes_any_candidate() {
    let source = "method M() returns (r: int) {
        var x: int :| 3 <= x < 6;
        if x == 5 { r := 1; }
    }";
    let (_, program) = program(source);
    let unit = unit(&program, "M");
    let ruled = encoded(&program, "M", SMALL, Mode::Cut);
    assert!(ruled.choices);
    let free = encode_free(&program, unit, &[], SMALL, None).expect("a body");
    let count = |e: &Encoding<'_>| {
        let goals = program.goals(unit);
        let of = goals.iter().filter_map(|(id, _)| e.reached.get(id));
        of.filter(|t| has_model(e, &[**t])).count()
    };
    assert_eq!(count(&free), count(&ruled) + 1);
}

/// The literals of facts are what a proof rests on: without the precondition, the branch has a
/// model.
#[test]
fn a_proof_names_the_facts_that_it_rests_on() {
    let source = "method M(x: int) returns (r: int)
        requires x < 10
        requires x % 2 == 0
    { if x > 20 { r := 1; } }";
    let (_, program) = program(source);
    let unit = unit(&program, "M");
    let encoding = encode_facts(&program, unit, &[], SMALL, false).expect("a body");
    let mut solver = Solver::new(0, false);
    for fact in &encoding.assumptions {
        solver.assert(encoding.terms(), *fact);
    }
    let literals: Vec<Term> = encoding.facts.iter().map(|(_, literal)| *literal).collect();
    let unreached = program.goals(unit).into_iter().find_map(|(id, _)| {
        let reached = *encoding.reached.get(&id)?;
        let mut all = literals.clone();
        all.push(reached);
        match solver.check(encoding.terms(), &all, BUDGET) {
            Answer::Unsat(core) => Some((reached, core)),
            Answer::Sat(_) | Answer::Unknown(_) => None,
        }
    });
    let (reached, core) = unreached.expect("x > 20 is unreachable");
    let named: Vec<&Fact> = encoding
        .facts
        .iter()
        .filter(|(_, literal)| core.contains(literal))
        .map(|(fact, _)| fact)
        .collect();
    assert!(
        matches!(named.as_slice(), [Fact::Precondition(0), Fact::Decision(_)]),
        "{named:?}"
    );
    assert!(matches!(
        solver.check(encoding.terms(), &[reached], BUDGET),
        Answer::Sat(_)
    ));
}

#[test]
fn an_encoding_that_grows_too_large_is_abandoned() {
    let source = "function F(n: nat): nat { if n < 2 then n else F(n - 1) + F(n - 2) + F(n / 2) }
        method M(n: nat) returns (r: nat) { r := F(n) + F(n + 1); if r == 77 { r := 0; } }";
    let (_, program) = program(source);
    let bounds = Bounds {
        inline: 8,
        terms: 1,
        ..SMALL
    };
    assert!(encoded(&program, "M", bounds, Mode::Havoc).exhausted);
    assert!(!encoded(&program, "M", SMALL, Mode::Havoc).exhausted);
}

/// The only constructor of a trie has a sequence of subtries. An absent subtrie beyond the depth is
/// no reason to exclude an input.
#[test]
fn trees_that_end_in_empty_collections_have_models() {
    let deep = "{
        if |t.children| > 0 {
          var b := t.children[0].child;
          if |b.children| > 0 { r := 2; } else { r := 1; }
        } else { r := 0; }
      }";
    let declared = "datatype Trie = Trie(count: nat, children: seq<Edge>)
        datatype Edge = Edge(letter: char, child: Trie)\n";
    let source = format!("{declared} method M(t: Trie) returns (r: int) {deep}");
    let bounds = Bounds { depth: 6, ..SMALL };
    for mode in [Mode::Cut, Mode::Havoc] {
        let (_, without) = goals(&source, "M", bounds, mode);
        assert_eq!(without, [""; 0], "{mode:?}");
    }
    // Within the depth, there are inputs.
    let (_, program) = program(&source);
    let encoding = encoded(&program, "M", bounds, Mode::Havoc);
    let within = encoding.limits[&BoundKind::Depth];
    for reached in encoding.reached.values() {
        assert!(has_model(&encoding, &[*reached, within]));
    }
    assert_models_are_executions(
        "datatype Tree = Tree(parts: map<int, Tree>, more: set<Tree>)
        method M(t: Tree) returns (r: int) { if t.more == {} { r := 1; } else { r := 2; } }",
        "M",
    );
}
