//! Editor features of this tool beyond those of the language: lenses, code actions, and the results
//! of searches as diagnostics and inlay hints.
//!
//! [`diagnostics`], [`hints`], [`lenses`] and [`actions`] answer requests from the known results.
//! The commands that they offer are in [`super::commands`].

use std::path::Path;

use crate::lsp::answers::{Question, SOURCE};
use crate::lsp::documents::Lines;
use crate::lsp::findings::{Finding, Origin, Weight};
use crate::lsp::server::Program;
use crate::report::explain;
use dtest_sorted::SortedMap;
use lsp_types as lsp;
use serde_json::{Value, json};

/// Maximum number of values shown next to a line.
const VALUES: usize = 4;

// Results of searches, in the text.

/// Returns the results of searches as diagnostics of a file.
pub fn diagnostics(
    program: &Program,
    question: &Question<'_>,
    path: &Path,
) -> Vec<lsp::Diagnostic> {
    let own = program.findings.all.iter().filter(|f| f.at.path == path);
    own.filter_map(|f| diagnostic(program, question, f))
        .collect()
}

fn diagnostic(program: &Program, question: &Question<'_>, f: &Finding) -> Option<lsp::Diagnostic> {
    let location = location(program, question, &f.at)?;
    let severity = match f.weight {
        Weight::Error => lsp::DiagnosticSeverity::ERROR,
        Weight::Warning => lsp::DiagnosticSeverity::WARNING,
        Weight::Faded | Weight::Hint => lsp::DiagnosticSeverity::HINT,
    };
    // The steps of the execution become related information, which editors list below the message.
    let steps = f.steps.iter().filter_map(|s| {
        let values = if s.variables.is_empty() {
            String::new()
        } else {
            format!("  [{}]", s.variables.join(", "))
        };
        let at = self::location(program, question, &s.at)?;
        Some(lsp::DiagnosticRelatedInformation {
            location: at,
            message: format!("{}{values}", s.text),
        })
    });
    let related: Vec<_> = steps.collect();
    Some(lsp::Diagnostic {
        range: location.range,
        severity: Some(severity),
        code: Some(lsp::NumberOrString::String(f.id.clone())),
        source: Some(SOURCE.to_owned()),
        message: f.message.clone(),
        related_information: (!related.is_empty()).then_some(related),
        tags: (f.weight == Weight::Faded).then(|| vec![lsp::DiagnosticTag::UNNECESSARY]),
        data: Some(json!({ "unit": f.unit })),
        ..lsp::Diagnostic::default()
    })
}

/// Returns the present location of a range of the searched texts.
fn location(
    program: &Program,
    question: &Question<'_>,
    at: &super::findings::SourceRange,
) -> Option<lsp::Location> {
    let text = match question.documents.get(&at.path) {
        Some(document) => document.text.clone(),
        None => program.now.text(program.now.file(&at.path)?),
    };
    let bytes = program.findings.now(at, &text)?;
    let (uri, range) = question.range_in(&at.path, &text, bytes)?;
    Some(lsp::Location { uri, range })
}

/// Answers `textDocument/inlayHint`: the values of one execution, next to the lines that it passes.
pub fn hints(program: &Program, question: &Question<'_>, params: &Value) -> Vec<lsp::InlayHint> {
    let Some(text) = question.documents.get(&question.path).map(|d| &d.text) else {
        return Vec::new();
    };
    let wanted: Option<lsp::Range> = params
        .get("range")
        .and_then(|r| serde_json::from_value(r.clone()).ok());
    let shown =
        program.findings.all.iter().filter(|f| {
            f.origin == Origin::Check && !f.steps.is_empty() && f.at.path == question.path
        });
    let is_chosen = |f: &&Finding| {
        program
            .chosen
            .as_ref()
            .is_some_and(|(unit, at)| f.unit == *unit && f.at.bytes.contains(at))
    };
    let Some(shown) = shown
        .clone()
        .find(is_chosen)
        .or_else(|| shown.clone().next())
    else {
        return Vec::new();
    };
    let mut lines: SortedMap<u32, Vec<String>> = SortedMap::new();
    let ends = super::findings::Step {
        at: shown.at.clone(),
        text: String::new(),
        variables: shown.end.clone(),
    };
    for step in shown
        .steps
        .iter()
        .chain([&ends])
        .filter(|s| s.at.path == question.path)
    {
        let Some(at) = location(program, question, &step.at) else {
            continue;
        };
        let values = lines.entry(at.range.start.line).or_default();
        for value in &step.variables {
            // If the line is in a loop, the last value is shown.
            let name = value.split(" = ").next().unwrap_or_default();
            values.retain(|v| v.split(" = ").next() != Some(name));
            values.push(value.clone());
        }
    }
    let columns = Lines::of(text, question.encoding);
    let hint = |(line, mut values): (u32, Vec<String>)| {
        if values.is_empty() || wanted.is_some_and(|w| line < w.start.line || line > w.end.line) {
            return None;
        }
        let more = values.len() > VALUES;
        values.truncate(VALUES);
        let label = format!("{}{}", values.join(", "), if more { ", ..." } else { "" });
        let end = columns.line_end(columns.offset(lsp::Position::new(line, 0)));
        Some(lsp::InlayHint {
            position: columns.position(end),
            label: lsp::InlayHintLabel::String(label),
            kind: None,
            text_edits: None,
            tooltip: Some(lsp::InlayHintTooltip::String(format!(
                "in the execution of `{}`: {}",
                shown.unit, shown.message
            ))),
            padding_left: Some(true),
            padding_right: None,
            data: None,
        })
    };
    lines.into_iter().filter_map(hint).collect()
}

