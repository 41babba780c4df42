//! Constants of a unit and its callees: values that its conditions compare with.
//!
//! They are the basis of seeds, of random changes, and of the sizes to which bounds rise.
//! [`Constants::of`] collects them by a traversal that [`Reach`] limits.

use std::collections::VecDeque;

use num_bigint::BigInt;
use num_traits::ToPrimitive;

use dafny_resolve::typed::{CallableId, FieldId, Literal, Type, TypeDeclKind};
use dtest_ir::{self as ir, Coll, Expr, ExprKind, Op, Procedure, StmtKind, Terminator};
use dtest_sorted::SortedSet;

/// Sizes of collections must be below this.
pub(super) const MAX_SIZE: u32 = 300;
/// Lengths of sequences beyond all bounds are at most this.
const MAX_LENGTH: u32 = 1 << 17;
/// Maximum number of lengths beyond [`MAX_SIZE`], and of those below it that are beyond the bounds
/// where sequences are nested.
const MAX_LENGTHS: usize = 4;
/// Lengths of types are beyond the bounds from here on: larger bounds are often not reached unless a
/// size in the program asks for them.
const MAX_UNASKED: u32 = 8;
/// The nesting from which on the bound of a collection stays the same.
const MAX_BOUND_NESTING: u32 = 2;
/// Maximum number of functions that are followed from one comparison of a size.
const MAX_FOLLOWED: usize = 4;
/// Maximum number of types whose constraints are searched for lengths.
const MAX_TYPES: usize = 64;

/// The limits of the traversal.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Reach {
    /// Maximum number of callables.
    callables: usize,
    /// Maximum number of constants of each type.
    constants: usize,
    /// Whether the traversal includes methods that are called, named constants, lambdas and
    /// preconditions of callees.
    wide: bool,
}

impl Reach {
    /// The unit only.
    pub(super) const OWN: Self = Self {
        callables: 0,
        constants: 32,
        wide: false,
    };
    /// The unit and the functions that it calls.
    pub(super) const NEAR: Self = Self {
        callables: 40,
        constants: 16,
        wide: false,
    };
    /// Everything that the unit leads to.
    pub(super) const FAR: Self = Self {
        callables: 400,
        constants: 96,
        wide: true,
    };
}

/// The constants, without duplicates.
#[derive(Debug, Default)]
pub(super) struct Constants {
    pub(super) ints: SortedSet<BigInt>,
    pub(super) chars: SortedSet<u32>,
    pub(super) strings: SortedSet<Vec<u32>>,
    /// Sizes of collections in comparisons, and those that an index requires.
    pub(super) sizes: SortedSet<u32>,
    /// Lengths of sequences that comparisons and the types of parameters demand, beyond the bounds:
    /// fixed blocks, buffers, keys in tables. A bound depends on the nesting of a sequence
    /// ([`nested_bound`]).
    pub(super) lengths: SortedSet<u32>,
    /// All lengths that comparisons demand.
    demanded: SortedSet<u32>,
    /// The sizes of [`Self::sizes`] that comparisons have, in contrast to indices.
    measured: SortedSet<u32>,
    /// The reference types that the unit distinguishes by type tests.
    pub(super) objects: Vec<Type>,
    reach: Reach,
}

/// The work list of the traversal.
#[derive(Default)]
struct Work<'p> {
    exprs: Vec<&'p Expr>,
    /// Functions and procedures, in order of discovery.
    calls: VecDeque<CallableId>,
    fields: Vec<FieldId>,
    lambdas: Vec<u32>,
}

