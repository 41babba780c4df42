//! Resolution of callables: contracts, bodies, and default values of parameters.

use std::borrow::Cow;

use crate::context::BodyWork;
use crate::graph::Declaration;
use crate::typed::{Body, CallableId, CallableKind, CtorId, LocalId, Spec, Type};
use dafny_source::diagnostic::Diagnostic;
use dafny_syntax::ast;

use super::{Resolver, State, termination};

impl<'c> Resolver<'c> {
    pub(super) fn function(&mut self, id: CallableId, decl: &ast::FunctionDecl) {
        self.ensure_defaults(id);
        let mut state = self.callable_state(id);
        state.diverges = termination::diverges(&decl.spec);
        self.within(state, |r| {
            let (ins, outs) = (r.cx.program[id].ins.clone(), r.cx.program[id].outs.clone());
            r.bring_in(&ins);
            let result = outs.first().map(|f| (f.local, f.unnamed));
            let mut spec = Spec::default();
            // The result is in scope in postconditions only.
            r.clauses(&decl.spec, &mut spec, &|c| {
                !matches!(
                    c,
                    ast::ClauseKind::Ensures(_) | ast::ClauseKind::Decreases(_)
                )
            });
            let mark = r.st.scope.open();
            if let Some((local, false)) = result {
                r.enter(local);
            }
            r.clauses(&decl.spec, &mut spec, &|c| {
                matches!(c, ast::ClauseKind::Ensures(_))
            });
            r.attributes(&decl.modifiers.attributes);
            r.st.scope.close(mark);
            r.clauses(&decl.spec, &mut spec, &|c| {
                matches!(c, ast::ClauseKind::Decreases(_))
            });
            r.finish_spec(&mut spec);
            r.cx.program[id].spec = spec;
            let before = r.st.errors;
            let ty = result.map_or(Type::Error, |(l, _)| r.cx.program[l].ty.clone());
            r.labels_of_requires(&decl.spec);
            let body = decl.body.as_ref().map(|e| {
                let mut body = r.expr(e, Some(&ty));
                let place = r.cx.program[id].span;
                r.expect_at(&body.ty, &ty, body.span, place);
                r.finish_expr(&mut body);
                body
            });
            r.st.declaration = Some(Declaration::ByMethod(id));
            let by = decl.by_method.as_ref().map(|b| {
                let mark = r.st.scope.open();
                if let Some((local, _)) = result {
                    r.cx.program[local].mutable = true;
                    r.enter(local);
                }
                let mut block = r.block_here(b);
                r.st.scope.close(mark);
                r.finish_block(&mut block);
                block
            });
            r.finish_locals();
            if r.st.errors == before {
                r.cx.program[id].body = match (body, by) {
                    (Some(e), Some(b)) => Body::ByMethod(Box::new(e), b),
                    (Some(e), None) => Body::Expr(Box::new(e)),
                    (None, Some(b)) => Body::Block(b),
                    (None, None) => Body::None,
                };
            }
        });
    }

    pub(super) fn method(&mut self, id: CallableId, decl: &ast::MethodDecl) {
        self.ensure_defaults(id);
        let mut state = self.callable_state(id);
        state.diverges = termination::diverges(&decl.spec);
        self.within(state, |r| {
            let (ins, outs) = (r.cx.program[id].ins.clone(), r.cx.program[id].outs.clone());
            r.bring_in(&ins);
            let mut spec = Spec::default();
            let constructor = r.cx.program[id].kind == CallableKind::Constructor;
            // The precondition of a constructor is evaluated before the object exists.
            let this = if constructor { r.st.this.take() } else { None };
            let before_body = if constructor {
                Cow::Owned(r.without_this(&decl.spec))
            } else {
                Cow::Borrowed(&decl.spec)
            };
            r.clauses(&before_body, &mut spec, &|c| {
                !matches!(c, ast::ClauseKind::Ensures(_))
            });
            r.st.this = if constructor { this } else { r.st.this.take() };
            // The outermost variables of the body share a scope with the out-parameters.
            let mark = r.st.scope.open();
            // Dafny rejects out-parameters of extreme lemmas here, and does not declare them.
            match outs.first() {
                Some(first) if r.cx.callables.extreme_lemmas.contains_key(&id) => {
                    r.extreme_out(id, first.local);
                }
                Some(_) | None => r.bring_in(&outs),
            }
            r.clauses(&decl.spec, &mut spec, &|c| {
                matches!(c, ast::ClauseKind::Ensures(_))
            });
            r.finish_spec(&mut spec);
            r.cx.program[id].spec = spec;
            let before = r.st.errors;
            if let Some(b) = &decl.body {
                r.labels_of_requires(&decl.spec);
                // In the proof of an extreme lemma, `_k` is the limit of its prefix lemma.
                let limit =
                    r.cx.callables
                        .prefixes
                        .get(&id)
                        .and_then(|p| r.cx.program[*p].ins.first())
                        .map(|f| f.local);
                if let Some(limit) = limit {
                    r.enter(limit);
                }
                r.st.first_phase = constructor;
                let mut block = r.block_here(b);
                if constructor {
                    block.divided_at = Some(block.divided_at.unwrap_or(block.stmts.len()));
                }
                r.finish_block(&mut block);
                r.finish_locals();
                if r.st.errors == before {
                    r.cx.program[id].body = Body::Block(block);
                }
            }
            // Attributes may mention variables that the body declares.
            r.attributes(&decl.modifiers.attributes);
            r.finish_locals();
            r.st.scope.close(mark);
        });
    }

