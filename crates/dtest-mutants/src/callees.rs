//! Mutants of calls: other callees, arguments and constructions in place of a call.
//!
//! Key type: [`Callees`], the callables that may replace a callee. A replacement has the same
//! signature, or is called by the original: what does less is a plausible error.

use super::exprs::{Names, Other, is_written, only, text};
use super::members::applied;
use super::types::{are_alike, unconstrained};
use super::{MutationKind, Piece};
use dafny_resolve::typed::{
    CallableId, CallableKind, CtorId, FieldId, Formal, ModuleId, Substitution, Type, TypeDeclKind,
};
use dafny_source::Span;
use dtest_ir::{Expr, ExprKind, Op, Program, StmtKind, Terminator};
use dtest_sorted::SortedSet;
use std::rc::Rc;

/// The callees of some code.
pub(super) struct Callees {
    module: ModuleId,
    all: Vec<CallableId>,
}

impl Callees {
    /// A callable with its direct and indirect callees.
    pub(super) fn of(program: &Program, callable: CallableId) -> Rc<Self> {
        let all = std::iter::once(callable)
            .chain(program.callees(callable))
            .collect();
        Rc::new(Self {
            module: program.typed[callable].module,
            all,
        })
    }

    /// Other callees of the same kind that are compiled and take the same arguments: the first one
    /// that the callee itself calls, which does a part of its work (`Make` for `Rebalance`), and
    /// the first other one. None for a callee that is dispatched dynamically.
    pub(super) fn alike(&self, program: &Program, callee: CallableId) -> Vec<CallableId> {
        let typed = &program.typed;
        let own = &typed[callee];
        let is_plain = |c: CallableId| {
            let declared = &typed[c];
            let is_dispatched =
                declared.owner.is_some_and(|o| typed.is_trait(o)) || !declared.overrides.is_empty();
            !declared.ghost && !declared.is_two_state && !is_dispatched
        };
        // Constructors and callables of other modules are not replaced.
        if !is_plain(callee) || own.module != self.module || own.kind == CallableKind::Constructor {
            return Vec::new();
        }
        // Callables without receiver replace each other wherever they are declared.
        let is_of_object = |c: CallableId| typed[c].owner.is_some() && !typed[c].is_static;
        let may_stand_for = |c: CallableId| {
            let declared = &typed[c];
            let is_placed_alike = is_of_object(c) == is_of_object(callee)
                && (!is_of_object(c) || declared.owner == own.owner);
            c != callee
                && declared.kind == own.kind
                && declared.module == self.module
                && is_placed_alike
                && is_plain(c)
                && program.procedures.contains_key(&c)
                && has_signature_of(program, c, callee)
        };
        let alike: Vec<CallableId> = self
            .all
            .iter()
            .copied()
            .filter(|c| may_stand_for(*c))
            .collect();
        let called = direct_callees(program, callee);
        let weaker = alike.iter().find(|c| called.contains(c)).copied();
        let beside = |c: &&CallableId| typed[**c].owner == own.owner && Some(**c) != weaker;
        let other = alike.iter().find(beside).copied();
        weaker.into_iter().chain(other).collect()
    }
}

/// Whether a callable takes the type arguments and arguments of another one and has the same
/// results.
pub(super) fn has_signature_of(program: &Program, c: CallableId, other: CallableId) -> bool {
    let typed = &program.typed;
    let (own, params) = (typed.all_type_params(c), typed.all_type_params(other));
    if own.len() != params.len() {
        return false;
    }
    // The type parameters of both correspond by position.
    let map: Substitution = own
        .into_iter()
        .zip(params.into_iter().map(Type::Param))
        .collect();
    let are_all_alike = |a: &[Formal], b: &[Formal]| {
        a.len() == b.len()
            && a.iter().zip(b).all(|(a, b)| {
                let (a, b) = (&typed[a.local], &typed[b.local]);
                a.ghost == b.ghost && are_alike(typed, &a.ty.subst(&map), &b.ty)
            })
    };
    are_all_alike(&typed[c].ins, &typed[other].ins)
        && are_all_alike(&typed[c].outs, &typed[other].outs)
}

/// All compiled expressions of a callable's own code, without the bodies of its lambdas.
pub(super) fn code_of(program: &Program, callable: CallableId) -> Vec<&Expr> {
    let Some(procedure) = program.procedures.get(&callable) else {
        return Vec::new();
    };
    let mut work: Vec<&Expr> = Vec::new();
    for block in procedure.blocks.iter().rev() {
        if let Terminator::Branch { cond, .. } = &block.terminator {
            work.push(cond);
        }
        work.extend(block.stmts.iter().rev().flat_map(super::stmts::roots));
    }
    let mut found = Vec::new();
    while let Some(e) = work.pop() {
        found.push(e);
        work.extend(e.children().into_iter().rev());
    }
    found
}

