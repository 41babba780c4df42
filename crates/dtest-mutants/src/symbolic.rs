//! Symbolic execution of code from a place to the next loop head or return (King, *Symbolic
//! Execution and Program Testing*, 1976). The results are expressions over the state at that place:
//! a tree of the paths ([`Ways`]), with the conditions under which they do not fail ([`Need`]).
//!
//! Values are substituted for variables, so that a few assignments can make expressions that are
//! exponentially larger than the source. Every copy is counted, and the execution is given up
//! beyond [`MAX_MADE`].

use super::defined::{is_same, is_total};
use dafny_resolve::typed::{FieldId, FieldKind, Literal, Type};
use dafny_source::Span;
use dtest_ir::{
    AssertKind, BlockId, Coll, Expr, ExprKind, Num, Op, Procedure, Program, Stmt, StmtKind,
    Terminator, Var, build,
};
use dtest_sorted::SortedMap;

/// Maximum number of blocks that are executed.
const MAX_BLOCKS: usize = 48;
/// Maximum number of expressions that are visited.
const MAX_PARTS: usize = 4_000;
/// Maximum total size of the expressions that are made. A substituted value is a copy, so that the
/// size can grow exponentially.
pub(super) const MAX_MADE: usize = 20_000;

/// The tree of paths from a place.
pub(super) enum Ways {
    /// The path ends here, in this state.
    End(End, State),
    /// The path fails.
    Fails,
    /// The path continues if these needs are satisfied.
    Needs(Vec<Need>, Box<Ways>),
    /// The path depends on a condition.
    Branch(Expr, Box<Ways>, Box<Ways>),
}

/// The end of a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    /// The head of a loop.
    Head(BlockId),
    /// The return of the procedure.
    Return,
}

/// A condition that is necessary for an expression to have a value.
pub(super) struct Need {
    /// The condition under which the expression is evaluated.
    pub(super) under: Option<Expr>,
    /// Whether the need mentions bound variables, so that it must hold for each of their values.
    pub(super) is_of_bound: bool,
    /// The need itself.
    pub(super) kind: NeedKind,
}

/// The kind of a need.
pub(super) enum NeedKind {
    /// The condition holds.
    Holds(Expr),
    /// The expression has a value. No more precise condition is known.
    HasValue(Expr),
}

impl NeedKind {
    fn expr(&self) -> &Expr {
        match self {
            Self::Holds(e) | Self::HasValue(e) => e,
        }
    }
}

/// The effects of a path so far.
#[derive(Clone, Default)]
pub(super) struct State {
    /// The values of assigned variables; `None` if the value is unknown.
    vars: SortedMap<Var, Option<Expr>>,
    /// Stores into arrays and fields, in order.
    pub(super) stores: Vec<(Location, Expr)>,
}

/// A location in the heap.
#[derive(Clone)]
pub(super) enum Location {
    /// An element of an array.
    Element(Expr, Vec<Expr>),
    /// A field of an object.
    Field(Expr, FieldId),
}

impl State {
    /// The assigned variables.
    pub(super) fn assigned(&self) -> impl Iterator<Item = Var> {
        self.vars.keys().copied()
    }

    /// The value of a variable with this type; `None` if it is unknown.
    pub(super) fn var(&self, var: Var, ty: &Type) -> Option<Expr> {
        match self.vars.get(&var) {
            Some(value) => value.clone(),
            None => Some(build::var(var, ty.clone(), Span::default())),
        }
    }

    /// The value at a location with this type, as a case distinction over the stores. `None` if it
    /// is unknown whether a store is to this location.
    pub(super) fn read(&self, location: &Location, ty: &Type) -> Option<Expr> {
        let at_first = match location.clone() {
            Location::Element(array, indices) => ExprKind::ReadElement(Box::new(array), indices),
            Location::Field(object, field) => ExprKind::ReadField(Box::new(object), field),
        };
        let mut found = Expr {
            kind: at_first,
            ty: ty.clone(),
            span: Span::default(),
        };
        // Later stores override earlier ones.
        for (stored, value) in &self.stores {
            // If it is unknown whether the store is to this location, the result is unknown.
            let is_there = stored.is(location)?;
            found = match as_bool(&is_there) {
                Some(true) => value.clone(),
                Some(false) => found,
                None => build::choose(is_there, value.clone(), found, ty.clone(), Span::default()),
            };
        }
        Some(found)
    }
}

