//! The state that the executions of a program share: terms, values, and unknown maps and functions
//! with the elements read from them.
//!
//! Key type: [`World`]. Key functions: [`World::read`], which keeps unknown maps functional;
//! [`World::select`] and [`World::store`] for maps; [`World::take_stock`] for budgets.

use std::rc::Rc;
use std::time::{Duration, Instant};

use boogie_resolve::typed::{ConstructorId, FunctionId, Program, Type, VarId};
use dafny_source::{Name, Span};
use dtest_smt::{Const, Sort, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::functions::Rules;
use crate::model::Model;
use crate::quantifiers::{Claim, Fact, FactId, Shapes};
use crate::types::type_arguments;
use crate::value::{Arena, BaseId, DataId, DataNode, Key, MapId, MapNode, Value};

/// The reason why an evaluation has no result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    /// An unsupported construct.
    Unsupported(String, Span),
    /// A limit was exceeded.
    Limit(&'static str),
    /// A quantified fact could not be decided.
    Undecided(Span),
}

pub(crate) type Res<T> = Result<T, Stop>;

/// An element that was read from an unknown map or function.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) key: Vec<Key>,
    pub(crate) value: Value,
    /// Whether the rules of the function were unfolded.
    pub(crate) expanded: bool,
    /// The enabling literal and the unfolded rule, once unfolded.
    pub(crate) lemma: Option<(Term, Term)>,
    /// The fact, if only its witness reads this element.
    pub(crate) witness_of: Option<FactId>,
}

/// The origin of an unknown map or function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Of {
    /// A variable or constant.
    Var,
    /// A function.
    Function(FunctionId),
    /// `x div 0` and similar operations.
    ByZero,
}

/// An unknown map or function.
#[derive(Debug)]
pub(crate) struct Base {
    pub(crate) of: Of,
    /// The type, for maps.
    pub(crate) ty: Option<Type>,
    pub(crate) entries: Vec<Entry>,
    pub(crate) index: FxHashMap<Vec<Key>, usize>,
}

/// The meaning of a solver variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Origin {
    /// An element that was read, or a value of a function.
    Entry(BaseId, usize),
    /// The truth value of a quantified fact.
    Fact(FactId),
    /// The constructor of a datatype value, of this number of constructors.
    Tag(u32),
    /// An element of an undefined type.
    Element,
    /// Any other unknown value.
    Choice,
}

/// The limits of one run.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The limit of executions.
    pub tried: usize,
    /// The limit of different executions of one path.
    pub solutions: usize,
    /// The limit of statements of one execution.
    pub steps: usize,
    /// The limit of nested calls.
    pub recursion: usize,
    /// The limit of iterations of one loop.
    pub rounds: usize,
    /// The limit of unfoldings of recursive functions and axioms for one path.
    pub unfoldings: usize,
    /// The limit of instances of quantified facts for one path.
    pub instances: usize,
    /// The limit of terms.
    pub terms: usize,
    /// The limit of effort in points of about half a microsecond: terms, evaluations, resources of
    /// the solver.
    pub effort: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            tried: 1024,
            solutions: 8,
            steps: 1_000_000,
            recursion: 200,
            rounds: 1_000,
            unfoldings: 2_000,
            instances: 20_000,
            terms: 4_000_000,
            effort: 1_200_000_000,
        }
    }
}

