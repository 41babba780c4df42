//! Traversal and renaming of expressions and statements.
//!
//! Each form lists its operands once for reading and once for modification ([`Expr::children`],
//! [`Expr::children_mut`]); all other traversals are built on these lists.

use super::{
    ArrayInit, Block, Domain, Expr, ExprKind, Op, Procedure, Quantified, Stmt, StmtKind,
    StoreTarget, Terminator, Var,
};
use dafny_resolve::typed::{self, ArrowKind, FieldKind, Type};
use dafny_source::Span;

impl Expr {
    /// Returns the direct subexpressions in the order of evaluation, including those of bounds and
    /// ranges.
    pub fn children(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Literal(_) | ExprKind::Var(_) | ExprKind::Unsupported(_) => Vec::new(),
            ExprKind::Op(_, args)
            | ExprKind::Call { args, .. }
            | ExprKind::OfContract { args, .. }
            | ExprKind::Lambda { captures: args, .. }
            | ExprKind::Delay { captures: args, .. } => args.iter().collect(),
            ExprKind::And(a, b)
            | ExprKind::Or(a, b)
            | ExprKind::Implies(a, b)
            | ExprKind::Let(_, a, b) => vec![a, b],
            ExprKind::If(c, a, b) => vec![c, a, b],
            ExprKind::LetSuchThat(q, body) => q.operands().chain([&**body]).collect(),
            ExprKind::IfSuchThat(q, a, b) => q.operands().chain([&**a, &**b]).collect(),
            ExprKind::Const { object, .. }
            | ExprKind::FunctionRef {
                receiver: object, ..
            } => object.iter().map(|o| &**o).collect(),
            ExprKind::Apply(f, args) | ExprKind::ReadElement(f, args) => {
                std::iter::once(&**f).chain(args).collect()
            }
            ExprKind::Quantifier { vars, body, .. } | ExprKind::SetComp(vars, body) => {
                vars.operands().chain([&**body]).collect()
            }
            ExprKind::MapComp(q, key, value) => q.operands().chain([&**key, &**value]).collect(),
            ExprKind::ReadField(e, _)
            | ExprKind::Old(_, e)
            | ExprKind::Fresh(_, e)
            | ExprKind::Allocated(e)
            | ExprKind::Convert(e)
            | ExprKind::Is(e, _) => vec![e],
            ExprKind::Unchanged(_, frames) => {
                frames.iter().filter_map(|f| f.object.as_ref()).collect()
            }
            ExprKind::Checked(_, clause, e) => vec![&clause.cond, e],
        }
    }

    /// Returns the number of expressions in this one, including itself, or `None` if there are more
    /// than `most`. The running time is bounded by `most`.
    pub fn size_within(&self, most: usize) -> Option<usize> {
        let mut size = 0;
        // An explicit stack, because expressions that result from substitution may be deep.
        let mut work = vec![self];
        while let Some(e) = work.pop() {
            size += 1;
            if size > most {
                return None;
            }
            work.extend(e.children());
        }
        Some(size)
    }

    /// Returns the direct subexpressions for modification; the same as [`Self::children`].
    pub fn children_mut(&mut self) -> Vec<&mut Expr> {
        match &mut self.kind {
            ExprKind::Literal(_) | ExprKind::Var(_) | ExprKind::Unsupported(_) => Vec::new(),
            ExprKind::Op(_, args)
            | ExprKind::Call { args, .. }
            | ExprKind::OfContract { args, .. }
            | ExprKind::Lambda { captures: args, .. }
            | ExprKind::Delay { captures: args, .. } => args.iter_mut().collect(),
            ExprKind::And(a, b)
            | ExprKind::Or(a, b)
            | ExprKind::Implies(a, b)
            | ExprKind::Let(_, a, b) => vec![a, b],
            ExprKind::If(c, a, b) => vec![c, a, b],
            ExprKind::LetSuchThat(q, body) => {
                q.operands_mut().into_iter().chain([&mut **body]).collect()
            }
            ExprKind::IfSuchThat(q, a, b) => q
                .operands_mut()
                .into_iter()
                .chain([&mut **a, &mut **b])
                .collect(),
            ExprKind::Const { object, .. }
            | ExprKind::FunctionRef {
                receiver: object, ..
            } => object.iter_mut().map(|o| &mut **o).collect(),
            ExprKind::Apply(f, args) | ExprKind::ReadElement(f, args) => {
                std::iter::once(&mut **f).chain(args).collect()
            }
            ExprKind::Quantifier { vars, body, .. } | ExprKind::SetComp(vars, body) => vars
                .operands_mut()
                .into_iter()
                .chain([&mut **body])
                .collect(),
            ExprKind::MapComp(q, key, value) => q
                .operands_mut()
                .into_iter()
                .chain([&mut **key, &mut **value])
                .collect(),
            ExprKind::ReadField(e, _)
            | ExprKind::Old(_, e)
            | ExprKind::Fresh(_, e)
            | ExprKind::Allocated(e)
            | ExprKind::Convert(e)
            | ExprKind::Is(e, _) => vec![e],
            ExprKind::Unchanged(_, frames) => frames
                .iter_mut()
                .filter_map(|f| f.object.as_mut())
                .collect(),
            ExprKind::Checked(_, clause, e) => vec![&mut clause.cond, e],
        }
    }

    /// Whether the expression mentions one of the variables.
    pub fn mentions(&self, vars: &[Var]) -> bool {
        let mut work = vec![self];
        while let Some(e) = work.pop() {
            if matches!(e.kind, ExprKind::Var(v) if vars.contains(&v)) {
                return true;
            }
            work.extend(e.children());
        }
        false
    }
}

