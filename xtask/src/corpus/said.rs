//! What the tool says with `--message-format json`, a record a line.

use serde::Deserialize;

/// A record, as far as somebody here reads it.
#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Record {
    Output {
        text: String,
    },
    Diagnostic(Message),
    #[serde(other)]
    Other,
}

/// A diagnostic.
#[derive(Deserialize)]
pub(super) struct Message {
    pub(super) id: String,
    pub(super) severity: String,
    pub(super) message: String,
}

impl Message {
    pub(super) fn is_error(&self) -> bool {
        self.severity == "error"
    }

    /// The stage of the tool that its id begins with: `syntax` of `syntax/unknown-character`.
    pub(super) fn stage(&self) -> &str {
        self.id.split('/').next().unwrap_or_default()
    }
}

impl std::fmt::Display for Message {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}[{}]: {}", self.severity, self.id, self.message)
    }
}

/// All that a run of the tool says.
#[derive(Default)]
pub(super) struct Said {
    /// What the Dafny program prints.
    pub(super) output: String,
    /// The diagnostics, in their order.
    pub(super) messages: Vec<Message>,
}

impl Said {
    /// Reads standard output. What is no record, of a tool that does not get to its first message, is left out.
    pub(super) fn read(stdout: &str) -> Self {
        let mut said = Self::default();
        for line in stdout.lines() {
            match serde_json::from_str(line) {
                Ok(Record::Output { text }) => said.output.push_str(&text),
                Ok(Record::Diagnostic(message)) => said.messages.push(message),
                Ok(Record::Other) | Err(_) => {}
            }
        }
        said
    }

    pub(super) fn has(&self, id: &str) -> bool {
        self.messages.iter().any(|m| m.id == id)
    }

    pub(super) fn first_error(&self) -> Option<&Message> {
        self.messages.iter().find(|m| m.is_error())
    }
}

#[cfg(test)]
mod tests {
    use super::Said;

    #[test]
    fn output_comes_in_parts_and_records_of_other_kinds_are_left_out() {
        let said = Said::read(concat!(
            r#"{"kind":"output","text":"1\n"}"#,
            "\n",
            r#"{"kind":"total","units":3}"#,
            "\n",
            r#"{"kind":"diagnostic","id":"run/failed","severity":"error","message":"no","secondary":[],"notes":[]}"#,
            "\n",
            r#"{"kind":"output","text":"2"}"#,
            "\n"
        ));
        assert_eq!(said.output, "1\n2");
        assert!(
            said.has("run/failed") && said.first_error().is_some_and(|m| m.stage() == "run" && m.to_string() == "error[run/failed]: no")
        );
    }
}