/// Answers `textDocument/codeLens`: the results for each unit, and its commands.
pub fn lenses(program: &Program, question: &Question<'_>) -> Vec<lsp::CodeLens> {
    // While the text has syntax errors, the last good state is used.
    let known = program.good.as_ref().unwrap_or(&program.now);
    let (Some(file), Some(document)) = (
        known.file(&question.path),
        question.documents.get(&question.path),
    ) else {
        return Vec::new();
    };
    let span = known.analysis.file_span(file);
    let text = known.text(file);
    let mut lenses = Vec::new();
    for unit in known
        .analysis
        .units()
        .into_iter()
        .filter(|u| span.contains_span(u.span))
    {
        let bytes = (unit.span.start - span.start) as usize..(unit.span.end - span.start) as usize;
        let Some((_, range)) = question.range_in(&question.path, &text, bytes) else {
            continue;
        };
        let arguments = vec![json!(document.uri.as_str()), json!(unit.path)];
        let mut add = |title: String, command: &str| {
            let command = lsp::Command {
                title,
                command: command.to_owned(),
                arguments: Some(arguments.clone()),
            };
            lenses.push(lsp::CodeLens {
                range,
                command: Some(command),
                data: None,
            });
        };
        let findings = &program.findings;
        if unit.is_compiled {
            add(
                tests_title(findings.tests.get(&unit.path).copied()),
                "dtest.run",
            );
        }
        add(
            check_title(findings.checked.get(&unit.path).copied()),
            "dtest.check",
        );
        if unit.is_compiled {
            let mutants = findings
                .mutants
                .get(&unit.path)
                .map_or_else(String::new, |(killed, all)| format!(" {killed}/{all}"));
            add(format!("mutants{mutants}"), "dtest.mutants");
        }
    }
    lenses
}

/// Returns the unit whose name is at a position of the document.
fn named_unit(program: &Program, question: &Question<'_>, at: lsp::Position) -> Option<String> {
    let (known, text) = (&program.now, &question.documents.get(&question.path)?.text);
    let file = known.file(&question.path)?;
    let position = known
        .analysis
        .position(file, Lines::of(text, question.encoding).offset(at))?;
    let units = known.analysis.units().into_iter();
    units
        .filter(|u| u.span.start <= position && position <= u.span.end)
        .map(|u| u.path)
        .next()
}

/// Returns the edit that fixes a violation, if one is known.
fn fix(
    program: &Program,
    question: &Question<'_>,
    d: &lsp::Diagnostic,
    id: &str,
    unit: &str,
) -> Option<lsp::CodeAction> {
    // The finding is looked up again: its position may have moved since it was published.
    let same = |f: &&Finding| {
        f.id == id
            && f.unit == unit
            && location(program, question, &f.at).is_some_and(|l| l.range == d.range)
    };
    let fix = program.findings.all.iter().find(same)?.fix.as_ref()?;
    let at = location(program, question, &fix.at)?;
    let edit = lsp::TextEdit {
        range: at.range,
        new_text: fix.text.clone(),
    };
    let version = question.documents.get(&fix.at.path).map(|d| d.version);
    let text_document = lsp::OptionalVersionedTextDocumentIdentifier {
        uri: at.uri,
        version,
    };
    let edits = vec![lsp::TextDocumentEdit {
        text_document,
        edits: vec![lsp::OneOf::Left(edit)],
    }];
    Some(lsp::CodeAction {
        title: format!(
            "Add `{}`, with which no execution violates this obligation",
            fix.clause
        ),
        kind: Some(lsp::CodeActionKind::QUICKFIX),
        diagnostics: Some(vec![d.clone()]),
        edit: Some(lsp::WorkspaceEdit {
            document_changes: Some(lsp::DocumentChanges::Edits(edits)),
            ..lsp::WorkspaceEdit::default()
        }),
        is_preferred: Some(true),
        ..lsp::CodeAction::default()
    })
}