impl Expr {
    /// Whether the value may differ in two states of the heap. Contracts say what callees read.
    pub fn reads_state(&self, program: &typed::Program) -> bool {
        let may_read = |ty: &Type| {
            let general = ArrowKind::General;
            matches!(program.representation(ty), Type::Arrow { kind, .. } if kind == general)
        };
        let mut work = vec![self];
        while let Some(e) = work.pop() {
            let reads = match &e.kind {
                ExprKind::ReadField(_, field) => {
                    matches!(program[*field].kind, FieldKind::Mutable)
                }
                ExprKind::ReadElement(..)
                | ExprKind::Op(Op::ArraySlice, _)
                | ExprKind::Old(..)
                | ExprKind::Fresh(..)
                | ExprKind::Allocated(_)
                | ExprKind::Unchanged(..)
                | ExprKind::Unsupported(_) => true,
                ExprKind::Call { callee, .. } | ExprKind::OfContract { callee, .. } => {
                    !program[*callee].spec.reads.is_empty()
                }
                ExprKind::Apply(function, _) => may_read(&function.ty),
                ExprKind::Op(Op::FunctionRequires | Op::FunctionReads, args) => {
                    args.iter().any(|a| may_read(&a.ty))
                }
                ExprKind::LetSuchThat(q, _)
                | ExprKind::IfSuchThat(q, ..)
                | ExprKind::Quantifier { vars: q, .. }
                | ExprKind::SetComp(q, _)
                | ExprKind::MapComp(q, ..) => {
                    let domains = q.bounds.iter().flatten();
                    domains
                        .into_iter()
                        .any(|(_, d)| matches!(d, Domain::Allocated))
                }
                ExprKind::Literal(_)
                | ExprKind::Var(_)
                | ExprKind::Op(..)
                | ExprKind::And(..)
                | ExprKind::Or(..)
                | ExprKind::Implies(..)
                | ExprKind::If(..)
                | ExprKind::Let(..)
                | ExprKind::Const { .. }
                | ExprKind::FunctionRef { .. }
                | ExprKind::Lambda { .. }
                | ExprKind::Delay { .. }
                | ExprKind::Convert(_)
                | ExprKind::Is(..)
                | ExprKind::Checked(..) => false,
            };
            if reads {
                return true;
            }
            work.extend(e.children());
        }
        false
    }
}

