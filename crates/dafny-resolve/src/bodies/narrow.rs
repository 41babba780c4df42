//! Narrows the inferred types of bound variables to subset types.
//!
//! Inference works on base types, so that `forall id :: Occurs(s, id)` gives `id` the type `int`
//! although the parameter has type `nat`. Dafny 4.11 infers more. Its rules were found by
//! experiment, since the reference manual does not state them.
//!
//! Without `--type-system-refresh`, the variable has the type of the places that receive its value,
//! if all of these have the same type and no comparison or operation widens it. With
//! `--type-system-refresh`, it has the base type, unless the first such place is a parameter whose
//! type is written as a synonym.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use crate::typed::rewrite::{self, Rewrite};
use crate::typed::visit::{Visit, walk_call, walk_expr, walk_quantified, walk_stmt};
use crate::typed::{
    BinaryOp, Block, Call, Expr, ExprKind, LocalId, Pattern, PatternKind, Program, Quantified, Rhs,
    Stmt, StmtKind, Target, Type, TypeDeclKind, UnaryOp,
};

/// The uses of one variable that bound its type.
#[derive(Default)]
struct Contacts {
    /// The types of the places that receive its value.
    upper: Vec<Type>,
    /// The types of values compared with it such that its type is at least as wide.
    lower: Vec<Type>,
    /// Whether it is the left operand of an order comparison with a literal, and whether it is the
    /// right operand of one.
    is_compared: (bool, bool),
    /// Whether it is an operand of an arithmetic operation.
    is_operand: bool,
    /// With `--type-system-refresh`: the type from the first use. The inner `None` means that the
    /// first use determines none.
    first: Option<Option<Type>>,
}

/// Collects the uses of variables.
struct Collector<'a> {
    program: &'a Program,
    /// Parameters whose types are written as synonyms.
    synonyms: &'a FxHashSet<LocalId>,
    /// Bound variables without a written type.
    found: BTreeMap<LocalId, Contacts>,
    /// Variables declared by `:|`, each with the bound variable that represents it in the
    /// condition.
    declared: BTreeMap<LocalId, LocalId>,
}

