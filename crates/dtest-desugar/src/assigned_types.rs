//! Subset types that Dafny 4.11 infers for local variables.
//!
//! Inference of bodies works on base types, so that `var i := n` with a parameter `n: nat` gives `i`
//! the type `int`. Without `--type-system-refresh`, Dafny infers `nat`, and has to prove that each
//! later assignment to `i` is a `nat`. Its rules were found by experiment, since the reference
//! manual does not state them:
//!
//! - The variable has the common type of all values that are assigned to it, if they have the same
//!   one. A literal, `*`, and arithmetic on the variable and literals have any type. Other
//!   arithmetic, conditional and `match` expressions have the base type.
//! - The variable has the base type if its value is an operand on the left of an order comparison
//!   or of arithmetic whose right operand is more than a literal, or is in a similar place.
//!
//! [`inferred_types`] only returns a type where these rules are certain, because an obligation that
//! Dafny does not have would be a false alarm. In other cases, obligations are missing.
#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "an approximation of inference: forms that it does not know say nothing about a type"
)]

use std::collections::{BTreeMap, BTreeSet};

use super::assigned_collections::is_collection;
use dafny_resolve::typed::visit::{self, Visit};
use dafny_resolve::typed::{
    ArrayInit, BinaryOp, Block, Call, Expr, ExprKind, LocalId, Program, Rhs, Stmt, StmtKind,
    Target, Type, TypeDeclKind, UnaryOp,
};

/// Returns the subset types of variables that `body` declares without a type.
pub(crate) fn inferred_types(program: &Program, body: &Block) -> BTreeMap<LocalId, Type> {
    let mut uses = Uses {
        program,
        values: BTreeMap::new(),
        widened: BTreeSet::new(),
        operands: Vec::new(),
    };
    uses.block(body);
    loop {
        let types = uses.types();
        // That a variable has the base type may change the types of others.
        let before = uses.widened.len();
        uses.widened.extend(uses.flows_elsewhere(&types));
        if uses.widened.len() == before {
            return types;
        }
    }
}

/// Returns the variables for the first index in lambdas that initialize new arrays, which have type
/// `nat` unless a type is written. Those for further indices have type `int`.
pub(crate) fn array_indices(program: &Program, body: &Block) -> BTreeMap<LocalId, Type> {
    struct Indices(BTreeSet<LocalId>);
    impl<'t> Visit<'t> for Indices {
        fn stmt(&mut self, s: &'t Stmt) {
            if let StmtKind::Assign { pairs, .. } = &s.kind {
                for (_, rhs) in pairs {
                    if let Rhs::NewArray {
                        init: ArrayInit::Function(f),
                        ..
                    } = rhs
                        && let ExprKind::Lambda(lambda) = &f.kind
                        && lambda.has_type.first() == Some(&false)
                    {
                        self.0.extend(lambda.params.first());
                    }
                }
            }
            visit::walk_stmt(self, s);
        }
    }
    let Some(nat) = program.nat else {
        return BTreeMap::new();
    };
    let mut indices = Indices(BTreeSet::new());
    indices.block(body);
    let nat = |index| (index, Type::named(nat, Vec::new()));
    indices.0.into_iter().map(nat).collect()
}

/// A value that is assigned to a variable.
pub(super) enum Value<'t> {
    Expr(&'t Expr),
    /// The result of a method.
    Result(Type),
    /// A value whose type is not followed.
    Other,
}

