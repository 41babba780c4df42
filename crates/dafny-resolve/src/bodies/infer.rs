//! Type inference: inference variables, subtyping constraints between types, and joins.
//!
//! An inference variable is a [`Type::Param`] with a number of at least [`FIRST`]. A partly
//! inferred type is therefore an ordinary [`Type`], until [`Inference::zonk`] replaces the
//! remaining variables. There is no constraint graph: each constraint is solved when it is added
//! ([`Inference::flow`], [`Inference::unify`], [`Inference::join`]), and binds variables as it
//! goes.
//!
//! Compatibility is decided on *base* types, as in Dafny: a subset type counts as its base and `C`
//! as `C?`, because narrowing is a proof obligation and not a type error.
//!
//! The hard part is that the first value that flows into a variable need not have the final type. A
//! variable bound by such a value is *soft*: another value may widen it to the join of both. A
//! binding by an exact type (by [`Inference::unify`]) is not soft and stays.

use crate::typed::{Program, Type, TypeDeclKind, TypeId, TypeParamId};
use dafny_source::Span;
use dafny_syntax::ast::Variance;
use join::nullable;

mod join;
mod relate;

/// The first number of a [`TypeParamId`] that denotes an inference variable.
const FIRST: u32 = 0x8000_0000;

/// The constraint on an unbound variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VarKind {
    /// No constraint.
    Any,
    /// The type of an integer literal: `int`, a newtype over it, a bitvector type or `ORDINAL`.
    IntLike,
    /// The type of a real literal: `real` or a newtype over it.
    RealLike,
    /// The type of `null`: a nullable reference type.
    Null,
}

/// A literal, display, comparison or the like. The new type system takes the type of such an
/// expression from its context, and checks at the end whether the expression may have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Origin {
    /// The number of times that constraints had been solved before.
    pub segment: u32,
    /// The position in the order of constraints.
    pub order: usize,
    /// The expression.
    pub span: Span,
}

/// A literal that cannot have the type that its context requires.
#[derive(Debug)]
pub struct Misfit {
    /// The literal.
    pub origin: Origin,
    /// The type that the literal has without a context.
    pub found: Type,
    /// The type that the context requires.
    pub expected: Type,
    /// Whether the constraints already contradict each other: only the elements of a collection do
    /// not fit, or the context is another literal.
    pub is_early: bool,
}

#[derive(Debug)]
struct Var {
    kind: VarKind,
    binding: Option<Type>,
    soft: bool,
    /// The literals that alone determine the type, oldest first. Their type yields to any other.
    origins: Vec<Origin>,
    /// Whether the binding keeps the subset type of the first value instead of widening it. True of
    /// type arguments.
    exact: bool,
}

/// The inference variables of one body.
#[derive(Debug, Default)]
pub struct Inference {
    vars: Vec<Var>,
    misfits: Vec<Misfit>,
}

/// Whether a type parameter is an inference variable.
pub fn is_variable(p: TypeParamId) -> bool {
    p.0 >= FIRST
}

/// Whether the head of the type is an inference variable, bound or not.
pub fn is_inferred(ty: &Type) -> bool {
    index(ty).is_some()
}

fn index(ty: &Type) -> Option<usize> {
    if let Type::Param(p) = ty
        && p.0 >= FIRST
    {
        Some((p.0 - FIRST) as usize)
    } else {
        None
    }
}

/// Whether integer literals may have the type.
pub fn is_int_like(program: &Program, ty: &Type) -> bool {
    matches!(
        program.representation(ty),
        Type::Int | Type::Bv(_) | Type::Ordinal | Type::Error
    )
}

/// Whether real literals may have the type.
pub fn is_real_like(program: &Program, ty: &Type) -> bool {
    matches!(program.representation(ty), Type::Real | Type::Error)
}

/// Returns the base of a subset type, one declaration up. `None` for all other types.
pub fn strip_once(program: &Program, ty: &Type) -> Option<Type> {
    let Type::Named { decl, args, .. } = ty else {
        return None;
    };
    let TypeDeclKind::Subset(c) = &program[*decl].kind else {
        return None;
    };
    Some(c.base.subst(&program.substitution(*decl, args)))
}

