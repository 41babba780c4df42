//! Tests of the interpreter with hand-built IR.

use std::sync::Arc;

use super::super::*;
use dafny_resolve::typed::{self, Arena, Body, Callable, CallableKind, Literal, ModuleId, Spec};
use dafny_source::Span;
use dtest_ir::build;
use dtest_ir::reason::Construct;
use dtest_ir::{
    Block, BlockId, Coll, Domain, Expr, ExprKind, Function, Num, Op, Procedure, Quantified, Stmt,
    StmtKind, Terminator, Var, VarInfo,
};
use dtest_sorted::SortedMap;

fn expr(kind: ExprKind, ty: Type) -> Expr {
    Expr {
        kind,
        ty,
        span: Span::default(),
    }
}

fn int(n: i64) -> Expr {
    expr(ExprKind::Literal(Literal::Int(n.into())), Type::Int)
}

fn var(n: u32) -> Expr {
    expr(ExprKind::Var(Var(n)), Type::Int)
}

fn op(op: Op, args: Vec<Expr>) -> Expr {
    let ty = match &op {
        Op::Eq | Op::Lt(_) | Op::Le(_) | Op::In(_) => Type::Bool,
        _number => Type::Int,
    };
    expr(ExprKind::Op(op, args), ty)
}

fn add(a: Expr, b: Expr) -> Expr {
    op(Op::Add(Num::Int), vec![a, b])
}

fn lt(a: Expr, b: Expr) -> Expr {
    op(Op::Lt(Num::Int), vec![a, b])
}

fn boxed(e: Expr) -> Box<Expr> {
    Box::new(e)
}

fn vars(n: u32) -> Vec<VarInfo> {
    (0..n)
        .map(|i| VarInfo {
            name: format!("v{i}").into(),
            ty: Type::Int,
            ghost: false,
            definite: false,
            inferred: false,
            span: Span::default(),
        })
        .collect()
}

/// Builds a program with one callable: a function of one parameter with the given body, or a
/// procedure.
fn program(
    function: Option<Expr>,
    procedure: Option<Vec<Block>>,
    n: u32,
) -> (ir::Program, CallableId) {
    let mut typed = typed::Program::default();
    let id = typed.add(Callable {
        name: "F".into(),
        kind: if function.is_some() {
            CallableKind::Function
        } else {
            CallableKind::Method
        },
        is_predicate: false,
        is_two_state: false,
        module: ModuleId(0),
        owner: None,
        is_static: true,
        ghost: false,
        opaque: false,
        type_params: Vec::new(),
        ins: Vec::new(),
        outs: Vec::new(),
        spec: Spec::default(),
        body: Body::None,
        overrides: Vec::new(),
        attributes: Vec::new(),
        doc: None,
        span: Span::default(),
        full_span: Span::default(),
    });
    typed.modules.push(typed::Module {
        name: "".into(),
        parent: None,
        is_abstract: false,
        items: Vec::new(),
        attributes: Vec::new(),
        doc: None,
        span: Span::default(),
    });
    let function = function.map(|body| Function {
        type_params: Vec::new(),
        vars: vars(n),
        params: vec![Var(0)],
        body,
    });
    let procedure = procedure.map(|blocks| Procedure {
        callable: id,
        type_params: Vec::new(),
        vars: vars(n),
        params: vec![Var(0)],
        outs: vec![Var(1)],
        blocks,
        probes: Vec::new(),
    });
    let program = ir::Program {
        typed: Arc::new(typed),
        functions: Arc::new(function.into_iter().map(|f| (id, f)).collect()),
        procedures: procedure.into_iter().map(|p| (id, Arc::new(p))).collect(),
        contracts: SortedMap::new(),
        constants: Arc::default(),
        constraints: Arc::default(),
        witnesses: Arc::default(),
        lambdas: Arc::default(),
        criteria: Default::default(),
        entries: None,
        systems: Default::default(),
        inlined: Default::default(),
        makers: Vec::new(),
        assumed_lemmas: Arc::default(),
    };
    (program, id)
}