impl Location {
    /// The condition that two locations are the same, or `None` if it cannot be expressed.
    fn is(&self, other: &Self) -> Option<Expr> {
        // Different literals are different values.
        let equal = |a: &Expr, b: &Expr| match (&a.kind, &b.kind) {
            _same if is_same(a, b) => Some(build::boolean(true, Span::default())),
            (ExprKind::Literal(_), ExprKind::Literal(_)) => {
                Some(build::boolean(false, Span::default()))
            }
            (_, _) if a.ty == b.ty => Some(build::op(
                Op::Eq,
                vec![a.clone(), b.clone()],
                Type::Bool,
                Span::default(),
            )),
            (_, _) => None,
        };
        match (self, other) {
            (Self::Field(a, field), Self::Field(b, other)) if field == other => equal(a, b),
            (Self::Element(a, xs), Self::Element(b, ys)) if xs.len() == ys.len() => {
                let parts = xs.iter().zip(ys).map(|(x, y)| index_equal(x, y));
                parts
                    .chain([equal(a, b)])
                    .try_fold(build::boolean(true, Span::default()), |all, part| {
                        Some(both(all, part?))
                    })
            }
            // Different fields, and fields and elements, never overlap.
            (Self::Field(..) | Self::Element(..), _) => {
                Some(build::boolean(false, Span::default()))
            }
        }
    }
}

/// The condition that two indices are equal. They may have different integer types.
fn index_equal(a: &Expr, b: &Expr) -> Option<Expr> {
    if is_same(a, b) {
        return Some(build::boolean(true, Span::default()));
    }
    if let (ExprKind::Literal(_), ExprKind::Literal(_)) = (&a.kind, &b.kind) {
        return Some(build::boolean(false, Span::default()));
    }
    Some(build::op(
        Op::Eq,
        vec![a.clone(), b.clone()],
        Type::Bool,
        Span::default(),
    ))
}

/// `a && b`, simplified if one of them is constant.
pub(super) fn both(a: Expr, b: Expr) -> Expr {
    match (as_bool(&a), as_bool(&b)) {
        (Some(true), _) => b,
        (_, Some(true)) | (Some(false), _) => a,
        (_, _) => build::and(a, b),
    }
}

/// `a
/// b`, simplified if one of them is constant.
pub(super) fn either(a: Expr, b: Expr) -> Expr {
    match (as_bool(&a), as_bool(&b)) {
        (Some(false), _) => b,
        (_, Some(false)) | (Some(true), _) => a,
        (_, _) => build::or(a, b),
    }
}

/// The value of a constant condition.
pub(super) fn as_bool(e: &Expr) -> Option<bool> {
    if let ExprKind::Literal(Literal::Bool(value)) = &e.kind {
        Some(*value)
    } else {
        None
    }
}

/// Whether statements of this kind are executed symbolically.
pub(super) fn is_executed(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Assign { .. }
        | StmtKind::SetField { .. }
        | StmtKind::SetElement { .. }
        | StmtKind::Assert { .. }
        | StmtKind::Assume { .. }
        | StmtKind::Probe { .. }
        | StmtKind::Snapshot(_) => true,
        StmtKind::Havoc(_)
        | StmtKind::Call { .. }
        | StmtKind::New { .. }
        | StmtKind::NewArray { .. }
        | StmtKind::Redefine { .. }
        | StmtKind::ForallStore { .. }
        | StmtKind::SuchThat(_)
        | StmtKind::Print(_)
        | StmtKind::Expect { .. }
        | StmtKind::HavocHeap(..)
        | StmtKind::Answer { .. }
        | StmtKind::Save { .. }
        | StmtKind::Restore { .. }
        | StmtKind::Unsupported { .. } => false,
    }
}

