//! A pass that turns values of constants, default values of parameters, and witnesses into code, so
//! that their proof obligations are checked like any others.

use crate::Desugaring;
use dafny_resolve::typed::{
    Arena, Attribute, AttributeArg, Block, Body, Callable, CallableId, CallableKind, Constrained,
    CtorId, Expr, ExprKind, FieldId, FieldKind, Formal, Literal, Local, LocalId, ModuleId, Name,
    Rhs, Span, Spec, Stmt, StmtKind, Target, Type, TypeDeclKind, TypeId, TypeParamId, UnaryOp,
    Witness,
};

/// The attribute of generated methods that check a witness. Its argument says whether there is none
/// to check. No source program can contain it.
pub(crate) const WITNESS: &str = "of witness";
/// The attribute of generated methods that evaluate a constant. No source program can contain it.
pub(crate) const CONSTANT: &str = "of constant";

impl Desugaring {
    /// Adds methods that assign the value of each constant, and the default values of each
    /// callable, to variables of the declared types, and methods that assert the constraint for
    /// each witness. They have the names of their declarations.
    #[must_use]
    pub(crate) fn with_initial_values(mut self) -> Self {
        for id in Arena::<FieldId>::ids(&self.program) {
            self.constant_as_code(id);
        }
        for id in Arena::<CallableId>::ids(&self.program) {
            self.defaults_as_code(id);
        }
        for id in Arena::<CtorId>::ids(&self.program) {
            self.defaults_of_ctor_as_code(id);
        }
        // `nat` has no declaration in the program to check.
        let nat = self.nat;
        for id in Arena::<TypeId>::ids(&self.program)
            .into_iter()
            .filter(|id| Some(*id) != nat)
        {
            self.witness_as_code(id);
        }
        self
    }

    fn constant_as_code(&mut self, id: FieldId) {
        let field = &self[id];
        let FieldKind::Const(Some(value)) = &field.kind else {
            return;
        };
        let owner = field.owner.filter(|_| !field.is_static);
        let (value, name, module, span) = (
            (**value).clone(),
            field.name.clone(),
            field.module,
            field.span,
        );
        let type_params = field
            .owner
            .map_or_else(Vec::new, |t| self[t].type_params.clone());
        let local = self.new_local(name.clone(), field.ty.clone(), value.span);
        let type_params = if owner.is_some() {
            Vec::new()
        } else {
            type_params
        };
        self.add_code(
            name,
            module,
            type_params,
            span,
            Vec::new(),
            vec![assign(local, value)],
        );
        if let Some(code) = self.callables.last_mut() {
            code.attributes = vec![Attribute {
                name: CONSTANT.into(),
                args: Vec::new(),
                span,
            }];
            if owner.is_some() {
                (code.owner, code.is_static) = (owner, false);
            }
        }
    }

    fn defaults_as_code(&mut self, id: CallableId) {
        let c = &self[id];
        let defaults: Vec<(Type, Expr)> = c
            .ins
            .iter()
            .filter_map(|f| Some((self[f.local].ty.clone(), f.default.clone()?)))
            .collect();
        let owner = c
            .owner
            .filter(|_| !c.is_static && c.kind != CallableKind::Constructor);
        let type_params = if owner.is_some() {
            c.type_params.clone()
        } else {
            self.all_type_params(id)
        };
        let (name, module, span, ins) = (
            format!("{}.defaults", c.name).into(),
            c.module,
            c.span,
            c.ins.clone(),
        );
        let is_added = self.values_as_code(name, module, type_params, span, ins, defaults);
        if let (true, Some(_), Some(code)) = (is_added, owner, self.callables.last_mut()) {
            (code.owner, code.is_static) = (owner, false);
        }
    }

    fn defaults_of_ctor_as_code(&mut self, id: CtorId) {
        let ctor = &self[id];
        let datatype = &self[ctor.datatype];
        let types = ctor.fields.iter().map(|f| self[*f].ty.clone());
        let defaults = types
            .zip(&ctor.defaults)
            .filter_map(|(ty, value)| Some((ty, value.clone()?)))
            .collect();
        let formal = |local: &LocalId| Formal::new(*local);
        let (name, ins) = (
            format!("{}.defaults", ctor.name).into(),
            ctor.params.iter().map(formal).collect(),
        );
        let (module, span, type_params) =
            (datatype.module, ctor.span, datatype.type_params.clone());
        self.values_as_code(name, module, type_params, span, ins, defaults);
    }

