//! Mutation operators over the IR: each mutant is the code of a callable with one change, such as a
//! programming error would be. Inputs that kill mutants make good tests.
//!
//! The operators are those of mutation analysis (Jia and Harman, *An Analysis and Survey of the
//! Development of Mutation Testing*, 2011, section 3; for Dafny: MutDafny, arXiv 2511.15403), and
//! default results (Niedermayr, Juergens and Wagner, *Will my tests tell me if I break this code?*,
//! 2016). They change blocks and expressions that represent compiled code of the source: contracts,
//! ghost code and code that the lowering adds have no mutants. A function that contracts use is
//! mutated for its compiled callers only.
//!
//! [`of`] lists the mutants of a callable. A [`Mutant`] has a place, a change, and a [`Mutation`]
//! that describes it to users as an edit of the source; `Mutant::applied` makes the changed code.
//! The hard parts are the text of an edit, because the IR is not the source ([`forms`], [`clones`],
//! [`bounds`]), and equivalent mutants, which cannot be killed ([`observable`], [`unused`],
//! [`copies`], [`bisimulation`], [`redundant_loops`]).
#![deny(missing_docs)]
// Tests may use wildcard arms: they print values without a notation of their own in Debug form.
#![cfg_attr(
    not(test),
    deny(
        clippy::wildcard_enum_match_arm,
        clippy::match_wildcard_for_single_variants
    )
)]

mod apply;
mod bisimulation;
mod bounds;
mod callees;
mod clones;
mod combined;
mod copies;
mod defaults;
mod defined;
pub mod describe;
mod difference;
mod ends;
mod exprs;
mod few;
mod forms;
mod hints;
mod joins;
mod known;
mod live;
mod members;
mod observable;
mod operations;
mod orders;
mod ranges;
mod redundant_loops;
mod removals;
mod replacements;
mod semantics;
mod slips;
mod stmts;
mod symbolic;
mod types;
mod unused;
mod uses;

use std::rc::Rc;

use dtest_sorted::SortedSet;

pub use apply::{ChangedCode, Mutated};
use copies::Equal;
pub use defined::is_same;
pub use hints::hints;

use dafny_resolve::typed::{Callable, CallableId, CallableKind, Type};
use dafny_source::Span;
use dtest_ir::{
    BlockId, Expr, ExprKind, Op, Procedure, Program, Simple, Stmt, StmtKind, Terminator, Var,
};
use dtest_value::Value;
use rustc_hash::FxHashMap;

/// The code of a callable with one change.
#[derive(Debug, Clone)]
pub struct Mutant {
    /// The callable.
    pub callable: CallableId,
    place: Place,
    change: Change,
    /// Further changes, if the lowering has copies of the changed source elsewhere.
    also: Vec<(Place, Change)>,
    /// The description of the change for users.
    pub mutation: Mutation,
}

/// A place of the code that a change refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// The whole procedure.
    Whole,
    /// A statement of a block, by its index.
    Stmt(BlockId, usize),
    /// The terminator of a block.
    End(BlockId),
    /// The body of a lambda.
    Lambda(u32),
}

impl Place {
    /// The order of places in a procedure: by blocks and statements, then lambdas.
    fn order(self) -> (u32, usize) {
        match self {
            Self::Whole => (0, 0),
            Self::Stmt(block, at) => (block.0, at),
            Self::End(block) => (block.0, usize::MAX),
            Self::Lambda(index) => (u32::MAX, index as usize),
        }
    }
}

#[derive(Debug, Clone)]
enum Change {
    /// Replaces an expression: the index of the place's expression, and the path to the part by
    /// child indices.
    Expr {
        root: usize,
        path: Vec<usize>,
        instead: Box<Expr>,
    },
    /// Replaces the statement.
    Stmt(Box<Stmt>),
    /// Removes the statement.
    LeftOut,
    /// Changes the successors of a branch. A block that assigns a condition its constant value may
    /// assign the other value.
    Branch {
        then: BlockId,
        els: BlockId,
        flipped: Option<BlockId>,
    },
    /// Removes the jump at the end of the block, which then continues at this block.
    Next(BlockId),
    /// Exchanges the bodies of two cases of a `match`: of this block's case, and of the case that
    /// the given block tests.
    Arms(BlockId),
    /// Exchanges the statement with a later one of the block.
    Swapped(usize),
    /// Leaves a loop at the end of the iteration: the edge from this block to the head of the loop
    /// leads to its exit.
    Leave { head: BlockId, exit: BlockId },
    /// Removes the body and returns these results; `None` for a ghost result.
    Results(Vec<Option<Value>>),
}