/// The symbolic interpreter, with its limits.
pub(super) struct Machine<'p> {
    program: &'p Program,
    procedure: &'p Procedure,
    blocks: usize,
    parts: usize,
    made: usize,
}

impl<'p> Machine<'p> {
    pub(super) fn new(program: &'p Program, procedure: &'p Procedure) -> Self {
        Self {
            program,
            procedure,
            blocks: 0,
            parts: 0,
            made: 0,
        }
    }

    /// The tree of paths from a statement of a block, past `heads` loop heads. `None` if the code
    /// does more than branch, assign and store, or a limit is exceeded.
    pub(super) fn ways(&mut self, (block, stmt): (BlockId, usize), heads: usize) -> Option<Ways> {
        self.walk(block, stmt, State::default(), heads)
    }

    fn enter(&mut self, block: BlockId, state: State, heads: usize) -> Option<Ways> {
        let is_head = self.procedure.block(block)?.loop_head.is_some();
        // The head of a loop ends the path, unless heads are left to pass.
        match (is_head, heads) {
            (true, 0) => Some(Ways::End(End::Head(block), state)),
            (true, _) => self.walk(block, 0, state, heads - 1),
            (false, _) => self.walk(block, 0, state, heads),
        }
    }

    fn walk(
        &mut self,
        block: BlockId,
        from: usize,
        mut state: State,
        heads: usize,
    ) -> Option<Ways> {
        self.blocks += 1;
        if self.blocks > MAX_BLOCKS {
            return None;
        }
        let block = self.procedure.block(block)?;
        // The needs of the block's statements are evaluated before its branch.
        let mut needs = Vec::new();
        for stmt in block.stmts.iter().skip(from) {
            self.step(stmt, &mut state, &mut needs)?;
        }
        if self.made > MAX_MADE {
            return None;
        }
        let next = match &block.terminator {
            Terminator::Goto(next) => self.enter(*next, state, heads)?,
            Terminator::Branch { cond, then, els } => {
                // The condition is evaluated in the state after the statements.
                let cond = self.value(cond, &state)?;
                self.needs_of(&cond, None, &mut needs);
                if self.made > MAX_MADE {
                    return None;
                }
                // Constant conditions are decided here: infeasible paths would only weaken the
                // result.
                match as_bool(&cond) {
                    Some(true) => self.enter(*then, state, heads)?,
                    Some(false) => self.enter(*els, state, heads)?,
                    None => {
                        let on_true = self.enter(*then, state.clone(), heads)?;
                        Ways::Branch(
                            cond,
                            Box::new(on_true),
                            Box::new(self.enter(*els, state, heads)?),
                        )
                    }
                }
            }
            Terminator::Return => Ways::End(End::Return, state),
            Terminator::Stop => Ways::Fails,
            Terminator::Choose { .. } => return None,
        };
        Some(if needs.is_empty() {
            next
        } else {
            Ways::Needs(needs, Box::new(next))
        })
    }

