//! Insertion of casts in expressions.

use super::types::{element, with_element};
use super::{Casts, Written};
use dafny_resolve::typed::{
    ArrowKind, BinaryOp, Call, Domain, Expr, ExprKind, FieldId, Lambda, LetOrFail, Literal,
    LocalId, Pattern, PatternKind, Quantified, Type, TypeId, VarBound,
};

impl Casts<'_> {
    /// Inserts casts into an expression whose value is used where `to` is required.
    pub(super) fn flow(&mut self, e: &mut Expr, to: &Type) {
        if !self.needs(&e.ty, to) {
            self.expr(e);
            return;
        }
        // Push the cast into the branches, whose results may have types of their own.
        let is_branch = matches!(
            e.kind,
            ExprKind::If { .. }
                | ExprKind::IfBinding { .. }
                | ExprKind::Match { .. }
                | ExprKind::Let { .. }
        );
        let has_body = matches!(
            e.kind,
            ExprKind::LetSuchThat { .. } | ExprKind::StmtExpr { .. } | ExprKind::Delayed(_)
        );
        let is_display = matches!(
            e.kind,
            ExprKind::SeqDisplay(_)
                | ExprKind::SetDisplay(_)
                | ExprKind::MultisetDisplay(_)
                | ExprKind::MapDisplay(_)
        );
        let is_lambda = self.written == Written::Newtypes && matches!(e.kind, ExprKind::Lambda(_));
        if is_branch || has_body {
            e.ty = to.clone();
            self.expr(e);
        } else if is_display && self.program.strip_subset(to) == self.program.representation(to)
            || is_lambda && self.same_params(&e.ty, to)
        {
            e.ty = self.program.strip_subset(to);
            self.expr(e);
        } else if matches!(e.kind, ExprKind::Literal(Literal::Null)) {
            e.ty = to.clone();
        } else {
            self.expr(e);
            self.cast(e, to);
        }
    }

    /// Whether both types are functions that differ in their result type only.
    fn same_params(&self, from: &Type, to: &Type) -> bool {
        let (Type::Arrow { params: a, .. }, Type::Arrow { params: b, .. }) = (
            self.program.representation(from),
            self.program.strip_subset(to),
        ) else {
            return false;
        };
        a.len() == b.len() && a.iter().zip(&b).all(|(x, y)| !self.needs(y, x))
    }

    /// Wraps the expression in `e as to` if the types differ in representation.
    pub(super) fn cast(&mut self, e: &mut Expr, to: &Type) {
        if !self.needs(&e.ty, to) {
            return;
        }
        if matches!(e.kind, ExprKind::Literal(Literal::Null)) {
            e.ty = to.clone();
            return;
        }
        let span = e.span;
        let inner = std::mem::replace(
            e,
            Expr {
                kind: ExprKind::Error,
                ty: to.clone(),
                span,
            },
        );
        let types = (
            self.program.representation(&inner.ty),
            self.program.representation(to),
        );
        match types {
            (
                Type::Arrow {
                    kind: ArrowKind::Total,
                    params,
                    result,
                },
                Type::Arrow {
                    params: given,
                    result: asked,
                    ..
                },
            ) if self.written == Written::Newtypes && params.len() == given.len() => {
                e.kind = self.converting_function(inner, (params, *result), (given, &asked));
            }
            _ => e.kind = ExprKind::Convert(Box::new(inner)),
        }
    }

    /// Builds `var f := e; (x) => f(x)` with conversions of the arguments and the result of `f`.
    fn converting_function(
        &mut self,
        e: Expr,
        (params, result): (Vec<Type>, Type),
        (given, asked): (Vec<Type>, &Type),
    ) -> ExprKind {
        let (span, ty) = (e.span, e.ty.clone());
        // Bind the function first, so that it is evaluated once.
        let function = self.fresh("function", ty.clone(), span);
        let formals: Vec<LocalId> = given
            .iter()
            .map(|t| self.fresh("argument", t.clone(), span))
            .collect();
        let mut args = Vec::new();
        for (formal, param) in formals.iter().zip(&params) {
            let mut arg = self.local(*formal, span);
            self.cast(&mut arg, param);
            args.push(arg);
        }
        let called = Box::new(self.local(function, span));
        let mut body = Expr {
            kind: ExprKind::Apply {
                function: called,
                args,
            },
            ty: result,
            span,
        };
        self.cast(&mut body, asked);
        let has_type = vec![true; formals.len()];
        let lambda = Lambda {
            params: formals,
            has_type,
            requires: Vec::new(),
            reads: Vec::new(),
            body,
        };
        let arrow = Type::Arrow {
            kind: ArrowKind::Total,
            params: given,
            result: Box::new(asked.clone()),
        };
        let lambda = Expr {
            kind: ExprKind::Lambda(Box::new(lambda)),
            ty: arrow,
            span,
        };
        let pattern = Pattern {
            kind: PatternKind::Var(function),
            ty,
            span,
        };
        ExprKind::Let {
            ghost: false,
            bindings: vec![(pattern, e)],
            body: Box::new(lambda),
        }
    }

    /// Like [`Self::flow`] if the type of the target is known.
    fn flow_if_known(&mut self, e: &mut Expr, to: Option<&Type>) {
        match to {
            Some(to) => self.flow(e, to),
            None => self.expr(e),
        }
    }

    /// Sets the type of an expression to `own`, and casts it to its previous type.
    fn really(&mut self, e: &mut Expr, own: Type) {
        // Users of the expression rely on the type that it had.
        let said = e.ty.clone();
        if self.needs(&own, &said) {
            e.ty = own;
            self.cast(e, &said);
        }
    }

    /// Inserts casts inside an expression. Its own type does not change.
    pub(super) fn expr(&mut self, e: &mut Expr) {
        let ty = e.ty.clone();
        match &mut e.kind {
            ExprKind::Literal(_) | ExprKind::Wildcard | ExprKind::Error => {}
            ExprKind::This => self.receiver_of_clause(e),
            ExprKind::Local(l) => {
                let own = self.local_type(*l);
                self.really(e, own);
            }
            ExprKind::Field { object, field, .. } => {
                let owner = self.program[*field].owner;
                object.iter_mut().for_each(|o| self.receiver(o, owner));
            }
            ExprKind::Builtin { object, .. }
            | ExprKind::CtorTest { object, .. }
            | ExprKind::TupleField { object, .. } => self.expr(object),
            ExprKind::Construct { ctor, args } => {
                let fields = self.program[*ctor].fields.clone();
                for (f, arg) in fields.into_iter().zip(args) {
                    let t = self.field_type(&ty, f);
                    self.flow(arg, &t);
                }
            }
            ExprKind::Call(call) => {
                if let Some(own) = self.call(call) {
                    self.really(e, own);
                }
            }
            ExprKind::FunctionRef {
                receiver, callee, ..
            } => {
                let owner = self.program[*callee].owner;
                receiver.iter_mut().for_each(|r| self.receiver(r, owner));
            }
            ExprKind::Apply { function, args } => self.apply(function, args),
            ExprKind::Index { object, indices } => self.index(object, indices),
            ExprKind::Slice { object, from, to } => {
                self.expr(object);
                from.iter_mut().chain(to).for_each(|a| self.expr(a));
            }
            ExprKind::SliceLengths {
                object, lengths, ..
            } => {
                self.expr(object);
                lengths.iter_mut().for_each(|a| self.expr(a));
            }
            ExprKind::Update { object, key, value } => self.update(&ty, object, key, value),
            ExprKind::DatatypeUpdate {
                object, updates, ..
            } => {
                self.flow(object, &ty);
                for (f, value) in updates {
                    let t = self.field_type(&ty, *f);
                    self.flow(value, &t);
                }
            }
            ExprKind::TupleUpdate { object, updates } => {
                self.flow(object, &ty);
                for (i, value) in updates {
                    self.flow_if_known(value, self.component(&ty, *i).as_ref());
                }
            }
            ExprKind::Delayed(inner) => self.flow(inner, &ty),
            ExprKind::Unary(_, a)
            | ExprKind::Convert(a)
            | ExprKind::Is(a, _)
            | ExprKind::Cardinality(a)
            | ExprKind::Allocated(a)
            | ExprKind::Assigned(a)
            | ExprKind::Old { expr: a, .. }
            | ExprKind::Fresh { expr: a, .. } => self.expr(a),
            ExprKind::MultisetFrom(a) => self.multiset_from(a, &ty),
            ExprKind::Binary(op, a, b) => {
                if let Some(own) = self.binary(*op, a, b) {
                    self.really(e, own);
                }
            }
            ExprKind::Chain { first, rest } => self.chain(first, rest),
            ExprKind::PrefixEq {
                limit, left, right, ..
            } => [limit, left, right].into_iter().for_each(|a| self.expr(a)),
            ExprKind::Tuple(parts) => {
                for (i, part) in parts.iter_mut().enumerate() {
                    self.flow_if_known(part, self.component(&ty, i).as_ref());
                }
            }
            ExprKind::SeqDisplay(parts)
            | ExprKind::SetDisplay(parts)
            | ExprKind::MultisetDisplay(parts) => {
                let elem = element(self.program, &ty);
                for part in parts {
                    self.flow_if_known(part, elem.as_ref());
                }
            }
            ExprKind::MapDisplay(pairs) => {
                for (key, value) in pairs {
                    self.entry(key, value, &ty);
                }
            }
            ExprKind::SeqConstruct { len, init } => self.seq_construct(len, init, &ty),
            ExprKind::SetComp { vars, term } => {
                self.quantified(vars);
                self.flow_if_known(term, element(self.program, &ty).as_ref());
            }
            ExprKind::MapComp { vars, key, value } => {
                self.quantified(vars);
                self.entry(key, value, &ty);
            }
            ExprKind::Quantifier { vars, body, .. } => {
                self.quantified(vars);
                self.expr(body);
            }
            ExprKind::Lambda(l) => self.lambda(l, &ty),
            ExprKind::If { cond, then, els } => {
                self.expr(cond);
                self.flow(then, &ty);
                self.flow(els, &ty);
            }
            ExprKind::IfBinding { vars, then, els } => {
                self.quantified(vars);
                self.flow(then, &ty);
                self.flow(els, &ty);
            }
            ExprKind::Match { scrutinee, cases } => {
                self.expr(scrutinee);
                cases.iter_mut().for_each(|c| self.flow(&mut c.body, &ty));
            }
            ExprKind::Let { bindings, body, .. } => {
                for (pattern, value) in bindings {
                    let t = self.pattern_type(pattern);
                    self.flow(value, &t);
                }
                self.flow(body, &ty);
            }
            ExprKind::LetSuchThat { vars, body, .. } => {
                self.quantified(vars);
                self.flow(body, &ty);
            }
            ExprKind::LetOrFail(l) => self.let_or_fail(l, &ty),
            ExprKind::StmtExpr { stmt, body } => {
                self.stmt(stmt);
                self.flow(body, &ty);
            }
            ExprKind::Unchanged { frame, .. } => frame
                .iter_mut()
                .filter_map(|f| f.object.as_mut())
                .for_each(|o| self.expr(o)),
        }
    }

    /// Casts `this` where it is a value of a newtype: when the clause of a trait is checked for it.
    fn receiver_of_clause(&mut self, e: &mut Expr) {
        if let Some(newtype) = self.this {
            let params = self.program[newtype]
                .type_params
                .iter()
                .map(|p| Type::Param(*p))
                .collect();
            self.really(e, Type::named(newtype, params));
        }
    }

    /// Inserts casts in the application of a function value.
    fn apply(&mut self, function: &mut Expr, args: &mut [Expr]) {
        self.expr(function);
        let params = if let Type::Arrow { params, .. } = self.program.representation(&function.ty) {
            params
        } else {
            Vec::new()
        };
        for (i, arg) in args.iter_mut().enumerate() {
            self.flow_if_known(arg, params.get(i));
        }
    }

    /// Inserts casts in a selection. The index of a map or multiset is compared with its keys: both
    /// get their common type.
    fn index(&mut self, object: &mut Expr, indices: &mut [Expr]) {
        self.expr(object);
        let is_keyed = matches!(
            self.program.representation(&object.ty),
            Type::Map { .. } | Type::Multiset(_)
        );
        for i in indices {
            self.expr(i);
            if is_keyed {
                self.meet(i, object);
            }
        }
    }

    /// Inserts casts in `multiset(a)`: the elements of the argument are cast, not those of the
    /// result.
    fn multiset_from(&mut self, a: &mut Expr, ty: &Type) {
        self.expr(a);
        if let Some(elem) = element(self.program, ty) {
            let to = with_element(self.program, &a.ty, &elem);
            self.cast(a, &to);
        }
    }

    /// Inserts casts in a chain of comparisons. All operands are compared, so that they get one
    /// type.
    fn chain(&mut self, first: &mut Expr, rest: &mut [(BinaryOp, Expr)]) {
        self.expr(first);
        let mut all = first.ty.clone();
        for (_, a) in rest.iter_mut() {
            self.expr(a);
            all = self.join(&all, &a.ty);
        }
        self.cast(first, &all);
        rest.iter_mut().for_each(|(_, a)| self.cast(a, &all));
    }

    /// Inserts casts in `seq(len, init)`: the function returns the elements of the result.
    fn seq_construct(&mut self, len: &mut Expr, init: &mut Expr, ty: &Type) {
        self.expr(len);
        match (
            self.program.representation(&init.ty),
            element(self.program, ty),
        ) {
            (Type::Arrow { kind, params, .. }, Some(elem)) => self.flow(
                init,
                &Type::Arrow {
                    kind,
                    params,
                    result: Box::new(elem),
                },
            ),
            _ => self.expr(init),
        }
    }

    /// Casts a key and its value to the types of a map.
    fn entry(&mut self, key: &mut Expr, value: &mut Expr, ty: &Type) {
        if let Type::Map {
            key: k, value: v, ..
        } = self.program.representation(ty)
        {
            self.flow(key, &k);
            self.flow(value, &v);
        }
    }

    /// Inserts casts in a call. Returns the type of its value if it has exactly one result.
    pub(super) fn call(&mut self, call: &mut Call) -> Option<Type> {
        let program = self.program;
        let c = &program[call.callee];
        let map = program
            .all_type_params(call.callee)
            .into_iter()
            .zip(call.type_args.iter().cloned())
            .collect();
        call.receiver
            .iter_mut()
            .for_each(|r| self.receiver(r, c.owner));
        for (formal, arg) in c.ins.iter().zip(&mut call.args) {
            self.flow(arg, &program[formal.local].ty.subst(&map));
        }
        match c.outs.as_slice() {
            [out] => Some(program[out.local].ty.subst(&map)),
            _ => None,
        }
    }

    /// Casts the receiver of a member of `owner`: a value of a newtype becomes one of the trait
    /// with the member.
    fn receiver(&mut self, e: &mut Expr, owner: Option<TypeId>) {
        self.expr(e);
        if self.written == Written::Newtypes
            && let Some(owner) = owner.filter(|t| self.program.is_trait(*t))
            && let Some(args) = self.program.supertype_args(&e.ty, owner)
        {
            self.cast(e, &Type::named(owner, args));
        }
    }

    fn update(&mut self, ty: &Type, object: &mut Expr, key: &mut Expr, value: &mut Expr) {
        self.flow(object, ty);
        match self.program.representation(ty) {
            Type::Seq(e) => {
                self.expr(key);
                self.flow(value, &e);
            }
            Type::Multiset(e) => {
                self.flow(key, &e);
                self.expr(value);
            }
            Type::Map {
                key: k, value: v, ..
            } => {
                self.flow(key, &k);
                self.flow(value, &v);
            }
            Type::Bool
            | Type::Char
            | Type::Int
            | Type::Real
            | Type::Bv(_)
            | Type::Ordinal
            | Type::Set { .. }
            | Type::Tuple(_)
            | Type::Arrow { .. }
            | Type::Array { .. }
            | Type::Object { .. }
            | Type::Named { .. }
            | Type::Param(_)
            | Type::Error => {
                self.expr(key);
                self.expr(value);
            }
        }
    }

    /// Casts an element (or key) and the collection that it is looked up in to a common element
    /// type.
    fn meet(&mut self, elem: &mut Expr, collection: &mut Expr) {
        let Some(own) = element(self.program, &collection.ty) else {
            return;
        };
        if self.is_upcast(&elem.ty, &own) {
            self.cast(elem, &own);
        } else {
            let to = with_element(self.program, &collection.ty, &self.join(&elem.ty, &own));
            self.cast(collection, &to);
            if let Some(own) = element(self.program, &to) {
                self.cast(elem, &own);
            }
        }
    }

    /// Inserts casts in a binary operation. Returns the type of its value if that is the type of
    /// the operands.
    fn binary(&mut self, op: BinaryOp, a: &mut Expr, b: &mut Expr) -> Option<Type> {
        self.expr(a);
        self.expr(b);
        match op {
            BinaryOp::In | BinaryOp::NotIn => {
                self.meet(a, b);
                None
            }
            BinaryOp::Eq
            | BinaryOp::Ne
            | BinaryOp::Lt
            | BinaryOp::Le
            | BinaryOp::Gt
            | BinaryOp::Ge
            | BinaryOp::Disjoint
            | BinaryOp::Add
            | BinaryOp::Sub
            | BinaryOp::Mul => {
                // `map - set` removes keys, so the set gets the type of the keys.
                if let (Type::Map { key, .. }, Type::Set { finite, .. }) = (
                    self.program.representation(&a.ty),
                    self.program.representation(&b.ty),
                ) {
                    self.cast(b, &Type::Set { finite, elem: key });
                    return Some(a.ty.clone());
                }
                // `null` is a value of all nullable types.
                let null = |e: &Expr| matches!(e.kind, ExprKind::Literal(Literal::Null));
                if null(a) || null(b) {
                    return None;
                }
                let both = self.join(&a.ty, &b.ty);
                if !self.needs(&a.ty, &b.ty) {
                    return matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul)
                        .then_some(both);
                }
                self.cast(a, &both);
                self.cast(b, &both);
                matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul).then_some(both)
            }
            BinaryOp::Iff
            | BinaryOp::Implies
            | BinaryOp::Explies
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Above
            | BinaryOp::Shl
            | BinaryOp::Shr
            | BinaryOp::Div
            | BinaryOp::Mod
            | BinaryOp::BitAnd
            | BinaryOp::BitOr
            | BinaryOp::BitXor => None,
        }
    }

    fn lambda(&mut self, l: &mut Lambda, ty: &Type) {
        if self.written == Written::Newtypes {
            self.clauses(&mut l.requires);
            self.frames(&mut l.reads);
        }
        if let Type::Arrow { result, .. } = self.program.representation(ty) {
            self.flow(&mut l.body, &result)
        } else {
            self.expr(&mut l.body)
        }
    }

    fn let_or_fail(&mut self, l: &mut LetOrFail, ty: &Type) {
        let temp = self.local_type(l.temp);
        self.flow(&mut l.value, &temp);
        self.expr(&mut l.is_failure);
        self.flow(&mut l.propagate, ty);
        if let Some(extract) = &mut l.extract {
            match &l.pattern {
                Some(pattern) => {
                    let t = self.pattern_type(pattern);
                    self.flow(extract, &t);
                }
                None => self.expr(extract),
            }
        }
        self.flow(&mut l.body, ty);
    }

    /// Inserts casts for bound variables. If a domain has values that do not have the variable's
    /// type, another variable enumerates the domain, and the range selects the values of the type.
    pub(super) fn quantified(&mut self, q: &mut Quantified) {
        if let Some(range) = &mut q.range {
            self.expr(range);
        }
        let Some(bounds) = &mut q.bounds else { return };
        let mut out = Vec::new();
        for mut bound in std::mem::take(bounds) {
            let ty = self.local_type(bound.var);
            let own = match &mut bound.domain {
                Domain::IntRange { low, high } => {
                    low.iter_mut().chain(high).for_each(|e| self.expr(e));
                    None
                }
                Domain::Exact(e) => {
                    self.expr(e);
                    Some(e.ty.clone())
                }
                Domain::Elements(e) => {
                    self.expr(e);
                    element(self.program, &e.ty)
                }
                Domain::SubsetsOf(e) | Domain::PrefixesOf(e) | Domain::SubtermsOf(e) => {
                    self.expr(e);
                    None
                }
                Domain::AllValues(_) => None,
            };
            match own {
                Some(own) if self.needs(&own, &ty) => {
                    out.extend(self.narrowed(bound, own, &ty, &mut q.range))
                }
                Some(_) | None => out.push(bound),
            }
        }
        *bounds = out;
    }

    /// Introduces a variable of type `ty` over a domain with values of type `own`.
    fn narrowed(
        &mut self,
        bound: VarBound,
        own: Type,
        ty: &Type,
        range: &mut Option<Box<Expr>>,
    ) -> [VarBound; 2] {
        let span = match &bound.domain {
            Domain::Exact(e) | Domain::Elements(e) => e.span,
            Domain::IntRange { .. }
            | Domain::SubsetsOf(_)
            | Domain::PrefixesOf(_)
            | Domain::AllValues(_)
            | Domain::SubtermsOf(_) => dafny_resolve::typed::Span::default(),
        };
        // The new variable ranges over the domain. The original one is its converted value.
        let raw = self.fresh("candidate", own.clone(), span);
        let local = Expr {
            kind: ExprKind::Local(raw),
            ty: own,
            span,
        };
        // A domain with a more general type also has values outside of `ty`.
        if !self.is_upcast(&local.ty, ty) {
            let test = Expr {
                kind: ExprKind::Is(Box::new(local.clone()), ty.clone()),
                ty: Type::Bool,
                span,
            };
            *range = Some(Box::new(match range.take() {
                Some(range) => Expr {
                    kind: ExprKind::Binary(BinaryOp::And, Box::new(test), range),
                    ty: Type::Bool,
                    span,
                },
                None => test,
            }));
        }
        let exact = Expr {
            kind: ExprKind::Convert(Box::new(local)),
            ty: ty.clone(),
            span,
        };
        [
            VarBound {
                var: raw,
                domain: bound.domain,
            },
            VarBound {
                var: bound.var,
                domain: Domain::Exact(Box::new(exact)),
            },
        ]
    }

    /// The type of a field of a datatype value.
    fn field_type(&self, ty: &Type, field: FieldId) -> Type {
        let own = &self.program[field].ty;
        if let Type::Named { decl, args, .. } = self.program.representation(ty) {
            own.subst(&self.program.substitution(decl, &args))
        } else {
            own.clone()
        }
    }

    fn component(&self, ty: &Type, index: usize) -> Option<Type> {
        if let Type::Tuple(cs) = self.program.representation(ty) {
            cs.get(index).map(|(_, t)| t.clone())
        } else {
            None
        }
    }

    /// The type of the values that a pattern matches.
    pub(super) fn pattern_type(&self, pattern: &Pattern) -> Type {
        match &pattern.kind {
            PatternKind::Var(v) => self.local_type(*v),
            PatternKind::Wildcard
            | PatternKind::Ctor { .. }
            | PatternKind::Tuple(_)
            | PatternKind::Value(_)
            | PatternKind::Or(_) => pattern.ty.clone(),
        }
    }

    /// An expression for a variable.
    pub(super) fn local(&self, local: LocalId, span: dafny_resolve::typed::Span) -> Expr {
        Expr {
            kind: ExprKind::Local(local),
            ty: self.local_type(local),
            span,
        }
    }
}
