//! The pages of the coverage report in a browser. Without a browser, each test prints a message and
//! is skipped.

use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Value, json};

use super::Package;
use super::browser::Browser;
use super::coverage_report::{KEYS, SHOP, totals};

/// Generates the report of a package. Returns its path and the output of the tool.
fn report(package: &Package) -> (PathBuf, Value) {
    let run = package.run(&[
        "gen",
        "--coverage-report",
        "cov",
        "--message-format",
        "json",
        "--coverage",
        "block,boundary",
    ]);
    (package.root().join("cov"), totals(&run.stdout))
}

#[test]
fn the_totals_that_a_browser_shows_are_those_of_the_table() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let package = Package::new(&[("src/lib.dfy", SHOP)]);
    let (directory, totals) = report(&package);
    browser.open(&directory.join("index.html"));
    for key in KEYS {
        let shown = browser.evaluate(&format!(
            "document.querySelector('#totals [data-total=\"{key}\"]').textContent"
        ));
        assert_eq!(shown, json!(totals[key].to_string()), "{key}");
    }
    // Follows the link of the file to its page, and from a goal to its line.
    browser.evaluate("document.querySelector('tr[data-name] a').click()");
    let goals = |browser: &mut Browser| {
        browser.evaluate("document.querySelectorAll('.goals tbody tr').length")
    };
    for _ in 0..100 {
        if goals(&mut browser) == totals["goals"] {
            break;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(goals(&mut browser), totals["goals"]);
    assert_eq!(
        browser.evaluate("location.pathname.endsWith('/src-lib.dfy.html')"),
        json!(true)
    );
    let broken = "[...document.querySelectorAll('a[href^=\"#\"]')].filter((a) => !document.getElementById(a.hash.slice(1))).length";
    assert_eq!(
        browser.evaluate(broken),
        json!(0),
        "links into the page that lead nowhere"
    );
    let ids = "[...document.querySelectorAll('[id]')].length - new Set([...document.querySelectorAll('[id]')].map((e) => e.id)).size";
    assert_eq!(browser.evaluate(ids), json!(0), "two elements of one name");
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
    let elsewhere: Vec<&String> = browser
        .requested
        .iter()
        .filter(|u| !u.starts_with("file://") && !u.starts_with("data:"))
        .collect();
    assert!(elsewhere.is_empty(), "{elsewhere:?}");
}

#[test]
fn the_keyboard_leads_from_one_open_goal_to_the_next_and_searches() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let package = Package::new(&[("src/lib.dfy", SHOP)]);
    let (directory, _) = report(&package);
    browser.open(&directory.join("src-lib.dfy.html"));
    let focused = "[...document.querySelectorAll('.a[tabindex]')].indexOf(document.activeElement)";
    let stops = browser
        .evaluate("document.querySelectorAll('.a[tabindex]').length")
        .as_i64()
        .unwrap();
    assert!(stops > 2, "{stops}");
    for (key, expected) in [("n", 0), ("n", 1), ("p", 0), ("p", stops - 1), ("n", 0)] {
        browser.press(key, key);
        assert_eq!(browser.evaluate(focused), json!(expected), "after {key}");
        let visible = "(() => { const r = document.activeElement.getBoundingClientRect(); return r.top >= 0 && r.bottom <= innerHeight; })()";
        assert_eq!(browser.evaluate(visible), json!(true));
    }
    let outline = "getComputedStyle(document.activeElement).outlineStyle";
    assert_eq!(
        browser.evaluate(outline),
        json!("solid"),
        "where the focus is can be seen"
    );

    browser.press("/", "/");
    assert_eq!(
        browser.evaluate("document.activeElement.id"),
        json!("search")
    );
    "total :="
        .chars()
        .for_each(|c| browser.press(&c.to_string(), &c.to_string()));
    let found = "document.querySelector('.l.here').id";
    let line = |n: usize| {
        format!(
            "L{}",
            SHOP.lines()
                .enumerate()
                .filter(|(_, l)| l.contains("total :="))
                .nth(n)
                .unwrap()
                .0
                + 1
        )
    };
    assert_eq!(browser.evaluate(found), json!(line(0)));
    browser.press("Enter", "\r");
    assert_eq!(browser.evaluate(found), json!(line(1)));
    assert!(
        browser
            .evaluate("document.getElementById('live').textContent")
            .as_str()
            .unwrap()
            .starts_with("2 of ")
    );
    browser.press("Escape", "");
    assert_eq!(
        browser.evaluate("document.querySelectorAll('.l.here').length"),
        json!(0)
    );

    browser.open(&directory.join("index.html"));
    browser.press("n", "n");
    assert_eq!(
        browser.evaluate("document.activeElement.closest('tr').dataset.open !== '0'"),
        json!(true)
    );
    browser.press("/", "/");
    "Play"
        .chars()
        .for_each(|c| browser.press(&c.to_string(), &c.to_string()));
    let shown = "[...document.querySelectorAll('tr[data-name]')].filter((r) => !r.hidden).map((r) => r.dataset.name).join()";
    assert_eq!(
        browser.evaluate(shown),
        json!("src/lib.dfy Shop.Prices.Play")
    );
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}