impl Constants {
    pub(super) fn of(program: &ir::Program, procedure: &Procedure, reach: Reach) -> Self {
        let mut all = Self {
            ints: SortedSet::new(),
            chars: SortedSet::new(),
            strings: SortedSet::new(),
            sizes: SortedSet::new(),
            lengths: SortedSet::new(),
            demanded: SortedSet::new(),
            measured: SortedSet::new(),
            objects: Vec::new(),
            reach,
        };
        // Type tests tell which classes matter for `object` and traits.
        all.objects = program.distinguished_types(procedure.callable);
        let mut work = Work::default();
        work.procedure(procedure);
        // Preconditions compare with constants, too.
        if let Some(contract) = program.contracts.get(&procedure.callable) {
            work.exprs.extend(contract.requires.iter().map(|c| &c.cond));
        }
        all.visit(program, procedure, work);
        // Of the constraints of types, only lengths count: values of the types satisfy them.
        let mut of_types = Self {
            reach,
            ..Self::default()
        };
        let constraints = constraints_of(program, procedure);
        if !constraints.is_empty() {
            let work = Work {
                exprs: constraints,
                ..Work::default()
            };
            of_types.visit(program, procedure, work);
        }
        all.choose_lengths(&of_types.demanded, nested_bound(program, procedure));
        all
    }

    /// Chooses the lengths beyond the bounds: beyond [`MAX_SIZE`] for all sequences, and beyond
    /// `nested`, the bound of nested sequences. Lengths that types demand come first, because no
    /// input exists without them. The bounds do not rise to them.
    fn choose_lengths(&mut self, of_types: &SortedSet<u32>, nested: u32) {
        let of_types = of_types.iter().map(|n| (*n, nested.min(MAX_UNASKED)));
        let demanded = of_types.chain(self.demanded.iter().map(|n| (*n, nested)));
        let (mut long, mut short) = (SortedSet::new(), SortedSet::new());
        for (n, bound) in demanded {
            if n >= MAX_SIZE {
                long.insert(n);
            } else if n > bound && short.len() < MAX_LENGTHS {
                short.insert(n);
            }
        }
        while long.len() > MAX_LENGTHS {
            long.pop_last();
        }
        self.lengths = long;
        self.lengths.extend(short);
    }

