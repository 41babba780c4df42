//! `cargo dev execute`: executes every unit of verified Dafny programs on small random inputs.
//!
//! `cargo dev execute [--function-syntax N] [--each] [--tries N] [--show NAME] DIR-OR-FILE…`
//!
//! If the preconditions hold, a unit of a verified program must neither fail nor violate a
//! postcondition. Each one that does is printed: it is a bug in the interpreter or an earlier
//! stage.

use crate::Args;
use crate::support;
use dtest_sorted::SortedMap;
use std::path::PathBuf;
use std::sync::Arc;

use dafny_resolve::typed::{self, CallableId, Type, TypeDeclKind, TypeId};
use dafny_source::{SourceMap, Span};
use dtest::cli::args::DafnyArgs;
use dtest_interp::{Execution, Inputs, Interp, Limits, Outcome, Truth};
use dtest_ir::Procedure;
use dtest_lower::units::Unit;
use dtest_value::{Contents, Elements, FunctionValue, Heap, Object, ObjectId, Value};
use num_rational::BigRational;

#[derive(Default)]
struct Totals {
    counts: SortedMap<String, usize>,
    reasons: SortedMap<String, usize>,
}

impl Totals {
    fn count(&mut self, what: impl Into<String>) {
        *self.counts.entry(what.into()).or_default() += 1;
    }
}

pub(crate) fn run(mut args: Args) {
    let (mut each, mut show, mut tries, mut paths) = (false, None, 20, Vec::new());
    let mut settings = DafnyArgs::default();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--each" => each = true,
            "--show" => show = args.next(),
            "--tries" => tries = args.next().and_then(|v| v.parse().ok()).unwrap_or(tries),
            _ if support::setting(&arg, &mut args, &mut settings) => {}
            _ => paths.push(PathBuf::from(arg)),
        }
    }
    let jobs = support::all_jobs(&paths, &settings, !each);
    let mut totals = Totals::default();
    for job in &jobs {
        execute(job, tries, show.as_deref(), &mut totals);
    }
    for (what, n) in &totals.counts {
        println!("{n:7} {what}");
    }
    for (reason, n) in &totals.reasons {
        println!("{n:7} unsupported: {reason}");
    }
}

/// Executes the units of a program.
fn execute(job: &support::Job, tries: usize, show: Option<&str>, totals: &mut Totals) {
    let Some((map, typed)) = job.resolve() else {
        return totals.count("programs refused");
    };
    totals.count("programs");
    let typed = Arc::new(typed);
    let program = dtest_lower::lower(typed.clone());
    let limits = Limits {
        steps: 300_000,
        ..Limits::default()
    };
    let interp = Interp::new(&program, limits);
    let context = Context {
        map: &map,
        typed: &typed,
        interp: &interp,
        shows: show.is_some(),
    };
    let named = |s: Span| map.file_at(s.start).is_some_and(|f| f.1.named);
    for unit in dtest_lower::units::units(&typed, named) {
        if show.is_some_and(|s| !unit.path.contains(s)) {
            continue;
        }
        if let Some(procedure) = program.procedures.get(&unit.callable) {
            context.execute_unit(&unit, procedure, tries, totals);
        }
    }
}

/// A program with its interpreter.
struct Context<'a, 'p> {
    map: &'a SourceMap,
    typed: &'a typed::Program,
    interp: &'a Interp<'p>,
    /// Whether every execution is printed.
    shows: bool,
}

impl Context<'_, '_> {
    /// Executes a unit on random inputs until one violates its contract, and counts the outcomes.
    fn execute_unit(&self, unit: &Unit, procedure: &Procedure, tries: usize, totals: &mut Totals) {
        totals.count("units");
        let mut random = Random {
            typed: self.typed,
            interp: self.interp,
            state: 0x2545_F491_4F6C_DD1D,
            heap: Heap::default(),
        };
        // The outcomes of this unit, for the summary.
        let mut worst: SortedMap<String, usize> = SortedMap::new();
        for _ in 0..tries {
            let Some(inputs) = random.inputs(unit.callable, procedure) else {
                *worst.entry("no inputs made".into()).or_default() += 1;
                break;
            };
            // Only inputs that satisfy the precondition count.
            match self.interp.check_inputs(unit.callable, &inputs).verdict() {
                Truth::True => {}
                Truth::False => continue,
                Truth::Unknown(reason) => {
                    *worst
                        .entry(format!("precondition unknown: {reason} ({})", unit.path))
                        .or_default() += 1;
                    continue;
                }
            }
            let is_first_out_of_fuel = !worst.contains_key("out of fuel");
            let verdict = self.verdict(unit, &inputs, is_first_out_of_fuel, totals);
            totals.count(format!("executions: {verdict}"));
            *worst.entry(verdict.to_owned()).or_default() += 1;
            if verdict == "failed" || verdict == "postcondition broken" {
                break;
            }
        }
        let summary = match worst.keys().next() {
            None => "units for which no inputs met the precondition".to_owned(),
            Some(_) if worst.contains_key("returned") => "units that returned".to_owned(),
            Some(other) => format!("units: {other}"),
        };
        totals.count(summary);
    }