/// The least contrast of any text with its background (WCAG 2.2, 1.4.3), with that text.
const CONTRAST: &str = "(() => {
  const parse = (c) => c.match(/[\\d.]+/g).map(Number);
  const luminance = ([r, g, b]) => [r, g, b].map((v) => v / 255).map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (e) => {
    for (; e; e = e.parentElement) {
      const c = parse(getComputedStyle(e).backgroundColor);
      if (c.length === 3 || c[3] > 0) return c;
    }
    return [255, 255, 255];
  };
  let least = [99, ''];
  for (const e of document.querySelectorAll('body *')) {
    if (['SCRIPT', 'STYLE'].includes(e.tagName) || ![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim())) continue;
    const [a, b] = [luminance(parse(getComputedStyle(e).color)), luminance(behind(e))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < least[0]) least = [ratio, `${e.className} ${e.textContent.slice(0, 40)}`];
  }
  return least;
})()";

#[test]
fn both_colour_schemes_are_readable_and_no_window_is_too_narrow() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let package = Package::new(&[("src/lib.dfy", SHOP)]);
    let (directory, _) = report(&package);
    let mut pages = Vec::new();
    for scheme in ["light", "dark"] {
        for width in [1280, 400] {
            browser.look(width, scheme);
            for page in ["index.html", "src-lib.dfy.html"] {
                browser.open(&directory.join(page));
                let overflow =
                    browser.evaluate("document.documentElement.scrollWidth - innerWidth");
                assert!(
                    overflow.as_i64().unwrap() <= 0,
                    "{page} is {overflow} too wide at {width}"
                );
                let contrast = browser.evaluate(CONTRAST);
                assert!(
                    contrast[0].as_f64().unwrap() >= 4.5,
                    "{scheme} {page}: {contrast}"
                );
                pages.push(browser.evaluate("getComputedStyle(document.body).backgroundColor"));
            }
        }
    }
    assert_ne!(pages.first(), pages.last(), "light and dark are the same");
    // A state is shown by more than its colour: a glyph on the line, and a line under the text.
    let lines = "[...'uo'].map((s) => getComputedStyle(document.querySelector(`code .${s}`)).textDecorationStyle).join()";
    assert_eq!(browser.evaluate(lines), json!("dotted,wavy"));
    let unnamed = "[...document.querySelectorAll('.g')].filter((g) => g.textContent && !g.getAttribute('aria-label')).length";
    assert_eq!(browser.evaluate(unnamed), json!(0), "glyphs without a name");
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}

/// Generates a source of 10,000 lines: units with loops and branches, some of which are
/// unreachable.
fn long_source() -> String {
    let unit = |n: usize| {
        let filler: String = (0..20)
            .map(|i| format!("    total := total + {i};\n"))
            .collect();
        format!(
            "  // The sum of what is below {n}.\n  method Sum{n}(x: nat) returns (total: nat)\n  {{\n    total := {n};\n\
             \x20   if x > {n} && x < 5 {{\n      total := total + x;\n    }} else {{\n      total := total + 2 * x;\n    }}\n{filler}  }}\n\n"
        )
    };
    let mut text = String::from("module Long {\n");
    let mut n = 0;
    while text.lines().count() < 10_000 {
        text += &(0..10).map(|i| unit(n + i)).collect::<String>();
        n += 10;
    }
    text + "}\n"
}

