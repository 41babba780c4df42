//! Permitted changes of a refining declaration (reference manual, "Refinement").
//!
//! The checks are syntactic, as in Dafny: a type has to be repeated as written in the base. `M.T`
//! and `T` are the same type, but a synonym is a different one.

use dafny_source::Span;
use dafny_source::diagnostic::Diagnostic;
use dafny_syntax::ast::{
    Characteristics, ClauseKind, ConstDecl, ExprKind, FieldDecl, Formal, FunctionDecl,
    FunctionKind, IteratorDecl, MethodDecl, MethodKind, Spec, TopDecl, Type, TypeKind, TypeParam,
    Variance,
};
use dafny_syntax::printer::type_to_string;

use super::Findings;

/// Compares the declarations of one refinement.
pub(super) struct Check<'a> {
    pub(super) diagnostics: &'a mut Findings,
}

impl Check<'_> {
    /// Reports an error at the refining declaration, with the refined one as a secondary span.
    fn report(&mut self, span: Span, base: Span, message: String) {
        let diagnostic = Diagnostic::error("resolve/refinement", span, message);
        self.diagnostics
            .push(diagnostic.with_secondary(base, "the refined declaration"));
    }

    /// Checks that the kinds of two type declarations can be merged.
    pub(super) fn kinds(&mut self, old: &TopDecl, new: &TopDecl) {
        let (Some((old_kind, old_span)), Some((kind, span))) = (kind_of(old), kind_of(new)) else {
            return;
        };
        // The first rule that applies decides about the message, in the order of Dafny.
        let is_abstract = |d: &TopDecl| matches!(d, TopDecl::Type(t) if t.definition.is_none());
        let name = super::type_name(new).map_or_else(String::new, |n| n.name.to_string());
        if is_abstract(old) {
            // A type with a definition may refine a type with members.
        } else if matches!(new, TopDecl::Type(t) if t.definition.is_some()) {
            let message = format!(
                "a type synonym ({name}) is not allowed to replace a {old_kind} from the refined module, even if it denotes the same type"
            );
            self.report(span, old_span, message);
        } else if !is_refining(new) {
            let message = format!(
                "to redeclare and refine declaration '{name}', you must use the refining (`...`) notation"
            );
            self.report(span, old_span, message);
        } else if is_abstract(new) {
            let message = format!(
                "an abstract type declaration ({name}) in a refining module cannot replace a more specific type declaration in the refinement base"
            );
            self.report(span, old_span, message);
        } else if old_kind != kind {
            let message = format!(
                "a {kind} declaration ({name}) in a refinement module can only refine a {kind} declaration or replace an abstract type declaration"
            );
            self.report(span, old_span, message);
        }
    }

    /// Compares type parameters: number, names, characteristics, variance and bounds have to agree.
    pub(super) fn type_params(
        &mut self,
        old: &[TypeParam],
        new: &[TypeParam],
        at: Span,
        thing: &str,
        name: &str,
    ) {
        if old.len() != new.len() {
            let message = format!(
                "{thing} '{name}' is declared with a different number of type parameters ({} instead of {}) than the corresponding {thing} in the module it refines",
                new.len(),
                old.len()
            );
            let base = old.first().map_or(at, |p| p.name.span);
            return self.report(at, base, message);
        }
        for (o, n) in old.iter().zip(new) {
            if o.name.name != n.name.name {
                let message = format!(
                    "type parameters are not allowed to be renamed from the names given in the {thing} in the module being refined (expected '{}', found '{}')",
                    o.name.name, n.name.name
                );
                self.report(n.name.span, o.name.span, message);
                continue;
            }
            if let Some(requirement) = changed_requirement(&o.characteristics, &n.characteristics) {
                let message = format!(
                    "type parameter '{}' is not allowed to change {requirement}",
                    n.name.name
                );
                self.report(n.name.span, o.name.span, message);
            }
            if sign(o.variance) != sign(n.variance) {
                let (from, to) = (sign(o.variance), sign(n.variance));
                let message = format!(
                    "type parameter '{}' is not allowed to change variance (here, from '{from}' to '{to}')",
                    n.name.name
                );
                self.report(n.name.span, o.name.span, message);
            }
            self.type_bounds(o, n, thing, name);
        }
    }

    /// Checks an added `(==)`. It is allowed if the base states it, or requires it by its signature
    /// (`set<T>`). The check is approximate: the parameter must be an argument of some other type.
    pub(super) fn added_equality<'t>(
        &mut self,
        old: &[TypeParam],
        new: &[TypeParam],
        types: impl Iterator<Item = &'t Type> + Clone,
    ) {
        for (o, n) in old.iter().zip(new) {
            let added = o.name.name == n.name.name
                && n.characteristics.equality
                && !o.characteristics.equality;
            if added && !types.clone().any(|t| is_argument(t, &o.name.name)) {
                let message = format!(
                    "type parameter '{}' is not allowed to change the requirement of supporting equality",
                    n.name.name
                );
                self.report(n.name.span, o.name.span, message);
            }
        }
    }

    fn type_bounds(&mut self, old: &TypeParam, new: &TypeParam, thing: &str, name: &str) {
        // Bounds have no names, so that they are compared in order.
        let differs = old.bounds.len() != new.bounds.len()
            || old
                .bounds
                .iter()
                .zip(&new.bounds)
                .any(|(o, n)| !same_type(o, n));
        if differs {
            let message = format!(
                "the type bounds of type parameter '{}' of {thing} '{name}' differ from those in the module it refines",
                new.name.name
            );
            self.report(new.name.span, old.name.span, message);
        }
    }

    /// Compares parameters of the given kind: number, names, modifiers and types have to agree.
    pub(super) fn formals(
        &mut self,
        old: &[Formal],
        new: &[Formal],
        at: Span,
        thing: &str,
        name: &str,
        kind: &str,
    ) {
        if old.len() != new.len() {
            let message = format!(
                "{thing} '{name}' is declared with a different number of {kind}s ({} instead of {}) than the corresponding {thing} in the module it refines",
                new.len(),
                old.len()
            );
            let base = old.first().map_or(at, |f| f.span);
            return self.report(new.get(old.len()).map_or(at, |f| f.span), base, message);
        }
        for (i, (o, n)) in old.iter().zip(new).enumerate() {
            if let Some(message) = changed_formal(o, n, i, thing, name, kind) {
                self.report(n.span, o.span, message);
            }
        }
    }

    /// Compares constants. A value or `ghost` may be added.
    pub(super) fn constant(&mut self, old: &ConstDecl, new: &ConstDecl) {
        let name = &new.name.name;
        let same = |t: &Type| old.ty.as_ref().is_none_or(|o| same_type(o, t));
        let message = if !new.ty.as_ref().is_none_or(same) {
            format!(
                "the type of a const declaration ({name}) in a refining declaration must be syntactically the same as for the const being refined"
            )
        } else if new.value.is_some() && old.value.is_some() {
            format!(
                "a const re-declaration ({name}) can give an initializing expression only if the const in the refinement base does not"
            )
        } else if new.modifiers.is_static != old.modifiers.is_static {
            format!(
                "a const in a refining module cannot be changed from static to non-static or vice versa: {name}"
            )
        } else if old.modifiers.ghost && !new.modifiers.ghost {
            format!(
                "a const re-declaration ({name}) is not allowed to remove 'ghost' from the const declaration"
            )
        } else if new.value.is_none() && old.modifiers.ghost == new.modifiers.ghost {
            let or = if old.value.is_none() {
                " or to provide an initializing expression"
            } else {
                ""
            };
            format!(
                "a const re-declaration ({name}) must be to add 'ghost' to the const declaration{or}"
            )
        } else {
            return;
        };
        self.report(new.name.span, old.name.span, message);
    }

    /// Compares fields. Only `ghost` may be added.
    pub(super) fn field(&mut self, old: &FieldDecl, new: &FieldDecl) {
        let name = &new.name.name;
        let message = if !same_type(&old.ty, &new.ty) {
            format!(
                "a field declaration ({name}) in a refining class must repeat the syntactically same type as the field has in the refinement base"
            )
        } else if old.modifiers.ghost || !new.modifiers.ghost {
            format!(
                "a field re-declaration ({name}) must be to add 'ghost' to the field declaration"
            )
        } else {
            return;
        };
        self.report(new.name.span, old.name.span, message);
    }

    /// Compares functions. A missing body and postconditions may be added, and a function without
    /// body may become compiled.
    pub(super) fn function(&mut self, old: &FunctionDecl, new: &FunctionDecl) {
        let (name, at, base) = (&new.name.name, new.name.span, old.name.span);
        let what = function_what(new.kind);
        if what != function_what(old.kind) {
            return self.report(
                at,
                base,
                format!("a {what} declaration ({name}) can only refine a {what}"),
            );
        }
        // Callers rely on the contract of the base, so only postconditions may be added.
        let no_decreases = format!("decreases clause on refining {what} not supported");
        self.no_new_clauses(
            &new.spec,
            base,
            &format!("a refining {what}"),
            Some(&no_decreases),
        );
        if old.modifiers.is_static != new.modifiers.is_static {
            self.report(
                at,
                base,
                format!("a function in a refining module cannot be changed from static to non-static or vice versa: {name}"),
            );
        }
        let is_ghost = |f: &FunctionDecl| f.ghost;
        if !is_ghost(old) && is_ghost(new) {
            self.report(at, base, format!("a compiled function cannot be changed into a ghost function in a refining module: {name}"));
        }
        // The base may have been verified with its body.
        if old.body.is_some() && new.body.is_some() {
            self.report(
                at,
                base,
                format!("a refining {what} is not allowed to extend/change the body"),
            );
        } else if is_ghost(old) && !is_ghost(new) && old.body.is_some() {
            let message = format!(
                "a ghost function can be changed into a compiled function in a refining module only if the function has not yet been given a body: {name}"
            );
            self.report(at, base, message);
        }
        // `...` repeats the signature of the base.
        if new.is_refining {
            return;
        }
        self.type_params(&old.type_params, &new.type_params, at, "function", name);
        self.added_equality(
            &old.type_params,
            &new.type_params,
            old.ins.iter().map(|f| &f.ty).chain(&old.result),
        );
        self.formals(&old.ins, &new.ins, at, "function", name, "parameter");
        if let (Some(o), Some(n)) = (&old.result_name, &new.result_name)
            && o.name != n.name
        {
            let message = format!(
                "the name of function return value '{name}'({}) differs from the name of corresponding function return value in the module it refines ({})",
                n.name, o.name
            );
            self.report(n.span, o.span, message);
        }
        if let (Some(o), Some(n)) = (&old.result, &new.result)
            && !same_type(o, n)
        {
            let message = format!(
                "the result type of function '{name}' ({}) differs from the result type of the corresponding function in the module it refines ({})",
                type_to_string(n),
                type_to_string(o)
            );
            self.report(n.span, o.span, message);
        }
    }

    /// Compares methods. A body and postconditions may be added, and a measure may replace
    /// `decreases *`.
    pub(super) fn method(&mut self, old: &MethodDecl, new: &MethodDecl) {
        let name = new.name.as_ref().map_or("_ctor", |n| &*n.name);
        let (at, base) = (new.head, old.head);
        let no_decreases = "decreases clause on refining method not supported, unless the refined method was specified with 'decreases *'";
        self.no_new_clauses(
            &new.spec,
            base,
            "a refining method",
            (!may_diverge(&old.spec)).then_some(no_decreases),
        );
        if old.modifiers.is_static != new.modifiers.is_static {
            self.report(
                at,
                base,
                format!("a method in a refining module cannot be changed from static to non-static or vice versa: {name}"),
            );
        }
        match (is_ghost_method(old), is_ghost_method(new)) {
            (true, false) => {
                self.report(at, base, format!("a ghost method cannot be changed into a non-ghost method in a refining module: {name}"));
            }
            (false, true) => self.report(
                at,
                base,
                format!(
                    "a method cannot be changed into a ghost method in a refining module: {name}"
                ),
            ),
            (true, true) | (false, false) => {}
        }
        if !new.is_refining {
            self.type_params(&old.type_params, &new.type_params, at, "method", name);
            self.added_equality(
                &old.type_params,
                &new.type_params,
                old.ins.iter().chain(&old.outs).map(|f| &f.ty),
            );
            self.formals(&old.ins, &new.ins, at, "method", name, "in-parameter");
            self.formals(&old.outs, &new.outs, at, "method", name, "out-parameter");
        }
    }

    /// Compares iterators. A body and postconditions may be added.
    pub(super) fn iterator(&mut self, old: &IteratorDecl, new: &IteratorDecl) {
        let (name, at, base) = (&new.name.name, new.name.span, old.name.span);
        let no_decreases = "a refining iterator is not allowed to extend the decreases clause";
        self.no_new_clauses(&new.spec, base, "a refining iterator", Some(no_decreases));
        if !new.is_refining {
            self.type_params(&old.type_params, &new.type_params, at, "iterator", name);
            self.formals(&old.ins, &new.ins, at, "iterator", name, "in-parameter");
            self.formals(
                &old.yields,
                &new.yields,
                at,
                "iterator",
                name,
                "yield-parameter",
            );
        }
    }

    /// Reports clauses that would change the use of the refined declaration, with one error for
    /// each kind.
    fn no_new_clauses(&mut self, spec: &Spec, base: Span, who: &str, no_decreases: Option<&str>) {
        let mut seen = Vec::new();
        for clause in &spec.clauses {
            let message = match &clause.kind {
                ClauseKind::Requires(_) if clause.is_yield => {
                    format!("{who} is not allowed to add yield preconditions")
                }
                ClauseKind::Requires(_) => format!("{who} is not allowed to add preconditions"),
                ClauseKind::Reads(_) => format!("{who} is not allowed to extend the reads clause"),
                ClauseKind::Modifies(_) => {
                    format!("{who} is not allowed to extend the modifies clause")
                }
                ClauseKind::Decreases(_) => match no_decreases {
                    Some(message) => message.to_owned(),
                    None => continue,
                },
                ClauseKind::Ensures(_) | ClauseKind::Invariant(_) => continue,
            };
            if !seen.contains(&message) {
                self.report(clause.span, base, message.clone());
                seen.push(message);
            }
        }
    }
}