    fn step(&mut self, stmt: &Stmt, state: &mut State, needs: &mut Vec<Need>) -> Option<()> {
        match &stmt.kind {
            StmtKind::Assign { var, value } => {
                // Ghost assignments have no needs, because compiled code does not evaluate them.
                let is_ghost = self
                    .procedure
                    .vars
                    .get(var.0 as usize)
                    .is_none_or(|v| v.ghost);
                let value = self.value(value, state);
                if !is_ghost {
                    self.needs_of(value.as_ref()?, None, needs);
                }
                state.vars.insert(*var, value);
            }
            StmtKind::SetField {
                object,
                field,
                value,
            } => {
                // The target and the value are evaluated before the store.
                let (object, value) = (self.value(object, state)?, self.value(value, state)?);
                self.needs_of(&object, None, needs);
                self.needs_of(&value, None, needs);
                self.needs_object(&object, needs);
                state.stores.push((Location::Field(object, *field), value));
            }
            StmtKind::SetElement {
                array,
                indices,
                value,
            } => {
                let (array, value) = (self.value(array, state)?, self.value(value, state)?);
                let indices = indices
                    .iter()
                    .map(|i| self.value(i, state))
                    .collect::<Option<Vec<_>>>()?;
                // The store has the same needs as a read of the element.
                let read = ExprKind::ReadElement(Box::new(array.clone()), indices.clone());
                self.needs_of(
                    &Expr {
                        kind: read,
                        ty: value.ty.clone(),
                        span: stmt.span,
                    },
                    None,
                    needs,
                );
                self.needs_of(&value, None, needs);
                state
                    .stores
                    .push((Location::Element(array, indices), value));
            }
            StmtKind::Assert {
                cond,
                kind: AssertKind::MissingCase,
            } => {
                let cond = self.value(cond, state)?;
                self.needs_of(&cond, None, needs);
                needs.push(Need {
                    under: None,
                    is_of_bound: false,
                    kind: NeedKind::Holds(cond),
                });
            }
            // Compiled code does nothing here.
            StmtKind::Assert { .. }
            | StmtKind::Assume { .. }
            | StmtKind::Probe { .. }
            | StmtKind::Snapshot(_) => {}
            StmtKind::Havoc(_)
            | StmtKind::Call { .. }
            | StmtKind::New { .. }
            | StmtKind::NewArray { .. }
            | StmtKind::Redefine { .. }
            | StmtKind::ForallStore { .. }
            | StmtKind::SuchThat(_)
            | StmtKind::Print(_)
            | StmtKind::Expect { .. }
            | StmtKind::HavocHeap(..)
            | StmtKind::Answer { .. }
            | StmtKind::Save { .. }
            | StmtKind::Restore { .. }
            | StmtKind::Unsupported { .. } => return None,
        }
        Some(())
    }

    /// The value of an expression in terms of the initial state. `None` if it cannot be expressed.
    fn value(&mut self, e: &Expr, state: &State) -> Option<Expr> {
        // The limit on visits bounds the time, the limit on sizes the memory.
        self.parts += 1;
        if self.parts > MAX_PARTS {
            return None;
        }
        let is_known = match &e.kind {
            ExprKind::Var(v) => return self.counted(state.var(*v, &e.ty)),
            ExprKind::ReadElement(array, indices) => {
                let indices = indices
                    .iter()
                    .map(|i| self.value(i, state))
                    .collect::<Option<Vec<_>>>()?;
                let array = self.value(array, state)?;
                return self.counted(state.read(&Location::Element(array, indices), &e.ty));
            }
            ExprKind::ReadField(object, field) => {
                let object = self.value(object, state)?;
                return self.counted(state.read(&Location::Field(object, *field), &e.ty));
            }
            // These expressions may read what was stored.
            ExprKind::Op(Op::ArraySlice, _) | ExprKind::Call { .. } | ExprKind::Apply(..) => {
                state.stores.is_empty()
            }
            // The result is the expression with the values of its parts.
            ExprKind::Literal(_)
            | ExprKind::Op(..)
            | ExprKind::And(..)
            | ExprKind::Or(..)
            | ExprKind::Implies(..)
            | ExprKind::If(..)
            | ExprKind::Let(..)
            | ExprKind::Const { object: None, .. }
            | ExprKind::Quantifier { .. }
            | ExprKind::SetComp(..)
            | ExprKind::MapComp(..)
            | ExprKind::Convert(_)
            | ExprKind::Is(..) => true,
            // The values of these expressions depend on more than the state.
            ExprKind::LetSuchThat(..)
            | ExprKind::IfSuchThat(..)
            | ExprKind::Const {
                object: Some(_), ..
            }
            | ExprKind::Lambda { .. }
            | ExprKind::Delay { .. }
            | ExprKind::FunctionRef { .. }
            | ExprKind::Old(..)
            | ExprKind::Fresh(..)
            | ExprKind::Allocated(_)
            | ExprKind::Unchanged(..)
            | ExprKind::Checked(..)
            | ExprKind::OfContract { .. }
            | ExprKind::Unsupported(_) => false,
        };
        let mut out = Some(e.clone()).filter(|_| is_known)?;
        for child in out.children_mut() {
            *child = self.value(child, state)?;
        }
        Some(out)
    }