#[test]
fn a_page_of_ten_thousand_lines_opens_within_two_seconds() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let package = Package::new(&[("src/lib.dfy", &long_source())]);
    let (directory, totals) = report(&package);
    assert!(totals["goals"].as_u64().unwrap() > 1000, "{totals}");
    let mut times = Vec::new();
    for _ in 0..3 {
        browser.open(&directory.join("src-lib.dfy.html"));
        let timing = "performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd";
        times.push(browser.evaluate(timing).as_f64().unwrap());
    }
    assert!(
        browser
            .evaluate("document.querySelectorAll('.l').length")
            .as_u64()
            .unwrap()
            > 10_000
    );
    let least = times.iter().copied().fold(f64::INFINITY, f64::min);
    assert!(least < 2000.0, "{times:?} ms");
    eprintln!("DOMContentLoaded after {times:?} ms");
    // A line far down is visible when its address is opened.
    browser.evaluate("location.hash = 'L9000'");
    let top = browser
        .evaluate("document.getElementById('L9000').getBoundingClientRect().top")
        .as_f64()
        .unwrap();
    assert!((0.0..900.0).contains(&top), "{top}");
}

/// `DTEST_REPORT_OF=folder cargo test --test cli -- --ignored --nocapture report_of_a_corpus`:
/// generates the report of all programs of a directory in one run.
#[test]
#[ignore = "takes a corpus, named by DTEST_REPORT_OF"]
fn the_report_of_a_corpus_opens_within_two_seconds_and_its_totals_are_those_of_the_table() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let corpus = std::env::var("DTEST_REPORT_OF").expect("DTEST_REPORT_OF names a folder");
    let package = Package::new(&[]);
    let options = [
        "--function-syntax",
        "4",
        "--out",
        "out",
        "--coverage-report",
        "cov",
        "--message-format",
        "json",
    ];
    let run = package.run(&[&["gen", &corpus, "--each"], &options[..]].concat());
    let totals = totals(&run.stdout);
    let directory = package.root().join("cov");
    let mut slowest = (0.0, String::new());
    let mut pages: Vec<PathBuf> = std::fs::read_dir(&directory)
        .unwrap()
        .map(|e| e.unwrap().path())
        .collect();
    pages.retain(|p| p.extension().is_some_and(|x| x == "html"));
    let mut of_pages = 0;
    for page in &pages {
        browser.open(page);
        let timing = "performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd";
        let time = browser.evaluate(timing).as_f64().unwrap();
        slowest = if time > slowest.0 {
            (time, page.display().to_string())
        } else {
            slowest
        };
        of_pages += browser
            .evaluate("document.querySelectorAll('.goals tbody tr').length")
            .as_u64()
            .unwrap();
    }
    eprintln!(
        "{} pages; the slowest is loaded after {:.0} ms: {}",
        pages.len(),
        slowest.0,
        slowest.1
    );
    assert!(slowest.0 < 2000.0);
    browser.open(&directory.join("index.html"));
    for key in KEYS {
        let shown = browser.evaluate(&format!(
            "document.querySelector('#totals [data-total=\"{key}\"]').textContent"
        ));
        assert_eq!(shown, json!(totals[key].to_string()), "{key}");
        // The rows of the files add up.
        let column = KEYS.iter().position(|k| *k == key).unwrap();
        let sum = format!(
            "[...document.querySelectorAll('#totals')][0].closest('table').querySelectorAll('tbody tr').values()\
             .map((r) => Number(r.cells[{}].textContent)).reduce((a, b) => a + b, 0)",
            column + 2
        );
        assert_eq!(browser.evaluate(&sum), totals[key], "{key}");
    }
    assert_eq!(json!(of_pages), totals["goals"]);
    assert!(browser.complaints.is_empty(), "{:?}", browser.complaints);
}
