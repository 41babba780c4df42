//! Selection and order of reported errors, as in Dafny: its resolver makes many passes over each
//! module, and errors in one pass prevent later ones.
//!
//! The other modules find all errors, in an order of their own. [`Findings`] records for each error
//! the pass in which Dafny would find it. [`reported`] keeps the errors that Dafny would report, in
//! Dafny's order: module by module, with imported modules first; within a module, pass by pass;
//! within a pass, first the members of the module itself, then its types, each in source order.
//!
//! A new check has to name its pass. Either it is listed under that pass in `checks`, or it reports
//! through [`Findings::push_in`].

use rustc_hash::{FxHashMap, FxHashSet};

use dafny_source::Span;
use dafny_source::diagnostic::Diagnostic;

use super::dependencies::{Dependencies, Unit};

/// A pass of Dafny's resolver over one module. The first four and the last one are passes over the
/// whole program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Pass {
    /// Errors of Dafny's parser for options that our parser does not know. Nothing else is reported
    /// with them.
    Parsing,
    /// Modules and imports enter the scopes of modules. Nothing else is reported with errors of
    /// this pass.
    ModuleNames,
    /// The first names in the paths of imports and refinements, and cycles of modules. Nothing else
    /// is reported with errors of this pass.
    ModuleGraph,
    /// Built-in `@` attributes in the whole program. Its errors prevent no other pass.
    BuiltInAttributes,
    /// The rest of an import's path, and its export sets.
    Imports,
    /// The merge of a refining module with the refined one.
    Refinement,
    /// Declarations and members enter scopes: duplicate names.
    Declarations,
    /// The names in export sets. After this pass, a module is skipped if an import or nested module
    /// has errors.
    Exports,
    /// The types of fields, parameters and results, and the definitions of synonyms and newtypes.
    #[default]
    Signatures,
    /// The parents of types.
    Parents,
    /// The bounds of type parameters.
    TypeBounds,
    /// Cycles of synonyms, subset types and newtypes. An error in this or an earlier pass ends the
    /// module.
    TypeCycles,
    /// Inherited members and overriding.
    Inheritance,
    /// Names and types in the values of constants and in the constraints of types.
    Values,
    /// Names and types in all other expressions and statements, and in their attributes.
    Bodies,
    /// Expressions that their context does not allow. Dafny finds them in [`Pass::Bodies`], when it
    /// resolves names, before it solves the constraints on types; see [`merge_contexts`].
    Contexts,
    /// Requirements on inferred types: no type is unknown; conversions, literals, equality of
    /// compared values. From here on, a pass skips modules with errors in [`Pass::Signatures`] or
    /// later.
    Inference,
    /// Cycles of default values.
    Defaults,
    /// Bounds of quantified variables, and finiteness of sets.
    Bounds,
    /// Cycles of constraints of types.
    ConstraintCycles,
    /// Ghost and compiled code in types: constraints, witnesses, constructors. Native types.
    GhostTypes,
    /// Ghost and compiled code in members: contexts, assignments, loops, calls, tail recursion.
    Ghost,
    /// Calls in the prefix lemmas of extreme lemmas.
    PrefixLemmas,
    /// Functions used as values in their own definition. Requires correct signatures only.
    FunctionUses,
    /// Datatypes have a value, and their equality.
    Datatypes,
    /// Characteristics and bounds of type arguments, and `older`.
    Characteristics,
    /// Extreme predicates and lemmas, and cycles of constants.
    Recursion,
    /// `--enforce-determinism`. Requires correct signatures only.
    Determinism,
    /// The variance of type parameters.
    Variance,
    /// The constructor calls of `new`.
    Constructors,
    /// Functions with read effects stored in the heap.
    StoredFunctions,
    /// Comparisons of the values of maps.
    MapRanges,
    /// Initialization: `this` before `new;`, and fields and constants without a value.
    Initialization,
    /// Subset types of bound variables whose constraint cannot be compiled.
    Comprehensions,
    /// Consistency of export sets. Requires that no pass since [`Pass::Exports`] found errors.
    ExportConsistency,
    /// Declarations that refine abstract types, and overlapping patterns.
    RefinedTypes,
    /// The last checks of a module without any errors.
    Afterwards,
    /// Checks of a program without errors in any module: replacements, names of compiled modules,
    /// `Main`.
    Program,
}

impl Pass {
    /// The range of passes whose errors in a module prevent this pass. The upper end is exclusive.
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
            P::Inheritance
            | P::Values
            | P::Bodies
            | P::Contexts
            | P::FunctionUses
            | P::Determinism => Some((P::Signatures, P::Inheritance)),
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

/// The diagnostics so far, each with its pass.
#[derive(Debug, Clone, Default)]
pub struct Findings {
    found: Vec<Finding>,
    pass: Pass,
    /// A position in the module that is being resolved. A refining module has declarations with
    /// positions in its bases.
    module: Option<u32>,
    /// Statements in refining bodies that have no counterpart in the refined body.
    added: Vec<Span>,
}

/// A diagnostic with its pass and, if known, a position in the module that it was found in.
#[derive(Debug, Clone)]
struct Finding {
    pass: Pass,
    module: Option<u32>,
    diagnostic: Diagnostic,
}

impl Findings {
    /// Makes `module`, a position, the module that is being resolved. Returns the previous one.
    pub fn within(&mut self, module: Option<u32>) -> Option<u32> {
        std::mem::replace(&mut self.module, module)
    }

