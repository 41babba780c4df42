//! Inputs that `[inputs]` of `dtest.toml` configures for types.
//!
//! Each text becomes the body of a separate method, which is resolved with the program but is not
//! an item of it: `"Amount" = ["Max()"]` becomes `method m() returns (value: Amount) { value :=
//! Max(); }`. A text that is only the name of a method, function or constructor means that
//! callable, and the search finds its arguments.
//!
//! [`front`] resolves a program with the inputs and returns the makers of values ([`Given`]);
//! [`check`] executes those without parameters. The hard part is locations: errors in a generated
//! method must point into the user's file ([`Written::in_place`]).

use std::fmt;
use std::ops::Range;

use crate::message::MessageId;
use dafny_resolve::typed::{
    self, Arena, Body, CallableId, CallableKind, Item, Options, Type, TypeDeclKind,
};
use dafny_source::diagnostic::Diagnostic;
use dafny_source::{SourceMap, Span};
use dafny_syntax::ast;
use dtest_interp::{Execution, Interp, Limits, Outcome};
use dtest_ir::{self as ir, Maker};
use dtest_search::configured_inputs;
use dtest_sorted::SortedSet;
use dtest_value::Heap;

/// The configured inputs, and the file that has them.
#[derive(Debug, Clone, Default)]
pub struct Inputs {
    /// The path of the file as shown.
    pub path: String,
    /// The text.
    pub text: String,
    /// The types, sorted by name.
    pub types: Vec<Named>,
}

/// A type with its configured inputs.
#[derive(Debug, Clone)]
pub struct Named {
    /// The type, in the scope of the top level of the program.
    pub ty: Text,
    /// Expressions, `new` with arguments, and names of callables that return values.
    pub values: Vec<Text>,
}

/// A string of the file.
#[derive(Debug, Clone)]
pub struct Text {
    /// The contents of the string.
    pub text: String,
    /// The range of the string in the file, with its quotes.
    pub at: Range<usize>,
}

/// The resolved inputs of a program's types.
pub struct Given {
    /// The callables that return inputs.
    pub makers: Vec<Maker>,
    /// Types that the program does not declare, each with a warning.
    pub unknown: Vec<(String, Diagnostic)>,
    /// The texts of the program and of the user's file, for [`Self::unknown`] and [`check`].
    pub sources: SourceMap,
    /// The span at which each maker is configured.
    places: Vec<Span>,
    written: Written,
}

/// Errors, with the texts that they point into.
pub type Failed = (Vec<Diagnostic>, SourceMap);

/// The prefix of the names of methods that stand for texts. Names of programs cannot have it.
const METHOD: &str = "given'by'dtest";

