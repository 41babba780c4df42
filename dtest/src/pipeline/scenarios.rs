//! Scenario tests: sequences of calls on one object, as `{:test}` methods in Dafny.
//!
//! [`add`] writes the scenarios that the engine builds ([`dtest_search::scenarios`]) as Dafny
//! text, resolves the text with the program, and executes each method in the interpreter as it is
//! written. What does not resolve, or does not pass, is left out. The methods are then own tests of
//! the program in a file of their own, so that the Rust suite has their translation, and a suite in
//! Dafny their text.

use std::fmt::Write as _;
use std::ops::Range;

use dafny_resolve::typed::{
    Arena, CallableId, CallableKind, ModuleId, Program, Type, TypeDeclKind, TypeId,
};
use dafny_source::SourceMap;
use dafny_syntax::{TokenKind, ast};
use dtest_interp::Limits;
use dtest_ir::{self as ir, Criteria};
use dtest_lower::units;
use dtest_search::scenarios::{self, Scenario, Seen};
use dtest_sorted::{SortedMap, SortedSet};
use dtest_value::{Value, show};

/// The file of the scenarios, relative to the package.
pub const FILE: &str = "tests/dtest/scenarios.dfy";

/// The scenarios of a program.
#[derive(Debug, Clone)]
pub struct Scenarios {
    /// The text of the file.
    pub text: String,
    /// The texts of the program and of the file.
    pub sources: SourceMap,
    /// The parsed file.
    pub file: ast::File,
    /// The number of methods.
    pub count: usize,
}

/// A scenario as text.
struct Draft {
    module: ModuleId,
    /// The path of its module, empty for the default module.
    path: Vec<String>,
    text: String,
    /// The text without observations of fields, which modules may hide.
    plain: Option<String>,
    name: String,
}

/// Writes at most `most` scenarios for each class of the named files (of all files if `included`).
/// `None` if there are none.
pub fn add(
    program: &ir::Program,
    files: &[ast::File],
    sources: &SourceMap,
    (included, most): (bool, usize),
) -> Option<Scenarios> {
    let typed = &*program.typed;
    let options = &typed.options;
    let mut drafts: Vec<Draft> = Vec::new();
    let mut names: SortedMap<ModuleId, SortedSet<String>> = SortedMap::new();
    for class in Arena::<TypeId>::ids(typed) {
        let decl = &typed[class];
        let is_wanted = included
            || sources
                .file_at(decl.span.start)
                .is_some_and(|(_, f)| f.named);
        if !is_wanted
            || !matches!(decl.kind, TypeDeclKind::Class)
            || typed.is_in_abstract_module(decl.module)
        {
            continue;
        }
        for scenario in scenarios::scenarios(program, class, most) {
            let taken = names.entry(decl.module).or_default();
            drafts.push(draft(typed, &scenario, taken));
        }
    }
    // Each round shortens or removes at least one draft.
    loop {
        if drafts.is_empty() {
            return None;
        }
        let (text, ranges) = render(&drafts, head(sources));
        let mut map = sources.clone();
        let id = map.add(FILE, text.as_str(), false)?;
        let base = map.file(id)?.base;
        let (file, diagnostics) = dafny_syntax::parse_with(base, &text, options.syntax());
        let wrong: SortedSet<usize> = if diagnostics.iter().any(|d| d.is_error()) {
            places(&diagnostics, base, &ranges)
        } else {
            let mut all = files.to_vec();
            all.push(file.clone());
            match super::front(all, options.clone()) {
                Ok((resolved, _)) => failing(resolved, &drafts),
                Err(diagnostics) => places(&diagnostics, base, &ranges),
            }
        };
        if wrong.is_empty() {
            return Some(Scenarios {
                text,
                sources: map,
                file,
                count: drafts.len(),
            });
        }
        // What is wrong is tried without fields, and then left out.
        let mut at = 0;
        drafts.retain_mut(|draft| {
            at += 1;
            let is_wrong = wrong.contains(&(at - 1));
            if is_wrong && let Some(plain) = draft.plain.take() {
                draft.text = plain;
                return true;
            }
            !is_wrong
        });
    }
}

/// The drafts that errors point into; all drafts if an error lies elsewhere.
fn places(
    diagnostics: &[dafny_source::diagnostic::Diagnostic],
    base: u32,
    ranges: &[Range<usize>],
) -> SortedSet<usize> {
    let mut wrong = SortedSet::new();
    for diagnostic in diagnostics.iter().filter(|d| d.is_error()) {
        let at = diagnostic
            .span
            .and_then(|span| span.start.checked_sub(base))
            .map(|at| at as usize);
        let here = at.and_then(|at| ranges.iter().position(|r| r.contains(&at)));
        match here {
            Some(i) => {
                wrong.insert(i);
            }
            None => return (0..ranges.len()).collect(),
        }
    }
    wrong
}