    /// A copy of a value from the state. `None` if it is unknown or the size limit is exceeded.
    fn counted(&mut self, copy: Option<Expr>) -> Option<Expr> {
        let copy = copy?;
        self.count(&copy);
        (self.made <= MAX_MADE).then_some(copy)
    }

    /// Counts the size of a new expression. Beyond [`MAX_MADE`], results are discarded.
    fn count(&mut self, e: &Expr) {
        let left = MAX_MADE.saturating_sub(self.made);
        self.made += e.size_within(left).unwrap_or(left + 1);
    }

    /// Adds the needs of an expression that is evaluated under a condition.
    fn needs_of(&mut self, e: &Expr, under: Option<&Expr>, needs: &mut Vec<Need>) {
        let guarded = |cond: &Expr| {
            Some(under.map_or_else(|| cond.clone(), |u| build::and(u.clone(), cond.clone())))
        };
        // The common case: nothing can fail.
        if is_total(e) {
            return;
        }
        // Short-circuiting operators evaluate their right operands under a condition.
        match &e.kind {
            ExprKind::And(a, b) | ExprKind::Implies(a, b) => {
                self.needs_of(a, under, needs);
                self.needs_of(b, guarded(a).as_ref(), needs);
            }
            ExprKind::Or(a, b) => {
                self.needs_of(a, under, needs);
                self.needs_of(b, guarded(&build::not((**a).clone())).as_ref(), needs);
            }
            ExprKind::If(c, a, b) => {
                self.needs_of(c, under, needs);
                self.needs_of(a, guarded(c).as_ref(), needs);
                self.needs_of(b, guarded(&build::not((**c).clone())).as_ref(), needs);
            }
            ExprKind::Quantifier { vars, body, .. } => {
                let first = needs.len();
                // Needs within a quantifier must hold for every value of its variables.
                vars.range
                    .iter()
                    .for_each(|r| self.needs_of(r, under, needs));
                let inside = vars
                    .range
                    .as_ref()
                    .map_or_else(|| under.cloned(), |r| guarded(r));
                self.needs_of(body, inside.as_ref(), needs);
                needs
                    .iter_mut()
                    .skip(first)
                    .for_each(|n| n.is_of_bound = true);
            }
            ExprKind::Literal(_) | ExprKind::Var(_) | ExprKind::Op(..) | ExprKind::Const { .. } => {
                self.needs_of_whole(e, under, needs)
            }
            ExprKind::Let(..) | ExprKind::LetSuchThat(..) | ExprKind::IfSuchThat(..) => {
                self.needs_of_whole(e, under, needs)
            }
            ExprKind::Call { .. } | ExprKind::Apply(..) | ExprKind::FunctionRef { .. } => {
                self.needs_of_whole(e, under, needs)
            }
            ExprKind::Lambda { .. } | ExprKind::Delay { .. } => {
                self.needs_of_whole(e, under, needs)
            }
            ExprKind::SetComp(..) | ExprKind::MapComp(..) => self.needs_of_whole(e, under, needs),
            ExprKind::ReadField(..)
            | ExprKind::ReadElement(..)
            | ExprKind::Convert(_)
            | ExprKind::Is(..) => self.needs_of_whole(e, under, needs),
            ExprKind::Old(..)
            | ExprKind::Fresh(..)
            | ExprKind::Allocated(_)
            | ExprKind::Unchanged(..) => self.needs_of_whole(e, under, needs),
            ExprKind::Checked(..) | ExprKind::OfContract { .. } | ExprKind::Unsupported(_) => {
                self.needs_of_whole(e, under, needs)
            }
        }
    }

