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

use dafny_resolve::typed::{self, Type, TypeDeclKind};
use dafny_source::Span;
use dtest::cli::args::DafnyArgs;
use dtest_interp::{Inputs, Interp, Limits, Outcome, Truth};
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

fn execute(job: &support::Job, tries: usize, show: Option<&str>, totals: &mut Totals) {
    let support::Program {
        sources: map,
        trees,
        errors,
    } = job.load();
    let (typed, diagnostics) = dafny_resolve::resolve(trees, job.settings.options());
    if !errors.is_empty() || diagnostics.iter().any(|d| d.is_error()) {
        return totals.count("programs refused");
    }
    totals.count("programs");
    let typed = Arc::new(typed);
    let program = dtest_lower::lower(typed.clone());
    let interp = Interp::new(
        &program,
        Limits {
            steps: 300_000,
            ..Limits::default()
        },
    );
    let named = |s: Span| map.file_at(s.start).is_some_and(|f| f.1.named);
    for unit in dtest_lower::units::units(&typed, named) {
        if show.is_some_and(|s| !unit.path.contains(s)) {
            continue;
        }
        let Some(p) = program.procedures.get(&unit.callable) else {
            continue;
        };
        totals.count("units");
        let type_args = vec![Type::Int; p.type_params.len()];
        let subst = p
            .type_params
            .iter()
            .copied()
            .zip(type_args.iter().cloned())
            .collect();
        let mut random = Random {
            typed: &typed,
            interp: &interp,
            state: 0x2545_F491_4F6C_DD1D,
            heap: Heap::default(),
        };
        // The outcomes of this unit, for the summary.
        let mut worst: SortedMap<String, usize> = SortedMap::new();
        for _ in 0..tries {
            // Step 1: random inputs. A constructor receives its uninitialized object.
            random.heap = Heap::default();
            let is_ctor = typed[unit.callable].kind == typed::CallableKind::Constructor;
            let args: Option<Vec<Value>> = p
                .params
                .iter()
                .enumerate()
                .map(|(i, v)| {
                    let ty = p
                        .vars
                        .get(v.0 as usize)
                        .map_or(Type::Error, |v| v.ty.subst(&subst));
                    if is_ctor && i == 0 {
                        random.object(&ty)
                    } else {
                        random.value(&ty, 3)
                    }
                })
                .collect();
            let Some(args) = args else {
                *worst.entry("no inputs made".into()).or_default() += 1;
                break;
            };
            let inputs = Inputs {
                type_args: type_args.clone(),
                args,
                heap: random.heap.clone(),
                answers: Vec::new(),
            };
            // Step 2: only inputs that satisfy the precondition count.
            match interp.check_inputs(unit.callable, &inputs).verdict() {
                Truth::True => {}
                Truth::False => continue,
                Truth::Unknown(reason) => {
                    *worst
                        .entry(format!("precondition unknown: {reason} ({})", unit.path))
                        .or_default() += 1;
                    continue;
                }
            }
            // Step 3: execute the unit and check its postconditions.
            let e = interp.run(unit.callable, &inputs);
            if show.is_some() {
                println!("{}: {:?} -> {:?}", unit.path, inputs.args, e.outcome);
            }
            let verdict = match &e.outcome {
                Outcome::Returned(_) => {
                    let ensures = interp.check_ensures(unit.callable, &inputs, &e);
                    let broken = ensures.iter().find(|c| c.truth.is_false());
                    for c in &ensures {
                        totals.count(match &c.truth {
                            Truth::True => "postconditions true".to_owned(),
                            Truth::False => "postconditions FALSE".to_owned(),
                            Truth::Unknown(_) => "postconditions unknown".to_owned(),
                        });
                        if let Truth::Unknown(reason) = &c.truth {
                            let text = map
                                .text(c.span)
                                .split_whitespace()
                                .collect::<Vec<_>>()
                                .join(" ");
                            *totals
                                .reasons
                                .entry(format!("in a postcondition: {reason}: `{text}`"))
                                .or_default() += 1;
                        }
                    }
                    if let Some(c) = broken {
                        println!(
                            "BROKEN {} {}: {}",
                            unit.path,
                            map.locate(c.span),
                            map.text(c.span).lines().next().unwrap_or("")
                        );
                    }
                    if broken.is_some() {
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
                    if !worst.contains_key("out of fuel") {
                        println!(
                            "FUEL   {} {}: {which}",
                            unit.path,
                            map.locate(typed[unit.callable].span)
                        );
                    }
                    "out of fuel"
                }
                Outcome::Infeasible(_) => "infeasible",
                Outcome::Unsupported(reason) => {
                    *totals.reasons.entry(reason.to_string()).or_default() += 1;
                    "unsupported"
                }
            };
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
            } => {
                let map = self.typed.substitution(*decl, args);
                match &self.typed[*decl].kind {
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
                    TypeDeclKind::Class
                    | TypeDeclKind::Trait { .. }
                    | TypeDeclKind::Iterator(_)
                        if *nullable =>
                    {
                        Value::Null
                    }
                    TypeDeclKind::Class => {
                        let object = self.object(ty)?;
                        let index = self.heap.objects.len() - 1;
                        let mut fields = SortedMap::new();
                        for f in &self.typed[*decl].fields {
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
                    TypeDeclKind::Abstract
                    | TypeDeclKind::Trait { .. }
                    | TypeDeclKind::Iterator(_) => return None,
                }
            }
            Type::Array { .. } | Type::Object { .. } | Type::Param(_) | Type::Error => return None,
        })
    }
}
