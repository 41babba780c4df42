//! Resolution of expressions: names, types and operators.
//!
//! `Checker::expr` returns an expression with types that may contain inference variables;
//! [`Checker::finish`] replaces them by the inferred types. [`Checker::whole`] combines both.

use std::sync::Arc;

use boogie_syntax::ast::{self, BinOp, Binder, ExprKind as P};
use dafny_source::{Name, Span};
use rustc_hash::FxHashMap;

use crate::checker::{Checker, State};
use crate::typed::{
    ConstructorId, Expr, ExprKind, Function, FunctionId, Literal, MapType, Quantifier, Type,
    TypeDecl, TypeId, TypeVar, Var, VarId, VarKind,
};
use crate::unify::substitute;

/// The name of the function that represents `<:`, the partial order of Boogie 2 of 2008.
const ORDER: &str = "<:";

impl Checker<'_> {
    /// Resolves an expression of the expected type that is not part of another one.
    pub(crate) fn whole(&mut self, expr: &ast::Expr, expected: Option<&Type>, what: &str) -> Expr {
        let mut e = self.expr(expr);
        if let Some(expected) = expected {
            self.same(&e.ty.clone(), expected, expr.span, what);
        }
        self.finish(&mut e);
        e
    }

    /// Resolves a condition.
    pub(crate) fn condition(&mut self, expr: &ast::Expr, what: &str) -> Expr {
        self.whole(expr, Some(&Type::Bool), what)
    }

    /// Writes the inferred types into an expression. Undetermined types become `int`.
    pub(crate) fn finish(&mut self, expr: &mut Expr) {
        self.settle(expr);
    }

    fn settled(&self, ty: &mut Type) {
        *ty = self.inference.known(ty, Some(&Type::Int));
    }

    fn settle(&mut self, e: &mut Expr) {
        stacker::maybe_grow(128 * 1024, 1024 * 1024, || self.settle_parts(e));
    }

    /// Replaces inference variables in an expression and its parts.
    fn settle_parts(&mut self, e: &mut Expr) {
        self.settled(&mut e.ty);
        match &mut e.kind {
            ExprKind::Literal(_) | ExprKind::Var(_) | ExprKind::Code => {}
            ExprKind::Call(_, types, args) => {
                types.iter_mut().for_each(|t| self.settled(t));
                args.iter_mut().for_each(|a| self.settle(a));
            }
            ExprKind::Old(a)
            | ExprKind::ToInt(a)
            | ExprKind::ToReal(a)
            | ExprKind::Not(a)
            | ExprKind::Neg(a)
            | ExprKind::Extract(a, ..)
            | ExprKind::Field(a, _)
            | ExprKind::Is(a, _) => self.settle(a),
            ExprKind::Quantifier(q) => {
                q.triggers.iter_mut().flatten().for_each(|t| self.settle(t));
                self.settle(&mut q.body);
            }
            // The type of a `let` variable is that of its value, which may have been inferred
            // later.
            ExprKind::Let(vars, values, body) => {
                for v in vars {
                    if let Some(slot) = self.program.vars.get(v.0 as usize) {
                        let ty = self.inference.known(&slot.ty, Some(&Type::Int));
                        if let Some(slot) = self.program.vars.get_mut(v.0 as usize) {
                            slot.ty = ty;
                        }
                    }
                }
                values.iter_mut().for_each(|v| self.settle(v));
                self.settle(body);
            }
            ExprKind::If(a, b, c) => [a, b, c].into_iter().for_each(|x| self.settle(x)),
            ExprKind::Binary(_, a, b) | ExprKind::FieldUpdate(a, _, b) => {
                [a, b].into_iter().for_each(|x| self.settle(x))
            }
            ExprKind::Select(m, types, args) => {
                types.iter_mut().for_each(|t| self.settled(t));
                self.settle(m);
                args.iter_mut().for_each(|a| self.settle(a));
            }
            ExprKind::Store(m, types, args, value) => {
                types.iter_mut().for_each(|t| self.settled(t));
                self.settle(m);
                args.iter_mut().for_each(|a| self.settle(a));
                self.settle(value);
            }
        }
    }

    pub(crate) fn expr(&mut self, expr: &ast::Expr) -> Expr {
        let (kind, ty) = stacker::maybe_grow(128 * 1024, 1024 * 1024, || self.expr_parts(expr));
        Expr {
            kind,
            ty,
            span: expr.span,
        }
    }

    fn exprs(&mut self, exprs: &[ast::Expr]) -> Vec<Expr> {
        exprs.iter().map(|e| self.expr(e)).collect()
    }

    fn wrong(&mut self) -> (ExprKind, Type) {
        (ExprKind::Code, self.inference.fresh())
    }

    fn expr_parts(&mut self, expr: &ast::Expr) -> (ExprKind, Type) {
        let span = expr.span;
        let literal = |l: Literal, ty: Type| (ExprKind::Literal(l), ty);
        match &expr.kind {
            // Each case returns the kind and type, with inference variables for what is not known
            // yet.
            P::Bool(b) => literal(Literal::Bool(*b), Type::Bool),
            P::Int(n) => literal(Literal::Int(n.clone()), Type::Int),
            P::Real(r) => literal(Literal::Real(r.clone()), Type::Real),
            P::Bv(n, w) => {
                if n.bits() > u64::from(*w) {
                    self.type_error(span, format!("this number does not fit in {w} bits"));
                }
                literal(Literal::Bv(n.clone(), *w), Type::Bv(*w))
            }
            P::Float(text) => self.float(text, span),
            P::Rounding(text) => {
                literal(Literal::Opaque(text.clone()), Type::Opaque("rmode".into()))
            }
            P::String(text) => literal(
                Literal::Opaque(format!("{text:?}").into()),
                Type::Opaque("string".into()),
            ),
            P::Ident(name) => self.variable(name, span),
            P::Call(name, args) => self.application(name, args, span),
            P::Old(e) => {
                if self.state != Some(State::Two) {
                    self.name_error(span, "`old` is not allowed here: there is only one state");
                }
                let e = self.expr(e);
                let ty = e.ty.clone();
                (ExprKind::Old(Box::new(e)), ty)
            }
            P::ToInt(e) => self.number(e, ExprKind::ToInt, Type::Int, "int"),
            // Only expressions in a two-state context may refer to the old state.
            P::ToReal(e) => self.number(e, ExprKind::ToReal, Type::Real, "real"),
            P::Quantifier(q) => self.quantifier(q, span),
            P::Let(names, values, body) => self.binding(names, values, body, span),
            P::If(c, a, b) => {
                let c = self.expr(c);
                self.same(&c.ty.clone(), &Type::Bool, c.span, "the condition");
                let (a, b) = (self.expr(a), self.expr(b));
                self.same(
                    &b.ty.clone(),
                    &a.ty.clone(),
                    span,
                    "the branch after `else`",
                );
                let ty = a.ty.clone();
                (ExprKind::If(Box::new(c), Box::new(a), Box::new(b)), ty)
            }
            P::Code(_) => (ExprKind::Code, Type::Bool),
            P::Not(e) => {
                let e = self.expr(e);
                if !self.inference.unify(&e.ty, &Type::Bool) {
                    let ty = self.text(&e.ty);
                    self.type_error(span, format!("`!` is not defined for `{ty}`"));
                }
                (ExprKind::Not(Box::new(e)), Type::Bool)
            }
            P::Neg(e) => {
                let e = self.expr(e);
                let ty = self.inference.shallow(&e.ty);
                if !matches!(ty, Type::Int | Type::Real | Type::Float(..))
                    && !self.inference.unify(&ty, &Type::Int)
                {
                    let ty = self.text(&ty);
                    self.type_error(span, format!("`-` is not defined for `{ty}`"));
                }
                (ExprKind::Neg(Box::new(e)), ty)
            }
            P::Binary(op, a, b, at) => self.binary(*op, a, b, *at),
            P::Select(m, args, at) => self.select(m, args, *at),
            P::Store(m, args, value, at) => self.store(m, args, value, *at),
            P::Extract(e, high, low) => self.extract(e, *high, *low, span),
            P::Coerce(e, ty) => {
                let e = self.expr(e);
                let ty = self.resolve_type(ty);
                self.same(&e.ty.clone(), &ty, span, "this");
                (e.kind, ty)
            }
            P::Field(e, name) => self.field(e, name),
            P::FieldUpdate(e, name, value) => self.field_update(e, name, value),
            P::Is(e, name) => self.is_constructor(e, name),
        }
    }

    fn float(&mut self, text: &Name, span: Span) -> (ExprKind, Type) {
        match float_sizes(text) {
            Ok((s, e)) => (
                ExprKind::Literal(Literal::Opaque(text.clone())),
                Type::Float(s, e),
            ),
            Err(error) => {
                self.structure_error(span, error.to_string());
                self.wrong()
            }
        }
    }

    fn number(
        &mut self,
        e: &ast::Expr,
        make: fn(Box<Expr>) -> ExprKind,
        ty: Type,
        name: &str,
    ) -> (ExprKind, Type) {
        let e = self.expr(e);
        let from = if ty == Type::Int {
            Type::Real
        } else {
            Type::Int
        };
        let found = self.inference.shallow(&e.ty);
        if !matches!(found, Type::Float(..)) && !self.inference.unify(&found, &from) {
            let found = self.text(&found);
            self.type_error(
                e.span,
                format!(
                    "`{name}(…)` takes a `{}`, not a `{found}`",
                    self.program.type_text(&from)
                ),
            );
        }
        (make(Box::new(e)), ty)
    }

    fn variable(&mut self, name: &Name, span: Span) -> (ExprKind, Type) {
        let found = self
            .scopes
            .var(name)
            .or_else(|| self.globals.get(name).copied());
        let Some(id) = found else {
            self.name_error(span, format!("`{name}` is not declared"));
            return self.wrong();
        };
        let var = self.program.var(id);
        let is_refused = self.state == Some(State::None) && var.kind == VarKind::Global;
        let ty = var.ty.clone();
        if is_refused {
            self.name_error(
                span,
                format!("global variable `{name}` cannot be read here"),
            );
        }
        (ExprKind::Var(id), ty)
    }

    fn application(
        &mut self,
        name: &ast::Ident,
        args: &[ast::Expr],
        span: Span,
    ) -> (ExprKind, Type) {
        let Some(id) = self.functions.get(&name.name).copied() else {
            self.name_error(
                name.span,
                format!("function `{}` is not declared", name.name),
            );
            self.exprs(args);
            return self.wrong();
        };
        let args = self.exprs(args);
        self.call_of(id, args, span)
    }

    fn call_of(&mut self, id: FunctionId, args: Vec<Expr>, span: Span) -> (ExprKind, Type) {
        let function = self.program.function(id).clone();
        let types: Vec<Type> = function
            .type_params
            .iter()
            .map(|_| self.inference.fresh())
            .collect();
        let map: FxHashMap<TypeVar, Type> = function
            .type_params
            .iter()
            .copied()
            .zip(types.iter().cloned())
            .collect();
        if function.params.len() != args.len() {
            let message = format!(
                "function `{}` takes {} arguments, not {}",
                function.name,
                function.params.len(),
                args.len()
            );
            self.type_error(span, message);
            return self.wrong();
        }
        for (i, (param, arg)) in function.params.iter().zip(&args).enumerate() {
            let expected = substitute(&self.program.var(*param).ty.clone(), &map);
            let what = format!("argument {} of `{}`", i + 1, function.name);
            self.same(&arg.ty.clone(), &expected, arg.span, &what);
        }
        let result = substitute(&function.result, &map);
        (ExprKind::Call(id, types, args), result)
    }

    fn binary(&mut self, op: BinOp, a: &ast::Expr, b: &ast::Expr, at: Span) -> (ExprKind, Type) {
        let (a, b) = (self.expr(a), self.expr(b));
        if op == BinOp::Below {
            return self.below(a, b, at);
        }
        let (x, y) = (self.inference.shallow(&a.ty), self.inference.shallow(&b.ty));
        // The operator determines the types of its operands; numeric operators are overloaded.
        let result = match op {
            BinOp::Iff | BinOp::Implies | BinOp::And | BinOp::Or => {
                let fits =
                    self.inference.unify(&x, &Type::Bool) && self.inference.unify(&y, &Type::Bool);
                fits.then_some(Type::Bool)
            }
            BinOp::Eq | BinOp::Ne => self.comparable(&x, &y).then_some(Type::Bool),
            BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge => {
                self.numbers(&x, &y, true).map(|_| Type::Bool)
            }
            BinOp::Add | BinOp::Sub | BinOp::Mul => self.numbers(&x, &y, true),
            BinOp::Div | BinOp::Mod => (self.inference.unify(&x, &Type::Int)
                && self.inference.unify(&y, &Type::Int))
            .then_some(Type::Int),
            BinOp::RealDiv => match (&x, &y) {
                (Type::Float(..), _) if self.inference.unify(&x, &y) => Some(x.clone()),
                _ => {
                    let mut fits = |t: &Type| {
                        matches!(t, Type::Int | Type::Real) || self.inference.unify(t, &Type::Real)
                    };
                    (fits(&x) && fits(&y)).then_some(Type::Real)
                }
            },
            BinOp::Pow => (self.inference.unify(&x, &Type::Real)
                && self.inference.unify(&y, &Type::Real))
            .then_some(Type::Real),
            BinOp::Concat => match (&x, &y) {
                (Type::Bv(m), Type::Bv(n)) => m.checked_add(*n).map(Type::Bv),
                _ => None,
            },
            BinOp::Below => None,
        };
        // After an error, the most general type avoids consequential errors.
        let Some(ty) = result else {
            let (x, y) = (self.text(&x), self.text(&y));
            self.type_error(
                at,
                format!("`{}` is not defined for `{x}` and `{y}`", op.text()),
            );
            let ty = match op {
                BinOp::Add
                | BinOp::Sub
                | BinOp::Mul
                | BinOp::Div
                | BinOp::Mod
                | BinOp::RealDiv
                | BinOp::Pow
                | BinOp::Concat => self.inference.fresh(),
                BinOp::Iff | BinOp::Implies | BinOp::And | BinOp::Or | BinOp::Eq | BinOp::Ne => {
                    Type::Bool
                }
                BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge | BinOp::Below => Type::Bool,
            };
            return (ExprKind::Code, ty);
        };
        (ExprKind::Binary(op, Box::new(a), Box::new(b)), ty)
    }

    /// Whether values of two types can be compared: the types are equal, or some instance of the
    /// type variables makes them equal.
    fn comparable(&mut self, x: &Type, y: &Type) -> bool {
        if self.inference.unify(x, y) {
            return true;
        }
        self.one_by_instance(x, y)
    }

    /// Whether two types become equal for some instance of the type variables in scope, as Boogie
    /// allows in equalities.
    fn one_by_instance(&mut self, x: &Type, y: &Type) -> bool {
        let (x, y) = (self.inference.known(x, None), self.inference.known(y, None));
        let mut vars = Vec::new();
        crate::unify::free_type_vars(&x, &mut vars);
        crate::unify::free_type_vars(&y, &mut vars);
        vars.retain(|v| self.is_in_scope(*v));
        if vars.is_empty() {
            return false;
        }
        let map: FxHashMap<TypeVar, Type> = vars
            .into_iter()
            .map(|v| (v, self.inference.fresh()))
            .collect();
        self.inference
            .unify(&substitute(&x, &map), &substitute(&y, &map))
    }

    fn is_in_scope(&self, v: TypeVar) -> bool {
        self.program
            .type_vars
            .get(v.0 as usize)
            .is_some_and(|name| self.scopes.type_var(name) == Some(v))
    }

    fn numbers(&mut self, x: &Type, y: &Type, with_floats: bool) -> Option<Type> {
        let known = |t: &Type| {
            matches!(t, Type::Int | Type::Real) || (with_floats && matches!(t, Type::Float(..)))
        };
        if known(x) || known(y) {
            let kind = if known(x) { x } else { y };
            return (self.inference.unify(x, kind) && self.inference.unify(y, kind))
                .then(|| kind.clone());
        }
        (self.inference.unify(x, &Type::Int) && self.inference.unify(y, &Type::Int))
            .then_some(Type::Int)
    }

    /// Resolves `a <: b` to an uninterpreted relation, for which `const … extends` adds axioms.
    fn below(&mut self, a: Expr, b: Expr, at: Span) -> (ExprKind, Type) {
        self.same(&b.ty.clone(), &a.ty.clone(), at, "the right side of `<:`");
        let id = self.order_function(at);
        let ty = a.ty.clone();
        (ExprKind::Call(id, vec![ty], vec![a, b]), Type::Bool)
    }

    fn order_function(&mut self, span: Span) -> FunctionId {
        if let Some(id) = self.functions.get(ORDER) {
            return *id;
        }
        let var = TypeVar(self.program.type_vars.len() as u32);
        self.program.type_vars.push("a".into());
        let params = ["x", "y"]
            .map(|name| self.new_var(name.into(), Type::Var(var), VarKind::Bound, span))
            .to_vec();
        let id = FunctionId(self.program.functions.len() as u32);
        self.program.functions.push(Function {
            name: ORDER.into(),
            type_params: vec![var],
            params,
            result: Type::Bool,
            body: None,
            builtin: None,
            constructor: None,
            span,
        });
        self.functions.insert(ORDER.into(), id);
        id
    }

    /// Returns a built-in type constructor without operations on its values.
    pub(crate) fn opaque_constructor(&mut self, name: &Name, arity: usize) -> TypeId {
        if let Some(id) = self.types.get(name) {
            return *id;
        }
        let id = TypeId(self.program.types.len() as u32);
        self.program.types.push(TypeDecl {
            name: name.clone(),
            arity,
            constructors: Vec::new(),
        });
        self.types.insert(name.clone(), id);
        id
    }

    pub(crate) fn new_var(&mut self, name: Name, ty: Type, kind: VarKind, span: Span) -> VarId {
        let id = VarId(self.program.vars.len() as u32);
        self.program.vars.push(Var {
            name,
            ty,
            kind,
            span,
            where_clause: None,
            unique: false,
            assumption: false,
        });
        id
    }

    /// Instantiates the map type of an expression; returns the type arguments, the index types and
    /// the element type.
    fn map_of(&mut self, m: &Expr, arity: usize) -> Option<(Vec<Type>, Vec<Type>, Type)> {
        match self.inference.shallow(&m.ty) {
            Type::Map(map) => {
                let types: Vec<Type> = map.params.iter().map(|_| self.inference.fresh()).collect();
                let with: FxHashMap<TypeVar, Type> = map
                    .params
                    .iter()
                    .copied()
                    .zip(types.iter().cloned())
                    .collect();
                Some((
                    types,
                    map.args.iter().map(|a| substitute(a, &with)).collect(),
                    substitute(&map.result, &with),
                ))
            }
            Type::Meta(m) => {
                let args: Vec<Type> = (0..arity).map(|_| self.inference.fresh()).collect();
                let result = self.inference.fresh();
                let map = Type::Map(Arc::new(MapType {
                    params: Vec::new(),
                    args: args.clone(),
                    result: result.clone(),
                }));
                self.inference.unify(&Type::Meta(m), &map);
                Some((Vec::new(), args, result))
            }
            Type::Bool
            | Type::Int
            | Type::Real
            | Type::Bv(_)
            | Type::Float(..)
            | Type::Opaque(_)
            | Type::Constructor(..)
            | Type::Var(_) => None,
        }
    }

    /// Checks the indices of `m[args]` or `m[args := …]`; returns the type arguments and the
    /// element type.
    fn indexed(&mut self, m: &Expr, args: &[Expr], at: Span) -> Option<(Vec<Type>, Type)> {
        let Some((types, expected, result)) = self.map_of(m, args.len()) else {
            let ty = self.text(&m.ty);
            self.type_error(
                m.span,
                format!("only maps can be indexed, and this is of type `{ty}`"),
            );
            return None;
        };
        if expected.len() != args.len() {
            self.type_error(
                at,
                format!(
                    "this map takes {} indices, not {}",
                    expected.len(),
                    args.len()
                ),
            );
            return None;
        }
        for (arg, expected) in args.iter().zip(&expected) {
            self.same(&arg.ty.clone(), expected, arg.span, "this index");
        }
        Some((types, result))
    }

    fn select(&mut self, m: &ast::Expr, args: &[ast::Expr], at: Span) -> (ExprKind, Type) {
        let (m, args) = (self.expr(m), self.exprs(args));
        match self.indexed(&m, &args, at) {
            Some((types, result)) => (ExprKind::Select(Box::new(m), types, args), result),
            None => self.wrong(),
        }
    }

    fn store(
        &mut self,
        m: &ast::Expr,
        args: &[ast::Expr],
        value: &ast::Expr,
        at: Span,
    ) -> (ExprKind, Type) {
        let (m, args, value) = (self.expr(m), self.exprs(args), self.expr(value));
        self.store_of(m, args, value, at)
    }

    /// Builds `m[args := value]` from typed parts.
    pub(crate) fn store_of(
        &mut self,
        m: Expr,
        args: Vec<Expr>,
        value: Expr,
        at: Span,
    ) -> (ExprKind, Type) {
        let ty = m.ty.clone();
        match self.indexed(&m, &args, at) {
            Some((types, result)) => {
                self.same(&value.ty.clone(), &result, value.span, "the new element");
                (
                    ExprKind::Store(Box::new(m), types, args, Box::new(value)),
                    ty,
                )
            }
            None => (ExprKind::Code, ty),
        }
    }

    /// Builds `m[args]` from typed parts.
    pub(crate) fn select_of(&mut self, m: Expr, args: Vec<Expr>, at: Span) -> Expr {
        let span = m.span;
        let (kind, ty) = match self.indexed(&m, &args, at) {
            Some((types, result)) => (ExprKind::Select(Box::new(m), types, args), result),
            None => self.wrong(),
        };
        Expr { kind, ty, span }
    }

    fn extract(&mut self, e: &ast::Expr, high: u32, low: u32, span: Span) -> (ExprKind, Type) {
        let e = self.expr(e);
        let width = high.saturating_sub(low);
        if high < low {
            self.type_error(
                span,
                "the end of a bitvector extraction is less than its start",
            );
        }
        match self.inference.shallow(&e.ty) {
            Type::Bv(w) if w >= high => {}
            Type::Meta(_) => {}
            ty @ (Type::Bool
            | Type::Int
            | Type::Real
            | Type::Bv(_)
            | Type::Float(..)
            | Type::Opaque(_)
            | Type::Constructor(..)
            | Type::Var(_)
            | Type::Map(_)) => {
                let ty = self.text(&ty);
                self.type_error(
                    span,
                    format!("an extraction up to bit {high} requires a bitvector of at least that many bits, not `{ty}`"),
                );
            }
        }
        (ExprKind::Extract(Box::new(e), high, low), Type::Bv(width))
    }

    /// Returns the constructors that have a field with the given name, in the datatype of the
    /// expression.
    fn field_of(
        &mut self,
        e: &Expr,
        name: &ast::Ident,
    ) -> Option<(Vec<(ConstructorId, usize)>, Type)> {
        let ty = self.inference.shallow(&e.ty);
        let Type::Constructor(id, args) = &ty else {
            let ty = self.text(&ty);
            self.type_error(
                name.span,
                format!("only datatypes have fields, and this is of type `{ty}`"),
            );
            return None;
        };
        let constructors = self.program.type_decl(*id).constructors.clone();
        let (mut found, mut result) = (Vec::new(), None);
        // Several constructors may have a field with this name; each has its own index.
        for c in constructors {
            let decl = self.program.constructor(c);
            if let Some(i) = decl.fields.iter().position(|(n, _)| *n == name.name) {
                let map: FxHashMap<TypeVar, Type> = decl
                    .type_params
                    .iter()
                    .copied()
                    .zip(args.iter().cloned())
                    .collect();
                result = decl.fields.get(i).map(|(_, ty)| substitute(ty, &map));
                found.push((c, i));
            }
        }
        if let Some(result) = result {
            return Some((found, result));
        }
        let ty = self.text(&ty);
        self.type_error(name.span, format!("`{ty}` has no field `{}`", name.name));
        None
    }

    fn field(&mut self, e: &ast::Expr, name: &ast::Ident) -> (ExprKind, Type) {
        let e = self.expr(e);
        self.field_read(e, name)
    }

    /// Builds `e->name` from a typed part.
    pub(crate) fn field_read(&mut self, e: Expr, name: &ast::Ident) -> (ExprKind, Type) {
        match self.field_of(&e, name) {
            Some((fields, ty)) => (ExprKind::Field(Box::new(e), fields), ty),
            None => self.wrong(),
        }
    }

    fn field_update(
        &mut self,
        e: &ast::Expr,
        name: &ast::Ident,
        value: &ast::Expr,
    ) -> (ExprKind, Type) {
        let (e, value) = (self.expr(e), self.expr(value));
        self.field_store(e, name, value)
    }

    /// Builds `e->(name := value)` from typed parts.
    pub(crate) fn field_store(
        &mut self,
        e: Expr,
        name: &ast::Ident,
        value: Expr,
    ) -> (ExprKind, Type) {
        let ty = e.ty.clone();
        match self.field_of(&e, name) {
            Some((fields, expected)) => {
                self.same(&value.ty.clone(), &expected, value.span, "the new value");
                (
                    ExprKind::FieldUpdate(Box::new(e), fields, Box::new(value)),
                    ty,
                )
            }
            None => (ExprKind::Code, ty),
        }
    }

    fn is_constructor(&mut self, e: &ast::Expr, name: &ast::Ident) -> (ExprKind, Type) {
        let e = self.expr(e);
        match self.constructor_for(&e, name) {
            Some(c) => (ExprKind::Is(Box::new(e), c), Type::Bool),
            None => (ExprKind::Code, Type::Bool),
        }
    }

    /// Returns the constructor with the given name in the datatype of the expression.
    pub(crate) fn constructor_for(&mut self, e: &Expr, name: &ast::Ident) -> Option<ConstructorId> {
        let ty = self.inference.shallow(&e.ty);
        let candidates = self
            .constructors
            .get(&name.name)
            .cloned()
            .unwrap_or_default();
        let datatype = if let Type::Constructor(id, _) = &ty {
            Some(*id)
        } else {
            None
        };
        let found = candidates
            .iter()
            .find(|c| Some(self.program.constructor(**c).ty) == datatype)
            .copied();
        if found.is_none() {
            let ty = self.text(&ty);
            self.type_error(
                name.span,
                format!("`{ty}` has no constructor `{}`", name.name),
            );
        }
        found
    }

    fn quantifier(&mut self, q: &ast::Quantifier, span: Span) -> (ExprKind, Type) {
        if self.in_trigger {
            self.name_error(span, "quantifiers are not allowed in triggers");
        }
        let mark = self.scopes.mark();
        let type_params: Vec<TypeVar> =
            q.type_params.iter().map(|p| self.add_type_var(p)).collect();
        let mut vars = Vec::new();
        for binding in &q.vars {
            if self.scopes.has_var_since(mark, &binding.name.name) {
                self.name_error(
                    binding.name.span,
                    format!("`{}` is bound twice", binding.name.name),
                );
            }
            let ty = self.resolve_type(&binding.ty);
            let id = self.new_var(
                binding.name.name.clone(),
                ty,
                VarKind::Bound,
                binding.name.span,
            );
            self.scopes.add_var(binding.name.name.clone(), id);
            vars.push(id);
        }
        self.attribute_expressions(&q.attributes);
        // The variables must be in scope for triggers and body, but not for the types of one
        // another.
        let triggers = self.triggers(&q.triggers, &vars, &type_params);
        let body = self.expr(&q.body);
        let ty = match q.binder {
            Binder::Forall | Binder::Exists => {
                self.same(
                    &body.ty.clone(),
                    &Type::Bool,
                    body.span,
                    "the body of a quantifier",
                );
                Type::Bool
            }
            Binder::Lambda => {
                let args = vars
                    .iter()
                    .map(|v| self.program.var(*v).ty.clone())
                    .collect();
                Type::Map(Arc::new(MapType {
                    params: type_params.clone(),
                    args,
                    result: body.ty.clone(),
                }))
            }
        };
        self.scopes.leave(mark);
        (
            ExprKind::Quantifier(Box::new(Quantifier {
                binder: q.binder,
                type_params,
                vars,
                triggers,
                body,
            })),
            ty,
        )
    }

    fn binding(
        &mut self,
        names: &[ast::Ident],
        values: &[ast::Expr],
        body: &ast::Expr,
        span: Span,
    ) -> (ExprKind, Type) {
        if names.len() != values.len() {
            self.name_error(
                span,
                format!("{} names are bound to {} values", names.len(), values.len()),
            );
        }
        let values = self.exprs(values);
        let mark = self.scopes.mark();
        let mut vars = Vec::new();
        for (name, value) in names.iter().zip(&values) {
            let id = self.new_var(
                name.name.clone(),
                value.ty.clone(),
                VarKind::Bound,
                name.span,
            );
            self.scopes.add_var(name.name.clone(), id);
            vars.push(id);
        }
        let body = self.expr(body);
        self.scopes.leave(mark);
        let ty = body.ty.clone();
        (ExprKind::Let(vars, values, Box::new(body)), ty)
    }

    /// Resolves the expressions in attributes. Their values are not used.
    pub(crate) fn attribute_expressions(&mut self, attributes: &[ast::Attribute]) {
        for attribute in attributes {
            for arg in &attribute.args {
                let mut e = self.expr(arg);
                self.finish(&mut e);
                if matches!(&*attribute.name.name, "minimize" | "maximize")
                    && (attribute.args.len() != 1
                        || !matches!(e.ty, Type::Int | Type::Real | Type::Bv(_)))
                {
                    self.type_error(attribute.name.span, "this requires a single number");
                }
            }
        }
    }
}