    /// The same for an expression that evaluates all of its parts.
    fn needs_of_whole(&mut self, e: &Expr, under: Option<&Expr>, needs: &mut Vec<Need>) {
        // If the operation's own needs are unknown, those of its parts are not enough.
        let own = own_needs(self.program, e);
        let parts = if own.is_some() {
            e.children()
        } else {
            Vec::new()
        };
        parts
            .into_iter()
            .for_each(|c| self.needs_of(c, under, needs));
        let kinds = own.unwrap_or_else(|| vec![NeedKind::HasValue(e.clone())]);
        // Each need copies the operands, at every level of the expression.
        for copy in kinds.iter().map(NeedKind::expr).chain(under) {
            self.count(copy);
        }
        if self.made > MAX_MADE {
            return;
        }
        needs.extend(kinds.into_iter().map(|kind| Need {
            under: under.cloned(),
            is_of_bound: false,
            kind,
        }));
    }

    /// Adds the need that a reference is not null.
    fn needs_object(&mut self, object: &Expr, needs: &mut Vec<Need>) {
        if !is_object(self.program, object) {
            needs.push(Need {
                under: None,
                is_of_bound: false,
                kind: NeedKind::HasValue(object.clone()),
            });
        }
    }
}

/// The conditions, in a state of the procedure, under which an expression has a value. `None` if
/// they cannot be expressed.
pub(super) fn needs(program: &Program, procedure: &Procedure, e: &Expr) -> Option<Vec<Expr>> {
    let mut needs = Vec::new();
    let mut machine = Machine::new(program, procedure);
    machine.needs_of(e, None, &mut needs);
    if machine.made > MAX_MADE {
        return None;
    }
    // Needs of bound variables are not conditions over the state.
    let holds = |need: Need| match need.kind {
        NeedKind::Holds(cond) if !need.is_of_bound => Some(match need.under {
            Some(under) => build::or(build::not(under), cond),
            None => cond,
        }),
        NeedKind::Holds(_) | NeedKind::HasValue(_) => None,
    };
    needs.into_iter().map(holds).collect()
}

/// Whether the type excludes null.
fn is_object(program: &Program, e: &Expr) -> bool {
    let ty = program.typed.strip_subset(&e.ty);
    let may_be_null = matches!(
        ty,
        Type::Named { nullable: true, .. }
            | Type::Array { nullable: true, .. }
            | Type::Object { nullable: true }
    );
    program.typed.is_reference(&ty) && !may_be_null
}

/// The condition `0 <= low <= high` or `0 <= low < high`, by the operator.
fn within(low: Expr, high: Expr, op: Op, span: Span) -> Expr {
    let zero = build::int(0, Type::Int, Span::default());
    let from_zero = build::op(Op::Le(Num::Int), vec![zero, low.clone()], Type::Bool, span);
    build::and(from_zero, build::op(op, vec![low, high], Type::Bool, span))
}

/// The condition that a divisor is not zero.
fn is_not_zero(divisor: &Expr, num: Num, span: Span) -> Expr {
    let zero = match num {
        Num::Real => Literal::Real(num_rational::BigRational::default()),
        Num::Int | Num::Bv(_) | Num::Char | Num::Ordinal => Literal::Int(0.into()),
    };
    let zero = build::expr(ExprKind::Literal(zero), divisor.ty.clone(), span);
    build::op(Op::Ne, vec![divisor.clone(), zero], Type::Bool, span)
}

/// The condition that the bounds of a slice of a sequence or array are ordered and within its
/// length.
fn is_slice_within(is_sequence: bool, [s, low, high]: [&Expr; 3], span: Span) -> Expr {
    let size = if is_sequence {
        Op::Cardinality(Coll::Seq)
    } else {
        Op::ArrayLength(0)
    };
    let length = build::op(size, vec![s.clone()], Type::Int, span);
    let end = vec![high.clone(), length];
    build::and(
        within(low.clone(), high.clone(), Op::Le(Num::Int), span),
        build::op(Op::Le(Num::Int), end, Type::Bool, span),
    )
}

