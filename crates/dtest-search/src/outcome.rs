//! Inputs on which mutants have a different outcome from the unit.
//!
//! `product` builds a procedure that runs the unit, restores the state, runs a schema of the unit
//! with all mutants, of which an additional parameter selects one, and compares everything that a
//! test could observe. An ordinary search for the probe of each mutant finds the inputs. Mutants in
//! one text are mutant schemata (Untch, Offutt and Harrold, *Mutation Analysis Using Mutant
//! Schemata*, 1993); asking for a different outcome is strong mutation (Papadakis and Malevris,
//! *Automatic Mutation Test Case Generation via Dynamic Symbolic Execution*, 2010).
//!
//! The results are only proposals, because the interpreter runs each mutant by itself. So the
//! product may omit what it cannot express: mutants in callees, recursive activations, and objects
//! further away than a field.

use std::sync::Arc;

use super::api::Options;
use super::infect::{Infected, Within};
use super::{Search, smt};
use dafny_resolve::typed::{CallableId, CallableKind, FieldId, FieldKind, Type};
use dafny_source::Span;
use dtest_interp::Inputs;
use dtest_ir::{
    self as ir, Block, BlockId, Coll, Criteria, Criterion, Domain, Expr, ExprKind, Goal, GoalId,
    GoalReason, Op, Procedure, Quantified, Stmt, StmtKind, StoreTarget, Terminator, Var, VarInfo,
    build,
};
use dtest_mutants::{self as mutants, Mutant};

/// Maximum number of mutants per search.
const MAX_PROBES: u32 = 24;

/// Divisor of the resource limit of a query, relative to the search for the unit's goals.
const RLIMIT_DIVISOR: u32 = 8;

/// Searches for inputs on which some of the mutants have a different outcome from the unit, and for
/// mutants that never have one. `None` if no mutant can be compared.
pub(super) fn ask(
    program: &ir::Program,
    unit: CallableId,
    type_args: &[Type],
    mutants: &[&Mutant],
    within: Within<'_>,
) -> Option<Infected> {
    let Compared {
        product,
        name: unit,
        asked,
        is_complete,
    } = product(program, unit, mutants)?;
    let procedure = product.procedures.get(&unit)?;
    // If the product may not end, or fails, or omits some results, an unreachable comparison does
    // not show that the mutant is equivalent.
    let always_ends = is_complete && mutants::always_ends(&product, procedure);
    let options = Options {
        prove: always_ends,
        ..within.options(RLIMIT_DIVISOR)
    };
    let type_args = type_args.to_vec();
    smt::try_with_fresh_context(|| {
        let mut search = Search::new(&product, procedure, type_args, &options);
        search.stage = Some(Criterion::Mutant);
        let reasons = search.seek();
        search.settle(&reasons);
        let equivalent = asked.iter().zip(0..).filter(|_| always_ends);
        let equivalent = equivalent
            .filter_map(|(m, probe)| {
                Some((m.mutation.clone(), search.never(GoalId::Probe(probe))?))
            })
            .collect();
        let inputs = search.accepted.into_iter().map(|t| t.inputs);
        // The parameters of the unit, without the selector of the mutant.
        let whole = |i: Inputs| Inputs {
            args: i
                .args
                .iter()
                .take(i.args.len().saturating_sub(1))
                .cloned()
                .collect(),
            ..i
        };
        Infected {
            inputs: inputs.map(whole).collect(),
            equivalent,
        }
    })
}

/// A program with a procedure that compares a unit with mutants.
struct Compared<'m> {
    product: ir::Program,
    /// The id of the procedure.
    name: CallableId,
    /// The mutants in it. Their index is the number of their probe.
    asked: Vec<&'m Mutant>,
    /// Whether all results are compared.
    is_complete: bool,
}

