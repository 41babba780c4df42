//! The order of what is reported: the passes that Dafny's resolver makes over each module, and which of them an error of an
//! earlier one keeps from being made.
//!
//! We find errors in an order of our own, and all there are. [`Findings`] notes with each in which of Dafny's passes it
//! would be found, and [`reported`] keeps what Dafny would tell, in its order: module after module, imported ones first; in a
//! module pass after pass; in a pass first what the module itself declares (functions, methods, constants), then its types,
//! each in the order of the source.
//!
//! A new check says where it belongs: it runs in the phase of its pass (`checks`), or reports with [`Findings::push_in`].

use rustc_hash::{FxHashMap, FxHashSet};

use dafny_syntax::diagnostic::Diagnostic;
use dafny_syntax::source::Span;

use super::dependencies::{Dependencies, Unit};

/// A pass over one module (or over the whole program: the first four and the last).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Pass {
    /// What Dafny's parser asks for by options of which ours knows nothing. It is all that is reported.
    Parsing,
    /// Modules and imports enter the scopes of modules. What is found here is all that is reported of the program.
    ModuleNames,
    /// The first names in paths of imports and refinements; circles of modules. All that is reported, too.
    ModuleGraph,
    /// The built-in attributes with `@`, in the whole program. It goes on, whatever is found.
    BuiltInAttributes,
    /// The rest of an import's path, and its export sets.
    Imports,
    /// A refining module is merged with its base.
    Refinement,
    /// Declarations and members enter the scopes: duplicate names.
    Declarations,
    /// Export sets name what is there. Behind this pass, a module is left alone whose imports or nested modules have errors.
    Exports,
    /// The types of fields, parameters and results, what synonyms and newtypes stand for.
    #[default]
    Signatures,
    /// What types extend.
    Parents,
    /// What type parameters extend.
    TypeBounds,
    /// Circles among synonyms, subset types and newtypes. An error up to here is the last of its module.
    TypeCycles,
    /// What types inherit, and whether members override rightly.
    Inheritance,
    /// Names and types in the values of constants and in the constraints of types.
    Values,
    /// Names and types in all other expressions and statements, with their attributes.
    Bodies,
    /// What is asked of expressions whose types are inferred: nothing is left open, conversions, literals, equality of
    /// what is compared. From here on, a pass is made only over modules without errors in [`Pass::Signatures`] and later.
    Inference,
    /// Circles of default values.
    Defaults,
    /// Bounds of quantified variables, and sets that must be finite.
    Bounds,
    /// Circles among constraints of types.
    ConstraintCycles,
    /// Ghost and compiled code in types: constraints, witnesses, constructors; native types.
    GhostTypes,
    /// Ghost and compiled code in members: contexts, assignments, loops, calls, tail recursion.
    Ghost,
    /// What is called in the lemmas that extreme lemmas stand for.
    PrefixLemmas,
    /// Functions that are used without arguments where they are defined (made where signatures are right).
    FunctionUses,
    /// Datatypes have a value; what supports equality.
    Datatypes,
    /// Type arguments have the characteristics and bounds that are asked for; `older`.
    Characteristics,
    /// Extreme predicates and lemmas; circles of constants.
    Recursion,
    /// `--enforce-determinism` (made where signatures are right).
    Determinism,
    /// Variance of type parameters.
    Variance,
    /// `new` calls a constructor.
    Constructors,
    /// Functions with read effects that are stored in the heap.
    StoredFunctions,
    /// Values of maps that are compared.
    MapRanges,
    /// What is initialised: `this` before `new;`, fields and constants without a value.
    Initialization,
    /// Subset types of bound variables whose constraints cannot be compiled.
    Comprehensions,
    /// What an export set shows can be understood by itself. Made where nothing is wrong since [`Pass::Exports`].
    ExportConsistency,
    /// What takes the place of an abstract type is as it was declared; patterns that overlap.
    RefinedTypes,
    /// What comes last in a module in which nothing is wrong at all.
    Afterwards,
    /// What is asked of the program where no module has an error: replacements, names of compiled modules, `Main`.
    Program,
}

impl Pass {
    /// The passes whose errors in a module keep this one from being made: from the first up to, and without, the second.
    fn kept_by(self) -> Option<(Pass, Pass)> {
        use Pass as P;
        match self {
            P::Parsing
            | P::ModuleNames
            | P::ModuleGraph
            | P::BuiltInAttributes
            | P::Imports
            | P::Refinement
            | P::Declarations
            | P::Exports => None,
            P::Signatures | P::Parents | P::TypeBounds | P::TypeCycles => None,
            P::Inheritance | P::Values | P::Bodies | P::FunctionUses | P::Determinism => {
                Some((P::Signatures, P::Inheritance))
            }
            P::Characteristics | P::Recursion => Some((P::Signatures, P::Characteristics)),
            P::GhostTypes | P::Ghost => Some((P::Signatures, P::GhostTypes)),
            P::Inference
            | P::Defaults
            | P::Bounds
            | P::ConstraintCycles
            | P::PrefixLemmas
            | P::Datatypes
            | P::Variance
            | P::Constructors
            | P::StoredFunctions
            | P::MapRanges
            | P::Initialization
            | P::Comprehensions => Some((P::Signatures, self)),
            P::ExportConsistency | P::RefinedTypes => Some((P::Exports, self)),
            P::Afterwards => Some((P::Refinement, self)),
            P::Program => Some((P::Parsing, self)),
        }
    }
}

