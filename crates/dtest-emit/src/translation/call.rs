//! Translates calls of functions and methods.

use super::body::Body;
use super::code::Code;
use super::convention::{Dependency, Translated};
use super::rep::Rep;
use crate::rust::{self, Ident, Path, expr, ident, path, ty};
use dafny_resolve::typed::{
    BuiltinMember, Call, CallableId, Expr, ExprKind, Type, TypeDeclKind, TypeId,
};

impl Body<'_, '_, '_> {
    /// Returns the result of the call under test, if the call is that one.
    pub(super) fn own_result(&self, call: &Call) -> Option<Code> {
        let (callee, params, result) = self.under_test.as_ref()?;
        // Only the very same call has the result that the test knows.
        let same_args = call.args.len() == params.len()
            && call
                .args
                .iter()
                .zip(params)
                .all(|(a, p)| matches!(&a.kind, ExprKind::Local(l) if l == p));
        let same_receiver = call
            .receiver
            .as_ref()
            .is_none_or(|r| matches!(r.kind, ExprKind::This));
        (call.callee == *callee && same_args && same_receiver).then(|| result.clone())
    }

    /// Writes the path of a callee without receiver.
    pub(crate) fn callee(
        &mut self,
        callee: CallableId,
        type_args: &[Type],
        fish: bool,
    ) -> Translated<Path> {
        let ground = self.scope.ground;
        let c = &ground.program[callee];
        self.scope.needs(Dependency::Callable(callee));
        let name = ident(ground.names.callable(callee));
        // Type arguments of the owner come first.
        let split = type_args.len().saturating_sub(c.type_params.len());
        let (of_owner, own) = type_args.split_at(split);
        // A member is called through its type; a callable apart from it is a free function.
        match c.owner {
            Some(owner) if ground.program.is_trait(owner) && !self.scope.is_apart(callee) => {
                let (path, name) = (
                    self.scope.dyn_trait(owner, of_owner)?,
                    ident(&self.scope.function_name(callee)),
                );
                let own = if fish {
                    self.scope.turbofish(own)?
                } else {
                    Vec::new()
                };
                Ok(path!(<#path>::#name::<#..own>))
            }
            Some(owner)
                if (ground.has_methods(owner) || self.scope.is_class(owner))
                    && !self.scope.is_apart(callee) =>
            {
                let (path, of_owner) =
                    (self.scope.type_path(owner), self.scope.turbofish(of_owner)?);
                let own = if fish {
                    self.scope.turbofish(own)?
                } else {
                    Vec::new()
                };
                Ok(path!(#path::<#..of_owner>::#name::<#..own>))
            }
            Some(_) | None => {
                let path = self.scope.free_function(callee);
                let own = if fish {
                    self.scope.turbofish(type_args)?
                } else {
                    Vec::new()
                };
                Ok(path!(#path::<#..own>))
            }
        }
    }

    pub(super) fn receiver_argument(&self, owner: TypeId, receiver: &Code) -> rust::Expr {
        // Members of newtypes and subset types are free functions with the conventions of
        // parameters.
        let by_value = matches!(
            &self.scope.ground.program[owner].kind,
            TypeDeclKind::Newtype(_) | TypeDeclKind::Subset(_) if self.copy(&Type::named(owner, Vec::new()))
        );
        if by_value {
            receiver.owned_value()
        } else {
            receiver.borrowed()
        }
    }

    /// Writes a call of a member, given translated arguments.
    pub(crate) fn apply_member(
        &mut self,
        (callee, type_args, is_static_dispatch): (CallableId, &[Type], bool),
        (receiver, ty): (&Code, &Type),
        args: Vec<rust::Expr>,
        fish: bool,
    ) -> Translated<rust::Expr> {
        let ground = self.scope.ground;
        let c = &ground.program[callee];
        let name = ident(ground.names.callable(callee));
        match c.owner {
            Some(owner) if ground.has_methods(owner) && !self.scope.is_apart(callee) => {
                self.scope.needs(Dependency::Callable(callee));
                let own = type_args.len().saturating_sub(c.type_params.len());
                let own = if fish {
                    self.scope.turbofish(type_args.get(own..).unwrap_or(&[]))?
                } else {
                    Vec::new()
                };
                let receiver = receiver.receiver();
                Ok(expr!(#receiver.#name::<#..own>(#..args)))
            }
            Some(owner) => {
                if ground.program.is_trait(owner) {
                    return self.through_trait(
                        (callee, type_args, is_static_dispatch),
                        (receiver, ty),
                        args,
                    );
                }
                let this = self.receiver_argument(owner, receiver);
                let path = self.callee(callee, type_args, fish)?;
                Ok(expr!(#path(#this, #..args)))
            }
            None => Err(self
                .scope
                .unsupported(c.span, "a receiver of a function without one")),
        }
    }

    /// Translates a call of a function or method.
    pub(super) fn call(&mut self, call: &Call, _at: &Expr) -> Translated<rust::Expr> {
        self.call_of(call)
    }

    /// Translates a call of a function or method.
    pub(super) fn call_of(&mut self, call: &Call) -> Translated<rust::Expr> {
        self.call_on(call, None)
    }

    /// Translates a call with a receiver of a type that the program has no expression for.
    pub(super) fn call_on(
        &mut self,
        call: &Call,
        made: Option<(Code, &Type)>,
    ) -> Translated<rust::Expr> {
        let ground = self.scope.ground;
        let c = &ground.program[call.callee];
        // Checks the type arguments even if they are not written, because a type without a Rust
        // equivalent makes the call untranslatable.
        self.scope.turbofish(&call.type_args)?;
        self.scope.has_no_newtype_within_bounds(
            &ground.program.all_type_params(call.callee),
            &call.type_args,
        )?;
        let mut args = Vec::new();
        let mut typed: Vec<(&Type, &Expr)> = Vec::new();
        let convention = &ground.program[self.scope.convention_of(call)];
        for ((formal, passed), actual) in c.ins.iter().zip(&convention.ins).zip(&call.args) {
            let (local, passed) = (&ground.program[formal.local], &ground.program[passed.local]);
            if local.ghost && !c.ghost {
                continue;
            }
            // The argument is passed as the declaration that is called wants it: by value or by
            // reference.
            let code = self.expr(actual)?;
            let code = self.erased_argument(call, &local.ty, code)?;
            args.push(if ground.is_copy(&passed.ty) {
                code.owned_value()
            } else {
                code.borrowed()
            });
            typed.push((&local.ty, actual));
        }
        args.extend(self.scope.passed_defaults(call.callee, &call.type_args)?);
        // Type arguments are written only where Rust cannot infer them.
        let fish = !self.inferred(&c.type_params, &typed);
        let receiver = match &call.receiver {
            Some(receiver) if !c.is_static => Some((self.expr(receiver)?, &receiver.ty)),
            Some(_) | None => made,
        };
        match receiver {
            Some((code, ty)) => {
                let member = (
                    call.callee,
                    call.type_args.as_slice(),
                    call.is_static_dispatch,
                );
                let tokens = self.apply_member(member, (&code, ty), args, fish)?;
                self.restored_results(call, tokens)
            }
            None => {
                // The call of a static function does not determine the type parameters of its
                // owner.
                let fish = fish || (self.scope.is_apart(call.callee) && c.owner.is_some());
                let callee = self.callee(call.callee, &call.type_args, fish)?;
                Ok(expr!(#callee(#..args)))
            }
        }
    }

    /// Translates a function as a value.
    pub(super) fn function_ref(
        &mut self,
        e: &Expr,
        callee: CallableId,
        receiver: Option<&Expr>,
        type_args: &[Type],
    ) -> Translated<Code> {
        let copy = self.copy(&e.ty);
        let owned = |e: rust::Expr| Ok(Code::owned(e, copy));

        let Rep::Arrow(params, _) = self.rep(&e.ty) else {
            return Err(self
                .scope
                .unsupported(e.span, "a function value of unknown type"));
        };
        // The closure takes references to its arguments, as all function values do.
        let fun = self.scope.function_type(params.len())?;
        let names: Vec<Ident> = params.iter().map(|_| self.make_up("a")).collect();
        let mut typed: Vec<rust::Param> = Vec::new();
        for (p, name) in params.iter().zip(&names) {
            let t = self.scope.rust_type(p)?;
            typed.push((name.into(), Some(ty!(&#t))));
        }
        // Combinations that the calling convention of function values does not support.
        if !super::erase::erased_params(self.scope.ground.program, callee).is_empty() {
            return Err(self
                .scope
                .unsupported(e.span, "a generic member of a trait as a function value"));
        }
        let looked_up = super::traits::is_looked_up(self.scope.ground.program, callee);
        let convention = if looked_up {
            self.scope.ground.program.first_declaration(callee)
        } else {
            callee
        };
        let formals = self.scope.ground.formals(convention);
        if formals.len() != params.len() {
            return Err(self
                .scope
                .unsupported(e.span, "a function value with ghost parameters"));
        }
        self.scope.has_no_newtype_within_bounds(
            &self.scope.ground.program.all_type_params(callee),
            type_args,
        )?;
        let defaults = self.scope.passed_defaults(callee, type_args)?;
        if !defaults.is_empty() && !self.scope.defaults.borrow().is_empty() {
            return Err(self.scope.unsupported(
                e.span,
                "a function value that takes the default of a type parameter",
            ));
        }
        // The function's own convention passes copyable arguments by value.
        let mut args: Vec<rust::Expr> = (formals.iter().zip(&names))
            .map(|(&f, n)| {
                if self.scope.ground.is_copy(&self.scope.ground.program[f].ty) {
                    expr!(*#n)
                } else {
                    expr!(#n)
                }
            })
            .collect();
        args.extend(defaults);
        // The receiver is evaluated once, when the function value is created.
        match receiver {
            None => {
                let callee = self.callee(callee, type_args, true)?;
                owned(expr!(#fun::new(|#..typed| #callee(#..args))))
            }
            Some(receiver) => {
                let value = self.expr(receiver)?.owned_value();
                let this = self.make_up("receiver");
                let code = Code::variable(&this, false);
                let applied = self.apply_member(
                    (callee, type_args, false),
                    (&code, &receiver.ty),
                    args,
                    true,
                )?;
                owned(expr!({ let #this = #value; #fun::new(move |#..typed| #applied) }))
            }
        }
    }

    /// Translates the application of a function value.
    pub(super) fn apply(&mut self, e: &Expr, function: &Expr, args: &[Expr]) -> Translated<Code> {
        let copy = self.copy(&e.ty);
        let owned = |e: rust::Expr| Ok(Code::owned(e, copy));

        // A rotation is a member in Dafny's syntax, applied like a function value.
        if let ExprKind::Builtin {
            member: member @ (BuiltinMember::RotateLeft | BuiltinMember::RotateRight),
            object,
        } = &function.kind
        {
            let method = ident(if *member == BuiltinMember::RotateLeft {
                "rotate_left"
            } else {
                "rotate_right"
            });
            let object = self.expr(object)?.receiver();
            let mut places = Vec::new();
            for a in args {
                places.push(self.expr(a)?.operand());
            }
            return owned(expr!(#object.#method(#..places)));
        }
        let function = self.expr(function)?.receiver();
        let mut actuals = Vec::new();
        for a in args {
            actuals.push(self.expr(a)?.borrowed());
        }
        owned(expr!(#function.call(#..actuals)))
    }
}
