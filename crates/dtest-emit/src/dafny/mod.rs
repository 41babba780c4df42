//! Converts test cases to tests in Dafny, for `dafny test` on any backend.
//!
//! A test consists of pieces: statements that create its inputs, the call, and checks. Only the
//! resolver knows which names a test module may use and what Dafny compiles. The caller therefore
//! resolves the text of [`Draft::render`] and removes the pieces with errors ([`Draft::refuse`]),
//! together with the pieces that need them, until no error is left. The documentation of a test
//! lists its removed checks; a test without its inputs or its call is not written.

mod call;
mod clause;
mod expected;
mod mock;
mod names;
mod targets;
mod value;

use dafny_resolve::typed::{CallableId, ModuleId, Program};
use dafny_source::{SourceMap, Span};
use dtest_sorted::{SortedMap, SortedSet};

use crate::Reason;
use crate::suite::annotations;
use crate::suite::case::Case;
pub use targets::{Target, known_bug};
pub(crate) use value::fields_of;

use clause::Specs;
use mock::Mocks;
use names::{Names, unique, upper_camel};

/// Text, or the reason why there is none, for the user.
type Written<T> = Result<T, Reason>;

/// The role of a piece of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// A declaration of the module: a mock, or a specification function.
    Declaration,
    /// A statement that creates inputs.
    Given,
    /// A copy of a value of the state before the call, for checks.
    Before,
    /// The call of the unit.
    Call,
    /// An `expect`.
    Check,
}

/// A part of a test module that is written or left out as a whole.
#[derive(Debug, Clone)]
pub struct Piece {
    text: String,
    /// The role of the piece.
    pub role: Role,
    /// The name that it declares, if other pieces may need it.
    provides: Option<String>,
    /// The names that it needs.
    needs: Vec<String>,
    /// The clause that it checks, as shown; checks of values have none.
    clause: Option<(Span, String)>,
    /// Whether a check compares with a value that Dafny's semantics determines.
    is_value: bool,
    /// The reason why it is left out.
    refused: Option<String>,
}

impl Piece {
    fn new(text: String, role: Role) -> Self {
        Self {
            text,
            role,
            provides: None,
            needs: Vec::new(),
            clause: None,
            is_value: false,
            refused: None,
        }
    }

    fn needing(mut self, needs: Vec<String>) -> Self {
        self.needs.extend(needs);
        self
    }

    fn providing(mut self, name: String) -> Self {
        self.provides = Some(name);
        self
    }
}

/// The draft of a test.
#[derive(Debug, Clone)]
struct TestDraft {
    /// The index of its case.
    case: usize,
    unit: CallableId,
    name: String,
    doc: Vec<String>,
    /// Annotations of requirements, without their `//`.
    annotations: Vec<String>,
    pieces: Vec<Piece>,
    /// The reason why it is not written.
    refused: Option<String>,
    /// Whether it is left out because a backend is known to fail it.
    is_left_out: bool,
    /// Whether the unit may not terminate.
    may_diverge: bool,
}

/// The tests of a module.
#[derive(Debug, Clone)]
struct ModuleDraft {
    /// The name of the test module, or of the class of tests for code outside of modules.
    name: String,
    /// The module under test; empty outside of modules.
    path: String,
    /// Whether the test module refines the module under test.
    is_inside: bool,
    imports: Vec<(String, String)>,
    declarations: Vec<Piece>,
    tests: Vec<TestDraft>,
}

/// A suite whose pieces can be removed.
#[derive(Debug, Clone, Default)]
pub struct Draft {
    modules: Vec<ModuleDraft>,
    /// Cases that have no test, with the reason.
    unwritten: SortedMap<usize, Reason>,
}

/// The position of a piece in a [`Draft`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct PieceId {
    module: usize,
    test: Option<usize>,
    piece: usize,
}

/// The text of a suite, with the ranges of its pieces.
#[derive(Debug, Clone, Default)]
pub struct Rendered {
    /// The text.
    pub text: String,
    /// Byte ranges of pieces, in order.
    pub pieces: Vec<(std::ops::Range<usize>, PieceId)>,
    /// Byte ranges of whole tests in order, with their positions in the draft.
    tests: Vec<(std::ops::Range<usize>, (usize, usize))>,
}

impl Rendered {
    /// Returns the piece at an offset.
    pub fn piece_at(&self, offset: usize) -> Option<PieceId> {
        let found = self
            .pieces
            .iter()
            .find(|(range, _)| range.contains(&offset));
        found.map(|(_, id)| *id)
    }
}

