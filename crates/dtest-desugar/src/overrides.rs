//! A pass that turns the proof obligations of overriding declarations into code.
//!
//! Callers rely on the contract of the overridden declaration. The overriding one has to accept all
//! its arguments, respect its frames, and ensure its postconditions (reference manual, "Trait
//! types", and the override checks of Dafny's verifier).

use crate::Desugaring;
use dafny_resolve::typed::rewrite::{self, Rewrite};
use dafny_resolve::typed::{
    Arena, Attribute, AttributeArg, Block, Body, Call, CallableId, CallableKind, Clause, Expr,
    ExprKind, Formal, Frame, Local, LocalId, Rhs, Spec, Stmt, StmtKind, Substitution, Target, Type,
};
use dtest_sorted::SortedMap;

/// The attribute of generated methods that call an override under the contract of its parent. No
/// source program can contain it.
pub(crate) const OVERRIDE: &str = "of override";

impl Desugaring {
    /// Adds a method for each pair of an overriding and an overridden declaration. It has the
    /// parameters, precondition and frame of the overridden declaration, calls the overriding one,
    /// and asserts the postconditions of the overridden one. For functions, a second method has the
    /// `reads` clause. Type parameters of the trait are replaced by their arguments; a contract that
    /// binds variables of such a type is omitted.
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
        if !is_plain
            || own.ins.len() != above.ins.len()
            || own.outs.len() != above.outs.len()
            || own.type_params.len() != above.type_params.len()
        {
            return;
        }
        let Some(above) = self.instantiated(id, parent) else {
            return;
        };
        let own = &self[id];
        let requires = above.spec.requires.clone();
        // The read frame is checked by a method of its own, which has no postconditions to prove.
        if own.kind.is_function() && !above.spec.reads.iter().any(|f| f.star) {
            let kept = Spec {
                requires: requires.clone(),
                reads: above.spec.reads.clone(),
                ..Spec::default()
            };
            self.add_override(id, &above, kept, Vec::new(), true);
        }
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
        self.add_override(id, &above, kept, ensured, false);
    }

    /// Adds a method with the contract `spec` that calls `id` and then executes `then`. `reads`:
    /// whether it only checks the read frame.
    fn add_override(
        &mut self,
        id: CallableId,
        above: &Inherited,
        spec: Spec,
        then: Vec<Stmt>,
        reads: bool,
    ) {
        let mut stmts = vec![self.call_of_override(id, above)];
        stmts.extend(then);
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
                AttributeArg::Int(above.id.0.into()),
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
    fn call_of_override(&self, id: CallableId, above: &Inherited) -> Stmt {
        let own = &self[id];
        let span = own.span;
        let variable = |f: &Formal| Expr {
            kind: ExprKind::Local(f.local),
            ty: self[f.local].ty.clone(),
            span,
        };
        let this = own.owner.map(|owner| {
            Box::new(Expr {
                kind: ExprKind::This,
                ty: Type::named(owner, params(&self[owner].type_params)),
                span,
            })
        });
        let call = Call {
            callee: id,
            receiver: this,
            discarded: None,
            type_args: params(&self.all_type_params(id)),
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

    /// Returns the contract of an overridden declaration over the type parameters of the overriding
    /// one, or `None` if a variable that the contract binds has a type that depends on them.
    fn instantiated(&mut self, id: CallableId, parent: CallableId) -> Option<Inherited> {
        let (own, above) = (&self[id], &self[parent]);
        let mut types = match (own.owner, above.owner) {
            (Some(class), Some(decl)) => {
                let this = Type::named(class, params(&self[class].type_params));
                self.substitution(decl, &self.supertype_args(&this, decl)?)
            }
            (None, _) | (_, None) => Substitution::default(),
        };
        types.extend(
            above
                .type_params
                .iter()
                .copied()
                .zip(params(&own.type_params)),
        );
        let (mut ins, mut outs, mut spec) =
            (above.ins.clone(), above.outs.clone(), above.spec.clone());
        if !types.is_empty() {
            let mut locals = SortedMap::new();
            for formal in ins.iter_mut().chain(&mut outs) {
                // An in-parameter stays one, which is not mutable.
                let old = self[formal.local].clone();
                let ty = old.ty.subst(&types);
                self.locals.push(Local { ty, ..old });
                let new = LocalId(self.locals.len() as u32 - 1);
                locals.insert(formal.local, new);
                formal.local = new;
            }
            let mut instantiation = Instantiation {
                types: &types,
                locals: &locals,
                has_generic_binding: false,
            };
            instantiation.spec(&mut spec);
            if instantiation.has_generic_binding {
                return None;
            }
        }
        Some(Inherited {
            id: parent,
            ins,
            outs,
            spec,
        })
    }
}

/// The signature and contract of an overridden declaration, as the overriding one inherits them.
struct Inherited {
    id: CallableId,
    ins: Vec<Formal>,
    outs: Vec<Formal>,
    spec: Spec,
}

/// Returns type parameters as types.
fn params(params: &[dafny_resolve::typed::TypeParamId]) -> Vec<Type> {
    params.iter().copied().map(Type::Param).collect()
}

/// A rewriter that replaces type parameters, and parameters whose types contain them.
struct Instantiation<'a> {
    types: &'a Substitution,
    locals: &'a SortedMap<LocalId, LocalId>,
    /// Whether a variable that is no parameter has a type that changes.
    has_generic_binding: bool,
}

impl Instantiation<'_> {
    fn spec(&mut self, spec: &mut Spec) {
        let Spec {
            requires, ensures, ..
        } = spec;
        for Clause { cond, .. } in requires.iter_mut().chain(ensures) {
            self.expr(cond);
        }
        for frame in spec.reads.iter_mut().chain(&mut spec.modifies) {
            let frame: &mut Frame = frame;
            self.frame(frame);
        }
    }
}

impl Rewrite for Instantiation<'_> {
    fn ty(&mut self, ty: &mut Type) {
        *ty = ty.subst(self.types);
    }

    fn expr(&mut self, e: &mut Expr) {
        if let ExprKind::Local(local) = &mut e.kind {
            match self.locals.get(local) {
                Some(new) => *local = *new,
                None => self.has_generic_binding |= e.ty.subst(self.types) != e.ty,
            }
        }
        rewrite::walk_expr(self, e);
    }
}