/// Resolves a program together with the configured inputs. Returns the program, which has a method
/// for each text that is an expression, the warnings of the resolver, and the makers of inputs.
///
/// # Errors
/// All diagnostics, if one of them is an error in the program or in a text for a type of the
/// program.
pub fn front(
    files: &[ast::File],
    sources: &SourceMap,
    options: &Options,
    inputs: &Inputs,
) -> Result<(typed::Program, Vec<Diagnostic>, Given), Failed> {
    let mut unknown: Vec<(usize, Diagnostic)> = Vec::new();
    let mut values: SortedSet<(usize, usize)> = SortedSet::new();
    // A text that is only a name may be the name of a callable, which is known after resolution.
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

/// Executes the makers without parameters. Returns diagnostics for those that return no value of
/// their type.
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
                    MessageId::CliInputs,
                    *place,
                    format!("its value is not a member of `{ty}`: the constraint is false for it"),
                ));
            }
            Ok(_) => {}
            Err(execution) => {
                let (at, why) = ending(&execution);
                let diagnostic = Diagnostic::error(
                    MessageId::CliInputs,
                    *place,
                    format!("it does not produce a value of `{ty}`: {why}"),
                );
                // A location in the program is kept; one in a generated method is replaced by the
                // configured text.
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

/// Describes the end of an execution that returned no value.
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
    /// Returns the texts with the indices of their type and their value.
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

/// Whether a text is only a name, optionally after `new`.
fn is_name(text: &str) -> bool {
    let name = text.trim().strip_prefix("new ").unwrap_or(text).trim();
    let is_part = |part: &str| {
        let is_letter = |c: char| c.is_alphanumeric() || matches!(c, '_' | '\'' | '?');
        part.chars().next().is_some_and(|c| !c.is_ascii_digit()) && part.chars().all(is_letter)
    };
    name.split('.').all(is_part)
}

/// Returns the callables that a name means: for `new C`, the constructors of `C`.
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

/// The reason why resolution has to be repeated or fails.
enum Unfit {
    Wrong(Vec<Diagnostic>),
    /// These names are values, so they need methods too.
    Values(Vec<(usize, usize)>),
}

/// The generated methods for the texts.
struct Written {
    files: Vec<ast::File>,
    pieces: Vec<Piece>,
    /// The start of the user's file in the source map.
    base: u32,
}

/// A generated method for a text.
struct Piece {
    /// The text.
    span: Span,
    /// The index of the type, and for a value its index.
    of: (usize, Option<usize>),
    /// The parts that come from the user's file, with their locations there.
    parts: Vec<(Span, Part)>,
    /// The location of the text in the user's file.
    place: Span,
}

/// The origin of a part of a text.
struct Part {
    place: Span,
    /// Whether the part appears verbatim in the file, without escapes.
    is_verbatim: bool,
}

impl Written {
    /// Generates the methods for all known types and all values. Also returns the texts of the
    /// program, the user's file and the methods, and the syntax errors of the methods.
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
            // A type is resolved as a parameter, which requires no value of it.
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
                // The user's texts stand on lines of their own, so that a comment in one cannot
                // swallow the rest.
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

    /// Adds a method that consists of parts, each followed by a text of the user. Returns its
    /// syntax errors.
    fn add(
        &mut self,
        of: (usize, Option<usize>),
        parts: &[(String, Option<&Text>)],
        whole: &Text,
        inputs: &Inputs,
        texts: &mut SourceMap,
        options: &Options,
    ) -> Vec<Diagnostic> {
        // The method's text alternates between generated parts and texts of the user. Spans of the
        // latter are recorded, so that errors in them can be located in `dtest.toml`.
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
                MessageId::LoadTooLarge,
                "the program's texts are larger than 4 GiB together",
            )];
        };
        // The text is in the source map now, so its global offset is known.
        for (span, _) in &mut of_user {
            *span = Span::new(span.start + base, span.end + base);
        }
        self.pieces.push(Piece {
            span: Span::new(base, base + text.len() as u32),
            of,
            parts: of_user,
            place,
        });
        // A text with a brace or semicolon could end the method and add other declarations.
        let (parsed, errors) = dafny_syntax::parse_with(base, &text, super::syntax(options));
        if errors.is_empty() && parsed.decls.len() != 1 {
            return vec![Diagnostic::error(
                MessageId::CliInputs,
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

    /// Returns the location in the user's file of a span in a method; `None` if it is in no method.
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

    /// Moves the spans of a diagnostic to the user's file.
    fn in_place(&self, mut diagnostic: Diagnostic) -> Diagnostic {
        let place = |span: &mut Span| *span = self.place(*span).unwrap_or(*span);
        diagnostic.span.iter_mut().for_each(place);
        diagnostic
            .labels
            .iter_mut()
            .for_each(|l| place(&mut l.span));
        diagnostic
    }

    /// Returns the type that an error is about, with a warning that replaces the error.
    fn of_type(&self, diagnostic: &Diagnostic) -> Option<(usize, Diagnostic)> {
        let span = diagnostic.span.filter(|_| diagnostic.is_error())?;
        let piece = self
            .pieces
            .iter()
            .find(|p| p.span.start <= span.start && span.start <= p.span.end && p.of.1.is_none())?;
        let message = format!("its inputs are ignored: {}", diagnostic.message);
        let mut warning = Diagnostic::warning(
            MessageId::CliUnknownInputs,
            self.place(span).unwrap_or(piece.place),
            message,
        );
        warning.help.clone_from(&diagnostic.help);
        Some((piece.of.0, warning))
    }

    /// Returns the method that was generated for a text.
    fn method(&self, program: &typed::Program, of: (usize, Option<usize>)) -> Option<CallableId> {
        let piece = self.pieces.iter().find(|p| p.of == of)?;
        Arena::<CallableId>::ids(program)
            .into_iter()
            .find(|id| piece.span.contains_span(program[*id].span))
    }

    /// Removes the generated methods from the items of the program, so that they are not
    /// translated.
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

    /// Returns the makers of inputs, each with its location.
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
            // The type was resolved as the parameter of a generated method.
            let ty = self
                .method(program, (i, None))
                .and_then(|m| program[m].ins.first())
                .map(|f| program[f.local].ty.clone());
            let Some(ty) = ty else { continue };
            if let Some(message) = unfit(program, &ty) {
                wrong.push(Diagnostic::error(
                    MessageId::CliInputs,
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
                // A text is a value (of a generated method), or the name of a callable; unknown
                // names are tried again as values.
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
                    Some(Err(reason)) => wrong.push(Diagnostic::error(
                        MessageId::CliInputs,
                        place,
                        reason.to_string(),
                    )),
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

/// Returns the reason why inputs cannot be configured for a type.
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

/// Returns a callable as a maker of inputs of a type, or the reason why it cannot be one.
fn maker(program: &typed::Program, ty: &Type, callable: CallableId) -> Result<Maker, NoMaker> {
    let c = &program[callable];
    let no = |reason: NoMakerReason| NoMaker {
        callable: program.callable_path(callable),
        reason,
    };
    let shown = || program.show_type(ty).to_string();
    // A maker is called by tests: it must be compiled, have a body, and need no further arguments.
    if c.ghost || c.kind == CallableKind::Lemma {
        return Err(no(NoMakerReason::Ghost));
    }
    if matches!(c.body, Body::None) {
        return Err(no(NoMakerReason::NoBody));
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
        return Err(no(NoMakerReason::OtherClass(shown())));
    }
    if !c.is_static {
        return Err(no(NoMakerReason::Receiver));
    }
    if !program.all_type_params(callable).is_empty() {
        return Err(no(NoMakerReason::TypeParameters));
    }
    let mut results = c.outs.iter().filter(|f| !program[f.local].ghost);
    let (Some(result), None) = (results.next(), results.next()) else {
        return Err(no(NoMakerReason::Results));
    };
    let given = &program[result.local].ty;
    // Rust types must agree: representations, or a trait that the result's type extends.
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
        Err(no(NoMakerReason::OtherType {
            returned: program.show_type(given).to_string(),
            wanted: shown(),
        }))
    }
}

/// A callable that cannot make inputs of a type.
#[derive(Debug, Clone, PartialEq, Eq)]
struct NoMaker {
    /// Its Dafny path.
    callable: String,
    reason: NoMakerReason,
}

/// The reason why a callable cannot make inputs.
#[derive(Debug, Clone, PartialEq, Eq)]
enum NoMakerReason {
    Ghost,
    NoBody,
    /// It is a constructor, but not of this class.
    OtherClass(String),
    /// It needs a receiver.
    Receiver,
    TypeParameters,
    /// It has no compiled result, or more than one.
    Results,
    /// Its result has another representation in Rust.
    OtherType {
        returned: String,
        wanted: String,
    },
}

impl fmt::Display for NoMaker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = &self.callable;
        match &self.reason {
            NoMakerReason::Ghost => write!(f, "`{path}` is ghost, so tests cannot call it"),
            NoMakerReason::NoBody => write!(
                f,
                "`{path}` has no body, so its result is unknown when tests are generated"
            ),
            NoMakerReason::OtherClass(class) => {
                write!(f, "`{path}` does not create an object of `{class}`")
            }
            NoMakerReason::Receiver => write!(f, "`{path}` needs a receiver: write a call"),
            NoMakerReason::TypeParameters => write!(
                f,
                "`{path}` has type parameters: write a call with arguments"
            ),
            NoMakerReason::Results => write!(f, "`{path}` does not have exactly one result"),
            NoMakerReason::OtherType { returned, wanted } => {
                write!(f, "`{path}` returns `{returned}`, not `{wanted}`")
            }
        }
    }
}

impl std::error::Error for NoMaker {}
