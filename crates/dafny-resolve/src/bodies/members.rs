//! Members of types: lookup, visibility, and the members that the language defines.

use crate::typed::{
    ArrowKind, BuiltinMember, CallableKind, Expr, ExprKind, Type, TypeDeclKind, TypeId,
};
use dafny_source::Span;
use dafny_source::diagnostic::Diagnostic;
use dafny_syntax::ast;

use super::super::context::{Member, ModuleView};
use super::super::index::Definition;
use super::super::spelling;
use super::Resolver;
use super::infer::VarKind;
use super::names::Head;

impl Resolver<'_> {
    /// Resolves `T.m`.
    pub(super) fn static_member(
        &mut self,
        ty: &Type,
        member: &ast::Ident,
        written: Option<&[ast::Type]>,
        span: Span,
    ) -> Head {
        let name = ast::Ident {
            name: member.name.clone(),
            span,
        };
        // A destructor may share the name of its constructor, which takes precedence here.
        if let Type::Named { decl, args, .. } = ty
            && let TypeDeclKind::Datatype { ctors, .. } = &self.cx.program[*decl].kind
            && let Some(&ctor) = ctors
                .iter()
                .find(|&&c| self.cx.program[c].name == member.name)
        {
            self.cx.notes.note(member.span, Definition::Ctor(ctor));
            return self.found(
                Member::Ctor(ctor),
                *decl,
                args.clone(),
                None,
                &name,
                written,
            );
        }
        if let Type::Named { .. } = ty
            && let Some(((found, owner), owner_args)) = self.find_member(ty, &member.name)
        {
            if !self.may_use(owner, &name, found) {
                return Head::Error;
            }
            let is_static = match found {
                Member::Field(f) => self.cx.program[f].is_static,
                Member::Callable(c) => {
                    self.cx.program[c].is_static
                        || self.cx.program[c].kind == CallableKind::Constructor
                }
                Member::Ctor(_) => true,
                Member::CtorTest(_) => false,
            };
            self.cx.notes.note(member.span, found.into());
            if is_static {
                return self.found(found, owner, owner_args, None, &name, written);
            }
            self.error(
                "resolve/needs-receiver",
                member.span,
                format!(
                    "`{}` is an instance member of `{}`",
                    member.name,
                    self.show(ty)
                ),
            );
            return Head::Error;
        }
        if *ty != Type::Error {
            self.unknown_member(ty, member);
        }
        Head::Error
    }

    /// Whether the importing module may use the member. Reports a hidden member at its name.
    pub(super) fn may_use(&mut self, owner: TypeId, name: &ast::Ident, member: Member) -> bool {
        if self
            .cx
            .shows_member(self.st.module, owner, &name.name, member)
        {
            return true;
        }
        let shown = self.cx.program.type_path(owner);
        let what = if &*name.name == "_ctor" {
            "the anonymous constructor".to_owned()
        } else {
            format!("the member `{}`", name.name)
        };
        let d = Diagnostic::error(
            "resolve/not-exported",
            name.span,
            format!("{what} of `{shown}` is not exported by its module"),
        );
        self.report(
            d.with_help("add it to an export set of the module (`provides T.m`; for constructors and fields of a datatype: `reveals T`)"),
        );
        false
    }

    fn unknown_member(&mut self, ty: &Type, member: &ast::Ident) {
        let shown = self.show(ty);
        let suggestion = if let Type::Named { decl, .. } = self.base(ty) {
            let tables = self.cx.ancestors(decl);
            let names = tables
                .iter()
                .filter_map(|(t, _)| self.cx.names.members_of(*t))
                .flat_map(|m| m.keys());
            spelling::closest(&member.name, names)
        } else {
            None
        };
        let d = Diagnostic::error(
            "resolve/unknown-member",
            member.span,
            format!("`{}` is not a member of type `{shown}`", member.name),
        );
        self.report(match suggestion {
            Some(s) => d.with_help(format!("did you mean `{s}`?")),
            None => d,
        });
    }

    /// Resolves `object.member`.
    pub(super) fn member(
        &mut self,
        object: Expr,
        member: &ast::Ident,
        written: Option<&[ast::Type]>,
        span: Span,
    ) -> Head {
        // Step 1: determine the type of the object.
        self.solved_so_far();
        self.solve_partly(&object);
        let mut ty = self.base(&object.ty);
        if self.st.inf.is_unbound(&ty) {
            self.settle();
            ty = self.base(&object.ty);
        }
        // A literal gets its default type, because a selection needs one.
        if let Some(kind) = self.st.inf.kind(&ty) {
            let to = match kind {
                VarKind::IntLike => Type::Int,
                VarKind::RealLike => Type::Real,
                VarKind::Null => Type::Object { nullable: true },
                VarKind::Any => {
                    let d = Diagnostic::error(
                        "resolve/underspecified-type",
                        object.span,
                        format!(
                            "the type of the receiver of `{}` is not known here",
                            member.name
                        ),
                    );
                    self.report(
                        d.with_help("add a type annotation to the declaration of the variable"),
                    );
                    return Head::Error;
                }
            };
            self.flow(&ty, &to);
            ty = to;
        }
        // Step 2: members of the language take precedence over declared ones.
        if let Some(head) = self.builtin(&object, &ty, member, span) {
            self.takes_no_types("member", &member.name, written, span);
            return head;
        }
        if let Type::Named { decl, .. } = &ty
            && let Some(module) = self.cx.module_of_default_class(*decl)
        {
            let export = None;
            return self.module_level(ModuleView { module, export }, member, written, span);
        }
        let name = ast::Ident {
            name: member.name.clone(),
            span,
        };
        if let Some((found, args)) = self.find_member(&ty, &member.name) {
            let is_static = matches!(found, (Member::Ctor(_), _));
            if is_static {
                self.unknown_member(&ty, member);
                return Head::Error;
            }
            if !self.may_use(found.1, &name, found.0) {
                return Head::Error;
            }
            self.cx.notes.note(member.span, found.0.into());
            return self.found(found.0, found.1, args, Some(object), &name, written);
        }
        if ty != Type::Error {
            self.unknown_member(&ty, member);
        }
        Head::Error
    }

    /// Looks up a declared member of a type. Returns it with its owner and the type arguments of
    /// the owner.
    pub(super) fn find_member(
        &mut self,
        ty: &Type,
        name: &str,
    ) -> Option<((Member, TypeId), Vec<Type>)> {
        if let Type::Named { decl, args, .. } = ty {
            if let Some(found) = self.cx.lookup_member(*decl, name) {
                let map = self.cx.program.substitution(*decl, args);
                let owner_args = found.owner_args.iter().map(|t| t.subst(&map)).collect();
                return Some(((found.member, found.owner), owner_args));
            }
            match &self.cx.program[*decl].kind {
                TypeDeclKind::Newtype(c) => {
                    let base = c.base.subst(&self.cx.program.substitution(*decl, args));
                    self.find_member(&base, name)
                }
                TypeDeclKind::Subset(_)
                | TypeDeclKind::Datatype { .. }
                | TypeDeclKind::Abstract
                | TypeDeclKind::Class
                | TypeDeclKind::Trait { .. }
                | TypeDeclKind::Iterator(_) => None,
            }
        } else {
            // A type parameter does not have the members of its bounds.
            None
        }
    }

    /// Resolves members that the language defines, such as `Keys` and `Length`.
    pub(super) fn builtin(
        &mut self,
        object: &Expr,
        ty: &Type,
        member: &ast::Ident,
        span: Span,
    ) -> Option<Head> {
        use BuiltinMember as B;
        let name = &*member.name;
        let own = self.representation(ty);
        let set = |finite: bool, elem: Type| Type::Set {
            finite,
            elem: Box::new(elem),
        };
        let total = |params: Vec<Type>, result: Type| Type::Arrow {
            kind: ArrowKind::Total,
            params,
            result: Box::new(result),
        };
        let (which, result) = match (&own, name) {
            (Type::Map { finite, key, .. }, "Keys") => (B::Keys, set(*finite, (**key).clone())),
            (Type::Map { finite, value, .. }, "Values") => {
                (B::Values, set(*finite, (**value).clone()))
            }
            (Type::Map { finite, key, value }, "Items") => (
                B::Items,
                set(
                    *finite,
                    Type::Tuple(vec![(false, (**key).clone()), (false, (**value).clone())]),
                ),
            ),
            (Type::Real, "Floor") => (B::Floor, Type::Int),
            (Type::Array { dims: 1, .. }, "Length") => (B::ArrayLength(0), Type::Int),
            // `Length0`, `Length1`, ... of an array with several dimensions.
            (Type::Array { dims, .. }, _) if *dims > 1 => {
                let n = name
                    .strip_prefix("Length")
                    .and_then(|n| n.parse::<u32>().ok())
                    .filter(|n| n < dims)?;
                (B::ArrayLength(n), Type::Int)
            }
            (Type::Ordinal, "IsLimit") => (B::IsLimit, Type::Bool),
            (Type::Ordinal, "IsSucc") => (B::IsSucc, Type::Bool),
            (Type::Ordinal, "Offset") => (B::OrdinalOffset, Type::Int),
            (Type::Ordinal, "IsNat") => (B::IsNat, Type::Bool),
            (Type::Bv(_), "RotateLeft") => (B::RotateLeft, total(vec![Type::Int], own.clone())),
            (Type::Bv(_), "RotateRight") => (B::RotateRight, total(vec![Type::Int], own.clone())),
            (Type::Arrow { params, .. }, "requires") => (
                B::FunctionRequires,
                Type::Arrow {
                    kind: ArrowKind::General,
                    params: params.clone(),
                    result: Box::new(Type::Bool),
                },
            ),
            (Type::Arrow { params, .. }, "reads") => {
                let result = Box::new(set(true, Type::Object { nullable: false }));
                (
                    B::FunctionReads,
                    Type::Arrow {
                        kind: ArrowKind::General,
                        params: params.clone(),
                        result,
                    },
                )
            }
            // Components of a tuple are selected by their indices.
            (Type::Tuple(parts), _) => {
                let index = name.parse::<usize>().ok()?;
                let Some((_, ty)) = parts.get(index).cloned() else {
                    self.unknown_member(&own, member);
                    return Some(Head::Error);
                };
                return Some(Head::Value(Expr {
                    kind: ExprKind::TupleField {
                        object: Box::new(object.clone()),
                        index,
                    },
                    ty,
                    span,
                }));
            }
            _ => return None,
        };
        Some(Head::Value(Expr {
            kind: ExprKind::Builtin {
                member: which,
                object: Box::new(object.clone()),
            },
            ty: result,
            span,
        }))
    }
}