/// The needs of an operation whose operands have values. `None` if they cannot be expressed.
fn own_needs(program: &Program, e: &Expr) -> Option<Vec<NeedKind>> {
    let within = |low: &Expr, high: Expr| within(low.clone(), high, Op::Lt(Num::Int), e.span);
    let length =
        |collection: &Expr, op: Op| build::op(op, vec![collection.clone()], Type::Int, e.span);
    let is_object = |e: &Expr| is_object(program, e);
    let hold = |cond: Expr| Some(vec![NeedKind::Holds(cond)]);
    match &e.kind {
        ExprKind::Op(Op::Div(num @ (Num::Int | Num::Real)) | Op::Mod(num @ Num::Int), args)
            if e.ty == Type::Int || e.ty == Type::Real =>
        {
            hold(is_not_zero(args.get(1)?, *num, e.span))
        }
        // An index must be within the sequence.
        ExprKind::Op(Op::Select(Coll::Seq), args) => match args.as_slice() {
            [s, i] => hold(within(i, length(s, Op::Cardinality(Coll::Seq)))),
            _other => None,
        },
        // A key must be in the map.
        ExprKind::Op(Op::Select(Coll::Map), args) => match args.as_slice() {
            [m, key] => hold(build::op(
                Op::In(Coll::Map),
                vec![key.clone(), m.clone()],
                Type::Bool,
                e.span,
            )),
            _other => None,
        },
        // Slices need ordered bounds within the length.
        ExprKind::Op(op @ (Op::Slice | Op::ArraySlice), args) => {
            let [s, low, high] = args.as_slice() else {
                return None;
            };
            let needs = hold(is_slice_within(*op == Op::Slice, [s, low, high], e.span));
            needs.filter(|_| *op == Op::Slice || is_object(s))
        }
        // The length of an array needs an array.
        ExprKind::Op(Op::ArrayLength(_), args) => {
            args.first().filter(|a| is_object(a)).map(|_| Vec::new())
        }
        // One range per dimension.
        ExprKind::ReadElement(array, indices) => {
            let each = (0..)
                .zip(indices)
                .map(|(d, i)| NeedKind::Holds(within(i, length(array, Op::ArrayLength(d)))));
            is_object(array).then(|| each.collect())
        }
        ExprKind::ReadField(object, _) => is_object(object).then(Vec::new),
        // A destructor needs one of its constructors.
        ExprKind::Op(Op::Destruct(field), args) => {
            let FieldKind::Destructor(ctors) = &program.typed[*field].kind else {
                return None;
            };
            let value = args.first()?;
            let tests = ctors
                .iter()
                .map(|c| build::op(Op::CtorTest(*c), vec![value.clone()], Type::Bool, e.span));
            hold(tests.reduce(build::or)?)
        }
        ExprKind::Call {
            callee,
            args,
            label: None,
            ..
        } if super::is_transparent(program, *callee, args) => Some(Vec::new()),
        ExprKind::Convert(from) => super::defined::is_wide(&from.ty, &e.ty).then(Vec::new),
        ExprKind::Literal(_)
        | ExprKind::Var(_)
        | ExprKind::Op(..)
        | ExprKind::And(..)
        | ExprKind::Or(..)
        | ExprKind::Implies(..)
        | ExprKind::If(..)
        | ExprKind::Let(..)
        | ExprKind::LetSuchThat(..)
        | ExprKind::IfSuchThat(..)
        | ExprKind::Call { .. }
        | ExprKind::Const { .. }
        | ExprKind::Apply(..)
        | ExprKind::Lambda { .. }
        | ExprKind::Delay { .. }
        | ExprKind::FunctionRef { .. }
        | ExprKind::Quantifier { .. }
        | ExprKind::SetComp(..)
        | ExprKind::MapComp(..)
        | ExprKind::Old(..)
        | ExprKind::Fresh(..)
        | ExprKind::Allocated(_)
        | ExprKind::Unchanged(..)
        | ExprKind::Is(..)
        | ExprKind::Checked(..)
        | ExprKind::OfContract { .. }
        | ExprKind::Unsupported(_) => (!super::defined::may_fail(e)).then(Vec::new),
    }
}