impl Collector<'_> {
    /// The uses of a variable, or `None` if its type is written.
    fn contacts(&mut self, x: LocalId) -> Option<&mut Contacts> {
        let x = self.declared.get(&x).copied().unwrap_or(x);
        self.found.get_mut(&x)
    }

    /// Records that a place of type `ty` receives the value of `e`. `synonym`: whether the type is
    /// written as a synonym.
    fn goes_to(&mut self, e: &Expr, ty: &Type, synonym: bool) {
        match (&e.kind, ty) {
            (ExprKind::Local(x), _) => {
                if let Some(contacts) = self.contacts(*x)
                    && !matches!(ty, Type::Param(_))
                {
                    contacts.upper.push(ty.clone());
                    // Remember the first type if it is written as a synonym.
                    contacts
                        .first
                        .get_or_insert_with(|| synonym.then(|| ty.clone()));
                }
            }
            // A value inside a display, tuple or constructor goes to the type of its component.
            (ExprKind::SeqDisplay(es), Type::Seq(elem))
            | (ExprKind::MultisetDisplay(es), Type::Multiset(elem))
            | (ExprKind::SetDisplay(es), Type::Set { elem, .. }) => {
                es.iter().for_each(|e| self.goes_to(e, elem, false));
            }
            (ExprKind::Tuple(es), Type::Tuple(parts)) => {
                for (e, (_, part)) in es.iter().zip(parts) {
                    self.goes_to(e, part, false);
                }
            }
            (
                ExprKind::Construct { ctor, args },
                Type::Named {
                    decl, args: types, ..
                },
            ) if self.program[*ctor].datatype == *decl => {
                let map = self.program.substitution(*decl, types);
                for (e, field) in args.iter().zip(&self.program[*ctor].fields) {
                    self.goes_to(e, &self.program[*field].ty.subst(&map), false);
                }
            }
            (ExprKind::SeqConstruct { init, .. }, Type::Seq(elem)) => {
                if let ExprKind::Lambda(lambda) = &init.kind {
                    self.goes_to(&lambda.body, elem, false);
                }
            }
            (ExprKind::Binary(BinaryOp::Add, a, b), Type::Seq(_) | Type::Set { .. }) => {
                self.goes_to(a, ty, false);
                self.goes_to(b, ty, false);
            }
            // The value of a branch or a body is the value of the whole.
            (ExprKind::If { then, els, .. }, _) => {
                self.goes_to(then, ty, false);
                self.goes_to(els, ty, false);
            }
            (ExprKind::Let { body, .. } | ExprKind::LetSuchThat { body, .. }, _) => {
                self.goes_to(body, ty, false);
            }
            (_, _) => {}
        }
    }

    /// Records an order comparison. It makes the type of the left operand at least as wide as that
    /// of the right one.
    fn compared(&mut self, left: &Expr, right: &Expr) {
        let is_literal = |e: &Expr| super::zonk::constant(e).is_some();
        let (left_is_literal, right_is_literal) = (is_literal(left), is_literal(right));
        // Another variable without a written type has no type of its own yet.
        let right_is_open =
            matches!(&right.kind, ExprKind::Local(x) if self.contacts(*x).is_some());
        if let ExprKind::Local(x) = &left.kind
            && let Some(contacts) = self.contacts(*x)
        {
            if right_is_literal {
                // A literal fits all integer types, so only the side of the comparison is evidence.
                contacts.is_compared.0 = true;
            } else {
                contacts.first.get_or_insert(None);
                // The type of another inferred variable is no evidence.
                if !right_is_open {
                    contacts.lower.push(right.ty.clone());
                }
            }
        }
        if let ExprKind::Local(x) = &right.kind
            && let Some(contacts) = self.contacts(*x)
        {
            contacts.is_compared.1 = true;
            if !left_is_literal {
                contacts.first.get_or_insert(None);
            }
        }
    }

    /// Records an equality, which widens neither operand.
    fn equated(&mut self, a: &Expr, b: &Expr) {
        for (x, other) in [(a, b), (b, a)] {
            if let ExprKind::Local(id) = &x.kind
                && super::zonk::constant(other).is_none()
                && !matches!(&other.kind, ExprKind::Local(o) if o == id)
                && let Some(contacts) = self.contacts(*id)
            {
                contacts.first.get_or_insert(None);
            }
        }
    }

    fn operand(&mut self, e: &Expr) {
        if let ExprKind::Local(x) = &e.kind
            && let Some(contacts) = self.contacts(*x)
        {
            contacts.is_operand = true;
            contacts.first.get_or_insert(None);
        }
    }

    fn operator(&mut self, op: BinaryOp, a: &Expr, b: &Expr) {
        match op {
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => self.compared(a, b),
            BinaryOp::Eq | BinaryOp::Ne => self.equated(a, b),
            BinaryOp::In | BinaryOp::NotIn => {
                if let ExprKind::Local(x) = &a.kind
                    && let Some(contacts) = self.contacts(*x)
                {
                    contacts.first.get_or_insert(None);
                }
            }
            BinaryOp::Add
            | BinaryOp::Sub
            | BinaryOp::Mul
            | BinaryOp::Div
            | BinaryOp::Mod
            | BinaryOp::Shl
            | BinaryOp::Shr
            | BinaryOp::BitAnd
            | BinaryOp::BitOr
            | BinaryOp::BitXor => {
                self.operand(a);
                self.operand(b);
            }
            BinaryOp::Iff
            | BinaryOp::Implies
            | BinaryOp::Explies
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Above
            | BinaryOp::Disjoint => {}
        }
    }
}

/// The variable of a pattern that is only a variable.
fn sole_variable(pattern: &Pattern) -> Option<LocalId> {
    if let PatternKind::Var(local) = &pattern.kind {
        Some(*local)
    } else {
        None
    }
}

impl<'t> Visit<'t> for Collector<'_> {
    fn quantified(&mut self, q: &'t Quantified) {
        for var in &q.vars {
            // Only variables without a written type are narrowed.
            if self.program[*var].inferred {
                self.found.entry(*var).or_default();
            }
        }
        walk_quantified(self, q);
    }

    #[allow(
        clippy::wildcard_enum_match_arm,
        reason = "in other expressions, no operand has a place with a type"
    )]
    fn expr(&mut self, e: &'t Expr) {
        match &e.kind {
            ExprKind::Construct { ctor, args } => {
                for (e, field) in args.iter().zip(&self.program[*ctor].fields) {
                    self.goes_to(e, &self.program[*field].ty, false);
                }
            }
            ExprKind::Apply { function, args } => {
                if let Type::Arrow { params, .. } = self.program.strip_subset(&function.ty) {
                    for (e, ty) in args.iter().zip(&params) {
                        self.goes_to(e, ty, false);
                    }
                }
            }
            ExprKind::Let { bindings, .. } => {
                for (pattern, value) in bindings {
                    if let Some(local) = sole_variable(pattern) {
                        self.goes_to(value, &self.program[local].ty, false);
                    }
                }
            }
            ExprKind::Binary(op, a, b) => self.operator(*op, a, b),
            ExprKind::Chain { first, rest } => {
                let mut left = &**first;
                for (op, right) in rest {
                    self.operator(*op, left, right);
                    left = right;
                }
            }
            ExprKind::Unary(UnaryOp::Neg, x) => self.operand(x),
            _holds_no_place => {}
        }
        walk_expr(self, e);
    }

    fn call(&mut self, c: &'t Call) {
        let formals = &self.program[c.callee].ins;
        for (e, formal) in c.args.iter().zip(formals) {
            let synonym = self.synonyms.contains(&formal.local);
            self.goes_to(e, &self.program[formal.local].ty, synonym);
        }
        walk_call(self, c);
    }

    fn stmt(&mut self, s: &'t Stmt) {
        if let StmtKind::SuchThat { declares, vars, .. } = &s.kind {
            for (local, bound) in declares.iter().zip(&vars.vars) {
                if self.program[*local].inferred {
                    self.found.entry(*bound).or_default();
                    self.declared.insert(*local, *bound);
                }
            }
        } else if let StmtKind::Assign { pairs, .. } = &s.kind {
            for (target, rhs) in pairs {
                if let (Target::Local(local), Rhs::Expr(e)) = (target, rhs) {
                    self.goes_to(e, &self.program[*local].ty, false);
                }
            }
        }
        walk_stmt(self, s);
    }
}