/// The outcome of a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DafnyTest {
    /// The path as Dafny prints it: `TestsOfM.Name`.
    pub test: String,
    /// The oracle: values that Dafny's semantics determines, or clauses.
    pub oracle: crate::suite::case::Oracle,
    /// Clauses that are not executed, with the reason.
    pub not_executed: Vec<(Span, String)>,
}

impl Draft {
    /// Drafts a test for each case.
    pub fn new(program: &Program, sources: &SourceMap, cases: &[Case]) -> Self {
        let mut draft = Self::default();
        // One module of tests for each module with units, because private names are visible there.
        let mut by_module: SortedMap<ModuleId, Vec<usize>> = SortedMap::new();
        for (i, case) in cases.iter().enumerate() {
            by_module
                .entry(program[case.unit].module)
                .or_default()
                .push(i);
        }
        // New modules must not hide names at the top level.
        let mut taken: SortedSet<String> = program
            .modules
            .iter()
            .map(|m| m.name.to_string())
            .chain(program.types.iter().map(|t| t.name.to_string()))
            .chain(
                program
                    .callables
                    .iter()
                    .filter(|c| c.owner.is_none())
                    .map(|c| c.name.to_string()),
            )
            .collect();
        for (module, indices) in by_module {
            let mut drafter = Drafter {
                program,
                sources,
                cases,
                module,
                draft: &mut draft,
                taken: &mut taken,
            };
            let inside = drafter.module(&indices, false);
            drafter.module(&inside, true);
        }
        draft
    }

    fn piece_mut(&mut self, id: PieceId) -> Option<&mut Piece> {
        let module = self.modules.get_mut(id.module)?;
        match id.test {
            Some(test) => module.tests.get_mut(test)?.pieces.get_mut(id.piece),
            None => module.declarations.get_mut(id.piece),
        }
    }

    /// Removes a piece and the pieces that need it. Returns whether it was still there.
    pub fn refuse(&mut self, id: PieceId, reason: &str) -> bool {
        let Some(piece) = self.piece_mut(id).filter(|p| p.refused.is_none()) else {
            return false;
        };
        piece.refused = Some(reason.to_owned());
        self.settle();
        true
    }

    /// Removes the test that a piece belongs to. Returns whether it was still there.
    pub fn refuse_test(&mut self, id: PieceId, reason: &str) -> bool {
        let test = id
            .test
            .and_then(|t| self.modules.get_mut(id.module)?.tests.get_mut(t));
        match test.filter(|t| t.refused.is_none()) {
            Some(test) => {
                test.refused = Some(reason.to_owned());
                true
            }
            None => false,
        }
    }

    /// Leaves out the test of a case with a comment, because a backend is known to fail it.
    pub fn leave_out(&mut self, case: usize, reason: &str) {
        let mut tests = self.modules.iter_mut().flat_map(|m| &mut m.tests);
        if let Some(test) = tests.find(|t| t.case == case && t.refused.is_none()) {
            test.refused = Some(reason.to_owned());
            test.is_left_out = true;
        }
    }

    /// Removes every test, if an error is outside of the pieces.
    pub fn refuse_all(&mut self, reason: &str) {
        for test in self.modules.iter_mut().flat_map(|m| &mut m.tests) {
            test.refused.get_or_insert_with(|| reason.to_owned());
        }
    }

    /// Removes pieces that need a declaration of a removed piece, until nothing changes.
    fn settle(&mut self) {
        for module in &mut self.modules {
            // Declarations refuse one another until nothing changes: a declaration that needs a
            // missing one is missing, too.
            let mut missing: SortedMap<String, String> = SortedMap::new();
            loop {
                let before = missing.len();
                for piece in &mut module.declarations {
                    refuse_for(piece, &missing);
                    note(piece, &mut missing);
                }
                if missing.len() == before {
                    break;
                }
            }
            for test in &mut module.tests {
                let mut missing = missing.clone();
                for piece in &mut test.pieces {
                    refuse_for(piece, &missing);
                    note(piece, &mut missing);
                }
                // A test without inputs or without the call has no meaning; a missing check only
                // weakens it.
                let essential = test
                    .pieces
                    .iter()
                    .find(|p| matches!(p.role, Role::Given | Role::Call) && p.refused.is_some());
                if let Some(piece) = essential {
                    test.refused = test.refused.take().or_else(|| piece.refused.clone());
                }
            }
        }
    }