impl Quantified {
    /// Returns the expressions of the bounds and the range.
    pub fn operands(&self) -> impl Iterator<Item = &Expr> {
        let bounds = self.bounds.iter().flatten().flat_map(|(_, d)| d.operands());
        bounds.chain(self.range.as_deref())
    }

    /// Returns the expressions of the bounds and the range for modification.
    pub fn operands_mut(&mut self) -> Vec<&mut Expr> {
        let bounds = self
            .bounds
            .iter_mut()
            .flatten()
            .flat_map(|(_, d)| d.operands_mut());
        bounds.chain(self.range.as_deref_mut()).collect()
    }
}

impl Domain {
    /// Returns the expressions that the domain is computed from.
    pub fn operands(&self) -> Vec<&Expr> {
        match self {
            Self::IntRange { low, high } => low.iter().chain(high).map(|e| &**e).collect(),
            Self::Exact(e)
            | Self::Elements(e)
            | Self::SubsetsOf(e)
            | Self::PrefixesOf(e)
            | Self::SubtermsOf(e) => vec![e],
            Self::AllValues(_) | Self::Allocated => Vec::new(),
        }
    }

    /// Returns the expressions that the domain is computed from, for modification.
    pub fn operands_mut(&mut self) -> Vec<&mut Expr> {
        match self {
            Self::IntRange { low, high } => low.iter_mut().chain(high).map(|e| &mut **e).collect(),
            Self::Exact(e)
            | Self::Elements(e)
            | Self::SubsetsOf(e)
            | Self::PrefixesOf(e)
            | Self::SubtermsOf(e) => vec![e],
            Self::AllValues(_) | Self::Allocated => Vec::new(),
        }
    }

    /// Whether the domain is finite.
    pub fn is_finite(&self) -> bool {
        match self {
            Self::IntRange { low, high } => low.is_some() && high.is_some(),
            Self::Exact(_)
            | Self::Elements(_)
            | Self::SubsetsOf(_)
            | Self::PrefixesOf(_)
            | Self::AllValues(_)
            | Self::SubtermsOf(_)
            | Self::Allocated => true,
        }
    }
}

/// The only effect of a simple statement.
#[derive(Clone, Copy, Debug)]
pub enum Simple<'s> {
    /// Assigns the value of an expression to a variable.
    Assigns(Var, &'s Expr),
    /// Records that control passes.
    Notes,
}

impl Stmt {
    /// Returns the effect of a simple statement; `None` if the statement may call, fail, choose,
    /// change the heap or print.
    pub fn simple(&self) -> Option<Simple<'_>> {
        match &self.kind {
            StmtKind::Assign { var, value } => Some(Simple::Assigns(*var, value)),
            StmtKind::Probe { .. } => Some(Simple::Notes),
            StmtKind::Assume { .. }
            | StmtKind::Assert { .. }
            | StmtKind::Havoc(_)
            | StmtKind::New { .. }
            | StmtKind::Call { .. }
            | StmtKind::NewArray { .. }
            | StmtKind::SetField { .. }
            | StmtKind::SetElement { .. }
            | StmtKind::Redefine { .. }
            | StmtKind::ForallStore { .. }
            | StmtKind::SuchThat(_)
            | StmtKind::Print(_)
            | StmtKind::Expect { .. }
            | StmtKind::Snapshot(_)
            | StmtKind::HavocHeap(..)
            | StmtKind::Answer { .. }
            | StmtKind::Save { .. }
            | StmtKind::Restore { .. }
            | StmtKind::Unsupported { .. } => None,
        }
    }

    /// Returns the variables that the statement assigns.
    pub fn assigned(&self) -> Vec<Var> {
        match &self.kind {
            StmtKind::Assign { var, .. }
            | StmtKind::Havoc(var)
            | StmtKind::New { var, .. }
            | StmtKind::NewArray { var, .. } => vec![*var],
            StmtKind::Call { outs, .. } => outs.iter().flatten().copied().collect(),
            StmtKind::SuchThat(q) => q.vars.clone(),
            StmtKind::Answer { outs, .. } => outs.clone(),
            StmtKind::Restore { vars, .. } => vars.iter().map(|(_, v)| *v).collect(),
            StmtKind::Assume { .. }
            | StmtKind::Assert { .. }
            | StmtKind::SetField { .. }
            | StmtKind::SetElement { .. }
            | StmtKind::Redefine { .. }
            | StmtKind::ForallStore { .. }
            | StmtKind::Print(_)
            | StmtKind::Expect { .. }
            | StmtKind::Snapshot(_)
            | StmtKind::HavocHeap(..)
            | StmtKind::Save { .. }
            | StmtKind::Probe { .. }
            | StmtKind::Unsupported { .. } => Vec::new(),
        }
    }
}