/// Returns the subset type that all values of `local` have.
fn common(
    program: &Program,
    local: LocalId,
    values: &[Value<'_>],
    types: &BTreeMap<LocalId, Type>,
) -> Option<Type> {
    let mut common: Option<Type> = None;
    for value in values {
        let ty = match value {
            Value::Expr(e) if is_neutral(e, local) => continue,
            Value::Expr(e) => type_of(e, types)?,
            Value::Result(ty) => ty.clone(),
            Value::Other => return None,
        };
        if common.as_ref().is_some_and(|other| *other != ty) {
            return None;
        }
        common = Some(ty);
    }
    let ty = common?;
    let is_subset = matches!(&ty, Type::Named { decl, .. } if matches!(program[*decl].kind, TypeDeclKind::Subset(_)));
    let base = program.strip_subset(&ty);
    // Literals of other types have the base type.
    let is_number = matches!(base, Type::Int | Type::Real | Type::Bv(_));
    (is_subset && is_number && base == program[local].ty).then_some(ty)
}

/// Whether the value fits every type of the variable `local`: a literal, or arithmetic on the
/// variable and literals.
fn is_neutral(e: &Expr, local: LocalId) -> bool {
    is_literal(e)
        || matches!(e.kind, ExprKind::Wildcard)
        || arithmetic(e).is_some_and(|operands| {
            operands
                .iter()
                .all(|o| is_literal(o) || matches!(o.kind, ExprKind::Local(x) if x == local))
        })
}

pub(super) fn is_literal(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Literal(_) => true,
        ExprKind::Unary(UnaryOp::Neg, operand) => is_literal(operand),
        _compound => false,
    }
}

/// The operands of an expression that consists of arithmetic, or `None` for another expression.
fn arithmetic(e: &Expr) -> Option<Vec<&Expr>> {
    fn collect<'t>(e: &'t Expr, into: &mut Vec<&'t Expr>) {
        match &e.kind {
            ExprKind::Unary(UnaryOp::Neg, operand) => collect(operand, into),
            ExprKind::Binary(op, a, b) if is_arithmetic(*op) => {
                collect(a, into);
                collect(b, into);
            }
            _operand => into.push(e),
        }
    }
    let mut operands = Vec::new();
    collect(e, &mut operands);
    (!matches!(operands.as_slice(), [only] if std::ptr::eq(*only, e))).then_some(operands)
}

fn is_arithmetic(op: BinaryOp) -> bool {
    match op {
        BinaryOp::Add
        | BinaryOp::Sub
        | BinaryOp::Mul
        | BinaryOp::Div
        | BinaryOp::Mod
        | BinaryOp::Shl
        | BinaryOp::Shr
        | BinaryOp::BitAnd
        | BinaryOp::BitOr
        | BinaryOp::BitXor => true,
        BinaryOp::Iff
        | BinaryOp::Implies
        | BinaryOp::Explies
        | BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Eq
        | BinaryOp::Ne
        | BinaryOp::Lt
        | BinaryOp::Le
        | BinaryOp::Gt
        | BinaryOp::Ge
        | BinaryOp::Above
        | BinaryOp::In
        | BinaryOp::NotIn
        | BinaryOp::Disjoint => false,
    }
}

fn is_order(op: BinaryOp) -> bool {
    matches!(
        op,
        BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge
    )
}

/// The type of an expression whose type Dafny takes from a declaration.
pub(super) fn type_of(e: &Expr, types: &BTreeMap<LocalId, Type>) -> Option<Type> {
    match &e.kind {
        ExprKind::Local(x) => Some(types.get(x).unwrap_or(&e.ty).clone()),
        ExprKind::Field { .. }
        | ExprKind::TupleField { .. }
        | ExprKind::Call(_)
        | ExprKind::Apply { .. }
        | ExprKind::Index { .. }
        | ExprKind::Convert(_) => Some(e.ty.clone()),
        ExprKind::Old { expr, .. } => type_of(expr, types),
        ExprKind::Let { body, .. } => type_of(body, types),
        _operation => None,
    }
}

