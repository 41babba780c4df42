//! Parses every `.dfy` file under the given directories and prints what went wrong and the time it took.
//!
//! `cargo run --example parse -- DIR…`

use std::time::Instant;

use dtest::source::SourceMap;

fn main() -> std::io::Result<()> {
    let (mut files, mut clean, mut bytes) = (0, 0, 0);
    let started = Instant::now();
    for root in std::env::args().skip(1) {
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
            let (_, diagnostics) = dtest::syntax::parse(0, &text);
            files += 1;
            bytes += text.len();
            clean += usize::from(!diagnostics.iter().any(|d| d.is_error()));
            for d in diagnostics {
                println!("{}: {}: {}", map.locate(d.span.unwrap_or_default()), d.id, d.message);
            }
        }
    }
    println!("{clean} of {files} files without errors; {bytes} bytes in {:.3} s", started.elapsed().as_secs_f64());
    Ok(())
}