/// What was found, with the pass that it belongs to.
#[derive(Debug, Clone, Default)]
pub struct Findings {
    found: Vec<(Pass, Diagnostic)>,
    pass: Pass,
    /// Statements of refining bodies that match none of their base.
    added: Vec<Span>,
}

impl Findings {
    /// Whatever is found from now on belongs to this pass; the one before is given back.
    pub fn enter(&mut self, pass: Pass) -> Pass {
        std::mem::replace(&mut self.pass, pass)
    }

    /// The pass at hand.
    pub fn pass(&self) -> Pass {
        self.pass
    }

    /// Notes what was found in the pass at hand.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.push_in(self.pass, diagnostic);
    }

    /// Notes what a pass would find.
    pub fn push_in(&mut self, pass: Pass, diagnostic: Diagnostic) {
        self.found.push((pass, diagnostic));
    }

    /// Adds what was found elsewhere.
    pub fn append(&mut self, other: Findings) {
        self.found.extend(other.found);
        self.added.extend(other.added);
    }

    /// The statements that refining bodies add to those of their base: they may change what their module declares only.
    pub fn added_statements(&mut self) -> &mut Vec<Span> {
        &mut self.added
    }

    /// Whether an error was found in one of these passes.
    pub fn any_error(&self, passes: &[Pass]) -> bool {
        self.found
            .iter()
            .any(|(pass, d)| d.is_error() && passes.contains(pass))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.found.len()
    }

    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Forgets all but the first ones.
    pub fn truncate(&mut self, count: usize) {
        self.found.truncate(count);
    }

    /// What was found so far, in the order in which it was.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.found.iter().map(|(_, d)| d)
    }
}

impl Extend<Diagnostic> for Findings {
    fn extend<I: IntoIterator<Item = Diagnostic>>(&mut self, items: I) {
        items.into_iter().for_each(|d| self.push(d));
    }
}

/// Where the declarations of the program stand, for the order within a pass.
#[derive(Debug, Default)]
pub struct Places {
    /// Declarations of types.
    types: Vec<Span>,
    /// Members of modules and of types.
    members: Vec<Span>,
    /// The names of types, each behind the traits that it extends: the order of [`Pass::Inheritance`].
    pub(super) parents_first: Vec<u32>,
}

impl Places {
    /// Notes the declaration of a type.
    pub(super) fn add_type(&mut self, span: Span) {
        self.types.push(span);
    }

    /// Notes a member.
    pub(super) fn add_member(&mut self, span: Span) {
        self.members.push(span);
    }

    fn sort(&mut self) {
        for list in [&mut self.types, &mut self.members] {
            list.sort_by_key(|s| s.start);
        }
    }

    /// The rank of a position among declarations: members of the module come before types.
    fn rank(&self, position: u32) -> (u32, u32) {
        let start_in = |list: &[Span]| {
            let after = list.partition_point(|s| s.start <= position);
            let found = after
                .checked_sub(1)
                .and_then(|i| list.get(i))
                .filter(|s| position < s.end);
            found.map_or(0, |s| s.start + 1)
        };
        (start_in(&self.types), start_in(&self.members))
    }

    /// The rank among what is found in [`Pass::Inheritance`]: type by type, what a type does not implement behind its members.
    fn inheritance_rank(&self, order: &FxHashMap<u32, u32>, found: &Diagnostic) -> (u32, u32) {
        let Some(position) = found.span.map(|s| s.start) else {
            return (0, 0);
        };
        let (ty, member) = self.rank(position);
        let is_last = found.id == "resolve/not-implemented";
        (
            order.get(&ty).copied().unwrap_or_default(),
            if is_last { u32::MAX } else { member },
        )
    }

    /// The places of [`Self::parents_first`], by the first component of [`Self::rank`].
    fn inheritance_order(&self) -> FxHashMap<u32, u32> {
        let ranks = self.parents_first.iter().zip(1..);
        ranks.map(|(name, i)| (self.rank(*name).0, i)).collect()
    }
}

