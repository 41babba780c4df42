//! Patterns of `match`, `var` and `case`.

use crate::typed::{CtorId, Expr, ExprKind, FieldId, Pattern, PatternKind, Type, TypeDeclKind};
use dafny_source::Span;
use dafny_source::diagnostic::Diagnostic;
use dafny_syntax::ast;

use super::super::context::{BodyWork, Entity, Member, NameUse};
use super::super::index::Definition;
use super::super::spelling;
use super::Resolver;
use super::names::Head;

/// The properties of a pattern and of the variables that it binds.
#[derive(Clone, Copy)]
pub(super) struct Binding {
    /// Whether the variables can be assigned later.
    pub(super) mutable: bool,
    /// Whether the variables are ghost.
    pub(super) ghost: bool,
    /// Whether a name may denote a constant (in `match`).
    pub(super) constants: bool,
    /// Whether the inferred types of the variables are widened to base types.
    pub(super) widen: bool,
    /// The position inside the pattern of a case.
    pub(super) depth: Depth,
}

/// The position of a pattern inside the pattern of its case.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Depth {
    /// The whole pattern.
    Whole,
    /// An argument of another pattern.
    Part,
    /// One of several alternatives, or a part of one. It cannot bind variables.
    Alternative,
}

impl Binding {
    /// The position of the arguments of a pattern at this position.
    fn inner(self) -> Self {
        Self {
            depth: if self.depth == Depth::Alternative {
                Depth::Alternative
            } else {
                Depth::Part
            },
            ..self
        }
    }
}