impl Expr {
    /// Returns the variables that the expression binds by a range: those of a quantifier, a
    /// comprehension, or `:|`.
    pub fn quantified(&self) -> Option<&Quantified> {
        if let ExprKind::LetSuchThat(q, _)
        | ExprKind::IfSuchThat(q, ..)
        | ExprKind::Quantifier { vars: q, .. }
        | ExprKind::SetComp(q, _)
        | ExprKind::MapComp(q, ..) = &self.kind
        {
            Some(q)
        } else {
            None
        }
    }

    /// Returns the bound variables for modification; the same as [`Self::quantified`].
    pub fn quantified_mut(&mut self) -> Option<&mut Quantified> {
        if let ExprKind::LetSuchThat(q, _)
        | ExprKind::IfSuchThat(q, ..)
        | ExprKind::Quantifier { vars: q, .. }
        | ExprKind::SetComp(q, _)
        | ExprKind::MapComp(q, ..) = &mut self.kind
        {
            Some(q)
        } else {
            None
        }
    }

    /// Returns the variables that this expression binds, without those of nested expressions and
    /// lambdas.
    pub fn bound(&self) -> &[Var] {
        if let ExprKind::Let(v, ..) = &self.kind {
            std::slice::from_ref(v)
        } else {
            self.quantified().map_or(&[], |q| &q.vars)
        }
    }

    /// Renames all variables, bound variables included. Lambdas have variables of their own.
    pub fn rename(&mut self, name: &dyn Fn(Var) -> Var) {
        if let ExprKind::Var(v) | ExprKind::Let(v, ..) = &mut self.kind {
            *v = name(*v);
        }
        self.quantified_mut()
            .into_iter()
            .for_each(|q| q.rename_bound(name));
        self.children_mut().into_iter().for_each(|e| e.rename(name));
    }
}

impl Quantified {
    fn rename_bound(&mut self, name: &dyn Fn(Var) -> Var) {
        self.vars.iter_mut().for_each(|v| *v = name(*v));
        self.bounds
            .iter_mut()
            .flatten()
            .for_each(|(v, _)| *v = name(*v));
    }
}

impl Block {
    /// Renames the variables of the block.
    pub fn rename(&mut self, name: &dyn Fn(Var) -> Var) {
        self.stmts.iter_mut().for_each(|s| s.rename(name));
        if let Some(head) = &mut self.loop_head {
            head.assigned.iter_mut().for_each(|v| *v = name(*v));
            head.invariants
                .iter_mut()
                .chain(&mut head.range)
                .for_each(|c| c.cond.rename(name));
            let objects = head.frame.iter_mut().filter_map(|f| f.object.as_mut());
            objects.for_each(|e| e.rename(name));
        }
        match &mut self.terminator {
            Terminator::Branch { cond, .. } => cond.rename(name),
            Terminator::Choose { open, .. } => open.iter_mut().for_each(|e| e.rename(name)),
            Terminator::Goto(_) | Terminator::Return | Terminator::Stop => {}
        }
    }
}

