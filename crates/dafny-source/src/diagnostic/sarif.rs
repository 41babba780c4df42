//! SARIF 2.1.0 (OASIS standard) output: a log with one run, for code scanning.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{Diagnostic, FlowStep, Severity};
use crate::{SourceMap, Span};

/// The URL of the format's schema.
const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// The tool that a log names as its author.
#[derive(Debug, Clone, Copy)]
pub struct Tool {
    /// The name.
    pub name: &'static str,
    /// The semantic version.
    pub version: &'static str,
    /// The key of the fingerprints, with the version of their algorithm: `name/v1`.
    pub fingerprint: &'static str,
    /// Returns a short description of the diagnostics with an id.
    pub describe: fn(id: &str) -> String,
}

/// The diagnostics added so far.
#[derive(Debug, Default)]
pub struct Log {
    results: Vec<Said>,
    /// The number of occurrences of each message. It distinguishes fingerprints of equal messages,
    /// which must not depend on line numbers.
    seen: BTreeMap<String, u32>,
}

#[derive(Debug)]
struct Said {
    rule: &'static str,
    severity: Severity,
    message: String,
    location: Option<Value>,
    related: Vec<Value>,
    flow: Vec<Value>,
    fingerprint: String,
}

impl Log {
    /// Adds a diagnostic.
    pub fn add(&mut self, diagnostic: &Diagnostic, sources: &SourceMap) {
        let path = diagnostic
            .span
            .and_then(|s| sources.file_at(s.start))
            .map_or("", |(_, f)| f.path.as_str());
        let text = diagnostic.span.map_or("", |s| sources.text(s));
        let same = format!("{}\0{path}\0{}\0{text}", diagnostic.id, diagnostic.message);
        let count = self.seen.entry(same.clone()).or_default();
        let hash = Sha256::digest(format!("{same}\0{count}"));
        *count += 1;
        let related = diagnostic
            .labels
            .iter()
            .zip(1..)
            .filter_map(|(l, id)| location(l.span, sources, Some((id, &l.message))));
        let mut message = vec![diagnostic.message.clone()];
        message.extend(
            diagnostic
                .label
                .iter()
                .filter(|l| **l != diagnostic.message)
                .cloned(),
        );
        message.extend(diagnostic.notes.iter().cloned());
        message.extend(diagnostic.help.iter().cloned());
        self.results.push(Said {
            rule: diagnostic.id,
            severity: diagnostic.severity,
            message: message.join("\n"),
            location: diagnostic.span.and_then(|s| location(s, sources, None)),
            related: related.collect(),
            flow: diagnostic
                .flow
                .iter()
                .zip(1..)
                .filter_map(|(step, n)| flow_location(step, n, sources))
                .collect(),
            fingerprint: hash.iter().take(16).map(|b| format!("{b:02x}")).collect(),
        });
    }

    /// Returns the log of `tool` as JSON, with a final newline.
    pub fn render(&self, tool: &Tool) -> String {
        let mut ids: Vec<&'static str> = self.results.iter().map(|r| r.rule).collect();
        ids.sort_unstable();
        ids.dedup();
        let rules: Vec<Value> = ids.iter().map(|id| self.rule(id, tool)).collect();
        let results: Vec<Value> = self
            .results
            .iter()
            .map(|r| result(r, ids.binary_search(&r.rule).unwrap_or_default(), tool))
            .collect();
        let log = json!({
            "$schema": SCHEMA,
            "version": "2.1.0",
            "runs": [{
                "tool": { "driver": {
                    "name": tool.name,
                    "version": tool.version,
                    "semanticVersion": tool.version,
                    "rules": rules,
                } },
                "columnKind": "unicodeCodePoints",
                "originalUriBaseIds": { "%SRCROOT%": { "description": { "text": "the root of the package" } } },
                "results": results,
            }],
        });
        // Serialization of strings, numbers and maps with string keys cannot fail.
        serde_json::to_string_pretty(&log).unwrap_or_default() + "\n"
    }

