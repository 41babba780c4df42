//! The first page: totals, files, modules, units, violations.

use std::fmt::Write;

use super::parts::{
    Document, bar, cells, columns, count, escape, frame, headings, legend, measured, percent,
    phrase, sure,
};
use crate::report::actual::Counts;
use crate::report::annotate::Annotated;
use crate::report::mutants::sentence;
use crate::report::place::Place;
use crate::report::{Report, Totals, UnitReport};
use dtest_sorted::SortedMap;

/// Formats the page.
pub(super) fn render(report: &Report, document: &Document<'_>) -> String {
    let options = document.options;
    let totals = report.totals();
    let header = format!(
        "<h1>{}</h1>\n<p class=\"setting\">{}</p>\n<p class=\"tools\"><label>Search <input id=\"search\" type=\"search\" \
         placeholder=\"file, module or unit\" autocomplete=\"off\" spellcheck=\"false\"></label></p>\n",
        escape(&options.title),
        escape(&options.setting)
    );
    let mut main = summary(&totals, report);
    findings(report, document, &mut main);
    main += &files(document, &totals);
    main += &modules(report);
    main += &units(document);
    left_out(report, &mut main);
    frame(
        options,
        &format!("{}: coverage", options.title),
        &header,
        &main,
    )
}

fn summary(totals: &Totals, report: &Report) -> String {
    let mut out = String::from(
        "<section aria-labelledby=\"summary\" class=\"summary\">\n<h2 id=\"summary\" class=\"vh\">Summary</h2>\n",
    );
    let _ = write!(
        out,
        "<p class=\"big\"><b>{}</b> of {} settled, {} covered or proved</p>\n{}\n{}\n",
        percent(totals),
        count(totals.goals, "goal"),
        sure(totals),
        bar(totals),
        legend(totals)
    );
    let own = report.own_tests.iter().filter(|t| t.test.is_some()).count();
    let _ = writeln!(
        out,
        "<p>{}{}; {} of {} executed.</p>",
        count(totals.tests, "generated test"),
        if own == 0 {
            String::new()
        } else {
            format!(" and {} of the program's own", own)
        },
        totals.clauses_executed,
        count(totals.clauses, "postcondition"),
    );
    if let Some(mutants) = &report.mutants {
        let _ = writeln!(out, "<p>The suite {}.</p>", escape(&sentence(mutants)));
    }
    if report.is_measured() {
        out += &measured(Counts::of_report(report));
    }
    out += "</section>\n";
    out
}

fn findings(report: &Report, document: &Document<'_>, out: &mut String) {
    let all: Vec<_> = report
        .units
        .iter()
        .flat_map(|u| u.findings.iter().map(move |f| (u, f)))
        .collect();
    if all.is_empty() {
        return;
    }
    let _ = write!(
        out,
        "<section aria-labelledby=\"findings\">\n<h2 id=\"findings\">{}</h2>\n<ul class=\"findings\">\n",
        count(all.len(), "finding")
    );
    for (unit, finding) in all {
        let inputs = if finding.inputs.is_empty() {
            "no inputs".to_owned()
        } else {
            finding.inputs.join(", ")
        };
        let _ = writeln!(
            out,
            "<li>{}: {} <span class=\"in\">in {} with <code>{}</code></span></li>",
            place(&finding.place, document),
            phrase(&finding.message),
            escape(&unit.unit),
            escape(&inputs)
        );
    }
    *out += "</ul>\n</section>\n";
}

/// Formats a place as a link, if the file has a page.
fn place(place: &Place, document: &Document<'_>) -> String {
    let text = escape(&place.to_string());
    let Place::In { path, at } = place else {
        return text;
    };
    let page = document
        .sources
        .iter()
        .zip(document.names)
        .find(|(s, _)| s.listing.path == *path);
    match page {
        Some((_, name)) => format!("<a href=\"{}#L{}\">{text}</a>", escape(name), at.line),
        None => text,
    }
}

/// Formats the start of a table of totals.
fn table(id: &str, caption: &str, first: &str, skip: usize) -> String {
    format!(
        "<section aria-labelledby=\"{id}\">\n<h2 id=\"{id}\">{caption}</h2>\n<div class=\"scroll\"><table class=\"totals\" aria-labelledby=\"{id}\">\n\
         <thead><tr><th scope=\"col\">{first}</th><th scope=\"col\"><span class=\"vh\">settled</span></th>{}</tr></thead>\n<tbody>\n",
        headings(skip)
    )
}

fn row(name: &str, search: &str, t: &Totals, skip: usize) -> String {
    let open = t.goals - t.covered - t.proved_unreachable - t.unreachable_at_caps;
    format!(
        "<tr data-name=\"{}\" data-open=\"{open}\"><th scope=\"row\">{name}</th><td class=\"share\">{}<span>{}</span></td>{}</tr>\n",
        escape(search),
        bar(t),
        if t.goals == 0 {
            "–".to_owned()
        } else {
            percent(t)
        },
        cells(t, false, skip)
    )
}

