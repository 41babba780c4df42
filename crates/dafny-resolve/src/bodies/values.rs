//! Resolution of values of constants, and of constraints and witnesses of types.

use crate::checks::undetermined_base;
use crate::graph::Declaration;
use crate::passes::Pass;
use crate::typed::{
    Arena, Expr, ExprKind, FieldId, FieldKind, LocalId, Type, TypeDeclKind, TypeId, Witness,
};
use dafny_source::diagnostic::Diagnostic;
use dafny_syntax::ast;

use super::infer::{self, VarKind};
use super::{Resolver, State};

impl<'c> Resolver<'c> {
    pub(super) fn constant(&mut self, field: FieldId, value: &ast::Expr, untyped: bool) {
        let f = &self.cx.program[field];
        let (module, owner, is_static) = (f.module, f.owner, f.is_static);
        let mut state = State::new(self.cx, module, owner, self.scope_of(module, owner));
        state.declaration = Some(Declaration::Const(field));
        if is_static {
            state.this = None;
        }
        self.within(state, |r| {
            let ty = r.cx.program[field].ty.clone();
            // The older type system resolves constants of the module before it infers an omitted
            // newtype base.
            let refresh = r.cx.program.options.type_system_refresh;
            // Bases in other modules have been inferred already.
            let early = !refresh
                && owner.is_none()
                && matches!(ty, Type::Named { decl, .. }
                    if r.is_inferred_newtype(decl) && r.cx.program[decl].module == module);
            let mut e = r.expr(value, Some(&ty).filter(|_| !untyped && !early));
            match r.st.inf.kind(&e.ty) {
                Some(VarKind::IntLike) if early => drop(r.flow(&e.ty, &Type::Int)),
                Some(VarKind::RealLike) if early => drop(r.flow(&e.ty, &Type::Real)),
                Some(_) | None => {}
            }
            if !untyped {
                let place = r.cx.program[field].span;
                r.expect_at(&e.ty, &ty, e.span, place);
            }
            let partly_inferred = untyped && !refresh && r.infers_arguments(&e);
            r.finish_expr(&mut e);
            r.finish_locals();
            if partly_inferred {
                r.cx.types.partly_inferred.insert(field);
            }
            if untyped {
                r.cx.program[field].ty = e.ty.clone();
                r.cx.hide_in_field(field);
                r.cx.types.untyped_consts.remove(&field);
            }
            if r.st.errors == 0 {
                r.cx.program[field].kind = FieldKind::Const(Some(Box::new(e)));
            }
        });
    }

    /// Whether arguments of the expression's type are inferred from the expression, and not from
    /// the declarations that it mentions.
    fn infers_arguments(&self, e: &Expr) -> bool {
        if let ExprKind::Tuple(parts) = &e.kind {
            !parts.is_empty()
        } else if let ExprKind::Lambda(lambda) = &e.kind {
            lambda.has_type.contains(&false) || self.infers_arguments(&lambda.body)
        } else if let ExprKind::SetComp { vars, term } = &e.kind {
            self.infers_variables(&vars.vars) || self.infers_arguments(term)
        } else if let ExprKind::MapComp { vars, key, value } = &e.kind {
            self.infers_variables(&vars.vars)
                || self.infers_arguments(key)
                || self.infers_arguments(value)
        } else if matches!(e.kind, ExprKind::Slice { .. } | ExprKind::MultisetFrom(_)) {
            true
        } else {
            self.st.inf.head(&e.ty).parts().any(infer::is_inferred)
        }
    }

    /// Whether the type of one of the variables is inferred.
    fn infers_variables(&self, vars: &[LocalId]) -> bool {
        vars.iter().any(|v| self.cx.program[*v].inferred)
    }

    /// Whether the base of the newtype is inferred.
    fn is_inferred_newtype(&self, ty: TypeId) -> bool {
        matches!(self.cx.program[ty].kind, TypeDeclKind::Newtype(_))
            && self.cx.types.inferred.contains(&Declaration::Type(ty))
    }