impl Contacts {
    /// The type that Dafny infers, if it is narrower than `base`.
    fn narrower(&self, program: &Program, base: &Type) -> Option<Type> {
        let ty = if program.options.type_system_refresh {
            self.first.clone().flatten()?
        } else {
            // A variable whose value goes nowhere keeps its base type.
            let ty = self.upper.first()?;
            // All evidence has to agree on one type; otherwise Dafny keeps the base type.
            let is_widened = self.is_operand
                || self.is_compared == (true, true)
                || self.upper.iter().any(|t| t != ty)
                || self.lower.iter().any(|t| t != ty);
            if is_widened {
                return None;
            }
            ty.clone()
        };
        // The inferred type may differ from the base in subset types only.
        (ty != *base && program.strip_all_subsets(&ty) == program.strip_all_subsets(base))
            .then_some(ty)
    }
}

impl Program {
    /// Replaces subset types by their bases, in all parts of the type.
    fn strip_all_subsets(&self, ty: &Type) -> Type {
        let ty = self.strip_subset(ty);
        ty.map_parts(&mut |t| self.strip_all_subsets(t))
    }

    /// Whether the type or a part of it is a subset type.
    fn holds_subsets(&self, ty: &Type) -> bool {
        ty.any(&mut |t| matches!(t, Type::Named { decl, .. } if matches!(self[*decl].kind, TypeDeclKind::Subset(_))))
    }
}

/// Sets the types of variables, at their uses.
struct Retype<'a>(&'a BTreeMap<LocalId, Type>);

impl Rewrite for Retype<'_> {
    fn expr(&mut self, e: &mut Expr) {
        if let ExprKind::Local(x) = &e.kind
            && let Some(ty) = self.0.get(x)
        {
            e.ty = ty.clone();
        }
        rewrite::walk_expr(self, e);
    }
}

/// Returns the narrowed types of the bound variables in the tree that `visit` traverses.
fn narrower_types(
    program: &Program,
    synonyms: &FxHashSet<LocalId>,
    visit: impl FnOnce(&mut Collector<'_>),
) -> BTreeMap<LocalId, Type> {
    let mut collector = Collector {
        program,
        synonyms,
        found: BTreeMap::new(),
        declared: BTreeMap::new(),
    };
    visit(&mut collector);
    let declared = std::mem::take(&mut collector.declared);
    let narrower = |(x, contacts): (LocalId, Contacts)| {
        let ty = contacts.narrower(program, &program[x].ty)?;
        program.holds_subsets(&ty).then_some((x, ty))
    };
    let mut types: BTreeMap<LocalId, Type> =
        collector.found.into_iter().filter_map(narrower).collect();
    // A variable of `:|` has the type of its bound variable.
    for (local, bound) in declared {
        types.extend(types.get(&bound).cloned().map(|ty| (local, ty)));
    }
    types
}

fn set_types(program: &mut Program, types: &BTreeMap<LocalId, Type>) {
    for (x, ty) in types {
        program[*x].ty = ty.clone();
    }
}

/// Narrows the bound variables of an expression. Its types have to be final.
pub(super) fn narrow_expr(program: &mut Program, synonyms: &FxHashSet<LocalId>, e: &mut Expr) {
    let types = narrower_types(program, synonyms, |c| c.expr(e));
    if !types.is_empty() {
        set_types(program, &types);
        Retype(&types).expr(e);
    }
}

/// Narrows the bound variables of a block. Its types have to be final.
pub(super) fn narrow_block(program: &mut Program, synonyms: &FxHashSet<LocalId>, b: &mut Block) {
    let types = narrower_types(program, synonyms, |c| c.block(b));
    if !types.is_empty() {
        set_types(program, &types);
        Retype(&types).block(b);
    }
}