/// Like [`strip_once`]. In the older type system, also strips newtypes over collections, `bool` and
/// `char`, because these share literals and operators with their base.
fn strip_loose(program: &Program, ty: &Type) -> Option<Type> {
    let Type::Named { decl, args, .. } = ty else {
        return None;
    };
    match &program[*decl].kind {
        TypeDeclKind::Newtype(c) => {
            // In the new type system, literals and operators alone have such types.
            if !program.options.type_system_refresh
                && matches!(
                    program.representation(ty),
                    Type::Bool
                        | Type::Char
                        | Type::Seq(_)
                        | Type::Set { .. }
                        | Type::Multiset(_)
                        | Type::Map { .. }
                )
            {
                Some(c.base.subst(&program.substitution(*decl, args)))
            } else {
                None
            }
        }
        TypeDeclKind::Subset(_)
        | TypeDeclKind::Datatype { .. }
        | TypeDeclKind::Abstract
        | TypeDeclKind::Class
        | TypeDeclKind::Trait { .. }
        | TypeDeclKind::Iterator(_) => strip_once(program, ty),
    }
}

/// The type arguments of `target` when a value of type `ty` is used as one of type `target`. `None`
/// if `target` is no ancestor of `ty`.
pub fn as_ancestor(program: &Program, ty: &Type, target: TypeId) -> Option<Vec<Type>> {
    ancestor(program, ty, target, 0)
}

fn ancestor(program: &Program, ty: &Type, target: TypeId, depth: u32) -> Option<Vec<Type>> {
    // Cyclic declarations are reported elsewhere; here they must not recurse forever.
    if depth > 64 {
        return None;
    }
    match ty {
        Type::Named { decl, args, .. } if *decl == target => Some(args.clone()),
        Type::Named { decl, args, .. } => {
            let decl = &program[*decl];
            if decl.parents.is_empty() {
                // Only a declaration with parents has several ancestors; the chain of a subset type
                // is followed instead.
                return strip_once(program, ty)
                    .and_then(|t| ancestor(program, &t, target, depth + 1));
            }
            let map = decl
                .type_params
                .iter()
                .copied()
                .zip(args.iter().cloned())
                .collect();
            decl.parents
                .iter()
                .find_map(|p| ancestor(program, &p.subst(&map), target, depth + 1))
        }
        // The older type system does not relate type parameters to their bounds.
        Type::Param(p) if p.0 < FIRST && program.options.type_system_refresh => program[*p]
            .bounds
            .iter()
            .find_map(|b| ancestor(program, b, target, depth + 1)),
        Type::Bool
        | Type::Char
        | Type::Int
        | Type::Real
        | Type::Bv(_)
        | Type::Ordinal
        | Type::Seq(_)
        | Type::Set { .. } => None,
        Type::Multiset(_)
        | Type::Map { .. }
        | Type::Tuple(_)
        | Type::Arrow { .. }
        | Type::Array { .. }
        | Type::Object { .. } => None,
        Type::Param(_) | Type::Error => None,
    }
}

impl Inference {
    /// Creates a variable.
    pub fn fresh(&mut self, kind: VarKind) -> Type {
        self.vars.push(Var {
            kind,
            binding: None,
            soft: true,
            origins: Vec::new(),
            exact: false,
        });
        Type::Param(TypeParamId(FIRST + self.vars.len() as u32 - 1))
    }

    /// Creates a variable for a type argument, which keeps a subset type that all its values share.
    pub fn fresh_argument(&mut self) -> Type {
        self.vars.push(Var {
            kind: VarKind::Any,
            binding: None,
            soft: true,
            origins: Vec::new(),
            exact: true,
        });
        Type::Param(TypeParamId(FIRST + self.vars.len() as u32 - 1))
    }