/// The kind of type that a declaration introduces, with the span of its name. `None` for other
/// declarations.
fn kind_of(decl: &TopDecl) -> Option<(&'static str, Span)> {
    Some(match decl {
        TopDecl::Class(d) => (if d.is_trait { "trait" } else { "class" }, d.name.span),
        TopDecl::Datatype(d) => (if d.co { "codatatype" } else { "datatype" }, d.name.span),
        TopDecl::Newtype(d) => ("newtype", d.name.span),
        TopDecl::Type(d) => {
            let kind = match &d.definition {
                None => "abstract type",
                Some(c) if c.constraint.is_none() => "type synonym",
                Some(_) => "subset type",
            };
            (kind, d.name.span)
        }
        TopDecl::Iterator(d) => ("iterator", d.name.span),
        TopDecl::Module(_) | TopDecl::Import(_) | TopDecl::Export(_) | TopDecl::Member(_) => {
            return None;
        }
    })
}

fn is_refining(decl: &TopDecl) -> bool {
    match decl {
        TopDecl::Class(d) => d.is_refining,
        TopDecl::Datatype(d) => d.is_refining,
        TopDecl::Newtype(d) => d.is_refining,
        TopDecl::Type(d) => d.is_refining,
        TopDecl::Iterator(d) => d.is_refining,
        TopDecl::Export(d) => d.is_refining,
        TopDecl::Module(_) | TopDecl::Import(_) | TopDecl::Member(_) => false,
    }
}

