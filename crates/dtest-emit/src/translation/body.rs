//! The translation of one body: its variables, names and context. [`Body`] is the state that the
//! other modules of the translation add methods to.
//!
//! A body's state is in groups with methods of their own. What holds for a part of the body alone
//! is set by a function that takes the translation of that part and restores the state after it:
//! [`Body::scoped`], [`Body::with_jump`].

use super::code::{Code, Own};
use super::convention::Scope;
use super::jumps::{Jump, Jumps};
use super::local_names::LocalNames;
use super::names::{RUNTIME_FUNCTIONS, snake_case};
use super::recursion::Looping;
use super::rep::Rep;
use super::two_state::States;
use super::variables::Variables;
use crate::rust::{self, Ident, NAMELESS};
use dafny_resolve::typed::{CallableId, FieldId, LocalId, Type};
use dtest_sorted::SortedMap;

/// The state of the translation of one body.
pub(crate) struct Body<'s, 'g, 'p> {
    /// The place of the body, from which items are named.
    pub(crate) scope: &'s Scope<'g, 'p>,
    pub(crate) vars: Variables,
    /// The expression for `this`.
    pub(crate) this: Option<Code>,
    names: LocalNames,
    /// The states that `old` and its like compare.
    pub(crate) states: States,
    pub(super) jumps: Jumps,
    /// The end of the callable.
    pub(super) end: End,
    /// In a constructor before `new;`: the fields as variables.
    pub(crate) before_new: SortedMap<FieldId, Code>,
    /// In the suite: the function under test, its parameters and the result of the call. A
    /// postcondition that calls the function with the same arguments refers to that result.
    pub(crate) under_test: Option<(CallableId, Vec<LocalId>, Code)>,
    /// The enclosing functions that convert a datatype, by source and target type.
    pub(super) converting: Vec<((Type, Type), Ident)>,
}

/// The end of a callable: what it returns, and whether it is a loop.
#[derive(Default)]
pub(super) struct End {
    /// The out-parameters of a method.
    pub(super) outs: Vec<LocalId>,
    /// In a constructor: the expression that it returns.
    pub(super) constructed: Option<rust::Expr>,
    /// If the callable becomes a loop: the calls that are iterations of it.
    pub(super) looping: Option<Looping>,
    /// Whether the next statement is the last one of the callable.
    pub(super) is_next: bool,
}

impl<'s, 'g, 'p> Body<'s, 'g, 'p> {
    /// Creates a body without variables.
    pub(crate) fn new(scope: &'s Scope<'g, 'p>) -> Self {
        Self {
            scope,
            vars: Variables::default(),
            this: None,
            names: LocalNames::default(),
            states: States::default(),
            jumps: Jumps::default(),
            end: End::default(),
            before_new: SortedMap::new(),
            under_test: None,
            converting: Vec::new(),
        }
    }

    /// Creates a body for an expression in another scope, with the same variables and names.
    pub(super) fn elsewhere<'o>(&self, scope: &'o Scope<'g, 'p>) -> Body<'o, 'g, 'p> {
        Body {
            vars: self.vars.elsewhere(),
            names: self.names.clone(),
            ..Body::new(scope)
        }
    }

    /// Translates a part of the body with variables and a `this` of its own, which end with it.
    pub(super) fn scoped<R>(&mut self, part: impl FnOnce(&mut Self) -> R) -> R {
        let (vars, this) = (self.vars.enter(), self.this.clone());
        let result = part(self);
        self.vars.leave(vars);
        self.this = this;
        result
    }

    /// Translates a part of the body whose names can be used again after it.
    pub(super) fn with_own_names<R>(&mut self, part: impl FnOnce(&mut Self) -> R) -> R {
        let names = self.names.enter();
        let result = part(self);
        self.names.leave(names);
        result
    }

    /// Translates the inside of a statement that jumps may leave or repeat.
    pub(super) fn with_jump<R>(&mut self, jump: Jump, inside: impl FnOnce(&mut Self) -> R) -> R {
        self.jumps.enter(jump);
        let result = inside(self);
        self.jumps.leave();
        result
    }

    /// Brings a variable into scope. Returns its name.
    pub(crate) fn declare(&mut self, local: LocalId, own: Own) -> Ident {
        let decl = &self.scope.ground.program[local];
        // Several variables may have the name `_`.
        let key = if decl.name.starts_with('_') {
            format!("{} {}", decl.name, local.0)
        } else {
            decl.name.to_string()
        };
        // Generated variables have a number after a `#`, which no Dafny name contains.
        let word = match decl.name.split('#').next().unwrap_or_default() {
            // The value that `:-` checks.
            "_fail" => "outcome",
            "_" => NAMELESS,
            word => word,
        };
        let scope = self.scope;
        let name = self
            .names
            .fresh_for(&snake_case(word), &key, |name| is_global(scope, name));
        let copy = self.copy(&decl.ty);
        let code = match own {
            Own::Owned | Own::Place => Code::variable(&name, copy),
            Own::Ref => Code::reference(&name, copy),
        };
        self.vars.insert(local, code);
        name
    }

    /// Returns an unused name, derived from a word that describes its use.
    pub(crate) fn make_up(&mut self, word: &str) -> Ident {
        let scope = self.scope;
        self.names.make_up(word, |name| is_global(scope, name))
    }

    /// Reserves a name, so that no other variable shadows it.
    pub(super) fn reserve(&mut self, name: &Ident) {
        self.names.reserve(name);
    }

    /// Whether values of the type are `Copy` in Rust.
    pub(crate) fn copy(&self, ty: &Type) -> bool {
        self.scope.is_copy(ty)
    }

    /// Returns the representation of the type's values.
    pub(crate) fn rep(&self, ty: &Type) -> Rep {
        self.scope.rep(ty)
    }
}

/// Whether a name has a meaning in a body that no variable may hide.
fn is_global(scope: &Scope<'_, '_>, name: &str) -> bool {
    RUNTIME_FUNCTIONS.contains(&name)
        || matches!(
            name,
            "self" | "super" | "crate" | "this" | "subject" | "before" | "halt" | "dunit" | "std"
        )
        || scope
            .module
            .as_ref()
            .is_some_and(|(m, _)| scope.ground.names.declares(*m, name))
}
