//! Iterators: their contract as the constructor's, their body, and the contracts of the generated
//! members.

use crate::typed::{
    BinaryOp, Call, CallableId, Clause, Expr, ExprKind, FieldId, Frame, IteratorMembers,
    IteratorParts, Spec, Type, TypeDeclKind, TypeId, UnaryOp,
};
use dafny_source::diagnostic::Diagnostic;
use dafny_syntax::ast;

use super::expr::{boxed, mk};
use super::{Resolver, State};
use dafny_source::Span;

impl Resolver<'_> {
    /// Resolves the contract of an iterator over the parameters of its constructor, and infers the
    /// types of the fields that hold its measure.
    pub(super) fn iterator_head(
        &mut self,
        ty: TypeId,
        constructor: CallableId,
        decl: &ast::IteratorDecl,
    ) {
        self.ensure_defaults(constructor);
        let mut state = self.callable_state(constructor);
        // The contract is over the parameters, not over the fields of the iterator.
        state.this = None;
        self.within(state, |r| {
            let ins = r.cx.program[constructor].ins.clone();
            r.bring_in(&ins);
            let mut spec = Spec::default();
            r.clauses_where(&decl.spec, &mut spec, &|c| {
                !c.is_yield && matches!(c.kind, ast::ClauseKind::Decreases(_))
            });
            r.clauses_where(&decl.spec, &mut spec, &|c| {
                !c.is_yield
                    && matches!(
                        c.kind,
                        ast::ClauseKind::Reads(_) | ast::ClauseKind::Modifies(_)
                    )
            });
            r.clauses_where(&decl.spec, &mut spec, &|c| {
                !c.is_yield && matches!(c.kind, ast::ClauseKind::Requires(_))
            });
            r.finish_spec(&mut spec);
            r.finish_locals();
            let Some(parts) = r.iterator_parts(ty) else {
                return;
            };
            // The fields that hold the measure have the types of its expressions.
            for (field, measure) in parts.decreases.clone().into_iter().zip(&spec.decreases) {
                r.cx.program[field].ty = measure.ty.clone();
                r.cx.types.untyped_consts.remove(&field);
            }
            let (requires, modifies) = (spec.requires.clone(), spec.modifies.clone());
            if let Some(parts) = r.iterator_parts(ty) {
                parts.spec = spec;
            }
            let span = decl.name.span;
            let this = mk(ExprKind::This, r.cx.self_type(ty), span);
            // `_drive` calls the constructor and runs the iterator, so it has its contract.
            if let Some(members) = r.iterator_parts(ty).and_then(|p| p.members) {
                let driven = &mut r.cx.program[members.drive].spec;
                (driven.requires, driven.modifies) = (requires.clone(), modifies);
            }
            r.cx.program[constructor].spec.requires = requires;
            // The constructor itself assigns only fields of the new object.
            r.cx.program[constructor].spec.modifies = vec![Frame {
                object: Some(this),
                field: None,
                star: false,
                span,
            }];
        });
    }

    /// Resolves the postconditions, the `yield` clauses and the body. There the parameters are
    /// fields of `this`.
    pub(super) fn iterator(&mut self, ty: TypeId, decl: &ast::IteratorDecl) {
        let Some(parts) = self.iterator_parts(ty) else {
            return;
        };
        let (yields, members) = (parts.yields.clone(), parts.members);
        let mut state = State::new(
            self.cx,
            self.cx.program[ty].module,
            Some(ty),
            self.cx.type_decl_scope(ty),
        );
        state.yields = Some(yields);
        state.diverges = super::termination::diverges(&decl.spec);
        self.within(state, |r| {
            // Postconditions hold at the end, `yield` clauses at each `yield`.
            let mut ended = Spec::default();
            let mut yielding = Spec::default();
            r.clauses_where(&decl.spec, &mut ended, &|c| {
                !c.is_yield && matches!(c.kind, ast::ClauseKind::Ensures(_))
            });
            r.clauses_where(&decl.spec, &mut yielding, &|c| c.is_yield);
            r.finish_spec(&mut ended);
            r.finish_spec(&mut yielding);
            let errors = r.st.errors;
            let body = decl.body.as_ref().map(|b| {
                r.labels_of_requires(&decl.spec);
                let mut block = r.block_here(b);
                r.finish_block(&mut block);
                block
            });
            r.finish_locals();
            r.whole_frames(&decl.spec);
            let failed = r.st.errors != errors;
            if let Some(members) = members {
                r.member_contracts(ty, members, &ended, &yielding, decl.name.span);
            }
            if let Some(parts) = r.iterator_parts(ty) {
                parts.spec.ensures = ended.ensures;
                parts.yield_requires = yielding.requires;
                parts.yield_ensures = yielding.ensures;
                // Later passes never see a body with errors.
                parts.body = body.filter(|_| !failed);
            }
        });
    }

    /// Reports a frame of an iterator that names a field: frames are stored as sets of objects.
    fn whole_frames(&mut self, spec: &ast::Spec) {
        for clause in spec.clauses.iter().filter(|c| !c.is_yield) {
            let (what, frames) = match &clause.kind {
                ast::ClauseKind::Reads(frames) => ("reads", frames),
                ast::ClauseKind::Modifies(frames) => ("modifies", frames),
                ast::ClauseKind::Requires(_)
                | ast::ClauseKind::Ensures(_)
                | ast::ClauseKind::Invariant(_)
                | ast::ClauseKind::Decreases(_) => continue,
            };
            for frame in frames.iter().filter(|f| f.field.is_some()) {
                let message =
                    format!("the `{what}` clause of an iterator cannot name individual fields");
                let d = Diagnostic::error("resolve/iterator-frame", frame.span, message);
                self.report(d.with_help("name the whole object"));
            }
        }
    }

    fn iterator_parts(&mut self, ty: TypeId) -> Option<&mut IteratorParts> {
        match &mut self.cx.program[ty].kind {
            TypeDeclKind::Iterator(parts) => Some(parts),
            TypeDeclKind::Datatype { .. }
            | TypeDeclKind::Newtype(_)
            | TypeDeclKind::Subset(_)
            | TypeDeclKind::Abstract
            | TypeDeclKind::Class
            | TypeDeclKind::Trait { .. } => None,
        }
    }

    /// Builds the contracts of the generated members. `Valid` reads the iterator and its frames.
    /// The constructor establishes it. `MoveNext` requires `Valid` and `yield requires`, and
    /// ensures them and `yield ensures`, or the postconditions at the end of the iteration.
    fn member_contracts(
        &mut self,
        ty: TypeId,
        members: IteratorMembers,
        ended: &Spec,
        yielding: &Spec,
        span: Span,
    ) {
        let (reads, modifies) = self.frames_of_members(ty, span);
        let this = || mk(ExprKind::This, self.cx.self_type(ty), span);
        let type_args = self.cx.program[ty]
            .type_params
            .iter()
            .map(|p| Type::Param(*p))
            .collect();
        let call = Call {
            callee: members.valid,
            receiver: Some(boxed(this())),
            discarded: None,
            type_args,
            args: Vec::new(),
            at_label: None,
            is_static_dispatch: false,
            is_corecursive: false,
        };
        let valid = Clause {
            cond: mk(ExprKind::Call(call), Type::Bool, span),
            label: None,
            span,
        };
        let more = self.cx.program[members.move_next]
            .outs
            .first()
            .map(|f| mk(ExprKind::Local(f.local), Type::Bool, span));
        let mut ensures = Vec::new();
        if let Some(more) = more {
            ensures.push(when(true, &valid, &more));
            ensures.extend(yielding.ensures.iter().map(|c| when(true, c, &more)));
            ensures.extend(ended.ensures.iter().map(|c| when(false, c, &more)));
        }
        let requires = std::iter::once(&valid)
            .chain(&yielding.requires)
            .cloned()
            .collect();
        let program = &mut self.cx.program;
        program[members.valid].spec.reads = reads;
        program[members.constructor].spec.ensures = vec![valid];
        program[members.move_next].spec = Spec {
            requires,
            ensures,
            modifies,
            ..Spec::default()
        };
    }
    /// Returns what the generated members read and modify: the iterator itself, its stored frames,
    /// and the objects that its body has allocated.
    fn frames_of_members(&mut self, ty: TypeId, span: Span) -> (Vec<Frame>, Vec<Frame>) {
        let stored = self.iterator_parts(ty).and_then(|p| p.frames);
        let this = || mk(ExprKind::This, self.cx.self_type(ty), span);
        let field = |f: FieldId| {
            let kind = ExprKind::Field {
                object: Some(boxed(this())),
                discarded: None,
                field: f,
                type_args: Vec::new(),
            };
            Frame {
                object: Some(mk(kind, self.cx.program[f].ty.clone(), span)),
                field: None,
                star: false,
                span,
            }
        };
        let whole = Frame {
            object: Some(this()),
            field: None,
            star: false,
            span,
        };
        let (mut reads, mut modifies) = (vec![whole.clone()], vec![whole]);
        if let Some(f) = stored {
            reads.extend([field(f.reads), field(f.new)]);
            modifies.extend([field(f.modifies), field(f.new)]);
        }
        (reads, modifies)
    }
}

/// Returns a clause under the condition that the result `more` of `MoveNext` has a value: true if
/// the body yielded, false if it ended.
fn when(value: bool, c: &Clause, more: &Expr) -> Clause {
    let guard = if value {
        more.clone()
    } else {
        let kind = ExprKind::Unary(UnaryOp::Not, boxed(more.clone()));
        mk(kind, Type::Bool, c.span)
    };
    let kind = ExprKind::Binary(BinaryOp::Implies, boxed(guard), boxed(c.cond.clone()));
    Clause {
        cond: mk(kind, Type::Bool, c.span),
        label: c.label.clone(),
        span: c.span,
    }
}
