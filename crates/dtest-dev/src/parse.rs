//! `cargo dev parse DIR…`: parses every `.dfy` file in the directories, prints the tree, parses the
//! result again, and reports errors and the time.

use crate::Args;
use std::time::{Duration, Instant};

use dafny_source::SourceMap;
use dafny_syntax::erase::EraseSpans;
use dafny_syntax::{file_to_string, parse};

pub(crate) fn run(args: Args) -> std::io::Result<()> {
    let (mut files, mut clean, mut round_trips, mut bytes) = (0, 0, 0, 0);
    let (mut parsing, mut printing) = (Duration::ZERO, Duration::ZERO);
    for root in args {
        for entry in walkdir::WalkDir::new(root).sort_by_file_name() {
            let entry = entry?;
            if entry.path().extension().is_none_or(|e| e != "dfy") {
                continue;
            }
            let Ok(text) = String::from_utf8(std::fs::read(entry.path())?) else {
                println!("{}: not UTF-8", entry.path().display());
                continue;
            };
            let mut map = SourceMap::new();
            map.add(entry.path().display().to_string(), text.as_str(), true);
            let started = Instant::now();
            let (mut file, diagnostics) = parse(0, &text);
            parsing += started.elapsed();
            files += 1;
            bytes += text.len();
            for d in &diagnostics {
                println!(
                    "{}: {}: {}",
                    map.locate(d.span.unwrap_or_default()),
                    d.id,
                    d.message
                );
            }
            if diagnostics.iter().any(|d| d.is_error()) {
                continue;
            }
            clean += 1;
            let started = Instant::now();
            let printed = file_to_string(&file);
            printing += started.elapsed();
            let (mut again, diagnostics) = parse(0, &printed);
            let mut map = SourceMap::new();
            map.add("printed", printed.as_str(), true);
            for d in diagnostics.iter().take(3) {
                println!(
                    "{}: printed: {}: {}: {}",
                    entry.path().display(),
                    map.locate(d.span.unwrap_or_default()),
                    d.id,
                    d.message
                );
            }
            file.erase_spans();
            again.erase_spans();
            if file == again {
                round_trips += 1;
            } else {
                println!(
                    "{}: the printed text has another tree",
                    entry.path().display()
                );
            }
        }
    }
    println!("{clean} of {files} files without errors, {round_trips} print back to the same tree");
    println!(
        "{bytes} bytes: parsing {:.3} s, printing {:.3} s",
        parsing.as_secs_f64(),
        printing.as_secs_f64()
    );
    Ok(())
}
