//! Names: some plain, some that mean something to Rust or to the run-time library.

use std::collections::BTreeSet;

use super::Generator;

/// Names of declarations and of what is in scope, so that no scope declares one twice.
#[derive(Clone, Default)]
pub(super) struct Names {
    used: BTreeSet<String>,
    /// All names of all scopes.
    ever: BTreeSet<String>,
    count: usize,
}

impl Names {
    /// Goes back to the names of a scope; numbers are not used again.
    pub(super) fn forget(&mut self, before: Names) {
        self.used = before.used;
    }

    /// A name that is not to be used here.
    pub(super) fn reserve(&mut self, name: &str) {
        self.take(name);
    }

    /// A number that no other name has.
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
    /// A name of a variable, a function or a method.
    pub(super) fn value_name(&mut self, plain: &str) -> String {
        self.name(plain, &VALUES)
    }

    /// A name of a constant, which no variable anywhere has: in a pattern it would be the constant.
    pub(super) fn constant_name(&mut self) -> String {
        let before = self.names.ever.clone();
        let name = self.value_name("K");
        if before.contains(&name) {
            format!("K{}", self.names.number())
        } else {
            name
        }
    }

    /// A name of a type.
    pub(super) fn type_name(&mut self, plain: &str) -> String {
        self.name(plain, &TYPES)
    }

    /// A name of a datatype's constructor.
    pub(super) fn constructor_name(&mut self) -> String {
        self.name("C", &CONSTRUCTORS)
    }

    /// A name of a field, or of a function or method within a type.
    pub(super) fn member_name(&mut self, plain: &str) -> String {
        self.name(plain, &MEMBERS)
    }

    fn name(&mut self, plain: &str, odd: &[&str]) -> String {
        if self.chance(12) {
            let name = self.one(odd);
            // What is visible here may have been named in another scope: signatures of refined functions, constants of modules.
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

    /// A name for a variable of an inner scope: sometimes one that hides an outer variable.
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
