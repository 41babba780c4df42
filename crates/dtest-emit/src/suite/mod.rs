//! Writes the test suite: one integration test target, with a module for each Dafny module and a
//! file for each unit.
//!
//! [`suite_beside`] writes the tests of the given cases beside existing tests that stay. [`Writer`]
//! writes the tests; the submodules have one kind of test or part of a test each.

pub(crate) mod annotations;
mod call;
pub mod case;
mod class;
mod clauses;
mod datatype;
mod declared;
mod expected;
mod frame;
mod functions;
mod looks;
mod members;
mod mock;
mod official;
mod staying;
mod steps;
mod stub;
mod test;
mod value;

pub(crate) use test::{is_plain, name_of};

use std::cell::RefCell;

use crate::package::{Place, lints};
use crate::passes::tidy_function;
use crate::rust::print::{print_items, print_spaced};
use crate::rust::{
    Head, Module, Path, Use, each_path, ident, is_plain_name, kept_items, resolved::Item,
};
use crate::suite::case::{ClauseUse, Staying, Suite, SuiteOptions, Tests, Written};
use crate::suite::mock::{Declaration, Declarations};
use crate::suite::official::Converted;
use crate::translation::convention::{Dependency, Scope};
use crate::translation::names::{RUNTIME_FUNCTIONS, snake_case};
use crate::translation::rep::Ground;
use crate::{Placement, Translation};
use dafny_resolve::typed::{CallableId, ModuleId, Program, TypeId};
use dafny_source::SourceMap;
use dtest_sorted::{SortedMap, SortedSet};

/// Writes a suite of these tests, in their order within each unit. For hand-written code, it has
/// the test cases alone.
pub fn suite(
    program: &Program,
    sources: &SourceMap,
    placement: &Placement,
    translation: &Translation,
    tests: &Tests<'_>,
    options: &SuiteOptions,
) -> Suite {
    suite_beside(
        &Staying::default(),
        program,
        sources,
        placement,
        translation,
        tests,
        options,
    )
}

/// Writes a suite beside existing tests that stay unchanged.
pub fn suite_beside(
    staying: &Staying,
    program: &Program,
    sources: &SourceMap,
    placement: &Placement,
    translation: &Translation,
    tests: &Tests<'_>,
    options: &SuiteOptions,
) -> Suite {
    let cases = tests.cases;
    let program = &*translation.tested(program, options.is_translation);
    let ground = translation.ground_of_suite(program, sources, placement, options.is_translation);
    // Clauses that tests execute are collected while they are written; `spec` is written last.
    let writer = Writer {
        ground: &ground,
        translation,
        options,
        specification: RefCell::default(),
        is_spec_taken: translation.modules.names().any(|name| name == "spec"),
        converted: Converted::default(),
        prints: cases
            .iter()
            .filter(|c| c.printed.as_ref().is_some_and(|t| !t.is_empty()))
            .map(|c| c.unit)
            .collect(),
    };
    let mut suite = Suite::default();
    let mut files: SortedMap<CallableId, UnitFile> = SortedMap::new();
    // A case without a test keeps its name, so that names do not depend on what can be written.
    for case in cases {
        let file = files.entry(case.unit).or_default();
        let name = file.unique(&case.name);
        let result = writer.test(case, &name, file);
        let written = result.map(|(text, oracle)| {
            file.tests.push(text);
            Written { test: name, oracle }
        });
        suite.tests.insert(case.id(), written);
    }
    // What the translation derives from declarations is not tested in hand-written code.
    let mut types: SortedMap<TypeId, UnitFile> = SortedMap::new();
    if options.is_translation {
        tests
            .declared
            .iter()
            .for_each(|test| writer.declared(test, &mut files, &mut suite));
        tests
            .datatypes
            .iter()
            .for_each(|case| writer.datatype(case, &mut types, &mut suite));
        tests
            .classes
            .iter()
            .for_each(|case| writer.class(case, &mut types, &mut suite));
    }
    let mut modules = SuiteModules {
        tree: Tree::default(),
        directory: &options.directory,
        staying,
        kept: Vec::new(),
    };
    // Units first: types give way to them where both have the same name.
    let paths = modules.place(&files, &staying.units, |tree, unit| {
        tree.add_unit(&ground, unit)
    });
    let type_paths = modules.place(&types, &staying.types, |tree, decl| {
        let name = snake_case(ground.names.type_name(decl));
        tree.add(&ground, program[decl].module, name)
    });
    let SuiteModules {
        tree,
        kept: suite_staying,
        ..
    } = modules;
    suite.staying = suite_staying;
    qualify(&mut suite, &paths, &type_paths);
    let of_units = paths
        .iter()
        .filter_map(|(unit, path)| Some((path, files.get(unit)?)));
    let of_types = type_paths
        .iter()
        .filter_map(|(decl, path)| Some((path, types.get(decl)?)));
    let texts = of_units
        .chain(of_types)
        .map(|(path, file)| {
            let text = writer.unit_text(file.tests.clone(), &file.mocks.borrow().mocks);
            let text = format!("{}\n{text}", options.header);
            (format!("{}/{}.rs", options.directory, path.join("/")), text)
        })
        .collect();
    writer.keep_conversions(&staying.units);
    suite.files = writer.files(&tree, staying, &suite.staying, texts);
    suite.official = writer.converted.modules.take().into_iter().collect();
    suite.ensures = files
        .into_iter()
        .map(|(unit, file)| (unit, file.ensures))
        .collect();
    suite
}

