//! Restrictions before `new;` in a constructor: it may assign to fields, but the object itself is
//! not available yet (reference manual, "Constructors").

use crate::typed::{
    Arena, BinaryOp, Block, Body, CallableId, CallableKind, Expr, ExprKind, FieldKind, Rhs, Stmt,
    StmtKind, Target, Type,
    visit::{self, Visit},
};
use dafny_source::Span;
use dafny_source::diagnostic::Diagnostic;

use super::Check;

pub(super) fn check(c: &mut Check<'_>) {
    let program = c.program();
    let ids: Vec<CallableId> = program.ids();
    for id in ids {
        let callable = &program[id];
        if let (
            CallableKind::Constructor,
            Body::Block(Block {
                stmts,
                divided_at: Some(first),
                ..
            }),
        ) = (callable.kind, &callable.body)
        {
            let mut uses = UsesOfThis { check: c };
            stmts.iter().take(*first).for_each(|s| uses.stmt(s));
        }
    }
}

struct UsesOfThis<'a, 'b> {
    check: &'a mut Check<'b>,
}

impl UsesOfThis<'_, '_> {
    fn used(&mut self, span: Span) {
        let message = "before `new;`, a constructor can use `this` only to assign its fields";
        let d = Diagnostic::error("resolve/this-before-new", span, message);
        self.check
            .found
            .push(d.with_help("move code that uses the object after `new;`"));
    }

    /// Checks a value that is stored in a field of the new object. It may contain the object, and
    /// depend on its other fields.
    fn stored(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::This => {}
            ExprKind::Field {
                object: Some(o), ..
            } if matches!(o.kind, ExprKind::This) => {}
            ExprKind::SetDisplay(es)
            | ExprKind::MultisetDisplay(es)
            | ExprKind::SeqDisplay(es)
            | ExprKind::Tuple(es) => {
                es.iter().for_each(|e| self.stored(e));
            }
            ExprKind::Construct { args, .. } => args.iter().for_each(|e| self.stored(e)),
            ExprKind::MapDisplay(pairs) => pairs.iter().for_each(|(k, v)| {
                self.stored(k);
                self.stored(v);
            }),
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, a, b)
                if self.is_collection(&a.ty) =>
            {
                self.stored(a);
                self.stored(b);
            }
            ExprKind::If { cond, then, els } => {
                self.expr(cond);
                self.stored(then);
                self.stored(els);
            }
            // All other expressions use their operands, so the object must not occur in them.
            ExprKind::Literal(_)
            | ExprKind::Local(_)
            | ExprKind::Field { .. }
            | ExprKind::Builtin { .. }
            | ExprKind::CtorTest { .. }
            | ExprKind::TupleField { .. }
            | ExprKind::Delayed(_)
            | ExprKind::Call(_)
            | ExprKind::FunctionRef { .. }
            | ExprKind::Apply { .. }
            | ExprKind::Index { .. }
            | ExprKind::Slice { .. }
            | ExprKind::SliceLengths { .. }
            | ExprKind::Update { .. }
            | ExprKind::DatatypeUpdate { .. }
            | ExprKind::TupleUpdate { .. }
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Chain { .. }
            | ExprKind::PrefixEq { .. }
            | ExprKind::Convert(_)
            | ExprKind::Is(..)
            | ExprKind::Cardinality(_)
            | ExprKind::MultisetFrom(_)
            | ExprKind::SeqConstruct { .. }
            | ExprKind::SetComp { .. }
            | ExprKind::MapComp { .. }
            | ExprKind::Quantifier { .. }
            | ExprKind::Lambda(_)
            | ExprKind::IfBinding { .. }
            | ExprKind::Match { .. }
            | ExprKind::Let { .. }
            | ExprKind::LetSuchThat { .. }
            | ExprKind::LetOrFail(_)
            | ExprKind::StmtExpr { .. }
            | ExprKind::Old { .. }
            | ExprKind::Fresh { .. }
            | ExprKind::Allocated(_)
            | ExprKind::Unchanged { .. }
            | ExprKind::Assigned(_)
            | ExprKind::Wildcard
            | ExprKind::Error => self.expr(e),
        }
    }

    fn is_collection(&self, ty: &Type) -> bool {
        matches!(
            self.check.program().representation(ty),
            Type::Set { .. } | Type::Multiset(_) | Type::Seq(_) | Type::Map { .. }
        )
    }
}

impl<'t> Visit<'t> for UsesOfThis<'_, '_> {
    fn ty(&mut self, _: &'t Type) {}

    fn expr(&mut self, e: &'t Expr) {
        if let ExprKind::Field {
            object: Some(o),
            field,
            ..
        } = &e.kind
            && matches!(o.kind, ExprKind::This)
            && matches!(&self.check.program()[*field].kind, FieldKind::Const(Some(value)) if !mentions_this(value))
        {
            // A constant with a value is available without its object, unless the value depends on
            // the object.
        } else if matches!(&e.kind, ExprKind::Assigned(_)) {
        } else if matches!(&e.kind, ExprKind::This) {
            self.used(e.span)
        } else {
            visit::walk_expr(self, e)
        }
    }

    fn stmt(&mut self, s: &'t Stmt) {
        let StmtKind::Assign { pairs, .. } = &s.kind else {
            return visit::walk_stmt(self, s);
        };
        for (target, rhs) in pairs {
            let own = matches!(target, Target::Field { object, .. } if matches!(object.kind, ExprKind::This));
            match target {
                Target::Field { object, .. } if !own => self.expr(object),
                Target::Element { array, indices } => {
                    self.expr(array);
                    indices.iter().for_each(|e| self.expr(e));
                }
                Target::Field { .. } | Target::Local(_) | Target::Discard(_) => {}
            }
            match rhs {
                Rhs::Expr(e) if own => self.stored(e),
                Rhs::Expr(e) => self.expr(e),
                Rhs::New { ctor, .. } => {
                    ctor.iter().flat_map(|c| &c.args).for_each(|e| self.expr(e))
                }
                Rhs::NewArray { dims, init, .. } => {
                    dims.iter().for_each(|e| self.expr(e));
                    match init {
                        crate::typed::ArrayInit::Default => {}
                        crate::typed::ArrayInit::Function(f) => self.expr(f),
                        crate::typed::ArrayInit::Elements(es) => {
                            es.iter().for_each(|e| self.expr(e))
                        }
                    }
                }
                Rhs::Havoc(_) => {}
            }
        }
    }
}

fn mentions_this(e: &Expr) -> bool {
    struct Find(bool);
    impl<'t> Visit<'t> for Find {
        fn expr(&mut self, e: &'t Expr) {
            self.0 |= matches!(e.kind, ExprKind::This);
            visit::walk_expr(self, e);
        }
    }
    let mut find = Find(false);
    find.expr(e);
    find.0
}