/// Builds the program with the product. `None` if the unit has effects that cannot be repeated or
/// compared, or no mutant applies.
fn product<'m>(
    program: &ir::Program,
    unit: CallableId,
    mutants: &[&'m Mutant],
) -> Option<Compared<'m>> {
    let original = program.procedures.get(&unit)?;
    // The unit runs twice, so that its effects must be known, undone and compared.
    let effects = program.effects(unit);
    if effects.is_opaque
        || effects.is_observable
        || program.typed[unit].kind == CallableKind::Constructor
    {
        return None;
    }
    // The selector is a new parameter after the unit's variables.
    let selector = Var(original.vars.len() as u32);
    let mut schema = Procedure::clone(original);
    let mut asked = Vec::new();
    // Mutants that cannot be selected by an expression are left out.
    for mutant in mutants.iter().filter(|m| m.callable == unit) {
        let number = asked.len() as u32;
        if number < MAX_PROBES
            && mutant.put_where(&mut schema, original, &is_chosen(selector, number))
        {
            asked.push(*mutant);
        }
    }
    if asked.is_empty() {
        return None;
    }
    // A recursive unit keeps its own id: its calls must run the original, not the product.
    let mut product = program.clone();
    product.criteria = Criteria::mutants();
    let name = if program.callees(unit).contains(&unit) {
        another_name(&mut product, unit)
    } else {
        unit
    };
    let mut contract = ir::Contract::clone(program.contracts.get(&unit)?);
    let number = VarInfo {
        name: "$mutant".into(),
        ty: Type::Int,
        ghost: false,
        definite: false,
        inferred: false,
        span: program.typed[unit].span,
    };
    // The contract gets the selector as a parameter and loses everything that mutants may violate.
    contract.params.push(Var(contract.vars.len() as u32));
    contract.vars.push(number.clone());
    // The outcomes of mutants need not satisfy the unit's postconditions.
    contract.ensures.clear();
    contract.ways.clear();
    contract.modifies = vec![ir::Frame {
        object: None,
        field: None,
        span: Span::default(),
    }];
    // Calls from other code keep the original contract only for recursive units, which have another
    // id.
    product.contracts.insert(name, Arc::new(contract));
    // If only assertions can fail, which compiled code does not check, the results without
    // assertions are the same.
    let bare = without_obligations(Procedure::clone(original));
    let first = if mutants::always_ends(program, &bare) {
        &bare
    } else {
        original
    };
    let (procedure, is_complete) =
        Product::new(program, first, &effects, number).build(schema, asked.len() as u32)?;
    product.procedures.insert(
        name,
        Arc::new(Procedure {
            callable: name,
            ..procedure
        }),
    );
    Some(Compared {
        product,
        name,
        asked,
        is_complete,
    })
}

/// Adds a callable with the same declaration as `of`.
fn another_name(program: &mut ir::Program, of: CallableId) -> CallableId {
    let typed = Arc::make_mut(&mut program.typed);
    let name = CallableId(typed.callables.len() as u32);
    let declared = typed[of].clone();
    typed.callables.push(declared);
    name
}

fn int(n: u32) -> Expr {
    build::int(n, Type::Int, Span::default())
}

fn op(op: Op, args: Vec<Expr>, ty: Type) -> Expr {
    build::op(op, args, ty, Span::default())
}

fn is_chosen(selector: Var, mutant: u32) -> Expr {
    op(
        Op::Eq,
        vec![
            build::var(selector, Type::Int, Span::default()),
            int(mutant),
        ],
        Type::Bool,
    )
}

/// A location that a test observes when the unit has returned.
enum Place {
    /// The contents of an array.
    Array(Expr, Type),
    /// A field of an object.
    Field(Expr, FieldId, Type),
}

/// Builds the product: a prologue that saves the locations, the unit, code that restores them, the
/// unit with the mutants, and the comparison.
struct Product<'p> {
    program: &'p ir::Program,
    original: &'p Procedure,
    vars: Vec<VarInfo>,
    selector: Var,
    /// Difference between the variables of the second run and those of the first.
    offset: u32,
    places: Vec<Place>,
}