/// The values of variables, and the variables that have the base type because of a use.
pub(super) struct Uses<'p, 't> {
    pub(super) program: &'p Program,
    /// Variables declared without a type, with their values.
    pub(super) values: BTreeMap<LocalId, Vec<Value<'t>>>,
    widened: BTreeSet<LocalId>,
    /// Variables of collections that are operands on the left, with the right operands.
    pub(super) operands: Vec<(LocalId, &'t Expr)>,
}

impl<'t> Uses<'_, 't> {
    /// The types of all variables that are not known to have the base type.
    fn types(&self) -> BTreeMap<LocalId, Type> {
        let mut types = BTreeMap::new();
        // A value may be a variable whose type is inferred too, so this repeats until nothing
        // changes.
        loop {
            let mut changed = false;
            for (local, values) in &self.values {
                if types.contains_key(local) || self.widened.contains(local) {
                    continue;
                }
                let ty = if is_collection(&self.program[*local].ty) {
                    self.common_of_collections(*local, values, &types)
                } else {
                    common(self.program, *local, values, &types)
                };
                if let Some(ty) = ty {
                    types.insert(*local, ty);
                    changed = true;
                }
            }
            if !changed {
                return types;
            }
        }
    }

    fn declare(&mut self, locals: &[LocalId]) {
        for local in locals {
            if self.program[*local].inferred {
                self.values.entry(*local).or_default();
            }
        }
    }

    fn assign(&mut self, target: &Target, value: Value<'t>) {
        if let Target::Local(local) = target
            && let Some(values) = self.values.get_mut(local)
        {
            values.push(value);
        }
    }

    /// Records that the variables that determine the type of `e` have the base type.
    fn widen(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Local(x) => {
                self.widened.insert(*x);
            }
            ExprKind::Unary(_, body)
            | ExprKind::Old { expr: body, .. }
            | ExprKind::Let { body, .. }
            | ExprKind::LetSuchThat { body, .. }
            | ExprKind::StmtExpr { body, .. } => self.widen(body),
            ExprKind::Binary(_, a, b) => {
                self.widen(a);
                self.widen(b);
            }
            ExprKind::If { then, els, .. } | ExprKind::IfBinding { then, els, .. } => {
                self.widen(then);
                self.widen(els);
            }
            ExprKind::Match { cases, .. } => cases.iter().for_each(|c| self.widen(&c.body)),
            ExprKind::SeqDisplay(es)
            | ExprKind::SetDisplay(es)
            | ExprKind::MultisetDisplay(es)
            | ExprKind::Tuple(es)
            | ExprKind::Construct { args: es, .. } => es.iter().for_each(|e| self.widen(e)),
            ExprKind::MapDisplay(pairs) => {
                for (key, value) in pairs {
                    self.widen(key);
                    self.widen(value);
                }
            }
            ExprKind::Update { object, key, value } => {
                [object, key, value].into_iter().for_each(|e| self.widen(e));
            }
            _with_a_declared_type => {}
        }
    }

    /// Records an operator. Its left operand has the base type if the right one is more than a
    /// literal.
    fn operator(&mut self, op: BinaryOp, left: &Expr, right: &'t Expr) {
        // A bound variable has the type of the elements that it ranges over, and may widen it.
        if matches!(op, BinaryOp::In | BinaryOp::NotIn)
            && let ExprKind::Local(x) = left.kind
            && self.program[x].inferred
        {
            self.widen(right);
        }
        if is_collection(&left.ty) {
            match &left.kind {
                _kept if !is_arithmetic(op) && !is_order(op) && op != BinaryOp::Disjoint => {}
                _kept if op == BinaryOp::Sub => {}
                ExprKind::Local(x) => self.operands.push((*x, right)),
                _compound => self.widen(left),
            }
        } else if (is_arithmetic(op) || is_order(op)) && !is_literal(right) {
            self.widen(left);
        }
    }

    /// Records alternatives or elements that get one type. Dafny's order matters here, and is not
    /// followed.
    fn join(&mut self, parts: &[&Expr]) {
        if parts.iter().filter(|e| !is_literal(e)).count() > 1 {
            parts.iter().for_each(|e| self.widen(e));
        }
    }

    /// Records an argument of a generic parameter, whose type argument is inferred.
    fn argument(&mut self, arg: &Expr, formal: &Type) {
        if formal.any(&mut |t| matches!(t, Type::Param(_))) {
            self.widen(arg);
        }
    }
}