fn tests_title(count: Option<usize>) -> String {
    match count {
        None => "tests · run".to_owned(),
        Some(1) => "1 test · run".to_owned(),
        Some(n) => format!("{n} tests · run"),
    }
}

fn check_title(violated: Option<usize>) -> String {
    match violated {
        None => "check".to_owned(),
        Some(0) => "check · no violation".to_owned(),
        Some(1) => "check · 1 violation".to_owned(),
        Some(n) => format!("check · {n} violations"),
    }
}

/// Answers `textDocument/codeAction`.
pub fn actions(
    program: Option<&Program>,
    question: &Question<'_>,
    params: &lsp::CodeActionParams,
) -> Vec<lsp::CodeActionOrCommand> {
    let Some(document) = question.documents.get(&question.path) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let mut add = |title: String, command: &str, arguments: Vec<Value>, d: &lsp::Diagnostic| {
        let command = lsp::Command {
            title: title.clone(),
            command: command.to_owned(),
            arguments: Some(arguments),
        };
        found.push(lsp::CodeActionOrCommand::CodeAction(lsp::CodeAction {
            title,
            kind: Some(lsp::CodeActionKind::QUICKFIX),
            diagnostics: Some(vec![d.clone()]),
            command: Some(command),
            ..lsp::CodeAction::default()
        }));
    };
    let uri = document.uri.as_str();
    let mut fixes = Vec::new();
    for d in &params.context.diagnostics {
        let id = match &d.code {
            Some(lsp::NumberOrString::String(id)) => id.as_str(),
            Some(lsp::NumberOrString::Number(_)) | None => "",
        };
        let is_ours = d.source.as_deref() == Some(SOURCE);
        // Messages of the parser and the resolver have no executions; those about obligations do.
        let is_obligation = id.starts_with("check/")
            || (!is_ours
                && d.source.as_deref() != Some("Parser")
                && d.source.as_deref() != Some("Resolver"));
        if is_obligation && program.is_some() {
            let more = d
                .related_information
                .iter()
                .flatten()
                .filter(|r| r.location.uri == document.uri);
            let more: Vec<Value> = more
                .map(|r| {
                    json!([
                        r.location.range.start.line,
                        r.location.range.start.character
                    ])
                })
                .collect();
            let at = d.range.start;
            let arguments = vec![json!(uri), json!(at.line), json!(at.character), json!(more)];
            add(
                "Find an execution for this error".to_owned(),
                "dtest.executionAt",
                arguments,
                d,
            );
        }
        let unit = d
            .data
            .as_ref()
            .and_then(|data| data.get("unit"))
            .and_then(Value::as_str);
        if let (true, true, Some(unit)) = (is_ours, id.starts_with("check/"), unit) {
            fixes.extend(program.and_then(|p| fix(p, question, d, id, unit)));
            add(
                "Write it as a test".to_owned(),
                "dtest.writeTest",
                vec![json!(uri), json!(unit)],
                d,
            );
        }
        if is_ours && !explain::of(id).is_empty() {
            add(format!("Explain {id}"), "dtest.explain", vec![json!(id)], d);
        }
    }
    // At the name of a unit, all its commands are offered.
    if let Some(unit) = program.and_then(|p| named_unit(p, question, params.range.start)) {
        let title = format!("Show the executions of `{unit}`");
        let command = lsp::Command {
            title: title.clone(),
            command: "dtest.executions".to_owned(),
            arguments: Some(vec![json!(uri), json!(unit)]),
        };
        let kind = Some(lsp::CodeActionKind::EMPTY);
        found.push(lsp::CodeActionOrCommand::CodeAction(lsp::CodeAction {
            title,
            kind,
            command: Some(command),
            ..lsp::CodeAction::default()
        }));
    }
    fixes
        .into_iter()
        .map(lsp::CodeActionOrCommand::CodeAction)
        .chain(found)
        .collect()
}