impl Stmt {
    /// Returns the variables of a `forall` statement or of `:|`. Those of `:|` keep their values.
    pub fn quantified(&self) -> Option<&Quantified> {
        if let StmtKind::SuchThat(q) | StmtKind::ForallStore { vars: q, .. } = &self.kind {
            Some(q)
        } else {
            None
        }
    }

    /// Returns the direct subexpressions: those of bounds and ranges first, the others in the order
    /// of evaluation.
    pub fn operands(&self) -> Vec<&Expr> {
        match &self.kind {
            StmtKind::Assume { cond: e, .. }
            | StmtKind::Assert { cond: e, .. }
            | StmtKind::Probe { cond: e, .. }
            | StmtKind::Assign { value: e, .. }
            | StmtKind::Save { object: e, .. }
            | StmtKind::Restore { object: e, .. } => vec![e],
            StmtKind::Call { args, .. } | StmtKind::Print(args) => args.iter().collect(),
            StmtKind::NewArray { dims, init, .. } => {
                let init = match init {
                    ArrayInit::Default => &[],
                    ArrayInit::Function(f) => std::slice::from_ref(f),
                    ArrayInit::Elements(elements) => &elements[..],
                };
                dims.iter().chain(init).collect()
            }
            StmtKind::SetField { object, value, .. } | StmtKind::Redefine { object, value, .. } => {
                vec![object, value]
            }
            StmtKind::SetElement {
                array,
                indices,
                value,
            } => std::iter::once(array)
                .chain(indices)
                .chain([value])
                .collect(),
            StmtKind::ForallStore {
                vars,
                target,
                value,
            } => {
                let (target, indices) = match target {
                    StoreTarget::Field(object, _) => (object, &[][..]),
                    StoreTarget::Element(array, indices) => (array, &indices[..]),
                };
                vars.operands()
                    .chain([target])
                    .chain(indices)
                    .chain([value])
                    .collect()
            }
            StmtKind::SuchThat(q) => q.operands().collect(),
            StmtKind::Expect { cond, message } => std::iter::once(cond).chain(message).collect(),
            StmtKind::HavocHeap(frames, _) => {
                frames.iter().filter_map(|f| f.object.as_ref()).collect()
            }
            StmtKind::Havoc(_)
            | StmtKind::New { .. }
            | StmtKind::Answer { .. }
            | StmtKind::Snapshot(_)
            | StmtKind::Unsupported { .. } => Vec::new(),
        }
    }

    /// Returns the direct subexpressions for modification; the same as [`Self::operands`].
    pub fn operands_mut(&mut self) -> Vec<&mut Expr> {
        match &mut self.kind {
            StmtKind::Assume { cond: e, .. }
            | StmtKind::Assert { cond: e, .. }
            | StmtKind::Probe { cond: e, .. }
            | StmtKind::Assign { value: e, .. }
            | StmtKind::Save { object: e, .. }
            | StmtKind::Restore { object: e, .. } => vec![e],
            StmtKind::Call { args, .. } | StmtKind::Print(args) => args.iter_mut().collect(),
            StmtKind::NewArray { dims, init, .. } => {
                let init = match init {
                    ArrayInit::Default => &mut [],
                    ArrayInit::Function(f) => std::slice::from_mut(f),
                    ArrayInit::Elements(elements) => &mut elements[..],
                };
                dims.iter_mut().chain(init).collect()
            }
            StmtKind::SetField { object, value, .. } | StmtKind::Redefine { object, value, .. } => {
                vec![object, value]
            }
            StmtKind::SetElement {
                array,
                indices,
                value,
            } => std::iter::once(array)
                .chain(indices)
                .chain([value])
                .collect(),
            StmtKind::ForallStore {
                vars,
                target,
                value,
            } => {
                let (target, indices) = match target {
                    StoreTarget::Field(object, _) => (object, &mut [][..]),
                    StoreTarget::Element(array, indices) => (array, &mut indices[..]),
                };
                vars.operands_mut()
                    .into_iter()
                    .chain([target])
                    .chain(indices)
                    .chain([value])
                    .collect()
            }
            StmtKind::SuchThat(q) => q.operands_mut(),
            StmtKind::Expect { cond, message } => std::iter::once(cond).chain(message).collect(),
            StmtKind::HavocHeap(frames, _) => frames
                .iter_mut()
                .filter_map(|f| f.object.as_mut())
                .collect(),
            StmtKind::Havoc(_)
            | StmtKind::New { .. }
            | StmtKind::Answer { .. }
            | StmtKind::Snapshot(_)
            | StmtKind::Unsupported { .. } => Vec::new(),
        }
    }