fn evaluate(body: Expr, n: u32, arg: i64) -> Result<Value, Outcome> {
    let (program, id) = program(Some(body), None, n);
    let interp = Interp::new(
        &program,
        Limits {
            steps: 100_000_000,
            ..Limits::default()
        },
    );
    let code = interp.code(&CodeKey::Function(id, Mode::Compiled)).unwrap();
    let mut machine = Machine::new(&interp, State::default(), interp.limits.steps);
    match machine.execute(code, vec![Word::Int(arg)], Rc::from([]), None) {
        Ok(mut words) => match words.pop() {
            Some(Word::Unknown(reason)) => Err(Outcome::Unsupported(reason.into())),
            Some(word) => Ok(word.value().unwrap()),
            None => panic!("no result"),
        },
        Err(stop) => Err(*stop),
    }
}

fn block(stmts: Vec<StmtKind>, terminator: Terminator) -> Block {
    let stmts = stmts
        .into_iter()
        .map(|kind| Stmt {
            kind,
            span: Span::default(),
        })
        .collect();
    build::block(stmts, terminator, Span::default())
}

fn call(arg: Expr) -> Expr {
    expr(
        ExprKind::Call {
            callee: CallableId(0),
            type_args: Vec::new(),
            args: vec![arg],
            label: None,
        },
        Type::Int,
    )
}

/// Returns the recursive body `if n < 1 then 0 else 1 + F(n - 1)`.
fn count_down() -> Expr {
    let rest = add(int(1), call(add(var(0), int(-1))));
    expr(
        ExprKind::If(boxed(lt(var(0), int(1))), boxed(int(0)), boxed(rest)),
        Type::Int,
    )
}

#[test]
fn recursion_a_million_deep_returns() {
    assert_eq!(
        evaluate(count_down(), 1, 1_000_000),
        Ok(Value::int(1_000_000))
    );
}

#[test]
fn recursion_without_end_is_out_of_fuel() {
    assert!(matches!(
        evaluate(call(var(0)), 1, 0),
        Err(Outcome::OutOfFuel(_))
    ));
}

#[test]
fn a_loop_over_blocks_visits_and_traces_them() {
    // v1 := 0; v2 := 0; while v2 < v0 { v1 := v1 + v2; v2 := v2 + 1 }
    let assign = |v, value| StmtKind::Assign { var: Var(v), value };
    let blocks = vec![
        block(
            vec![assign(1, int(0)), assign(2, int(0))],
            Terminator::Goto(BlockId(1)),
        ),
        block(
            vec![],
            Terminator::Branch {
                cond: lt(var(2), var(0)),
                then: BlockId(2),
                els: BlockId(3),
            },
        ),
        block(
            vec![
                assign(1, add(var(1), var(2))),
                assign(2, add(var(2), int(1))),
            ],
            Terminator::Goto(BlockId(1)),
        ),
        block(vec![], Terminator::Return),
    ];
    let (program, id) = program(None, Some(blocks), 3);
    let interp = Interp::new(&program, Limits::default());
    let run = |n: i64| {
        interp.run(
            id,
            &Inputs {
                args: vec![Value::int(n)],
                ..Inputs::default()
            },
        )
    };
    let execution = run(4);
    assert_eq!(
        execution.outcome,
        Outcome::Returned(vec![Some(Value::int(6))])
    );
    assert_eq!(execution.visited, [0, 1, 2, 3].map(BlockId));
    assert_eq!(execution.trace.len(), 5);
    assert!(execution.deterministic);
    assert_eq!(run(0).visited, [0, 1, 3].map(BlockId));
}

