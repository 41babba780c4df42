//! Inputs that the user named for types, from texts to what makes them.
//!
//! Each text becomes the body of a method of its own, which is resolved with the program and is no item of it: `"Amount" = ["Max()"]`
//! gives `method m() returns (value: Amount) { value := Max(); }`. The name of a method, function or constructor alone means that one, whose
//! arguments are then looked for.

use std::ops::Range;

use dafny_resolve::typed::{
    self, Arena, Body, CallableId, CallableKind, Item, Options, Type, TypeDeclKind,
};
use dafny_syntax::ast;
use dafny_syntax::diagnostic::Diagnostic;
use dafny_syntax::source::{SourceMap, Span};
use dtest_engine::interp::{Execution, Interp, Limits, Outcome};
use dtest_engine::ir::{self, Maker};
use dtest_engine::search::configured_inputs;
use dtest_engine::value::Heap;
use dtest_sorted::SortedSet;

/// What the user named, and the file that says so.
#[derive(Debug, Clone, Default)]
pub struct Inputs {
    /// The file's path, as it is shown.
    pub path: String,
    /// Its text.
    pub text: String,
    /// The types, in the order of their names.
    pub types: Vec<Named>,
}

/// A type with what the user named for it.
#[derive(Debug, Clone)]
pub struct Named {
    /// The type, as it stands at the top level of the program.
    pub ty: Text,
    /// Expressions, `new` with arguments, and names of what makes values.
    pub values: Vec<Text>,
}

/// A string of the file.
#[derive(Debug, Clone)]
pub struct Text {
    /// What it says.
    pub text: String,
    /// Where it stands in the file, with its quotes.
    pub at: Range<usize>,
}

/// What makes inputs of a program's types.
pub struct Given {
    /// What gives inputs.
    pub makers: Vec<Maker>,
    /// Types that the program does not have, each with a warning.
    pub unknown: Vec<(String, Diagnostic)>,
    /// The program's texts and the user's, for [`Self::unknown`] and [`check`].
    pub sources: SourceMap,
    /// Where each maker was named.
    places: Vec<Span>,
    written: Written,
}

/// What is wrong, with the texts that it speaks of.
pub type Failed = (Vec<Diagnostic>, SourceMap);

/// What begins the names of methods that stand for texts: no program has such, so that they are in nobody's way.
const METHOD: &str = "given'by'dtest";

/// Resolves a program with what the user named for its types: the program, in which a method stands for each text that is an expression,
/// with the resolver's warnings, and what makes inputs.
///
/// # Errors
/// All diagnostics, where one of them is an error: of the program, or of a text for a type that the program has.
pub fn front(
    files: &[ast::File],
    sources: &SourceMap,
    options: &Options,
    inputs: &Inputs,
) -> Result<(typed::Program, Vec<Diagnostic>, Given), Failed> {
    let mut unknown: Vec<(usize, Diagnostic)> = Vec::new();
    let mut values: SortedSet<(usize, usize)> = SortedSet::new();
    // What is a name alone may be that of a callable, which is seen when the program is resolved.
    let is_value = |text: &Text| !is_name(&text.text);
    values.extend(
        inputs
            .places()
            .filter(|(_, _, text)| is_value(text))
            .map(|(i, j, _)| (i, j)),
    );
    loop {
        let is_known = |i: usize| unknown.iter().all(|(u, _)| *u != i);
        let (written, texts, errors) = Written::new(inputs, &values, &is_known, sources, options);
        if errors.iter().any(Diagnostic::is_error) {
            return Err((errors, texts));
        }
        let all = [files, &written.files].concat();
        let (typed, warnings) = match super::front(all, options.clone()) {
            Ok(done) => done,
            Err(diagnostics) => {
                let of_types: Vec<(usize, Diagnostic)> = diagnostics
                    .iter()
                    .filter_map(|d| written.of_type(d))
                    .collect();
                if of_types.is_empty() {
                    return Err((
                        diagnostics
                            .into_iter()
                            .map(|d| written.in_place(d))
                            .collect(),
                        texts,
                    ));
                }
                for (i, diagnostic) in of_types {
                    if unknown.iter().all(|(u, _)| *u != i) {
                        unknown.push((i, diagnostic));
                    }
                }
                continue;
            }
        };
        match written.makers(&typed, inputs, &values, &is_known) {
            Ok(makers) => {
                let (makers, places) = makers.into_iter().unzip();
                let unknown = unknown
                    .into_iter()
                    .filter_map(|(i, d)| Some((inputs.types.get(i)?.ty.text.clone(), d)))
                    .collect();
                return Ok((
                    written.without_items(typed),
                    warnings,
                    Given {
                        makers,
                        unknown,
                        sources: texts,
                        places,
                        written,
                    },
                ));
            }
            Err(Unfit::Wrong(diagnostics)) => return Err((diagnostics, texts)),
            Err(Unfit::Values(more)) => values.extend(more),
        }
    }
}

