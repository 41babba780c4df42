//! Proofs: obligations that the solver shows without executions, with loops represented by their
//! invariants and procedures by their contracts.
//!
//! An execution ends at the first obligation that it violates. So every execution reaches an
//! obligation only through calls that satisfied their contracts and iterations that maintained
//! their invariants; an obligation that follows from these is never violated.
//!
//! Key type: [`Proofs`]. Submodules: `formulas` translates expressions, `passive` translates
//! bodies, `signature` declares sorts and functions.

mod formulas;
mod passive;
mod signature;

use std::time::Duration;

use boogie_resolve::typed::{FunctionId, ProcedureId, Program, StmtKind, Type};
use dtest_smt::{Budget, Script};
use dtest_sorted::{SortedMap, SortedSet};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::execution::FailureKind;
use crate::functions::variables;
use crate::obligations::Obligation;
use formulas::{Formulas, Scope, Use, applied, is_pattern};
use passive::Goal;
use signature::{Instance, Symbol, may_be_any, pairs};

/// The budget of one obligation, in Z3's resources.
const GOAL: Budget = Budget {
    rlimit: 4_000_000,
    timeout: Duration::from_secs(5),
};
/// The limit of rounds in which type arguments lead to new ones.
const ROUNDS: usize = 8;
/// The limit of functions in one script, counted for each list of type arguments.
const FUNCTIONS: usize = 20_000;

/// The proved obligations of a program's procedures.
#[derive(Debug)]
pub struct Proofs<'p> {
    program: &'p Program,
    known: FxHashMap<ProcedureId, SortedSet<Obligation>>,
    complete: FxHashSet<ProcedureId>,
}

impl<'p> Proofs<'p> {
    /// Starts without proofs.
    pub fn new(program: &'p Program) -> Self {
        Self {
            program,
            known: FxHashMap::default(),
            complete: FxHashSet::default(),
        }
    }

    /// Returns the proved obligations of a procedure's bodies. Subtracts the cost from `effort`.
    pub fn of(&mut self, id: ProcedureId, effort: &mut u64) -> SortedSet<Obligation> {
        if let Some(known) = self.known.get(&id) {
            return known.clone();
        }
        let (proved, is_complete) = prove(self.program, id, effort);
        if is_complete {
            self.complete.insert(id);
        }
        self.known.insert(id, proved.clone());
        proved
    }

    /// Whether all obligations of a procedure are proved.
    pub fn is_complete(&mut self, id: ProcedureId, effort: &mut u64) -> bool {
        self.of(id, effort);
        self.complete.contains(&id)
    }

    /// Whether all obligations of the procedure's callees are proved, directly or indirectly.
    pub fn is_sure_of_callees(&mut self, id: ProcedureId, effort: &mut u64) -> bool {
        let (mut open, mut seen) = (vec![id], FxHashSet::default());
        while let Some(at) = open.pop() {
            if !seen.insert(at) {
                continue;
            }
            if at != id && !self.is_complete(at, effort) {
                return false;
            }
            let bodies = &self.program.procedure(at).implementations;
            let stmts = bodies.iter().flat_map(|b| &b.blocks).flat_map(|b| &b.stmts);
            open.extend(stmts.filter_map(|s| {
                if let StmtKind::Call(call) = &s.kind {
                    Some(call.procedure)
                } else {
                    None
                }
            }));
        }
        true
    }
}

/// Returns the proved obligations, and whether these are all.
fn prove(program: &Program, id: ProcedureId, effort: &mut u64) -> (SortedSet<Obligation>, bool) {
    let Some((text, goals)) = script(program, id) else {
        return (SortedSet::new(), false);
    };
    // An obligation is proved only if all of its goals are: it may occur in several bodies.
    let mut solver = Script::new(&text);
    let mut kept: SortedMap<Obligation, bool> = SortedMap::new();
    let names: Vec<&str> = goals.iter().filter_map(|g| g.name.as_deref()).collect();
    for goal in &goals {
        let before = kept.get(&goal.obligation).copied().unwrap_or(true);
        let is_proved = match &goal.name {
            Some(name) if before && *effort > 0 => {
                let rlimit = GOAL.rlimit.min(u32::try_from(*effort).unwrap_or(u32::MAX));
                let others = names.iter().copied().filter(|n| n != name);
                let (is_refuted, spent) = solver.refutes(name, others, Budget { rlimit, ..GOAL });
                *effort = effort.saturating_sub(spent);
                is_refuted
            }
            Some(_) | None => false,
        };
        kept.insert(goal.obligation, before && is_proved);
    }
    // A loop that is entered again inside another loop has had iterations before, so that its two
    // obligations depend on each other.
    let at_entry = kept.clone();
    for ((kind, span), is_proved) in &mut kept {
        *is_proved &= *kind != FailureKind::Invariant
            || at_entry
                .get(&(FailureKind::InvariantAtEntry, *span))
                .copied()
                .unwrap_or(true);
    }
    let is_complete = kept.values().all(|k| *k);
    (
        kept.into_iter()
            .filter(|(_, is_proved)| *is_proved)
            .map(|(p, _)| p)
            .collect(),
        is_complete,
    )
}