#[test]
fn appending_in_a_loop_is_linear() {
    // v1 := []; v2 := 0; while v2 < v0 { v1 := v1 + [v2]; v2 := v2 + 1 }
    let assign = |v, value| StmtKind::Assign { var: Var(v), value };
    let one = op(Op::Display(Coll::Seq), vec![var(2)]);
    let blocks = vec![
        block(
            vec![
                assign(1, op(Op::Display(Coll::Seq), vec![])),
                assign(2, int(0)),
            ],
            Terminator::Goto(BlockId(1)),
        ),
        block(
            vec![],
            Terminator::Branch {
                cond: lt(var(2), var(0)),
                then: BlockId(2),
                els: BlockId(3),
            },
        ),
        block(
            vec![
                assign(1, op(Op::Union(Coll::Seq), vec![var(1), one])),
                assign(2, add(var(2), int(1))),
            ],
            Terminator::Goto(BlockId(1)),
        ),
        block(vec![], Terminator::Return),
    ];
    let (program, id) = program(None, Some(blocks), 3);
    let interp = Interp::new(&program, Limits::default());
    let execution = interp.run(
        id,
        &Inputs {
            args: vec![Value::int(200_000)],
            ..Inputs::default()
        },
    );
    assert!(execution.steps < 4_000_000, "{} steps", execution.steps);
    assert!(
        matches!(execution.outcome, Outcome::Returned(v) if matches!(&v[0], Some(Value::Seq(s)) if s.len() == 200_000))
    );
}

fn between(v: u32, low: i64, high: Expr) -> Quantified {
    let domain = Domain::IntRange {
        low: Some(boxed(int(low))),
        high: Some(boxed(high)),
    };
    Quantified {
        vars: vec![Var(v)],
        range: None,
        bounds: Some(vec![(Var(v), domain)]),
    }
}

fn quantifier(forall: bool, vars: Quantified, body: Expr) -> Expr {
    expr(
        ExprKind::Quantifier {
            forall,
            vars,
            body: boxed(body),
        },
        Type::Bool,
    )
}

#[test]
fn quantifiers_run_over_their_bounds() {
    let all = |high| quantifier(true, between(1, 0, int(high)), lt(var(1), var(0)));
    assert_eq!(evaluate(all(5), 2, 5), Ok(Value::Bool(true)));
    assert_eq!(evaluate(all(6), 2, 5), Ok(Value::Bool(false)));
    let some = quantifier(
        false,
        between(1, 0, int(3)),
        op(Op::Eq, vec![var(1), var(0)]),
    );
    assert_eq!(evaluate(some.clone(), 2, 2), Ok(Value::Bool(true)));
    assert_eq!(evaluate(some, 2, 3), Ok(Value::Bool(false)));
}

#[test]
fn unbounded_quantifiers_are_decided_by_a_witness_only() {
    let q = || Quantified {
        vars: vec![Var(1)],
        range: None,
        bounds: None,
    };
    let body = |a, b| lt(a, b);
    assert_eq!(
        evaluate(quantifier(true, q(), body(var(1), int(3))), 2, 0),
        Ok(Value::Bool(false))
    );
    assert_eq!(
        evaluate(quantifier(false, q(), body(var(1), int(0))), 2, 0),
        Ok(Value::Bool(true))
    );
    assert!(evaluate(quantifier(true, q(), body(var(1), int(100))), 2, 0).is_err());
    assert!(evaluate(quantifier(false, q(), body(var(1), int(-100))), 2, 0).is_err());
}