/// The callables that the own code of a callable calls.
pub(super) fn direct_callees(program: &Program, callable: CallableId) -> SortedSet<CallableId> {
    let of_expr = |e: &Expr| {
        if let ExprKind::Call { callee, .. } = &e.kind {
            Some(*callee)
        } else {
            None
        }
    };
    let mut found: SortedSet<CallableId> = code_of(program, callable)
        .into_iter()
        .filter_map(of_expr)
        .collect();
    let blocks = program.procedures.get(&callable).map(|p| &p.blocks);
    let stmts = blocks.into_iter().flatten().flat_map(|b| &b.stmts);
    found.extend(stmts.filter_map(|s| {
        if let StmtKind::Call { callee, .. } = &s.kind {
            Some(*callee)
        } else {
            None
        }
    }));
    found
}

/// For a call of a function that constructs a value in the end: the construction from the
/// arguments, or from some of them in this order. `Node(l, r)` for `Balanced(l, r)` leaves out what
/// the function does before, `Done(r, at)` for the recursive call `Rest(s, r, at)` the rest of the
/// recursion.
pub(super) fn constructed(
    program: &Program,
    names: &Names<'_>,
    (callee, args): (CallableId, &[Expr]),
    e: &Expr,
) -> Option<Other> {
    let typed = &program.typed;
    let own = &typed[callee];
    let Type::Named {
        decl, args: types, ..
    } = unconstrained(typed, &e.ty)
    else {
        return None;
    };
    let map = typed.substitution(decl, &types);
    // The constructor's name needs no import in its own module.
    let is_plain = own.module == names.callees.module
        && typed[decl].module == names.callees.module
        && (own.owner.is_none() || own.is_static);
    let TypeDeclKind::Datatype { ctors, .. } = &typed[decl].kind else {
        return None;
    };
    // The argument for each field, in the order of both.
    let arguments = |c: CtorId| {
        let mut left = args.iter().zip(&own.ins);
        let fields = &typed[c].fields;
        let argument = |f: &FieldId| {
            let field = &typed[*f];
            let ty = field.ty.subst(&map);
            let is_alike = |(arg, formal): &(&Expr, &Formal)| {
                !field.ghost
                    && !typed[formal.local].ghost
                    && are_alike(typed, &ty, &arg.ty)
                    && is_written(arg)
                    && e.span.contains_span(arg.span)
            };
            left.find(is_alike).map(|(arg, _)| arg.clone())
        };
        let found: Option<Vec<Expr>> = fields.iter().map(argument).collect();
        found.filter(|found| !found.is_empty())
    };
    let mut made = code_of(program, callee).into_iter().filter_map(|part| {
        if let ExprKind::Op(Op::Construct(ctor), _) = &part.kind {
            Some(*ctor)
        } else {
            None
        }
    });
    let (ctor, args) = made.find_map(|c| {
        let is_made = is_plain && ctors.contains(&c);
        Some((c, arguments(c).filter(|_| is_made)?))
    })?;
    let name = format!("{}.{}", typed[decl].name, typed[ctor].name);
    let shown = applied(&name, &args, e.span);
    Some((
        ExprKind::Op(Op::Construct(ctor), args),
        MutationKind::Callee,
        shown,
    ))
}

/// The text of a call of another function with the same arguments.
pub(super) fn called(
    program: &Program,
    args: &[Expr],
    call: Span,
    other: CallableId,
) -> Vec<Piece> {
    let declared = &program.typed[other];
    let is_of_object = declared.owner.is_some() && !declared.is_static;
    // The receiver is written, implied, or a type.
    let (mut pieces, args) = match (declared.owner, args.split_first()) {
        (Some(_), Some((object, rest))) if is_of_object => {
            let is_implied = !is_written(object) || object.span == call;
            (
                if is_implied {
                    vec![text("this.")]
                } else {
                    vec![only(object), text(".")]
                },
                rest,
            )
        }
        (Some(owner), _) => (vec![text(&*program.typed[owner].name), text(".")], args),
        (None, _) => (Vec::new(), args),
    };
    pieces.extend([text(&*declared.name), text("(")]);
    for (i, arg) in args.iter().filter(|a| is_written(a)).enumerate() {
        pieces.extend((i > 0).then(|| text(", ")).into_iter().chain([only(arg)]));
    }
    pieces.push(text(")"));
    pieces
}
