//! Printing of types, type parameters and patterns.

use super::super::ast::{
    ArrowKind, Characteristics, Pattern, PatternKind, QualifiedName, TupleComponent, Type,
    TypeKind, TypeParam, TypeSegment, Variance,
};
use super::Printer;

impl Printer {
    pub(super) fn ty(&mut self, ty: &Type) {
        self.type_in(ty, false);
    }

    /// Prints a type after `as` or `is`, where `<` after a name is a comparison unless the token
    /// after `>` excludes that.
    pub(super) fn type_operand(&mut self, ty: &Type) {
        self.type_in(ty, true);
    }

    fn type_in(&mut self, ty: &Type, operand: bool) {
        let may_stand_bare = |ty: &Type| match &ty.kind {
            TypeKind::Named(segments) => !operand || segments.iter().all(|s| s.args.is_none()),
            TypeKind::Tuple(_) | TypeKind::Arrow { .. } => false,
        };
        self.nested(|p| match &ty.kind {
            TypeKind::Named(segments) => {
                p.separated(segments, ".", |p, TypeSegment { name, args }| {
                    p.text(&name.name);
                    p.opt_type_args(args.as_deref());
                })
            }
            TypeKind::Tuple(components) => {
                p.text("(");
                p.commas(components, |p, TupleComponent { ghost, ty }| {
                    p.text(if *ghost { "ghost " } else { "" });
                    p.ty(ty);
                });
                p.text(")");
            }
            TypeKind::Arrow {
                kind,
                params,
                result,
            } => {
                match params.as_slice() {
                    [only] if may_stand_bare(only) => p.ty(only),
                    many => {
                        p.text("(");
                        p.commas(many, Self::ty);
                        p.text(")");
                    }
                }
                p.text(match kind {
                    ArrowKind::Total => " -> ",
                    ArrowKind::Partial => " --> ",
                    ArrowKind::General => " ~> ",
                });
                p.type_in(result, operand);
            }
        });
    }

    pub(super) fn opt_type_args(&mut self, args: Option<&[Type]>) {
        if let Some(args) = args {
            self.text("<");
            self.commas(args, Self::ty);
            self.text(">");
        }
    }

    /// Prints `: T` if there is a type.
    pub(super) fn opt_type(&mut self, ty: Option<&Type>) {
        if let Some(ty) = ty {
            self.text(": ");
            self.ty(ty);
        }
    }

    pub(super) fn type_params(&mut self, params: &[TypeParam]) {
        if params.is_empty() {
            return;
        }
        self.text("<");
        self.commas(
            params,
            |p,
             TypeParam {
                 name,
                 variance,
                 characteristics,
                 bounds,
             }| {
                p.text(match variance {
                    Variance::Invariant => "",
                    Variance::Covariant => "+",
                    Variance::CovariantAny => "*",
                    Variance::Contravariant => "-",
                    Variance::InvariantAny => "!",
                });
                p.text(&name.name);
                p.characteristics(*characteristics);
                for bound in bounds {
                    p.text(" extends ");
                    p.ty(bound);
                }
            },
        );
        self.text(">");
    }

    pub(super) fn characteristics(&mut self, characteristics: Characteristics) {
        let Characteristics {
            equality,
            auto_init,
            nonempty,
            no_new,
        } = characteristics;
        let all = [
            (equality, "=="),
            (auto_init, "0"),
            (nonempty, "00"),
            (no_new, "!new"),
        ];
        let written: Vec<&str> = all
            .into_iter()
            .filter(|(on, _)| *on)
            .map(|(_, text)| text)
            .collect();
        if !written.is_empty() {
            self.text("(");
            self.text(&written.join(", "));
            self.text(")");
        }
    }

    pub(super) fn qualified_name(&mut self, name: &QualifiedName) {
        self.separated(&name.segments, ".", |p, s| p.text(&s.name));
    }

    pub(super) fn pattern(&mut self, pattern: &Pattern) {
        self.nested(|p| match &pattern.kind {
            PatternKind::Name { path, ty } => {
                p.qualified_name(path);
                p.opt_type(ty.as_ref());
            }
            PatternKind::Ctor { path, args } => {
                p.qualified_name(path);
                p.text("(");
                p.commas(args, Self::pattern);
                p.text(")");
            }
            PatternKind::Tuple(components) => {
                p.text("(");
                p.commas(components, Self::pattern);
                p.text(")");
            }
            PatternKind::Literal(value) => p.expr(value),
            PatternKind::Or(branches) => p.separated(branches, " | ", Self::pattern),
        });
    }
}