    /// Makes `pass` the current pass. Returns the previous one.
    pub fn enter(&mut self, pass: Pass) -> Pass {
        std::mem::replace(&mut self.pass, pass)
    }

    /// The current pass.
    pub fn pass(&self) -> Pass {
        self.pass
    }

    /// Records a diagnostic of the current pass.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.push_in(self.pass, diagnostic);
    }

    /// Records a diagnostic of the given pass.
    pub fn push_in(&mut self, pass: Pass, diagnostic: Diagnostic) {
        self.found.push(Finding {
            pass,
            module: self.module,
            diagnostic,
        });
    }

    /// Adds the diagnostics of `other`.
    pub fn append(&mut self, other: Findings) {
        self.found.extend(other.found);
        self.added.extend(other.added);
    }

    /// The statements that refining bodies add. They may change only state that their module
    /// declares.
    pub fn added_statements(&mut self) -> &mut Vec<Span> {
        &mut self.added
    }

    /// Whether one of the passes has an error.
    pub fn any_error(&self, passes: &[Pass]) -> bool {
        self.found
            .iter()
            .any(|f| f.diagnostic.is_error() && passes.contains(&f.pass))
    }

    /// The number of diagnostics.
    pub fn len(&self) -> usize {
        self.found.len()
    }

    /// Whether there are no diagnostics.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Keeps only the first `count` diagnostics.
    pub fn truncate(&mut self, count: usize) {
        self.found.truncate(count);
    }

    /// The diagnostics in the order in which they were recorded.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.found.iter().map(|f| &f.diagnostic)
    }
}

impl Extend<Diagnostic> for Findings {
    fn extend<I: IntoIterator<Item = Diagnostic>>(&mut self, items: I) {
        items.into_iter().for_each(|d| self.push(d));
    }
}

/// The spans of declarations, for the order within a pass.
#[derive(Debug, Default)]
pub struct Places {
    /// The declarations of types.
    types: Vec<Span>,
    /// The members of modules and types.
    members: Vec<Span>,
    /// The positions of the names of types, each after the traits that it extends: the order of
    /// [`Pass::Inheritance`].
    pub(super) parents_first: Vec<u32>,
}

impl Places {
    /// Records the declaration of a type.
    pub(super) fn add_type(&mut self, span: Span) {
        self.types.push(span);
    }

    /// Records a member.
    pub(super) fn add_member(&mut self, span: Span) {
        self.members.push(span);
    }

    fn sort(&mut self) {
        for list in [&mut self.types, &mut self.members] {
            list.sort_by_key(|s| s.start);
        }
    }

    /// The rank of a position among declarations. Members of the module precede types.
    fn rank(&self, position: u32) -> (u32, u32) {
        let start_in = |list: &[Span]| {
            // Declarations of one list do not overlap, so that the last one that starts before the
            // position is the only one that may contain it.
            let after = list.partition_point(|s| s.start <= position);
            let found = after
                .checked_sub(1)
                .and_then(|i| list.get(i))
                .filter(|s| position < s.end);
            found.map_or(0, |s| s.start + 1)
        };
        (start_in(&self.types), start_in(&self.members))
    }

    /// The rank of an error of [`Pass::Inheritance`]: type by type, with members that are not
    /// implemented after all others.
    fn inheritance_rank(&self, order: &FxHashMap<u32, u32>, found: &Diagnostic) -> (u32, u32) {
        let Some(position) = found.span.map(|s| s.start) else {
            return (0, 0);
        };
        let (ty, member) = self.rank(position);
        // Dafny looks for members without an implementation after it has compared the others.
        let is_last = found.id == "resolve/not-implemented";
        (
            order.get(&ty).copied().unwrap_or_default(),
            if is_last { u32::MAX } else { member },
        )
    }

    /// The indices in [`Self::parents_first`] by the first component of [`Self::rank`].
    fn inheritance_order(&self) -> FxHashMap<u32, u32> {
        let ranks = self.parents_first.iter().zip(1..);
        ranks.map(|(name, i)| (self.rank(*name).0, i)).collect()
    }
}

/// Returns the diagnostics to report: the errors that Dafny would report, in its order and without
/// duplicates, and everything that is not an error.
pub(super) fn reported(
    findings: Findings,
    dependencies: &Dependencies,
    mut places: Places,
) -> Vec<Diagnostic> {
    // Step 1: bring the errors into Dafny's order.
    let found = sorted(findings, dependencies, &mut places);
    let mut verdict = Verdict::default();
    let mut rest = found.into_iter().peekable();
    // The passes over the whole program: an error in one prevents all later passes.
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
    // Step 2: replay Dafny's resolution, module by module. `good` tells which units had no errors.
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
            // An error in an earlier pass over the module, or in a prerequisite, means that Dafny
            // does not make this pass.
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
        // Importers of this unit are held back if it has errors.
        if let Some(slot) = good.get_mut(index) {
            *slot = passes.is_empty() && held_back.is_none();
        }
    }
    // Step 3: checks of the whole program require that no module has errors.
    if verdict.errors > 0 {
        verdict.tell_rest(rest);
    } else {
        rest.for_each(|(.., d)| verdict.tell(d));
    }
    verdict.reported
}