/// The shared state.
pub(crate) struct World<'p> {
    pub(crate) program: &'p Program,
    pub(crate) limits: Limits,
    pub(crate) terms: Terms,
    pub(crate) arena: Arena<'p>,
    pub(crate) bases: Vec<Base>,
    pub(crate) origins: FxHashMap<Term, Origin>,
    pub(crate) facts: Vec<Fact<'p>>,
    pub(crate) fact_index: FxHashMap<Claim<'p>, FactId>,
    pub(crate) constants: FxHashMap<VarId, Value>,
    pub(crate) functions: FxHashMap<(FunctionId, Vec<Type>), BaseId>,
    pub(crate) by_zero: FxHashMap<&'static str, BaseId>,
    pub(crate) fields: FxHashMap<(DataId, ConstructorId), Vec<Value>>,
    pub(crate) rules: Rules<'p>,
    pub(crate) shapes: Shapes<'p>,
    /// The lemmas that always hold: unknown maps have equal elements at equal indices.
    pub(crate) lemmas: Vec<Term>,
    /// The model under which values are evaluated, if any.
    pub(crate) concrete: Option<Rc<Model>>,
    /// The current nesting of evaluations.
    pub(crate) depth: usize,
    /// The variables that are elements of undefined types.
    pub(crate) elements: FxHashSet<Term>,
    /// The number of elements of each type, as a variable. Zero or less represents infinity.
    pub(crate) sizes: FxHashMap<Type, Term>,
    /// The fact whose witness is being created.
    pub(crate) witness: Option<FactId>,
    /// The entries whose elements are the default of their map.
    pub(crate) hints: FxHashMap<BaseId, usize>,
    /// The effort so far.
    pub(crate) account: Account,
}

/// The effort so far, and the time limit behind it.
#[derive(Debug, Default)]
pub(crate) struct Account {
    /// The number of evaluations.
    looks: u64,
    /// The resources spent by solvers.
    pub(crate) solver: u64,
    /// The start and the time limit.
    pub(crate) deadline: Option<(Instant, Duration)>,
    /// The limit that was exceeded.
    pub(crate) over: Option<&'static str>,
    /// Whether the current work does not count, because it only prints results.
    is_free: bool,
}

/// The number of evaluations between two checks of the limits.
const PERIOD: u64 = 1 << 10;
/// The points for an evaluation.
const LOOK: u64 = 2;

impl<'p> World<'p> {
    pub(crate) fn new(program: &'p Program, limits: Limits) -> Self {
        let mut world = Self {
            program,
            limits,
            terms: Terms::new(),
            arena: Arena::default(),
            bases: Vec::new(),
            origins: FxHashMap::default(),
            facts: Vec::new(),
            fact_index: FxHashMap::default(),
            constants: FxHashMap::default(),
            functions: FxHashMap::default(),
            sizes: FxHashMap::default(),
            by_zero: FxHashMap::default(),
            fields: FxHashMap::default(),
            rules: Rules::of(program),
            shapes: Shapes::default(),
            lemmas: Vec::new(),
            concrete: None,
            depth: 0,
            elements: FxHashSet::default(),
            witness: None,
            hints: FxHashMap::default(),
            account: Account::default(),
        };
        world.choose_constants();
        world
    }

    /// Initializes constants. Unique constants of an undefined type are its first elements, without
    /// loss of generality.
    fn choose_constants(&mut self) {
        let mut counts: FxHashMap<Type, u32> = FxHashMap::default();
        for id in &self.program.constants {
            let var = self.program.var(*id);
            let value = match &var.ty {
                // Unique constants of an uninterpreted type get different numbers.
                Type::Constructor(t, _)
                    if var.unique && self.program.type_decl(*t).constructors.is_empty() =>
                {
                    let n = counts.entry(var.ty.clone()).or_insert(0);
                    *n += 1;
                    Ok(Value::Term(self.terms.int(*n - 1)))
                }
                ty @ (Type::Bool
                | Type::Int
                | Type::Real
                | Type::Bv(_)
                | Type::Float(..)
                | Type::Opaque(_)
                | Type::Constructor(..)
                | Type::Var(_)
                | Type::Map(_)
                | Type::Meta(_)) => self.unknown(&var.name, ty),
            };
            if let Ok(value) = value {
                self.constants.insert(*id, value);
            }
        }
        // Unique constants of other types must differ pairwise.
        let unique: Vec<VarId> = self
            .program
            .constants
            .iter()
            .copied()
            .filter(|c| self.program.var(*c).unique)
            .collect();
        for (i, a) in unique.iter().enumerate() {
            for b in unique.iter().take(i) {
                if self.program.var(*a).ty == self.program.var(*b).ty
                    && let (Some(Value::Term(x)), Some(Value::Term(y))) =
                        (self.constants.get(a), self.constants.get(b))
                {
                    let differ = self.terms.ne(*x, *y);
                    self.lemmas.push(differ);
                }
            }
        }
    }

