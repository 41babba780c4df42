//! A pass that makes both parts of a function by method checkable.
//!
//! Such a function is executed as its method, and specifications use its expression. Dafny's
//! verifier checks the expression like the body of any function, and that the method returns its
//! value.

use crate::Desugaring;
use dafny_resolve::typed::{
    Arena, Attribute, AttributeArg, BinaryOp, Body, Call, CallableId, Clause, Expr, ExprKind, Type,
    TypeParamId,
};

/// The attribute of the generated functions. No source program can contain it.
pub(crate) const FUNCTION: &str = "of by-method";

impl Desugaring {
    /// Adds, for each function by method, a function with its expression as body, and the
    /// postcondition that the method returns the value of the expression.
    #[must_use]
    pub(crate) fn with_by_method_functions(mut self) -> Self {
        for id in Arena::<CallableId>::ids(&self.program) {
            let Body::ByMethod(value, _) = &self[id].body else {
                continue;
            };
            let mut function = self[id].clone();
            function.name = format!("{}.function", function.name).into();
            function.body = Body::Expr(value.clone());
            function.overrides.clear();
            function.attributes = vec![Attribute {
                name: FUNCTION.into(),
                args: vec![AttributeArg::Int(id.0.into())],
                span: function.span,
            }];
            function.doc = None;
            let agrees = self.method_returns_value(id);
            self[id].spec.ensures.extend(agrees);
            self.callables.push(function);
        }
        self
    }

    /// Returns the clause `result == F(parameters)`.
    fn method_returns_value(&self, id: CallableId) -> Option<Clause> {
        let c = &self[id];
        let Body::ByMethod(_, method) = &c.body else {
            return None;
        };
        let span = method.span;
        let variable = |local| Expr {
            kind: ExprKind::Local(local),
            ty: self[local].ty.clone(),
            span,
        };
        let param = |p: &TypeParamId| Type::Param(*p);
        let this = c.owner.filter(|_| !c.is_static).map(|owner| {
            let args = self[owner].type_params.iter().map(param).collect();
            Box::new(Expr {
                kind: ExprKind::This,
                ty: Type::named(owner, args),
                span,
            })
        });
        let result = variable(c.outs.first()?.local);
        let ty = result.ty.clone();
        let call = Call {
            callee: id,
            receiver: this,
            discarded: None,
            type_args: self.all_type_params(id).iter().map(param).collect(),
            args: c.ins.iter().map(|f| variable(f.local)).collect(),
            at_label: None,
            is_static_dispatch: true,
            is_corecursive: false,
        };
        let value = Expr {
            kind: ExprKind::Call(call),
            ty,
            span,
        };
        Some(Clause {
            cond: Expr {
                kind: ExprKind::Binary(BinaryOp::Eq, Box::new(result), Box::new(value)),
                ty: Type::Bool,
                span,
            },
            label: None,
            span,
        })
    }
}