/// The description of a mutant for users: an edit of the source.
#[derive(Debug, Clone, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct Mutation {
    /// The location of the changed source.
    pub span: Span,
    /// The mutation operator.
    pub kind: MutationKind,
    /// The text that replaces the source. Empty if nothing replaces it or it cannot be shown as
    /// text. For a default result, the result.
    pub instead: Vec<Piece>,
    /// Whether the text needs no parentheses: no operator around it can bind a part of it, or it is
    /// part of a chain of comparisons.
    pub is_bare: bool,
    /// Whether the change is a [`hint`](hints()), which guides the search and is no mutant.
    pub is_hint: bool,
}

impl Mutation {
    fn new(span: Span, kind: MutationKind, instead: Vec<Piece>) -> Self {
        let is_bare = match kind {
            MutationKind::Operator
            | MutationKind::Negation
            | MutationKind::Decision
            | MutationKind::Connective
            | MutationKind::Operand
            | MutationKind::Quantifier => false,
            // Exchanged operands need parentheses. Exchanged arguments and statements are delimited
            // anyway.
            MutationKind::Order => !instead.iter().any(|p| matches!(p, Piece::Operand(_))),
            MutationKind::Constant => {
                !matches!(instead.first(), Some(Piece::Text(t)) if t.starts_with('-'))
            }
            MutationKind::Variable
            | MutationKind::Field
            | MutationKind::Constructor
            | MutationKind::Callee
            | MutationKind::Statement
            | MutationKind::Iteration
            | MutationKind::Default => true,
        };
        Self {
            span,
            kind,
            instead,
            is_bare,
            is_hint: false,
        }
    }

    /// The mutation without its text, if that is an empty collection: as the value of a variable,
    /// it would leave the variable's type unknown.
    fn without_empty_display(self) -> Self {
        let is_empty = |p: &Piece| matches!(p, Piece::Text(t) if EMPTY_DISPLAYS.contains(&&**t));
        // Only a text that consists of nothing else is affected.
        match self.instead.as_slice() {
            [one] if is_empty(one) => Self {
                instead: Vec::new(),
                ..self
            },
            _others => self,
        }
    }

    /// The removal of a statement.
    fn left_out(statement: Span) -> Self {
        Self::new(statement, MutationKind::Statement, Vec::new())
    }
}

/// The displays of empty collections.
const EMPTY_DISPLAYS: [&str; 6] = ["[]", "{}", "iset{}", "multiset{}", "map[]", "imap[]"];

/// A piece of a mutated text.
#[derive(Debug, Clone, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum Piece {
    /// Text of the program.
    Source(Span),
    /// Text of the program as an operand: in parentheses, unless it obviously binds more tightly
    /// than the operator.
    Operand(Span),
    /// Text of the program in which a word is replaced.
    Renamed {
        /// The location of the text.
        head: Span,
        /// The word in the program.
        from: String,
        /// The word that replaces it.
        to: String,
        /// Whether the last occurrence is meant: the name of a constructor before its arguments.
        /// There is no text if the first argument is named, because the other names differ.
        is_last: bool,
    },
    /// Other text.
    Text(String),
}

impl Piece {
    /// The location of the text. `None` for text that is not of the program.
    fn span(&self) -> Option<Span> {
        match self {
            Self::Source(span) | Self::Operand(span) => Some(*span),
            Self::Renamed { head, .. } => Some(*head),
            Self::Text(_) => None,
        }
    }
}

/// Returns the locations in a callable that texts of its mutants may mention and the IR does not, in
/// ascending order: results that refer to mutants can only be stored if their places are known.
pub fn places(program: &Program, callable: CallableId) -> Vec<Span> {
    forms::Forms::of(program, callable).places()
}

