//! Proofs: what the solver can show of obligations without executing anything, with loops known by their invariants and procedures by their contracts.
//!
//! An execution ends at the first obligation that it breaks. So each comes to an obligation only through calls that kept their contracts and rounds that
//! kept their invariants, and an obligation that these imply is broken by none.

mod formulas;
mod passive;
mod signature;

use std::time::Duration;

use boogie_resolve::typed::{FunctionId, ProcedureId, Program, StmtKind, Type};
use dtest_engine::smt::{Budget, Script};
use dtest_sorted::{SortedMap, SortedSet};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::execution::FailureKind;
use crate::functions::variables;
use crate::obligations::Obligation;
use formulas::{Formulas, Scope, Use, applied, is_pattern};
use passive::Goal;
use signature::{Instance, Symbol, may_be_any, pairs};

/// What one obligation may cost, in Z3's resources.
const GOAL: Budget = Budget {
    rlimit: 4_000_000,
    timeout: Duration::from_secs(5),
};
/// How often type arguments may bring others.
const ROUNDS: usize = 8;
/// Functions of one script, each for its type arguments.
const FUNCTIONS: usize = 20_000;

/// What was proved of the procedures of a program.
#[derive(Debug)]
pub struct Proofs<'p> {
    program: &'p Program,
    known: FxHashMap<ProcedureId, SortedSet<Obligation>>,
    complete: FxHashSet<ProcedureId>,
}

impl<'p> Proofs<'p> {
    /// Nothing yet.
    pub fn new(program: &'p Program) -> Self {
        Self {
            program,
            known: FxHashMap::default(),
            complete: FxHashSet::default(),
        }
    }

    /// The obligations of a procedure's bodies that are proved, within so many points, which are counted down.
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

    /// Whether no execution of the procedure violates an obligation of those that it calls.
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

/// The obligations that are proved, and whether these are all.
fn prove(program: &Program, id: ProcedureId, effort: &mut u64) -> (SortedSet<Obligation>, bool) {
    let Some((text, goals)) = script(program, id) else {
        return (SortedSet::new(), false);
    };
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
    // A loop that is entered again within another one has had rounds before.
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

/// The formulas of a procedure with its goals. What occurs for more types says more of what is quantified over types: until there are no more.
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

/// What holds of the functions that occur, because of what they are.
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

/// Variables with their sorts, as they are bound, and their names.
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

/// A function is what its body says; a constructor can be told from others, and has fields.
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
        // Another name for a term is one wherever the term is: patterns may mention either.
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

/// Every value of a datatype is made by a constructor.
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

/// An update changes one element. Those with other type arguments are others, if the arguments cannot be the same types.
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
    let (m, rest) = names.split_first()?;
    let (value, index) = rest.split_last()?;
    let at = applied(
        &select,
        [updated.clone()].into_iter().chain(index.iter().cloned()),
    );
    formulas
        .facts
        .push(forall(&vars, &format!("(= {at} {value})"), &updated));
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
