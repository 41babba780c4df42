//! Lowering of constructors and updates of datatype values and tuples.

use super::expr::checked;
use super::{Lowerer, build};
use dafny_resolve::typed::{self, FieldId, Type};
use dafny_source::Span;
use dtest_ir::reason::Construct;
use dtest_ir::{Expr, Op, ctors_of};

impl<'p> Lowerer<'p> {
    /// Lowers the arguments of a constructor; ghost arguments are pure.
    pub(super) fn ctor_args(
        &mut self,
        ctor: typed::CtorId,
        args: &'p [typed::Expr],
        ty: &Type,
    ) -> Vec<Expr> {
        let program = self.program;
        let map = if let Type::Named { decl, args, .. } = program.strip_subset(ty) {
            Some(program.substitution(decl, &args))
        } else {
            None
        };
        let mut values = Vec::with_capacity(args.len());
        for (i, a) in args.iter().enumerate() {
            let field = program[ctor].fields.get(i).map(|f| &program[*f]);
            let value = self.pure_if(field.is_some_and(|f| f.ghost), |l| l.expr(a));
            values.push(match (&map, field) {
                (Some(map), Some(field)) => self.admitted(value, &field.ty.subst(map)),
                (_, _) => value,
            });
        }
        values
    }

    pub(super) fn tuple_parts(&mut self, ty: &Type, parts: &'p [typed::Expr]) -> Vec<Expr> {
        let ghost = |i: usize| matches!(ty, Type::Tuple(cs) if cs.get(i).is_some_and(|c| c.0));
        parts
            .iter()
            .enumerate()
            .map(|(i, p)| self.pure_if(ghost(i), |l| l.expr(p)))
            .collect()
    }

    /// Returns the new value of a field in an update of a value of type `old` with a result of type
    /// `new`, with the obligation that it belongs to the field's type.
    fn new_field(&mut self, field: FieldId, value: Expr, old: &Type, new: &Type) -> Expr {
        let program = self.program;
        let Some(owner) = program[field].owner.filter(|_| self.has_obligations()) else {
            return value;
        };
        let in_type = |ty: &Type| {
            let args = self.owner_args(ty, owner);
            program[field].ty.subst(&program.substitution(owner, &args))
        };
        let (before, after) = (in_type(old), in_type(new));
        // The newer type system infers type arguments of the result. In the older one, they are
        // those of the old value, unless the update changes more than subset types.
        let is_changed = program.representation(&before) != program.representation(&after);
        let target = if program.options.type_system_refresh || is_changed {
            after
        } else {
            before
        };
        self.admitted(value, &target)
    }

    /// Lowers `e.(f := v)`: for each constructor that has the fields, constructs it with the other
    /// arguments kept.
    pub(super) fn datatype_update(
        &mut self,
        object: &'p typed::Expr,
        updates: &'p [(FieldId, typed::Expr)],
        ctors: &[typed::CtorId],
        ty: Type,
        span: Span,
    ) -> Expr {
        let program = self.program;
        let mut bindings = Vec::new();
        let value = self.expr(object);
        let value = self.share(value, "$updated", &mut bindings);
        let mut news: Vec<(FieldId, Expr)> = Vec::new();
        for (field, e) in updates {
            // A new value occurs in the alternative of each constructor, so it is shared unless
            // there is only one.
            let new = self.pure_if(program[*field].ghost, |l| l.expr(e));
            let new = self.new_field(*field, new, &object.ty, &ty);
            let new = if ctors.len() == 1 {
                new
            } else {
                self.share(new, "$new", &mut bindings)
            };
            news.push((*field, new));
        }
        let owner = |field: FieldId| {
            program[field]
                .owner
                .map_or_else(Vec::new, |o| self.owner_args(&object.ty, o))
        };
        // A field without an update keeps its value, which a destructor reads from the old datatype
        // value.
        let kept = |field: FieldId| {
            let decl = &program[field];
            let map = decl
                .owner
                .map(|o| program.substitution(o, &owner(field)))
                .unwrap_or_default();
            build::op(
                Op::Destruct(field),
                vec![value.clone()],
                decl.ty.subst(&map),
                span,
            )
        };
        let built = |ctor: typed::CtorId| {
            let arg = |f: &FieldId| {
                news.iter()
                    .find(|(g, _)| g == f)
                    .map_or_else(|| kept(*f), |(_, v)| v.clone())
            };
            build::op(
                Op::Construct(ctor),
                program[ctor].fields.iter().map(arg).collect(),
                ty.clone(),
                span,
            )
        };
        let test = |ctor: typed::CtorId| {
            build::op(Op::CtorTest(ctor), vec![value.clone()], Type::Bool, span)
        };
        // The last constructor needs no test, but a check if the value may have a constructor
        // without the fields.
        let Some((&last, before)) = ctors.split_last() else {
            return build::unsupported(Construct::UpdateOfNoConstructor, ty, span);
        };
        let all = ctors_of(program, program[last].datatype).len();
        let mut result = built(last);
        if ctors.len() < all {
            result = checked(test(last), result);
        }
        for &ctor in before.iter().rev() {
            result = build::choose(test(ctor), built(ctor), result, ty.clone(), span);
        }
        build::lets(bindings, result)
    }

    pub(super) fn tuple_update(
        &mut self,
        object: &'p typed::Expr,
        updates: &'p [(usize, typed::Expr)],
        ty: Type,
        span: Span,
    ) -> Expr {
        let Type::Tuple(components) = &ty else {
            return self.no_form("tuple update", object, ty, span);
        };
        let mut bindings = Vec::new();
        let value = self.expr(object);
        let value = self.share(value, "$updated", &mut bindings);
        let mut parts: Vec<Expr> = components
            .iter()
            .enumerate()
            .map(|(i, (_, t))| build::op(Op::TupleField(i), vec![value.clone()], t.clone(), span))
            .collect();
        for (i, e) in updates {
            let ghost = components.get(*i).is_some_and(|c| c.0);
            let new = self.pure_if(ghost, |l| l.expr(e));
            if let Some(part) = parts.get_mut(*i) {
                *part = new;
            }
        }
        build::lets(bindings, build::op(Op::Tuple, parts, ty.clone(), span))
    }
}