/// The mutation operators.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum MutationKind {
    /// Replaces an operator.
    Operator,
    /// Negates a condition.
    Negation,
    /// Replaces a decision by a constant.
    Decision,
    /// Exchanges `&&` and `||`.
    Connective,
    /// Replaces the body by a default result.
    Default,
    /// Replaces a constant.
    Constant,
    /// Replaces a variable by another one of its type.
    Variable,
    /// Replaces a field or destructor by another one of its type.
    Field,
    /// Replaces a constructor by another one with the same parameters.
    Constructor,
    /// Replaces a function or method by another one with the same parameters and results.
    Callee,
    /// Exchanges two arguments, operands or cases of a `match`.
    Order,
    /// Replaces an operation by one of its operands.
    Operand,
    /// Exchanges `forall` and `exists`.
    Quantifier,
    /// Removes a statement.
    Statement,
    /// Leaves a loop after its first iteration.
    Iteration,
}

/// The mutants of a callable in the order of its code, without default results, which need values.
pub fn of(program: &Program, callable: CallableId) -> Vec<Mutant> {
    let Some((mut found, lambdas)) = Finder::of(program, callable) else {
        return Vec::new();
    };
    found.procedure();
    lambdas.iter().for_each(|l| found.lambda(*l));
    // Mutants with the same description are one mutant.
    let mut found = together(found.found);
    let unused = unused::Unused::of(program, callable);
    let declared = &program.typed[callable];
    // The parts of an iterator's code that assign its parameters have the location of its name.
    let of_owner = declared.owner.map(|o| program.typed[o].span);
    let is_name = |span: Span| span == declared.span || Some(span) == of_owner;
    // Mutants of the name, of unused arguments and of default values are removed.
    found.retain(|m| {
        !is_name(m.mutation.span)
            && !unused.hides(program, m)
            && !is_of_default(program, callable, m)
    });
    found
}

/// Merges mutants with the same description: source that is lowered twice, such as the body of a
/// case with several patterns, is changed everywhere.
fn together(found: Vec<Mutant>) -> Vec<Mutant> {
    let mut numbers: FxHashMap<Mutation, usize> = FxHashMap::default();
    let mut all: Vec<Mutant> = Vec::new();
    for mutant in found {
        let known = numbers
            .get(&mutant.mutation)
            .and_then(|at| all.get_mut(*at));
        match known {
            Some(first) => {
                let is_new = |(place, _): &(Place, Change)| *place != mutant.place;
                if mutant.place != first.place && first.also.iter().all(is_new) {
                    // A second change at the same place would not be another copy of the source.
                    first.also.push((mutant.place, mutant.change));
                }
            }
            None => {
                numbers.insert(mutant.mutation.clone(), all.len());
                all.push(mutant);
            }
        }
    }
    all
}

/// Whether a mutant changes the default value of a parameter where a call evaluates it. Its text is
/// in the declaration and applies to all calls, so that no single place can be mutated.
fn is_of_default(program: &Program, callable: CallableId, mutant: &Mutant) -> bool {
    let typed = &program.typed;
    let span = mutant.mutation.span;
    // A default value is located within a parameter's declaration.
    let is_in = |c: &Callable| {
        let mut defaults = c.ins.iter().filter_map(|f| f.default.as_ref());
        defaults.any(|e| e.span.contains_span(span))
    };
    let own = &typed[callable];
    // Within the callable's own declaration, only defaults are evaluated elsewhere.
    if own.full_span.contains_span(span) {
        return is_in(own);
    }
    let of_constructors = || {
        let mut defaults = typed.ctors.iter().flat_map(|c| c.defaults.iter().flatten());
        defaults.any(|e| e.span.contains_span(span))
    };
    typed.callables.iter().any(is_in) || of_constructors()
}