/// Qualifies the names of all tests by their modules.
fn qualify(
    suite: &mut Suite,
    paths: &SortedMap<CallableId, Vec<String>>,
    type_paths: &SortedMap<TypeId, Vec<String>>,
) {
    for (decl, written) in suite.datatypes.iter_mut().chain(&mut suite.classes) {
        in_module(written, type_paths.get(decl));
    }
    for (id, written) in suite.tests.iter_mut() {
        in_module(written, paths.get(&id.unit));
    }
    for (unit, written) in &mut suite.declared {
        in_module(written, paths.get(unit));
    }
}

/// Qualifies the name of a test by the module that it is in.
fn in_module<E>(written: &mut Result<Written, E>, path: Option<&Vec<String>>) {
    if let (Ok(written), Some(path)) = (written, path) {
        written.test = format!("{}::{}", path.join("::"), written.test);
    }
}

/// The placement of a suite's tests in modules.
struct SuiteModules<'s> {
    tree: Tree,
    /// The directory of the suite.
    directory: &'s str,
    staying: &'s Staying,
    /// The existing files that stay.
    kept: Vec<String>,
}

impl SuiteModules<'_> {
    /// Adds modules for new tests and for existing ones that stay, in the order of their keys, so
    /// that names do not depend on which tests are new. Returns the paths of the new ones.
    fn place<K: Copy + Ord>(
        &mut self,
        files: &SortedMap<K, UnitFile>,
        staying: &[K],
        mut add: impl FnMut(&mut Tree, K) -> Vec<String>,
    ) -> SortedMap<K, Vec<String>> {
        let mut paths = SortedMap::new();
        let all: SortedSet<K> = files.keys().chain(staying).copied().collect();
        for key in all {
            match files.get(&key) {
                // A unit of which no test could be written has no file.
                Some(file) if file.tests.is_empty() => {}
                Some(_) => drop(paths.insert(key, add(&mut self.tree, key))),
                None => {
                    let path = add(&mut self.tree, key);
                    let file = format!("{}/{}.rs", self.directory, path.join("/"));
                    if self.staying.files.contains(&file) {
                        self.kept.push(file);
                    } else {
                        self.tree.remove(&path);
                    }
                }
            }
        }
        paths
    }
}

/// The tests of a unit.
#[derive(Default)]
struct UnitFile {
    names: SortedSet<String>,
    tests: Vec<Item>,
    ensures: Vec<ClauseUse>,
    mocks: RefCell<Declarations>,
}

impl UnitFile {
    /// A name for a test that no other one has, and that hides no function of the run-time library.
    fn unique(&mut self, wanted: &str) -> String {
        let base = snake_case(wanted);
        let mut name = base.clone();
        let mut n = 2;
        while RUNTIME_FUNCTIONS.contains(&name.as_str()) || !self.names.insert(name.clone()) {
            name = format!("{base}_{n}");
            n += 1;
        }
        name
    }
}

