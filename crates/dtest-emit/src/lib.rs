//! The typed program → Rust (the translation), and test cases → Rust (the suite).
//!
//! An item that has no translation is left out together with everything that needs it, each with the reason; the rest
//! compiles. Specification functions (ghost functions that contracts call) are translated too where their bodies can be
//! executed, so that tests check what Dafny's verifier checks.
//!
//! Its interface is the tool's own and changes with it: it is not stable.
//!
//! # Example
//!
//! ```
//! use dafny_resolve::{resolve_text, typed::Options};
//! use dtest_emit::{Placement, translate};
//!
//! let (sources, program, _) = resolve_text("twice.dfy", "function Twice(x: int): int { x + x }", Options::default());
//! let translation = translate(&program, &sources, &Placement::single("src/lib.rs", "crate", "// from twice.dfy"));
//! assert!(translation.unsupported.is_empty());
//! assert!(translation.files[0].1.contains("pub fn twice(x: &Int) -> Int"));
//! ```
#![deny(missing_docs)]

mod access;
mod assign;
mod binding;
mod body;
mod call;
pub mod case;
mod class;
mod code;
mod comprehension;
mod construct;
mod control;
mod convention;
mod conversion;
mod datatype;
mod default;
mod docs;
mod entry;
mod enumerate;
mod erase;
mod exhaustive;
mod expr;
mod external;
mod files;
mod imports;
mod instrument;
mod item;
mod iterator;
mod lifetimes;
mod lints;
mod literal;
mod mock;
mod names;
mod object;
mod ops;
mod passes;
mod pattern;
mod print;
mod reason;
mod recursion;
mod rep;
mod rust;
mod stmt;
mod suite;
mod synthesize;
mod tracked;
mod traits;
mod two_state;
mod type_test;
mod value;
mod walk;

pub use entry::EntryPoint;
pub use instrument::{Instrumented, instrument};
pub use reason::{Missing, Reason, Unsupported};
pub use suite::{suite, suite_beside};

use std::collections::{BTreeMap, BTreeSet};

use convention::{Dependency, Scope, Translated};
use files::files;
use imports::Modules;
use rep::Ground;
use rust::FnItem;
use tracked::{Choice, Tracked};

use dafny_resolve::typed::{
    Arena, Attributes, CallableId, Clause, FieldId, Frame, Item, LocalId, ModuleId, Program, TypeDeclKind, TypeId, TypeParamId,
};
use dafny_syntax::source::{FileId, SourceMap, Span};
use dtest_engine::lower::units::no_test;

/// Where the translation goes.
#[derive(Debug, Clone)]
pub struct Placement {
    /// The Rust path of the crate or module that holds all of it: `crate`, `crate::programs::p17`.
    pub root: String,
    /// The Rust file of each Dafny file.
    pub files: BTreeMap<FileId, RustFile>,
    /// The Rust file of all other Dafny files.
    pub other: RustFile,
    /// What every file starts with: the marker, as line comments.
    pub header: String,
}

/// A Rust file of the translation.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct RustFile {
    /// Its path: `src/lib.rs`.
    pub path: String,
    /// Its module path below the root: empty for `src/lib.rs`, `["x"]` for `src/x.rs`.
    pub module: Vec<String>,
}

impl Placement {
    /// All in one file at the root.
    pub fn single(path: impl Into<String>, root: impl Into<String>, header: impl Into<String>) -> Self {
        let other = RustFile { path: path.into(), module: Vec::new() };
        Self { root: root.into(), files: BTreeMap::new(), other, header: header.into() }
    }
}

/// A translated program.
#[derive(Debug, Clone, Default)]
pub struct Translation {
    /// Relative paths and texts.
    pub files: Vec<(String, String)>,
    /// What was left out of the compiled part, and why.
    pub unsupported: Vec<Unsupported>,
    /// Callables that are there, ghost ones included.
    pub callables: BTreeSet<CallableId>,
    /// What runs the method that the program starts with, where it is there.
    pub main: Option<EntryPoint>,
    /// Everything that is there.
    present: BTreeSet<Dependency>,
    /// Specification functions and the program's own tests, which stand in the suite, since nothing of the compiled program needs them.
    apart: BTreeSet<CallableId>,
    /// The Rust modules and what stands in them.
    modules: Modules,
    /// Clauses of contracts that cannot be executed, by the span of the condition.
    pub clauses: BTreeMap<Span, Reason>,
    /// The ghost state that it keeps.
    tracked: Tracked,
    /// Who takes the default of which type parameter.
    defaults: default::Defaults,
}