/// Whether the effects of a procedure are observable: it has results, modifies existing objects,
/// prints, may be halted, or calls external code. A `Main` that only creates objects and asserts
/// properties of them is not observable.
pub fn is_visible(program: &Program, procedure: &Procedure) -> bool {
    let callable = procedure.callable;
    let is_compiled = |v: &Var| procedure.vars.get(v.0 as usize).is_none_or(|i| !i.ghost);
    let modifies = program
        .contracts
        .get(&callable)
        .is_none_or(|c| !c.modifies.is_empty());
    let is_constructor = program.typed[callable].kind == CallableKind::Constructor;
    // A constructor's object and the results are observable by definition.
    is_constructor || procedure.outs.iter().any(is_compiled) || {
        let effects = program.effects(callable);
        effects.is_heard || effects.is_opaque || modifies && !effects.is_quiet()
    }
}

/// Whether every execution of a procedure is known to end without a failure, whatever its inputs:
/// it has no loops, no calls, and no partial operations.
pub fn always_ends(program: &Program, procedure: &Procedure) -> bool {
    // Loops and calls may not end, whatever the rest does.
    let is_straight = procedure.blocks.iter().all(|b| b.loop_head.is_none())
        && program.callees(procedure.callable).is_empty();
    let mut stmts = procedure.blocks.iter().flat_map(|b| &b.stmts);
    let mut ends = procedure.blocks.iter().map(|b| &b.terminator);
    is_straight
        && stmts.all(|s| match s.simple() {
            Some(Simple::Assigns(_, value)) => defined::is_total(value),
            Some(Simple::Notes) => true,
            None => false,
        })
        && ends.all(|t| match t {
            Terminator::Branch { cond, .. } => defined::is_total(cond),
            Terminator::Goto(_) | Terminator::Return => true,
            Terminator::Choose { .. } | Terminator::Stop => false,
        })
}

/// Whether a call can be replaced by the function's body in any state: the function is small, has
/// no precondition, always has a result, and reads no objects, and the arguments have the
/// parameters' types.
pub fn is_transparent(program: &Program, callee: CallableId, args: &[Expr]) -> bool {
    let Some((procedure, contract)) = program
        .procedures
        .get(&callee)
        .zip(program.contracts.get(&callee))
    else {
        return false;
    };
    let asks = !contract.requires.is_empty()
        || !procedure.type_params.is_empty()
        || procedure.params.len() != args.len();
    let is_of_type = |(param, arg): (&Var, &Expr)| {
        // A computed value may violate the constraint of its type, which compiled code does not
        // check.
        let is_stored = if matches!(
            &arg.kind,
            ExprKind::Var(_)
                | ExprKind::ReadField(..)
                | ExprKind::ReadElement(..)
                | ExprKind::Call { .. }
        ) {
            true
        } else if let ExprKind::Op(op, _) = &arg.kind {
            matches!(op, Op::Select(_)) || matches!(arg.ty, Type::Int | Type::Bool)
        } else {
            matches!(arg.ty, Type::Int | Type::Bool)
        };
        is_stored
            && procedure
                .vars
                .get(param.0 as usize)
                .is_some_and(|v| v.ty == arg.ty)
    };
    !asks
        && procedure.params.iter().zip(args).all(is_of_type)
        && program.is_small(callee)
        && program.is_pure(callee)
        && always_ends(program, procedure)
}

/// The unit without a change, in the form of a mutant.
pub fn unchanged(callable: CallableId) -> Mutant {
    Mutant {
        callable,
        place: Place::Whole,
        change: Change::Results(Vec::new()),
        also: Vec::new(),
        mutation: Mutation::new(Span::default(), MutationKind::Default, Vec::new()),
    }
}

/// The mutants that return these results and do nothing else.
pub fn with_results(
    procedure: &Procedure,
    span: Span,
    rows: Vec<Vec<Option<Value>>>,
) -> impl Iterator<Item = Mutant> {
    let callable = procedure.callable;
    // A single row needs no description. Several rows are distinguished by their Boolean values.
    let is_one = rows.len() == 1;
    let named = |row: &[Option<Value>]| match row {
        _ if is_one => Vec::new(),
        [Some(Value::Bool(b))] => vec![Piece::Text(format!("`{b}`"))],
        row => vec![Piece::Text(default_values(procedure, row))],
    };
    let returning = |row: Vec<Option<Value>>| Mutant {
        callable,
        place: Place::Whole,
        mutation: Mutation::new(span, MutationKind::Default, named(&row)),
        change: Change::Results(row),
        also: Vec::new(),
    };
    rows.into_iter()
        .map(returning)
        .collect::<Vec<_>>()
        .into_iter()
}