/// The difference between the characteristics of two type parameters, as text. Equality may be
/// inferred in the base, so only the omission of a written `(==)` is a change.
fn changed_requirement(old: &Characteristics, new: &Characteristics) -> Option<&'static str> {
    if old.equality && !new.equality {
        Some("the requirement of supporting equality")
    } else if old.auto_init != new.auto_init {
        Some("the requirement of supporting auto-initialization")
    } else if old.nonempty != new.nonempty {
        Some("the requirement of being nonempty")
    } else if old.no_new != new.no_new {
        Some("the no-reference-type requirement")
    } else {
        None
    }
}

/// Whether a name occurs as an argument of some type.
fn is_argument(ty: &Type, name: &str) -> bool {
    match &ty.kind {
        TypeKind::Named(segments) => segments
            .iter()
            .flat_map(|s| s.args.iter().flatten())
            .any(|a| mentions(a, name)),
        TypeKind::Tuple(parts) => parts.iter().any(|p| is_argument(&p.ty, name)),
        TypeKind::Arrow { params, result, .. } => params
            .iter()
            .chain([&**result])
            .any(|t| is_argument(t, name)),
    }
}

fn mentions(ty: &Type, name: &str) -> bool {
    let is_it = matches!(&ty.kind, TypeKind::Named(segments) if matches!(segments.as_slice(), [s] if &*s.name.name == name));
    is_it
        || match &ty.kind {
            TypeKind::Named(segments) => segments
                .iter()
                .flat_map(|s| s.args.iter().flatten())
                .any(|a| mentions(a, name)),
            TypeKind::Tuple(parts) => parts.iter().any(|p| mentions(&p.ty, name)),
            TypeKind::Arrow { params, result, .. } => {
                params.iter().chain([&**result]).any(|t| mentions(t, name))
            }
        }
}

