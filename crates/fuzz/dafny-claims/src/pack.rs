//! Programs of many claims, each in a module of its own, so that a tool starts once for all of
//! them.

use std::ops::RangeInclusive;

use crate::table::Claim;

/// The modules around the declarations of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Wrapping {
    /// None, apart from the module of its own.
    Plain,
    /// A nested module.
    Nested,
    /// A module that refines an empty one.
    Refining,
    /// A module that an empty one refines.
    Refined,
}

impl Wrapping {
    /// All wrappings.
    pub const ALL: [Self; 4] = [Self::Plain, Self::Nested, Self::Refining, Self::Refined];

    /// Returns the name, in results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Nested => "nested",
            Self::Refining => "refining",
            Self::Refined => "refined",
        }
    }

    /// Returns the declarations of a claim in these modules.
    pub fn text(self, claim: &Claim) -> String {
        let text = &claim.text;
        match self {
            Self::Plain => text.clone(),
            Self::Nested => format!("module Outer {{\nmodule Inner {{\n{text}\n}}\n}}"),
            Self::Refining => {
                format!("module Base {{\n}}\nmodule Refining refines Base {{\n{text}\n}}")
            }
            Self::Refined => {
                format!("module Base {{\n{text}\n}}\nmodule Refining refines Base {{\n}}")
            }
        }
    }
}

/// A program of several modules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pack {
    /// The text.
    pub text: String,
    /// The 1-based lines of each module.
    pub lines: Vec<RangeInclusive<u32>>,
}

impl Pack {
    /// Packs declarations, each as a module.
    pub fn new<'t>(parts: impl IntoIterator<Item = &'t str>) -> Self {
        let (mut text, mut lines, mut next) = (String::new(), Vec::new(), 1);
        for (i, part) in parts.into_iter().enumerate() {
            let module = format!("module Claim{i} {{\n{part}\n}}\n");
            let count = module.matches('\n').count() as u32;
            lines.push(next..=next + count - 1);
            next += count;
            text += &module;
        }
        Self { text, lines }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_modules_are_those_of_their_text() {
        let pack = Pack::new(["const a := 1", "const b := 2\nconst c := 3", ""]);
        assert_eq!(pack.lines, [1..=3, 4..=7, 8..=10]);
        let third = pack.text.lines().nth(7).unwrap();
        assert_eq!(third, "module Claim2 {");
    }
}