    /// Formats the module declarations of the suite.
    pub fn render(&self) -> Rendered {
        let mut out = Rendered::default();
        for (m, module) in self.modules.iter().enumerate() {
            let tests: Vec<(usize, &TestDraft)> = module
                .tests
                .iter()
                .enumerate()
                .filter(|(_, t)| t.refused.is_none())
                .collect();
            if tests.is_empty() {
                continue;
            }
            let needed = needed(module, tests.iter().map(|(_, t)| *t));
            if !out.text.is_empty() {
                out.text.push('\n');
            }
            let is_top_level = module.path.is_empty();
            // Outside of modules, mocks cannot be declared inside the class of the tests.
            let (inner, outer): (Vec<_>, Vec<_>) = module
                .declarations
                .iter()
                .enumerate()
                .filter(|(_, p)| {
                    p.refused.is_none() && p.provides.as_ref().is_none_or(|n| needed.contains(n))
                })
                .partition(|(_, p)| !is_top_level || p.text.starts_with("function"));
            for (i, piece) in outer {
                out.declaration(
                    piece,
                    PieceId {
                        module: m,
                        test: None,
                        piece: i,
                    },
                    "",
                    "",
                );
                out.text.push('\n');
            }
            out.text.push_str(&module.head());
            let modifier = if is_top_level { "static " } else { "" };
            for (i, piece) in inner {
                out.declaration(
                    piece,
                    PieceId {
                        module: m,
                        test: None,
                        piece: i,
                    },
                    "  ",
                    modifier,
                );
                out.text.push('\n');
            }
            for (n, (t, test)) in tests.iter().enumerate() {
                if n > 0 {
                    out.text.push('\n');
                }
                out.test(test, (m, *t), modifier);
            }
            let left_out = module.tests.iter().filter(|t| t.is_left_out);
            for (n, test) in left_out.enumerate() {
                if n == 0 {
                    out.text.push('\n');
                }
                let reason = test.refused.as_deref().unwrap_or_default();
                out.text.push_str(&format!(
                    "  // Left out: {} ({}).\n",
                    test.name,
                    in_comment(reason)
                ));
            }
            out.text.push_str("}\n");
        }
        out
    }

    /// Returns the outcome of each case, in order.
    pub fn results(&self, cases: usize) -> Vec<Result<DafnyTest, Reason>> {
        let mut results: Vec<Result<DafnyTest, Reason>> = (0..cases)
            .map(|i| {
                Err(self
                    .unwritten
                    .get(&i)
                    .cloned()
                    .unwrap_or_else(|| "it was not drafted".into()))
            })
            .collect();
        for module in &self.modules {
            for test in &module.tests {
                let Some(result) = results.get_mut(test.case) else {
                    continue;
                };
                *result = match &test.refused {
                    Some(reason) => Err(reason.as_str().into()),
                    None => Ok(DafnyTest {
                        test: format!("{}.{}", module.name, test.name),
                        oracle: test.oracle(),
                        not_executed: test
                            .pieces
                            .iter()
                            .filter_map(|p| Some((p.clause.as_ref()?.0, p.refused.clone()?)))
                            .collect(),
                    }),
                };
            }
        }
        results
    }

    /// Returns the unit of the test at an offset.
    pub fn unit_at(&self, rendered: &Rendered, offset: usize) -> Option<CallableId> {
        let (_, (module, test)) = rendered
            .tests
            .iter()
            .find(|(range, _)| range.contains(&offset))?;
        Some(self.modules.get(*module)?.tests.get(*test)?.unit)
    }

    /// Returns any piece of the test at an offset.
    pub fn test_at(&self, rendered: &Rendered, offset: usize) -> Option<PieceId> {
        let (_, (module, test)) = rendered
            .tests
            .iter()
            .find(|(range, _)| range.contains(&offset))?;
        Some(PieceId {
            module: *module,
            test: Some(*test),
            piece: 0,
        })
    }

    /// Returns the role of a piece.
    pub fn role(&self, id: PieceId) -> Option<Role> {
        let module = self.modules.get(id.module)?;
        let piece = match id.test {
            Some(test) => module.tests.get(test)?.pieces.get(id.piece)?,
            None => module.declarations.get(id.piece)?,
        };
        Some(piece.role)
    }
}

/// Drafts the tests of one module.
struct Drafter<'d, 'p> {
    program: &'p Program,
    sources: &'d SourceMap,
    cases: &'d [Case],
    module: ModuleId,
    draft: &'d mut Draft,
    /// Names of declarations outside of modules.
    taken: &'d mut SortedSet<String>,
}

