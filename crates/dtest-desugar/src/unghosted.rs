//! A pass that makes ghost code executable, for the search for violations.

use std::collections::{BTreeMap, BTreeSet};

use crate::{Desugaring, assigned_types};
use dafny_resolve::typed::rewrite::{self, Rewrite};
use dafny_resolve::typed::{
    Arena, Body, Callable, CallableId, CallableKind, Expr, ExprKind, FieldId, FieldKind, Frame,
    LetOrFail, LocalId, Program, Span, Stmt, StmtKind, Type, TypeDeclKind, Witness,
};

/// Removes ghostness from callables, variables, fields and statements, and adds the obligations
/// of overrides, contracts, unproved lemmas, initial values and functions by method as code.
/// Variables get the subset types that Dafny infers for them.
///
/// Lemmas without a body, extreme predicates and two-state functions stay ghost, because no
/// execution of blocks computes their values. Other callables without a body are implemented by
/// stubs, even if their contract is empty.
#[must_use]
pub fn unghosted(mut program: Program) -> Program {
    // Proof-only branches have obligations, so the bodies that contain them are used.
    program.exchange_whole_bodies();
    program.whole_bodies.clear();
    let desugaring = Desugaring { program };
    let extreme = desugaring.extreme_lemmas();
    let desugaring = desugaring
        .with_overrides()
        .with_contracts()
        .with_contracts_of_iterators()
        .with_claims()
        .with_initial_values()
        .with_by_method_functions()
        .with_proofs_in_place();
    let types = desugaring.inferred_types();
    let (ghosts, fields) = (desugaring.ghost_variables(), desugaring.ghost_fields());
    let Desugaring { mut program } = desugaring;
    let mut unghost = Unghost {
        in_ghost: false,
        ghosts,
        fields,
        types,
    };
    for (id, c) in (0..).map(CallableId).zip(&mut program.callables) {
        if extreme.contains(&id) {
            continue;
        }
        let has_blocks = match c.kind {
            CallableKind::Function
            | CallableKind::Method
            | CallableKind::Constructor
            | CallableKind::Lemma => true,
            CallableKind::TwostateFunction
            | CallableKind::LeastPredicate
            | CallableKind::GreatestPredicate => false,
        };
        let is_claim = c.kind == CallableKind::Lemma && matches!(c.body, Body::None);
        // A prefix predicate has no body because its calls are not unfolded.
        let is_prefix = c.name.ends_with('#');
        unghost.in_ghost = c.ghost || c.kind == CallableKind::Lemma;
        if c.ghost {
            program.ghost_callables.insert(id);
        }
        c.ghost &= is_claim || is_prefix || !has_blocks;
        match &mut c.body {
            Body::None => {}
            Body::Expr(e) => unghost.expr(e),
            Body::Block(b) => unghost.block(b),
            Body::ByMethod(e, b) => {
                unghost.expr(e);
                unghost.in_ghost = false;
                unghost.block(b);
            }
        }
    }
    unghost.in_ghost = false;
    program.is_unghosted = true;
    program.locals.iter_mut().for_each(|l| l.ghost = false);
    for (local, ty) in std::mem::take(&mut unghost.types) {
        program[local].ty = ty;
    }
    for (id, f) in (0..).map(FieldId).zip(&mut program.fields) {
        if f.ghost {
            program.ghost_fields.insert(id);
        }
        f.ghost = false;
        if let FieldKind::Const(Some(value)) = &mut f.kind {
            unghost.expr(value);
        }
    }
    for t in &mut program.types {
        match &mut t.kind {
            TypeDeclKind::Iterator(parts) => parts.body.iter_mut().for_each(|b| unghost.block(b)),
            TypeDeclKind::Newtype(c) | TypeDeclKind::Subset(c) => {
                if let Witness::Compiled(e) | Witness::Ghost(e) = &mut c.witness {
                    unghost.expr(e);
                }
            }
            TypeDeclKind::Datatype { .. }
            | TypeDeclKind::Abstract
            | TypeDeclKind::Class
            | TypeDeclKind::Trait { .. } => {}
        }
    }
    program.ghost_locals = unghost.ghosts;
    program
}