    /// Returns the sort of a scalar type; `None` for other types and types that are not supported.
    pub(crate) fn sort(&self, ty: &Type) -> Option<Sort> {
        match ty {
            Type::Bool => Some(Sort::Bool),
            Type::Int => Some(Sort::Int),
            Type::Real => Some(Sort::Real),
            Type::Bv(0) => None,
            Type::Bv(w) => Some(Sort::Bv(*w)),
            Type::Constructor(id, _) => self
                .program
                .type_decl(*id)
                .constructors
                .is_empty()
                .then_some(Sort::Int),
            Type::Opaque(name) => (&**name == "string").then_some(Sort::Int),
            Type::Var(_) => Some(Sort::Int),
            Type::Float(..) | Type::Map(_) | Type::Meta(_) => None,
        }
    }

    /// Whether the elements of the type are numbered because it is undefined.
    pub(crate) fn is_numbered(&self, ty: &Type) -> bool {
        match ty {
            Type::Constructor(id, _) => self.program.type_decl(*id).constructors.is_empty(),
            Type::Opaque(_) | Type::Var(_) => true,
            Type::Bool
            | Type::Int
            | Type::Real
            | Type::Bv(_)
            | Type::Float(..)
            | Type::Map(_)
            | Type::Meta(_) => false,
        }
    }

    pub(crate) fn unsupported<T>(&self, what: impl Into<String>, span: Span) -> Res<T> {
        Err(Stop::Unsupported(what.into(), span))
    }

    /// Creates a solver variable.
    pub(crate) fn fresh(&mut self, name: &str, ty: &Type, sort: Sort, origin: Origin) -> Term {
        let t = self.terms.fresh(name, sort);
        let origin = if origin == Origin::Choice && self.is_numbered(ty) {
            Origin::Element
        } else {
            origin
        };
        self.origins.insert(t, origin);
        // Numbers of elements are within the size of their type.
        if self.is_numbered(ty) {
            let zero = self.terms.int(0);
            let known = self.terms.le(zero, t);
            self.lemmas.push(known);
            let known = self.is_in_type(t, ty);
            self.lemmas.push(known);
            self.elements.insert(t);
        }
        t
    }

    /// Returns the number of elements of a numbered type, as a variable. Such a type may be finite,
    /// because axioms can imply it.
    pub(crate) fn size_of(&mut self, ty: &Type) -> Term {
        if let Some(known) = self.sizes.get(ty) {
            return *known;
        }
        let size = self.terms.fresh("size", Sort::Int);
        self.sizes.insert(ty.clone(), size);
        size
    }

    /// Returns the condition that a nonnegative number is the number of an element of the type.
    pub(crate) fn is_in_type(&mut self, t: Term, ty: &Type) -> Term {
        let (size, zero) = (self.size_of(ty), self.terms.int(0));
        let (is_infinite, is_below) = (self.terms.le(size, zero), self.terms.lt(t, size));
        self.terms.or(is_infinite, is_below)
    }

    /// Returns the condition that values are in their types. Variables for elements always are, but
    /// a constant number in an instance of a fact may exceed the size of a finite type.
    pub(crate) fn are_in_types(&mut self, values: &[Value], types: &[Type]) -> Term {
        let mut all = self.terms.tt;
        for (value, ty) in values.iter().zip(types) {
            if let Value::Term(t) = value
                && self.is_numbered(ty)
                && !self.elements.contains(t)
            {
                let one = self.is_in_type(*t, ty);
                all = self.terms.and(all, one);
            }
        }
        all
    }