impl Drafter<'_, '_> {
    /// Adds a test module for these cases. Returns the cases whose tests must be in a refinement of
    /// the module under test.
    fn module(&mut self, indices: &[usize], is_inside: bool) -> Vec<usize> {
        let program = self.program;
        let path = program.module_path(self.module).join(".");
        let word = if path.is_empty() {
            "Program".to_owned()
        } else {
            upper_camel(&path)
        };
        let suffix = if is_inside { "Inside" } else { "" };
        let mut inside = Vec::new();
        let names = Names::new(program, self.module, is_inside);
        let specs = Specs::default();
        let mocks = Mocks::new(program);
        let co_defaults = value::Defaults::default();
        let writer = call::TestWriter {
            names: &names,
            sources: self.sources,
            specs: &specs,
            mocks: &mocks,
            co_defaults: &co_defaults,
        };
        // Tests that need private names are left for a module inside of the tested one.
        let mut test_names = SortedSet::new();
        let mut tests = Vec::new();
        for &i in indices {
            let Some(case) = self.cases.get(i) else {
                continue;
            };
            let word = format!(
                "{}{}",
                name_of_unit(program, case.unit),
                upper_camel(&case.name)
            );
            match writer.test(case) {
                Ok(parts) if parts.needs_inside && !is_inside => inside.push(i),
                Ok(parts) => tests.push(TestDraft {
                    case: i,
                    unit: case.unit,
                    name: unique(&word, &mut test_names, &|n| !names.is_opened(n)),
                    doc: parts.doc,
                    annotations: annotations::of(self.sources, program[case.unit].full_span),
                    pieces: parts.pieces,
                    refused: None,
                    is_left_out: false,
                    may_diverge: program[case.unit].spec.decreases_star,
                }),
                Err(reason) => drop(self.draft.unwritten.insert(i, reason)),
            }
        }
        // Declarations that the tests share come first in the module.
        if !tests.is_empty() {
            let mut declarations = mocks.take();
            declarations.extend(specs.take());
            declarations.extend(co_defaults.take());
            self.draft.modules.push(ModuleDraft {
                name: unique(&format!("TestsOf{word}{suffix}"), self.taken, &|_| true),
                path,
                is_inside,
                imports: names.imports(),
                declarations,
                tests,
            });
        }
        inside
    }
}

/// Returns the prefix of the names of a unit's tests.
fn name_of_unit(program: &Program, unit: CallableId) -> String {
    let c = &program[unit];
    match c.owner {
        Some(owner) if c.kind == dafny_resolve::typed::CallableKind::Constructor => {
            let own = if c.name.starts_with('_') {
                String::new()
            } else {
                upper_camel(&c.name)
            };
            format!("New{}{own}", program[owner].name)
        }
        Some(owner) if program.driven_by(unit).is_some() => upper_camel(&program[owner].name),
        Some(owner) => format!("{}{}", program[owner].name, upper_camel(&c.name)),
        None => upper_camel(&c.name),
    }
}

/// Returns the name for opening a module; a nested one gets a name for the import.
fn opened(path: &str) -> String {
    match path.rsplit_once('.') {
        Some(_) => format!("{} = {path}", path.replace('.', "_")),
        None => path.to_owned(),
    }
}

fn refuse_for(piece: &mut Piece, missing: &SortedMap<String, String>) {
    if piece.refused.is_none()
        && let Some(reason) = piece.needs.iter().find_map(|n| missing.get(n))
    {
        piece.refused = Some(reason.clone());
    }
}

fn note(piece: &Piece, missing: &mut SortedMap<String, String>) {
    if let (Some(reason), Some(name)) = (&piece.refused, &piece.provides) {
        missing.insert(name.clone(), reason.clone());
    }
}

/// Returns the names of declarations that tests need, transitively.
fn needed<'t>(
    module: &ModuleDraft,
    tests: impl Iterator<Item = &'t TestDraft>,
) -> SortedSet<String> {
    let mut needed: SortedSet<String> = tests
        .flat_map(|t| &t.pieces)
        .filter(|p| p.refused.is_none())
        .flat_map(|p| p.needs.iter().cloned())
        .collect();
    loop {
        let more: Vec<String> = module
            .declarations
            .iter()
            .filter(|p| p.provides.as_ref().is_some_and(|n| needed.contains(n)))
            .flat_map(|p| p.needs.iter().cloned())
            .filter(|n| !needed.contains(n))
            .collect();
        if more.is_empty() {
            return needed;
        }
        needed.extend(more);
    }
}