/// Returns the formulas of a procedure and its goals. Every new type argument adds instances of
/// what is quantified over types, so that this is repeated until there are no new ones.
fn script(program: &Program, id: ProcedureId) -> Option<(String, Vec<Goal>)> {
    let mut known: SortedSet<Instance> = SortedSet::new();
    for round in 1..=ROUNDS {
        let mut formulas = Formulas::new(program, known.clone());
        let mut goals = Vec::new();
        for body in &program.procedure(id).implementations {
            goals.extend(passive::goals(&mut formulas, id, body)?);
        }
        for axiom in &program.axioms {
            let fact = formulas.term(&axiom.expr, &Scope::default(), Use::Known);
            formulas.facts.extend(fact);
        }
        formulas.unique_constants();
        definitions(&mut formulas);
        let now = formulas.signature.instances();
        if now.is_subset(&known) || now.len() > FUNCTIONS || round == ROUNDS {
            let facts: String = formulas
                .facts
                .iter()
                .map(|f| format!("(assert {f})\n"))
                .collect();
            let text = formulas.signature.text + &facts;
            return Some((text, goals));
        }
        known.extend(now);
    }
    None
}

/// Adds the facts about all functions that occur.
fn definitions(formulas: &mut Formulas<'_>) {
    let mut done = 0;
    while let Some((symbol, types)) = formulas.signature.declared.get(done).cloned() {
        done += 1;
        let _ = match &symbol {
            Symbol::Function(f) => defined(formulas, *f, &types),
            Symbol::Select(_) | Symbol::Field(..) | Symbol::Same(..) => Some(()),
            Symbol::Store(map) => updated(formulas, map, &types),
            Symbol::Tag(ty) => constructed(formulas, ty),
        };
    }
}

/// Declares bound variables of these types: their text and their names.
fn bound(formulas: &mut Formulas<'_>, types: &[Type]) -> Option<(String, Vec<String>)> {
    let (mut text, mut names) = (String::new(), Vec::new());
    for ty in types {
        let (name, sort) = (formulas.signature.fresh("x"), formulas.signature.sort(ty)?);
        text.push_str(&format!("({name} {sort}) "));
        names.push(name);
    }
    Some((text, names))
}

fn forall(vars: &str, body: &str, pattern: &str) -> String {
    if vars.is_empty() {
        body.to_owned()
    } else {
        format!("(forall ({vars}) (! {body} :pattern ({pattern})))")
    }
}

/// Adds the definition of a function; for a constructor, its tag and its fields.
fn defined(formulas: &mut Formulas<'_>, f: FunctionId, types: &[Type]) -> Option<()> {
    let program = formulas.signature.program;
    let function = program.function(f);
    let name = formulas.signature.symbol(Symbol::Function(f), types)?;
    let (args, result) = formulas
        .signature
        .shape(&(Symbol::Function(f), types.to_vec()))?;
    let (vars, names) = bound(formulas, &args)?;
    let call = applied(&name, names.iter().cloned());
    if let Some(body) = &function.body {
        let scope = Scope {
            bound: function.params.iter().copied().zip(names).collect(),
            types: pairs(&function.type_params, types),
            ..Scope::default()
        };
        let text = formulas.term(body, &scope, Use::Both)?;
        // If the function only renames a term, patterns may mention either one.
        let mut mentioned = Vec::new();
        variables(body, &mut mentioned);
        let is_name = is_pattern(body) && function.params.iter().all(|p| mentioned.contains(p));
        let pattern = if is_name {
            format!("{call}) :pattern ({text}")
        } else {
            call.clone()
        };
        formulas
            .facts
            .push(forall(&vars, &format!("(= {call} {text})"), &pattern));
        return Some(());
    }
    // A function without a definition may be a constructor, which fixes its tag and fields.
    let c = function.constructor?;
    let n = formulas.number(c)?;
    let tag = formulas.signature.symbol(Symbol::Tag(result), &[])?;
    let mut said = vec![format!("(= ({tag} {call}) {n})")];
    for (i, arg) in names.iter().enumerate() {
        let field = formulas.signature.symbol(Symbol::Field(c, i), types)?;
        said.push(format!("(= ({field} {call}) {arg})"));
    }
    formulas
        .facts
        .push(forall(&vars, &format!("(and {})", said.join(" ")), &call));
    Some(())
}