    pub(super) fn constraint(&mut self, ty: TypeId, decl: &ast::Constrained, infer_base: bool) {
        let module = self.cx.program[ty].module;
        let mut state = State::new(self.cx, module, Some(ty), self.cx.type_decl_scope(ty));
        state.declaration = Some(Declaration::Type(ty));
        state.this = None;
        self.within(state, |r| {
            let (var, mut base) = match &r.cx.program[ty].kind {
                TypeDeclKind::Newtype(c) | TypeDeclKind::Subset(c) => (c.var, c.base.clone()),
                TypeDeclKind::Datatype { .. }
                | TypeDeclKind::Abstract
                | TypeDeclKind::Class
                | TypeDeclKind::Trait { .. }
                | TypeDeclKind::Iterator(_) => return,
            };
            // An omitted base starts as an inference variable, which the constraint has to bind.
            if infer_base {
                base = r.st.inf.fresh(VarKind::Any);
                if let Some(v) = var {
                    r.cx.program[v].ty = base.clone();
                }
            }
            let mark = r.st.scope.open();
            if let Some(v) = var {
                r.enter(v);
            }
            let mut constraint = decl.constraint.as_ref().map(|c| r.condition(c));
            r.st.scope.close(mark);
            let is_newtype = matches!(r.cx.program[ty].kind, TypeDeclKind::Newtype(_));
            let own = r.cx.self_type(ty);
            if infer_base {
                r.settle();
                let mut open = false;
                base = r.st.inf.zonk(&base, &mut open);
                if let Some(v) = var {
                    r.cx.program[v].ty = base.clone();
                }
                if open && is_newtype {
                    let d = undetermined_base(&r.cx.program, ty);
                    r.report(d);
                }
                if r.reaches(&base, ty) {
                    let (name, span) = (r.cx.program[ty].name.clone(), r.cx.program[ty].span);
                    let d = Diagnostic::error(
                        "resolve/type-cycle",
                        span,
                        format!("the base of `{name}` depends on `{name}` itself"),
                    );
                    // The new type system reports the cycle earlier, when it completes signatures.
                    let pass = if r.cx.program.options.type_system_refresh {
                        Pass::Inference
                    } else {
                        Pass::Values
                    };
                    r.st.errors += 1;
                    r.cx.diagnostics.push_in(pass, d);
                    base = Type::Error;
                }
                // Set the base first: the type's own witness may have it.
                r.set_base(ty, &base);
            }
            let own = Some(own).filter(|_| is_newtype);
            let mut witness = match &decl.witness {
                ast::Witness::Default => Witness::Default,
                ast::Witness::Star => Witness::Opt,
                ast::Witness::Compiled(e) => {
                    Witness::Compiled(Box::new(r.witness(e, &base, own.as_ref())))
                }
                ast::Witness::Ghost(e) => {
                    Witness::Ghost(Box::new(r.witness(e, &base, own.as_ref())))
                }
            };
            if let Some(c) = &mut constraint {
                r.finish_expr(c);
            }
            match &mut witness {
                Witness::Compiled(e) | Witness::Ghost(e) => r.finish_expr(e),
                Witness::Default | Witness::Opt => {}
            }
            r.finish_locals();
            if let TypeDeclKind::Newtype(c) | TypeDeclKind::Subset(c) = &mut r.cx.program[ty].kind {
                c.constraint = constraint;
                c.witness = witness;
            }
        });
    }