impl<'t> Visit<'t> for Uses<'_, 't> {
    fn expr(&mut self, e: &'t Expr) {
        match &e.kind {
            ExprKind::Binary(op, a, b) => self.operator(*op, a, b),
            ExprKind::Chain { first, rest } => {
                let mut left = &**first;
                for (op, right) in rest {
                    self.operator(*op, left, right);
                    left = right;
                }
            }
            ExprKind::If { .. } | ExprKind::IfBinding { .. } | ExprKind::Match { .. } => {
                self.widen(e);
            }
            ExprKind::SeqDisplay(es) | ExprKind::SetDisplay(es) | ExprKind::MultisetDisplay(es) => {
                self.join(&es.iter().collect::<Vec<_>>());
            }
            ExprKind::MapDisplay(pairs) => {
                self.join(&pairs.iter().map(|(k, _)| k).collect::<Vec<_>>());
                self.join(&pairs.iter().map(|(_, v)| v).collect::<Vec<_>>());
            }
            ExprKind::SeqConstruct { len, .. } => self.widen(len),
            ExprKind::Index { indices, .. } => indices.iter().for_each(|i| self.widen(i)),
            ExprKind::Slice { from, to, .. } => {
                for bound in [from, to].into_iter().flatten() {
                    self.widen(bound);
                }
            }
            ExprKind::SliceLengths { lengths, .. } => lengths.iter().for_each(|l| self.widen(l)),
            ExprKind::Update { object, key, value } => {
                if matches!(self.program.representation(&object.ty), Type::Seq(_)) {
                    self.widen(key);
                } else if matches!(self.program.representation(&object.ty), Type::Multiset(_)) {
                    self.widen(value);
                }
            }
            ExprKind::Construct { ctor, args } => {
                for (arg, field) in args.iter().zip(&self.program[*ctor].fields) {
                    self.argument(arg, &self.program[*field].ty.clone());
                }
            }
            ExprKind::DatatypeUpdate { updates, .. } => {
                for (field, value) in updates {
                    self.argument(value, &self.program[*field].ty.clone());
                }
            }
            _place_with_a_type => {}
        }
        visit::walk_expr(self, e);
    }

    fn call(&mut self, c: &'t Call) {
        for (arg, formal) in c.args.iter().zip(&self.program[c.callee].ins) {
            self.argument(arg, &self.program[formal.local].ty.clone());
        }
        visit::walk_call(self, c);
    }

    fn stmt(&mut self, s: &'t Stmt) {
        match &s.kind {
            StmtKind::VarDecl(locals) => self.declare(locals),
            StmtKind::Assign { declares, pairs } => {
                self.declare(declares);
                for (target, rhs) in pairs {
                    match rhs {
                        Rhs::Expr(e) => self.assign(target, Value::Expr(e)),
                        Rhs::Havoc(_) => {}
                        _allocation => self.assign(target, Value::Other),
                    }
                }
            }
            StmtKind::Call {
                declares,
                targets,
                call,
            } => {
                self.declare(declares);
                for (target, out) in targets.iter().zip(&self.program[call.callee].outs) {
                    let ty = self.program[out.local].ty.clone();
                    let is_generic = ty.any(&mut |t| matches!(t, Type::Param(_)));
                    let value = if is_generic {
                        Value::Other
                    } else {
                        Value::Result(ty)
                    };
                    self.assign(target, value);
                }
            }
            StmtKind::SuchThat { targets, .. } => {
                for target in targets {
                    self.assign(target, Value::Other);
                }
            }
            StmtKind::AssignOrFail(a) => {
                self.declare(&a.declares);
                if let Some((target, _)) = &a.extract {
                    self.assign(target, Value::Other);
                }
            }
            StmtKind::For { from, to, .. } => {
                self.widen(from);
                to.iter().for_each(|to| self.widen(to));
            }
            _without_targets => {}
        }
        visit::walk_stmt(self, s);
    }
}