/// Assigns each error to a module or import, and sorts by module, pass, and position. Passes over
/// the whole program come first.
fn sorted(
    findings: Findings,
    dependencies: &Dependencies,
    places: &mut Places,
) -> Vec<(usize, Pass, Diagnostic)> {
    places.sort();
    // An error belongs to the module or import that contains its position. An error of the whole
    // program belongs to none, and comes last.
    let unit_of = |pass: Pass, module: Option<u32>, d: &Diagnostic| match (pass, d.span) {
        (Pass::Program, _) | (_, None) => usize::MAX,
        (Pass::Imports, Some(span)) => dependencies
            .import_at(span.start)
            .unwrap_or_else(|| dependencies.module_at(span.start)),
        (Pass::Declarations | Pass::Refinement, Some(span)) => {
            dependencies.module_declaring(span.start)
        }
        (_, Some(span)) => dependencies.module_at(module.unwrap_or(span.start)),
    };
    let mut found: Vec<(usize, Pass, Diagnostic)> = findings
        .found
        .into_iter()
        .map(|f| {
            let unit = unit_of(f.pass, f.module, &f.diagnostic);
            (unit, f.pass, f.diagnostic)
        })
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
        // Views of a module follow each other, each in its own order.
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
        // Several of our checks correspond to one traversal of each member in Dafny. It checks the
        // clauses that a member may not have after the body.
        let place = match d.span {
            Some(_) if *pass == Pass::Ghost && d.id == "resolve/clause-not-allowed" => u32::MAX,
            Some(span) if *pass == Pass::Ghost => span.start,
            Some(_) | None => 0,
        };
        let bound = match d.span {
            Some(span) if *pass == Pass::ModuleNames => dependencies.binding_order(span.start),
            Some(_) | None => Vec::new(),
        };
        // Before modules are resolved, Dafny makes each pass over the whole program; afterwards it
        // makes all passes over one module after the other.
        if *pass <= Pass::BuiltInAttributes {
            (whole(*pass), 0, *pass, (0, 0), 0, bound)
        } else {
            // `merge_contexts` gives these errors their places among those of bodies.
            let pass = if *pass == Pass::Contexts {
                Pass::Bodies
            } else {
                *pass
            };
            (whole(pass), *unit, pass, rank, place, bound)
        }
    });
    merge_contexts(&mut found, places);
    found
}

/// Moves the errors of [`Pass::Contexts`] of each member before its errors of types, and between its
/// other errors by their positions.
fn merge_contexts(found: &mut [(usize, Pass, Diagnostic)], places: &Places) {
    let start = |d: &Diagnostic| d.span.map_or(0, |s| s.start);
    let is_body = |pass: Pass| matches!(pass, Pass::Bodies | Pass::Contexts);
    let same_member = |a: &(usize, Pass, Diagnostic), b: &(usize, Pass, Diagnostic)| {
        is_body(a.1)
            && is_body(b.1)
            && a.0 == b.0
            && places.rank(start(&a.2)) == places.rank(start(&b.2))
    };
    for member in found.chunk_by_mut(same_member) {
        let (mut contexts, others): (Vec<_>, Vec<_>) = member
            .iter()
            .cloned()
            .partition(|(_, pass, _)| *pass == Pass::Contexts);
        if contexts.is_empty() {
            continue;
        }
        // Both lists are in the order of the text now: merge them.
        contexts.sort_by_key(|(.., d)| start(d));
        let mut contexts = contexts.into_iter().peekable();
        let mut merged = Vec::with_capacity(member.len());
        for other in others {
            let is_of_types = other.2.id == "resolve/type-mismatch";
            while let Some(context) =
                contexts.next_if(|(.., d)| is_of_types || start(d) < start(&other.2))
            {
                merged.push(context);
            }
            merged.push(other);
        }
        merged.extend(contexts);
        member.clone_from_slice(&merged);
    }
}

/// The rank of an error of [`Pass::Refinement`]: first members of the module, then everything else
/// in the order of the declarations in the base.
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
    /// Reports a diagnostic unless it was reported before. An inherited declaration is checked
    /// again in the refining module.
    fn tell(&mut self, diagnostic: Diagnostic) {
        if self
            .seen
            .insert((diagnostic.span, diagnostic.message.clone()))
        {
            self.errors += usize::from(diagnostic.is_error());
            self.reported.push(diagnostic);
        }
    }

    /// Reports the remaining diagnostics that are not errors.
    fn tell_rest(&mut self, rest: impl Iterator<Item = (usize, Pass, Diagnostic)>) {
        rest.filter(|(.., d)| !d.is_error())
            .for_each(|(.., d)| self.tell(d));
    }
}