    /// The type of a literal whose type without a context is `ty`.
    pub fn literal(&mut self, ty: &Type, origin: Origin) -> Type {
        if *ty == Type::Error {
            return Type::Error;
        }
        if let (Some(i), None) = self.view(ty) {
            if let Some(v) = self.vars.get_mut(i)
                && v.origins.is_empty()
                && v.kind != VarKind::Any
            {
                v.origins.push(origin);
            }
            return ty.clone();
        }
        let variable = self.fresh(VarKind::Any);
        if let Some(v) = self.vars.last_mut() {
            v.binding = Some(ty.clone());
            v.origins.push(origin);
        }
        variable
    }

    /// Whether only literals determine the head of the type.
    pub fn is_of_literals(&self, ty: &Type) -> bool {
        self.view(ty).0.is_some_and(|i| !self.origins(i).is_empty())
    }

    /// Removes and returns the literals that cannot have the required types.
    pub fn take_misfits(&mut self) -> Vec<Misfit> {
        std::mem::take(&mut self.misfits)
    }

    fn origins(&self, i: usize) -> &[Origin] {
        self.var(i).map_or(&[], |v| &v.origins)
    }

    fn set_origins(&mut self, i: usize, origins: Vec<Origin>) {
        if let Some(v) = self.vars.get_mut(i) {
            v.origins = origins;
        }
    }

    /// Resolves a conflict of two types of which one has been determined by literals only: that
    /// one becomes the other. Of two such types, the newer one yields.
    fn yields(&mut self, program: &Program, a: &Type, b: &Type) -> bool {
        let ((i, s), (j, t)) = (self.view(a), self.view(b));
        let oldest = |i: Option<usize>| i.and_then(|i| self.origins(i).first().copied());
        let (literal, other, known) = match (oldest(i), oldest(j)) {
            (None, None) => return false,
            (Some(_), None) => (i, b, t),
            (None, Some(_)) => (j, a, s),
            (Some(x), Some(y)) if x < y => (j, a, s),
            (Some(_), Some(_)) => (i, b, t),
        };
        let Some(literal) = literal else {
            return false;
        };
        if self.occurs(literal, other) {
            return false;
        }
        let variable = Type::Param(TypeParamId(FIRST + literal as u32));
        let found = self.with_default(&variable);
        let expected = self.with_default(other);
        // A literal may have any newtype over its type.
        let family = self.base(program, &program.representation(&expected));
        let others = self.view(other).0.map(|i| self.origins(i).to_vec());
        let others = others.unwrap_or_default();
        let is_alike = std::mem::discriminant(&family) == std::mem::discriminant(&found);
        if !(is_alike && family != expected && self.sub(program, &found, &family)) {
            for origin in self.origins(literal).to_vec() {
                self.misfits.push(Misfit {
                    origin,
                    found: found.clone(),
                    expected: expected.clone(),
                    is_early: is_alike || !others.is_empty(),
                });
            }
        }
        let binding = known.unwrap_or_else(|| other.clone());
        self.bind(literal, binding, true);
        self.set_origins(literal, others);
        true
    }

    /// The type itself if it is known. Otherwise, its default.
    fn with_default(&self, ty: &Type) -> Type {
        match self.kind(ty) {
            Some(VarKind::IntLike) => Type::Int,
            Some(VarKind::RealLike) => Type::Real,
            Some(VarKind::Null) => Type::Object { nullable: true },
            Some(VarKind::Any) | None => self.head(ty),
        }
    }

    /// The number of variables.
    pub fn count(&self) -> usize {
        self.vars.len()
    }

    /// Whether the inference variable is among the first `count` ones.
    pub fn is_older(&self, variable: TypeParamId, count: usize) -> bool {
        (variable.0.saturating_sub(FIRST) as usize) < count
    }