/// Executes what needs no arguments. The result: what does not give a value of its type, and why.
pub fn check(program: &ir::Program, given: &Given) -> Vec<Diagnostic> {
    let interp = Interp::new(program, Limits::default());
    let mut wrong = Vec::new();
    for (maker, place) in given.makers.iter().zip(&given.places) {
        if program
            .procedures
            .get(&maker.callable)
            .is_none_or(|p| !p.params.is_empty())
        {
            continue;
        }
        let ty = program.typed.show_type(&maker.ty);
        match configured_inputs::made(&interp, maker, Vec::new(), Heap::default()) {
            Ok((value, heap)) if interp.value_has_type(&value, &maker.ty, &heap).is_false() => {
                wrong.push(Diagnostic::error(
                    "cli/inputs",
                    *place,
                    format!("its value is not a member of `{ty}`: the constraint is false for it"),
                ));
            }
            Ok(_) => {}
            Err(execution) => {
                let (at, why) = ending(&execution);
                let diagnostic = Diagnostic::error(
                    "cli/inputs",
                    *place,
                    format!("it does not produce a value of `{ty}`: {why}"),
                );
                // Where that is the program's.
                let elsewhere = at.filter(|at| given.written.place(*at).is_none());
                wrong.push(
                    elsewhere
                        .into_iter()
                        .fold(diagnostic, |d, at| d.with_secondary(at, "here")),
                );
            }
        }
    }
    wrong
}

/// How an execution ended that gave no value.
fn ending(execution: &Execution) -> (Option<Span>, String) {
    match &execution.outcome {
        Outcome::Returned(_) => (None, "it returns no value".into()),
        Outcome::Halted { span, message } => (Some(*span), message.clone()),
        Outcome::Failed(failure) => (Some(failure.span), failure.message.clone()),
        Outcome::Infeasible(span) => (Some(*span), "an assumption is false".into()),
        Outcome::OutOfFuel(limit) => (None, format!("a limit was reached: {limit}")),
        Outcome::Unsupported(reason) => (None, reason.to_string()),
    }
}

impl Inputs {
    /// The texts, by the numbers of type and text.
    fn places(&self) -> impl Iterator<Item = (usize, usize, &Text)> {
        self.types.iter().enumerate().flat_map(|(i, named)| {
            named
                .values
                .iter()
                .enumerate()
                .map(move |(j, text)| (i, j, text))
        })
    }

    fn text(&self, i: usize, j: usize) -> Option<&Text> {
        self.types.get(i)?.values.get(j)
    }
}

/// Whether a text is no more than a name, `new` before it or not.
fn is_name(text: &str) -> bool {
    let name = text.trim().strip_prefix("new ").unwrap_or(text).trim();
    let is_part = |part: &str| {
        let is_letter = |c: char| c.is_alphanumeric() || matches!(c, '_' | '\'' | '?');
        part.chars().next().is_some_and(|c| !c.is_ascii_digit()) && part.chars().all(is_letter)
    };
    name.split('.').all(is_part)
}

/// The callables that a name means: `new C` those that `C` has for it.
fn named(program: &typed::Program, text: &str) -> Vec<CallableId> {
    let text = text.trim();
    let (name, is_new) = text
        .strip_prefix("new ")
        .map_or((text, false), |name| (name.trim(), true));
    let is_meant = |id: &CallableId| {
        let path = program.callable_path(*id);
        let is_constructor = program[*id].kind == CallableKind::Constructor;
        (path == name && (is_constructor || !is_new))
            || (is_new && is_constructor && path.strip_suffix("._ctor") == Some(name))
    };
    Arena::<CallableId>::ids(program)
        .into_iter()
        .filter(is_meant)
        .collect()
}

