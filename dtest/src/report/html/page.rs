//! The page of a source file: its lines, then its goals.

use std::fmt::Write;

use super::parts::{
    Document, bar, count, escape, frame, glyph, legend, look, measured, outcome, percent, phrase,
    sure, test,
};
use crate::report::actual::{Counts, Verdict};
use crate::report::annotate::{Annotated, Line, Mark, Piece, State, is_around};
use crate::report::{GoalReport, UnitReport};
use dtest_sorted::SortedMap;

/// Number of lines in a chunk that the browser lays out only when it is visible.
const CHUNK: usize = 50;
/// Maximum number of tests in a tooltip; the table of goals lists all.
const NAMED: usize = 6;

/// Formats the page of the source with this index.
pub(super) fn render(document: &Document<'_>, index: usize) -> Option<String> {
    let source = document.sources.get(index)?;
    let path = &source.listing.path;
    let open = source
        .marks
        .iter()
        .filter(|m| m.goal.is_some() && is_jump(m.state))
        .count();
    let header = format!(
        "<nav aria-label=\"Where you are\"><a href=\"index.html\">{}</a></nav>\n<h1>{}</h1>\n\
         <div class=\"tools\"><label>Search <input id=\"search\" type=\"search\" placeholder=\"text of this file\" autocomplete=\"off\" \
         spellcheck=\"false\"></label>\n<span class=\"jump\"><button type=\"button\" id=\"previous\" aria-keyshortcuts=\"p\">previous</button>\
         <button type=\"button\" id=\"next\" aria-keyshortcuts=\"n\">next</button> <span id=\"where\">{}</span></span></div>\n",
        escape(&document.options.title),
        escape(path),
        count(open, "open goal")
    );
    let mut main = summary(source, document.is_measured);
    code(source, document.is_measured, &mut main);
    goals(source, document, &mut main);
    Some(frame(
        document.options,
        &format!("{path}: coverage of {}", document.options.title),
        &header,
        &main,
    ))
}

/// Whether the keys `n` and `p` stop at this state.
fn is_jump(state: State) -> bool {
    match state {
        State::Open | State::Bounded => true,
        State::Covered | State::Proved => false,
    }
}

fn summary(source: &Annotated<'_>, is_measured: bool) -> String {
    let t = &source.totals;
    if t.goals == 0 {
        return "<section class=\"summary\" aria-label=\"Summary\"><p>No goals: no code of this file is compiled and tested here.</p></section>\n".to_owned();
    }
    let (settled, goals) = (percent(t), count(t.goals, "goal"));
    format!(
        "<section class=\"summary\" aria-label=\"Summary\">\n<p class=\"big\"><b>{settled}</b> of {goals} settled, {} covered or proved</p>\n{}\n{}\n\
         <p><a href=\"#goals\">All goals</a> of {} with {}{}.</p>\n{}</section>\n",
        sure(t),
        bar(t),
        legend(t),
        count(t.units, "unit"),
        count(t.tests, "test"),
        match source.survivors.len() {
            0 => String::new(),
            n => format!(
                "; {} survive{}",
                count(n, "mutant"),
                if n == 1 { "s" } else { "" }
            ),
        },
        if is_measured {
            let counts = Counts::of(
                source
                    .marks
                    .iter()
                    .filter_map(|m| m.goal)
                    .map(|(_, goal)| goal),
            );
            measured(counts)
                + "<p>The first number on a line is how many tests are expected to reach it, the second how many did.</p>\n"
        } else {
            String::new()
        }
    )
}

fn code(source: &Annotated<'_>, is_measured: bool, out: &mut String) {
    let digits = source.lines.len().to_string().len();
    let _ = writeln!(
        out,
        "<section aria-label=\"Source\" class=\"code\" style=\"--d:{digits}ch\">"
    );
    for (i, chunk) in source.lines.chunks(CHUNK).enumerate() {
        let notes: usize = chunk
            .iter()
            .map(|l| l.notes.len() + l.survivors.len())
            .sum();
        let _ = write!(
            out,
            "<div class=\"chunk\" style=\"--n:{}\">",
            chunk.len() + notes
        );
        for (j, line) in chunk.iter().enumerate() {
            self::line(source, line, i * CHUNK + j + 1, is_measured, out);
        }
        *out += "</div>\n";
    }
    *out += "</section>\n";
}

