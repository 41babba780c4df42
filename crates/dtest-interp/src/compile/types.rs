//! Compilation of conversions and type tests.
//!
//! `Compiler::convert` and `Compiler::is_type` are the entry points. The hard part is to avoid
//! calls of constraints: a constraint that consists of integer bounds becomes a comparison with a
//! range.

use num_bigint::BigInt;

use super::Compiler;
use crate::code::{Ins, Range};
use dafny_resolve::typed::{Literal, Type, TypeDeclKind};
use dtest_desugar::casts::{changes_newtype, is_upcast};
use dtest_ir::{Expr, ExprKind, Num, Op, Var};

impl<'p> Compiler<'p> {
    /// Compiles the test whether a word belongs to the type.
    pub(super) fn has_type(&mut self, ty: &Type) {
        if let Some(range) = self.range_of(ty) {
            self.code.ranges.push(range);
            return self.emit(Ins::TestRange(self.code.ranges.len() as u32 - 1));
        }
        self.looks_of_type(ty);
    }

    /// Compiles the same test for a value that need not have the representation of the type.
    fn looks_of_type(&mut self, ty: &Type) {
        let (exit, end) = (self.label(), self.label());
        let own = self.program.typed.strip_subset(ty);
        let depends = if matches!(own, Type::Param(_)) {
            true
        } else if let Type::Named { decl, .. } = own {
            matches!(self.program.typed[decl].kind, TypeDeclKind::Trait { .. })
        } else {
            false
        };
        if depends && self.program.typed.may_hold_codatatypes(ty) {
            // Whether a value belongs to a trait depends on its constructor.
            self.emit(Ins::Force);
        }
        let ty = self.ty(ty.clone());
        self.emit(Ins::TypeStart { ty, end });
        let next = self.here();
        // A constraint that fails to evaluate is unknown: its handler continues after the `Untry`.
        self.emit(Ins::TypeNext(end));
        self.emit(Ins::Untry);
        self.emit(Ins::Quantify { forall: true, exit });
        self.emit(Ins::Jump(next));
        self.place(exit);
        self.emit(Ins::PopIters(1));
        self.place(end);
    }

    /// Compiles `e is T`. For numeric types, this tests whether the conversion is possible.
    pub(super) fn is_type(&mut self, from: &Type, to: &Type) {
        let typed = &self.program.typed;
        // A value of a trait is examined at run time for the newtype that it carries.
        if changes_newtype(typed, from, to) {
            let from = self.retype_to_bound(from).unwrap_or_else(|| from.clone());
            if is_upcast(&self.program.typed, &from, to) {
                self.retype(&from, to);
            }
            return self.looks_of_type(to);
        }
        let (from_base, to_base) = (typed.representation(from), typed.representation(to));
        // Without a conversion of basic types, only the type's constraints are tested.
        if from_base == to_base || !is_basic(&to_base) || !is_basic(&from_base) {
            return self.has_type(to);
        }
        let end = self.label();
        let base = self.ty(to_base);
        // A conversion that fails decides the test.
        self.emit(Ins::TestConvert { ty: base, end });
        self.has_type(to);
        self.place(end);
    }

    /// Compiles `e as T`.
    pub(super) fn convert(&mut self, from: &Type, to: &Type) {
        if from == to {
            return;
        }
        let typed = &self.program.typed;
        if changes_newtype(typed, from, to) {
            let from = self.retype_to_bound(from).unwrap_or_else(|| from.clone());
            // The checked value has the representation of the trait.
            let is_upcast = is_upcast(&self.program.typed, &from, to);
            if is_upcast {
                self.retype(&from, to);
            }
            if !is_upcast || self.holds_constraint(to) {
                self.emit(Ins::Dup);
                self.looks_of_type(to);
                let ty = self.ty(to.clone());
                self.emit(Ins::CheckType(ty));
            }
            if !is_upcast {
                self.retype(&from, to);
            }
            return;
        }
        let (from_base, to_base) = (typed.representation(from), typed.representation(to));
        match (is_basic(&from_base), is_basic(&to_base)) {
            // A value of a trait is a number if its own type is numeric.
            (false, true) => self.check_type(to),
            (_, is_number) => {
                if is_number && from_base != to_base {
                    let ty = self.ty(to_base);
                    self.emit(Ins::Convert(ty));
                }
                self.check_layers(to, from);
            }
        }
    }