    /// Adds the constants of everything that the work list leads to.
    fn visit<'p>(&mut self, program: &'p ir::Program, procedure: &Procedure, mut work: Work<'p>) {
        let reach = self.reach;
        let mut seen: SortedSet<CallableId> = SortedSet::from([procedure.callable]);
        let (mut fields, mut lambdas) = (SortedSet::new(), SortedSet::new());
        // Expressions first, then named constants and lambdas, and callables last: the limit on
        // callables then drops the most distant ones.
        loop {
            // Named constants, lambdas and callees are collected in the work list, and visited
            // later.
            while let Some(e) = work.exprs.pop() {
                match &e.kind {
                    ExprKind::Literal(l) => self.add(l),
                    ExprKind::Op(op, args) => self.add_sizes(program, op, args),
                    ExprKind::Call { callee, .. } => work.calls.push_back(*callee),
                    ExprKind::FunctionRef { callee, .. } if reach.wide => {
                        work.calls.push_back(*callee)
                    }
                    ExprKind::Const { field, .. } if reach.wide => work.fields.push(*field),
                    ExprKind::Lambda { lambda, .. } | ExprKind::Delay { lambda, .. }
                        if reach.wide =>
                    {
                        work.lambdas.push(*lambda)
                    }
                    ExprKind::FunctionRef { .. }
                    | ExprKind::Const { .. }
                    | ExprKind::Lambda { .. }
                    | ExprKind::Delay { .. } => {}
                    ExprKind::Var(_)
                    | ExprKind::And(..)
                    | ExprKind::Or(..)
                    | ExprKind::Implies(..)
                    | ExprKind::If(..)
                    | ExprKind::Let(..) => {}
                    ExprKind::LetSuchThat(..)
                    | ExprKind::IfSuchThat(..)
                    | ExprKind::Quantifier { .. }
                    | ExprKind::SetComp(..)
                    | ExprKind::MapComp(..) => {}
                    ExprKind::Apply(..)
                    | ExprKind::ReadField(..)
                    | ExprKind::ReadElement(..)
                    | ExprKind::Is(..)
                    | ExprKind::Checked(..) => {}
                    ExprKind::Old(..)
                    | ExprKind::Fresh(..)
                    | ExprKind::Allocated(_)
                    | ExprKind::Unchanged(..) => {}
                    ExprKind::Convert(_)
                    | ExprKind::OfContract { .. }
                    | ExprKind::Unsupported(_) => {}
                }
                work.exprs.extend(e.children());
            }
            if let Some(field) = work.fields.pop() {
                if fields.insert(field) {
                    work.exprs
                        .extend(program.constants.get(&field).map(|f| &f.body));
                }
            } else if let Some(lambda) = work.lambdas.pop() {
                if lambdas.insert(lambda) {
                    work.exprs
                        .extend(program.lambdas.get(lambda as usize).map(|l| &l.body));
                }
            } else {
                // Breadth-first for wide searches, so that the limit drops the most distant
                // callees.
                let next = if reach.wide {
                    work.calls.pop_front()
                } else {
                    work.calls.pop_back()
                };
                let Some(callee) = next else { return };
                // Functions are always followed, procedures only in wide searches.
                if seen.len() < reach.callables && seen.insert(callee) {
                    match program.functions.get(&callee) {
                        Some(function) => work.exprs.push(&function.body),
                        None if reach.wide => program
                            .procedures
                            .get(&callee)
                            .into_iter()
                            .for_each(|p| work.procedure(p)),
                        None => {}
                    }
                }
            }
        }
    }

    /// Adds the sizes that a comparison of a size or an index requires.
    fn add_sizes(&mut self, program: &ir::Program, op: &Op, args: &[Expr]) {
        // A size is relevant in a comparison with a cardinality or length, and as an index.
        let is_index = matches!(op, Op::Select(Coll::Seq));
        let asks = is_index
            || matches!(op, Op::Eq | Op::Ne | Op::Lt(_) | Op::Le(_) if args.iter().any(measures));
        if !asks {
            return;
        }
        let mut work: Vec<&Expr> = args.iter().collect();
        let mut followed = SortedSet::new();
        while let Some(e) = work.pop() {
            match &e.kind {
                // The results of a function that is compared with are sizes, too.
                ExprKind::Call { callee, .. } => {
                    if followed.len() < MAX_FOLLOWED && followed.insert(*callee) {
                        work.extend(program.functions.get(callee).map(|f| &f.body));
                    }
                }
                ExprKind::If(_, a, b) => work.extend([&**a, &**b]),
                ExprKind::Let(_, _, body) | ExprKind::Checked(_, _, body) => work.push(body),
                ExprKind::Literal(Literal::Int(n)) => {
                    if !is_index {
                        self.add_length(n);
                    }
                    if let Some(n) = n
                        .to_u32()
                        .filter(|n| *n < MAX_SIZE && self.sizes.len() < self.reach.constants)
                    {
                        // Both sides of the boundary.
                        self.sizes.extend([n, n + 1]);
                        if !is_index {
                            self.measured.extend([n, n + 1]);
                        }
                    }
                }
                // Named constants are followed to their values.
                ExprKind::Const { field, .. } => {
                    work.extend(program.constants.get(field).map(|f| &f.body));
                }
                ExprKind::Op(
                    Op::Add(_) | Op::Sub(_) | Op::Mul(_) | Op::Div(_) | Op::Mod(_),
                    inner,
                ) => {
                    // `8 * 4096` is one length.
                    if let Some(n) = folded(program, e, MAX_FOLDED).filter(|_| !is_index) {
                        self.add_length(&n);
                    }
                    work.extend(inner);
                }
                ExprKind::Convert(inner) => work.push(inner),
                ExprKind::Literal(_) | ExprKind::Op(..) => {}
                ExprKind::Var(_) | ExprKind::And(..) | ExprKind::Or(..) | ExprKind::Implies(..) => {
                }
                ExprKind::LetSuchThat(..)
                | ExprKind::IfSuchThat(..)
                | ExprKind::Quantifier { .. }
                | ExprKind::SetComp(..)
                | ExprKind::MapComp(..) => {}
                ExprKind::Apply(..)
                | ExprKind::ReadField(..)
                | ExprKind::ReadElement(..)
                | ExprKind::Is(..) => {}
                ExprKind::Old(..)
                | ExprKind::Fresh(..)
                | ExprKind::Allocated(_)
                | ExprKind::Unchanged(..) => {}
                ExprKind::FunctionRef { .. } | ExprKind::Lambda { .. } | ExprKind::Delay { .. } => {
                }
                ExprKind::OfContract { .. } | ExprKind::Unsupported(_) => {}
            }
        }
    }

    /// Returns the largest size to which the bound of collections has to rise. An index below a
    /// length beyond the bounds is one of a sequence of that length.
    pub(super) fn largest_size(&self) -> Option<u32> {
        let longest = self.lengths.last().copied().unwrap_or(0);
        let sizes = self.sizes.iter().rev();
        let mut needed = sizes.filter(|n| **n > longest || self.measured.contains(n));
        needed.next().copied()
    }

    /// Adds a length that a comparison demands.
    fn add_length(&mut self, n: &BigInt) {
        let n = n.to_u32().filter(|n| *n <= MAX_LENGTH);
        self.demanded.extend(n);
    }

    fn add(&mut self, l: &Literal) {
        match l {
            Literal::Int(n) => {
                // The limit keeps seeds and changes focused on the nearest constants.
                if self.ints.len() < self.reach.constants {
                    self.ints.insert(n.clone());
                }
            }
            Literal::Char(c) => {
                if self.chars.len() < self.reach.constants {
                    self.chars.insert(*c);
                }
            }
            Literal::String(s) => {
                if self.strings.len() < self.reach.constants && !s.is_empty() {
                    self.strings.insert(s.clone());
                }
            }
            Literal::Bool(_) | Literal::Real(_) | Literal::Null => {}
        }
    }
}

