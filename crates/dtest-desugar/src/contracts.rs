//! A pass that turns contracts and type constraints into code, so that their well-formedness is
//! checked like any other code.
//!
//! Dafny's verifier checks a contract separately (reference manual, "Well-formedness of
//! specifications"): each precondition for all arguments that satisfy the previous ones, then
//! frames and measure, then each postcondition for all results.

use crate::{Desugaring, GeneratedCode as _};
use dafny_resolve::typed::visit::{Visit, walk_call, walk_expr};
use dafny_resolve::typed::{
    Arena, ArrowKind, Attribute, AttributeArg, BinaryOp, Block, Body, BuiltinMember, Call,
    CallableId, CallableKind, Expr, ExprKind, FieldId, FieldKind, Formal, Frame, Literal, Pattern,
    PatternKind, Program, Span, Spec, Stmt, StmtKind, Type, TypeDeclKind, TypeId,
};

/// The attribute of generated methods that evaluate a contract. No source program can contain it.
pub(crate) const CONTRACT: &str = "of contract";

impl Desugaring {
    /// Adds a method for every contract and type constraint that may be ill-formed. Its parameters
    /// are the variables of the contract, including results. Its body evaluates the clauses in
    /// order.
    #[must_use]
    pub(crate) fn with_contracts(mut self) -> Self {
        for id in Arena::<CallableId>::ids(&self.program) {
            self.contract_as_code(id);
        }
        for id in Arena::<TypeId>::ids(&self.program) {
            self.constraint_as_code(id);
        }
        self
    }

    fn contract_as_code(&mut self, id: CallableId) {
        let c = &self[id];
        let is_of_iterator = c
            .owner
            .is_some_and(|t| matches!(self[t].kind, TypeDeclKind::Iterator(_)));
        // The contracts of two-state callables cannot be evaluated by a method; they are checked
        // with their callables.
        if is_of_iterator
            || c.is_two_state
            || self.is_override(id)
            || self.requires_what_it_calls(id)
        {
            return;
        }
        for (part, name) in [(Part::Body, "body"), (Part::BodyReads, "body.reads")] {
            if self.may_be_ill_formed(id, part)
                && let Body::Expr(body) = &self[id].body
            {
                let spec = &self[id].spec;
                let kept = Spec {
                    requires: spec.requires.clone(),
                    reads: spec.reads.clone(),
                    ..Spec::default()
                };
                let stmts = vec![granted((**body).clone(), body.span)];
                self.add_contract(id, name, Vec::new(), kept, stmts);
            }
        }
        if self.may_be_ill_formed(id, Part::Preconditions) {
            let spec = self[id].spec.clone();
            let stmts = self.evaluated_preconditions(&spec);
            self.add_contract(id, "contract", Vec::new(), Spec::default(), stmts);
        }
        if self.may_be_ill_formed(id, Part::PreconditionReads) {
            let spec = self[id].spec.clone();
            let stmts = self.evaluated_preconditions(&spec);
            let spec = &self[id].spec;
            let kept = Spec {
                requires: spec.requires.clone(),
                reads: spec.reads.clone(),
                ..Spec::default()
            };
            self.add_contract(id, "reads", Vec::new(), kept, stmts);
        }
        if self.may_be_ill_formed(id, Part::Postconditions) {
            let kept = Spec {
                requires: self[id].spec.requires.clone(),
                ..Spec::default()
            };
            let (results, stmts) = self.results_and_postconditions(id);
            self.add_contract(id, "ensures", results, kept, stmts);
        }
        if self.may_be_ill_formed(id, Part::PostconditionReads) {
            let spec = &self[id].spec;
            let kept = Spec {
                requires: spec.requires.clone(),
                reads: spec.reads.clone(),
                ..Spec::default()
            };
            let (results, stmts) = self.results_and_postconditions(id);
            self.add_contract(id, "ensures.reads", results, kept, stmts);
        }
    }

    /// The results as additional parameters, and the statements that evaluate the postconditions.
    fn results_and_postconditions(&self, id: CallableId) -> (Vec<Formal>, Vec<Stmt>) {
        let c = &self[id];
        let results = c
            .outs
            .iter()
            .map(|f| Formal {
                default: None,
                ..f.clone()
            })
            .collect();
        let stmts = c
            .spec
            .ensures
            .iter()
            .map(|c| granted(c.cond.clone(), c.span))
            .collect();
        (results, stmts)
    }

    /// The statements that evaluate preconditions, frames and measure.
    pub(crate) fn evaluated_preconditions(&mut self, spec: &Spec) -> Vec<Stmt> {
        let mut stmts: Vec<Stmt> = spec
            .requires
            .iter()
            .map(|c| granted(c.cond.clone(), c.span))
            .collect();
        let frames = spec
            .modifies
            .iter()
            .chain(&spec.reads)
            .filter_map(|f: &Frame| f.object.clone());
        let evaluated: Vec<Expr> = frames
            .chain(spec.decreases.iter().cloned())
            .filter(|e| !matches!(e.kind, ExprKind::Wildcard))
            .collect();
        for e in evaluated {
            let stmt = self.evaluated(e);
            stmts.push(stmt);
        }
        stmts
    }