impl<'p> Product<'p> {
    fn new(
        program: &'p ir::Program,
        original: &'p Procedure,
        effects: &ir::Effects,
        number: VarInfo,
    ) -> Self {
        let selector = Var(original.vars.len() as u32);
        let vars: Vec<VarInfo> = original
            .vars
            .iter()
            .chain([&number])
            .chain(&original.vars)
            .cloned()
            .collect();
        let mut product = Self {
            program,
            original,
            vars,
            selector,
            offset: selector.0 + 1,
            places: Vec::new(),
        };
        // Ghost parameters hold nothing that compiled code could observe.
        for param in &original.params {
            let Some(info) = original.vars.get(param.0 as usize).filter(|i| !i.ghost) else {
                continue;
            };
            let object = build::var(*param, info.ty.clone(), Span::default());
            product.look_at(&object, effects);
        }
        product
    }

    /// Records the locations of an object that may change: its elements, its fields, and elements
    /// of arrays in its fields.
    fn look_at(&mut self, object: &Expr, effects: &ir::Effects) {
        let typed = &self.program.typed;
        // Only arrays and fields that the unit may write need to be compared and restored.
        match typed.strip_subset(&object.ty) {
            Type::Array {
                dims: 1,
                nullable: false,
                elem,
            } if effects.writes_arrays => {
                self.places
                    .push(Place::Array(object.clone(), (*elem).clone()));
            }
            Type::Named {
                decl,
                nullable: false,
                ..
            } if typed.is_reference(&object.ty) => {
                for field in &typed[decl].fields {
                    let declared = &typed[*field];
                    if declared.ghost
                        || declared.is_static
                        || !matches!(declared.kind, FieldKind::Mutable)
                    {
                        continue;
                    }
                    let ty = typed.field_type(&object.ty, *field);
                    if effects.written.contains(field) {
                        self.places
                            .push(Place::Field(object.clone(), *field, ty.clone()));
                    }
                    // The elements of an array in a field are reached through the field.
                    if let Type::Array {
                        dims: 1,
                        nullable: false,
                        elem,
                    } = typed.strip_subset(&ty)
                        && effects.writes_arrays
                    {
                        let read = build::expr(
                            ExprKind::ReadField(Box::new(object.clone()), *field),
                            ty,
                            Span::default(),
                        );
                        self.places.push(Place::Array(read, (*elem).clone()));
                    }
                }
            }
            Type::Array { .. }
            | Type::Named { .. }
            | Type::Object { .. }
            | Type::Bool
            | Type::Char
            | Type::Int
            | Type::Real
            | Type::Bv(_)
            | Type::Ordinal
            | Type::Seq(_)
            | Type::Set { .. }
            | Type::Multiset(_)
            | Type::Map { .. }
            | Type::Tuple(_)
            | Type::Arrow { .. }
            | Type::Param(_)
            | Type::Error => {}
        }
    }

    fn fresh(&mut self, ty: Type) -> Var {
        self.vars.push(VarInfo {
            name: "$kept".into(),
            ty,
            ghost: false,
            definite: false,
            inferred: false,
            span: Span::default(),
        });
        Var(self.vars.len() as u32 - 1)
    }

    fn var(&self, var: Var) -> Expr {
        let ty = self
            .vars
            .get(var.0 as usize)
            .map_or(Type::Error, |i| i.ty.clone());
        build::var(var, ty, Span::default())
    }

    /// The current contents of a location, as a value.
    fn contents(place: &Place) -> Expr {
        match place {
            Place::Array(array, elem) => {
                let length = op(Op::ArrayLength(0), vec![array.clone()], Type::Int);
                op(
                    Op::ArraySlice,
                    vec![array.clone(), int(0), length],
                    Type::Seq(Box::new(elem.clone())),
                )
            }
            Place::Field(object, field, ty) => build::expr(
                ExprKind::ReadField(Box::new(object.clone()), *field),
                ty.clone(),
                Span::default(),
            ),
        }
    }