    /// Creates an unknown value of a type.
    pub(crate) fn unknown(&mut self, name: &Name, ty: &Type) -> Res<Value> {
        if let Some(sort) = self.sort(ty) {
            return Ok(Value::Term(self.fresh(name, ty, sort, Origin::Choice)));
        }
        match ty {
            Type::Map(_) => {
                let base = self.base(Of::Var, Some(ty.clone()));
                Ok(Value::Map(self.arena.map(MapNode::Base(base, Vec::new()))))
            }
            Type::Constructor(..) => Ok(Value::Data(self.unknown_data(name, ty))),
            Type::Bool
            | Type::Int
            | Type::Real
            | Type::Bv(_)
            | Type::Float(..)
            | Type::Opaque(_)
            | Type::Var(_)
            | Type::Meta(_) => {
                let text = self.program.type_text(ty);
                self.unsupported(format!("values of type `{text}`"), Span::default())
            }
        }
    }

    fn unknown_data(&mut self, name: &str, ty: &Type) -> DataId {
        let count = self.constructors_of(ty).len() as u32;
        let tag = self.terms.fresh(name, Sort::Int);
        self.origins.insert(tag, Origin::Tag(count));
        let (low, high) = (self.terms.int(0), self.terms.int(count));
        let known = self.terms.in_range(low, tag, high);
        self.lemmas.push(known);
        self.arena.data(DataNode::Unknown(tag, ty.clone()))
    }

    pub(crate) fn constructors_of(&self, ty: &Type) -> Vec<ConstructorId> {
        match ty {
            Type::Constructor(id, _) => self.program.type_decl(*id).constructors.clone(),
            Type::Bool
            | Type::Int
            | Type::Real
            | Type::Bv(_)
            | Type::Float(..)
            | Type::Opaque(_)
            | Type::Var(_)
            | Type::Meta(_)
            | Type::Map(_) => Vec::new(),
        }
    }

    /// Creates an unknown map or function.
    pub(crate) fn base(&mut self, of: Of, ty: Option<Type>) -> BaseId {
        let id = BaseId(self.bases.len() as u32);
        self.bases.push(Base {
            of,
            ty,
            entries: Vec::new(),
            index: FxHashMap::default(),
        });
        id
    }

    #[allow(clippy::indexing_slicing)] // ids are made here
    pub(crate) fn base_of(&self, id: BaseId) -> &Base {
        &self.bases[id.0 as usize]
    }

    /// Reads an element of an unknown map, or a value of an unknown function.
    pub(crate) fn read(&mut self, id: BaseId, key: Vec<Key>, ty: &Type, name: &str) -> Res<Value> {
        if let Type::Map(_) = ty {
            return Ok(Value::Map(self.arena.map(MapNode::Base(id, key))));
        }
        if self.concrete.is_some() {
            return self.read_concrete(id, &key, ty);
        }
        let base = self.base_of(id);
        if let Some(i) = base.index.get(&key).copied() {
            let witness = self.witness;
            let entry = self
                .bases
                .get_mut(id.0 as usize)
                .and_then(|b| b.entries.get_mut(i))
                .ok_or(Stop::Limit("entries"))?;
            // An element that is also read outside of the witness is relevant by itself.
            if witness.is_none() {
                entry.witness_of = None;
            }
            return Ok(entry.value);
        }
        let n = base.entries.len();
        let value = match self.sort(ty) {
            Some(sort) => Value::Term(self.fresh(name, ty, sort, Origin::Entry(id, n))),
            None => self.unknown(&name.into(), ty)?,
        };
        self.functional(id, &key, value)?;
        let witness_of = self.witness;
        if let Some(base) = self.bases.get_mut(id.0 as usize) {
            base.index.insert(key.clone(), n);
            base.entries.push(Entry {
                key,
                value,
                expanded: false,
                lemma: None,
                witness_of,
            });
        }
        Ok(value)
    }