fn files(document: &Document<'_>, totals: &Totals) -> String {
    let folder = common_folder(document);
    let caption = if folder.is_empty() {
        "Files".to_owned()
    } else {
        format!("Files in <code>{}</code>", escape(folder))
    };
    let mut out = table("files", &caption, "file", 0);
    for (source, name) in document.sources.iter().zip(document.names) {
        let path = &source.listing.path;
        out += &row(
            &format!(
                "<a href=\"{}\">{}</a>",
                escape(name),
                escape(path.strip_prefix(folder).unwrap_or(path))
            ),
            path,
            &source.totals,
            0,
        );
    }
    let _ = write!(
        out,
        "</tbody>\n<tfoot><tr id=\"totals\"><th scope=\"row\">all</th><td class=\"share\">{}<span>{}</span></td>{}</tr></tfoot>\n</table></div>\n</section>\n",
        bar(totals),
        percent(totals),
        cells(totals, true, 0)
    );
    out
}

/// Returns the common directory of all files, ending in `/`, if it is long enough to be worth
/// omitting.
fn common_folder<'d>(document: &Document<'d>) -> &'d str {
    const LONG: usize = 12;
    let paths: Vec<&str> = document
        .sources
        .iter()
        .map(|s| s.listing.path.as_str())
        .collect();
    let Some((first, others)) = paths.split_first() else {
        return "";
    };
    let is_common = |end: &usize| {
        first
            .get(..*end)
            .is_some_and(|folder| others.iter().all(|p| p.starts_with(folder)))
    };
    let ends: Vec<usize> = first.match_indices('/').map(|(i, _)| i + 1).collect();
    let longest = ends
        .into_iter()
        .rev()
        .find(is_common)
        .filter(|end| *end > LONG);
    longest.and_then(|end| first.get(..end)).unwrap_or("")
}

fn modules(report: &Report) -> String {
    let mut by_module: SortedMap<&str, Vec<&UnitReport>> = SortedMap::new();
    for unit in &report.units {
        by_module
            .entry(unit.module.as_str())
            .or_default()
            .push(unit);
    }
    if by_module.keys().all(|m| m.is_empty()) {
        return String::new();
    }
    let mut out = table("modules", "Modules", "module", 0);
    for (module, units) in by_module {
        let name = if module.is_empty() {
            "<i>outside of modules</i>".to_owned()
        } else {
            escape(module)
        };
        out += &row(&name, module, &Totals::of(&units), 0);
    }
    out + "</tbody>\n</table></div>\n</section>\n"
}

fn units(document: &Document<'_>) -> String {
    let mut out = table("units", "Units", "unit", 1);
    let with_units = |(s, _): &(&Annotated<'_>, &String)| !s.units.is_empty();
    for (source, name) in document
        .sources
        .iter()
        .zip(document.names)
        .filter(with_units)
    {
        let width = columns(&Totals::default()).len() + 1;
        let path = escape(&source.listing.path);
        let _ = writeln!(
            out,
            "<tr class=\"group\"><th scope=\"colgroup\" colspan=\"{width}\">{path}</th></tr>"
        );
        let declared = |u: &&&UnitReport| {
            u.region
                .as_ref()
                .is_some_and(|r| r.path == source.listing.path)
        };
        for unit in source.units.iter().filter(declared) {
            let line = unit.region.as_ref().map_or(1, |r| r.start.line);
            let link = format!(
                "<a href=\"{}#L{line}\">{}</a>",
                escape(name),
                escape(&unit.unit)
            );
            out += &row(
                &link,
                &format!("{} {}", source.listing.path, unit.unit),
                &Totals::of(&[*unit]),
                1,
            );
        }
    }
    out + "</tbody>\n</table></div>\n</section>\n"
}

/// Formats the parts without goals: items that were not translated, tests that were not written.
fn left_out(report: &Report, out: &mut String) {
    let own = report
        .own_tests
        .iter()
        .filter_map(|t| Some((t.name.as_str(), t.not_written.as_deref()?)));
    let all: Vec<(&str, &str)> = report
        .untranslated
        .iter()
        .map(|(what, why)| (what.as_str(), why.as_str()))
        .chain(own)
        .collect();
    if all.is_empty() {
        return;
    }
    *out +=
        "<section aria-labelledby=\"left-out\">\n<h2 id=\"left-out\">Not translated</h2>\n<ul>\n";
    for (what, why) in all {
        let _ = writeln!(
            out,
            "<li><code>{}</code>: {}</li>",
            escape(what),
            phrase(why)
        );
    }
    *out += "</ul>\n</section>\n";
}