    /// Saves the contents of all locations in new variables.
    fn keep(&mut self, stmts: &mut Vec<Stmt>) -> Vec<Var> {
        let contents: Vec<Expr> = self.places.iter().map(Self::contents).collect();
        let mut kept = Vec::new();
        for value in contents {
            let var = self.fresh(value.ty.clone());
            stmts.push(Stmt {
                kind: StmtKind::Assign { var, value },
                span: Span::default(),
            });
            kept.push(var);
        }
        kept
    }

    /// Restores saved contents: fields first, because the arrays to restore are those that the
    /// fields held.
    fn put_back(&mut self, kept: &[Var], stmts: &mut Vec<Stmt>) {
        let places = std::mem::take(&mut self.places);
        // Fields come first: the array expressions of the second loop read them.
        for (place, var) in places.iter().zip(kept) {
            if let Place::Field(object, field, _) = place {
                let kind = StmtKind::SetField {
                    object: object.clone(),
                    field: *field,
                    value: self.var(*var),
                };
                stmts.push(Stmt {
                    kind,
                    span: Span::default(),
                });
            }
        }
        // All elements are restored by one parallel assignment.
        for (place, var) in places.iter().zip(kept) {
            if let Place::Array(array, elem) = place {
                let index = self.fresh(Type::Int);
                let length = op(Op::ArrayLength(0), vec![array.clone()], Type::Int);
                let domain = Domain::IntRange {
                    low: Some(Box::new(int(0))),
                    high: Some(Box::new(length)),
                };
                let vars = Quantified {
                    vars: vec![index],
                    range: None,
                    bounds: Some(vec![(index, domain)]),
                };
                let value = op(
                    Op::Select(Coll::Seq),
                    vec![self.var(*var), self.var(index)],
                    elem.clone(),
                );
                let target = StoreTarget::Element(array.clone(), vec![self.var(index)]);
                stmts.push(Stmt {
                    kind: StmtKind::ForallStore {
                        vars,
                        target,
                        value,
                    },
                    span: Span::default(),
                });
            }
        }
        self.places = places;
    }

    /// The variable of the second run that corresponds to one of the first. Both runs share the
    /// parameters and the selector.
    fn second(&self, var: Var) -> Var {
        if self.original.params.contains(&var) || var == self.selector {
            var
        } else {
            Var(var.0 + self.offset)
        }
    }

    /// The product's procedure, and whether it compares all results. The blocks are in the order
    /// prologue, first run, middle, second run, comparison.
    fn build(mut self, schema: Procedure, mutants: u32) -> Option<(Procedure, bool)> {
        let size = self.original.blocks.len() as u32;
        // Block numbers: 0 is the prologue, then the first run, the middle, the second run, and the
        // comparison.
        let (first, between, second, last) = (1, size + 1, size + 2, 2 * size + 2);
        let mut prologue = Vec::new();
        // The state at entry is saved for the second run, the state after the first run for the
        // comparison.
        let at_entry = self.keep(&mut prologue);
        let mut middle = Vec::new();
        let after = self.keep(&mut middle);
        self.put_back(&at_entry, &mut middle);
        let mut blocks = vec![build::block(
            prologue,
            Terminator::Goto(BlockId(first)),
            Span::default(),
        )];
        // The first run continues at the middle instead of returning.
        blocks.extend(
            self.original
                .blocks
                .iter()
                .map(|b| moved(b.clone(), first, between)),
        );
        blocks.push(build::block(
            middle,
            Terminator::Goto(BlockId(second)),
            Span::default(),
        ));
        // The second run continues at the comparison.
        for b in schema.blocks {
            blocks.push(moved(self.in_second_run(b), second, last));
        }
        let (difference, is_complete) = self.difference(&after)?;
        // One probe per mutant, shown if its number is selected and the outcomes differ.
        let mut probes = Vec::new();
        let mut compare = Vec::new();
        for mutant in 0..mutants {
            let cond = build::and(is_chosen(self.selector, mutant), difference.clone());
            probes.push(Goal {
                reason: GoalReason::Differs,
                span: Span::default(),
            });
            compare.push(Stmt {
                kind: StmtKind::Probe {
                    probe: mutant,
                    cond,
                },
                span: Span::default(),
            });
        }
        blocks.push(build::block(compare, Terminator::Return, Span::default()));
        let params = self
            .original
            .params
            .iter()
            .copied()
            .chain([self.selector])
            .collect();
        let procedure = Procedure {
            vars: self.vars,
            params,
            blocks,
            probes,
            ..self.original.clone()
        };
        Some((procedure, is_complete))
    }