    fn rule(&self, id: &str, tool: &Tool) -> Value {
        let severity = self
            .results
            .iter()
            .find(|r| r.rule == id)
            .map_or(Severity::Warning, |r| r.severity);
        let name: String = id.split(['/', '-']).map(capitalized).collect();
        json!({
            "id": id,
            "name": name,
            "shortDescription": { "text": (tool.describe)(id) },
            "defaultConfiguration": { "level": level(severity) },
        })
    }
}

fn result(said: &Said, rule: usize, tool: &Tool) -> Value {
    let mut result = json!({
        "ruleId": said.rule,
        "ruleIndex": rule,
        "level": level(said.severity),
        "message": { "text": said.message },
        "locations": said.location.iter().collect::<Vec<_>>(),
        "partialFingerprints": { (tool.fingerprint): said.fingerprint },
    });
    if let (false, Some(object)) = (said.related.is_empty(), result.as_object_mut()) {
        object.insert("relatedLocations".into(), json!(said.related));
    }
    if let (false, Some(object)) = (said.flow.is_empty(), result.as_object_mut()) {
        object.insert(
            "codeFlows".into(),
            json!([{ "threadFlows": [{ "locations": said.flow }] }]),
        );
    }
    result
}

/// A step of an execution (section 3.38): its location, call depth and values.
fn flow_location(step: &FlowStep, order: u32, sources: &SourceMap) -> Option<Value> {
    let mut location = location(step.span, sources, None)?;
    location
        .as_object_mut()?
        .insert("message".into(), json!({ "text": step.message }));
    let state: serde_json::Map<String, Value> = step
        .state
        .iter()
        .map(|(name, value)| (name.clone(), json!({ "text": value })))
        .collect();
    Some(
        json!({ "location": location, "nestingLevel": step.depth, "executionOrder": order, "state": state }),
    )
}

/// A location, with a number and a text if it is a related one.
fn location(span: Span, sources: &SourceMap, related: Option<(u32, &str)>) -> Option<Value> {
    let (_, file) = sources.file_at(span.start)?;
    let (from, to) = (
        sources.line_column(span.start)?,
        sources.line_column(span.end)?,
    );
    let is_absolute = file.path.starts_with('/');
    let mut artifact = json!({ "uri": if is_absolute { format!("file://{}", uri(&file.path)) } else { uri(&file.path) } });
    if let (false, Some(object)) = (is_absolute, artifact.as_object_mut()) {
        object.insert("uriBaseId".into(), json!("%SRCROOT%"));
    }
    let mut location = json!({ "physicalLocation": {
        "artifactLocation": artifact,
        "region": { "startLine": from.line, "startColumn": from.column, "endLine": to.line, "endColumn": to.column },
    } });
    if let (Some((id, text)), Some(object)) = (related, location.as_object_mut()) {
        object.insert("id".into(), json!(id));
        object.insert("message".into(), json!({ "text": text }));
    }
    Some(location)
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

/// Converts a path to a relative reference (RFC 3986, section 4.2).
fn uri(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for b in path.bytes() {
        match b {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                out.push(char::from(b))
            }
            _ => out += &format!("%{b:02X}"),
        }
    }
    out
}

