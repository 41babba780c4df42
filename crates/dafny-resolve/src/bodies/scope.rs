//! Scopes of variables and labels in bodies.
//!
//! A scope declares a name once. Inner scopes may hide outer names. Labels have two scopes of their
//! own: the target of a jump is a statement *around* it, while `old@L` and `reveal L` refer to
//! labels that *dominate* a place, which means that every path to it has passed them.

use crate::typed::{LocalId, Type};
use dafny_source::Name;
use dafny_source::diagnostic::Diagnostic;
use dafny_syntax::ast;

use super::Resolver;

/// The variables and labels in scope.
#[derive(Debug, Default)]
pub(super) struct Scope {
    /// Variables, with inner ones last.
    pub(super) variables: Vec<(Name, LocalId)>,
    /// The index of the first variable of the innermost scope.
    innermost: usize,
    /// Labels that dominate the current place.
    dominating: Vec<Dominating>,
    /// The statements and loops around the current place.
    around: Around,
}

/// The possible targets of jumps.
#[derive(Debug, Default)]
pub(super) struct Around {
    labels: Vec<Enclosing>,
    pub(super) loops: u32,
}

#[derive(Debug)]
struct Dominating {
    name: Name,
    /// Whether it labels an assertion or a precondition instead of a statement.
    asserted: bool,
}

#[derive(Debug)]
struct Enclosing {
    name: Name,
    is_loop: bool,
}

/// A saved scope, to be restored by [`Scope::close`].
#[must_use]
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    variables: usize,
    innermost: usize,
}

impl Scope {
    /// Opens an inner scope for variables.
    pub(super) fn open(&mut self) -> Mark {
        let mark = Mark {
            variables: self.variables.len(),
            innermost: self.innermost,
        };
        self.innermost = self.variables.len();
        mark
    }

    /// Closes the scope that was opened at `mark`.
    pub(super) fn close(&mut self, mark: Mark) {
        self.variables.truncate(mark.variables);
        self.innermost = mark.innermost;
    }

    /// Brings a variable into scope, hiding others with its name.
    pub(super) fn enter(&mut self, name: Name, local: LocalId) {
        if &*name != "_" {
            self.variables.push((name, local));
        }
    }

    /// The variable with this name in the innermost scope.
    pub(super) fn innermost(&self, name: &str) -> Option<LocalId> {
        self.variables
            .iter()
            .skip(self.innermost)
            .find(|(n, _)| &**n == name)
            .map(|(_, local)| *local)
    }

    /// Whether `old@name` is allowed here.
    pub(super) fn dominates(&self, name: &str) -> bool {
        self.dominating.iter().any(|l| &*l.name == name)
    }

    /// Whether the label denotes an assertion or precondition that may be revealed here.
    pub(super) fn asserted(&self, name: &str) -> bool {
        self.dominating
            .iter()
            .any(|l| l.asserted && &*l.name == name)
    }
}