/// Adds the fact that every value of a datatype is made by one of its constructors.
fn constructed(formulas: &mut Formulas<'_>, ty: &Type) -> Option<()> {
    let program = formulas.signature.program;
    let Type::Constructor(id, types) = ty else {
        return None;
    };
    let tag = formulas.signature.symbol(Symbol::Tag(ty.clone()), &[])?;
    let (vars, names) = bound(formulas, std::slice::from_ref(ty))?;
    let x = names.first()?;
    let mut ways = Vec::new();
    for (n, c) in program.type_decl(*id).constructors.iter().enumerate() {
        let function = program
            .functions
            .iter()
            .position(|f| f.constructor == Some(*c))?;
        let maker = formulas
            .signature
            .symbol(Symbol::Function(FunctionId(function as u32)), types)?;
        let mut fields = Vec::new();
        for i in 0..program.constructor(*c).fields.len() {
            let field = formulas.signature.symbol(Symbol::Field(*c, i), types)?;
            fields.push(format!("({field} {x})"));
        }
        ways.push(format!(
            "(and (= ({tag} {x}) {n}) (= {x} {}))",
            applied(&maker, fields)
        ));
    }
    formulas.facts.push(forall(
        &vars,
        &format!("(or {})", ways.join(" ")),
        &format!("({tag} {x})"),
    ));
    Some(())
}

/// Adds the facts about updates of a map: an update changes one element. Elements with other type
/// arguments are different, unless these may be the same types.
fn updated(formulas: &mut Formulas<'_>, map: &Type, types: &[Type]) -> Option<()> {
    let store = formulas
        .signature
        .symbol(Symbol::Store(map.clone()), types)?;
    let (args, _) = formulas
        .signature
        .shape(&(Symbol::Store(map.clone()), types.to_vec()))?;
    let select = formulas
        .signature
        .symbol(Symbol::Select(map.clone()), types)?;
    let (vars, names) = bound(formulas, &args)?;
    let updated = applied(&store, names.iter().cloned());
    // The arguments of an update are the map, the index and the value.
    let (m, rest) = names.split_first()?;
    let (value, index) = rest.split_last()?;
    let at = applied(
        &select,
        [updated.clone()].into_iter().chain(index.iter().cloned()),
    );
    // Reading the updated index yields the value.
    formulas
        .facts
        .push(forall(&vars, &format!("(= {at} {value})"), &updated));
    // Reading any other index, also of other type arguments, yields the old element.
    let symbol = Symbol::Select(map.clone());
    let selects: Vec<Vec<Type>> = formulas
        .known
        .iter()
        .filter(|(s, _)| *s == symbol)
        .map(|(_, t)| t.clone())
        .collect();
    for other in selects {
        let select = formulas.signature.symbol(symbol.clone(), &other)?;
        let (others, _) = formulas.signature.shape(&(symbol.clone(), other.clone()))?;
        let (more, theirs) = bound(formulas, others.get(1..)?)?;
        let read = |m: &str| {
            applied(
                &select,
                [m.to_owned()].into_iter().chain(theirs.iter().cloned()),
            )
        };
        let (now, before) = (read(&updated), read(m));
        let same = format!("(= {now} {before})");
        // Instances with different type arguments may still coincide if a type is unknown.
        let may_be_same = other == types || other.iter().chain(types).any(may_be_any);
        let mut equal = vec![may_be_same.to_string()];
        for ((x, a), (y, b)) in index
            .iter()
            .zip(args.iter().skip(1))
            .zip(theirs.iter().zip(others.iter().skip(1)))
        {
            equal.push(formulas.signature.equal((x, a), (y, b))?);
        }
        let said = format!("(or (and {}) {same})", equal.join(" "));
        formulas
            .facts
            .push(forall(&format!("{vars}{more}"), &said, &now));
    }
    Some(())
}