/// Maximum nesting of constant expressions that are computed.
const MAX_FOLDED: u32 = 8;

/// The value of a constant expression over integers.
fn folded(program: &ir::Program, e: &Expr, depth: u32) -> Option<BigInt> {
    let depth = depth.checked_sub(1)?;
    if let ExprKind::Literal(Literal::Int(n)) = &e.kind {
        return Some(n.clone());
    }
    if let ExprKind::Convert(inner) = &e.kind {
        return folded(program, inner, depth);
    }
    if let ExprKind::Const { field, .. } = &e.kind {
        return folded(program, &program.constants.get(field)?.body, depth);
    }
    let ExprKind::Op(op, args) = &e.kind else {
        return None;
    };
    let [a, b] = args.as_slice() else {
        return None;
    };
    let (a, b) = (folded(program, a, depth)?, folded(program, b, depth)?);
    if matches!(op, Op::Add(_)) {
        Some(a + b)
    } else if matches!(op, Op::Sub(_)) {
        Some(a - b)
    } else {
        matches!(op, Op::Mul(_)).then(|| a * b)
    }
}

/// The constraints of the types of a unit's parameters and of their parts.
fn constraints_of<'p>(program: &'p ir::Program, procedure: &Procedure) -> Vec<&'p Expr> {
    let typed = &program.typed;
    let vars = procedure.params.iter();
    let mut todo: Vec<Type> = vars
        .filter_map(|p| procedure.vars.get(p.0 as usize))
        .map(|v| v.ty.clone())
        .collect();
    let (mut seen, mut found) = (SortedSet::new(), Vec::new());
    while let Some(ty) = todo.pop() {
        todo.extend(ty.parts().cloned());
        let Type::Named { decl, .. } = &ty else {
            continue;
        };
        if seen.len() >= MAX_TYPES || !seen.insert(*decl) {
            continue;
        }
        found.extend(program.constraints.get(decl).map(|f| &f.body));
        match &typed[*decl].kind {
            TypeDeclKind::Datatype { ctors, .. } => {
                let fields = ctors.iter().flat_map(|c| &typed[*c].fields);
                todo.extend(fields.map(|f| typed[*f].ty.clone()));
            }
            TypeDeclKind::Newtype(c) | TypeDeclKind::Subset(c) => todo.push(c.base.clone()),
            TypeDeclKind::Class | TypeDeclKind::Iterator(_) | TypeDeclKind::Trait { .. } => {
                let fields = typed[*decl].fields.iter();
                todo.extend(fields.map(|f| typed[*f].ty.clone()));
            }
            TypeDeclKind::Abstract => {}
        }
    }
    found
}