/// Names in the root of a suite that modules of tests cannot have: files that the writer makes, the module under test, and crates.
const ROOT_NAMES: [&str; 13] = [
    "main",
    "mod",
    "spec",
    "subject",
    "dunit",
    "dmock",
    "std",
    "core",
    "alloc",
    "official",
    "ours",
    "theirs",
    "dafny_runtime",
];

/// Whether no module of tests can have that name.
fn is_taken(name: &str) -> bool {
    ROOT_NAMES.contains(&name) || !is_plain_name(name)
}

/// The modules of the suite.
#[derive(Default)]
struct Tree {
    units: SortedSet<String>,
    modules: SortedMap<String, Tree>,
}

impl Tree {
    /// Adds a unit. Returns its module path.
    fn add_unit(&mut self, ground: &Ground<'_>, unit: CallableId) -> Vec<String> {
        let c = &ground.program[unit];
        let callable = ground.names.callable(unit);
        let prefix = c
            .owner
            .filter(|&t| crate::translation::pieces::in_impl(ground, t))
            .map(|t| snake_case(ground.names.type_name(t)));
        let name = match prefix {
            Some(iterator) if ground.program.driven_by(unit).is_some() => iterator,
            Some(owner) => format!("{owner}_{callable}"),
            None => callable.to_owned(),
        };
        self.add(ground, c.module, name)
    }

    /// Adds a file of tests for a declaration in a module. Returns its module path.
    fn add(&mut self, ground: &Ground<'_>, module: ModuleId, mut name: String) -> Vec<String> {
        let mut path = Vec::new();
        let mut at = Some(module);
        while let Some(m) = at {
            if ground.program[m].parent.is_some() {
                path.push(ground.names.module(m).to_owned());
            }
            at = ground.program[m].parent;
        }
        path.reverse();
        let mut tree = self;
        for segment in &mut path {
            while is_taken(segment) || tree.units.contains(segment) {
                segment.push('_');
            }
            tree = tree.modules.entry(segment.clone()).or_default();
        }
        while is_taken(&name)
            || tree.modules.contains_key(&name)
            || !tree.units.insert(name.clone())
        {
            name.push('_');
        }
        path.push(name);
        path
    }

    /// Removes a unit.
    fn remove(&mut self, path: &[String]) {
        match path {
            [] => {}
            [unit] => drop(self.units.remove(unit)),
            [module, rest @ ..] => {
                if let Some(tree) = self.modules.get_mut(module) {
                    tree.remove(rest);
                    if tree.units.is_empty() && tree.modules.is_empty() {
                        self.modules.remove(module);
                    }
                }
            }
        }
    }

    fn declarations(&self, depth: usize, out: &mut String) {
        let indent = "    ".repeat(depth);
        for unit in &self.units {
            out.push_str(&format!("{indent}#[rustfmt::skip]\n{indent}mod {unit};\n"));
        }
        for (name, tree) in &self.modules {
            out.push_str(&format!("{indent}mod {name} {{\n"));
            tree.declarations(depth + 1, out);
            out.push_str(&format!("{indent}}}\n"));
        }
    }
}

struct Writer<'w, 'p> {
    ground: &'w Ground<'p>,
    translation: &'w Translation,
    options: &'w SuiteOptions,
    /// Specification functions that clauses call.
    specification: RefCell<SortedSet<CallableId>>,
    /// Whether a module of the program is called `spec`.
    is_spec_taken: bool,
    /// The conversions that the tests need, for `--convention dafny`.
    converted: Converted,
    /// The units that print text in some case; their other cases check that nothing is printed.
    prints: SortedSet<CallableId>,
}

impl Writer<'_, '_> {
    /// Returns the files of the suite: those of its tests, and before them the root and the
    /// specification functions.
    fn files(
        &self,
        tree: &Tree,
        staying: &Staying,
        kept: &[String],
        of_tests: Vec<(String, String)>,
    ) -> Vec<(String, String)> {
        let mut files = Vec::new();
        if !of_tests.is_empty() || !kept.is_empty() {
            let old = staying.spec.as_deref().filter(|_| !kept.is_empty());
            let (spec, official) = (self.spec(old), self.official());
            // A suite without units may need nothing of the code under test. The contents of staying
            // files are not examined.
            let names_subject = !kept.is_empty()
                || spec.contains("subject")
                || official.contains("subject")
                || of_tests.iter().any(|(_, text)| text.contains("subject"));
            let directory = &self.options.directory;
            files.push((
                format!("{directory}/main.rs"),
                self.main(tree, !spec.is_empty(), names_subject),
            ));
            if !spec.is_empty() {
                files.push((format!("{directory}/spec.rs"), spec));
            }
            if !official.is_empty() {
                files.push((format!("{directory}/official.rs"), official));
            }
        }
        files.extend(of_tests);
        files
            .iter_mut()
            .for_each(|(_, text)| *text = crate::package::rust_text(text));
        files
    }