impl<'p> Ground<'p> {
    /// The Rust module, below the root, of what is declared at `span` in `module`.
    fn rust_module(&self, module: ModuleId, span: Span) -> Vec<String> {
        let mut path = Vec::new();
        let (mut at, mut head) = (Some(module), span);
        while let Some(m) = at {
            if self.program[m].parent.is_some() {
                path.push(self.names.module(m).to_owned());
                head = self.program[m].span;
            }
            at = self.program[m].parent;
        }
        path.reverse();
        let mut full = self.file_of(head).module.clone();
        full.extend(path);
        full
    }

    fn file_of(&self, span: Span) -> &RustFile {
        let file = self.sources.file_at(span.start).and_then(|(id, _)| self.placement.files.get(&id));
        file.unwrap_or(&self.placement.other)
    }

    fn describe(&self, what: Dependency) -> String {
        match what {
            Dependency::Type(t) => self.program.type_path(t),
            Dependency::Callable(c) => self.program.callable_path(c),
            Dependency::Const(f) => {
                let field = &self.program[f];
                let mut path = self.program.module_path(field.module);
                path.extend(field.owner.map(|t| self.program[t].name.clone()));
                path.push(field.name.clone());
                path.join(".")
            }
        }
    }
}

/// A translated item.
struct Piece {
    id: Dependency,
    /// Its Rust module and file.
    module: Vec<String>,
    path: String,
    /// The Dafny module.
    dafny: ModuleId,
    /// The type whose `impl` it stands in.
    inside: Option<TypeId>,
    ghost: bool,
    parts: Parts,
    needs: BTreeSet<Dependency>,
    /// The type parameters whose default it takes.
    wanted: BTreeSet<TypeParamId>,
    /// The type parameters that must stand for types whose default is that of their Rust type.
    fixed: BTreeSet<TypeParamId>,
}

/// What an item is in Rust.
enum Parts {
    Items(Vec<rust::Item>),
    /// Of an `impl` or a module.
    Functions(Vec<FnItem>),
}

/// Translates a program. Ghost state that clauses of contracts read is kept where that can be executed.
pub fn translate(program: &Program, sources: &SourceMap, placement: &Placement) -> Translation {
    let mut choice = Choice::new(program);
    let mut without = None;
    loop {
        let tracked = choice.tracked();
        let mut attempt = attempt(&tracked.applied(program), sources, placement);
        let is_due = !tracked.is_empty() && {
            let erased = if attempt.failed.is_empty() {
                &BTreeMap::new()
            } else {
                without.get_or_insert_with(|| self::attempt(program, sources, placement).failed)
            };
            let is_own = |id: &Dependency| !erased.contains_key(id) && !is_specification(program, *id);
            // What only needs another that fails says nothing of its own ghost state.
            let new = attempt.failed.iter().filter(|(id, _)| is_own(id) && !attempt.causes.get(id).is_some_and(is_own));
            choice.learn(&tracked, &new.collect::<Vec<_>>(), &attempt.translation.clauses)
        };
        if !is_due {
            for (span, reason) in &mut attempt.translation.clauses {
                if let Some(why) = choice.reason(program, *span) {
                    *reason = Reason::Untracked(why);
                }
            }
            attempt.translation.tracked = tracked;
            return attempt.translation;
        }
    }
}

/// Translates a program as what runs in place of its translation sees it: without any ghost state.
pub fn translate_erased(program: &Program, sources: &SourceMap, placement: &Placement) -> Translation {
    attempt(program, sources, placement).translation
}

/// A translation with everything that failed on the way, ghost or not.
struct Attempted {
    translation: Translation,
    failed: BTreeMap<Dependency, Unsupported>,
    /// What failed because it needs something else that did.
    causes: BTreeMap<Dependency, Dependency>,
}

