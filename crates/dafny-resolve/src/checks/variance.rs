//! Variance of type parameters (reference manual, "Type Parameters"), and cardinality: no type may
//! contain the set of its own subsets.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::typed::{Arena, Program, Type, TypeDeclKind, TypeId, TypeParamId};
use dafny_source::Span;
use dafny_syntax::ast::Variance;

use super::Check;

pub(super) fn check(c: &mut Check<'_>) {
    let program = c.program();
    let ids: Vec<TypeId> = program.ids();
    for id in ids {
        let decl = &program[id];
        let uses: Vec<(&Type, Span)> = match &decl.kind {
            TypeDeclKind::Class | TypeDeclKind::Trait { .. } | TypeDeclKind::Iterator(_) => {
                // Members of these types may both read and write a value of the parameter.
                for p in &decl.type_params {
                    if direction(program[*p].variance) != Direction::Neither {
                        let message = format!(
                            "{} declarations only support non-variant type parameters",
                            c.kind_of(id)
                        );
                        c.error("resolve/variance", program[*p].span, message);
                    }
                }
                Vec::new()
            }
            TypeDeclKind::Datatype { ctors, .. } => ctors
                .iter()
                .flat_map(|c| &program[*c].fields)
                .map(|f| (&program[*f].ty, program[*f].span))
                .collect(),
            TypeDeclKind::Newtype(base) | TypeDeclKind::Subset(base) => {
                vec![(&base.base, decl.span)]
            }
            TypeDeclKind::Abstract => Vec::new(),
        };
        let parents = decl.parents.iter().map(|t| (t, decl.span));
        let is_base = matches!(
            decl.kind,
            TypeDeclKind::Newtype(_) | TypeDeclKind::Subset(_)
        );
        for (ty, span) in uses.into_iter().chain(parents) {
            Use {
                check: c,
                owner: Some(id),
                span,
                // Only definitions record the places of the parameters that they mention.
                mentioned: is_base.then(FxHashMap::default),
            }
            .ty(ty, Direction::Positive, false);
        }
    }
    for s in &c.cx.synonyms.all {
        Use {
            check: c,
            owner: None,
            span: s.span,
            mentioned: Some(FxHashMap::default()),
        }
        .ty(&s.rhs, Direction::Positive, false);
    }
}

/// The direction in which a type may vary.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Positive,
    Negative,
    Neither,
}

fn direction(variance: Variance) -> Direction {
    match variance {
        Variance::Covariant | Variance::CovariantAny => Direction::Positive,
        Variance::Contravariant => Direction::Negative,
        Variance::Invariant | Variance::InvariantAny => Direction::Neither,
    }
}

/// Whether the parameter is excluded from positions left of an arrow.
fn is_strict(variance: Variance) -> bool {
    match variance {
        Variance::Invariant | Variance::Covariant => true,
        Variance::CovariantAny | Variance::Contravariant | Variance::InvariantAny => false,
    }
}

/// The types that one part of a declaration mentions.
struct Use<'a, 'b> {
    check: &'a mut Check<'b>,
    /// The declared type. `None` for a synonym.
    owner: Option<TypeId>,
    span: Span,
    /// The number of mentions so far of each parameter, if the spans of the mentions are known: in
    /// the definition of a type.
    mentioned: Option<FxHashMap<TypeParamId, usize>>,
}

impl Use<'_, '_> {
    /// Checks a type. `lax`: whether the position may hold more values than the declared type has.
    fn ty(&mut self, ty: &Type, towards: Direction, lax: bool) {
        match ty {
            Type::Bool
            | Type::Char
            | Type::Int
            | Type::Real
            | Type::Bv(_)
            | Type::Ordinal
            | Type::Object { .. }
            | Type::Error => {}
            Type::Seq(e) | Type::Multiset(e) => self.ty(e, towards, lax),
            // An infinite set or map, or a function, has more values than its element type.
            Type::Set { finite, elem } => self.ty(elem, towards, lax || !finite),
            Type::Map { finite, key, value } => {
                self.ty(key, towards, lax || !finite);
                self.ty(value, towards, lax);
            }
            Type::Tuple(parts) => parts.iter().for_each(|(_, t)| self.ty(t, towards, lax)),
            // Elements of arrays are read and written.
            Type::Array { elem, .. } => self.ty(elem, Direction::Neither, lax),
            Type::Arrow { params, result, .. } => {
                params
                    .iter()
                    // A position left of an arrow reverses the direction, and makes the type larger
                    // than its parts.
                    .for_each(|p| self.ty(p, through(towards, Direction::Negative), true));
                self.ty(result, towards, lax);
            }
            Type::Param(p) => self.param(*p, towards, lax),
            Type::Named { decl, args, .. } => {
                let program = self.check.program();
                if lax
                    && self.owner.is_some_and(|o| {
                        o == *decl && is_value(program, o)
                            || mentions(program, *decl, o) && mentions(program, o, *decl)
                    })
                {
                    let name = &program[*decl].name;
                    let message = format!(
                        "using the type being defined ('{name}') here would make it have more values than itself"
                    );
                    self.check.error("resolve/cardinality", self.span, message);
                }
                for (p, a) in program[*decl].type_params.iter().zip(args) {
                    let variance = program[*p].variance;
                    self.ty(
                        a,
                        through(towards, direction(variance)),
                        lax || !is_strict(variance),
                    );
                }
            }
        }
    }