    /// Whether the element type of a collection was inferred from its elements.
    pub fn has_open_elements(&self, ty: &Type) -> bool {
        match &self.head(ty) {
            Type::Seq(e) | Type::Multiset(e) | Type::Set { elem: e, .. } => index(e).is_some(),
            Type::Map { key, value, .. } => index(key).is_some() || index(value).is_some(),
            Type::Bool
            | Type::Char
            | Type::Int
            | Type::Real
            | Type::Bv(_)
            | Type::Ordinal
            | Type::Tuple(_)
            | Type::Arrow { .. }
            | Type::Array { .. }
            | Type::Object { .. }
            | Type::Named { .. }
            | Type::Param(_)
            | Type::Error => false,
        }
    }

    /// The variables created since the count was `first`.
    pub fn since(&self, first: usize) -> impl Iterator<Item = Type> + use<> {
        (first..self.vars.len()).map(|i| Type::Param(TypeParamId(FIRST + i as u32)))
    }

    fn var(&self, i: usize) -> Option<&Var> {
        self.vars.get(i)
    }

    /// Follows the chain of bindings. Returns the last variable on it, and the type that this
    /// variable is bound to.
    fn view(&self, ty: &Type) -> (Option<usize>, Option<Type>) {
        let mut last = None;
        let mut ty = ty;
        while let Some(i) = index(ty) {
            last = Some(i);
            match self.var(i).and_then(|v| v.binding.as_ref()) {
                Some(b) => ty = b,
                None => return (last, None),
            }
        }
        (last, Some(ty.clone()))
    }

    /// The type with bindings followed at the head. The result is a variable only if that is
    /// unbound.
    pub fn head(&self, ty: &Type) -> Type {
        let mut ty = ty;
        while let Some(i) = index(ty) {
            match self.var(i).and_then(|v| v.binding.as_ref()) {
                Some(b) => ty = b,
                None => break,
            }
        }
        ty.clone()
    }

    /// The head with subset types replaced by their bases.
    pub fn base(&self, program: &Program, ty: &Type) -> Type {
        let mut ty = self.head(ty);
        while let Some(t) = strip_once(program, &ty) {
            ty = self.head(&t);
        }
        ty
    }

    /// Whether the head is an unbound variable.
    pub fn is_unbound(&self, ty: &Type) -> bool {
        index(&self.head(ty)).is_some()
    }

    /// The constraint on the variable at the head of the type.
    pub fn kind(&self, ty: &Type) -> Option<VarKind> {
        index(&self.head(ty))
            .and_then(|i| self.var(i))
            .map(|v| v.kind)
    }

    fn bind(&mut self, i: usize, ty: Type, soft: bool) {
        if let Some(v) = self.vars.get_mut(i) {
            v.binding = Some(ty);
            v.soft = soft;
            v.origins.clear();
        }
    }

    fn is_soft(&self, i: usize) -> bool {
        self.var(i).is_some_and(|v| v.soft)
    }

    fn occurs(&self, i: usize, ty: &Type) -> bool {
        if index(ty).is_none() {
            return ty.parts().any(|t| self.occurs(i, t));
        }
        match self.view(ty) {
            (None, _) => false,
            (Some(j), None) => j == i,
            (Some(j), Some(b)) => j == i || self.occurs(i, &b),
        }
    }

    /// The type to bind a variable of this kind to when it meets `ty`. `None` if `ty` violates the
    /// variable's constraint.
    fn fits(&self, program: &Program, kind: VarKind, ty: &Type) -> Option<Type> {
        match kind {
            VarKind::Any => Some(ty.clone()),
            // A literal has the type without the constraint of a subset type: `nat` would exclude
            // negative literals.
            VarKind::IntLike => is_int_like(program, ty).then(|| program.strip_subset(ty)),
            VarKind::RealLike => is_real_like(program, ty).then(|| program.strip_subset(ty)),
            // `null` has every reference type, in its nullable form.
            VarKind::Null => {
                if matches!(ty, Type::Error) {
                    Some(Type::Error)
                } else {
                    nullable(program, ty)
                }
            }
        }
    }