#[test]
fn connectives_are_those_of_kleene() {
    let unknown = || {
        expr(
            ExprKind::Unsupported(Construct::Assigned.into()),
            Type::Bool,
        )
    };
    let b = |v: bool| expr(ExprKind::Literal(Literal::Bool(v)), Type::Bool);
    let ill = || {
        op(
            Op::Eq,
            vec![op(Op::Div(Num::Int), vec![int(1), int(0)]), int(1)],
        )
    };
    let and = |a, b| expr(ExprKind::And(boxed(a), boxed(b)), Type::Bool);
    let or = |a, b| expr(ExprKind::Or(boxed(a), boxed(b)), Type::Bool);
    let implies = |a, b| expr(ExprKind::Implies(boxed(a), boxed(b)), Type::Bool);
    let run = |e: Expr| match evaluate(e, 1, 0) {
        Ok(Value::Bool(b)) => Some(b),
        Ok(_) => panic!("not a boolean"),
        Err(Outcome::Unsupported(_)) => None,
        Err(other) => panic!("{other:?}"),
    };
    assert_eq!(run(and(unknown(), b(false))), Some(false));
    assert_eq!(run(and(unknown(), b(true))), None);
    assert_eq!(run(and(b(true), unknown())), None);
    assert_eq!(run(or(unknown(), b(true))), Some(true));
    assert_eq!(run(or(unknown(), b(false))), None);
    assert_eq!(run(implies(unknown(), b(true))), Some(true));
    assert_eq!(run(implies(b(false), unknown())), Some(true));
    assert_eq!(run(and(unknown(), ill())), None);
    assert_eq!(run(and(and(unknown(), ill()), b(false))), Some(false));
}

#[test]
fn the_first_candidate_is_chosen_and_a_second_noticed() {
    let such = |q: Quantified, range: Expr| {
        let q = Quantified {
            range: Some(boxed(range)),
            ..q
        };
        let blocks = vec![block(vec![StmtKind::SuchThat(q)], Terminator::Return)];
        let (program, id) = program(None, Some(blocks), 2);
        let interp = Interp::new(&program, Limits::default());
        let execution = interp.run(
            id,
            &Inputs {
                args: vec![Value::int(7)],
                ..Inputs::default()
            },
        );
        (execution.outcome, execution.deterministic)
    };
    let returned = |n: i64| Outcome::Returned(vec![Some(Value::int(n))]);
    assert_eq!(
        such(between(1, 0, int(10)), lt(int(3), var(1))),
        (returned(4), false)
    );
    assert_eq!(
        such(between(1, 0, int(10)), lt(int(8), var(1))),
        (returned(9), true)
    );
    let (outcome, _) = such(between(1, 0, int(10)), lt(int(9), var(1)));
    assert!(matches!(
        outcome,
        Outcome::Failed(Failure {
            kind: FailureKind::NoCandidate,
            ..
        })
    ));
    let open = Quantified {
        vars: vec![Var(1)],
        range: None,
        bounds: Some(vec![(
            Var(1),
            Domain::IntRange {
                low: None,
                high: None,
            },
        )]),
    };
    assert_eq!(such(open, lt(var(1), int(-2))), (returned(-3), false));
}

#[test]
fn ill_formed_operations_fail_with_their_kind() {
    let kind = |e: Expr| match evaluate(e, 1, 0) {
        Err(Outcome::Failed(f)) => f.kind,
        other => panic!("{other:?}"),
    };
    let seq = || op(Op::Display(Coll::Seq), vec![int(1), int(2)]);
    assert_eq!(
        kind(op(Op::Div(Num::Int), vec![int(1), int(0)])),
        FailureKind::Division
    );
    assert_eq!(
        kind(op(Op::Select(Coll::Seq), vec![seq(), int(2)])),
        FailureKind::Index
    );
    assert_eq!(
        kind(op(Op::Select(Coll::Seq), vec![seq(), int(-1)])),
        FailureKind::Index
    );
    assert_eq!(
        kind(op(Op::Slice, vec![seq(), int(2), int(1)])),
        FailureKind::Index
    );
    assert_eq!(
        kind(op(
            Op::Select(Coll::Map),
            vec![op(Op::Display(Coll::Map), vec![]), int(0)]
        )),
        FailureKind::Key
    );
    assert_eq!(
        kind(op(
            Op::Cardinality(Coll::Seq),
            vec![op(Op::SeqInit, vec![int(-1), int(0)])]
        )),
        FailureKind::Domain
    );
}