    /// The span of the current mention of a parameter.
    fn place(&mut self, p: TypeParamId) -> Span {
        let Some(mentioned) = &mut self.mentioned else {
            return self.span;
        };
        let seen = mentioned.entry(p).or_default();
        // The parser recorded the mentions in the order of the text, in which they are visited
        // here.
        *seen += 1;
        let uses = self
            .check
            .cx
            .types
            .param_uses
            .iter()
            .filter(|(u, _)| *u == p);
        uses.map(|(_, at)| *at).nth(*seen - 1).unwrap_or(self.span)
    }

    fn param(&mut self, p: TypeParamId, towards: Direction, lax: bool) {
        let place = self.place(p);
        let param = &self.check.program()[p];
        let (name, wanted) = (param.name.clone(), direction(param.variance));
        if wanted != Direction::Neither && wanted != towards {
            let message = format!(
                "formal type parameter '{name}' is not used according to its variance specification"
            );
            self.check.error("resolve/variance", place, message);
        } else if lax && is_strict(param.variance) {
            let message = format!(
                "formal type parameter '{name}' is not used according to its variance specification (it is used left of an arrow)"
            );
            let d = dafny_source::diagnostic::Diagnostic::error("resolve/variance", place, message);
            self.check.found.push(d.with_help(match param.variance {
                Variance::Covariant => format!("declare it as `*{name}`"),
                Variance::Invariant
                | Variance::CovariantAny
                | Variance::Contravariant
                | Variance::InvariantAny => {
                    format!("declare it as `-{name}` or `!{name}`")
                }
            }));
        }
    }
}

/// The direction of a type argument, given the variance of its parameter.
fn through(towards: Direction, param: Direction) -> Direction {
    match (towards, param) {
        (Direction::Neither, _) | (_, Direction::Neither) => Direction::Neither,
        (Direction::Positive, p) => p,
        (Direction::Negative, Direction::Positive) => Direction::Negative,
        (Direction::Negative, Direction::Negative) => Direction::Positive,
    }
}

/// Whether the definition of the type determines its values.
fn is_value(program: &Program, ty: TypeId) -> bool {
    match program[ty].kind {
        TypeDeclKind::Datatype { .. } | TypeDeclKind::Newtype(_) | TypeDeclKind::Subset(_) => true,
        TypeDeclKind::Abstract
        | TypeDeclKind::Class
        | TypeDeclKind::Trait { .. }
        | TypeDeclKind::Iterator(_) => false,
    }
}

/// Whether the definition of `from` mentions `to`, directly or through others.
fn mentions(program: &Program, from: TypeId, to: TypeId) -> bool {
    // Definitions may be recursive, so that each is visited once.
    let (mut seen, mut queue) = (FxHashSet::default(), vec![from]);
    while let Some(at) = queue.pop() {
        let mut found = Vec::new();
        match &program[at].kind {
            TypeDeclKind::Datatype { ctors, .. } => {
                ctors
                    .iter()
                    .flat_map(|c| &program[*c].fields)
                    .for_each(|f| named(&program[*f].ty, &mut found));
            }
            TypeDeclKind::Newtype(c) | TypeDeclKind::Subset(c) => named(&c.base, &mut found),
            TypeDeclKind::Abstract
            | TypeDeclKind::Class
            | TypeDeclKind::Trait { .. }
            | TypeDeclKind::Iterator(_) => {}
        }
        if found.contains(&to) {
            return true;
        }
        queue.extend(found.into_iter().filter(|t| seen.insert(*t)));
    }
    false
}

/// Collects the declared types that a type mentions.
pub(super) fn named(ty: &Type, found: &mut Vec<TypeId>) {
    ty.any(&mut |t| {
        if let Type::Named { decl, .. } = t {
            found.push(*decl);
        }
        false
    });
}