/// Why a program has no makers yet.
enum Unfit {
    Wrong(Vec<Diagnostic>),
    /// These names are values.
    Values(Vec<(usize, usize)>),
}

/// The methods that stand for texts.
struct Written {
    files: Vec<ast::File>,
    pieces: Vec<Piece>,
    /// Where the user's file begins.
    base: u32,
}

/// A method that stands for a text.
struct Piece {
    /// Its text.
    span: Span,
    /// The type's number; of a value: its number too.
    of: (usize, Option<usize>),
    /// What of it is the user's, and where that stands in the user's file.
    parts: Vec<(Span, Part)>,
    /// Where the user wrote what it stands for.
    place: Span,
}

/// Where a part of a text comes from.
struct Part {
    place: Span,
    /// Whether it stands there letter by letter, and not with escapes.
    is_verbatim: bool,
}

impl Written {
    /// The methods for all types that are known and all values; with the texts of the program, the user's file and the methods; with what is
    /// wrong with their syntax.
    fn new(
        inputs: &Inputs,
        values: &SortedSet<(usize, usize)>,
        is_known: &dyn Fn(usize) -> bool,
        sources: &SourceMap,
        options: &Options,
    ) -> (Self, SourceMap, Vec<Diagnostic>) {
        let mut texts = sources.clone();
        let base = texts
            .add(inputs.path.as_str(), inputs.text.as_str(), false)
            .and_then(|id| texts.file(id))
            .map_or(0, |f| f.base);
        let mut written = Self {
            files: Vec::new(),
            pieces: Vec::new(),
            base,
        };
        let mut errors = Vec::new();
        for (i, named) in inputs
            .types
            .iter()
            .enumerate()
            .filter(|(i, _)| is_known(*i))
        {
            let of_type = [
                (
                    "method {:compile false} ".to_owned() + &format!("{METHOD}'{i}(value:\n"),
                    Some(&named.ty),
                ),
                ("\n) {}\n".into(), None),
            ];
            errors.extend(written.add((i, None), &of_type, &named.ty, inputs, &mut texts, options));
            for (j, value) in named
                .values
                .iter()
                .enumerate()
                .filter(|(j, _)| values.contains(&(i, *j)))
            {
                let of_value = [
                    (
                        format!("method {{:compile false}} {METHOD}'{i}'{j}() returns (value:\n"),
                        Some(&named.ty),
                    ),
                    ("\n) {\nvalue :=\n".into(), Some(value)),
                    ("\n;\n}\n".into(), None),
                ];
                errors.extend(written.add(
                    (i, Some(j)),
                    &of_value,
                    value,
                    inputs,
                    &mut texts,
                    options,
                ));
            }
        }
        (written, texts, errors)
    }

    /// Adds a method of parts, each followed by a text of the user's; what is wrong with its syntax.
    fn add(
        &mut self,
        of: (usize, Option<usize>),
        parts: &[(String, Option<&Text>)],
        whole: &Text,
        inputs: &Inputs,
        texts: &mut SourceMap,
        options: &Options,
    ) -> Vec<Diagnostic> {
        let mut text = String::new();
        let mut of_user = Vec::new();
        for (ours, users) in parts {
            text.push_str(ours);
            if let Some(users) = users {
                let start = text.len() as u32;
                text.push_str(&users.text);
                let raw = inputs
                    .text
                    .get(users.at.start + 1..users.at.end.saturating_sub(1));
                let part = Part {
                    place: self.in_file(&users.at),
                    is_verbatim: raw == Some(users.text.as_str()),
                };
                of_user.push((Span::new(start, text.len() as u32), part));
            }
        }
        let place = self.in_file(&whole.at);
        let Some(base) = texts
            .add(METHOD, text.as_str(), false)
            .and_then(|id| texts.file(id))
            .map(|f| f.base)
        else {
            return vec![Diagnostic::global(
                "load/too-large",
                "the program's texts are larger than 4 GiB together",
            )];
        };
        for (span, _) in &mut of_user {
            *span = Span::new(span.start + base, span.end + base);
        }
        self.pieces.push(Piece {
            span: Span::new(base, base + text.len() as u32),
            of,
            parts: of_user,
            place,
        });
        let (parsed, errors) = dafny_syntax::parse_with(base, &text, super::syntax(options));
        if errors.is_empty() && parsed.decls.len() != 1 {
            return vec![Diagnostic::error(
                "cli/inputs",
                place,
                "this is more than a type or an expression",
            )];
        }
        self.files.push(parsed);
        errors.into_iter().map(|d| self.in_place(d)).collect()
    }