    /// Formats the tests of a unit with their imports.
    fn unit_text(&self, tests: Vec<Item>, mocks: &[Declaration]) -> String {
        let mut tests: Vec<Item> = mocks
            .iter()
            .flat_map(|m| m.traits.iter().cloned())
            .chain(tests)
            .collect();
        // Paths are shortened for all items of the file at once, so that a name means one item.
        let place = Place {
            modules: &self.translation.modules,
            root: vec!["subject".into()],
            before: vec!["crate".into()],
            here: None,
        };
        let uses = place.shorten(&mut tests, mocks.iter().map(|m| m.name.to_string()));
        let needs_subject = names_subject(&mut tests);
        // The module `spec` has its short name unless the program has a module with that name.
        let needs_spec = !self.is_spec_taken && without_prefix(&mut tests, &["crate", "spec"], 1);
        let spec = Item::Use(Use::itself(&["crate", "spec"]));
        let mut text = if mocks.is_empty() {
            String::new()
        } else {
            "use dmock::mock;\n".to_owned()
        };
        text.push_str(&print_spaced(vec![prelude()]));
        text.push('\n');
        let imports: Vec<Item> = needs_spec
            .then_some(spec)
            .into_iter()
            .chain(needs_subject.then(subject))
            .chain(uses)
            .collect();
        if !imports.is_empty() {
            text.push_str(&print_spaced(imports));
            text.push('\n');
        }
        let mut traits = tests
            .drain(..mocks.iter().map(|m| m.traits.len()).sum::<usize>())
            .collect::<Vec<_>>()
            .into_iter();
        for mock in mocks {
            text.push_str(&mock_text(mock, traits.by_ref().take(mock.traits.len())));
            text.push('\n');
        }
        text.push_str(&print_spaced(tests));
        text
    }

    /// Formats the specification functions and the program's own tests that are in the suite, by
    /// module.
    fn spec(&self, old: Option<&str>) -> String {
        let mut modules: SortedMap<Vec<String>, Vec<Item>> = SortedMap::new();
        let mut todo: Vec<CallableId> = self.specification.borrow().iter().copied().collect();
        let mut seen = SortedSet::new();
        while let Some(id) = todo.pop() {
            if !seen.insert(id) {
                continue;
            }
            let scope = Scope::in_suite(self.ground, true);
            // Functions that cannot be translated were reported with the clause that calls them.
            let Ok(functions) = crate::translation::item::callable(&scope, id) else {
                continue;
            };
            let found: Vec<Item> = functions.into_iter().map(tidy_function).collect();
            // The functions that it calls are in the suite as well.
            todo.extend(
                scope
                    .dependencies
                    .into_inner()
                    .into_iter()
                    .filter_map(|d| self.callable_apart(d)),
            );
            let c = &self.ground.program[id];
            let module = self.ground.rust_module(
                c.module,
                c.owner.map_or(c.span, |t| self.ground.program[t].span),
            );
            modules.entry(module).or_default().extend(found);
        }
        if modules.is_empty() && old.is_none() {
            return String::new();
        }
        let mut tree = Vec::new();
        for (path, mut found) in modules {
            let here: Vec<&str> = ["crate", "spec"]
                .into_iter()
                .chain(path.iter().map(String::as_str))
                .collect();
            without_prefix(&mut found, &here, 0);
            let level = [prelude()]
                .into_iter()
                .chain(names_subject(&mut found).then(subject))
                .chain(found);
            insert(&mut tree, &path, level.collect());
        }
        if let Some(old) = old.and_then(kept_items) {
            staying::add_missing(&mut tree, old);
        }
        staying::sort(&mut tree);
        let text = crate::rust::print::print_items(tree);
        format!(
            "{}\n//! Specification functions and tests of the program, which only this suite calls.\n\n{text}",
            self.options.header
        )
    }