/// What is to be reported to the user: errors that Dafny would come to, in its order, each once; and all that are no errors.
pub(super) fn reported(
    findings: Findings,
    dependencies: &Dependencies,
    mut places: Places,
) -> Vec<Diagnostic> {
    places.sort();
    let unit_of = |pass: Pass, d: &Diagnostic| match (pass, d.span) {
        (Pass::Program, _) | (_, None) => usize::MAX,
        (Pass::Imports, Some(span)) => dependencies
            .import_at(span.start)
            .unwrap_or_else(|| dependencies.module_at(span.start)),
        (Pass::Declarations | Pass::Refinement, Some(span)) => {
            dependencies.module_declaring(span.start)
        }
        (_, Some(span)) => dependencies.module_at(span.start),
    };
    let mut found: Vec<(usize, Pass, Diagnostic)> = findings
        .found
        .into_iter()
        .map(|(pass, d)| (unit_of(pass, &d), pass, d))
        .collect();
    let whole = |pass: Pass| {
        if pass <= Pass::BuiltInAttributes {
            pass
        } else {
            Pass::Imports
        }
    };
    let inheritance = places.inheritance_order();
    found.sort_by_cached_key(|(unit, pass, d)| {
        // Views of a module come one after the other, each in its own order.
        let rank = d
            .span
            .filter(|_| *pass != Pass::ExportConsistency)
            .map_or((0, 0), |s| places.rank(s.start));
        let rank = if *pass == Pass::Inheritance {
            places.inheritance_rank(&inheritance, d)
        } else if *pass == Pass::Refinement {
            refinement_rank(d, rank)
        } else {
            rank
        };
        // Several checks of ours are one walk of Dafny's over each member.
        let place = d
            .span
            .filter(|_| *pass == Pass::Ghost)
            .map_or(0, |s| s.start);
        let bound = match d.span {
            Some(span) if *pass == Pass::ModuleNames => dependencies.binding_order(span.start),
            Some(_) | None => Vec::new(),
        };
        if *pass <= Pass::BuiltInAttributes {
            (whole(*pass), 0, *pass, (0, 0), 0, bound)
        } else {
            (whole(*pass), *unit, *pass, rank, place, bound)
        }
    });

    let mut verdict = Verdict::default();
    let mut rest = found.into_iter().peekable();
    // The program's own passes: each stops all that follows.
    for pass in [Pass::Parsing, Pass::ModuleNames, Pass::ModuleGraph] {
        while let Some((.., d)) = rest.next_if(|(_, p, _)| *p == pass) {
            verdict.tell(d);
        }
        if verdict.errors > 0 {
            verdict.tell_rest(rest);
            return verdict.reported;
        }
    }
    while let Some((.., d)) = rest.next_if(|(_, p, _)| *p == Pass::BuiltInAttributes) {
        verdict.tell(d);
    }
    let mut good = vec![true; dependencies.units.len()];
    for (index, unit) in dependencies.units.iter().enumerate() {
        let held_back = match unit {
            Unit::Import { .. } => None,
            Unit::Module { .. } => dependencies.held_back(index, &good),
        };
        let mut passes: Vec<Pass> = Vec::new();
        if let Some(Some(nested)) = &held_back {
            passes.push(Pass::Signatures);
            verdict.tell(nested.clone());
        }
        while let Some((_, pass, d)) = rest.next_if(|(u, ..)| *u == index) {
            let kept = pass
                .kept_by()
                .is_some_and(|(from, to)| passes.iter().any(|p| from <= *p && *p < to));
            if d.is_error() && (kept || (held_back.is_some() && pass > Pass::Exports)) {
                continue;
            }
            if d.is_error() {
                passes.push(pass);
            }
            verdict.tell(d);
        }
        if let Some(slot) = good.get_mut(index) {
            *slot = passes.is_empty() && held_back.is_none();
        }
    }
    if verdict.errors > 0 {
        verdict.tell_rest(rest);
    } else {
        rest.for_each(|(.., d)| verdict.tell(d));
    }
    verdict.reported
}

/// The rank among what is found when a module is merged with its base: members of the module come first, then all in the order in which
/// the base declares what is refined.
fn refinement_rank(found: &Diagnostic, (ty, member): (u32, u32)) -> (u32, u32) {
    let base = found.labels.first().map(|l| l.span).or(found.span);
    let is_member = ty == 0 && member != 0;
    (u32::from(!is_member), base.map_or(0, |s| s.start))
}

#[derive(Default)]
struct Verdict {
    reported: Vec<Diagnostic>,
    seen: FxHashSet<(Option<Span>, String)>,
    errors: usize,
}

impl Verdict {
    /// What a refining module inherits is looked at again in it, but reported once.
    fn tell(&mut self, diagnostic: Diagnostic) {
        if self
            .seen
            .insert((diagnostic.span, diagnostic.message.clone()))
        {
            self.errors += usize::from(diagnostic.is_error());
            self.reported.push(diagnostic);
        }
    }

    /// Only what is no error is reported of what remains.
    fn tell_rest(&mut self, rest: impl Iterator<Item = (usize, Pass, Diagnostic)>) {
        rest.filter(|(.., d)| !d.is_error())
            .for_each(|(.., d)| self.tell(d));
    }
}