fn line(source: &Annotated<'_>, line: &Line, number: usize, is_measured: bool, out: &mut String) {
    // The gutter shows the worst state of the line.
    let worst = line.states.last().copied();
    let (class, sign) = match worst {
        None => ("", "<i class=\"g\"></i>".to_owned()),
        Some(state) if line.states.len() > 1 && state == State::Open => (
            " o",
            "<span class=\"g o\" role=\"img\" aria-label=\"partly open\">◐</span>".to_owned(),
        ),
        Some(state) => (
            ["", " u", " w", " o"]
                .get(state as usize)
                .copied()
                .unwrap_or(""),
            glyph(state),
        ),
    };
    let _ = write!(
        out,
        "<div class=\"l{class}\" id=\"L{number}\"><a class=\"n\" href=\"#L{number}\">{number}</a>{sign}{}{}<code>",
        tests(source, line),
        entered(line, is_measured)
    );
    for piece in &line.pieces {
        self::piece(source, piece, out);
    }
    *out += "</code></div>";
    // Notes and survivors follow the line, with its indentation.
    let start = line
        .pieces
        .first()
        .and_then(|p| source.listing.text.get(p.range.start..))
        .unwrap_or("");
    let indentation = start.chars().take_while(|c| *c == ' ').count();
    for note in line.notes.iter().filter_map(|i| source.marks.get(*i)) {
        self::note(source, note, indentation, out);
    }
    for survivor in line
        .survivors
        .iter()
        .filter_map(|i| source.survivors.get(*i))
    {
        let why = if survivor.is_untested {
            "no test of its unit has a known result"
        } else {
            "every test passes"
        };
        let _ = write!(
            out,
            "<div class=\"a s\" style=\"--i:{}ch\"><span class=\"g s\" role=\"img\" aria-label=\"surviving mutant\">≈</span>\
             <span>{}: {why} <span class=\"in\">{}</span></span></div>",
            indentation.min(24),
            phrase(&survivor.what),
            escape(&survivor.unit)
        );
    }
}

/// Formats the number of tests that reach the line, with their names: a link to the goal that they
/// reach, or to the unit.
fn tests(source: &Annotated<'_>, line: &Line) -> String {
    let Some(mark) = line.best.and_then(|b| source.marks.get(b)) else {
        return "<i class=\"t\"></i>".to_owned();
    };
    let mut names: Vec<&str> = mark
        .tests
        .iter()
        .take(NAMED)
        .map(|t| t.rsplit("::").next().unwrap_or(t))
        .collect();
    let more = format!("and {} more", mark.tests.len().saturating_sub(NAMED));
    if mark.tests.len() > NAMED {
        names.push(&more);
    }
    let to = mark
        .goal
        .map_or_else(|| format!("u{}", mark.unit), |(i, _)| anchor(mark.unit, i));
    let (n, said) = (line.tests, count(line.tests, "test"));
    format!(
        "<a class=\"t\" href=\"#{to}\" title=\"{}\" aria-label=\"{said}\">{n}</a>",
        escape(&names.join("\n"))
    )
}

/// Formats the number of tests that reached the line when they were run.
fn entered(line: &Line, is_measured: bool) -> String {
    match line.entered {
        Some(n) => format!(
            "<span class=\"t e\" role=\"img\" aria-label=\"{} reached it\">{n}</span>",
            count(n, "test")
        ),
        None if is_measured => "<i class=\"t e\"></i>".to_owned(),
        None => String::new(),
    }
}

fn anchor(unit: usize, goal: usize) -> String {
    format!("u{unit}g{goal}")
}

fn piece(source: &Annotated<'_>, piece: &Piece, out: &mut String) {
    let text = source.listing.text.get(piece.range.clone()).unwrap_or("");
    let class = match piece.state {
        Some(state) => look(state).0,
        None if piece.comment => "m",
        None => {
            *out += &escape(text);
            return;
        }
    };
    let mut inner = text.trim_matches(is_around);
    if inner.is_empty() {
        inner = text.trim();
    }
    let before = text.find(inner).unwrap_or(0);
    let after = before + inner.len();
    let _ = write!(
        out,
        "{}<span class=\"{class}\">{}</span>{}",
        text.get(..before).unwrap_or(""),
        escape(inner),
        text.get(after..).unwrap_or("")
    );
}

/// Formats the note under a line about an uncovered goal that begins there.
fn note(source: &Annotated<'_>, mark: &Mark<'_>, indentation: usize, out: &mut String) {
    let (Some((i, goal)), Some(unit)) = (mark.goal, source.units.get(mark.unit)) else {
        return;
    };
    let state = match Verdict::of(goal) {
        Verdict::Missing => State::Open,
        Verdict::Entered | Verdict::Accident | Verdict::Open | Verdict::NotMeasured => mark.state,
    };
    let (class, _, _) = look(state);
    let jump = if is_jump(state) {
        " tabindex=\"-1\""
    } else {
        ""
    };
    let _ = write!(
        out,
        "<div class=\"a {class}\"{jump} style=\"--i:{}ch\">{}<span><a href=\"#{}\">{}</a>: {} <span class=\"in\">{}, {}</span></span></div>",
        indentation.min(24),
        glyph(state),
        anchor(mark.unit, i),
        phrase(&goal.goal),
        outcome(&goal.outcome) + surprise(goal),
        goal.criterion,
        escape(&format!(
            "{}{}",
            goal.callable.as_ref().unwrap_or(&unit.unit),
            dtest_search::describe::called_at(&goal.calls)
        ))
    );
}