    /// Checks the bases of newtypes: numeric types; with `--general-newtypes`, all types except
    /// datatypes, reference types, function types and `ORDINAL`.
    pub(super) fn newtype_bases(&mut self) {
        let general = self.cx.program.options.general_newtypes;
        let types: Vec<TypeId> = self.cx.program.ids();
        for id in types {
            let decl = &self.cx.program[id];
            let TypeDeclKind::Newtype(c) = &decl.kind else {
                continue;
            };
            let allowed = match self.cx.program.representation(&c.base) {
                Type::Int | Type::Real | Type::Error => true,
                Type::Bool
                | Type::Char
                | Type::Bv(_)
                | Type::Seq(_)
                | Type::Set { .. }
                | Type::Multiset(_)
                | Type::Map { .. }
                | Type::Param(_) => general,
                Type::Named { decl: base, .. } => {
                    general && matches!(self.cx.program[base].kind, TypeDeclKind::Abstract)
                }
                Type::Ordinal
                | Type::Tuple(_)
                | Type::Arrow { .. }
                | Type::Array { .. }
                | Type::Object { .. } => false,
            };
            if allowed && !self.is_inferred_later(id, &c.base) {
                continue;
            }
            let found = self.cx.program.show_type(&c.base);
            let (wanted, help) = if general {
                (
                    "a number, bitvector, character, truth value or collection",
                    "declare a subset type: `type T = x: B | …`",
                )
            } else {
                // The option without the other one is refused.
                let help = if self.cx.program.options.type_system_refresh {
                    "`--general-newtypes` allows other bases"
                } else {
                    "`--type-system-refresh` and `--general-newtypes` allow other bases"
                };
                ("int, real or another newtype", help)
            };
            let message = format!(
                "the newtype `{}` must be based on {wanted}, found {found}",
                decl.name
            );
            let d = Diagnostic::error("resolve/newtype-base", decl.span, message);
            self.cx.diagnostics.push_in(Pass::Values, d.with_help(help));
        }
    }

    /// Whether the base leads to a type of the same module whose own base is inferred, and only after
    /// this newtype is looked at: the older type system does not know then what the base is.
    fn is_inferred_later(&self, id: TypeId, base: &Type) -> bool {
        let (program, decl) = (&self.cx.program, &self.cx.program[id]);
        let mut ty = base.clone();
        let mut seen = Vec::new();
        while let Type::Named { decl: next, .. } = &ty
            && !seen.contains(next)
            && !program.options.type_system_refresh
        {
            let other = &program[*next];
            let is_inferred = self.cx.types.inferred.contains(&Declaration::Type(*next));
            if is_inferred && other.module == decl.module && other.span.start > decl.span.start {
                return true;
            }
            seen.push(*next);
            ty = match &other.kind {
                TypeDeclKind::Newtype(c) | TypeDeclKind::Subset(c) => c.base.clone(),
                TypeDeclKind::Datatype { .. }
                | TypeDeclKind::Abstract
                | TypeDeclKind::Class
                | TypeDeclKind::Trait { .. }
                | TypeDeclKind::Iterator(_) => return false,
            };
        }
        false
    }

    /// Resolves a witness: a value of the base, converted to the newtype if `own` is given.
    pub(super) fn witness(&mut self, e: &ast::Expr, base: &Type, own: Option<&Type>) -> Expr {
        let unsigned = if let ast::ExprKind::Unary(_, x) = &e.kind {
            x
        } else {
            e
        };
        let literal = matches!(unsigned.kind, ast::ExprKind::Literal(_));
        match own {
            Some(own) if literal => self.check(e, own),
            Some(own) => {
                let x = self.check(e, base);
                let span = x.span;
                Expr {
                    kind: ExprKind::Convert(Box::new(x)),
                    ty: own.clone(),
                    span,
                }
            }
            None => self.check(e, base),
        }
    }

    /// Whether the chain of base types starting at `from` contains `ty`.
    fn reaches(&self, from: &Type, ty: TypeId) -> bool {
        let mut at = from.clone();
        for _ in 0..self.cx.program.types.len() {
            let Type::Named { decl, args, .. } = &at else {
                return false;
            };
            if *decl == ty {
                return true;
            }
            let (TypeDeclKind::Newtype(c) | TypeDeclKind::Subset(c)) = &self.cx.program[*decl].kind
            else {
                return false;
            };
            at = c.base.subst(&self.cx.program.substitution(*decl, args));
        }
        false
    }

    fn set_base(&mut self, ty: TypeId, base: &Type) {
        if let TypeDeclKind::Newtype(c) | TypeDeclKind::Subset(c) = &mut self.cx.program[ty].kind {
            c.base = base.clone();
        }
        self.cx.cut_base_cycle(ty);
    }
}