    /// Returns the specification function of a dependency, if the suite contains it.
    fn callable_apart(&self, what: Dependency) -> Option<CallableId> {
        match what {
            Dependency::Callable(c) if self.ground.apart.borrow().contains(&c) => Some(c),
            Dependency::Callable(_) | Dependency::Type(_) | Dependency::Const(_) => None,
        }
    }

    fn main(&self, tree: &Tree, has_spec: bool, names_subject: bool) -> String {
        let (header, lints, subject) =
            (&self.options.header, lints::header(), &self.options.subject);
        // A module of the suite may have the name of the package.
        let is_own = |name: &str| match name {
            "spec" => has_spec,
            "official" | "ours" => self.options.official.is_some(),
            _ => tree.units.contains(name) || tree.modules.contains_key(name),
        };
        let rooted = |path: &str| {
            let first = path.split("::").next().unwrap_or_default();
            let is_hidden = is_own(first);
            format!("{}{path}", if is_hidden { "::" } else { "" })
        };
        let mut out = format!("{header}\n{lints}\n");
        if names_subject {
            out.push_str(&format!("use {} as subject;\n\n", rooted(subject)));
        }
        if let Some(code) = &self.options.official {
            out.push_str(&format!(
                "use {} as theirs;\n\n#[rustfmt::skip]\nmod official;\n#[allow(dead_code)]\n#[rustfmt::skip]\nmod ours;\n",
                rooted(&code.path)
            ));
        }
        if has_spec {
            out.push_str("#[rustfmt::skip]\nmod spec;\n");
        }
        tree.declarations(0, &mut out);
        out
    }
}

/// Inserts items into the module with that path.
fn insert(items: &mut Vec<Item>, path: &[String], inner: Vec<Item>) {
    let Some((first, rest)) = path.split_first() else {
        items.extend(inner);
        return;
    };
    let name = ident(first);
    let found = items
        .iter()
        .position(|i| matches!(i, Item::Mod(m) if m.head.name == name));
    let at = found.unwrap_or_else(|| {
        let head = Head {
            attrs: Vec::new(),
            is_public: true,
            name,
            generics: Vec::new(),
        };
        items.push(Item::Mod(Module {
            head,
            items: Vec::new(),
        }));
        items.len() - 1
    });
    if let Some(Item::Mod(m)) = items.get_mut(at) {
        insert(&mut m.items, rest, inner);
    }
}

/// Formats the declaration of a mock; `traits` are its own, with short paths.
fn mock_text(mock: &Declaration, traits: impl Iterator<Item = Item>) -> String {
    let Declaration {
        name,
        class,
        stands_for,
        ..
    } = mock;
    let mut text = format!(
        "mock! {{\n    /// A mock of `{stands_for}`.\n    #[class(\"{class}\")]\n    struct {name};\n"
    );
    for implementation in traits {
        text.push('\n');
        for line in print_items(vec![implementation]).lines() {
            text.push_str(if line.is_empty() { "" } else { "    " });
            text.push_str(line);
            text.push('\n');
        }
    }
    text.push_str("}\n");
    text
}

/// Creates `use dunit::prelude::*;`.
fn prelude() -> Item {
    Item::Use(Use::all_of(&["dunit", "prelude"]))
}

/// Creates `use crate::subject;`.
fn subject() -> Item {
    Item::Use(Use::itself(&["crate", "subject"]))
}

/// Shortens each path that starts with these names to the last `keep` of them. Returns whether
/// there was one.
fn without_prefix(items: &mut [Item], prefix: &[&str], keep: usize) -> bool {
    let mut found = false;
    each_path(items, &mut |path: &mut Path| {
        let starts = path
            .segments
            .iter()
            .zip(prefix)
            .filter(|(s, p)| s.name == **p)
            .count()
            == prefix.len();
        if starts && path.segments.len() > prefix.len() {
            path.segments.drain(..prefix.len() - keep);
            found = true;
        }
    });
    found
}

/// Whether items use an item under test by its full path.
fn names_subject(items: &mut [Item]) -> bool {
    let mut found = false;
    each_path(items, &mut |path| {
        found |=
            path.segments.len() > 1 && path.segments.first().is_some_and(|s| s.name == "subject")
    });
    found
}