/// The drafts whose methods the interpreter does not execute to a good end.
fn failing(resolved: Program, drafts: &[Draft]) -> SortedSet<usize> {
    let program = super::lower(resolved, Criteria::default());
    let fuel = Limits::default().steps;
    let tests = units::own_tests(&program.typed, |_| true);
    let mut wrong = SortedSet::new();
    for (i, draft) in drafts.iter().enumerate() {
        let test = tests.iter().copied().find(|t| {
            let c = &program.typed[*t];
            *c.name == *draft.name && *program.typed.callable_path(*t) == draft.full_path()
        });
        let passes = test.is_some_and(|t| {
            super::test_methods::run_test(&program, t, fuel)
                .failure
                .is_none()
        });
        if !passes {
            wrong.insert(i);
        }
    }
    wrong
}

impl Draft {
    /// The module that has the method. A module cannot name what is outside of all modules, whose
    /// scenarios are there, too.
    fn home(&self) -> Option<String> {
        (!self.path.is_empty()).then(|| format!("TestsOf{}Scenarios", self.path.concat()))
    }

    fn full_path(&self) -> String {
        match self.home() {
            Some(home) => format!("{home}.{}", self.name),
            None => self.name.clone(),
        }
    }
}

/// The number of lines before the first declaration of the file: a header of three lines, a command, an
/// `include` for each named file, and an empty line. The text that is resolved has empty lines instead, so
/// that positions in it are those in the file.
fn head(sources: &SourceMap) -> usize {
    5 + sources.files().filter(|(_, f)| f.named).count()
}

/// The text of all drafts after empty lines, with the range of each draft.
fn render(drafts: &[Draft], head: usize) -> (String, Vec<Range<usize>>) {
    let mut order: Vec<ModuleId> = Vec::new();
    for draft in drafts {
        if !order.contains(&draft.module) {
            order.push(draft.module);
        }
    }
    let mut text = "\n".repeat(head);
    let mut ranges = vec![0..0; drafts.len()];
    for module in order {
        let mut of_module = drafts
            .iter()
            .enumerate()
            .filter(|(_, d)| d.module == module)
            .peekable();
        let Some((_, first)) = of_module.peek() else {
            continue;
        };
        if text.len() > head {
            text.push('\n');
        }
        let home = first.home();
        if let Some(home) = &home {
            let path = first.path.join(".");
            let _ = writeln!(text, "module {home} {{\n  import opened {path}");
        }
        for (i, draft) in of_module {
            let start = text.len();
            text.push_str(&draft.text);
            if let Some(range) = ranges.get_mut(i) {
                *range = start..text.len();
            }
        }
        if home.is_some() {
            text.push_str("}\n");
        }
    }
    (text, ranges)
}

/// A scenario as a method.
fn draft(typed: &Program, scenario: &Scenario, taken: &mut SortedSet<String>) -> Draft {
    let path = typed.module_path(typed[scenario.class].module);
    // `dafny test` selects tests by this prefix.
    let prefix = if path.is_empty() { "TestsOf" } else { "" };
    let name = unique(&format!("{prefix}{}", name_of(typed, scenario)), taken);
    let text = method(typed, scenario, &name, true);
    let plain = method(typed, scenario, &name, false);
    Draft {
        module: typed[scenario.class].module,
        path: path.iter().map(ToString::to_string).collect(),
        plain: (plain != text).then_some(plain),
        text,
        name,
    }
}

/// The text of the method; `has_fields`: with observations of fields.
fn method(typed: &Program, scenario: &Scenario, name: &str, has_fields: bool) -> String {
    let decl = &typed[scenario.class];
    let map = typed.substitution(scenario.class, &scenario.type_args);
    let text_of = |value: &Value, ty: &Type| show(typed, &|_| None, value, &ty.subst(&map));
    let mut variables = SortedSet::new();
    let object = variable(&decl.name, &mut variables);
    let mut body = String::new();
    let arguments = |callee: CallableId, args: &[Value]| -> String {
        let texts: Vec<String> = typed[callee]
            .ins
            .iter()
            .zip(args)
            .filter(|(formal, _)| !typed[formal.local].ghost)
            .map(|(formal, value)| text_of(value, &typed[formal.local].ty))
            .collect();
        texts.join(", ")
    };
    let expect = |body: &mut String, subject: &str, value: &Value, ty: &Type| {
        let condition = if let Value::Bool(holds) = value {
            format!("{}{subject}", if *holds { "" } else { "!" })
        } else {
            format!("{subject} == {}", text_of(value, ty))
        };
        let _ = writeln!(body, "    expect {condition};");
    };
    let look = |body: &mut String, object: &str, seen: &[(Seen, Value)]| {
        for (seen, value) in seen {
            let (subject, ty) = match *seen {
                Seen::Function(f) => {
                    let Some(out) = typed[f].outs.first() else {
                        continue;
                    };
                    (
                        format!("{object}.{}()", typed[f].name),
                        &typed[out.local].ty,
                    )
                }
                Seen::Field(_) if !has_fields => continue,
                Seen::Field(f) => (format!("{object}.{}", typed[f].name), &typed[f].ty),
            };
            expect(body, &subject, value, ty);
        }
    };
    let created = creation(typed, scenario, &arguments);
    let _ = writeln!(body, "    var {object} := {created};");
    look(&mut body, &object, &scenario.seen);
    for step in &scenario.steps {
        let c = &typed[step.callee];
        let call = format!(
            "{object}.{}({})",
            c.name,
            arguments(step.callee, &step.args)
        );
        let outs: Vec<_> = c
            .outs
            .iter()
            .zip(&step.results)
            .filter(|(out, _)| !typed[out.local].ghost)
            .collect();
        if c.kind == CallableKind::Function {
            if let Some((out, Some(value))) = outs.first() {
                expect(&mut body, &call, value, &typed[out.local].ty);
            }
            continue;
        }
        let mut known = Vec::new();
        let targets: Vec<String> = outs
            .iter()
            .map(|(out, value)| match value {
                Some(value) => {
                    let name = variable(&typed[out.local].name, &mut variables);
                    known.push((name.clone(), value, &typed[out.local].ty));
                    name
                }
                None => "_".to_owned(),
            })
            .collect();
        let targets = if targets.is_empty() {
            String::new()
        } else {
            format!("var {} := ", targets.join(", "))
        };
        let _ = writeln!(body, "    {targets}{call};");
        for (name, value, ty) in known {
            expect(&mut body, &name, value, ty);
        }
        look(&mut body, &object, &step.seen);
    }
    format!(
        "  /** {} */\n  method {{:test}} {name}()\n  {{\n{body}  }}\n",
        sentence(typed, scenario)
    )
}