    /// Replaces subset types by their bases in all covariant positions.
    pub fn widen(&self, program: &Program, ty: &Type) -> Type {
        if matches!(ty, Type::Array { .. }) {
            ty.clone()
        } else if let Type::Arrow {
            params,
            result,
            kind,
        } = ty
        {
            // Values flow into the parameters, so only the result may be widened.
            Type::Arrow {
                params: params.clone(),
                result: Box::new(self.widen(program, result)),
                kind: *kind,
            }
        } else if let Type::Named {
            decl,
            args,
            nullable,
        } = ty
        {
            match strip_once(program, ty) {
                Some(t) => self.widen(program, &t),
                None => {
                    let params = &program[*decl].type_params;
                    // For the same reason, only covariant arguments may be widened.
                    let arg = |(i, t): (usize, &Type)| match params
                        .get(i)
                        .map(|p| program[*p].variance)
                    {
                        Some(Variance::Covariant | Variance::CovariantAny) => {
                            self.widen(program, t)
                        }
                        Some(
                            Variance::Contravariant | Variance::Invariant | Variance::InvariantAny,
                        )
                        | None => t.clone(),
                    };
                    Type::Named {
                        decl: *decl,
                        args: args.iter().enumerate().map(arg).collect(),
                        nullable: *nullable,
                    }
                }
            }
        } else {
            ty.map_parts(&mut |t| self.widen(program, t))
        }
    }

    fn bind_unbound(&mut self, program: &Program, i: usize, ty: &Type, exact: bool) -> bool {
        // Occurs check: a variable inside its own binding would be an infinite type.
        if self.occurs(i, ty) {
            return false;
        }
        let kind = self.var(i).map_or(VarKind::Any, |v| v.kind);
        let Some(fit) = self.fits(program, kind, ty) else {
            return false;
        };
        // Values of a subset type also are values of its base. Widen, so that later values of the
        // base fit, unless the variable is exact.
        let keep = exact
            || self
                .var(i)
                .is_some_and(|v| v.exact && v.kind == VarKind::Any);
        let fit = if keep { fit } else { self.widen(program, &fit) };
        self.bind(i, fit, !exact);
        true
    }

    fn link(&mut self, from: usize, to: usize) -> bool {
        if from == to {
            return true;
        }
        let (a, b) = (
            self.var(from).map_or(VarKind::Any, |v| v.kind),
            self.var(to).map_or(VarKind::Any, |v| v.kind),
        );
        // Both variables become one, which has to satisfy both constraints.
        let kind = match (a, b) {
            (VarKind::Any, k) | (k, VarKind::Any) => k,
            (a, b) if a == b => a,
            (
                VarKind::IntLike | VarKind::RealLike | VarKind::Null,
                VarKind::IntLike | VarKind::RealLike | VarKind::Null,
            ) => return false,
        };
        // The newer variable points to the older one, so that chains of links stay short.
        let (from, to) = (from.max(to), from.min(to));
        let mut origins = [self.origins(from), self.origins(to)].concat();
        origins.sort_unstable();
        origins.dedup();
        let exact =
            // A variable that is not exact may receive values of the base, so that the pair may,
            // too.
            self.var(from).is_some_and(|v| v.exact) && self.var(to).is_some_and(|v| v.exact);
        if let Some(v) = self.vars.get_mut(to) {
            v.kind = kind;
            v.exact = exact;
            v.origins = origins;
        }
        self.bind(from, Type::Param(TypeParamId(FIRST + to as u32)), true);
        true
    }

    /// Adds the constraint that a value of type `from` may be used where `to` is expected. Returns
    /// false if it cannot hold.
    pub fn flow(&mut self, program: &Program, from: &Type, to: &Type) -> bool {
        self.flows(program, from, to) || self.yields(program, from, to)
    }

