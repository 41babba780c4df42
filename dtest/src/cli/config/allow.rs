//! The lists `allow` of `dtest.toml`: findings that the authors accept.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::Wrong;

/// A table with a list `allow`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum AllowTable {
    /// `[violations]`: obligations, for `check` and `gen`.
    Violations,
    /// `[mutants]`: surviving mutants.
    Mutants,
    /// `[dead]`: dead blocks.
    Dead,
}

impl AllowTable {
    /// All tables.
    pub const ALL: [Self; 3] = [Self::Violations, Self::Mutants, Self::Dead];

    /// The name of the table.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Violations => "violations",
            Self::Mutants => "mutants",
            Self::Dead => "dead",
        }
    }

    /// Whether an entry may be a key alone. Dead code needs no reason: an assertion or an attribute
    /// beside it may give one.
    const fn takes_keys_alone(self) -> bool {
        match self {
            Self::Violations | Self::Mutants => false,
            Self::Dead => true,
        }
    }
}

/// An entry of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allowance {
    /// The key of a finding, or the path of a unit whose findings are all allowed.
    pub key: String,
    /// The reason.
    pub reason: Option<String>,
}

/// Returns the entries of the lists `allow` of the file.
pub(super) fn lists(top: &DeTable<'_>) -> Result<Vec<(AllowTable, Vec<Allowance>)>, Wrong> {
    let mut found = Vec::new();
    for table in AllowTable::ALL {
        let value = top.get(table.name()).map(Spanned::get_ref);
        let Some(DeValue::Table(options)) = value else {
            continue;
        };
        let Some(list) = options.get(ALLOW) else {
            continue;
        };
        let DeValue::Array(entries) = list.get_ref() else {
            let message = format!(
                "`{ALLOW}` must be a list, not {}",
                list.get_ref().type_str()
            );
            return Err(Wrong::at(list.span(), message));
        };
        let entries = entries.iter().map(|e| entry(table, e));
        found.push((table, entries.collect::<Result<_, _>>()?));
    }
    Ok(found)
}

/// The key of the lists.
pub(super) const ALLOW: &str = "allow";

fn entry(table: AllowTable, value: &Spanned<DeValue<'_>>) -> Result<Allowance, Wrong> {
    let wrong = |message: String| {
        let help = "write `{ key = \"…\", reason = \"…\" }`; `--show-keys` prints the keys";
        Err(Wrong::at(value.span(), message).with_help(help))
    };
    let name = table.name();
    let fields = match value.get_ref() {
        DeValue::Table(fields) => fields,
        DeValue::String(key) if table.takes_keys_alone() => {
            return Ok(Allowance {
                key: key.to_string(),
                reason: None,
            });
        }
        DeValue::String(key) => {
            return wrong(format!("{key:?} under [{name}] has no reason"));
        }
        DeValue::Integer(_)
        | DeValue::Float(_)
        | DeValue::Boolean(_)
        | DeValue::Datetime(_)
        | DeValue::Array(_) => {
            return wrong(format!(
                "an entry of `{ALLOW}` must be a table, not {}",
                value.get_ref().type_str()
            ));
        }
    };
    for (field, _) in fields.iter() {
        if !["key", "reason"].contains(&&**field.get_ref()) {
            let message = format!("unknown key `{}`", field.get_ref());
            return Err(
                Wrong::at(field.span(), message).with_help("an entry has `key` and `reason`")
            );
        }
    }
    let text = |field: &str| -> Result<Option<String>, Wrong> {
        match fields.get(field) {
            None => Ok(None),
            Some(text) => match text.get_ref() {
                DeValue::String(s) if !s.trim().is_empty() => Ok(Some(s.to_string())),
                DeValue::String(_) => Err(Wrong::at(
                    text.span(),
                    format!("`{field}` must not be empty"),
                )),
                other @ (DeValue::Integer(_)
                | DeValue::Float(_)
                | DeValue::Boolean(_)
                | DeValue::Datetime(_)
                | DeValue::Array(_)
                | DeValue::Table(_)) => Err(Wrong::at(
                    text.span(),
                    format!("`{field}` must be a string, not {}", other.type_str()),
                )),
            },
        }
    };
    let Some(key) = text("key")? else {
        return wrong(format!("an entry under [{name}] has no key"));
    };
    let reason = text("reason")?;
    if reason.is_none() && !table.takes_keys_alone() {
        return wrong(format!("{key:?} under [{name}] has no reason"));
    }
    Ok(Allowance { key, reason })
}