impl ModuleDraft {
    /// Returns the text before the declarations: the head of the module or class, and its imports.
    fn head(&self) -> String {
        let (path, name) = (&self.path, &self.name);
        if path.is_empty() {
            return format!("/** Tests of what stands outside of modules. */\nclass {name} {{\n");
        }
        let mut text = if self.is_inside {
            format!(
                "/** Tests of module {path} that allocate objects of its classes without constructor: only a refinement of it may. */\nmodule {name} refines {path} {{\n"
            )
        } else {
            format!(
                "/** Tests of module {path}. */\nmodule {name} {{\n  import opened {}\n",
                opened(path)
            )
        };
        for (name, path) in &self.imports {
            let import = if name == path {
                name.clone()
            } else {
                format!("{name} = {path}")
            };
            text.push_str(&format!("  import {import}\n"));
        }
        text.push('\n');
        text
    }
}

impl TestDraft {
    fn oracle(&self) -> crate::suite::case::Oracle {
        use crate::suite::case::Oracle;
        let checks = || {
            self.pieces
                .iter()
                .filter(|p| p.role == Role::Check && p.refused.is_none())
        };
        if checks().any(|p| p.is_value) {
            Oracle::Values
        } else if checks().next().is_some() {
            Oracle::Clauses
        } else {
            Oracle::Nothing
        }
    }
}

/// Whether a text contains the word as a name.
fn mentions_word(text: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '\'' | '?');
    text.match_indices(word).any(|(at, _)| {
        let before = text.get(..at).and_then(|t| t.chars().next_back());
        let after = text.get(at + word.len()..).and_then(|t| t.chars().next());
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    })
}

/// Escapes text for a documentation comment.
fn in_comment(text: &str) -> String {
    dafny_source::visible(text, &['\t'])
        .replace("*/", "* /")
        .replace("/*", "/ *")
}

impl Rendered {
    fn piece(&mut self, piece: &Piece, id: PieceId, indent: &str) {
        let start = self.text.len();
        for line in piece.text.lines() {
            if !line.is_empty() {
                self.text.push_str(indent);
                self.text.push_str(line);
            }
            self.text.push('\n');
        }
        self.pieces.push((start..self.text.len(), id));
    }

    fn declaration(&mut self, piece: &Piece, id: PieceId, indent: &str, modifier: &str) {
        let mut piece = piece.clone();
        if !modifier.is_empty() && piece.text.starts_with("function") {
            piece.text.insert_str(0, modifier);
        }
        self.piece(&piece, id, indent);
    }

    fn test(&mut self, test: &TestDraft, (module, index): (usize, usize), modifier: &str) {
        let start = self.text.len();
        let mut doc = test.doc.clone();
        if test.oracle() == crate::suite::case::Oracle::Nothing {
            doc.insert(
                0,
                "Unchecked: no result, no state and no clause is checked; only a run-time error fails this test.".into(),
            );
        }
        for piece in &test.pieces {
            if let (Some((_, text)), Some(reason)) = (&piece.clause, &piece.refused) {
                doc.push(format!("Not executed: {text} ({reason})."));
            }
        }
        self.text.push_str("  /**\n");
        for line in doc.iter().flat_map(|d| d.lines()) {
            self.text.push_str(&format!("   * {}\n", in_comment(line)));
        }
        self.text.push_str("   */\n");
        for line in &test.annotations {
            self.text.push_str(&format!("  //{line}\n"));
        }
        let star = if test.may_diverge {
            "\n    decreases *\n  {"
        } else {
            " {"
        };
        self.text.push_str(&format!(
            "  {modifier}method {{:test}} {}(){star}\n",
            test.name
        ));
        // Copies that only removed checks read are not needed.
        let is_used = |name: &String, from: usize| {
            let rest = test
                .pieces
                .iter()
                .skip(from + 1)
                .filter(|p| p.refused.is_none());
            rest.filter(|p| p.role != Role::Declaration)
                .any(|p| mentions_word(&p.text, name))
        };
        let mut last = None;
        for (i, piece) in test.pieces.iter().enumerate() {
            let is_unused = piece.role == Role::Before
                && piece.provides.as_ref().is_none_or(|n| !is_used(n, i));
            if piece.refused.is_some() || is_unused {
                continue;
            }
            let part = match piece.role {
                Role::Declaration | Role::Given | Role::Before => 0,
                Role::Call => 1,
                Role::Check => 2,
            };
            if last.is_some_and(|l| l != part) {
                self.text.push('\n');
            }
            last = Some(part);
            self.piece(
                piece,
                PieceId {
                    module,
                    test: Some(index),
                    piece: i,
                },
                "    ",
            );
        }
        self.text.push_str("  }\n");
        self.tests.push((start..self.text.len(), (module, index)));
    }
}
