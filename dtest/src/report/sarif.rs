//! The texts of this tool in SARIF logs: its name, and the descriptions of its diagnostics.

use dafny_source::diagnostic::sarif::Tool;

/// This tool, as a SARIF log names it.
pub const TOOL: Tool = Tool {
    name: "cargo-dtest",
    version: env!("CARGO_PKG_VERSION"),
    fingerprint: "cargoDtest/v1",
    describe,
};

/// A short description of a rule, derived from its name or its stage.
fn describe(id: &str) -> String {
    let (stage, name) = id.split_once('/').unwrap_or(("", id));
    let words = name.replace('-', " ");
    match (stage, name) {
        ("dead", "proved") => "A block that no execution reaches".into(),
        ("dead", "given-assertions") => "A block that is reached only by executions that violate a proof obligation first".into(),
        ("dead", "within-bounds") => "A block that no execution within the bounds reaches".into(),
        ("dead", "choice") => "A block that is reached only if nondeterministic choices are resolved otherwise than in the tests".into(),
        ("dead", "open") => "A block whose reachability could not be decided".into(),
        ("finding", _) => format!("Inputs that satisfy the precondition and violate the program's own specification: {words}"),
        ("syntax", _) => format!("Dafny's syntax: {words}"),
        ("resolve", _) => format!("Dafny's rules on names and types: {words}"),
        (_, _) => format!("cargo dtest, {stage}: {words}"),
    }
}

#[cfg(test)]
mod tests {
    use super::describe;

    #[test]
    fn a_description_has_the_stage_and_the_name_in_words() {
        assert_eq!(describe("dead/proved"), "A block that no execution reaches");
        assert_eq!(
            describe("resolve/unknown-name"),
            "Dafny's rules on names and types: unknown name"
        );
        assert_eq!(describe("cli/bad-option"), "cargo dtest, cli: bad option");
    }
}