fn capitalized(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map_or_else(String::new, |c| {
        c.to_ascii_uppercase().to_string() + chars.as_str()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOOL: Tool = Tool {
        name: "a tool",
        version: "1.2.3",
        fingerprint: "tool/v1",
        describe: str::to_uppercase,
    };

    fn sample(source: &str) -> Value {
        let mut sources = SourceMap::new();
        sources.add("src/a b.dfy", source, true);
        let start = source.find("yy").unwrap() as u32;
        let mut log = Log::default();
        let dead = Diagnostic::warning("dead/proved", Span::new(start, start + 2), "never")
            .with_secondary(Span::new(0, 1), "since");
        let step = FlowStep {
            span: Span::new(0, 1),
            message: "x".into(),
            depth: 2,
            state: vec![("n".into(), "1".into())],
        };
        let dead = dead.with_flow(vec![step]);
        log.add(&dead, &sources);
        log.add(&dead, &sources);
        log.add(&Diagnostic::global("cli/bad", "wrong"), &sources);
        serde_json::from_str(&log.render(&TOOL)).unwrap()
    }

    /// Checks the properties that the schema requires for our output, and their allowed values
    /// (SARIF 2.1.0, sections 3.13, 3.14, 3.18, 3.19, 3.27, 3.28, 3.29, 3.30, 3.49).
    #[test]
    fn a_log_has_what_the_schema_requires() {
        let log = sample("x\nyy zz\n");
        assert_eq!(
            (
                log["version"].as_str(),
                log["runs"].as_array().unwrap().len()
            ),
            (Some("2.1.0"), 1)
        );
        let run = &log["runs"][0];
        let driver = &run["tool"]["driver"];
        assert_eq!(
            (driver["name"].as_str(), driver["version"].as_str()),
            (Some("a tool"), Some("1.2.3"))
        );
        let rules = driver["rules"].as_array().unwrap();
        for rule in rules {
            assert_eq!(
                rule["id"].as_str().map(str::to_uppercase).as_deref(),
                rule["shortDescription"]["text"].as_str()
            );
            assert!(
                ["error", "warning", "note", "none"]
                    .contains(&rule["defaultConfiguration"]["level"].as_str().unwrap())
            );
        }
        for result in run["results"].as_array().unwrap() {
            assert!(result["message"]["text"].is_string());
            let index = result["ruleIndex"].as_u64().unwrap() as usize;
            assert_eq!(rules[index]["id"], result["ruleId"]);
            for location in result["locations"]
                .as_array()
                .unwrap()
                .iter()
                .chain(result["relatedLocations"].as_array().into_iter().flatten())
            {
                let place = &location["physicalLocation"];
                assert_eq!(place["artifactLocation"]["uri"], "src/a%20b.dfy");
                assert!(
                    place["region"]["startLine"].as_u64().unwrap() >= 1
                        && place["region"]["startColumn"].as_u64().unwrap() >= 1
                );
            }
            assert!(result["partialFingerprints"]["tool/v1"].is_string());
        }
    }

    #[test]
    fn locations_and_related_locations_match_the_diagnostic() {
        let log = sample("x\nyy zz\n");
        let result = &log["runs"][0]["results"][0];
        assert_eq!(
            result["locations"][0]["physicalLocation"]["region"],
            json!({ "startLine": 2, "startColumn": 1, "endLine": 2, "endColumn": 3 })
        );
        assert_eq!(result["relatedLocations"][0]["message"]["text"], "since");
        assert_eq!(log["runs"][0]["results"][2]["locations"], json!([]));
    }

    /// Checks code flows against sections 3.36 to 3.38.
    #[test]
    fn steps_are_code_flows() {
        let log = sample("x\nyy zz\n");
        let step = &log["runs"][0]["results"][0]["codeFlows"][0]["threadFlows"][0]["locations"][0];
        assert_eq!(
            (
                step["nestingLevel"].as_u64(),
                step["executionOrder"].as_u64()
            ),
            (Some(2), Some(1))
        );
        assert_eq!(
            (
                step["state"]["n"]["text"].as_str(),
                step["location"]["message"]["text"].as_str()
            ),
            (Some("1"), Some("x"))
        );
        assert!(log["runs"][0]["results"][2].get("codeFlows").is_none());
    }

    #[test]
    fn fingerprints_distinguish_results_and_survive_moved_lines() {
        let prints = |source| {
            let log = sample(source);
            [0, 1, 2]
                .map(|i| log["runs"][0]["results"][i]["partialFingerprints"]["tool/v1"].clone())
        };
        let (before, after) = (prints("x\nyy zz\n"), prints("x\n\n\n  yy zz\n"));
        assert_eq!(before, after);
        assert!(before[0] != before[1] && before[1] != before[2]);
    }
}
