//! The translation of one body: its variables, names and context. [`Body`] is the state that the
//! other modules of the translation add methods to.

use rustc_hash::{FxHashMap, FxHashSet};

use super::code::{Code, Own};
use super::convention::Scope;
use super::names::{RUNTIME_FUNCTIONS, snake_case};
use super::rep::Rep;
use crate::rust::{self, Ident, NAMELESS, ident, without_raw};
use dafny_resolve::typed::{CallableId, FieldId, LocalId, Type};
use dtest_sorted::SortedMap;

/// The state of the translation of one body.
pub(crate) struct Body<'s, 'g, 'p> {
    /// The names in scope.
    pub(crate) scope: &'s Scope<'g, 'p>,
    /// The variables in scope.
    pub(crate) vars: FxHashMap<LocalId, Code>,
    /// The expression for `this`.
    pub(crate) this: Option<Code>,
    /// The Dafny name that a Rust name represents in this body.
    taken: SortedMap<String, String>,
    /// The number of generated names.
    made_up: u32,
    /// In the suite: whether the heap before the call is needed, which the variable `before` holds.
    pub(crate) before: Option<bool>,
    /// Whether the expression is within `old`.
    pub(super) in_old: bool,
    /// The enclosing statements, innermost last.
    pub(super) jumps: Vec<super::control::Jump>,
    /// Labels that jumps use.
    pub(super) labels_used: Vec<String>,
    /// The out-parameters of a method.
    pub(super) outs: Vec<LocalId>,
    /// In a constructor before `new;`: the fields as variables.
    pub(crate) before_new: SortedMap<FieldId, Code>,
    /// In a constructor: the expression that it returns.
    pub(super) constructed: Option<rust::Expr>,
    /// In the suite: the function under test, its parameters and the result of the call. A
    /// postcondition that calls the function with the same arguments refers to that result.
    pub(crate) under_test: Option<(CallableId, Vec<LocalId>, Code)>,
    /// The variables that are assigned after their declaration, with the number of assignments in
    /// the text.
    pub(super) mutated: FxHashMap<LocalId, usize>,
    /// Variables that are declared by their first assignment.
    pub(super) sunk: FxHashSet<LocalId>,
    /// If the callable becomes a loop: the calls that are iterations of it.
    pub(super) looping: Option<super::recursion::Looping>,
    /// Whether the next statement is the last one of the callable.
    pub(super) at_end: bool,
    /// The enclosing functions that convert a datatype, by source and target type.
    pub(super) converting: Vec<((Type, Type), Ident)>,
}

impl<'s, 'g, 'p> Body<'s, 'g, 'p> {
    /// Creates a body without variables.
    pub(crate) fn new(scope: &'s Scope<'g, 'p>) -> Self {
        Self {
            scope,
            vars: FxHashMap::default(),
            this: None,
            taken: SortedMap::new(),
            made_up: 0,
            before: None,
            in_old: false,
            jumps: Vec::new(),
            labels_used: Vec::new(),
            outs: Vec::new(),
            before_new: SortedMap::new(),
            constructed: None,
            under_test: None,
            mutated: FxHashMap::default(),
            sunk: FxHashSet::default(),
            looping: None,
            at_end: false,
            converting: Vec::new(),
        }
    }

    /// Creates a body for an expression in another scope, with the same variables and names.
    pub(super) fn elsewhere<'o>(&self, scope: &'o Scope<'g, 'p>) -> Body<'o, 'g, 'p> {
        Body {
            vars: self.vars.clone(),
            taken: self.taken.clone(),
            made_up: self.made_up,
            ..Body::new(scope)
        }
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
        let name = self.fresh_for(&snake_case(word), &key);
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
        self.made_up += 1;
        let key = format!("{word} {}", self.made_up);
        self.fresh_for(word, &key)
    }

    /// Reserves a name, so that no other variable shadows it.
    pub(super) fn reserve(&mut self, name: &Ident) {
        self.taken.insert(
            without_raw(&name.to_string()).to_owned(),
            format!("{name} alone"),
        );
    }

    /// Returns the names in use, for [`Self::restore_names`] at the end of a scope.
    pub(super) fn names(&self) -> SortedMap<String, String> {
        self.taken.clone()
    }

    /// Releases the names of a scope that has ended.
    pub(super) fn restore_names(&mut self, names: SortedMap<String, String>) {
        self.taken = names;
    }

    fn fresh_for(&mut self, rust: &str, dafny: &str) -> Ident {
        let (mut name, mut number) = (rust.to_owned(), 1);
        let global = |name: &str| {
            RUNTIME_FUNCTIONS.contains(&name)
                || matches!(
                    name,
                    "self"
                        | "super"
                        | "crate"
                        | "this"
                        | "subject"
                        | "before"
                        | "halt"
                        | "dunit"
                        | "std"
                )
                || self
                    .scope
                    .module
                    .as_ref()
                    .is_some_and(|(m, _)| self.scope.ground.names.declares(*m, name))
        };
        while global(&name) || self.taken.get(&name).is_some_and(|d| d != dafny) {
            // Generated names are numbered; those of the program keep their word.
            if dafny.contains(' ') && !rust.starts_with('_') {
                number += 1;
                name = format!("{rust}_{number}");
            } else {
                name.push('_');
            }
        }
        self.taken.insert(name.clone(), dafny.to_owned());
        ident(&name)
    }

    /// Whether values of the type are `Copy` in Rust.
    pub(crate) fn copy(&self, ty: &Type) -> bool {
        self.scope
            .ground
            .is_copy(&ty.subst(&self.scope.substitution))
    }

    /// Returns the representation of the type's values.
    pub(crate) fn rep(&self, ty: &Type) -> Rep {
        self.scope.ground.rep(&ty.subst(&self.scope.substitution))
    }
}
