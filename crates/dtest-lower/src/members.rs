//! Lowering of fields, constants, destructors and built-in members.

use super::{Lowerer, build};
use dafny_resolve::typed::{self, BuiltinMember, FieldId, FieldKind, Type, TypeId};
use dafny_source::Span;
use dtest_ir::reason::{Construct, Reason};
use dtest_ir::{Expr, ExprKind, Op};

impl<'p> Lowerer<'p> {
    pub(super) fn field(
        &mut self,
        object: Option<&'p typed::Expr>,
        field: FieldId,
        type_args: &[Type],
        ty: Type,
        span: Span,
    ) -> Expr {
        let decl = &self.program[field];
        let kind = match (&decl.kind, object) {
            (FieldKind::Destructor(_), Some(o)) => {
                ExprKind::Op(Op::Destruct(field), vec![self.expr(o)])
            }
            (FieldKind::Const(_), _) if decl.is_static => ExprKind::Const {
                field,
                type_args: type_args.to_vec(),
                object: None,
            },
            (FieldKind::Const(None), Some(o)) if self.may_be_object(&o.ty) => {
                ExprKind::ReadField(self.boxed(o), field)
            }
            (FieldKind::Mutable, Some(o)) => ExprKind::ReadField(self.boxed(o), field),
            (FieldKind::Const(_), Some(o)) => {
                let type_args = decl
                    .owner
                    .map_or_else(Vec::new, |owner| self.owner_args(&o.ty, owner));
                ExprKind::Const {
                    field,
                    type_args,
                    object: Some(self.boxed(o)),
                }
            }
            (FieldKind::Mutable | FieldKind::Const(_) | FieldKind::Destructor(_), None) => {
                ExprKind::Unsupported(Reason::FieldWithoutObject(decl.name.clone()))
            }
        };
        let value = self.known_there(build::expr(kind, ty, span));
        self.reading(value)
    }

    /// Whether values of a type may be objects of the heap; this includes traits that are not
    /// reference types.
    fn may_be_object(&self, ty: &Type) -> bool {
        let is_trait =
            |t: TypeId| matches!(self.program[t].kind, typed::TypeDeclKind::Trait { .. });
        self.program.is_reference(ty)
            || matches!(self.program.strip_subset(ty), Type::Named { decl, .. } if is_trait(decl))
    }

    /// Returns the type arguments of `owner` in `ty`, which is the owner or a type that extends it.
    pub(super) fn owner_args(&self, ty: &Type, owner: TypeId) -> Vec<Type> {
        self.find_owner_args(ty, owner).unwrap_or_else(|| {
            self.program[owner]
                .type_params
                .iter()
                .map(|p| Type::Param(*p))
                .collect()
        })
    }

    fn find_owner_args(&self, ty: &Type, owner: TypeId) -> Option<Vec<Type>> {
        let find_in = |types: &[Type]| types.iter().find_map(|t| self.find_owner_args(t, owner));
        match ty {
            Type::Named { decl, args, .. } if *decl == owner => Some(args.clone()),
            Type::Named { decl, args, .. } => {
                let map = self.program.substitution(*decl, args);
                let parents: Vec<Type> = self.program[*decl]
                    .parents
                    .iter()
                    .map(|p| p.subst(&map))
                    .collect();
                find_in(&parents).or_else(|| {
                    let base = self.program.strip_subset(ty);
                    (base != *ty)
                        .then(|| self.find_owner_args(&base, owner))
                        .flatten()
                })
            }
            Type::Param(p) => find_in(&self.program[*p].bounds),
            Type::Bool
            | Type::Char
            | Type::Int
            | Type::Real
            | Type::Bv(_)
            | Type::Ordinal
            | Type::Seq(_)
            | Type::Set { .. }
            | Type::Multiset(_)
            | Type::Map { .. }
            | Type::Tuple(_)
            | Type::Arrow { .. }
            | Type::Array { .. }
            | Type::Object { .. }
            | Type::Error => None,
        }
    }

    pub(super) fn builtin(
        &mut self,
        member: BuiltinMember,
        object: &'p typed::Expr,
        ty: Type,
        span: Span,
    ) -> Expr {
        let op = match member {
            BuiltinMember::Keys => Op::Keys,
            BuiltinMember::Values => Op::Values,
            BuiltinMember::Items => Op::Items,
            BuiltinMember::Floor => Op::Floor,
            BuiltinMember::ArrayLength(n) => Op::ArrayLength(n),
            BuiltinMember::IsLimit => Op::OrdinalIsLimit,
            BuiltinMember::IsSucc => Op::OrdinalIsSucc,
            BuiltinMember::OrdinalOffset => Op::OrdinalOffset,
            BuiltinMember::IsNat => Op::OrdinalIsNat,
            BuiltinMember::FunctionRequires => {
                return build::unsupported(Construct::RequiresAsValue, ty, span);
            }
            BuiltinMember::FunctionReads => {
                return build::unsupported(Construct::ReadsAsValue, ty, span);
            }
            BuiltinMember::RotateLeft | BuiltinMember::RotateRight => {
                return build::unsupported(Construct::RotationAsValue, ty, span);
            }
        };
        let value = build::op(op, vec![self.expr(object)], ty, span);
        self.known_there(value)
    }
}