    /// Converts a value of a type parameter to the trait that bounds it. Its representation depends
    /// on the type argument.
    fn retype_to_bound(&mut self, from: &Type) -> Option<Type> {
        let typed = &self.program.typed;
        let Type::Param(p) = typed.strip_subset(from) else {
            return None;
        };
        let bound = typed[p]
            .bounds
            .iter()
            .find(|b| changes_newtype(typed, from, b))?
            .clone();
        self.retype(from, &bound);
        Some(bound)
    }

    fn retype(&mut self, from: &Type, to: &Type) {
        let (from, to) = (self.ty(from.clone()), self.ty(to.clone()));
        self.emit(Ins::Retype { from, to });
    }

    /// Checks that the word on the stack belongs to `to`, given that it belongs to `from`.
    pub(super) fn check_layers(&mut self, to: &Type, from: &Type) {
        if let Some(range) = self.range_of(to) {
            self.code.ranges.push(range);
            return self.emit(Ins::CheckRange(self.code.ranges.len() as u32 - 1));
        }
        let basic = is_basic(&self.program.typed.representation(to));
        let open = !basic && *from != Type::Error && from != to;
        if self.has_constraint(to) || open {
            self.check_type(to);
        }
    }

    /// Checks that the word on the stack belongs to `to`.
    fn check_type(&mut self, to: &Type) {
        self.emit(Ins::Dup);
        self.has_type(to);
        let ty = self.ty(to.clone());
        self.emit(Ins::CheckType(ty));
    }

    /// Whether the type itself, not the types of its parts, is constrained.
    pub(super) fn has_constraint(&self, ty: &Type) -> bool {
        let Type::Named { decl, args, .. } = ty else {
            return false;
        };
        match &self.program.typed[*decl].kind {
            TypeDeclKind::Newtype(c) | TypeDeclKind::Subset(c) => {
                c.constraint.is_some()
                    || self.program.constraints.contains_key(decl)
                    || self.has_constraint(
                        &c.base.subst(&self.program.typed.substitution(*decl, args)),
                    )
            }
            TypeDeclKind::Datatype { .. }
            | TypeDeclKind::Abstract
            | TypeDeclKind::Class
            | TypeDeclKind::Trait { .. }
            | TypeDeclKind::Iterator(_) => false,
        }
    }

    /// Whether some value has the shape of the type without belonging to it, because of a
    /// constraint on it or on its parts.
    pub(super) fn holds_constraint(&self, ty: &Type) -> bool {
        let (mut seen, mut todo) = (Vec::new(), vec![ty.clone()]);
        while let Some(ty) = todo.pop() {
            if self.has_constraint(&ty) {
                return true;
            }
            // Components are examined too; each datatype only once, since it may be recursive.
            match self.program.typed.representation(&ty) {
                Type::Seq(e) | Type::Multiset(e) | Type::Set { elem: e, .. } => todo.push(*e),
                Type::Map { key, value, .. } => todo.extend([*key, *value]),
                Type::Tuple(components) => todo.extend(components.into_iter().map(|(_, t)| t)),
                Type::Named { decl, args, .. } => {
                    let TypeDeclKind::Datatype { ctors, .. } = &self.program.typed[decl].kind
                    else {
                        continue;
                    };
                    todo.extend(args);
                    if seen.contains(&decl) {
                        continue;
                    }
                    seen.push(decl);
                    let fields = ctors.iter().flat_map(|c| &self.program.typed[*c].fields);
                    todo.extend(fields.map(|f| self.program.typed[*f].ty.clone()));
                }
                Type::Bool
                | Type::Char
                | Type::Int
                | Type::Real
                | Type::Bv(_)
                | Type::Ordinal
                | Type::Arrow { .. }
                | Type::Array { .. }
                | Type::Object { .. }
                | Type::Param(_)
                | Type::Error => {}
            }
        }
        false
    }