/// The variance of a type parameter, regardless of cardinality preservation.
fn sign(variance: Variance) -> &'static str {
    match variance {
        Variance::Covariant | Variance::CovariantAny => "+",
        Variance::Contravariant => "-",
        Variance::Invariant | Variance::InvariantAny => "=",
    }
}

fn changed_formal(
    old: &Formal,
    new: &Formal,
    index: usize,
    thing: &str,
    name: &str,
    kind: &str,
) -> Option<String> {
    let name_of = |f: &Formal| {
        f.name
            .as_ref()
            .map_or_else(|| "_".into(), |n| n.name.clone())
    };
    let (o, n) = (name_of(old), name_of(new));
    if o != n {
        return Some(format!(
            "there is a difference in name of {kind} {index} ('{n}' versus '{o}') of {thing} {name} compared to corresponding {thing} in the module it refines"
        ));
    }
    let modifiers = [
        (old.ghost, new.ghost, "ghost"),
        (old.is_new, new.is_new, "new"),
        (old.older, new.older, "older"),
    ]
    .into_iter()
    .find(|(o, n, _)| o != n);
    if let Some((was, _, modifier)) = modifiers {
        let (from, to) = if was { ("", "non-") } else { ("non-", "") };
        return Some(format!(
            "{kind} '{n}' of {thing} {name} cannot be changed, compared to the corresponding {thing} in the module it refines, from {from}{modifier} to {to}{modifier}"
        ));
    }
    if !same_type(&old.ty, &new.ty) {
        return Some(format!(
            "the type of {kind} '{n}' is different from the type of the same {kind} in the corresponding {thing} in the module it refines ('{}' instead of '{}')",
            type_to_string(&new.ty),
            type_to_string(&old.ty)
        ));
    }
    new.default
        .is_some()
        .then(|| format!("a refining formal parameter ('{n}') in a refinement module is not allowed to give a default-value expression"))
}