    /// Adds the lemmas that equal indices have equal elements.
    fn functional(&mut self, id: BaseId, key: &[Key], value: Value) -> Res<()> {
        let others: Vec<(Vec<Key>, Value)> = self
            .base_of(id)
            .entries
            .iter()
            .map(|e| (e.key.clone(), e.value))
            .collect();
        for (other, theirs) in others {
            let same = self.same_keys(key, &other)?;
            if same == self.terms.ff {
                continue;
            }
            let equal = self.eq(value, theirs)?;
            let lemma = self.terms.implies(same, equal);
            self.lemmas.push(lemma);
        }
        Ok(())
    }

    pub(crate) fn same_keys(&mut self, a: &[Key], b: &[Key]) -> Res<Term> {
        let mut all = self.terms.tt;
        if a.len() != b.len() {
            return Ok(self.terms.ff);
        }
        for ((types, xs), (others, ys)) in a.iter().zip(b) {
            if types != others {
                return Ok(self.terms.ff);
            }
            for (x, y) in xs.iter().zip(ys) {
                let same = self.eq(*x, *y)?;
                all = self.terms.and(all, same);
                if all == self.terms.ff {
                    return Ok(all);
                }
            }
        }
        Ok(all)
    }

    /// Returns `m[key]`.
    pub(crate) fn select(&mut self, m: MapId, key: &Key, ty: &Type) -> Res<Value> {
        let mut at = m;
        // Undecided updates are collected on the way down, so that no conditional is created if a
        // later update decides.
        let mut pending: Vec<(Term, Value)> = Vec::new();
        let bottom = loop {
            match self.arena.map_node(at).clone() {
                MapNode::Base(id, mut path) => {
                    path.push(key.clone());
                    break self.read(id, path, ty, "e")?;
                }
                MapNode::Store(below, index, value) => {
                    let same =
                        self.same_keys(std::slice::from_ref(key), std::slice::from_ref(&index))?;
                    if same == self.terms.tt {
                        break value;
                    }
                    if same != self.terms.ff {
                        pending.push((same, value));
                    }
                    at = below;
                }
                MapNode::Ite(c, a, b) => {
                    let (x, y) = (
                        self.deeper(|w| w.select(a, key, ty))?,
                        self.deeper(|w| w.select(b, key, ty))?,
                    );
                    break self.ite(c, x, y)?;
                }
                MapNode::Lambda(q, env) => break self.apply(q, env, key)?,
                MapNode::Constant(value) => break value,
            }
        };
        let mut result = bottom;
        for (same, value) in pending.into_iter().rev() {
            result = self.ite(same, value, result)?;
        }
        Ok(result)
    }

    pub(crate) fn deeper<T>(&mut self, work: impl FnOnce(&mut Self) -> Res<T>) -> Res<T> {
        self.account.looks += 1;
        if self.account.looks.is_multiple_of(PERIOD) {
            self.take_stock();
        }
        if let Some(limit) = self.account.over {
            return Err(Stop::Limit(limit));
        }
        if self.depth >= 5_000 {
            return Err(Stop::Limit("expression depth"));
        }
        self.depth += 1;
        let result = stacker::maybe_grow(256 * 1024, 4 * 1024 * 1024, || work(self));
        self.depth -= 1;
        result
    }

    /// Returns the effort so far in points.
    pub(crate) fn points(&self) -> u64 {
        self.terms.len() as u64
            + self.arena.len() as u64
            + self.account.looks * LOOK
            + self.account.solver
    }