impl Desugaring {
    /// Subset types of variables that the source declares without a type. They matter for
    /// obligations only.
    fn inferred_types(&self) -> BTreeMap<LocalId, Type> {
        let mut types = BTreeMap::new();
        if !self.options.type_system_refresh {
            for c in &self.callables {
                if let Body::Block(block) | Body::ByMethod(_, block) = &c.body {
                    types.extend(assigned_types::inferred_types(self, block));
                    types.extend(assigned_types::array_indices(self, block));
                }
            }
        }
        types
    }

    /// Ghost fields that are mutable.
    fn ghost_fields(&self) -> Vec<FieldId> {
        let is_ghost = |f: &FieldId| self[*f].ghost && matches!(self[*f].kind, FieldKind::Mutable);
        Arena::<FieldId>::ids(&self.program)
            .into_iter()
            .filter(is_ghost)
            .collect()
    }

    /// Variables declared ghost, and the results of ghost callables.
    fn ghost_variables(&self) -> BTreeSet<LocalId> {
        let declared = (0..)
            .map(LocalId)
            .zip(&self.locals)
            .filter(|(_, l)| l.ghost)
            .map(|(id, _)| id);
        let is_ghost = |c: &&Callable| c.ghost || c.kind == CallableKind::Lemma;
        declared
            .chain(
                self.callables
                    .iter()
                    .filter(is_ghost)
                    .flat_map(|c| &c.outs)
                    .map(|f| f.local),
            )
            .collect()
    }

    /// Extreme lemmas. Copies are executed instead ([`Desugaring::with_claims`]). A prefix lemma has
    /// the span and the name of its lemma, followed by `#`.
    pub(crate) fn extreme_lemmas(&self) -> BTreeSet<CallableId> {
        let prefixes: BTreeSet<(Span, &str)> = self
            .callables
            .iter()
            .filter_map(|c| Some((c.span, c.name.strip_suffix('#')?)))
            .collect();
        let is_extreme =
            |c: &Callable| c.kind == CallableKind::Lemma && prefixes.contains(&(c.span, &*c.name));
        (0..)
            .map(CallableId)
            .zip(&self.callables)
            .filter(|(_, c)| is_extreme(c))
            .map(|(id, _)| id)
            .collect()
    }
}

struct Unghost {
    /// Whether the current code is a proof or part of ghost code.
    in_ghost: bool,
    /// Variables that were ghost.
    ghosts: BTreeSet<LocalId>,
    /// Fields that were ghost.
    fields: Vec<FieldId>,
    /// Variables with an inferred subset type.
    types: BTreeMap<LocalId, Type>,
}

impl Unghost {
    /// Restricts the frame of a `modify` statement in ghost code to ghost fields (reference manual,
    /// section 8.24).
    fn restrict(&self, frames: &mut Vec<Frame>) {
        let is_field = |f: &Frame| f.field.is_none() && !f.star;
        let whole: Vec<Frame> = frames.extract_if(.., |f| is_field(f)).collect();
        frames.retain(|f| f.field.is_none_or(|field| self.fields.contains(&field)));
        for frame in whole {
            frames.extend(self.fields.iter().map(|field| Frame {
                field: Some(*field),
                ..frame.clone()
            }));
        }
    }
}

impl Rewrite for Unghost {
    fn expr(&mut self, e: &mut Expr) {
        if let ExprKind::Let { ghost, .. } | ExprKind::LetSuchThat { ghost, .. } = &mut e.kind {
            *ghost = false;
        } else if let ExprKind::LetOrFail(l) = &mut e.kind {
            let LetOrFail { ghost, .. } = &mut **l;
            *ghost = false;
        } else if let ExprKind::Local(local) = &e.kind
            && let Some(ty) = self.types.get(local)
        {
            e.ty = ty.clone();
        }
        rewrite::walk_expr(self, e);
    }

    fn stmt(&mut self, s: &mut Stmt) {
        let outside = self.in_ghost;
        let is_proof = matches!(s.kind, StmtKind::Assert { .. } | StmtKind::Calc { .. });
        self.in_ghost |= s.ghost || is_proof;
        if let StmtKind::VarDecl(locals) = &s.kind
            && self.in_ghost
        {
            self.ghosts.extend(locals);
        }
        if let StmtKind::Modify { frame, body: None } = &mut s.kind
            && self.in_ghost
        {
            self.restrict(frame);
        }
        s.ghost = false;
        rewrite::walk_stmt(self, s);
        self.in_ghost = outside;
    }
}