/// Whether two types are written alike, apart from module qualifiers.
fn same_type(a: &Type, b: &Type) -> bool {
    let all = |xs: &[Type], ys: &[Type]| {
        xs.len() == ys.len() && xs.iter().zip(ys).all(|(x, y)| same_type(x, y))
    };
    match (&a.kind, &b.kind) {
        (TypeKind::Named(xs), TypeKind::Named(ys)) => match (xs.last(), ys.last()) {
            (Some(x), Some(y)) => {
                let args = match (&x.args, &y.args) {
                    (Some(x), Some(y)) => all(x, y),
                    // Omitted arguments are inferred.
                    (None, _) | (_, None) => true,
                };
                x.name.name == y.name.name && args
            }
            (None, _) | (_, None) => false,
        },
        (TypeKind::Tuple(xs), TypeKind::Tuple(ys)) => {
            xs.len() == ys.len()
                && xs
                    .iter()
                    .zip(ys)
                    .all(|(x, y)| x.ghost == y.ghost && same_type(&x.ty, &y.ty))
        }
        (
            TypeKind::Arrow {
                kind: k,
                params: ps,
                result: r,
            },
            TypeKind::Arrow {
                kind: l,
                params: qs,
                result: s,
            },
        ) => k == l && all(ps, qs) && same_type(r, s),
        (TypeKind::Named(_) | TypeKind::Tuple(_) | TypeKind::Arrow { .. }, _) => false,
    }
}

fn function_what(kind: FunctionKind) -> &'static str {
    match kind {
        FunctionKind::Function | FunctionKind::FunctionMethod => "function",
        FunctionKind::Predicate | FunctionKind::PredicateMethod => "predicate",
        FunctionKind::TwostateFunction => "twostate function",
        FunctionKind::TwostatePredicate => "twostate predicate",
        FunctionKind::LeastPredicate => "least predicate",
        FunctionKind::GreatestPredicate => "greatest predicate",
    }
}

fn is_ghost_method(method: &MethodDecl) -> bool {
    match method.kind {
        MethodKind::Method | MethodKind::Constructor => method.modifiers.ghost,
        MethodKind::Lemma
        | MethodKind::TwostateLemma
        | MethodKind::LeastLemma
        | MethodKind::GreatestLemma => true,
    }
}

/// Whether the contract has `decreases *`.
pub(super) fn may_diverge(spec: &Spec) -> bool {
    spec.clauses.iter().any(|c| matches!(&c.kind, ClauseKind::Decreases(es) if es.iter().any(|e| matches!(e.kind, ExprKind::Wildcard))))
}
