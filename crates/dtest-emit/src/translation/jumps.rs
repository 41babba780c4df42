//! The statements around a statement that jumps may leave or repeat.

use dafny_resolve::typed::{BreakTarget, Name};

/// A statement that a jump may leave or repeat.
#[derive(Debug, Clone)]
pub(super) enum Jump {
    /// A loop: its labels in Dafny, its label in Rust.
    Loop(Vec<Name>, String),
    /// A labelled statement.
    Labelled(Vec<Name>, String),
    /// A generated labelled block: a jump out of it needs a label.
    Block,
}

/// The enclosing statements that jumps may leave or repeat, and the labels that jumps need.
#[derive(Default)]
pub(super) struct Jumps {
    /// The enclosing statements, innermost last.
    enclosing: Vec<Jump>,
    used: Vec<String>,
}

impl Jumps {
    /// Enters a statement; [`Self::leave`] ends it.
    pub(super) fn enter(&mut self, jump: Jump) {
        self.enclosing.push(jump);
    }

    /// Leaves the innermost statement.
    pub(super) fn leave(&mut self) {
        self.enclosing.pop();
    }

    /// Whether a jump needs the label, so that it has to be written.
    pub(super) fn is_used(&self, label: &str) -> bool {
        self.used.iter().any(|l| l == label)
    }

    /// Finds the target of a `break` or `continue`. Returns the label that the jump needs, if any;
    /// `None` if no enclosing statement is the target.
    pub(super) fn resolve(&mut self, target: &BreakTarget) -> Option<Option<String>> {
        // From the innermost construct outwards. A label is needed unless the target is the
        // innermost loop and no block is left on the way.
        let (mut loops, mut crossed, mut found) = (0u32, false, None);
        for jump in self.enclosing.iter().rev() {
            match (jump, target) {
                (
                    Jump::Loop(labels, name) | Jump::Labelled(labels, name),
                    BreakTarget::Label(l),
                ) if labels.contains(l) => {
                    let innermost = loops == 0 && !crossed && matches!(jump, Jump::Loop(..));
                    found = Some((name.clone(), innermost));
                    break;
                }
                (Jump::Loop(_, name), BreakTarget::Loops(n)) => {
                    loops += 1;
                    if loops == *n {
                        found = Some((name.clone(), loops == 1 && !crossed));
                        break;
                    }
                }
                (Jump::Loop(..), BreakTarget::Label(_)) => loops += 1,
                (Jump::Block, _) | (Jump::Labelled(..), _) => crossed = true,
            }
        }
        let (name, is_plain) = found?;
        let label = (!is_plain).then_some(name);
        self.used.extend(label.clone());
        Some(label)
    }

    /// Returns the label that a `continue` of the loop with this Rust label needs, if any.
    pub(super) fn repeat(&mut self, label: &str) -> Option<String> {
        let is_innermost = matches!(self.enclosing.last(), Some(Jump::Loop(_, l)) if l == label);
        let label = (!is_innermost).then(|| label.to_owned());
        self.used.extend(label.clone());
        label
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(enclosing: Vec<Jump>) -> Jumps {
        let used = Vec::new();
        Jumps { enclosing, used }
    }

    fn a_loop(label: &str) -> Jump {
        Jump::Loop(Vec::new(), label.to_owned())
    }

    #[test]
    fn a_jump_to_the_innermost_loop_needs_no_label() {
        let mut jumps = of(vec![a_loop("outer"), a_loop("inner")]);
        assert_eq!(jumps.resolve(&BreakTarget::Loops(1)), Some(None));
        let label = Some("outer".to_owned());
        assert_eq!(jumps.resolve(&BreakTarget::Loops(2)), Some(label));
        assert_eq!(jumps.resolve(&BreakTarget::Loops(3)), None);
        assert!(jumps.is_used("outer") && !jumps.is_used("inner"));
    }

    #[test]
    fn a_jump_out_of_a_generated_block_needs_a_label() {
        let mut jumps = of(vec![a_loop("outer"), Jump::Block]);
        let label = Some("outer".to_owned());
        assert_eq!(jumps.resolve(&BreakTarget::Loops(1)), Some(label.clone()));
        assert_eq!(jumps.repeat("outer"), label);
    }
}