fn attempt(program: &Program, sources: &SourceMap, placement: &Placement) -> Attempted {
    let program = &*dafny_resolve::typed::casts::explicit(program);
    let ground = Ground::new(program, sources, placement);
    let (pieces, mut failed) = loop {
        let found = pieces_of(&ground);
        let known = ground.defaults.borrow().clone();
        found.0.iter().for_each(|p| ground.defaults.borrow_mut().learn(&ground, p.id, &p.wanted, &p.fixed));
        // Each round knows more of who takes the defaults of type parameters, until there is nothing more to know.
        if *ground.defaults.borrow() == known {
            break found;
        }
    };
    let present: BTreeSet<Dependency> = pieces.iter().map(|p| p.id).collect();
    let causes = propagate(&ground, &pieces, &present, &mut failed);

    let (wanted, clauses) = specification(&ground, &pieces, &failed);
    let kept: Vec<Piece> = pieces.into_iter().filter(|p| !failed.contains_key(&p.id) && (!p.ghost || wanted.contains(&p.id))).collect();
    let present = kept.iter().map(|p| p.id).collect();
    let apart = apart(&ground, &kept);
    let in_suite = |p: &Piece| matches!(p.id, Dependency::Callable(c) if apart.contains(&c));
    let kept: Vec<Piece> = kept.into_iter().filter(|p| !in_suite(p)).collect();
    let is_kept = |c: &CallableId| kept.iter().any(|p| p.id == Dependency::Callable(*c));
    let main = program.main.filter(is_kept).map(|c| entry::call(&ground, c));
    let callables = kept.iter().filter_map(|p| if let Dependency::Callable(c) = p.id { Some(c) } else { None }).collect();
    let mut unsupported: Vec<Unsupported> = failed.iter().filter(|(id, _)| !is_ghost(program, **id)).map(|(_, u)| u.clone()).collect();
    let main = main.and_then(|entry| entry.map_err(|reason| unsupported.push(reason)).ok());
    let (files, modules) = files(&ground, &kept);
    let files = files.into_iter().map(|(path, text)| (path, rust_text(&text))).collect();
    let defaults = ground.defaults.take();
    let tracked = Tracked::default();
    let translation = Translation { files, unsupported, callables, main, present, apart, modules, clauses, tracked, defaults };
    Attempted { translation, failed, causes }
}

/// The text of a file of Rust: what the program's comments hold, quoted in comments, hides nothing and ends none. Literals are escaped
/// as they are made.
fn rust_text(text: &str) -> String {
    dafny_syntax::source::visible(text, &['\n', '\t']).into_owned()
}

/// The translation of every item that has one, and why the others have none.
fn pieces_of(ground: &Ground<'_>) -> (Vec<Piece>, BTreeMap<Dependency, Unsupported>) {
    let program = ground.program;
    let (mut pieces, mut failed) = (Vec::new(), BTreeMap::new());
    for module in program.ids() {
        let module: ModuleId = module;
        if program.is_module_left_out(module) {
            continue;
        }
        for id in program[module].items.iter().flat_map(|&item| ids_of(program, item)) {
            match piece(ground, id) {
                Ok(Some(piece)) => pieces.push(piece),
                Ok(None) => {}
                Err(reason) => {
                    failed.insert(id, Unsupported { what: ground.describe(id), ..reason });
                }
            }
        }
    }
    (pieces, failed)
}

/// What an item stands for: a type comes with its members.
fn ids_of(program: &Program, item: Item) -> Vec<Dependency> {
    match item {
        Item::Module(_) => Vec::new(),
        Item::Const(f) => vec![Dependency::Const(f)],
        Item::Callable(c) => vec![Dependency::Callable(c)],
        Item::Type(t) => {
            let decl = &program[t];
            let is_class = matches!(decl.kind, TypeDeclKind::Class | TypeDeclKind::Trait { .. } | TypeDeclKind::Iterator(_));
            // Fields of objects are part of the struct.
            let is_item = |f: &&FieldId| !is_class || program[**f].is_static || !class::is_stored(program, **f);
            let consts = decl.fields.iter().filter(is_item).map(|&f| Dependency::Const(f));
            let callables = decl.callables.iter().map(|&c| Dependency::Callable(c));
            std::iter::once(Dependency::Type(t)).chain(consts).chain(callables).collect()
        }
    }
}

