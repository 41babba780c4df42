//! The part of makefiles (GNU make) that says how Dafny is run: variables and recipes.
//!
//! Conditions are not evaluated, and no program is run: a reference to what only make knows is left
//! out, and named in a note.

use dtest_sorted::SortedMap;

/// Maximum depth of variables that refer to others: a variable may refer to itself.
const MAX_DEPTH: usize = 32;
/// Maximum number of references in the expansion of a text, and maximum length of it in bytes:
/// variables may double in each step.
const MAX_STEPS: usize = 100_000;

/// A makefile.
#[derive(Debug, Default)]
pub(super) struct Makefile {
    variables: SortedMap<String, String>,
    recipes: Vec<Recipe>,
    /// Makefiles that are included, which are not read.
    included: Vec<String>,
}

/// A line of a recipe.
#[derive(Debug)]
pub(super) struct Recipe {
    /// The text, as written.
    text: String,
    /// The prerequisites of its rule, as written.
    needs: String,
}

impl Makefile {
    /// Reads a text. Every text is a makefile: lines that mean nothing here are skipped.
    pub(super) fn read(text: &str) -> Self {
        let mut makefile = Self::default();
        let mut needs = String::new();
        for line in lines(text) {
            if let Some(recipe) = line.strip_prefix('\t') {
                makefile.recipes.push(Recipe {
                    text: recipe.trim_start_matches(['@', '-', '+', ' ']).to_owned(),
                    needs: needs.clone(),
                });
                continue;
            }
            let line = line.split('#').next().unwrap_or("").trim();
            let include = line.strip_prefix('-').unwrap_or(line);
            if let Some((name, operator, value)) = assignment(line) {
                makefile.assign(name, operator, value);
            } else if let Some(path) = include.strip_prefix("include ") {
                makefile.included.push(path.trim().to_owned());
            } else if let Some((_, rest)) = line.split_once(':') {
                // Order-only prerequisites, after `|`, are no inputs.
                rest.split('|')
                    .next()
                    .unwrap_or("")
                    .trim()
                    .clone_into(&mut needs);
            }
        }
        makefile
    }

    fn assign(&mut self, name: &str, operator: &str, value: &str) {
        match operator {
            "?=" if self.variables.contains_key(name) => {}
            "+=" => {
                let known = self.variables.entry(name.to_owned()).or_default();
                if !known.is_empty() {
                    known.push(' ');
                }
                known.push_str(value);
            }
            // The values of `:=` are those of the variables so far.
            ":=" | "::=" => {
                let (value, _) = self.expand(value, "");
                self.variables.insert(name.to_owned(), value);
            }
            _ => {
                self.variables.insert(name.to_owned(), value.to_owned());
            }
        }
    }

    /// The lines of all recipes.
    pub(super) fn recipes(&self) -> impl Iterator<Item = &Recipe> {
        self.recipes.iter()
    }

    /// Remarks on the makefile as a whole.
    pub(super) fn notes(&self) -> Vec<String> {
        let note = |path: &String| format!("the included makefile `{path}` is not read");
        self.included.iter().map(note).collect()
    }

    /// Returns a line with the values of its variables, and a note for each reference without a
    /// known value.
    pub(super) fn expanded(&self, recipe: &Recipe) -> (String, Vec<String>) {
        let (needs, _) = self.expand(&recipe.needs, "");
        let (text, unknown) = self.expand(&recipe.text, &needs);
        let note = |name: String| format!("`{name}` has no known value, and is left out");
        (text, unknown.into_iter().map(note).collect())
    }

    /// Expands the references in a text. Also returns those without a known value, each once.
    fn expand(&self, text: &str, needs: &str) -> (String, Vec<String>) {
        let mut expansion = Expansion {
            variables: &self.variables,
            needs,
            steps: 0,
            out: String::new(),
            unknown: Vec::new(),
        };
        expansion.add(text, 0);
        (expansion.out, expansion.unknown)
    }
}

/// The expansion of a text.
struct Expansion<'m> {
    variables: &'m SortedMap<String, String>,
    /// The prerequisites of the rule.
    needs: &'m str,
    /// The number of references so far.
    steps: usize,
    out: String,
    unknown: Vec<String>,
}

