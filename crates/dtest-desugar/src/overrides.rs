//! A pass that turns the proof obligations of overriding declarations into code.
//!
//! Callers rely on the contract of the overridden declaration. The overriding one has to accept all
//! its arguments, respect its frames, and ensure its postconditions (reference manual, "Trait
//! types", and the override checks of Dafny's verifier).

use crate::Desugaring;
use dafny_resolve::typed::{
    Arena, Attribute, AttributeArg, Block, Body, Call, CallableId, CallableKind, Expr, ExprKind,
    Formal, Rhs, Spec, Stmt, StmtKind, Target, Type,
};

/// The attribute of generated methods that call an override under the contract of its parent. No
/// source program can contain it.
pub(crate) const OVERRIDE: &str = "of override";

impl Desugaring {
    /// Adds a method for each pair of an overriding and an overridden declaration. It has the
    /// parameters, precondition and frame of the overridden declaration, calls the overriding one,
    /// and asserts the postconditions of the overridden one. For functions, a second method has the
    /// `reads` clause. Declarations with type parameters, their own or the trait's, are omitted.
    #[must_use]
    pub(crate) fn with_overrides(mut self) -> Self {
        for id in Arena::<CallableId>::ids(&self.program) {
            for parent in self[id].overrides.clone() {
                self.override_as_code(id, parent);
            }
        }
        self
    }

    fn override_as_code(&mut self, id: CallableId, parent: CallableId) {
        let (own, above) = (&self[id], &self[parent]);
        let is_plain = match own.kind {
            CallableKind::Function | CallableKind::Method | CallableKind::Lemma => {
                !own.is_two_state && !own.is_static
            }
            CallableKind::Constructor
            | CallableKind::TwostateFunction
            | CallableKind::LeastPredicate
            | CallableKind::GreatestPredicate => false,
        };
        // The contracts would have to be instantiated with type arguments.
        let is_generic = |c: CallableId| !self.all_type_params(c).is_empty();
        if !is_plain
            || is_generic(id)
            || is_generic(parent)
            || own.ins.len() != above.ins.len()
            || own.outs.len() != above.outs.len()
        {
            return;
        }
        let requires = above.spec.requires.clone();
        // The read frame is checked by a method of its own, which has no postconditions to prove.
        if own.kind.is_function() && !above.spec.reads.iter().any(|f| f.star) {
            let kept = Spec {
                requires: requires.clone(),
                reads: above.spec.reads.clone(),
                ..Spec::default()
            };
            self.add_override(id, parent, kept, Vec::new(), true);
        }
        let above = &self[parent];
        let kept = Spec {
            requires,
            modifies: above.spec.modifies.clone(),
            decreases_star: true,
            ..Spec::default()
        };
        let span = self[id].span;
        // Violations are reported at the overriding declaration.
        let ensured = above.spec.ensures.iter().map(|clause| {
            let cond = Expr {
                span,
                ..clause.cond.clone()
            };
            Stmt {
                span,
                kind: StmtKind::Assert {
                    cond,
                    label: None,
                    by: None,
                },
                labels: Vec::new(),
                ghost: false,
            }
        });
        let ensured = ensured.collect();
        self.add_override(id, parent, kept, ensured, false);
    }

    /// Adds a method with the contract `spec` that calls `id` and then executes `then`. `reads`:
    /// whether it only checks the read frame.
    fn add_override(
        &mut self,
        id: CallableId,
        parent: CallableId,
        spec: Spec,
        then: Vec<Stmt>,
        reads: bool,
    ) {
        let mut stmts = vec![self.call_of_override(id, parent)];
        stmts.extend(then);
        let above = &self[parent];
        let (ins, outs) = (above.ins.clone(), above.outs.clone());
        let mut callable = self[id].clone();
        let part = if reads { "override.reads" } else { "override" };
        callable.name = format!("{}.{part}", callable.name).into();
        (callable.ins, callable.outs, callable.spec) = (ins, outs, spec);
        callable.kind = CallableKind::Method;
        callable.is_predicate = false;
        callable.body = Body::Block(Block {
            divided_at: None,
            division: None,
            span: callable.span,
            stmts,
        });
        callable.overrides.clear();
        callable.attributes = vec![Attribute {
            name: OVERRIDE.into(),
            args: vec![
                AttributeArg::Bool(reads),
                AttributeArg::Int(id.0.into()),
                AttributeArg::Int(parent.0.into()),
            ],
            span: callable.span,
        }];
        if reads {
            callable
                .attributes
                .push(crate::contracts::of_reads(callable.span));
        }
        callable.doc = None;
        callable.ghost = false;
        self.callables.push(callable);
    }

    /// Builds `outs := this.F(ins);` with the variables of the parent.
    fn call_of_override(&self, id: CallableId, parent: CallableId) -> Stmt {
        let (own, above) = (&self[id], &self[parent]);
        let span = own.span;
        let variable = |f: &Formal| Expr {
            kind: ExprKind::Local(f.local),
            ty: self[f.local].ty.clone(),
            span,
        };
        let this = own.owner.map(|owner| {
            Box::new(Expr {
                kind: ExprKind::This,
                ty: Type::named(owner, Vec::new()),
                span,
            })
        });
        let call = Call {
            callee: id,
            receiver: this,
            discarded: None,
            type_args: Vec::new(),
            args: above.ins.iter().map(variable).collect(),
            at_label: None,
            is_static_dispatch: false,
            is_corecursive: false,
        };
        let targets: Vec<Target> = above.outs.iter().map(|f| Target::Local(f.local)).collect();
        let kind = if own.kind.is_function() {
            let ty = own
                .outs
                .first()
                .map_or(Type::Error, |f| self[f.local].ty.clone());
            let value = Expr {
                kind: ExprKind::Call(call),
                ty,
                span,
            };
            let pairs = targets
                .into_iter()
                .map(|target| (target, Rhs::Expr(value.clone())))
                .collect();
            StmtKind::Assign {
                declares: Vec::new(),
                pairs,
            }
        } else {
            StmtKind::Call {
                declares: Vec::new(),
                targets,
                call,
            }
        };
        Stmt {
            span,
            kind,
            labels: Vec::new(),
            ghost: false,
        }
    }
}