fn is_ghost(program: &Program, id: Dependency) -> bool {
    match id {
        Dependency::Type(t) => program[t].ghost,
        Dependency::Callable(c) => program[c].ghost,
        Dependency::Const(f) => program[f].ghost,
    }
}

/// Whether the lack of an item costs no more than clauses.
fn is_specification(program: &Program, id: Dependency) -> bool {
    matches!(id, Dependency::Callable(c) if program[c].ghost && program[c].kind.is_function())
}

/// The translation of one item; nothing for what does not exist at run time.
fn piece(ground: &Ground<'_>, id: Dependency) -> Translated<Option<Piece>> {
    let program = ground.program;
    let (dafny, span, inside) = match id {
        Dependency::Type(t) => (program[t].module, program[t].span, None),
        Dependency::Callable(c) => (program[c].module, program[c].span, program[c].owner),
        Dependency::Const(f) => (program[f].module, program[f].span, program[f].owner),
    };
    let span = inside.map_or(span, |t| program[t].span);
    let head = {
        let (mut at, mut head) = (Some(dafny), span);
        while let Some(m) = at {
            if program[m].parent.is_some() {
                head = program[m].span;
            }
            at = program[m].parent;
        }
        head
    };
    let module = ground.rust_module(dafny, span);
    let ghost = is_ghost(program, id);
    let scope = Scope::new(ground, Some((dafny, module.clone())), ghost);
    let parts = match id {
        Dependency::Type(t) if program.nat == Some(t) => return Ok(None),
        Dependency::Type(t) if external::is_linked_type(&scope, t) => {
            Parts::Items(external::linked_type(&scope, t)?.into_iter().map(rust::Item::Use).collect())
        }
        // What a linked type has is there with it.
        _ if inside_of(program, id).is_some_and(|t| external::is_linked_type(&scope, t)) => Parts::Functions(Vec::new()),
        Dependency::Type(t) => Parts::Items(match &program[t].kind {
            TypeDeclKind::Datatype { .. } => {
                traits::seen_as(&scope, t)?;
                datatype::datatype(&scope, t)?
            }
            TypeDeclKind::Newtype(_) | TypeDeclKind::Subset(_) => {
                traits::seen_as(&scope, t)?;
                item::alias(&scope, t)?
            }
            TypeDeclKind::Class => class::class(&scope, t)?,
            TypeDeclKind::Abstract => return Err(scope.unsupported(program[t].span, "it is an abstract type")),
            TypeDeclKind::Trait { .. } => {
                // Its text says which members are there, which is not known yet.
                traits::check(&scope, t)?;
                Vec::new()
            }
            TypeDeclKind::Iterator(_) => iterator::iterator(&scope, t)?,
        }),
        Dependency::Callable(c) if program[c].ghost && !program[c].kind.is_function() => return Ok(None),
        Dependency::Callable(c) => Parts::Functions(item::callable(&scope, c)?),
        Dependency::Const(f) => Parts::Functions(vec![item::constant(&scope, f)?]),
    };
    let inside = inside.filter(|&t| in_impl(ground, t));
    let (wanted, fixed) = (scope.wanted.into_inner(), scope.fixed.into_inner());
    let mut needs = scope.dependencies.into_inner();
    needs.extend(inside.map(Dependency::Type));
    needs.remove(&id);
    let path = ground.file_of(head).path.clone();
    Ok(Some(Piece { id, module, path, dafny, inside, ghost, parts, needs, wanted, fixed }))
}

/// What a type has by the traits that it extends; of a trait: the Rust trait.
fn of_traits(scope: &Scope<'_, '_>, ty: TypeId, present: &BTreeSet<Dependency>) -> Vec<rust::Item> {
    if external::is_linked_type(scope, ty) {
        return Vec::new();
    }
    let items = if scope.ground.program.is_trait(ty) {
        traits::declaration(scope, ty, present)
    } else {
        traits::implementations(scope, ty, present)
    };
    // What it speaks of was translated before, with the type and its members.
    items.unwrap_or_default()
}