    /// Adds a method that assigns values to variables of the given types, unless all values
    /// obviously have these types. Returns whether it did.
    fn values_as_code(
        &mut self,
        name: Name,
        module: ModuleId,
        type_params: Vec<TypeParamId>,
        span: Span,
        ins: Vec<Formal>,
        values: Vec<(Type, Expr)>,
    ) -> bool {
        let is_plain = |(ty, value): &(Type, Expr)| {
            value.ty == *ty && matches!(value.kind, ExprKind::Literal(_))
        };
        if values.iter().all(is_plain) {
            return false;
        }
        let ins = ins
            .into_iter()
            .map(|f| Formal { default: None, ..f })
            .collect();
        let assigned = values
            .into_iter()
            .map(|(ty, value)| (self.new_local("default".into(), ty, value.span), value));
        let stmts = assigned
            .map(|(local, value)| assign(local, value))
            .collect();
        self.add_code(name, module, type_params, span, ins, stmts);
        true
    }

    fn witness_as_code(&mut self, id: TypeId) {
        let decl = &self[id];
        let (TypeDeclKind::Newtype(c) | TypeDeclKind::Subset(c)) = &decl.kind else {
            return;
        };
        let Constrained {
            var,
            constraint,
            witness,
            base,
            ..
        } = c;
        let is_bound = |ty: &Type| matches!(ty, Type::Named { decl, .. } if matches!(self[*decl].kind, TypeDeclKind::Newtype(_) | TypeDeclKind::Subset(_)));
        if constraint.is_none() && !is_bound(base) {
            return;
        }
        let value = match witness {
            Witness::Compiled(value) | Witness::Ghost(value) => {
                Some(self.as_base(id, base, (**value).clone()))
            }
            Witness::Default => self.zero(base, decl.span),
            Witness::Opt => return,
        };
        let Some(value) = value else {
            let span = decl.span;
            return self.add_witness(id, vec![asserted(boolean(false, span), span)], true);
        };
        let (var, constraint, base) = (*var, constraint.clone(), base.clone());
        // Report a violated constraint at the witness.
        let place = value.span;
        let check = constraint.map(|constraint| {
            let cond = Expr {
                span: place,
                ..constraint
            };
            asserted(cond, place)
        });
        let var = var.unwrap_or_else(|| self.new_local("witness".into(), base, place));
        let stmts = std::iter::once(assign(var, value)).chain(check).collect();
        self.add_witness(id, stmts, false);
    }

    /// Adds the method that checks the witness of a type. `is_missing`: whether there is none.
    fn add_witness(&mut self, id: TypeId, stmts: Vec<Stmt>, is_missing: bool) {
        let decl = &self[id];
        let (name, module, span, type_params) = (
            decl.name.clone(),
            decl.module,
            decl.span,
            decl.type_params.clone(),
        );
        self.add_code(name, module, type_params, span, Vec::new(), stmts);
        if let Some(code) = self.callables.last_mut() {
            code.attributes = vec![Attribute {
                name: WITNESS.into(),
                args: vec![AttributeArg::Bool(is_missing)],
                span,
            }];
        }
    }

    /// Converts a witness literal from the newtype to its base type. Whether it is in the newtype
    /// is the obligation to check. It starts as a plain number, because it also has to be in the
    /// base type.
    fn as_base(&self, newtype: TypeId, base: &Type, value: Expr) -> Expr {
        let is_own = |e: &Expr| matches!(&e.ty, Type::Named { decl, .. } if *decl == newtype);
        if !is_own(&value) {
            return value;
        }
        let (plain, span) = (self.representation(base), value.span);
        let mut number = value;
        if let ExprKind::Convert(inner) = number.kind {
            return *inner;
        } else if let ExprKind::Unary(UnaryOp::Neg, inner) = &mut number.kind
            && matches!(inner.kind, ExprKind::Literal(_))
        {
            inner.ty = plain.clone();
        } else if !matches!(number.kind, ExprKind::Literal(_)) {
            return number;
        }
        number.ty = plain.clone();
        match self.strip_subset(base) == plain {
            true => number,
            false => Expr {
                kind: ExprKind::Convert(Box::new(number)),
                ty: base.clone(),
                span,
            },
        }
    }