    fn flows(&mut self, program: &Program, from: &Type, to: &Type) -> bool {
        if from == to {
            return true;
        }
        match (self.view(from), self.view(to)) {
            // Nothing is known of either type: from now on they are one.
            ((Some(a), None), (Some(b), None)) => self.link(a, b),
            ((Some(a), None), (b, Some(t))) => {
                // `null` flows into a known type. A type that was inferred from values becomes
                // nullable.
                let null = self.var(a).is_some_and(|v| v.kind == VarKind::Null);
                if null
                    && let (Some(b), Some(n)) = (b, nullable(program, &t))
                    && self.is_soft(b)
                {
                    self.bind(b, n, true);
                }
                match b {
                    Some(b)
                        // The source follows a soft target, so that both are widened together.
                        if !null
                            && self.is_soft(b)
                            && self
                                .fits(program, self.var(a).map_or(VarKind::Any, |v| v.kind), &t)
                                .is_some() =>
                    {
                        if self.occurs(a, &t) {
                            return false;
                        }
                        self.bind(a, Type::Param(TypeParamId(FIRST + b as u32)), true);
                        true
                    }
                    _ => self.bind_unbound(program, a, &t, false),
                }
            }
            // The first value that flows into a variable. The binding is soft: later values may
            // widen it.
            ((a, Some(f)), (Some(b), None)) => {
                // A variable that gets its type from a literal yields as the literal does.
                let origins = a.map(|a| self.origins(a).to_vec()).unwrap_or_default();
                let bound = self.bind_unbound(program, b, &f, false);
                if bound {
                    self.set_origins(b, origins);
                }
                bound
            }
            ((a, Some(f)), (b, Some(t))) => {
                let origins = a.map(|a| self.origins(a).to_vec()).unwrap_or_default();
                // The target's type came from values only: widen it to the join with the new value.
                if let Some(b) = b.filter(|&b| self.is_soft(b)) {
                    let mut both = self.origins(b).to_vec();
                    return match self.join_known(program, &t, &f) {
                        Some(j) => {
                            // A join that contains the variable would be infinite; the old binding
                            // stays.
                            if !self.occurs(b, &j) {
                                self.bind(b, j, true);
                            }
                            // Only literals together make a type that yields.
                            if both.is_empty() || origins.is_empty() {
                                both.clear();
                            } else {
                                both.extend(origins);
                                both.sort_unstable();
                                both.dedup();
                            }
                            self.set_origins(b, both);
                            true
                        }
                        None => false,
                    };
                }
                if self.sub(program, &f, &t) {
                    if let Some(a) = a {
                        self.set_origins(a, Vec::new());
                    }
                    return true;
                }
                // The target is fixed. A source whose type came from values may still be narrowed
                // to it; the verifier then proves that the value fits.
                match a.filter(|&a| self.is_soft(a)) {
                    Some(a) if self.sub(program, &t, &f) => {
                        self.bind(a, t, true);
                        true
                    }
                    _ => false,
                }
            }
            ((None, None), _) | (_, (None, None)) => true,
        }
    }

    /// Narrows an inferred reference type to the subtype that the context expects, as for `set x |
    /// x in objects` where a `set<C>` is expected.
    pub fn narrow(&mut self, program: &Program, ty: &Type, to: &Type) {
        let ((Some(i), Some(bound)), (_, Some(to))) = (self.view(ty), self.view(to)) else {
            return;
        };
        let are_references = self.is_reference(program, &bound) && self.is_reference(program, &to);
        if self.is_soft(i)
            && are_references
            && self.sub(program, &to, &bound)
            && !self.sub(program, &bound, &to)
        {
            // The context has decided, so that no later value widens the type again.
            self.bind(i, to, false);
        }
    }

    /// Adds the constraint that both types are equal up to subset types. Returns false if it cannot
    /// hold.
    pub fn unify(&mut self, program: &Program, a: &Type, b: &Type) -> bool {
        self.unifies(program, a, b) || self.yields(program, a, b)
    }