    fn in_file(&self, at: &Range<usize>) -> Span {
        Span::new(self.base + at.start as u32, self.base + at.end as u32)
    }

    /// Where a place of a method is in the user's file; `None`: it is in no method.
    fn place(&self, span: Span) -> Option<Span> {
        let piece = self
            .pieces
            .iter()
            .find(|p| p.span.start <= span.start && span.start <= p.span.end)?;
        let within = piece.parts.iter().find(|(part, _)| {
            part.start <= span.start && span.start < part.end.max(part.start + 1)
        });
        let place = |(at, part): &(Span, Part)| {
            if !part.is_verbatim {
                return part.place;
            }
            let first = part.place.start + 1;
            Span::new(
                first + (span.start - at.start),
                first + (span.end.clamp(span.start, at.end) - at.start),
            )
        };
        Some(within.map_or(piece.place, place))
    }

    /// A message with its places in the user's file.
    fn in_place(&self, mut diagnostic: Diagnostic) -> Diagnostic {
        let place = |span: &mut Span| *span = self.place(*span).unwrap_or(*span);
        diagnostic.span.iter_mut().for_each(place);
        diagnostic
            .labels
            .iter_mut()
            .for_each(|l| place(&mut l.span));
        diagnostic
    }

    /// The type that an error is about, and a warning in its place.
    fn of_type(&self, diagnostic: &Diagnostic) -> Option<(usize, Diagnostic)> {
        let span = diagnostic.span.filter(|_| diagnostic.is_error())?;
        let piece = self
            .pieces
            .iter()
            .find(|p| p.span.start <= span.start && span.start <= p.span.end && p.of.1.is_none())?;
        let message = format!("its inputs are ignored: {}", diagnostic.message);
        let mut warning = Diagnostic::warning(
            "cli/unknown-inputs",
            self.place(span).unwrap_or(piece.place),
            message,
        );
        warning.help.clone_from(&diagnostic.help);
        Some((piece.of.0, warning))
    }

    /// The method that stands for a text: the one that is declared there.
    fn method(&self, program: &typed::Program, of: (usize, Option<usize>)) -> Option<CallableId> {
        let piece = self.pieces.iter().find(|p| p.of == of)?;
        Arena::<CallableId>::ids(program)
            .into_iter()
            .find(|id| piece.span.contains_span(program[*id].span))
    }

    /// The program, of which the methods that stand for texts are no items: nothing is written of them.
    fn without_items(&self, mut program: typed::Program) -> typed::Program {
        let ours: Vec<CallableId> = self
            .pieces
            .iter()
            .filter_map(|p| self.method(&program, p.of))
            .collect();
        for module in &mut program.modules {
            module
                .items
                .retain(|item| !matches!(item, Item::Callable(c) if ours.contains(c)));
        }
        program
    }

