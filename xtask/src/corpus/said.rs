//! The output of the tool with `--message-format json`, one record per line.

use serde::Deserialize;

/// The used fields of a record.
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

    /// Returns the stage that its id begins with: `syntax` for `syntax/unknown-character`.
    pub(super) fn stage(&self) -> &str {
        self.id.split('/').next().unwrap_or_default()
    }
}

impl std::fmt::Display for Message {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}[{}]: {}", self.severity, self.id, self.message)
    }
}

/// The output of a run of the tool.
#[derive(Default)]
pub(super) struct Said {
    /// The output of the Dafny program.
    pub(super) output: String,
    /// The diagnostics, in order.
    pub(super) messages: Vec<Message>,
}

impl Said {
    /// Parses standard output. Lines that are not records are ignored: the tool may fail before its
    /// first message.
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