/// Describes the measured coverage of a goal if it differs from the expected one.
fn surprise(goal: &GoalReport) -> &'static str {
    match Verdict::of(goal) {
        Verdict::Missing => ", but no test entered it when they were run",
        Verdict::Accident => ", but entered by accident when the tests were run",
        Verdict::Entered | Verdict::Open | Verdict::NotMeasured => "",
    }
}

fn goals(source: &Annotated<'_>, document: &Document<'_>, out: &mut String) {
    if source.totals.goals == 0 {
        return;
    }
    *out += "<section aria-labelledby=\"goals\">\n<h2 id=\"goals\" tabindex=\"-1\">Goals</h2>\n";
    let mut by_unit: SortedMap<usize, Vec<(usize, &GoalReport)>> = SortedMap::new();
    for mark in &source.marks {
        by_unit.entry(mark.unit).or_default().extend(mark.goal);
    }
    for (u, unit) in source.units.iter().enumerate() {
        let here = by_unit.get(&u).map_or(&[][..], Vec::as_slice);
        let name = escape(&unit.unit);
        let line = unit
            .region
            .as_ref()
            .filter(|r| r.path == source.listing.path)
            .map(|r| r.start.line);
        let _ = write!(
            out,
            "<div class=\"unit\" style=\"--n:{}\"><h3 id=\"u{u}\">{}</h3>\n<div class=\"scroll\"><table class=\"goals\" aria-labelledby=\"u{u}\">\n\
             <thead><tr><th scope=\"col\">line</th><th scope=\"col\">goal</th><th scope=\"col\">criterion</th><th scope=\"col\">outcome</th><th scope=\"col\">tests</th>{}</tr></thead>\n<tbody>\n",
            here.len() + 3,
            line.map_or_else(
                || format!("Goals of {name} in this file"),
                |line| format!("<a href=\"#L{line}\">{name}</a>")
            ),
            if document.is_measured {
                "<th scope=\"col\">entered by</th>"
            } else {
                ""
            }
        );
        for (i, goal) in here {
            goal_row(source, document, u, *i, goal, out);
        }
        *out += "</tbody>\n</table></div>\n";
        remarks(unit, out);
        *out += "</div>\n";
    }
    *out += "</section>\n";
}

fn goal_row(
    source: &Annotated<'_>,
    document: &Document<'_>,
    u: usize,
    i: usize,
    goal: &GoalReport,
    out: &mut String,
) {
    let here = goal
        .region
        .as_ref()
        .filter(|r| r.path == source.listing.path);
    let place = here.map_or_else(
        || escape(&goal.place.to_string()),
        |r| format!("<a href=\"#L{}\">{}</a>", r.start.line, r.start.line),
    );
    let state = State::of(&goal.outcome);
    let tests = self::names(&goal.tests, document);
    let entered = match &goal.actual {
        Some(tests) => format!("<td>{}</td>", self::names(tests, document)),
        None if document.is_measured => "<td>not measured</td>".to_owned(),
        None => String::new(),
    };
    let _ = writeln!(
        out,
        "<tr id=\"{}\"><td>{place}</td><td>{}</td><td>{}</td><td class=\"{}\">{} {}</td><td>{tests}</td>{entered}</tr>",
        anchor(u, i),
        phrase(&goal.goal),
        goal.criterion,
        look(state).0,
        glyph(state),
        outcome(&goal.outcome) + surprise(goal)
    );
}

/// Formats the first test, and the others in a collapsed list.
fn names(tests: &[String], document: &Document<'_>) -> String {
    let tests: Vec<String> = tests.iter().map(|t| test(t, document.options)).collect();
    match tests.as_slice() {
        [] => "–".to_owned(),
        [one] => one.clone(),
        [first, rest @ ..] => format!(
            "{first}<details><summary>and {} more</summary>{}</details>",
            rest.len(),
            rest.join("<br>")
        ),
    }
}

/// Formats further remarks on a unit: claims, notes, postconditions that are not executed.
fn remarks(unit: &UnitReport, out: &mut String) {
    let clauses = unit.ensures.iter().filter_map(|c| {
        let why = c.not_executed.as_ref()?;
        Some(format!(
            "{} not executed: <code>{}</code>: {}",
            c.what(),
            escape(&c.text),
            phrase(why)
        ))
    });
    let written = unit
        .not_emitted
        .iter()
        .map(|why| format!("no test written: {}", phrase(why)));
    let all: Vec<String> = unit
        .claims
        .iter()
        .chain(&unit.notes)
        .map(|s| phrase(s))
        .chain(written)
        .chain(clauses)
        .collect();
    if !all.is_empty() {
        let _ = writeln!(
            out,
            "<ul class=\"remarks\"><li>{}</li></ul>",
            all.join("</li><li>")
        );
    }
}
