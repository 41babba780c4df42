//! `cargo dev plant-mistakes FILE CORPORA OUT`: creates programs with one error in each, as input
//! for `check`.
//!
//! Each line of FILE is a JSON object: the `path` of a program in CORPORA, `line` and `column`
//! (counted from 1) of the text `old`, its replacement `new`, the `verdict` of Dafny's verifier on
//! the result (`errors` or `verified`) and its `errors` (`line`, `message`). OUT receives a folder
//! of programs for each verdict; `errors` has a manifest of the errors.

use crate::Args;
use std::path::{Path, PathBuf};

use dtest_sorted::SortedMap;
use serde_json::{Value, json};

pub(crate) fn run(args: Args) -> Result<(), String> {
    let args: Vec<PathBuf> = args.map(PathBuf::from).collect();
    let [file, corpora, out] = args.as_slice() else {
        return Err("FILE, CORPORA and OUT are expected".into());
    };
    let text = std::fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
    let mut manifests: SortedMap<String, Vec<Value>> = SortedMap::new();
    for (number, line) in (1..).zip(text.lines()) {
        let row: Value = serde_json::from_str(line).map_err(|e| format!("line {number}: {e}"))?;
        let verdict = row["verdict"]
            .as_str()
            .ok_or_else(|| format!("line {number}: no verdict"))?;
        let name = format!("{number:03}.dfy");
        let program = planted(&row, corpora)
            .ok_or_else(|| format!("line {number}: the text is not where it should be"))?;
        write(&out.join(verdict).join(&name), &program)?;
        manifests
            .entry(verdict.to_owned())
            .or_default()
            .push(listed(&row, &name));
    }
    for (verdict, rows) in &manifests {
        println!("{verdict}: {}", rows.len());
        if verdict == "errors" {
            write(
                &out.join(verdict).join("manifest.json"),
                &Value::from(rows.clone()).to_string(),
            )?;
        }
    }
    Ok(())
}

/// The text of the program with the error.
fn planted(row: &Value, corpora: &Path) -> Option<String> {
    let text = std::fs::read_to_string(corpora.join(row["path"].as_str()?)).ok()?;
    let (line, column) = (
        row["line"].as_u64()? as usize,
        row["column"].as_u64()? as usize,
    );
    let (old, new) = (row["old"].as_str()?, row["new"].as_str()?);
    let mut lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
    let changed = lines.get_mut(line.checked_sub(1)?)?;
    let at = changed
        .char_indices()
        .map(|(i, _)| i)
        .nth(column.checked_sub(1)?)?;
    let rest = changed.get(at..)?.strip_prefix(old)?;
    *changed = format!("{}{new}{rest}", changed.get(..at)?);
    Some(lines.join("\n"))
}

/// The entry of the program in the manifest.
fn listed(row: &Value, name: &str) -> Value {
    let error = |e: &Value| json!({ "line": e["line"], "text": e["message"], "related": [] });
    let errors: Vec<Value> = row["errors"]
        .as_array()
        .into_iter()
        .flatten()
        .map(error)
        .collect();
    json!({ "path": name, "kind": "verify", "flags": [], "errors": errors })
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    let folder = path.parent().map_or(Ok(()), std::fs::create_dir_all);
    folder
        .and_then(|()| std::fs::write(path, text))
        .map_err(|e| format!("{}: {e}", path.display()))
}
