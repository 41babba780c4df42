//! Converts functions to Rust expressions.

use crate::rust::{self, Ident, Param, expr, ident, stmts, ty};
use crate::suite::test::is_plain;
use crate::translation::body::Body;
use crate::translation::convention::{Dependency, Translated};
use crate::translation::rep::Rep;
use dafny_resolve::typed::{CallableId, Type};
use dtest_value::{FunctionValue, Template, Value};

use super::Values;

impl Values<'_, '_, '_> {
    /// Writes a function; where a table compares its arguments with it, a copy of its variable.
    pub(super) fn shared_function(
        &mut self,
        f: &FunctionValue,
        ty: &Type,
        params: &[Type],
        result: &Type,
    ) -> Translated<rust::Expr> {
        if !self.keys.has(f) {
            return self.function(f, params, result);
        }
        if matches!(f, FunctionValue::Named { .. }) {
            // The program may pass the function itself, which is not a copy of the test's variable.
            return Err(self.no("a function of the program as the argument that a table knows"));
        }
        let ty = self.scope.ground.program.representation(ty);
        let known = |(other, other_ty, _): &&(FunctionValue, Type, Ident)| {
            other == f && self.scope.ground.rep(other_ty) == self.scope.ground.rep(&ty)
        };
        if let Some((.., name)) = self.functions.iter().find(known) {
            return Ok(expr!(#name.clone()));
        }
        // The first use creates the function; later ones of the same type copy its variable.
        let mut made = self.function(f, params, result)?;
        // A function that is passed with another type keeps its identity.
        if let Some((.., original)) = self.functions.iter().find(|(other, ..)| other == f) {
            made = expr!(#made.with_identity(#original.identity()));
        }
        let name = (0..)
            .map(|i| format!("function{i}"))
            .find(|n| self.taken.insert(n.clone()))
            .unwrap_or_default();
        let name = ident(&name);
        let fun = self.scope.rust_type(&ty)?;
        self.functions.push((f.clone(), ty, name.clone()));
        {
            let name = &name;
            self.lets.extend(stmts!(let #name: #fun = #made;));
        }
        Ok(expr!(#name.clone()))
    }

    fn function(
        &mut self,
        f: &FunctionValue,
        params: &[Type],
        result: &Type,
    ) -> Translated<rust::Expr> {
        match f {
            FunctionValue::Table { entries, default } => {
                self.table(entries, default, params, result)
            }
            FunctionValue::Template(template) => self.template(template, params),
            FunctionValue::Partial {
                function,
                elsewhere,
                exceptions,
            } => {
                let inner = self.function(function, params, result)?;
                self.partial(&inner, *elsewhere, exceptions, params)
            }
            FunctionValue::Closure { .. } => Err(self.no("a lambda of the program as an input")),
            FunctionValue::Named {
                callee,
                receiver: None,
                type_args,
            } => self.named(*callee, type_args, params),
            FunctionValue::Named {
                receiver: Some(_), ..
            } => Err(self.no("a method with its receiver as an input")),
        }
    }

    /// Writes a function that is given by a table, with a default result.
    fn table(
        &mut self,
        entries: &[(Vec<Value>, Value)],
        default: &Value,
        params: &[Type],
        result: &Type,
    ) -> Translated<rust::Expr> {
        let fun = self.scope.function_type(params.len())?;
        let default = self.value(default, result)?;
        if entries.is_empty() {
            let types = self.rust_types(params)?;
            let r = self.scope.rust_type(result)?;
            return Ok(expr!(#fun::<#..types, #r>::constant(#default)));
        }
        let mut out = Vec::new();
        for (args, value) in entries {
            let key = self.arguments(args, params)?;
            let value = self.value(value, result)?;
            out.push(expr!((#key, #value)));
        }
        Ok(expr!(#fun::table([#..out], #default)))
    }

    /// Writes a function that the search tries for any parameter: identity, comparison, sum.
    fn template(&self, template: &Template, params: &[Type]) -> Translated<rust::Expr> {
        let native = params
            .first()
            .is_some_and(|t| matches!(self.scope.ground.rep(t), Rep::Native(_)));
        let (name, body) = match template {
            Template::Identity => ("x => x", expr!(a.clone())),
            Template::Less => ("<", expr!(a < b)),
            Template::AtMost => ("<=", expr!(a <= b)),
            Template::Equal => ("==", expr!(a == b)),
            Template::Add if native => ("+", expr!(a.plus(*b))),
            Template::Add => ("+", expr!(a + b)),
            Template::Successor if native => ("x => x + 1", expr!(a.plus(1))),
            Template::Successor => ("x => x + 1", expr!(a + int(1))),
            Template::Mix => ("(x, y) => x + x + y", expr!(a + a + b)),
            Template::Odd => ("x => x % 2 == 1", expr!(a % 2 == 1)),
        };
        let fun = self.scope.function_type(params.len())?;
        let types = self.rust_types(params)?;
        let typed = ["a", "b"]
            .into_iter()
            .zip(types)
            .map(|(n, t)| -> Param { (ident(n).into(), Some(ty!(&#t))) });
        Ok(expr!(#fun::named(#name, |#..typed| #body)))
    }

    /// Restricts a function to the arguments in its precondition: `elsewhere` says whether all but
    /// the exceptions are, or the exceptions alone.
    fn partial(
        &mut self,
        inner: &rust::Expr,
        elsewhere: bool,
        exceptions: &[Vec<Value>],
        params: &[Type],
    ) -> Translated<rust::Expr> {
        let mut keys = Vec::new();
        for args in exceptions {
            keys.push(self.arguments(args, params)?);
        }
        let names: Vec<Ident> = ["a", "b", "c", "d", "e", "f", "g", "h"]
            .into_iter()
            .take(params.len())
            .map(ident)
            .collect();
        let is_empty = keys.is_empty();
        let params = names
            .iter()
            .map(|n| if is_empty { rust::Pat::Wild } else { n.into() })
            .collect::<Vec<_>>();
        // The closure outlives the variables of objects and functions, so it has its own copies.
        let is_plain = exceptions.iter().flatten().all(is_plain);
        let list = expr!([#..keys]);
        let known = if is_plain { list.clone() } else { expr!(known) };
        // `contains` is compared with `elsewhere`, because exceptions are the arguments for which
        // the opposite holds.
        let may = match (is_empty, names.as_slice()) {
            (true, _) => elsewhere.into(),
            (false, [one]) => expr!(#known.contains(#one) != #elsewhere),
            (false, many) => {
                let given = many.iter().map(|n| expr!(#n.clone()));
                expr!(#known.contains(&(#..given)) != #elsewhere)
            }
        };
        if is_plain {
            return Ok(expr!(#inner.only(|#..params| #may)));
        }
        Ok(expr!({
            let known = #list;
            #inner.only(move |#..params| #may)
        }))
    }

    /// Writes a function of the program as a value.
    fn named(
        &self,
        callee: CallableId,
        type_args: &[Type],
        params: &[Type],
    ) -> Translated<rust::Expr> {
        self.scope.needs(Dependency::Callable(callee));
        let ground = self.scope.ground;
        let path = Body::new(self.scope).callee(callee, type_args, true)?;
        let names: Vec<Ident> = (0..params.len()).map(|i| ident(&format!("a{i}"))).collect();
        let formals = ground.formals(callee);
        let args = formals.iter().zip(&names).map(|(&f, n)| {
            if ground.is_copy(&ground.program[f].ty) {
                expr!(*#n)
            } else {
                expr!(#n)
            }
        });
        let args = args
            .chain(self.scope.passed_defaults(callee, type_args)?)
            .collect::<Vec<_>>();
        let fun = self.scope.function_type(params.len())?;
        let typed = names
            .iter()
            .zip(self.rust_types(params)?)
            .map(|(n, t)| -> Param { (n.into(), Some(ty!(&#t))) });
        Ok(expr!(#fun::new(|#..typed| #path(#..args))))
    }

    /// Writes the arguments of a call as one value, a tuple if there are several.
    fn arguments(&mut self, args: &[Value], params: &[Type]) -> Translated<rust::Expr> {
        let mut out = Vec::new();
        for (a, t) in args.iter().zip(params) {
            out.push(self.value(a, t)?);
        }
        Ok(rust::Expr::one_or_tuple(out))
    }

    fn rust_types(&self, types: &[Type]) -> Translated<Vec<rust::Type>> {
        types.iter().map(|t| self.scope.rust_type(t)).collect()
    }
}