/// The type that something is a member of.
fn inside_of(program: &Program, id: Dependency) -> Option<TypeId> {
    match id {
        Dependency::Type(_) => None,
        Dependency::Callable(c) => program[c].owner,
        Dependency::Const(f) => program[f].owner,
    }
}

fn in_impl(ground: &Ground<'_>, ty: TypeId) -> bool {
    ground.has_methods(ty) || ground.is_class(ty) || ground.program.is_trait(ty)
}

/// Fails whatever needs something that failed or is not there; gives the need of each.
fn propagate(
    ground: &Ground<'_>,
    pieces: &[Piece],
    present: &BTreeSet<Dependency>,
    failed: &mut BTreeMap<Dependency, Unsupported>,
) -> BTreeMap<Dependency, Dependency> {
    let mut causes = BTreeMap::new();
    loop {
        let mut more = Vec::new();
        for p in pieces.iter().filter(|p| !failed.contains_key(&p.id)) {
            for need in &p.needs {
                if let Some(reason) = missing(ground, *need, present, failed) {
                    let (reason, span) = reason;
                    causes.insert(p.id, *need);
                    more.push((p.id, Unsupported { what: ground.describe(p.id), reason, span }));
                    break;
                }
            }
        }
        if more.is_empty() {
            return causes;
        }
        failed.extend(more);
    }
}

/// Why something that is needed is not there, if it is not.
fn missing(
    ground: &Ground<'_>,
    need: Dependency,
    present: &BTreeSet<Dependency>,
    failed: &BTreeMap<Dependency, Unsupported>,
) -> Option<(Reason, Span)> {
    if let Some(u) = failed.get(&need) {
        return Some((u.reason.passed_on(&u.what), u.span));
    }
    if present.contains(&need) || matches!(need, Dependency::Type(t) if ground.program.nat == Some(t)) {
        return None;
    }
    Some((Reason::Needs(ground.describe(need), Missing::NotCompiled), Span::default()))
}

/// The specification functions that contracts of compiled callables reach, and the clauses that cannot be executed.
fn specification(
    ground: &Ground<'_>,
    pieces: &[Piece],
    failed: &BTreeMap<Dependency, Unsupported>,
) -> (BTreeSet<Dependency>, BTreeMap<Span, Reason>) {
    let by_id: BTreeMap<Dependency, &Piece> = pieces.iter().map(|p| (p.id, p)).collect();
    let present: BTreeSet<Dependency> = by_id.keys().copied().collect();
    // Ghost state that is kept is computed by specification functions too.
    let compiled = pieces.iter().filter(|p| !p.ghost && !failed.contains_key(&p.id));
    let mut todo: Vec<Dependency> = compiled.flat_map(|p| &p.needs).copied().filter(|n| is_ghost(ground.program, *n)).collect();
    let mut clauses = BTreeMap::new();
    for p in pieces.iter().filter(|p| !p.ghost && !failed.contains_key(&p.id)) {
        let Dependency::Callable(c) = p.id else { continue };
        todo.extend(
            of_types(ground, c).into_iter().filter(|needs| needs.iter().all(|n| missing(ground, *n, &present, failed).is_none())).flatten(),
        );
        let spec = &ground.program[c].spec;
        let of_clause = |clause: &Clause| (clause.cond.span, needs_of(ground, c, &mut |body| body.value(&clause.cond).map(drop)));
        let of_frame = |frame: &Frame| (frame.span, needs_of(ground, c, &mut |body| body.frame_part(frame).map(drop)));
        let conditions = spec.requires.iter().chain(&spec.ensures).map(of_clause);
        for (span, needs) in conditions.chain(spec.modifies.iter().filter(|f| !f.star).map(of_frame)) {
            match needs {
                Ok(needs) => match needs.iter().find_map(|n| missing(ground, *n, &present, failed)) {
                    Some((reason, _)) => {
                        clauses.insert(span, reason);
                    }
                    None => todo.extend(needs),
                },
                Err(u) => {
                    clauses.insert(span, u.reason);
                }
            }
        }
    }
    let mut wanted = BTreeSet::new();
    while let Some(id) = todo.pop() {
        if wanted.insert(id) {
            todo.extend(by_id.get(&id).into_iter().flat_map(|p| &p.needs));
        }
    }
    (wanted, clauses)
}