    fn unifies(&mut self, program: &Program, a: &Type, b: &Type) -> bool {
        if a == b {
            return true;
        }
        match (self.view(a), self.view(b)) {
            ((Some(i), None), (Some(j), None)) => self.link(i, j),
            ((Some(i), None), (Some(j), Some(t))) | ((Some(j), Some(t)), (Some(i), None))
                if !self.origins(j).is_empty()
                    && self.var(i).is_some_and(|v| v.kind == VarKind::Any)
                    && !self.occurs(i, &t) =>
            {
                // The variable yields together with the literals.
                self.bind(i, Type::Param(TypeParamId(FIRST + j as u32)), true);
                true
            }
            ((Some(i), None), (_, Some(t))) | ((_, Some(t)), (Some(i), None)) => {
                self.bind_unbound(program, i, &t, true)
            }
            ((i, Some(s)), (j, Some(t))) => {
                if s == t {
                    return true;
                }
                // Equality up to subset types: in one direction at least, values fit without a
                // proof.
                if !(self.sub(program, &s, &t) || self.sub(program, &t, &s)) {
                    return false;
                }
                // An exact type replaces a soft binding. Two soft bindings are both replaced by
                // their join.
                match (
                    i.filter(|&i| self.is_soft(i)),
                    j.filter(|&j| self.is_soft(j)),
                ) {
                    (Some(i), None) if !self.occurs(i, &t) => self.bind(i, t, false),
                    (None, Some(j)) if !self.occurs(j, &s) => self.bind(j, s, false),
                    (Some(i), Some(j)) => {
                        if let Some(both) = self
                            .join_known(program, &s, &t)
                            .filter(|b| !self.occurs(i, b) && !self.occurs(j, b))
                        {
                            self.bind(i, both.clone(), true);
                            self.bind(j, both, true);
                        }
                    }
                    (Some(_), None) | (None, Some(_)) | (None, None) => {}
                }
                true
            }
            ((None, None), _) | (_, (None, None)) => true,
        }
    }

    /// The texts of two types for one message; they differ if the types do.
    pub fn show_both(&self, program: &Program, a: &Type, b: &Type) -> (String, String) {
        program.show_types(&self.erase(a), &self.erase(b))
    }

    /// Replaces all variables by their bindings. An unconstrained variable becomes `int` and sets
    /// `open`.
    pub fn zonk(&self, ty: &Type, open: &mut bool) -> Type {
        if index(ty).is_none() {
            return ty.map_parts(&mut |t| self.zonk(t, open));
        }
        match self.view(ty) {
            (None, _) => ty.clone(),
            (Some(_), Some(b)) => self.zonk(&b, open),
            (Some(i), None) => match self.var(i).map(|v| v.kind) {
                Some(VarKind::IntLike) => Type::Int,
                Some(VarKind::RealLike) => Type::Real,
                Some(VarKind::Null) => Type::Object { nullable: true },
                Some(VarKind::Any) | None => {
                    *open = true;
                    Type::Int
                }
            },
        }
    }

    /// Collects the unconstrained variables in a type.
    pub fn undetermined(&self, ty: &Type, found: &mut Vec<usize>) {
        if index(ty).is_none() {
            return ty.parts().for_each(|t| self.undetermined(t, found));
        }
        match self.view(ty) {
            (None, _) => {}
            (Some(_), Some(b)) => self.undetermined(&b, found),
            (Some(i), None) => {
                if self.var(i).is_none_or(|v| v.kind == VarKind::Any) {
                    found.push(i);
                }
            }
        }
    }

    /// The type as text for a message. Variables without a binding or constraint are shown as `?`.
    pub fn show(&self, program: &Program, ty: &Type) -> String {
        program.show_type(&self.erase(ty))
    }

    /// Replaces all variables by their bindings. An unconstrained variable becomes [`Type::Error`].
    pub fn erase(&self, ty: &Type) -> Type {
        if index(ty).is_none() {
            return ty.map_parts(&mut |t| self.erase(t));
        }
        match self.view(ty) {
            (None, _) => ty.clone(),
            (Some(_), Some(b)) => self.erase(&b),
            (Some(i), None) => match self.var(i).map(|v| v.kind) {
                Some(VarKind::IntLike) => Type::Int,
                Some(VarKind::RealLike) => Type::Real,
                Some(VarKind::Null) => Type::Object { nullable: true },
                Some(VarKind::Any) | None => Type::Error,
            },
        }
    }
}