/// Returns the least number of elements that an encoding gives a sequence of the unit's inputs,
/// where it is nested in collections or objects; at least [`MAX_SIZE`] if none is.
fn nested_bound(program: &ir::Program, procedure: &Procedure) -> u32 {
    let typed = &program.typed;
    let vars = procedure.params.iter();
    let mut todo: Vec<(Type, u32)> = vars
        .filter_map(|p| procedure.vars.get(p.0 as usize))
        .map(|v| (v.ty.clone(), 0))
        .collect();
    let (mut seen, mut least) = (SortedSet::new(), MAX_SIZE);
    while let Some((ty, nesting)) = todo.pop() {
        // Deeper collections have no smaller bound.
        let deeper = (nesting + 1).min(MAX_BOUND_NESTING);
        let ty = typed.representation(&ty);
        match &ty {
            Type::Seq(elem) => {
                if nesting > 0 {
                    least = least.min(dtest_encode::max_elements(nesting, false));
                }
                todo.push((Type::clone(elem), deeper));
            }
            Type::Set { elem, .. } | Type::Multiset(elem) | Type::Array { elem, .. } => {
                todo.push((Type::clone(elem), deeper));
            }
            Type::Map { key, value, .. } => {
                todo.push((Type::clone(key), deeper));
                todo.push((Type::clone(value), deeper));
            }
            Type::Tuple(parts) => todo.extend(parts.iter().map(|(_, t)| (t.clone(), nesting))),
            Type::Named { decl, args, .. } => {
                if seen.len() >= MAX_TYPES || !seen.insert((*decl, nesting)) {
                    continue;
                }
                let subst = typed.substitution(*decl, args);
                match &typed[*decl].kind {
                    TypeDeclKind::Datatype { ctors, .. } => {
                        let fields = ctors.iter().flat_map(|c| &typed[*c].fields);
                        todo.extend(fields.map(|f| (typed[*f].ty.subst(&subst), nesting)));
                    }
                    // Fields of objects are encoded like elements.
                    TypeDeclKind::Class
                    | TypeDeclKind::Iterator(_)
                    | TypeDeclKind::Trait { .. } => {
                        let fields = typed[*decl].fields.iter();
                        todo.extend(fields.map(|f| (typed[*f].ty.subst(&subst), 1)));
                    }
                    TypeDeclKind::Abstract | TypeDeclKind::Newtype(_) | TypeDeclKind::Subset(_) => {
                    }
                }
            }
            Type::Bool
            | Type::Char
            | Type::Int
            | Type::Real
            | Type::Bv(_)
            | Type::Ordinal
            | Type::Arrow { .. }
            | Type::Object { .. }
            | Type::Param(_)
            | Type::Error => {}
        }
    }
    least
}

/// Whether a term is computed from the size of a collection.
fn measures(e: &Expr) -> bool {
    if let ExprKind::Op(op, args) = &e.kind {
        let is_size = matches!(op, Op::Cardinality(_) | Op::ArrayLength(_));
        let is_sum = matches!(
            op,
            Op::Add(_) | Op::Sub(_) | Op::Mul(_) | Op::Div(_) | Op::Mod(_)
        );
        is_size || (is_sum && args.iter().any(measures))
    } else {
        matches!(&e.kind, ExprKind::Convert(inner) if measures(inner))
    }
}

impl<'p> Work<'p> {
    fn procedure(&mut self, procedure: &'p Procedure) {
        for block in &procedure.blocks {
            if let Terminator::Branch { cond, .. } = &block.terminator {
                self.exprs.push(cond);
            }
            for stmt in &block.stmts {
                self.statement(&stmt.kind);
            }
        }
    }