    /// Executes the unit and checks its postconditions. Returns the outcome in words, and prints
    /// violations.
    fn verdict(
        &self,
        unit: &Unit,
        inputs: &Inputs,
        is_first_out_of_fuel: bool,
        totals: &mut Totals,
    ) -> &'static str {
        let map = self.map;
        let e = self.interp.run(unit.callable, inputs);
        if self.shows {
            println!("{}: {:?} -> {:?}", unit.path, inputs.args, e.outcome);
        }
        match &e.outcome {
            Outcome::Returned(_) => {
                if self.violates_postcondition(unit, inputs, &e, totals) {
                    "postcondition broken"
                } else {
                    "returned"
                }
            }
            Outcome::Failed(f) => {
                println!(
                    "FAILED {} {}: {:?} {} `{}`",
                    unit.path,
                    map.locate(f.span),
                    f.kind,
                    f.message,
                    map.text(f.span).lines().next().unwrap_or("")
                );
                "failed"
            }
            Outcome::Halted { .. } => "halted",
            Outcome::OutOfFuel(which) => {
                if is_first_out_of_fuel {
                    let place = map.locate(self.typed[unit.callable].span);
                    println!("FUEL   {} {place}: {which}", unit.path);
                }
                "out of fuel"
            }
            Outcome::Infeasible(_) => "infeasible",
            Outcome::Unsupported(reason) => {
                *totals.reasons.entry(reason.to_string()).or_default() += 1;
                "unsupported"
            }
        }
    }

    /// Counts the truth of the postconditions, and prints the first one that is violated.
    fn violates_postcondition(
        &self,
        unit: &Unit,
        inputs: &Inputs,
        e: &Execution,
        totals: &mut Totals,
    ) -> bool {
        let map = self.map;
        let ensures = self.interp.check_ensures(unit.callable, inputs, e);
        for c in &ensures {
            totals.count(match &c.truth {
                Truth::True => "postconditions true",
                Truth::False => "postconditions FALSE",
                Truth::Unknown(_) => "postconditions unknown",
            });
            if let Truth::Unknown(reason) = &c.truth {
                let words: Vec<_> = map.text(c.span).split_whitespace().collect();
                let reason = format!("in a postcondition: {reason}: `{}`", words.join(" "));
                *totals.reasons.entry(reason).or_default() += 1;
            }
        }
        let Some(violated) = ensures.iter().find(|c| c.truth.is_false()) else {
            return false;
        };
        println!(
            "BROKEN {} {}: {}",
            unit.path,
            map.locate(violated.span),
            map.text(violated.span).lines().next().unwrap_or("")
        );
        true
    }
}

/// A generator of small random values.
struct Random<'a, 'p> {
    typed: &'a typed::Program,
    interp: &'a Interp<'p>,
    state: u64,
    heap: Heap,
}