    /// Renames the variables of the statement.
    pub fn rename(&mut self, name: &dyn Fn(Var) -> Var) {
        let change = |v: &mut Var| *v = name(*v);
        match &mut self.kind {
            StmtKind::Assign { var, .. }
            | StmtKind::Havoc(var)
            | StmtKind::New { var, .. }
            | StmtKind::NewArray { var, .. } => change(var),
            StmtKind::Call { outs, .. } => outs.iter_mut().flatten().for_each(change),
            StmtKind::SuchThat(q) | StmtKind::ForallStore { vars: q, .. } => q.rename_bound(name),
            StmtKind::Answer { params, outs, .. } => params.iter_mut().chain(outs).for_each(change),
            StmtKind::Save { vars, .. } | StmtKind::Restore { vars, .. } => {
                vars.iter_mut().for_each(|(_, v)| change(v))
            }
            StmtKind::Assume { .. }
            | StmtKind::Assert { .. }
            | StmtKind::SetField { .. }
            | StmtKind::SetElement { .. }
            | StmtKind::Redefine { .. }
            | StmtKind::Print(_)
            | StmtKind::Expect { .. }
            | StmtKind::Snapshot(_)
            | StmtKind::HavocHeap(..)
            | StmtKind::Probe { .. }
            | StmtKind::Unsupported { .. } => {}
        }
        self.operands_mut().into_iter().for_each(|e| e.rename(name));
    }
}

impl Procedure {
    /// Whether the statement assigns ghost variables and has no other effect. Calls never qualify.
    pub fn is_ghost_assignment(&self, stmt: &Stmt) -> bool {
        let is_ghost = |v: &Var| self.vars.get(v.0 as usize).is_some_and(|i| i.ghost);
        match &stmt.kind {
            StmtKind::Assign { var, .. } | StmtKind::Havoc(var) => is_ghost(var),
            StmtKind::SuchThat(q) => q.vars.iter().all(is_ghost),
            StmtKind::Assume { .. }
            | StmtKind::Assert { .. }
            | StmtKind::Call { .. }
            | StmtKind::New { .. }
            | StmtKind::NewArray { .. }
            | StmtKind::SetField { .. }
            | StmtKind::SetElement { .. }
            | StmtKind::Redefine { .. }
            | StmtKind::ForallStore { .. }
            | StmtKind::Print(_)
            | StmtKind::Expect { .. }
            | StmtKind::Snapshot(_)
            | StmtKind::HavocHeap(..)
            | StmtKind::Answer { .. }
            | StmtKind::Save { .. }
            | StmtKind::Restore { .. }
            | StmtKind::Probe { .. }
            | StmtKind::Unsupported { .. } => false,
        }
    }

    /// Returns the innermost statement of compiled source around `place`.
    pub fn statement_around(&self, place: Span) -> Option<Span> {
        let begun = self.blocks.iter().flat_map(|b| &b.begins).copied();
        begun
            .filter(|s| s.contains_span(place))
            .min_by_key(|s| s.end - s.start)
    }
}