    fn statement(&mut self, stmt: &'p StmtKind) {
        match stmt {
            StmtKind::Assign { value, .. } | StmtKind::SetField { value, .. } => {
                self.exprs.push(value)
            }
            StmtKind::Call { callee, args, .. } => {
                self.calls.push_back(*callee);
                self.exprs.extend(args);
            }
            StmtKind::Assume { .. }
            | StmtKind::Assert { .. }
            | StmtKind::Havoc(_)
            | StmtKind::New { .. }
            | StmtKind::NewArray { .. }
            | StmtKind::SetElement { .. }
            | StmtKind::ForallStore { .. }
            | StmtKind::SuchThat(_)
            | StmtKind::Print(_)
            | StmtKind::Expect { .. }
            | StmtKind::Snapshot(_)
            | StmtKind::Probe { .. }
            | StmtKind::HavocHeap(..)
            | StmtKind::Answer { .. }
            | StmtKind::Redefine { .. }
            | StmtKind::Save { .. }
            | StmtKind::Restore { .. }
            | StmtKind::Unsupported { .. } => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Constants, Reach};
    use dtest_ir::Criteria;

    /// The lengths beyond the bounds that the last unit of a program demands.
    fn lengths(source: &str) -> Vec<u32> {
        let (_, program) = dtest_lower::testing::lowered(source, Criteria::default());
        let unit = program.procedures.values().next_back().expect("declared");
        let constants = Constants::of(&program, unit, Reach::NEAR);
        constants.lengths.into_iter().collect()
    }

    #[test]
    fn a_length_is_beyond_the_bounds_of_its_nesting() {
        // Bounds of parameters rise to a demanded length.
        let source = "method M(s: seq<int>) requires |s| == 64 { }";
        assert_eq!(lengths(source), [0u32; 0]);
        let source = "method M(s: seq<int>) requires |s| == 4096 { }";
        assert_eq!(lengths(source), [4096]);
        // In a collection, the bound is 16, in a collection of collections 4.
        let source = "type K = k: seq<int> | |k| == N witness * \
                      method M(s: OF) { }";
        let nested = |n: &str, of: &str| lengths(&source.replace('N', n).replace("OF", of));
        assert_eq!(nested("64", "seq<K>"), [64]);
        assert_eq!(nested("8", "seq<K>"), [0u32; 0]);
        assert_eq!(nested("17", "map<int, K>"), [17]);
        assert_eq!(nested("5", "seq<set<K>>"), [5]);
        assert_eq!(nested("4", "seq<set<K>>"), [0u32; 0]);
        // The bound of a parameter does not rise to the length of its type.
        assert_eq!(nested("64", "(K, bool)"), [64]);
        assert_eq!(nested("8", "(K, bool)"), [0u32; 0]);
    }

    #[test]
    fn fields_of_objects_are_nested() {
        let source = "class C { var data: seq<int> constructor() { data := []; }
             predicate Valid() reads this { |data| == 32 } }
             method M(c: C) requires c.Valid() { }";
        assert_eq!(lengths(source), [32]);
    }

    #[test]
    fn indices_of_long_sequences_need_no_larger_bounds() {
        let largest = |source: &str| {
            let (_, program) = dtest_lower::testing::lowered(source, Criteria::default());
            let unit = program.procedures.values().next_back().expect("declared");
            Constants::of(&program, unit, Reach::FAR).largest_size()
        };
        let unit = "method M(s: seq<int>, k: K) requires |s| > 40 && s[100] == 1 { }";
        let long = format!("type K = k: seq<int> | |k| == 128 witness * {unit}");
        assert_eq!(largest(&long), Some(41));
        assert_eq!(largest(&format!("type K = int {unit}")), Some(101));
    }

    #[test]
    fn lengths_of_types_come_first() {
        let source = "type K = k: seq<int> | |k| == 200 witness *
             method M(ks: seq<K>, k: seq<int>) returns (r: int)
               requires |k| > 20 && |k| > 21 && |k| > 22 && |k| > 23 && |k| != 4000 { }";
        assert_eq!(lengths(source), [20, 21, 22, 200, 4000]);
    }
}