    /// The condition that the results or the contents of the locations differ, and whether all of
    /// them are compared. Values that hold references are not compared: both runs allocate
    /// different objects.
    fn difference(&self, after: &[Var]) -> Option<(Expr, bool)> {
        let typed = &self.program.typed;
        let is_compared = |ty: &Type| typed.supports_equality(ty) && typed.holds_no_references(ty);
        // Ghost results are not observable.
        let results = self
            .original
            .outs
            .iter()
            .map(|o| (self.var(*o), self.var(self.second(*o)), *o));
        let is_ghost = |o: &Var| self.original.vars.get(o.0 as usize).is_none_or(|i| i.ghost);
        let results = results
            .filter(|(_, _, o)| !is_ghost(o))
            .map(|(a, b, _)| (a, b));
        let left = after
            .iter()
            .zip(&self.places)
            .map(|(kept, place)| (self.var(*kept), Self::contents(place)));
        // Values that hold references, or without equality, make the comparison incomplete.
        let (pairs, others): (Vec<_>, Vec<_>) =
            results.chain(left).partition(|(a, _)| is_compared(&a.ty));
        let difference = pairs
            .into_iter()
            .map(|(a, b)| op(Op::Ne, vec![a, b], Type::Bool))
            .reduce(build::or)?;
        Some((difference, others.is_empty()))
    }

    /// A block of the second run, with its own variables and without statements that only check
    /// obligations.
    fn in_second_run(&self, mut block: Block) -> Block {
        // Probes of the unit's own goals and obligations would be shown twice.
        block.stmts.retain(|s| !is_obligation(s));
        if let Some(head) = &mut block.loop_head {
            head.invariants.clear();
            head.range.clear();
        }
        block.rename(&|v| self.second(v));
        block
    }
}

/// Whether a statement only checks an obligation. Compiled code does nothing there.
fn is_obligation(stmt: &Stmt) -> bool {
    matches!(stmt.kind, StmtKind::Assert { kind, .. } if kind != ir::AssertKind::MissingCase)
}

fn without_obligations(mut procedure: Procedure) -> Procedure {
    procedure
        .blocks
        .iter_mut()
        .for_each(|b| b.stmts.retain(|s| !is_obligation(s)));
    procedure
}

/// A block moved by `by`, without goals. Instead of returning, it continues at `end`.
fn moved(mut block: Block, by: u32, end: u32) -> Block {
    // Goals of the unit are not searched for here.
    block.goal = None;
    block.jump = None;
    block.begins.clear();
    block
        .stmts
        .retain(|s| !matches!(s.kind, StmtKind::Probe { .. }));
    let to = |b: &mut BlockId| b.0 += by;
    match &mut block.terminator {
        Terminator::Goto(next) => to(next),
        Terminator::Branch { then, els, .. } => {
            to(then);
            to(els);
        }
        Terminator::Choose { among, .. } => among.iter_mut().for_each(to),
        Terminator::Return => block.terminator = Terminator::Goto(BlockId(end)),
        Terminator::Stop => {}
    }
    block
}