    /// Reports an out-parameter of an extreme lemma.
    fn extreme_out(&mut self, lemma: CallableId, out: LocalId) {
        let least = self.cx.callables.extreme_lemmas.get(&lemma);
        let kind = match least {
            Some(false) => "greatest",
            Some(true) | None => "least",
        };
        let message = format!("a {kind} lemma cannot have out-parameters");
        let d = Diagnostic::error("resolve/extreme-out", self.cx.program[out].span, message);
        self.report(
            d.with_help("state the property of the result with `exists` in a postcondition"),
        );
    }

    pub(super) fn ctor_defaults(&mut self, ctor: CtorId, decl: &ast::Ctor) {
        let c = &self.cx.program[ctor];
        let (datatype, params) = (c.datatype, c.params.clone());
        let mut state = State::new(
            self.cx,
            self.cx.program[datatype].module,
            Some(datatype),
            self.cx.type_decl_scope(datatype),
        );
        state.declaration = Some(Declaration::Type(datatype));
        state.this = None;
        self.within(state, |r| {
            params.iter().for_each(|l| r.enter(*l));
            r.order_of_parameters(&decl.formals);
            for (i, (formal, local)) in decl.formals.iter().zip(params).enumerate() {
                if let Some(e) = &formal.default {
                    let ty = r.cx.program[local].ty.clone();
                    let mut value = r.check(e, &ty);
                    r.finish_expr(&mut value);
                    if let Some(slot) = r.cx.program[ctor].defaults.get_mut(i) {
                        *slot = Some(value);
                    }
                }
            }
            let (params, defaults) = (
                r.cx.program[ctor].params.clone(),
                r.cx.program[ctor].defaults.clone(),
            );
            r.default_cycles(
                &params
                    .into_iter()
                    .zip(defaults.iter().map(Option::as_ref))
                    .collect::<Vec<_>>(),
            );
            r.finish_locals();
        });
    }

    /// Resolves the default values of a callable's parameters unless that has been done.
    pub(super) fn ensure_defaults(&mut self, id: CallableId) {
        if !self.defaults_done.insert(id) {
            return;
        }
        let work = self.work.clone();
        let formals = match self.callables.get(&id).and_then(|i| work.get(*i)) {
            Some(BodyWork::Function { ast, .. }) => &ast.ins,
            Some(BodyWork::Method { ast, .. }) => &ast.ins,
            Some(BodyWork::IteratorHead { ast, .. }) => &ast.ins,
            _ => return,
        };
        if formals.iter().all(|f| f.default.is_none() && !f.nameonly) {
            return;
        }
        let state = self.callable_state(id);
        self.within(state, |r| {
            let ins = r.cx.program[id].ins.clone();
            // A prefix callable or a refinement may have leading parameters that are not in the
            // text. Match from the end.
            let skip = ins.len().saturating_sub(formals.len());
            r.bring_in(&ins);
            r.order_of_parameters(formals);
            for (i, (formal, typed)) in formals.iter().zip(ins.iter().skip(skip)).enumerate() {
                if let Some(e) = &formal.default {
                    let ty = r.cx.program[typed.local].ty.clone();
                    let mut value = r.check(e, &ty);
                    r.finish_expr(&mut value);
                    if let Some(slot) = r.cx.program[id].ins.get_mut(i + skip) {
                        slot.default = Some(value);
                    }
                }
            }
            let ins = r.cx.program[id].ins.clone();
            r.default_cycles(
                &ins.iter()
                    .map(|f| (f.local, f.default.as_ref()))
                    .collect::<Vec<_>>(),
            );
            r.finish_locals();
        });
    }

    /// Requires that every parameter after a `nameonly` one is `nameonly` itself or has a default
    /// value, since it cannot be passed by position.
    fn order_of_parameters(&mut self, formals: &[ast::Formal]) {
        let mut by_name = None;
        let last_unnamed = formals
            .iter()
            .rposition(|f| f.name.is_none())
            .unwrap_or_default();
        for default in formals
            .iter()
            .take(last_unnamed)
            .filter_map(|f| f.default.as_ref())
        {
            let message =
                "this default value can never be used: a required positional parameter follows";
            let d = Diagnostic::error("resolve/unused-default", default.span, message);
            self.report(d.with_help("remove it, or name all parameters that follow"));
        }
        for f in formals {
            if f.nameonly {
                by_name = f.name.as_ref().map(|n| n.name.clone());
            } else if let (Some(earlier), None) = (&by_name, &f.default) {
                let span = f.name.as_ref().map_or(f.span, |n| n.span);
                let d = Diagnostic::error(
                    "resolve/nameonly",
                    span,
                    format!("this parameter follows `{earlier}`, which is `nameonly`"),
                );
                self.report(d.with_help("declare it `nameonly` too, or give it a default value"));
            }
        }
    }

    pub(super) fn ensure_ctor_defaults(&mut self, ctor: CtorId) {
        if let Some(&i) = self.ctors.get(&ctor) {
            self.run(i);
        }
    }
}
