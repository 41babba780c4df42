//! Names, some of which have a meaning in Rust or in the run-time library.

use std::collections::BTreeSet;

use super::Generator;

/// The names in use, such that no scope declares a name twice.
#[derive(Clone, Default)]
pub(super) struct Names {
    used: BTreeSet<String>,
    /// The names of all scopes so far.
    ever: BTreeSet<String>,
    count: usize,
}

impl Names {
    /// Restores the names of an outer scope. Numbers are not reused.
    pub(super) fn forget(&mut self, before: Names) {
        self.used = before.used;
    }

    /// Reserves a name.
    pub(super) fn reserve(&mut self, name: &str) {
        self.take(name);
    }

    /// Returns a number that occurs in no other name.
    pub(super) fn number(&mut self) -> usize {
        self.count += 1;
        self.count
    }

    fn take(&mut self, name: &str) -> bool {
        self.ever.insert(name.to_owned());
        self.used.insert(name.to_owned())
    }
}

const VALUES: [&str; 38] = [
    "fn", "impl", "loop", "move", "mut", "pub", "ref", "self", "Self", "super", "use", "where",
    "async", "await", "dyn", "crate", "enum", "mod", "box", "macro", "priv", "try", "gen", "union",
    "u8", "i32", "str", "main", "std", "dunit", "int_", "result", "value", "len", "x'", "y?",
    "a_b", "struct",
];

const TYPES: [&str; 18] = [
    "Seq", "Int", "Set", "Map", "Option", "Vec", "Rc", "Box", "String", "Clone", "Result", "Real",
    "Self", "Fn", "Iterator", "Value", "Copy", "Debug",
];

const CONSTRUCTORS: [&str; 10] = [
    "None", "Some", "Ok", "Err", "Cons", "Nil", "Default", "Left", "Vec", "String",
];

const MEMBERS: [&str; 17] = [
    "clone", "len", "default", "fmt", "eq", "drop", "get", "iter", "into", "cmp", "hash", "insert",
    "value", "self", "fn", "deref", "borrow",
];

impl Generator {
    /// Draws a name for a variable, a function or a method.
    pub(super) fn value_name(&mut self, plain: &str) -> String {
        self.name(plain, &VALUES)
    }

    /// Draws a name for a constant that no variable has: in a pattern it would denote the constant.
    pub(super) fn constant_name(&mut self) -> String {
        let before = self.names.ever.clone();
        let name = self.value_name("K");
        if before.contains(&name) {
            format!("K{}", self.names.number())
        } else {
            name
        }
    }

    /// Draws a name for a type.
    pub(super) fn type_name(&mut self, plain: &str) -> String {
        self.name(plain, &TYPES)
    }

    /// Draws a name for a datatype constructor.
    pub(super) fn constructor_name(&mut self) -> String {
        self.name("C", &CONSTRUCTORS)
    }

    /// Draws a name for a field, or for a function or method in a type.
    pub(super) fn member_name(&mut self, plain: &str) -> String {
        self.name(plain, &MEMBERS)
    }

    fn name(&mut self, plain: &str, odd: &[&str]) -> String {
        if self.chance(12) {
            let name = self.one(odd);
            // Visible declarations may have been named in another scope: signatures of refined
            // functions, constants of modules.
            let visible = self
                .scope
                .iter()
                .chain(&self.constants)
                .any(|v| v.name == name);
            if !visible && self.names.take(name) {
                return name.to_owned();
            }
        }
        self.names.count += 1;
        let name = format!("{plain}{}", self.names.count);
        self.names.take(&name);
        name
    }

    /// Draws a name for a variable of an inner scope, which sometimes hides an outer variable.
    pub(super) fn inner_name(&mut self, plain: &str) -> String {
        let outer: Vec<String> = self
            .scope
            .iter()
            .filter(|v| !v.name.contains('.') && v.name != "this")
            .map(|v| v.name.clone())
            .collect();
        if self.chance(10)
            && let Some(name) = self.pick(&outer)
        {
            return name;
        }
        self.value_name(plain)
    }
}