impl Resolver<'_> {
    /// Resolves a pattern for values of type `ty`. Its variables come into scope.
    pub(super) fn pattern(&mut self, p: &ast::Pattern, ty: &Type, how: Binding) -> Pattern {
        let kind = match &p.kind {
            ast::PatternKind::Name {
                path,
                ty: annotation,
            } => self.name_pattern(path, annotation.as_ref(), ty, how, p.span),
            ast::PatternKind::Ctor { path, args } => self.ctor_pattern(path, args, ty, how, p.span),
            ast::PatternKind::Tuple(parts) => self.tuple_pattern(parts, ty, how, p.span),
            ast::PatternKind::Literal(e) => {
                let e = self.expr(e, Some(ty));
                self.comparable_types(&e.ty, ty, p.span);
                PatternKind::Value(Box::new(e))
            }
            ast::PatternKind::Or(parts) => {
                if how.depth != Depth::Whole {
                    self.error(
                        "resolve/pattern-alternatives",
                        p.span,
                        "alternatives are not allowed inside other patterns",
                    );
                }
                let how = Binding {
                    depth: Depth::Alternative,
                    ..how
                };
                // In the older type system a name is a duplicate within one alternative only.
                let shared = self.cx.program.options.type_system_refresh;
                let mut alternative = |a| match shared {
                    true => self.pattern(a, ty, how),
                    false => self.scoped(|r| r.pattern(a, ty, how)),
                };
                PatternKind::Or(parts.iter().map(&mut alternative).collect())
            }
        };
        Pattern {
            kind,
            ty: ty.clone(),
            span: p.span,
        }
    }

    /// A name: a constructor without parameters, a constant, or a new variable, in this order.
    fn name_pattern(
        &mut self,
        path: &ast::QualifiedName,
        annotation: Option<&ast::Type>,
        ty: &Type,
        how: Binding,
        span: Span,
    ) -> PatternKind {
        // A name with a type annotation is always a variable.
        let ctor = match annotation {
            None => self.pattern_ctor(path, ty),
            Some(_) => None,
        };
        if let Some(ctor) = ctor {
            let wanted = self.cx.program[ctor].fields.len();
            // The older type system treats the name of a constructor with parameters as a
            // variable.
            if wanted > 0 && how.constants && self.cx.program.options.type_system_refresh {
                let name = self.cx.program[ctor].name.clone();
                let message = format!(
                    "the constructor `{name}` has {wanted} arguments, but the pattern has none"
                );
                self.error("resolve/argument-count", span, message);
                return PatternKind::Wildcard;
            }
        }
        if let Some(ctor) = ctor
            && self.cx.program[ctor].fields.is_empty()
        {
            self.note_ctor(path, ctor);
            return PatternKind::Ctor {
                ctor,
                args: Vec::new(),
            };
        }
        if how.constants
            && annotation.is_none()
            && let Some(value) = self.pattern_constant(path)
        {
            self.comparable_types(&value.ty, ty, span);
            return PatternKind::Value(Box::new(value));
        }
        let [name] = path.segments.as_slice() else {
            let text = path
                .segments
                .iter()
                .map(|s| &*s.name)
                .collect::<Vec<_>>()
                .join(".");
            self.error(
                "resolve/unknown-constructor",
                span,
                format!("`{text}` is neither a constructor nor a constant"),
            );
            return PatternKind::Wildcard;
        };
        let local_ty = match annotation {
            Some(t) => {
                let t = self.ty(t);
                // A case cannot narrow the type of the matched value in the older type
                // system. In the new one it can, but it cannot widen it.
                if how.constants && self.cx.program.options.type_system_refresh {
                    self.expect_subtype(&t, ty, span);
                } else if how.constants {
                    self.expect_subtype(ty, &t, span);
                } else {
                    self.expect_type(ty, &t, span);
                }
                t
            }
            None if how.widen => {
                let t = self.fresh();
                self.flow(ty, &t);
                t
            }
            None => ty.clone(),
        };
        // `_` with a narrower type is a variable: the type has to be checked.
        if &*name.name == "_"
            && (local_ty == *ty || annotation.is_none() || how.depth == Depth::Alternative)
        {
            return PatternKind::Wildcard;
        }
        if how.depth == Depth::Alternative {
            let d = Diagnostic::error(
                "resolve/pattern-binds",
                span,
                "an alternative of a pattern cannot bind a variable",
            );
            self.report(d.with_help("use `_`, or write one case per alternative"));
        }
        PatternKind::Var(self.declare(name, local_ty, how.ghost, how.mutable))
    }

    /// A constructor with patterns for its fields.
    fn ctor_pattern(
        &mut self,
        path: &ast::QualifiedName,
        args: &[ast::Pattern],
        ty: &Type,
        how: Binding,
        span: Span,
    ) -> PatternKind {
        let Some(ctor) = self.pattern_ctor(path, ty) else {
            self.unknown_ctor(path, ty, span);
            for a in args {
                self.pattern(a, &Type::Error, how);
            }
            return PatternKind::Wildcard;
        };
        self.note_ctor(path, ctor);
        let fields = self.cx.program[ctor].fields.clone();
        if fields.len() != args.len() {
            let name = self.cx.program[ctor].name.clone();
            let message = format!(
                "the constructor `{name}` has {} arguments, but the pattern has {}",
                fields.len(),
                args.len()
            );
            self.error("resolve/argument-count", span, message);
        }
        let datatype = self.cx.program[ctor].datatype;
        let type_args = if let Type::Named { args, .. } = self.base(ty) {
            args
        } else {
            Vec::new()
        };
        let map = self.cx.program.substitution(datatype, &type_args);
        let mut patterns = Vec::with_capacity(fields.len());
        for (a, f) in args.iter().zip(&fields) {
            let field = &self.cx.program[*f];
            let (field_ty, ghost) = (field.ty.subst(&map), how.ghost || field.ghost);
            patterns.push(self.pattern(
                a,
                &field_ty,
                Binding {
                    ghost,
                    ..how.inner()
                },
            ));
        }
        PatternKind::Ctor {
            ctor,
            args: patterns,
        }
    }

    /// A tuple of patterns.
    fn tuple_pattern(
        &mut self,
        parts: &[ast::Pattern],
        ty: &Type,
        how: Binding,
        span: Span,
    ) -> PatternKind {
        // An unknown type becomes a tuple type with as many components as the pattern.
        let mut shape = self.base(ty);
        if self.st.inf.is_unbound(&shape) {
            let tuple = Type::Tuple(parts.iter().map(|_| (false, self.fresh())).collect());
            self.flow(&shape, &tuple);
            shape = tuple;
        }
        if let Type::Tuple(types) = &shape
            && types.len() == parts.len()
        {
            let mut patterns = Vec::with_capacity(parts.len());
            for (a, (ghost, t)) in parts.iter().zip(types) {
                patterns.push(self.pattern(
                    a,
                    t,
                    Binding {
                        ghost: how.ghost || *ghost,
                        ..how.inner()
                    },
                ));
            }
            PatternKind::Tuple(patterns)
        } else {
            if shape != Type::Error {
                let message = format!(
                    "a pattern of {} components cannot match a value of type {}",
                    parts.len(),
                    self.show(ty)
                );
                self.mismatch(span, message);
            }
            for a in parts {
                self.pattern(a, &Type::Error, how);
            }
            PatternKind::Wildcard
        }
    }

    /// The constructor that the name of a pattern denotes: one of the matched datatype.
    fn pattern_ctor(&mut self, path: &ast::QualifiedName, ty: &Type) -> Option<CtorId> {
        let name = &path.segments.last()?.name;
        let shape = self.base(ty);
        if let Type::Named { decl, .. } = &shape {
            if let TypeDeclKind::Datatype { ctors, .. } = &self.cx.program[*decl].kind {
                return ctors
                    .iter()
                    .copied()
                    .find(|c| self.cx.program[*c].name == *name);
            }
            return None;
        }
        if !self.st.inf.is_unbound(&shape) || path.segments.len() != 1 {
            return None;
        }
        let Some(Entity::Ctor(ctor)) = self.cx.find(self.st.module, name, NameUse::Expression)
        else {
            return None;
        };
        let datatype = self.cx.program[ctor].datatype;
        let args = self.cx.program[datatype]
            .type_params
            .clone()
            .iter()
            .map(|_| self.fresh())
            .collect();
        self.flow(&shape, &Type::named(datatype, args));
        Some(ctor)
    }

    /// Records the references of a path: its last name denotes the constructor, the one before that
    /// the datatype.
    fn note_ctor(&mut self, path: &ast::QualifiedName, ctor: CtorId) {
        let datatype = Definition::Type(self.cx.program[ctor].datatype);
        for (segment, definition) in path
            .segments
            .iter()
            .rev()
            .zip([Definition::Ctor(ctor), datatype])
        {
            self.cx.notes.note(segment.span, definition);
        }
    }

    /// The value of the constant that the name of a pattern denotes, if any.
    fn pattern_constant(&mut self, path: &ast::QualifiedName) -> Option<Expr> {
        let (first, rest) = path.segments.split_first()?;
        if rest.is_empty() {
            let own = self
                .st
                .owner
                .and_then(|o| self.cx.lookup_member(o, &first.name))
                .map(|f| f.member);
            let entity = self
                .cx
                .find(self.st.module, &first.name, NameUse::Expression);
            let called = match (own, entity) {
                (Some(Member::Callable(c)), _) | (None, Some(Entity::Callable(c))) => Some(c),
                (_, _) => None,
            };
            // A name in a pattern is first taken for an expression, which cannot be a method.
            if let Some(callable) = called.map(|c| &self.cx.program[c])
                && !callable.kind.is_function()
            {
                let kind = super::calls::kind_word(callable.kind);
                let message = format!("the {kind} `{}` cannot be used as a pattern", first.name);
                self.error("resolve/not-an-expression", first.span, message);
                return None;
            }
            let constant = match own {
                Some(Member::Field(f)) => self.cx.program[f].is_static,
                Some(_) => false,
                None => matches!(entity, Some(Entity::Const(_))),
            };
            if !constant {
                return None;
            }
        }
        let mut e = ast::Expr {
            kind: ast::ExprKind::Name {
                name: first.clone(),
                type_args: None,
            },
            span: first.span,
        };
        for member in rest {
            let span = e.span.to(member.span);
            e = ast::Expr {
                kind: ast::ExprKind::Select {
                    object: Box::new(e),
                    member: member.clone(),
                    type_args: None,
                },
                span,
            };
        }
        // A local variable with the same name does not hide the constant.
        let scope = std::mem::take(&mut self.st.scope);
        let head = self.head(&e, NameUse::Expression, None);
        self.st.scope = scope;
        match head {
            Head::Value(Expr {
                kind:
                    ExprKind::Field {
                        object,
                        discarded,
                        field,
                        type_args,
                    },
                ty,
                span,
            }) => {
                if !self.is_literal_constant(field) {
                    let message = format!(
                        "the constant `{}` cannot be used as a pattern, because its value is not a literal",
                        first.name
                    );
                    self.error("resolve/pattern-constant", span, message);
                }
                Some(Expr {
                    kind: ExprKind::Field {
                        object,
                        discarded,
                        field,
                        type_args,
                    },
                    ty,
                    span,
                })
            }
            Head::Value(_)
            | Head::Module(_)
            | Head::Type(_)
            | Head::Callable(_)
            | Head::Ctor(..)
            | Head::Error => None,
        }
    }

    /// Whether the value of the constant is a literal.
    fn is_literal_constant(&self, field: FieldId) -> bool {
        match self.consts.get(&field).and_then(|i| self.work.get(*i)) {
            Some(BodyWork::ConstValue { ast, .. }) => matches!(ast.kind, ast::ExprKind::Literal(_)),
            _ => false,
        }
    }

    fn unknown_ctor(&mut self, path: &ast::QualifiedName, ty: &Type, span: Span) {
        let text = path
            .segments
            .iter()
            .map(|s| &*s.name)
            .collect::<Vec<_>>()
            .join(".");
        let (shown, base) = (self.show(ty), self.base(ty));
        if base == Type::Error {
            return;
        }
        let suggestion = if let Type::Named { decl, .. } = &base {
            match &self.cx.program[*decl].kind {
                TypeDeclKind::Datatype { ctors, .. } => {
                    spelling::closest(&text, ctors.iter().map(|c| &self.cx.program[*c].name))
                }
                TypeDeclKind::Newtype(_)
                | TypeDeclKind::Subset(_)
                | TypeDeclKind::Abstract
                | TypeDeclKind::Class
                | TypeDeclKind::Trait { .. }
                | TypeDeclKind::Iterator(_) => None,
            }
        } else {
            None
        };
        let d = Diagnostic::error(
            "resolve/unknown-constructor",
            span,
            format!("`{text}` is not a constructor of `{shown}`"),
        );
        self.report(match suggestion {
            Some(s) => d.with_help(format!("did you mean `{s}`?")),
            None => d,
        });
    }
}