/// The description of default values for several results, by the values that distinguish the rows.
fn default_values(procedure: &Procedure, row: &[Option<Value>]) -> String {
    // Only Boolean results distinguish the rows.
    let named = procedure.outs.iter().zip(row).filter_map(|(out, value)| {
        let Some(Value::Bool(b)) = value else {
            return None;
        };
        let name = &procedure.vars.get(out.0 as usize)?.name;
        Some(format!("`{name} == {b}`"))
    });
    format!(
        "default values with {}",
        named.collect::<Vec<_>>().join(" and ")
    )
}

impl Mutant {
    /// The changed block. `None` if there are several, or if the change is in a lambda, which may
    /// run anywhere.
    pub fn block(&self) -> Option<BlockId> {
        match self.place {
            _ if !self.also.is_empty() => None,
            Place::Whole => Some(BlockId(0)),
            Place::Stmt(block, _) | Place::End(block) => Some(block),
            Place::Lambda(_) => None,
        }
    }

    /// Whether the change is in the body of a lambda.
    pub fn is_in_lambda(&self) -> bool {
        matches!(self.place, Place::Lambda(_))
    }
}

/// Collects the mutants of a callable.
struct Finder<'p> {
    clones: clones::Clones<'p>,
    forms: Rc<forms::Forms>,
    program: &'p Program,
    procedure: &'p Procedure,
    seen: observable::Seen<'p>,
    copies: copies::Copies<'p>,
    callees: Rc<callees::Callees>,
    found: Vec<Mutant>,
}

/// Lambdas that the code of a procedure creates, including nested ones.
fn lambdas_of(program: &Program, procedure: &Procedure) -> Vec<u32> {
    let mut found: Vec<u32> = Vec::new();
    let mut work: Vec<&Expr> = Vec::new();
    for block in &procedure.blocks {
        work.extend(block.stmts.iter().flat_map(stmts::roots));
        if let Terminator::Branch { cond, .. } = &block.terminator {
            work.push(cond);
        }
    }
    // In the order of the code.
    work.reverse();
    while let Some(e) = work.pop() {
        if let ExprKind::Lambda { lambda, .. } | ExprKind::Delay { lambda, .. } = &e.kind
            && !found.contains(lambda)
        {
            // The bodies may contain nested lambdas.
            found.push(*lambda);
            work.extend(program.lambdas.get(*lambda as usize).map(|l| &l.body));
        }
        let children = exprs::compiled_children(program, e).into_iter().rev();
        work.extend(children.map(|(_, e)| e));
    }
    found
}

impl<'p> Finder<'p> {
    /// Prepares a callable, and returns the lambdas that its code creates. `None` for code without
    /// observable effects, which has no mutants at all.
    fn of(program: &'p Program, callable: CallableId) -> Option<(Self, Vec<u32>)> {
        let procedure = program
            .procedures
            .get(&callable)
            .filter(|p| is_visible(program, p))?;
        // The analyses of the whole procedure are computed once for all of its mutants.
        let lambdas = lambdas_of(program, procedure);
        let is_compiled = |stmt: &Stmt, root: usize| {
            stmts::is_compiled(program, procedure, stmt)
                && stmts::is_argument_compiled(program, stmt, root)
        };
        let finder = Self {
            clones: clones::Clones::of(program, procedure, &lambdas, &is_compiled),
            forms: Rc::new(forms::Forms::of(program, callable)),
            program,
            procedure,
            seen: observable::Seen::new(program, procedure),
            copies: copies::Copies::new(procedure),
            callees: callees::Callees::of(program, callable),
            found: Vec::new(),
        };
        Some((finder, lambdas))
    }
}