impl Random<'_, '_> {
    fn below(&mut self, n: u64) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 11) % n.max(1)
    }

    /// Draws the inputs of a unit. A constructor receives its uninitialized object.
    fn inputs(&mut self, unit: CallableId, procedure: &Procedure) -> Option<Inputs> {
        let type_args = vec![Type::Int; procedure.type_params.len()];
        let subst = procedure
            .type_params
            .iter()
            .copied()
            .zip(type_args.iter().cloned())
            .collect();
        self.heap = Heap::default();
        let is_constructor = self.typed[unit].kind == typed::CallableKind::Constructor;
        let mut args = Vec::new();
        for (i, v) in procedure.params.iter().enumerate() {
            let ty = procedure
                .vars
                .get(v.0 as usize)
                .map_or(Type::Error, |v| v.ty.subst(&subst));
            args.push(if is_constructor && i == 0 {
                self.object(&ty)?
            } else {
                self.value(&ty, 3)?
            });
        }
        Some(Inputs {
            type_args,
            args,
            heap: self.heap.clone(),
            answers: Vec::new(),
        })
    }

    fn values(&mut self, ty: &Type, depth: u32) -> Option<Vec<Value>> {
        let n = self.below(4);
        (0..n).map(|_| self.value(ty, depth)).collect()
    }

    fn object(&mut self, ty: &Type) -> Option<Value> {
        self.heap
            .objects
            .push(Object::new(ty.clone(), Contents::Fields(SortedMap::new())));
        Some(Value::Ref(ObjectId(self.heap.objects.len() as u32 - 1)))
    }

    /// Draws a value of a type; `None` if there is no generator for it.
    fn value(&mut self, ty: &Type, depth: u32) -> Option<Value> {
        if depth == 0 {
            return self.interp.default_value(ty);
        }
        Some(match ty {
            Type::Bool => Value::Bool(self.below(2) == 0),
            Type::Char => Value::Char(97 + self.below(4) as u32),
            Type::Int => Value::int(self.below(8) as i64 - 2),
            Type::Real => Value::Real(BigRational::new(
                (self.below(9) as i64 - 4).into(),
                (1 + self.below(2)).into(),
            )),
            Type::Bv(w) => Value::Bv {
                width: *w,
                bits: (self.below(8) & ((1 << (*w).min(8)) - 1)).into(),
            },
            Type::Ordinal => Value::Ordinal(self.below(4).into()),
            Type::Seq(e) => Value::seq(self.values(e, depth)?),
            Type::Set { elem, .. } => Value::set(self.values(elem, depth)?),
            Type::Multiset(e) => Value::multiset(self.values(e, depth)?),
            Type::Map { key, value, .. } => {
                let keys = self.values(key, depth)?;
                let pairs: Option<Vec<_>> = keys
                    .into_iter()
                    .map(|k| Some((k, self.value(value, depth)?)))
                    .collect();
                Value::map(pairs?)
            }
            Type::Tuple(cs) => Value::tuple(
                cs.iter()
                    .map(|(_, t)| self.value(t, depth))
                    .collect::<Option<Vec<_>>>()?,
            ),
            Type::Arrow { result, .. } => {
                let default = self.value(result, depth - 1)?;
                Value::Function(Arc::new(FunctionValue::Table {
                    entries: Vec::new(),
                    default,
                }))
            }
            Type::Array { dims: 1, elem, .. } => {
                let elements: Vec<Option<Value>> = self
                    .values(elem, depth - 1)?
                    .into_iter()
                    .map(Some)
                    .collect();
                let ty = Type::Array {
                    dims: 1,
                    nullable: false,
                    elem: elem.clone(),
                };
                self.heap
                    .objects
                    .push(Object::new(ty, Contents::Elements(Elements::row(elements))));
                Value::Ref(ObjectId(self.heap.objects.len() as u32 - 1))
            }
            Type::Named {
                decl,
                args,
                nullable,
            } => return self.named(ty, *decl, args, *nullable, depth),
            Type::Array { .. } | Type::Object { .. } | Type::Param(_) | Type::Error => return None,
        })
    }

    /// Draws a value of a declared type.
    fn named(
        &mut self,
        ty: &Type,
        decl: TypeId,
        args: &[Type],
        nullable: bool,
        depth: u32,
    ) -> Option<Value> {
        let map = self.typed.substitution(decl, args);
        Some(match &self.typed[decl].kind {
            TypeDeclKind::Datatype { ctors, .. } => {
                let ctor = *ctors.get(self.below(ctors.len() as u64) as usize)?;
                let fields = &self.typed[ctor].fields;
                let args: Option<Vec<_>> = fields
                    .iter()
                    .map(|f| self.value(&self.typed[*f].ty.subst(&map), depth - 1))
                    .collect();
                Value::datatype(ctor, args?)
            }
            TypeDeclKind::Newtype(c) | TypeDeclKind::Subset(c) => {
                for _ in 0..8 {
                    if let Some(v) = self.value(&c.base.subst(&map), depth)
                        && self.interp.value_has_type(&v, ty, &self.heap).is_true()
                    {
                        return Some(v);
                    }
                }
                self.interp.default_value(ty)?
            }
            TypeDeclKind::Class | TypeDeclKind::Trait { .. } | TypeDeclKind::Iterator(_)
                if nullable =>
            {
                Value::Null
            }
            TypeDeclKind::Class => {
                let object = self.object(ty)?;
                let index = self.heap.objects.len() - 1;
                let mut fields = SortedMap::new();
                for f in &self.typed[decl].fields {
                    let declared = &self.typed[*f];
                    if let (false, Some(v)) = (
                        declared.is_static,
                        self.value(&declared.ty.subst(&map), depth - 1),
                    ) {
                        fields.insert(*f, v);
                    }
                }
                if let Some(o) = self.heap.objects.get_mut(index) {
                    o.contents = Contents::Fields(fields);
                }
                object
            }
            TypeDeclKind::Abstract | TypeDeclKind::Trait { .. } | TypeDeclKind::Iterator(_) => {
                return None;
            }
        })
    }
}