/// What the constraints of each type of a compiled callable need, that of its receiver among them: tests execute them.
fn of_types(ground: &Ground<'_>, callable: CallableId) -> Vec<BTreeSet<Dependency>> {
    let program = ground.program;
    let c = &program[callable];
    let locals = c.ins.iter().chain(&c.outs).map(|f| f.local).filter(|&l| !program[l].ghost);
    let of_local = |local: LocalId| {
        let ty = &program[local].ty;
        needs_of(ground, callable, &mut |body| {
            let code = body.vars.get(&local).cloned().unwrap_or_else(|| code::Code::named("value", false));
            body.constraints(ty, &code, program[local].span).map(drop)
        })
    };
    locals.filter_map(|local| of_local(local).ok()).collect()
}

/// What stands in the suite: specification functions that only clauses and each other call, and that can stand outside of the
/// program, those of modules, values and objects; and the program's own tests, where no other code calls them. What belongs to a
/// trait, or to a type that extends one, may be called by way of the trait; what an iterator has looks at its body.
fn apart(ground: &Ground<'_>, kept: &[Piece]) -> BTreeSet<CallableId> {
    let program = ground.program;
    let is_own_test = |c: CallableId| program[c].attribute("test").is_some() && no_test(program, c).is_none() && program.main != Some(c);
    let is_outside = |&c: &CallableId| {
        let owner = program[c].owner;
        let is_bound = |t: TypeId| {
            let is_iterator = matches!(program[t].kind, TypeDeclKind::Iterator(_));
            program.is_trait(t) || is_iterator || !program[t].parents.is_empty()
        };
        (program[c].ghost || is_own_test(c)) && !owner.is_some_and(is_bound)
    };
    let callables = kept.iter().filter_map(|p| if let Dependency::Callable(c) = p.id { Some(c) } else { None });
    let candidates: BTreeSet<CallableId> = callables.filter(is_outside).collect();
    ground.apart.replace(candidates.clone());
    let in_suite = Scope { apart: true, ..Scope::new(ground, None, true) };
    let can_be = |&c: &CallableId| item::callable(&in_suite, c).is_ok();
    let movable: BTreeSet<CallableId> = candidates.into_iter().filter(can_be).collect();
    ground.apart.take();
    let by_id: BTreeMap<Dependency, &Piece> = kept.iter().map(|p| (p.id, p)).collect();
    let is_movable = |id: &Dependency| matches!(id, Dependency::Callable(c) if movable.contains(c));
    let mut todo: Vec<Dependency> = kept.iter().filter(|p| !is_movable(&p.id)).flat_map(|p| p.needs.iter().copied()).collect();
    let mut staying = BTreeSet::new();
    while let Some(id) = todo.pop() {
        if is_movable(&id) && staying.insert(id) {
            todo.extend(by_id.get(&id).into_iter().flat_map(|p| &p.needs));
        }
    }
    movable.into_iter().filter(|c| !staying.contains(&Dependency::Callable(*c))).collect()
}

/// What a part of a contract needs to be executed; `write` translates it.
fn needs_of(
    ground: &Ground<'_>,
    callable: CallableId,
    write: &mut dyn FnMut(&mut body::Body<'_, '_, '_>) -> Translated<()>,
) -> Translated<BTreeSet<Dependency>> {
    let scope = Scope::new(ground, None, true);
    let mut body = body::Body::new(&scope);
    body.before = Some(false);
    let c = &ground.program[callable];
    for local in c.ins.iter().chain(&c.outs).map(|f| f.local).filter(|&l| !ground.program[l].ghost) {
        body.declare(local, code::Own::Place);
    }
    if !c.is_static {
        body.this = Some(code::Code::named("this", false));
    }
    // A test collects what an iterator has yielded.
    if let Some(TypeDeclKind::Iterator(parts)) = c.owner.map(|t| &ground.program[t].kind) {
        for (_, history) in parts.yields.iter().zip(&parts.histories).filter(|(y, _)| !ground.program[**y].ghost) {
            body.unborn.insert(*history, code::Code::named("history", false));
        }
    }
    write(&mut body)?;
    drop(body);
    Ok(scope.dependencies.into_inner())
}