impl Finder<'_> {
    fn add(&mut self, place: Place, change: Change, mutation: Mutation) {
        // A change that reads like the original text comes from the lowering.
        if mutation.span.start < mutation.span.end
            && mutation.instead != [Piece::Source(mutation.span)]
            && let Some(mutation) = self.forms.fitted(mutation)
        {
            self.found.push(Mutant {
                callable: self.procedure.callable,
                place,
                change,
                also: Vec::new(),
                mutation,
            });
        }
    }

    /// Adds the mutants of an expression.
    fn root(&mut self, place: Place, root: usize, e: &Expr, names: &exprs::Names<'_>) {
        for (path, instead, mutation) in exprs::rewrites(self.program, names, e) {
            self.add_expr((place, root, e), path, instead, mutation);
        }
    }

    /// Whether the type of a part can only be that of its own text: it is printed, it determines the
    /// type of a variable, or an operator takes any collection in its place.
    fn gives_type(&self, (place, root): (Place, &Expr), path: &[usize]) -> bool {
        let Some((part, above)) = path.split_last() else {
            return self.gives_type_as_root(place);
        };
        let mut parent = root;
        for i in above {
            let Some(child) = parent.children().get(*i).copied() else {
                return false;
            };
            parent = child;
        }
        let ExprKind::Op(op, _) = &parent.kind else {
            return false;
        };
        // The type of a part of a value is a part of the value's type.
        if matches!(op, Op::Tuple | Op::Construct(_) | Op::Display(_)) {
            return self.gives_type((place, root), above);
        }
        // The collection is the first operand of all of these operators.
        *part == 0
            && matches!(
                op,
                Op::Cardinality(_)
                    | Op::Select(_)
                    | Op::Slice
                    | Op::MultisetOf(_)
                    | Op::Keys
                    | Op::Values
                    | Op::Items
            )
    }

    fn gives_type_as_root(&self, place: Place) -> bool {
        // Only statements declare variables.
        let Place::Stmt(block, at) = place else {
            return false;
        };
        let stmt = self.procedure.block(block).and_then(|b| b.stmts.get(at));
        if matches!(stmt.map(|s| &s.kind), Some(StmtKind::Print(_))) {
            return true;
        }
        let Some(StmtKind::Assign { var, .. }) = stmt.map(|s| &s.kind) else {
            return false;
        };
        let info = self.procedure.vars.get(var.0 as usize);
        info.is_some_and(|i| i.inferred)
    }

    /// Adds a mutant that replaces a part of a root, and the clones of that part.
    fn add_expr(
        &mut self,
        root: (Place, usize, &Expr),
        path: Vec<usize>,
        instead: Expr,
        mutation: Mutation,
    ) {
        let gives_type = self.gives_type((root.0, root.2), &path);
        // Clones of the part are changed with it, and the loops around them are adapted.
        let Some(mut changes) = self.clones.changes(root, path, instead) else {
            return;
        };
        let mutation = if gives_type {
            mutation.without_empty_display()
        } else {
            mutation
        };
        let also = changes.split_off(1);
        let count = self.found.len();
        for (place, change) in changes {
            self.add(place, change, mutation.clone());
        }
        if let Some(added) = self.found.get_mut(count) {
            added.also = also;
        }
    }

    fn lambda(&mut self, index: u32) {
        let Some(lambda) = self.program.lambdas.get(index as usize) else {
            return;
        };
        // A lambda sees its captures and parameters.
        let known = lambda
            .captures
            .iter()
            .chain(&lambda.params)
            .copied()
            .collect();
        self.root(
            Place::Lambda(index),
            0,
            &lambda.body,
            &exprs::Names {
                callees: self.callees.clone(),
                forms: self.forms.clone(),
                vars: &lambda.vars,
                params: &lambda.captures,
                known,
                equal: Equal::new(),
            },
        );
    }

    /// The variables that some expressions read.
    fn read(&self, roots: &[&Expr]) -> SortedSet<dtest_ir::Var> {
        let mut found = SortedSet::new();
        let mut work = roots.to_vec();
        while let Some(e) = work.pop() {
            if let ExprKind::Var(v) = &e.kind {
                found.insert(*v);
            }
            work.extend(
                exprs::compiled_children(self.program, e)
                    .into_iter()
                    .map(|(_, e)| e),
            );
        }
        found
    }
}

#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
