//! Reading of the files with cases for `spec --cases`.

use std::path::PathBuf;

use crate::cli::error::ExpectedError;
use crate::cli::files;
use crate::message::MessageId;
use crate::pipeline::spec_cases::{Written, WrittenReference};
use dafny_source::diagnostic::Diagnostic;
use dtest_sorted::SortedMap;

/// The cases of a unit.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Unit {
    unit: String,
    #[serde(default)]
    accept: Vec<Values>,
    #[serde(default)]
    reject: Vec<Values>,
    /// A callable whose results the contract has to accept.
    reference: Option<String>,
}

/// Values by name, as Dafny expressions.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Values {
    #[serde(default)]
    inputs: SortedMap<String, String>,
    #[serde(default)]
    results: SortedMap<String, String>,
}

/// The content of files with cases.
#[derive(Default)]
pub(super) struct Cases {
    /// Inputs and results.
    pub(super) cases: Vec<Written>,
    /// Callables whose results contracts have to accept.
    pub(super) references: Vec<WrittenReference>,
}

/// Reads files with cases.
///
/// # Errors
/// A file that cannot be read, or does not have the form of cases.
pub(super) fn read(paths: &[PathBuf]) -> Result<Cases, ExpectedError> {
    let mut cases = Vec::new();
    let mut references = Vec::new();
    for path in paths {
        let wrong = |reason: String| {
            let message = format!("`{}`: {reason}", path.display());
            ExpectedError::from(Diagnostic::global(MessageId::SpecBadCase, message))
        };
        let text = files::read_text(path).map_err(|e| wrong(e.to_string()))?;
        let units: Vec<Unit> = serde_json::from_str(&text).map_err(|e| wrong(e.to_string()))?;
        for unit in units {
            references.extend(unit.reference.map(|reference| WrittenReference {
                place: path.display().to_string(),
                unit: unit.unit.clone(),
                reference,
            }));
            let accept = unit.accept.into_iter().map(|v| (v, true));
            let all = accept.chain(unit.reject.into_iter().map(|v| (v, false)));
            for (values, is_accepted) in all {
                cases.push(Written {
                    place: path.display().to_string(),
                    unit: unit.unit.clone(),
                    inputs: values.inputs,
                    results: values.results,
                    is_accepted,
                });
            }
        }
    }
    Ok(Cases { cases, references })
}