/// The expression that creates the object of a scenario.
fn creation(
    typed: &Program,
    scenario: &Scenario,
    arguments: &dyn Fn(CallableId, &[Value]) -> String,
) -> String {
    let class = &typed[scenario.class].name;
    let types = if scenario.type_args.is_empty() {
        String::new()
    } else {
        let args: Vec<String> = scenario
            .type_args
            .iter()
            .map(|t| typed.show_type(t))
            .collect();
        format!("<{}>", args.join(", "))
    };
    match &scenario.constructor {
        None => format!("new {class}{types}"),
        Some((ctor, args)) => {
            let name = match &*typed[*ctor].name {
                "_ctor" => String::new(),
                name => format!(".{name}"),
            };
            format!("new {class}{types}{name}({})", arguments(*ctor, args))
        }
    }
}

/// The operations of a scenario, each once, in the order of their first calls.
fn operations(typed: &Program, scenario: &Scenario) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for step in &scenario.steps {
        let name = typed[step.callee].name.to_string();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// The name of the method: the class and what is done with its object.
fn name_of(typed: &Program, scenario: &Scenario) -> String {
    let upper = |word: &String| {
        let mut chars = word.chars();
        let first: String = chars
            .next()
            .into_iter()
            .flat_map(char::to_uppercase)
            .collect();
        let rest: String = chars.filter(|c| c.is_alphanumeric() || *c == '_').collect();
        format!("{first}{rest}")
    };
    let mut words: Vec<String> = operations(typed, scenario).iter().map(upper).collect();
    words.truncate(4);
    let class: String = typed[scenario.class]
        .name
        .chars()
        .filter(|c| c.is_alphanumeric() || *c == '_')
        .collect();
    format!("{class}_{}", words.join("_Then_"))
}

/// The documentation of the method.
fn sentence(typed: &Program, scenario: &Scenario) -> String {
    let names: Vec<String> = operations(typed, scenario)
        .iter()
        .map(|n| format!("`{n}`"))
        .collect();
    let calls = scenario.steps.len();
    format!(
        "{calls} calls on one `{}`, in which {} interact.",
        typed[scenario.class].name,
        match names.split_last() {
            Some((last, [])) => format!("calls of {last}"),
            Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
            None => "no operations".to_owned(),
        }
    )
}

/// A variable with a name like `word` that no other variable has.
fn variable(word: &str, taken: &mut SortedSet<String>) -> String {
    let mut chars = word.chars();
    let first: String = chars
        .next()
        .into_iter()
        .flat_map(char::to_lowercase)
        .collect();
    let rest: String = chars.filter(|c| c.is_alphanumeric() || *c == '_').collect();
    let mut name = format!("{first}{rest}");
    if name.starts_with(['_', '$']) || name.is_empty() {
        name = "result".to_owned();
    }
    if !TokenKind::of_word(&name).is_name() {
        name = format!("{name}1");
    }
    unique(&name, taken)
}

/// The name with the smallest number that makes it new.
fn unique(name: &str, taken: &mut SortedSet<String>) -> String {
    let mut found = name.to_owned();
    let mut n = 2;
    while !taken.insert(found.clone()) {
        found = format!("{name}{n}");
        n += 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_not_called_like_reserved_words() {
        let mut taken = SortedSet::new();
        let names = ["Match", "Account", "Account", "Array2", "_", "Opaque"];
        assert_eq!(
            names.map(|word| variable(word, &mut taken)),
            [
                "match1", "account", "account2", "array21", "result", "opaque"
            ]
        );
    }
}
