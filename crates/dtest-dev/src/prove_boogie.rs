//! `cargo dev prove-boogie FILE…`: prints the obligations of Boogie programs that the solver proves
//! without executions, with times.

use crate::Args;
use std::time::Instant;

use boogie_resolve::typed::ProcedureId;
use dafny_source::SourceMap;
use dtest_boogie::{Proofs, obligations};

pub(crate) fn run(args: Args) {
    for file in args {
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        let mut sources = SourceMap::new();
        let _ = sources.add(file.clone(), text.as_str(), true);
        let (parsed, diagnostics) = boogie_syntax::parse(0, &text);
        let Some(program) = boogie_resolve::resolve(&parsed)
            .ok()
            .filter(|_| diagnostics.is_empty())
        else {
            println!("{file}: not read");
            continue;
        };
        let mut proofs = Proofs::new(&program);
        for (i, p) in program
            .procedures
            .iter()
            .enumerate()
            .filter(|(_, p)| !p.implementations.is_empty())
        {
            let id = ProcedureId(i as u32);
            let (start, mut effort) = (Instant::now(), 40_000_000);
            let proved = proofs.of(id, &mut effort);
            let all = obligations(&program, id);
            let spent = (40_000_000 - effort) as f64 / 1e6;
            println!(
                "{file} {}: {} of {} proved, {spent:.1} M, {:.2}s",
                p.name,
                proved.len(),
                all.len(),
                start.elapsed().as_secs_f64()
            );
            for (kind, span) in all.iter().filter(|p| !proved.contains(p)) {
                println!("    not: {} {}", kind.text(), sources.locate(*span));
            }
        }
    }
}