    /// Adds a method that evaluates a part of a contract.
    fn add_contract(
        &mut self,
        id: CallableId,
        part: &str,
        results: Vec<Formal>,
        spec: Spec,
        stmts: Vec<Stmt>,
    ) {
        let mut callable = self[id].clone();
        callable.ins.extend(results);
        callable.outs.clear();
        callable.name = format!("{}.{part}", callable.name).into();
        callable.kind = CallableKind::Method;
        callable.is_predicate = false;
        callable.spec = spec;
        callable.body = Body::Block(Block {
            divided_at: None,
            division: None,
            span: callable.span,
            stmts,
        });
        callable.overrides.clear();
        callable.attributes = vec![Attribute {
            name: CONTRACT.into(),
            args: vec![AttributeArg::Bool(part.ends_with("reads"))],
            span: callable.span,
        }];
        callable.doc = None;
        callable.ghost = false;
        self.callables.push(callable);
    }

    fn constraint_as_code(&mut self, id: TypeId) {
        let decl = &self[id];
        let (TypeDeclKind::Newtype(c) | TypeDeclKind::Subset(c)) = &decl.kind else {
            return;
        };
        let (Some(var), Some(constraint)) = (c.var, &c.constraint) else {
            return;
        };
        let mut partial = Partial {
            program: &self.program,
            reads: false,
            whole_slices: true,
            found: false,
        };
        partial.expr(constraint);
        if !partial.found {
            return;
        }
        let name = format!("{}.constraint", decl.name).into();
        let (module, span, type_params) = (decl.module, decl.span, decl.type_params.clone());
        let stmts = vec![granted(constraint.clone(), constraint.span)];
        let ins = vec![Formal::new(var)];
        self.add_code(name, module, type_params, span, ins, stmts);
    }

    /// Whether an expression in a part of a contract may be undefined, or may read outside of the
    /// frame.
    fn may_be_ill_formed(&self, id: CallableId, part: Part) -> bool {
        let spec = &self[id].spec;
        let is_bound = matches!(
            part,
            Part::PreconditionReads | Part::PostconditionReads | Part::BodyReads
        );
        if is_bound && (!self[id].kind.is_function() || spec.reads.iter().any(|f| f.star)) {
            return false;
        }
        // Postconditions of a function with a body are not limited by its `reads` clause.
        if part == Part::PostconditionReads && !matches!(self[id].body, Body::None) {
            return false;
        }
        let mut partial = Partial {
            program: &self.program,
            reads: is_bound,
            whole_slices: true,
            found: false,
        };
        match part {
            Part::Preconditions | Part::PreconditionReads => {
                spec.requires.iter().for_each(|c| partial.expr(&c.cond));
                spec.decreases.iter().for_each(|e| partial.expr(e));
                spec.modifies
                    .iter()
                    .chain(&spec.reads)
                    .for_each(|f| partial.frame(f));
            }
            Part::Postconditions | Part::PostconditionReads => {
                spec.ensures.iter().for_each(|c| partial.expr(&c.cond))
            }
            Part::Body | Part::BodyReads => {
                let is_extreme = matches!(
                    self[id].kind,
                    CallableKind::LeastPredicate | CallableKind::GreatestPredicate
                );
                if let (true, Body::Expr(body)) = (is_extreme, &self[id].body) {
                    partial.expr(body);
                }
            }
        }
        partial.found
    }

    /// Builds `var x := e;`.
    fn evaluated(&mut self, e: Expr) -> Stmt {
        let local = self.new_local("value".into(), e.ty.clone(), e.span);
        crate::initial::assign(local, e)
    }
}

/// The attribute of generated code that is checked only against its `reads` clause.
pub(crate) fn of_reads(span: Span) -> Attribute {
    Attribute {
        name: CONTRACT.into(),
        args: vec![AttributeArg::Bool(true)],
        span,
    }
}

/// Whether the value of an expression may be undefined for some values of its variables: an index
/// may be out of range, a divisor zero, a precondition false.
pub fn may_be_undefined(program: &Program, e: &Expr) -> bool {
    let mut partial = Partial {
        program,
        reads: false,
        whole_slices: false,
        found: false,
    };
    partial.expr(e);
    partial.found
}

/// Builds `assume cond;`.
pub(crate) fn granted(cond: Expr, span: Span) -> Stmt {
    Stmt {
        span,
        kind: StmtKind::Assume(cond),
        labels: Vec::new(),
        ghost: false,
    }
}

