//! `cargo xtask bench --scale`: the growth of time and memory with the number of units, on
//! generated programs.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use serde::Deserialize;

use crate::{demo, root};

/// The stages in order. The difference between their sum and the total is the time for finding and
/// writing files, and for the report.
const STAGES: [&str; 5] = ["parse", "resolve", "lower", "search", "emit"];

/// The layout of a program.
#[derive(Clone, Copy)]
enum Shape {
    /// All declarations at the top level, with types, classes, a trait and a codatatype.
    Flat,
    /// Modules of ten units, each of which imports the previous one.
    Modules,
}

/// The used fields of the last line of a run.
#[derive(Deserialize)]
struct Summary {
    units: usize,
    stages: BTreeMap<String, f64>,
    peak_memory_bytes: Option<u64>,
}

/// Prints the table for 10, 100, … units, up to `most`.
pub fn run(most: usize) -> Result<(), String> {
    let tool = demo::build(true)?;
    for (shape, name) in [
        (Shape::Modules, "modules of ten units"),
        (Shape::Flat, "one module, with as many types"),
    ] {
        println!("\nSeconds by stage, {name}; in brackets, how many times the line above");
        let head: String = STAGES
            .iter()
            .chain(&["total"])
            .map(|s| format!("{s:>18}"))
            .collect();
        println!("{:>7}{head}{:>16}", "units", "MiB");
        let mut above: Option<Summary> = None;
        for units in std::iter::successors(Some(10), |n| Some(n * 10)).take_while(|n| *n <= most) {
            let summary = measure(&tool, shape, units)?;
            println!("{}", line(&summary, above.as_ref()));
            above = Some(summary);
        }
    }
    Ok(())
}

fn line(summary: &Summary, above: Option<&Summary>) -> String {
    let mut out = format!("{:>7}", summary.units);
    let times = |now: f64, before: Option<f64>| match before {
        Some(before) if before >= 0.001 => format!("({:.1})", now / before),
        Some(_) | None => String::new(),
    };
    for stage in STAGES.iter().chain(&["total"]) {
        let seconds = |s: &Summary| s.stages.get(*stage).copied().unwrap_or(0.0);
        let _ = write!(
            out,
            "{:>10.3} {:<7}",
            seconds(summary),
            times(seconds(summary), above.map(seconds))
        );
    }
    let mebibytes = |s: &Summary| s.peak_memory_bytes.unwrap_or(0) as f64 / f64::from(1 << 20);
    let _ = write!(
        out,
        "{:>8.0} {:<7}",
        mebibytes(summary),
        times(mebibytes(summary), above.map(mebibytes))
    );
    out.trim_end().to_owned()
}

/// Generates a program into a separate package and runs the tool on it without its cache.
fn measure(tool: &Path, shape: Shape, units: usize) -> Result<Summary, String> {
    let package = root().join("target/scale");
    let fail = |e: std::io::Error| format!("cannot write {}: {e}", package.display());
    if package.is_dir() {
        std::fs::remove_dir_all(&package).map_err(fail)?;
    }
    std::fs::create_dir_all(package.join("src")).map_err(fail)?;
    std::fs::write(
        package.join("Cargo.toml"),
        "[package]\nname = \"scale\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n",
    )
    .map_err(fail)?;
    std::fs::write(package.join("src/lib.dfy"), program(shape, units)).map_err(fail)?;
    let mut command = Command::new(tool);
    command
        .args(["gen", "--quiet", "--no-cache", "--message-format", "json"])
        .current_dir(&package)
        .env("DTEST_RUNTIME", root().join("dunit"));
    let output = command
        .output()
        .map_err(|e| format!("cannot start {}: {e}", tool.display()))?;
    let last = String::from_utf8_lossy(&output.stdout)
        .lines()
        .last()
        .map(str::to_owned)
        .unwrap_or_default();
    let summary: Summary = serde_json::from_str(&last).map_err(|e| {
        format!(
            "no summary ({e}): {}",
            String::from_utf8_lossy(&output.stderr)
        )
    })?;
    if summary.units == units {
        Ok(summary)
    } else {
        Err(format!("{} units were found, not {units}", summary.units))
    }
}

/// Generates a program with this number of units: functions over numbers and datatypes, methods
/// over sequences and objects.
fn program(shape: Shape, units: usize) -> String {
    let mut text = match shape {
        Shape::Flat => "codatatype Stream = More(head: int, tail: Stream)\ntrait Shape { function Area(): int }\n".to_owned(),
        Shape::Modules => String::new(),
    };
    for i in 0..units {
        let (module, place) = (i / 10, i % 10);
        if matches!(shape, Shape::Modules) && place == 0 {
            let import = if module == 0 {
                String::new()
            } else {
                format!("  import Before = M{}\n", module - 1)
            };
            let close = if module == 0 { "" } else { "}\n" };
            let _ = write!(text, "{close}module M{module} {{\n{import}");
        }
        // The callee is in the previous module, if there is one.
        let callee = match shape {
            Shape::Modules if module > 0 => format!("Before.F{}", (10 * module - 1) / 4 * 4),
            Shape::Modules | Shape::Flat => format!("F{}", i - i % 4),
        };
        text += &match i % 4 {
            0 => format!(
                "function F{i}(n: int): int {{ if n < {place} then n + 1 else if n == {} then 0 else n }}\n",
                place + 5
            ),
            1 => format!(
                "datatype D{i} = A{i} | B{i}(v: nat)\nfunction F{i}(d: D{i}): int ensures F{i}(d) >= 0 {{ match d case A{i} => 0 case B{i}(v) => if v > 3 then v else {place} }}\n"
            ),
            2 => format!(
                "method F{i}(s: seq<int>) returns (r: nat) {{ r := 0; for k := 0 to |s| {{ if s[k] == {callee}(3) {{ r := r + 1; }} }} }}\n"
            ),
            _ => format!(
                "class C{i} {{ var x: int method F{i}(k: int) modifies this {{ if k > {place} {{ x := {callee}(k); }} }} }}\n"
            ),
        };
    }
    if matches!(shape, Shape::Modules) {
        text += "}\n";
    }
    text
}