impl Resolver<'_> {
    /// Runs `act` in an inner scope of variables.
    pub(super) fn scoped<T>(&mut self, act: impl FnOnce(&mut Self) -> T) -> T {
        let mark = self.st.scope.open();
        let result = act(self);
        self.st.scope.close(mark);
        result
    }

    /// Runs `act` for code that some paths skip: its labels do not dominate the code after it.
    pub(super) fn perhaps<T>(&mut self, act: impl FnOnce(&mut Self) -> T) -> T {
        let mark = self.st.scope.dominating.len();
        let result = act(self);
        self.st.scope.dominating.truncate(mark);
        result
    }

    /// Runs `act` for code that no jump may leave: a proof or the body of `forall`.
    pub(super) fn without_jumps<T>(&mut self, act: impl FnOnce(&mut Self) -> T) -> T {
        let around = std::mem::take(&mut self.st.scope.around);
        let result = act(self);
        self.st.scope.around = around;
        result
    }

    /// Runs `act` inside a loop.
    pub(super) fn looping<T>(&mut self, act: impl FnOnce(&mut Self) -> T) -> T {
        self.st.scope.around.loops += 1;
        let result = act(self);
        self.st.scope.around.loops -= 1;
        result
    }

    /// Runs `act` inside a statement with labels.
    pub(super) fn labelled<T>(
        &mut self,
        labels: &[ast::Ident],
        is_loop: bool,
        act: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let mark = self.st.scope.around.labels.len();
        for label in labels {
            let outer = self
                .st
                .scope
                .around
                .labels
                .iter()
                .position(|l| l.name == label.name);
            match outer {
                Some(at) if at >= mark => self.error(
                    "resolve/duplicate",
                    label.span,
                    format!(
                        "the label `{}` is given twice for this statement",
                        label.name
                    ),
                ),
                Some(_) => {
                    let message = format!(
                        "the label `{}` is already used by an enclosing statement",
                        label.name
                    );
                    self.error("resolve/duplicate", label.span, message);
                }
                None => {
                    self.st.scope.around.labels.push(Enclosing {
                        name: label.name.clone(),
                        is_loop,
                    });
                    self.dominate(label, false);
                }
            }
        }
        let result = act(self);
        self.st.scope.around.labels.truncate(mark);
        result
    }

    /// Marks a label as dominating from here on.
    pub(super) fn dominate(&mut self, label: &ast::Ident, asserted: bool) {
        if self.st.scope.dominates(&label.name) {
            let d = Diagnostic::error(
                "resolve/duplicate",
                label.span,
                format!("the label `{}` is already in use here", label.name),
            );
            self.cx.diagnostics.push(
                d.with_help("a label of this name dominates this point: choose another name"),
            );
            return;
        }
        self.st.scope.dominating.push(Dominating {
            name: label.name.clone(),
            asserted,
        });
    }

    /// Requires that the label after `@`, if present, dominates this place. Returns whether it
    /// does.
    pub(super) fn earlier(&mut self, label: Option<&ast::Ident>) -> bool {
        if let Some(label) = label.filter(|l| !self.st.scope.dominates(&l.name)) {
            let d = Diagnostic::error(
                "resolve/unknown-label",
                label.span,
                format!("no label `{}` is in scope here", label.name),
            );
            self.cx
                .diagnostics
                .push(d.with_help("`@` refers to the state at a label that dominates this point"));
            return false;
        }
        true
    }

    /// Declares the labels of preconditions, which the proof of a lemma may reveal.
    pub(super) fn labels_of_requires(&mut self, spec: &ast::Spec) {
        for clause in &spec.clauses {
            if let (Some(label), ast::ClauseKind::Requires(_)) = (&clause.label, &clause.kind) {
                self.dominate(label, true);
            }
        }
    }

    /// Checks that the target of `break` or `continue` exists.
    pub(super) fn jump_target(
        &mut self,
        is_continue: bool,
        count: u32,
        label: Option<&ast::Ident>,
        span: dafny_source::Span,
    ) {
        let word = if is_continue { "continue" } else { "break" };
        let Some(label) = label else {
            let loops = self.st.scope.around.loops;
            if loops == 0 {
                self.error(
                    "resolve/break-outside-loop",
                    span,
                    format!("`{word}` outside of a loop"),
                );
            } else if count > loops {
                let message = format!(
                    "this `{word}` names {count} enclosing loops, but there are only {loops}"
                );
                self.error("resolve/break-outside-loop", span, message);
            }
            return;
        };
        match self
            .st
            .scope
            .around
            .labels
            .iter()
            .find(|l| l.name == label.name)
            .map(|l| l.is_loop)
        {
            None => {
                let d = Diagnostic::error(
                    "resolve/unknown-label",
                    label.span,
                    format!("no enclosing statement has the label `{}`", label.name),
                );
                self.report(d.with_help(
                    "a jump may target an enclosing labelled loop, `if` or block, but cannot leave a proof or a `forall` statement",
                ));
            }
            Some(false) if is_continue => {
                let message = format!(
                    "`continue` requires the label of a loop, and `{}` is not one",
                    label.name
                );
                self.error("resolve/unknown-label", label.span, message);
            }
            Some(_) => {}
        }
    }

    /// Declares a variable. If the innermost scope declares the name already, the name keeps its
    /// meaning.
    pub(super) fn declare(
        &mut self,
        name: &ast::Ident,
        ty: Type,
        ghost: bool,
        mutable: bool,
    ) -> LocalId {
        let local = self
            .cx
            .add_local(name.name.clone(), ty, ghost, mutable, name.span);
        match self.st.scope.innermost(&name.name) {
            Some(first) => {
                let first = self.cx.program[first].span;
                let d = Diagnostic::error(
                    "resolve/duplicate",
                    name.span,
                    format!("duplicate name of variable: {}", name.name),
                );
                let d = d.with_secondary(first, "first declared here");
                self.report(d.with_help(
                    "rename one of them, or assign to the existing variable (`:=` without `var`)",
                ));
            }
            None => self.enter(local),
        }
        local
    }
}