/// The separately checked parts of a contract.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// Preconditions, frames and measure.
    Preconditions,
    /// The reads of the preconditions of a function, which have to be in its `reads` clause. They
    /// are checked assuming all preconditions.
    PreconditionReads,
    /// All postconditions.
    Postconditions,
    /// The reads of the postconditions of a function without a body.
    PostconditionReads,
    /// The body of an extreme predicate, which no execution enters.
    Body,
    /// The reads of such a body.
    BodyReads,
}

/// A search for expressions that may be undefined.
struct Partial<'p> {
    program: &'p Program,
    /// Whether to search for reads of the heap instead.
    reads: bool,
    /// Whether a slice without bounds counts, which is undefined for `null` only.
    whole_slices: bool,
    found: bool,
}

impl Partial<'_> {
    fn reads_heap(&self, e: &Expr) -> bool {
        if let ExprKind::Index { object, .. } | ExprKind::Slice { object, .. } = &e.kind {
            matches!(self.program.strip_subset(&object.ty), Type::Array { .. })
        } else if let ExprKind::Field { field, .. } = &e.kind {
            matches!(self.program[*field].kind, FieldKind::Mutable)
        } else {
            matches!(e.kind, ExprKind::Apply { .. })
        }
    }

    /// Whether the literal may be outside of its newtype.
    fn may_be_outside(&self, literal: &Literal, ty: &Type) -> bool {
        let Type::Named { decl, .. } = self.program.strip_subset(ty) else {
            return false;
        };
        let TypeDeclKind::Newtype(c) = &self.program[decl].kind else {
            return false;
        };
        match literal {
            Literal::Int(n) => c
                .range
                .as_ref()
                .is_none_or(|(low, high)| !(low <= n && n < high)),
            Literal::Real(_) => true,
            Literal::Bool(_) | Literal::Char(_) | Literal::String(_) | Literal::Null => false,
        }
    }

    /// Whether the value may not belong to a type that it is used as.
    fn narrows(&self, ty: &Type, value: &Expr) -> bool {
        let is_narrow = ty.parts().next().is_some()
            || self.program.strip_subset(ty) != *ty
            || matches!(ty, Type::Named { .. });
        is_narrow && *ty != value.ty && !matches!(ty, Type::Param(_))
    }

    /// Whether a pattern obviously fits all values.
    fn fits(&self, pattern: &Pattern) -> bool {
        match &pattern.kind {
            PatternKind::Wildcard => true,
            PatternKind::Var(local) => self.program[*local].ty == pattern.ty,
            PatternKind::Tuple(parts) => parts.iter().all(|p| self.fits(p)),
            PatternKind::Ctor { ctor, args } => {
                let datatype = &self.program[self.program[*ctor].datatype].kind;
                matches!(datatype, TypeDeclKind::Datatype { ctors, .. } if ctors.len() == 1)
                    && args.iter().all(|p| self.fits(p))
            }
            PatternKind::Value(_) => false,
            PatternKind::Or(parts) => parts.iter().any(|p| self.fits(p)),
        }
    }

    /// Whether an object of a frame, or one of its elements, may be null.
    fn may_have_null(&self, ty: &Type) -> bool {
        may_be_null(ty) || ty.parts().any(may_be_null)
    }

    /// Whether an application of a function value may have no value: for a function that is total
    /// by its type, only if an argument may be outside of the type of its parameter.
    fn is_partial_application(&self, function: &Expr, args: &[Expr]) -> bool {
        let Type::Arrow {
            kind: ArrowKind::Total,
            params,
            ..
        } = &function.ty
        else {
            return true;
        };
        params
            .iter()
            .zip(args)
            .any(|(ty, arg)| self.narrows(ty, arg))
    }

    /// Whether a field may be missing in a value. A destructor is total only if all constructors
    /// have it.
    fn is_partial_field(&self, object: &Expr, field: FieldId) -> bool {
        match &self.program[field].kind {
            FieldKind::Destructor(ctors) => {
                let owner = self.program[field].owner.map(|t| &self.program[t].kind);
                !matches!(owner, Some(TypeDeclKind::Datatype { ctors: all, .. }) if all.len() == ctors.len())
            }
            FieldKind::Mutable | FieldKind::Const(_) => may_be_null(&object.ty),
        }
    }

    /// Whether an expression may have no value although its parts have values.
    fn is_partial(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Index { object, .. } => {
                // Indices and keys have to be in the collection, except for multisets.
                !matches!(object.ty, Type::Multiset(_))
            }
            ExprKind::Slice {
                object,
                from: None,
                to: None,
            } => self.whole_slices || may_be_null(&object.ty),
            ExprKind::Slice { .. }
            | ExprKind::SliceLengths { .. }
            | ExprKind::DatatypeUpdate { .. }
            | ExprKind::Convert(_)
            | ExprKind::SeqConstruct { .. }
            | ExprKind::LetSuchThat { .. }
            | ExprKind::LetOrFail(_)
            | ExprKind::StmtExpr { .. }
            | ExprKind::Update { .. }
            | ExprKind::PrefixEq { .. } => true,
            // The cases of a match, and the patterns of a binding, may not fit the value.
            ExprKind::Match { cases, .. } => !cases.last().is_some_and(|c| self.fits(&c.pattern)),
            ExprKind::Let { bindings, .. } => {
                bindings.iter().any(|(pattern, _)| !self.fits(pattern))
            }
            ExprKind::Construct { ctor, args } => {
                let fields = self.program[*ctor].fields.iter();
                fields
                    .zip(args)
                    .any(|(field, arg)| self.narrows(&self.program[*field].ty, arg))
            }
            // A key of a map comprehension may have several values.
            ExprKind::MapComp { .. } => true,
            ExprKind::Unchanged { frame, .. } => frame
                .iter()
                .filter_map(|f| f.object.as_ref())
                .any(|object| self.may_have_null(&object.ty)),
            ExprKind::Binary(
                BinaryOp::Div | BinaryOp::Mod | BinaryOp::Shl | BinaryOp::Shr,
                _,
                _,
            ) => true,
            // The result may be outside of a newtype, no character, or no ordinal.
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, _, _)
                if matches!(e.ty, Type::Char | Type::Ordinal) =>
            {
                true
            }
            ExprKind::Binary(..)
            | ExprKind::Unary(..)
            | ExprKind::SeqDisplay(_)
            | ExprKind::SetDisplay(_)
            | ExprKind::MultisetDisplay(_)
            | ExprKind::MapDisplay(_)
            | ExprKind::SetComp { .. } => matches!(e.ty, Type::Named { .. }),
            ExprKind::Literal(literal) => self.may_be_outside(literal, &e.ty),
            ExprKind::Apply { function, args } => self.is_partial_application(function, args),
            ExprKind::Field {
                object: Some(object),
                field,
                ..
            } => self.is_partial_field(object, *field),
            ExprKind::Builtin { member, object } => match member {
                BuiltinMember::ArrayLength(_) => may_be_null(&object.ty),
                BuiltinMember::RotateLeft
                | BuiltinMember::RotateRight
                | BuiltinMember::OrdinalOffset => true,
                BuiltinMember::Keys
                | BuiltinMember::Values
                | BuiltinMember::Items
                | BuiltinMember::Floor
                | BuiltinMember::IsLimit
                | BuiltinMember::IsSucc
                | BuiltinMember::IsNat
                | BuiltinMember::FunctionRequires
                | BuiltinMember::FunctionReads => false,
            },
            ExprKind::Local(_)
            | ExprKind::This
            | ExprKind::Field { .. }
            | ExprKind::CtorTest { .. }
            | ExprKind::TupleField { .. }
            | ExprKind::Delayed(_)
            | ExprKind::Call(_)
            | ExprKind::FunctionRef { .. }
            | ExprKind::TupleUpdate { .. }
            | ExprKind::Chain { .. }
            | ExprKind::Is(..)
            | ExprKind::Cardinality(_)
            | ExprKind::Tuple(_)
            | ExprKind::MultisetFrom(_)
            | ExprKind::Quantifier { .. }
            | ExprKind::Lambda(_)
            | ExprKind::If { .. }
            | ExprKind::IfBinding { .. }
            | ExprKind::Old { .. }
            | ExprKind::Fresh { .. }
            | ExprKind::Allocated(_)
            | ExprKind::Assigned(_)
            | ExprKind::Wildcard
            | ExprKind::Error => false,
        }
    }
}

impl<'t> Visit<'t> for Partial<'_> {
    fn expr(&mut self, e: &'t Expr) {
        self.found |= if self.reads {
            self.reads_heap(e)
        } else {
            self.is_partial(e)
        };
        if !self.found {
            walk_expr(self, e);
        }
    }

    fn call(&mut self, c: &'t Call) {
        let callee = &self.program[c.callee];
        let narrows = callee
            .ins
            .iter()
            .zip(&c.args)
            .any(|(f, a)| self.narrows(&self.program[f.local].ty, a));
        let on_null = c.receiver.as_ref().is_some_and(|r| may_be_null(&r.ty));
        self.found |= match self.reads {
            true => !callee.spec.reads.is_empty(),
            false => !callee.spec.requires.is_empty() || narrows || on_null,
        };
        walk_call(self, c);
    }
}

fn may_be_null(ty: &Type) -> bool {
    matches!(
        ty,
        Type::Named { nullable: true, .. }
            | Type::Array { nullable: true, .. }
            | Type::Object { nullable: true }
    )
}