    /// Performs short work that only the depth limit may stop.
    pub(crate) fn free_of_charge<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let over = self.account.over.take();
        let was_free = std::mem::replace(&mut self.account.is_free, true);
        let result = work(self);
        self.account.is_free = was_free;
        self.account.over = over;
        result
    }

    /// Checks the limits and records the one that is exceeded.
    pub(crate) fn take_stock(&mut self) {
        if self.account.over.is_some() || self.account.is_free {
            return;
        }
        self.account.over = if self.terms.len() + self.arena.len() > self.limits.terms {
            Some("term size")
        } else if dtest_limits::memory::is_short() {
            Some("memory")
        } else if self.points() > self.limits.effort {
            Some("effort")
        } else if self
            .account
            .deadline
            .is_some_and(|(start, most)| start.elapsed() > most)
        {
            Some("time")
        } else {
            None
        };
    }

    pub(crate) fn store(&mut self, m: MapId, key: Key, value: Value) -> MapId {
        // An overwritten element is dropped at once.
        if let MapNode::Store(below, old, _) = self.arena.map_node(m)
            && *old == key
        {
            let below = *below;
            return self.arena.map(MapNode::Store(below, key, value));
        }
        self.arena.map(MapNode::Store(m, key, value))
    }

    pub(crate) fn ite(&mut self, c: Term, a: Value, b: Value) -> Res<Value> {
        if a == b || c == self.terms.tt {
            return Ok(a);
        }
        if c == self.terms.ff {
            return Ok(b);
        }
        match (a, b) {
            (Value::Term(x), Value::Term(y)) => Ok(Value::Term(self.terms.ite(c, x, y))),
            (Value::Map(x), Value::Map(y)) => Ok(Value::Map(self.arena.map(MapNode::Ite(c, x, y)))),
            (Value::Data(x), Value::Data(y)) => {
                Ok(Value::Data(self.arena.data(DataNode::Ite(c, x, y))))
            }
            (Value::Term(_) | Value::Map(_) | Value::Data(_), _) => {
                Err(Stop::Limit("values of two kinds"))
            }
        }
    }

    /// Returns the condition that two values are equal.
    pub(crate) fn eq(&mut self, a: Value, b: Value) -> Res<Term> {
        if a == b {
            return Ok(self.terms.tt);
        }
        match (a, b) {
            (Value::Term(x), Value::Term(y)) if self.terms.sort(x) == self.terms.sort(y) => {
                Ok(self.terms.eq(x, y))
            }
            (Value::Map(x), Value::Map(y)) => self.maps_equal(x, y),
            (Value::Data(x), Value::Data(y)) => self.deeper(|w| w.data_equal(x, y)),
            (Value::Term(_) | Value::Map(_) | Value::Data(_), _) => Ok(self.terms.ff),
        }
    }

    fn data_equal(&mut self, x: DataId, y: DataId) -> Res<Term> {
        if x == y {
            return Ok(self.terms.tt);
        }
        match (
            self.arena.data_node(x).clone(),
            self.arena.data_node(y).clone(),
        ) {
            // Conditionals are distributed over the comparison.
            (DataNode::Ite(c, a, b), _) => {
                let (a, b) = (
                    self.deeper(|w| w.data_equal(a, y))?,
                    self.deeper(|w| w.data_equal(b, y))?,
                );
                Ok(self.terms.ite(c, a, b))
            }
            (_, DataNode::Ite(..)) => self.data_equal(y, x),
            (DataNode::Made(c, xs), DataNode::Made(d, ys)) => {
                let mut all = self.terms.bool(c == d);
                for (a, b) in xs.into_iter().zip(ys) {
                    if all == self.terms.ff {
                        break;
                    }
                    let same = self.eq(a, b)?;
                    all = self.terms.and(all, same);
                }
                Ok(all)
            }
            (DataNode::Made(c, xs), DataNode::Unknown(tag, ty))
            | (DataNode::Unknown(tag, ty), DataNode::Made(c, xs)) => {
                let unknown = self.arena.data(DataNode::Unknown(tag, ty));
                // A constructed value equals an unknown one if the latter has this constructor and
                // equal fields.
                let mut all = self.is_made_by(unknown, c)?;
                for (i, x) in xs.into_iter().enumerate() {
                    let field = self.field(unknown, c, i)?;
                    let same = self.eq(x, field)?;
                    all = self.terms.and(all, same);
                }
                Ok(all)
            }
            // Two unknown values are equal if they agree in some constructor and all its fields.
            // Recursive types make this unbounded, hence the limit.
            (DataNode::Unknown(_, ty), DataNode::Unknown(..)) => {
                let mut any = self.terms.ff;
                for c in self.constructors_of(&ty) {
                    let (a, b) = (self.is_made_by(x, c)?, self.is_made_by(y, c)?);
                    let mut all = self.terms.and(a, b);
                    for i in 0..self.program.constructor(c).fields.len() {
                        if self.depth > 200 {
                            return Err(Stop::Limit("datatype depth"));
                        }
                        let (a, b) = (self.field(x, c, i)?, self.field(y, c, i)?);
                        let same = self.eq(a, b)?;
                        all = self.terms.and(all, same);
                    }
                    any = self.terms.or(any, all);
                }
                Ok(any)
            }
        }
    }

    /// Returns `d is c`.
    pub(crate) fn is_made_by(&mut self, d: DataId, c: ConstructorId) -> Res<Term> {
        match self.arena.data_node(d).clone() {
            DataNode::Made(by, _) => Ok(self.terms.bool(by == c)),
            DataNode::Unknown(tag, ty) => {
                let n = self
                    .constructors_of(&ty)
                    .iter()
                    .position(|x| *x == c)
                    .unwrap_or(usize::MAX);
                let n = self.terms.int(n);
                Ok(self.terms.eq(tag, n))
            }
            DataNode::Ite(t, a, b) => {
                let (a, b) = (
                    self.deeper(|w| w.is_made_by(a, c))?,
                    self.deeper(|w| w.is_made_by(b, c))?,
                );
                Ok(self.terms.ite(t, a, b))
            }
        }
    }

    /// Reads a field as if the value were made by this constructor. For another constructor, it is
    /// unknown.
    pub(crate) fn field(&mut self, d: DataId, c: ConstructorId, i: usize) -> Res<Value> {
        match self.arena.data_node(d).clone() {
            DataNode::Made(by, fields) if by == c => {
                fields.get(i).copied().ok_or(Stop::Limit("fields"))
            }
            DataNode::Ite(t, a, b) => {
                let (a, b) = (
                    self.deeper(|w| w.field(a, c, i))?,
                    self.deeper(|w| w.field(b, c, i))?,
                );
                self.ite(t, a, b)
            }
            DataNode::Made(..) | DataNode::Unknown(..) => self.unknown_field(d, c, i),
        }
    }

    fn unknown_field(&mut self, d: DataId, c: ConstructorId, i: usize) -> Res<Value> {
        if !self.fields.contains_key(&(d, c)) {
            let constructor = self.program.constructor(c);
            let types = match self.arena.data_node(d) {
                DataNode::Unknown(_, ty) => type_arguments(constructor, ty),
                DataNode::Made(..) | DataNode::Ite(..) => FxHashMap::default(),
            };
            let mut fields = Vec::new();
            for (name, ty) in &constructor.fields {
                fields.push(self.unknown(name, &crate::types::substitute(ty, &types))?);
            }
            self.fields.insert((d, c), fields);
        }
        self.fields
            .get(&(d, c))
            .and_then(|f| f.get(i))
            .copied()
            .ok_or(Stop::Limit("fields"))
    }

    /// Converts a constant to a value.
    pub(crate) fn constant(&mut self, c: Const) -> Value {
        Value::Term(self.terms.constant(c))
    }

    /// Returns the result of a division by zero: unknown, but the same for the same dividend.
    pub(crate) fn by_zero(&mut self, op: &'static str, a: Term, ty: &Type) -> Res<Term> {
        let id = match self.by_zero.get(op) {
            Some(id) => *id,
            None => {
                let id = self.base(Of::ByZero, None);
                self.by_zero.insert(op, id);
                id
            }
        };
        match self.read(id, vec![(Vec::new(), vec![Value::Term(a)])], ty, op)? {
            Value::Term(t) => Ok(t),
            Value::Map(_) | Value::Data(_) => Err(Stop::Limit("values of two kinds")),
        }
    }
}