impl Expansion<'_> {
    /// Adds a text with its references replaced.
    fn add(&mut self, text: &str, depth: usize) {
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('$') {
            self.out.push_str(before);
            let (name, length) = reference(after);
            rest = after.get(length..).unwrap_or("");
            self.steps += 1;
            if depth > MAX_DEPTH || self.steps > MAX_STEPS || self.out.len() > MAX_STEPS {
                self.is_unknown(name);
                return;
            }
            match name {
                "$" => self.out.push('$'),
                "<" => self
                    .out
                    .push_str(self.needs.split_whitespace().next().unwrap_or("")),
                "^" | "+" => self.out.push_str(self.needs),
                name => self.variable(name, depth),
            }
        }
        self.out.push_str(rest);
    }

    fn variable(&mut self, name: &str, depth: usize) {
        let pattern = name.strip_prefix("wildcard ").map(str::trim);
        let variables = self.variables;
        // The environment often has this one, whose value is clear.
        let dafny = (name == "DAFNY").then_some("dafny");
        let value = variables.get(name).map(String::as_str).or(dafny);
        match pattern.or(value) {
            Some(value) => self.add(value, depth + 1),
            None => self.is_unknown(name),
        }
    }

    fn is_unknown(&mut self, name: &str) {
        let shown = if name.chars().count() > 1 {
            format!("$({name})")
        } else {
            format!("${name}")
        };
        if !self.unknown.contains(&shown) {
            self.unknown.push(shown);
        }
    }
}

/// The lines of a text; one that ends in a backslash continues on the next.
fn lines(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut continues = false;
    for line in text.lines() {
        let (part, goes_on) = match line.trim_end().strip_suffix('\\') {
            Some(part) => (part.trim_end(), true),
            None => (line, false),
        };
        match lines.last_mut().filter(|_| continues) {
            Some(last) => {
                last.push(' ');
                last.push_str(part.trim_start());
            }
            None => lines.push(part.to_owned()),
        }
        continues = goes_on;
    }
    lines
}

/// Splits `NAME := value` into its parts.
fn assignment(line: &str) -> Option<(&str, &str, &str)> {
    let line = line.strip_prefix("export ").unwrap_or(line);
    let (left, value) = line.split_once('=')?;
    let name = left.trim_end_matches([':', '?', '+', ' ', '\t']);
    let operator = line.get(name.len()..left.len() + 1)?.trim();
    let is_name = !name.is_empty() && !name.contains([' ', ':', '$', '\t']);
    let is_known = ["=", ":=", "::=", "?=", "+="].contains(&operator);
    (is_name && is_known).then_some((name, operator, value.trim()))
}

/// Reads a reference after its `$`: the name without parentheses, and the length with them.
fn reference(text: &str) -> (&str, usize) {
    let close = match text.chars().next() {
        Some('(') => ')',
        Some('{') => '}',
        Some(c) => return (text.get(..c.len_utf8()).unwrap_or(""), c.len_utf8()),
        None => return ("", 0),
    };
    let open = if close == ')' { '(' } else { '{' };
    let mut depth = 0;
    for (i, c) in text.char_indices() {
        depth += i32::from(c == open) - i32::from(c == close);
        if depth == 0 {
            return (text.get(1..i).unwrap_or(""), i + 1);
        }
    }
    (text.get(1..).unwrap_or(""), text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(text: &str) -> Vec<(String, Vec<String>)> {
        let makefile = Makefile::read(text);
        makefile.recipes().map(|r| makefile.expanded(r)).collect()
    }

    #[test]
    fn variables_are_expanded_in_recipes() {
        let text = "SRC = $(DIR)/a.dfy # the file\nDIR := src\nFLAGS ?= --unicode-char:false\nFLAGS ?= x\nFLAGS += --library \\\n  lib.dfy\n\nall: $(SRC) other.dfy | dir\n\t@$(DAFNY) translate rs ${FLAGS} $< $(wildcard lib/*.dfy) $$HOME\n";
        let line =
            "dafny translate rs --unicode-char:false --library lib.dfy src/a.dfy lib/*.dfy $HOME";
        assert_eq!(expanded(text), [(line.to_owned(), Vec::new())]);
    }

    #[test]
    fn unknown_circular_and_exploding_references_are_named_and_end() {
        let (text, unknown) =
            expanded("A = $(B)\nB = $(A)\nx:\n\tdafny $(shell ls) a $(A)").remove(0);
        assert!(text.starts_with("dafny  a "), "{text}");
        assert!(unknown[0].contains("$(shell ls)"), "{unknown:?}");
        for leaf in ["", "xxxxxxxxxx"] {
            let mut text = format!("V0 = {leaf}\n");
            for i in 1..31 {
                text += &format!("V{i} = $(V{0})$(V{0})\n", i - 1);
            }
            text += "x:\n\tdafny $(V30)";
            assert!(expanded(&text)[0].0.len() < 2 * MAX_STEPS);
        }
    }

    #[test]
    fn no_text_panics() {
        let text = "A=$(\n${\nx: $\n\t$(é\n=b\n:=\n\t";
        for end in (0..=text.len()).filter(|i| text.is_char_boundary(*i)) {
            let _any = expanded(&text[..end]);
        }
    }
}
