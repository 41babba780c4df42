//! Allocation: `new C(…)`, `new C`, and `new T[…]`.

use crate::typed::{ArrayInit, CallableId, ExprKind, Literal, Rhs, Type, TypeDeclKind, TypeId};
use dafny_source::Span;
use dafny_source::diagnostic::Diagnostic;
use dafny_syntax::ast;
use num_bigint::BigInt;

use super::super::context::{Entity, Member, ModuleView, NameUse};
use super::Resolver;
use super::assign::RightKind;
use super::expr::mk;

impl Resolver<'_> {
    /// Resolves `new C`, `new C(args)` and `new C.Init(args)`.
    pub(super) fn new_object(
        &mut self,
        ty: &ast::Type,
        args: Option<&[ast::Argument]>,
        hint: Option<&Type>,
        span: Span,
    ) -> RightKind {
        // Step 1: separate the constructor's name from the path of the class.
        let (ty, ctor, written) = match self.split_constructor(ty) {
            Some((ty, last)) => (ty, Some(last.name), last.args),
            None => (ty.clone(), None, None),
        };
        let mut class = self.ty(&ty);
        if self.names_synonym(&ty) && class != Type::Error {
            let d = Diagnostic::error(
                "resolve/not-a-class",
                span,
                "`new` requires the name of a class, found a type synonym",
            );
            self.report(d.with_help(format!("write `{}`", self.show(&class))));
            class = Type::Error;
        }
        // Step 2: infer omitted type arguments of the class from the target's type.
        if let Some(h) = hint
            && let (Type::Named { decl: a, .. }, Type::Named { decl: b, .. }) =
                (&class, self.base(h))
            && *a == b
        {
            self.flow(&class, h);
        }
        // Step 3: only classes and iterators have constructors.
        let Some((decl, class_args)) = self.constructible(&class) else {
            return self.new_without_constructor(class, ctor.is_some(), args, span);
        };
        // Step 4: look up the constructor. The anonymous one is the member `_ctor`.
        let name = ctor
            .as_ref()
            .map_or_else(|| "_ctor".into(), |c| c.name.clone());
        let found = self.cx.lookup_member(decl, &name);
        if let (Some(ctor), Some(f)) = (&ctor, &found) {
            self.cx.notes.note(ctor.span, f.member.into());
        }
        if let Some(f) = found.as_ref().filter(|_| ctor.is_some() || args.is_some()) {
            let name = ast::Ident {
                name: name.clone(),
                span: ctor.as_ref().map_or(span, |c| c.span),
            };
            if !self.may_use(f.owner, &name, f.member) {
                args.unwrap_or(&[])
                    .iter()
                    .for_each(|a| drop(self.expr(&a.value, None)));
                return RightKind::Value(
                    Rhs::New {
                        ty: class.clone(),
                        ctor: None,
                    },
                    class,
                );
            }
        }
        let callee = found.and_then(|f| match f.member {
            Member::Callable(c) => Some((c, f.owner_args)),
            Member::Field(_) | Member::Ctor(_) | Member::CtorTest(_) => None,
        });
        let call = match (callee, args) {
            // `new C` without parentheses calls no constructor; `checks` reports a class that needs
            // a call.
            (Some(_), None) if ctor.is_none() => None,
            (Some((id, owner_args)), _) => {
                self.initializes(id, span);
                let map = self.cx.program.substitution(decl, &class_args);
                let mut type_args: Vec<Type> = owner_args.iter().map(|t| t.subst(&map)).collect();
                let own = self.cx.program[id].type_params.len();
                type_args.extend(self.type_args(written.as_deref(), own, span));
                Some(self.constructor_call(id, type_args, args.unwrap_or(&[]), span))
            }
            (None, Some(_)) => {
                let shown = self.show(&class);
                let at = ctor.as_ref().map_or(span, |c| c.span);
                let message = match &ctor {
                    Some(c) => format!("`{}` is not a constructor of `{shown}`", c.name),
                    None => format!("`{shown}` has no anonymous constructor"),
                };
                self.error("resolve/unknown-constructor", at, message);
                None
            }
            (None, _) => None,
        };
        RightKind::Value(
            Rhs::New {
                ty: class.clone(),
                ctor: call,
            },
            class,
        )
    }

    /// The declaration and the type arguments of a class or iterator.
    fn constructible(&self, class: &Type) -> Option<(TypeId, Vec<Type>)> {
        if let Type::Named {
            decl,
            args,
            nullable: false,
        } = class
            && matches!(
                self.cx.program[*decl].kind,
                TypeDeclKind::Class | TypeDeclKind::Iterator(_)
            )
        {
            Some((*decl, args.clone()))
        } else {
            None
        }
    }

    /// Resolves `new` of a type without constructors: `object`, or a synonym of an array type.
    /// Anything else is an error; its arguments are resolved for their own errors.
    fn new_without_constructor(
        &mut self,
        class: Type,
        has_ctor: bool,
        args: Option<&[ast::Argument]>,
        span: Span,
    ) -> RightKind {
        if matches!(&class, Type::Object { nullable: false }) {
            return RightKind::Value(
                Rhs::New {
                    ty: class.clone(),
                    ctor: None,
                },
                class,
            );
        }
        if let Type::Array {
            nullable: false,
            dims,
            elem,
        } = &class
            && !has_ctor
            && args.is_none()
        {
            // The path is a synonym of an array type: no size is written.
            let none = mk(
                ExprKind::Literal(Literal::Int(BigInt::from(0))),
                Type::Int,
                span,
            );
            let dims = vec![none; *dims as usize];
            return RightKind::Value(
                Rhs::NewArray {
                    elem: (**elem).clone(),
                    dims,
                    init: ArrayInit::Default,
                },
                class,
            );
        }
        if !matches!(&class, Type::Error) {
            self.error(
                "resolve/not-a-class",
                span,
                format!("`new` requires a class, found {}", self.show(&class)),
            );
        }
        for a in args.unwrap_or(&[]) {
            self.expr(&a.value, None);
        }
        RightKind::Value(
            Rhs::New {
                ty: Type::Error,
                ctor: None,
            },
            Type::Error,
        )
    }

    /// Checks the callee of `new C.Init(…)`: a constructor, or a non-static method without results.
    fn initializes(&mut self, id: CallableId, span: Span) {
        let callee = &self.cx.program[id];
        let name = callee.name.clone();
        let message = if callee.kind.is_function() {
            format!("`{name}` is a function, and cannot initialize an object")
        } else if !callee.outs.is_empty() {
            format!("`{name}` returns results, and cannot initialize an object")
        } else if callee.is_static {
            format!("`{name}` is static, and cannot initialize an object")
        } else {
            return;
        };
        let d = Diagnostic::error("resolve/bad-initializer", span, message);
        self.report(
            d.with_help("`new` takes a constructor, or a non-static method without results"),
        );
    }

    /// Whether the written type names a type synonym.
    fn names_synonym(&self, ty: &ast::Type) -> bool {
        let ast::TypeKind::Named(segments) = &ty.kind else {
            return false;
        };
        let mut view: Option<ModuleView> = None;
        for segment in segments {
            let entity = match view {
                None => self
                    .cx
                    .find(self.st.module, &segment.name.name, NameUse::Type),
                Some(v) => self.cx.lookup_in(v, &segment.name.name, NameUse::Type).ok(),
            };
            match entity {
                Some(Entity::Module(v)) => view = Some(v),
                Some(entity) => return matches!(entity, Entity::Synonym(_)),
                None => return false,
            }
        }
        false
    }

    /// Splits a path after `new` whose last segment is the name of a constructor into the type and
    /// that segment.
    fn split_constructor(&self, ty: &ast::Type) -> Option<(ast::Type, ast::TypeSegment)> {
        let ast::TypeKind::Named(segments) = &ty.kind else {
            return None;
        };
        let (last, front) = segments.split_last()?;
        let mut view: Option<ModuleView> = None;
        for (i, s) in front.iter().enumerate() {
            let entity = match view {
                None => self.cx.find(self.st.module, &s.name.name, NameUse::Type),
                Some(v) => self.cx.lookup_in(v, &s.name.name, NameUse::Type).ok(),
            };
            match entity {
                Some(Entity::Module(v)) => view = Some(v),
                Some(Entity::Type(_) | Entity::Synonym(_)) if i + 1 == front.len() => {
                    let span = Span::new(ty.span.start, s.name.span.end.max(ty.span.start));
                    return Some((
                        ast::Type {
                            kind: ast::TypeKind::Named(front.to_vec()),
                            span,
                        },
                        last.clone(),
                    ));
                }
                Some(_) | None => return None,
            }
        }
        None
    }
}