    /// Returns the range of a constrained integer type, if the constraint is exactly a range.
    fn range_of(&self, ty: &Type) -> Option<Range> {
        let mut bounds = (None, None);
        let mut layer = ty.clone();
        let mut any = false;
        // All layers of subset types must consist of bounds, so that a single comparison with the
        // range suffices.
        loop {
            if matches!(&layer, Type::Int) {
                break;
            } else if let Type::Named { decl, args, .. } = &layer {
                let base = match &self.program.typed[*decl].kind {
                    TypeDeclKind::Newtype(c) | TypeDeclKind::Subset(c) => &c.base,
                    TypeDeclKind::Datatype { .. }
                    | TypeDeclKind::Abstract
                    | TypeDeclKind::Class
                    | TypeDeclKind::Trait { .. }
                    | TypeDeclKind::Iterator(_) => return None,
                };
                if let Some(f) = self.program.constraints.get(decl) {
                    let [v] = f.params.as_slice() else {
                        return None;
                    };
                    narrow(&f.body, *v, &mut bounds)?;
                    any = true;
                }
                layer = base.subst(&self.program.typed.substitution(*decl, args));
            } else {
                return None;
            }
        }
        any.then(|| Range::new(bounds.0, bounds.1, ty.clone()))
    }
}

type Bounds = (Option<BigInt>, Option<BigInt>);

/// Adds a constraint of the form `low <= v && v < high` to the bounds; `None` if it has another
/// form.
fn narrow(e: &Expr, v: Var, bounds: &mut Bounds) -> Option<()> {
    let number = |e: &Expr| literal_int(e);
    let is_v = |e: &Expr| matches!(e.kind, ExprKind::Var(w) if w == v);
    if matches!(&e.kind, ExprKind::Literal(Literal::Bool(true))) {
        Some(())
    } else if let ExprKind::And(a, b) = &e.kind {
        narrow(a, v, bounds).and_then(|()| narrow(b, v, bounds))
    } else if let ExprKind::Op(op @ (Op::Lt(Num::Int) | Op::Le(Num::Int)), args) = &e.kind {
        let strict = matches!(op, Op::Lt(_));
        let [a, b] = args.as_slice() else { return None };
        // Bounds are intersected.
        if is_v(a) {
            let high = number(b)? + i32::from(!strict);
            bounds.1 = Some(bounds.1.take().map_or(high.clone(), |h| h.min(high)));
        } else if is_v(b) {
            let low = number(a)? + i32::from(strict);
            bounds.0 = Some(bounds.0.take().map_or(low.clone(), |l| l.max(low)));
        } else {
            return None;
        }
        Some(())
    } else {
        None
    }
}

fn literal_int(e: &Expr) -> Option<BigInt> {
    if let ExprKind::Literal(Literal::Int(n)) = &e.kind {
        Some(n.clone())
    } else if let ExprKind::Op(Op::Neg(Num::Int), args) = &e.kind {
        args.first().and_then(literal_int).map(|n| -n)
    } else {
        None
    }
}

/// Whether a representation is a basic type, on which conversions compute.
fn is_basic(ty: &Type) -> bool {
    matches!(
        ty,
        Type::Bool | Type::Char | Type::Int | Type::Real | Type::Bv(_) | Type::Ordinal
    )
}

/// Whether a type mentions a type parameter.
pub(crate) fn mentions_param(ty: &Type) -> bool {
    ty.any(&mut |t| matches!(t, Type::Param(_)))
}