    /// The value that Dafny tries as the witness of a type without a `witness` clause, if any
    /// (reference manual, "Witness clauses").
    fn zero(&self, ty: &Type, span: Span) -> Option<Expr> {
        let literal = |l: Literal| Some(ExprKind::Literal(l));
        let kind = match ty {
            Type::Bool => literal(Literal::Bool(false)),
            Type::Int | Type::Bv(_) | Type::Ordinal => literal(Literal::Int(0.into())),
            Type::Real => literal(Literal::Real(num_rational::BigRational::from_integer(
                0.into(),
            ))),
            Type::Char => literal(Literal::Char(u32::from(b'D'))),
            Type::Seq(_) => Some(ExprKind::SeqDisplay(Vec::new())),
            Type::Set { .. } => Some(ExprKind::SetDisplay(Vec::new())),
            Type::Multiset(_) => Some(ExprKind::MultisetDisplay(Vec::new())),
            Type::Map { .. } => Some(ExprKind::MapDisplay(Vec::new())),
            Type::Array { .. } | Type::Object { .. } => literal(Literal::Null),
            Type::Named { decl, .. } => match &self[*decl].kind {
                TypeDeclKind::Class
                | TypeDeclKind::Trait { is_reference: true }
                | TypeDeclKind::Iterator(_) => literal(Literal::Null),
                TypeDeclKind::Newtype(c) => {
                    return self.zero(&c.base, span).map(|e| Expr {
                        ty: ty.clone(),
                        ..e
                    });
                }
                TypeDeclKind::Subset(c) => return self.zero(&c.base, span),
                TypeDeclKind::Datatype { .. }
                | TypeDeclKind::Abstract
                | TypeDeclKind::Trait {
                    is_reference: false,
                } => None,
            },
            Type::Tuple(_) | Type::Arrow { .. } | Type::Param(_) | Type::Error => None,
        };
        // The value tried for a reference type is `null`, which only a nullable type contains.
        let mut ty = ty.clone();
        if self.is_reference(&ty)
            && let Type::Named { nullable, .. }
            | Type::Array { nullable, .. }
            | Type::Object { nullable } = &mut ty
        {
            *nullable = true;
        }
        kind.map(|kind| Expr { kind, ty, span })
    }

    /// Adds a variable.
    pub(crate) fn new_local(&mut self, name: Name, ty: Type, span: Span) -> LocalId {
        self.locals.push(Local {
            name,
            ty,
            ghost: false,
            mutable: true,
            inferred: false,
            span,
        });
        LocalId(self.locals.len() as u32 - 1)
    }

    /// Adds a static method to a module.
    pub(crate) fn add_code(
        &mut self,
        name: Name,
        module: ModuleId,
        type_params: Vec<TypeParamId>,
        span: Span,
        ins: Vec<Formal>,
        stmts: Vec<Stmt>,
    ) {
        let body = Block {
            divided_at: None,
            division: None,
            span,
            stmts,
        };
        self.callables.push(Callable {
            name,
            kind: CallableKind::Method,
            is_predicate: false,
            is_two_state: false,
            module,
            owner: None,
            is_static: true,
            ghost: false,
            opaque: false,
            type_params,
            ins,
            outs: Vec::new(),
            spec: Spec::default(),
            body: Body::Block(body),
            overrides: Vec::new(),
            attributes: Vec::new(),
            doc: None,
            span,
            full_span: span,
        });
    }
}

/// Builds `true` or `false`.
pub(crate) fn boolean(value: bool, span: Span) -> Expr {
    Expr {
        kind: ExprKind::Literal(Literal::Bool(value)),
        ty: Type::Bool,
        span,
    }
}

/// Builds `assert cond;`.
fn asserted(cond: Expr, span: Span) -> Stmt {
    Stmt {
        span,
        kind: StmtKind::Assert {
            cond,
            label: None,
            by: None,
        },
        labels: Vec::new(),
        ghost: false,
    }
}

/// Builds `var x := value;`.
pub(crate) fn assign(local: LocalId, value: Expr) -> Stmt {
    let span = value.span;
    let kind = StmtKind::Assign {
        declares: vec![local],
        pairs: vec![(Target::Local(local), Rhs::Expr(value))],
    };
    Stmt {
        kind,
        labels: Vec::new(),
        ghost: false,
        span,
    }
}