/// Returns the sizes of significand and exponent of a floating-point literal; an error if it has no
/// such value.
fn float_sizes(text: &str) -> Result<(u32, u32), FloatError> {
    let is_hex = text.trim_start_matches('-').starts_with("0x");
    let sizes = if is_hex {
        text.rsplit_once('f').map_or("", |(_, s)| s)
    } else {
        text.get(4..).unwrap_or("")
    };
    let parse = |s: &str| s.parse::<u32>().ok();
    let (Some(s), Some(e)) = sizes
        .split_once('e')
        .map_or((None, None), |(s, e)| (parse(s), parse(e)))
    else {
        return Err(FloatError::NoNumber);
    };
    if s < 2 || e < 2 {
        return Err(FloatError::TooFewBits);
    }
    if is_hex && is_too_large(text, e) {
        return Err(FloatError::TooLarge);
    }
    Ok((s, e))
}

/// The reason why a text is no floating-point literal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FloatError {
    /// It has no sizes of significand and exponent.
    NoNumber,
    /// A size is below the minimum.
    TooFewBits,
    /// The value exceeds the largest number of these sizes.
    TooLarge,
}

impl std::fmt::Display for FloatError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::NoNumber => "this is not a floating-point number",
            Self::TooFewBits => "significand and exponent must have at least two bits",
            Self::TooLarge => "this number is too large for its type",
        })
    }
}

impl std::error::Error for FloatError {}

/// Whether a hexadecimal literal `0x…` exceeds the largest number with an exponent of `exponent`
/// bits.
fn is_too_large(text: &str, exponent: u32) -> bool {
    let Some((number, _)) = text.rsplit_once('f') else {
        return false;
    };
    let digits = number.trim_start_matches('-').trim_start_matches("0x");
    let Some((mantissa, power)) = digits.rsplit_once('e') else {
        return false;
    };
    let whole = mantissa
        .split('.')
        .next()
        .unwrap_or("")
        .trim_start_matches('0');
    let (Ok(power), Some(first)) = (
        power.parse::<i64>(),
        whole.chars().next().and_then(|c| c.to_digit(16)),
    ) else {
        return false;
    };
    // The number of bits before the point, compared with the largest binary exponent.
    let bits = 4 * (whole.len() as i64 - 1) + i64::from(u32::BITS - first.leading_zeros());
    let limit = 1_i64
        .checked_shl(exponent.saturating_sub(1))
        .unwrap_or(i64::MAX);
    bits.saturating_add(power.saturating_mul(4)) > limit
}