    /// What gives inputs, each with its place.
    fn makers(
        &self,
        program: &typed::Program,
        inputs: &Inputs,
        values: &SortedSet<(usize, usize)>,
        is_known: &dyn Fn(usize) -> bool,
    ) -> Result<Vec<(Maker, Span)>, Unfit> {
        let (mut makers, mut wrong, mut more) = (Vec::new(), Vec::new(), Vec::new());
        for (i, of_type) in inputs
            .types
            .iter()
            .enumerate()
            .filter(|(i, _)| is_known(*i))
        {
            let ty = self
                .method(program, (i, None))
                .and_then(|m| program[m].ins.first())
                .map(|f| program[f.local].ty.clone());
            let Some(ty) = ty else { continue };
            if let Some(message) = unfit(program, &ty) {
                wrong.push(Diagnostic::error(
                    "cli/inputs",
                    self.in_file(&of_type.ty.at),
                    message,
                ));
                continue;
            }
            for j in 0..of_type.values.len() {
                let Some(text) = inputs.text(i, j) else {
                    continue;
                };
                let place = self.in_file(&text.at);
                if values.contains(&(i, j)) {
                    let method = self.method(program, (i, Some(j)));
                    makers.extend(method.map(|callable| {
                        (
                            Maker {
                                ty: ty.clone(),
                                callable,
                                type_args: Vec::new(),
                            },
                            place,
                        )
                    }));
                    continue;
                }
                let is_function = matches!(program.strip_subset(&ty), Type::Arrow { .. });
                let found = if is_function {
                    Vec::new()
                } else {
                    named(program, &text.text)
                };
                match found.iter().map(|id| maker(program, &ty, *id)).next() {
                    Some(Ok(maker)) => makers.push((maker, place)),
                    Some(Err(message)) => {
                        wrong.push(Diagnostic::error("cli/inputs", place, message))
                    }
                    None => more.push((i, j)),
                }
            }
        }
        match (wrong.is_empty(), more.is_empty()) {
            (false, _) => Err(Unfit::Wrong(wrong)),
            (true, false) => Err(Unfit::Values(more)),
            (true, true) => Ok(makers),
        }
    }
}

/// Why nothing can be named for a type.
fn unfit(program: &typed::Program, ty: &Type) -> Option<String> {
    let is_null = matches!(
        ty,
        Type::Named { nullable: true, .. }
            | Type::Array { nullable: true, .. }
            | Type::Object { nullable: true }
    );
    let has_param = |ty: &Type| matches!(ty, Type::Param(_));
    if is_null {
        let shown = program.show_type(ty);
        return Some(format!(
            "inputs must be objects: write `{}` instead of `{shown}`; null is tried anyway",
            shown.replacen('?', "", 1)
        ));
    }
    let is_open = if let Type::Named { args, .. } = ty {
        args.iter().any(has_param)
    } else {
        has_param(ty)
    };
    is_open.then(|| {
        format!(
            "`{}` needs type arguments, such as `<int>`",
            program.show_type(ty)
        )
    })
}

/// A callable as what gives inputs of a type; why it cannot be.
fn maker(program: &typed::Program, ty: &Type, callable: CallableId) -> Result<Maker, String> {
    let c = &program[callable];
    let path = program.callable_path(callable);
    let shown = program.show_type(ty);
    if c.ghost || c.kind == CallableKind::Lemma {
        return Err(format!("`{path}` is ghost, so tests cannot call it"));
    }
    if matches!(c.body, Body::None) {
        return Err(format!(
            "`{path}` has no body, so its result is unknown when tests are generated"
        ));
    }
    if c.kind == CallableKind::Constructor {
        if let Type::Named { decl, args, .. } = program.strip_subset(ty)
            && Some(decl) == c.owner
        {
            return Ok(Maker {
                ty: ty.clone(),
                callable,
                type_args: args,
            });
        }
        return Err(format!("`{path}` does not create an object of `{shown}`"));
    }
    if !c.is_static {
        return Err(format!("`{path}` needs a receiver: write a call"));
    }
    if !program.all_type_params(callable).is_empty() {
        return Err(format!(
            "`{path}` has type parameters: write a call with arguments"
        ));
    }
    let mut results = c.outs.iter().filter(|f| !program[f.local].ghost);
    let (Some(result), None) = (results.next(), results.next()) else {
        return Err(format!("`{path}` does not have exactly one result"));
    };
    let given = &program[result.local].ty;
    let rep = program.representation(ty);
    let is_one = if let Type::Named { decl, args, .. } = &rep
        && matches!(program[*decl].kind, TypeDeclKind::Trait { .. })
    {
        program
            .supertype_args(given, *decl)
            .is_some_and(|found| found == *args)
    } else {
        rep == program.representation(given)
    };
    if is_one {
        Ok(Maker {
            ty: ty.clone(),
            callable,
            type_args: Vec::new(),
        })
    } else {
        Err(format!(
            "`{path}` returns `{}`, not `{shown}`",
            program.show_type(given)
        ))
    }
}
