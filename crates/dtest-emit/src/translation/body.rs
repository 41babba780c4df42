//! The translation of one body: its variables, names and what is around.

use rustc_hash::{FxHashMap, FxHashSet};

use super::code::{Code, Own};
use super::convention::Scope;
use super::names::{RUNTIME_FUNCTIONS, snake_case};
use super::rep::Rep;
use crate::rust::{self, Ident, NAMELESS, ident, without_raw};
use dafny_resolve::typed::{CallableId, FieldId, LocalId, Type};
use dtest_sorted::SortedMap;

/// The translation of one body: its variables and where it stands.
pub(crate) struct Body<'s, 'g, 'p> {
    /// What can be named.
    pub(crate) scope: &'s Scope<'g, 'p>,
    /// The variables in scope.
    pub(crate) vars: FxHashMap<LocalId, Code>,
    /// `this`.
    pub(crate) this: Option<Code>,
    /// Which Dafny name a Rust name stands for in this body.
    taken: SortedMap<String, String>,
    /// How many names were made up.
    made_up: u32,
    /// In the suite: whether the heap before the call is needed, which `before` holds.
    pub(crate) before: Option<bool>,
    /// Within `old`.
    pub(super) in_old: bool,
    /// The statements around, innermost last.
    pub(super) jumps: Vec<super::control::Jump>,
    /// Labels that are jumped to.
    pub(super) labels_used: Vec<String>,
    /// The out-parameters of a method.
    pub(super) outs: Vec<LocalId>,
    /// In a constructor before `new;`: the fields as variables.
    pub(crate) before_new: SortedMap<FieldId, Code>,
    /// In a constructor: what it returns.
    pub(super) constructed: Option<rust::Expr>,
    /// In the suite: the function under test, its parameters and the result of the call. A postcondition that calls
    /// the function with the same arguments means that result.
    pub(crate) under_test: Option<(CallableId, Vec<LocalId>, Code)>,
    /// The variables that are assigned after their declaration, and how often in the text.
    pub(super) mutated: FxHashMap<LocalId, usize>,
    /// Variables whose first assignment is their declaration.
    pub(super) sunk: FxHashSet<LocalId>,
    /// Where the callable is a loop: which calls are rounds of it.
    pub(super) looping: Option<super::recursion::Looping>,
    /// Whether the callable ends with the statement that comes next.
    pub(super) at_end: bool,
    /// The functions around that convert a datatype: from which type to which.
    pub(super) converting: Vec<((Type, Type), Ident)>,
}

impl<'s, 'g, 'p> Body<'s, 'g, 'p> {
    /// A body without variables.
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

    /// A body for an expression that stands elsewhere, as part of this one: with the same variables and names.
    pub(super) fn elsewhere<'o>(&self, scope: &'o Scope<'g, 'p>) -> Body<'o, 'g, 'p> {
        Body {
            vars: self.vars.clone(),
            taken: self.taken.clone(),
            made_up: self.made_up,
            ..Body::new(scope)
        }
    }

    /// Brings a variable into scope; the result is its name.
    pub(crate) fn declare(&mut self, local: LocalId, own: Own) -> Ident {
        let decl = &self.scope.ground.program[local];
        // Several variables may be called `_`.
        let key = if decl.name.starts_with('_') {
            format!("{} {}", decl.name, local.0)
        } else {
            decl.name.to_string()
        };
        // Variables of our own have a number behind a `#`, which no name of Dafny has.
        let word = match decl.name.split('#').next().unwrap_or_default() {
            // What `:-` looks at.
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

    /// A name that no variable has; made of a word that says what it is for.
    pub(crate) fn make_up(&mut self, word: &str) -> Ident {
        self.made_up += 1;
        let key = format!("{word} {}", self.made_up);
        self.fresh_for(word, &key)
    }

    /// Keeps a name for the variable that has it: no other of its Dafny name hides it.
    pub(super) fn reserve(&mut self, name: &Ident) {
        self.taken.insert(
            without_raw(&name.to_string()).to_owned(),
            format!("{name} alone"),
        );
    }

    /// The names that are taken, for [`Self::restore_names`] at the end of a scope.
    pub(super) fn names(&self) -> SortedMap<String, String> {
        self.taken.clone()
    }

    /// Lets go of the names of a scope that has ended.
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
            // Names that are made up are numbered; those of the program keep their word.
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

    /// What values of the type are made of.
    pub(crate) fn rep(&self, ty: &Type) -> Rep {
        self.scope.ground.rep(&ty.subst(&self.scope.substitution))
    }
}
