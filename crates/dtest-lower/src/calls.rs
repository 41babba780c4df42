//! Lowering of calls and of applications of function values.

use super::allocation::{Known, asserting};
use super::{Lowerer, build};
use dafny_resolve::typed::{self, BuiltinMember, CallableId, Type};
use dafny_source::Span;
use dtest_ir::reason::Construct;
use dtest_ir::{Expr, ExprKind, Op};

impl<'p> Lowerer<'p> {
    pub(super) fn apply(
        &mut self,
        function: &'p typed::Expr,
        args: &'p [typed::Expr],
        ty: Type,
        span: Span,
    ) -> Expr {
        if let typed::ExprKind::Builtin { member, object } = &function.kind {
            let op = match member {
                BuiltinMember::FunctionRequires => Some(Op::FunctionRequires),
                BuiltinMember::FunctionReads => Some(Op::FunctionReads),
                BuiltinMember::RotateLeft => Some(Op::RotateLeft),
                BuiltinMember::RotateRight => Some(Op::RotateRight),
                BuiltinMember::Keys
                | BuiltinMember::Values
                | BuiltinMember::Items
                | BuiltinMember::Floor
                | BuiltinMember::ArrayLength(_)
                | BuiltinMember::IsLimit
                | BuiltinMember::IsSucc
                | BuiltinMember::OrdinalOffset
                | BuiltinMember::IsNat => None,
            };
            if let Some(op) = op {
                let function = self.expr(object);
                let args = self.arguments_of(&function.ty.clone(), args);
                let value = build::op(
                    op,
                    std::iter::once(function).chain(args).collect(),
                    ty,
                    span,
                );
                let value = self.required(value);
                return self.reading(value);
            }
        }
        let function = self.boxed(function);
        let args = self.arguments_of(&function.ty.clone(), args);
        build::expr(ExprKind::Apply(function, args), ty, span)
    }

    /// Lowers a function that is used as a value.
    pub(super) fn function_ref(
        &mut self,
        callee: CallableId,
        receiver: Option<&'p typed::Expr>,
        type_args: &[Type],
        ty: Type,
        span: Span,
    ) -> Expr {
        let receiver = receiver.map(|r| self.boxed(r));
        let kind = ExprKind::FunctionRef {
            callee,
            type_args: type_args.to_vec(),
            receiver,
        };
        self.receiver_known_there(build::expr(kind, ty, span))
    }

    /// Whether a function demands that arguments are allocated in an earlier state. An application
    /// of such a value would have an obligation that its `requires` does not express.
    pub(super) fn is_old_demanded(&self, callee: CallableId) -> bool {
        let callee = &self.program[callee];
        let holds_references = |f: &typed::Formal| {
            !f.is_new && !self.program.holds_no_references(&self.program[f.local].ty)
        };
        callee.is_two_state && callee.ins.iter().any(holds_references)
    }

    /// Lowers the arguments of a function value of the given type.
    fn arguments_of(&mut self, function: &Type, args: &'p [typed::Expr]) -> Vec<Expr> {
        let params = if let Type::Arrow { params, .. } = self.program.strip_subset(function) {
            params
        } else {
            Vec::new()
        };
        let args = self
            .exprs(args)
            .into_iter()
            .zip(params.into_iter().map(Some).chain(std::iter::repeat(None)));
        args.map(|(arg, param)| match param {
            Some(param) => self.admitted(arg, &param),
            None => arg,
        })
        .collect()
    }

    pub(super) fn call(&mut self, call: &'p typed::Call, ty: Type, span: Span) -> Expr {
        if self.is_super_call(call) {
            return build::unsupported(Construct::CallOfOwn, ty, span);
        }
        self.graph.read_labels(call.at_label.clone());
        let args = self.call_args(call);
        let (callee, type_args, label) =
            (call.callee, call.type_args.clone(), call.at_label.clone());
        let Known {
            args,
            bindings,
            needs,
        } = self.known_arguments(callee, args, label.as_ref());
        let value = build::expr(
            ExprKind::Call {
                callee,
                type_args,
                args: args.clone(),
                label,
            },
            ty,
            span,
        );
        let value = self.measured(&args, value);
        let value = self.obliged_call(value, call.is_corecursive);
        build::lets(bindings, asserting(needs, value))
    }

    /// Whether a call names a trait's own body, which an override may hide.
    pub(super) fn is_super_call(&self, call: &typed::Call) -> bool {
        let owner = self.program[call.callee].owner;
        call.is_static_dispatch
            && call.receiver.is_some()
            && owner
                .is_some_and(|t| matches!(self.program[t].kind, typed::TypeDeclKind::Trait { .. }))
    }

    /// Lowers the receiver and the arguments of a call; ghost arguments are pure.
    pub(super) fn call_args(&mut self, call: &'p typed::Call) -> Vec<Expr> {
        let program = self.program;
        let ins = &program[call.callee].ins;
        let receiver: Option<Expr> = call.receiver.as_ref().map(|r| self.expr(r));
        let mut args: Vec<Expr> = receiver.into_iter().collect();
        let map = self.type_arguments_of(call);
        for (i, a) in call.args.iter().enumerate() {
            let ghost = ins.get(i).is_some_and(|f| program[f.local].ghost);
            let value = self.pure_if(ghost, |l| l.expr(a));
            args.push(match ins.get(i) {
                Some(formal) => self.admitted(value, &program[formal.local].ty.subst(&map)),
                None => value,
            });
        }
        args
    }

    /// Returns the substitution of the callee's type parameters in a call.
    fn type_arguments_of(&self, call: &typed::Call) -> typed::Substitution {
        self.program
            .all_type_params(call.callee)
            .into_iter()
            .zip(call.type_args.iter().cloned())
            .collect()
    }
}
