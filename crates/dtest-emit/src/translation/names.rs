//! The Rust names of all declarations of a Dafny program.
//!
//! Modules, functions, methods, fields and variables get snake case; types and constructors keep
//! their names. Characters that Rust does not allow are replaced (`?` by `_q`, `'` by `_prime`),
//! and if two names become equal, the later one gets an underscore.

use dafny_resolve::typed::{
    Arena, CallableId, CtorId, FieldId, Item, ModuleId, Program, TypeDeclKind, TypeId, TypeParamId,
};
use dtest_sorted::{SortedMap, SortedSet};

/// Methods that every generated Rust value has through its traits; a member with the same name
/// would shadow them.
const TRAIT_METHODS: &[&str] = &[
    "clone",
    "clone_from",
    "cmp",
    "partial_cmp",
    "max",
    "min",
    "clamp",
    "eq",
    "ne",
    "lt",
    "le",
    "gt",
    "ge",
    "fmt",
    "fmt_dafny",
    "fmt_seq",
    "into",
    "try_into",
    "from",
    "try_from",
    "to_owned",
    "to_string",
    "borrow",
    "borrow_mut",
    "type_id",
    "deref",
    "as_ref",
    "dafny_default",
    "as_object",
    "offer",
    "compare",
    "rust_name",
    "object_identity",
    "is_null_reference",
    "null_reference",
    "identity",
    "is_null",
    "class_name",
    "redefined",
    "look_at_fields",
];

/// The function of a class that allocates an object without a constructor.
const ALLOCATE: &str = "allocate";

/// The field of a struct or variant that marks type parameters which no other field mentions.
const PHANTOM: &str = "phantom";

/// The field of an iterator that holds its suspended body.
const COROUTINE: &str = "body";

/// Functions of the run-time library that translated code calls unqualified.
pub(crate) const RUNTIME_FUNCTIONS: &[&str] = &[
    "all_bools",
    "all_chars",
    "all_chars16",
    "ch",
    "ch16",
    "downcast",
    "exists_in",
    "fmt_constructor",
    "forall_in",
    "halt",
    "instance_of",
    "int",
    "is_same",
    "range",
    "range_down",
    "range_down_from",
    "range_from",
    "real",
    "shown",
    "str",
    "str16",
    "such_that",
    "suspend",
    "to_dafny_string",
    "upcast",
];

/// Types of the run-time library and of Rust that translated code names.
const RUNTIME_TYPES: &[&str] = &[
    "Self", "bool", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128",
    "isize", "char", "str", "dunit", "std", "core", "alloc", "crate", "super", "self",
];

/// The names of a program's items, by id.
#[derive(Debug, Clone)]
pub(crate) struct Names {
    modules: Vec<String>,
    types: Vec<String>,
    type_params: Vec<String>,
    ctors: Vec<String>,
    testers: Vec<String>,
    fields: Vec<String>,
    /// For lazy fields of codatatypes: the method that returns the field without evaluating it.
    lazies: Vec<String>,
    callables: Vec<String>,
    /// For each type: the function [`ALLOCATE`].
    allocates: Vec<String>,
    /// For each type: the field [`PHANTOM`].
    phantoms: Vec<String>,
    /// For each type: the field [`COROUTINE`].
    coroutines: Vec<String>,
    /// For each module: the types and values that its Rust module declares.
    declared: SortedMap<ModuleId, SortedSet<String>>,
}

impl Names {
    /// Names all items.
    pub(super) fn new(program: &Program) -> Self {
        let mut names = Self {
            modules: program
                .modules
                .iter()
                .map(|m| snake_case(&m.name))
                .collect(),
            types: program.types.iter().map(|t| sanitise(&t.name)).collect(),
            type_params: program
                .type_params
                .iter()
                .map(|t| sanitise(&t.name))
                .collect(),
            ctors: program.ctors.iter().map(|c| sanitise(&c.name)).collect(),
            testers: Vec::new(),
            fields: program.fields.iter().map(|f| snake_case(&f.name)).collect(),
            lazies: Vec::new(),
            callables: program
                .callables
                .iter()
                .map(|c| snake_case(&c.name))
                .collect(),
            allocates: vec![ALLOCATE.to_owned(); program.types.len()],
            phantoms: vec![PHANTOM.to_owned(); program.types.len()],
            coroutines: vec![COROUTINE.to_owned(); program.types.len()],
            declared: SortedMap::new(),
        };
        names.testers = names
            .ctors
            .iter()
            .map(|c| format!("is_{}", snake_case(c)))
            .collect();
        names.lazies = vec![String::new(); names.fields.len()];
        let modules: Vec<ModuleId> = program.ids();
        // Modules and their items first: members without an `impl` of their own share the module's
        // names.
        let mut values: SortedMap<ModuleId, SortedSet<String>> = modules
            .iter()
            .map(|&m| (m, names.name_module(program, m)))
            .collect();
        // Inherited names are assigned first.
        let mut types: Vec<TypeId> = program.ids();
        types.sort_by_cached_key(|&ty| program.ancestors(ty).len());
        for ty in types {
            names.name_members(program, ty, values.entry(program[ty].module).or_default());
        }
        for callable in Arena::<CallableId>::ids(program) {
            names.name_type_params(program, callable);
        }
        for (module, values) in values {
            // A name of the run-time library is taken, but not declared: it still means the
            // library's.
            let values = values
                .into_iter()
                .filter(|v| !RUNTIME_FUNCTIONS.contains(&v.as_str()));
            names.declared.entry(module).or_default().extend(values);
        }
        names
    }

    /// Names the declarations of a module without members. Returns the names of values that are
    /// taken.
    fn name_module(&mut self, program: &Program, module: ModuleId) -> SortedSet<String> {
        let mut types: SortedSet<String> = RUNTIME_TYPES.iter().map(|&s| s.to_owned()).collect();
        let mut values: SortedSet<String> =
            RUNTIME_FUNCTIONS.iter().map(|&s| s.to_owned()).collect();
        let mut declared = SortedSet::new();
        for item in &program[module].items {
            match *item {
                Item::Module(m) => unique(&mut self.modules, m.0, &mut types),
                Item::Type(t) => {
                    unique(&mut self.types, t.0, &mut types);
                    declared.extend(self.types.get(t.0 as usize).cloned());
                    // A type parameter hides nothing outside of its type, so it takes no name from
                    // others.
                    for &p in &program[t].type_params {
                        unique(&mut self.type_params, p.0, &mut declared.clone());
                    }
                }
                Item::Const(f) => unique(&mut self.fields, f.0, &mut values),
                Item::Callable(c) => unique(&mut self.callables, c.0, &mut values),
            }
        }
        self.declared.insert(module, declared);
        values
    }

    /// Names the type parameters of a callable differently from those of its type, which Rust does
    /// not allow to be shadowed.
    fn name_type_params(&mut self, program: &Program, callable: CallableId) {
        let c = &program[callable];
        let outer = c.owner.map_or(&[][..], |t| &program[t].type_params);
        let mut taken: SortedSet<String> = outer
            .iter()
            .map(|&p| self.type_param(p).to_owned())
            .collect();
        for &p in &c.type_params {
            unique(&mut self.type_params, p.0, &mut taken);
        }
    }

    fn name_members(&mut self, program: &Program, ty: TypeId, values: &mut SortedSet<String>) {
        let decl = &program[ty];
        let prefix = snake_case(&decl.name);
        let mut members: SortedSet<String> = TRAIT_METHODS.iter().map(|&s| s.to_owned()).collect();
        match &decl.kind {
            TypeDeclKind::Datatype { ctors, .. } => {
                let mut variants = SortedSet::from(["Self".to_owned()]);
                for &c in ctors {
                    unique(&mut self.ctors, c.0, &mut variants);
                }
                // A field that several constructors share has one destructor.
                let mut seen = SortedSet::new();
                for &f in ctors.iter().flat_map(|&c| &program[c].fields) {
                    if seen.insert(f) {
                        if let Some(name) = self
                            .fields
                            .get_mut(f.0 as usize)
                            .filter(|n| n.starts_with(|c: char| c.is_ascii_digit()))
                        {
                            *name = format!("_{name}");
                        }
                        unique(&mut self.fields, f.0, &mut members);
                    }
                }
            }
            TypeDeclKind::Newtype(_) | TypeDeclKind::Subset(_) | TypeDeclKind::Abstract => {
                for &f in &decl.fields {
                    self.prefix_field(f, &prefix, values);
                }
                for &c in &decl.callables {
                    self.prefix_callable(c, &prefix, values);
                }
                return;
            }
            TypeDeclKind::Class | TypeDeclKind::Trait { .. } | TypeDeclKind::Iterator(_) => {}
        }
        // Rust finds members of traits by the same syntax as the type's own.
        for (ancestor, _) in program.ancestors(ty) {
            members.extend(
                program[ancestor]
                    .fields
                    .iter()
                    .map(|&f| self.field(f).to_owned()),
            );
            members.extend(
                program[ancestor]
                    .callables
                    .iter()
                    .map(|&c| self.callable(c).to_owned()),
            );
        }
        for &f in &decl.fields {
            unique(&mut self.fields, f.0, &mut members);
        }
        for &c in &decl.callables {
            // An override must be called like what it overrides.
            let first = program.first_declaration(c);
            if first != c {
                let inherited = self.callable(first).to_owned();
                if let Some(name) = self.callables.get_mut(c.0 as usize) {
                    *name = inherited;
                }
                continue;
            }
            if &*program[c].name == "_ctor"
                && let Some(name) = self.callables.get_mut(c.0 as usize)
            {
                *name = "new".to_owned();
            }
            unique(&mut self.callables, c.0, &mut members);
        }
        // The program's own names have priority over generated ones, and are all taken now.
        for made in [
            &mut self.allocates,
            &mut self.phantoms,
            &mut self.coroutines,
        ] {
            unique(made, ty.0, &mut members);
        }
        if let TypeDeclKind::Datatype { ctors, .. } = &decl.kind {
            for &c in ctors {
                unique(&mut self.testers, c.0, &mut members);
            }
            for &f in ctors.iter().flat_map(|&c| &program[c].fields) {
                let name = format!("lazy_{}", self.field(f).trim_start_matches('_'));
                if let Some(lazy) = self.lazies.get_mut(f.0 as usize).filter(|l| l.is_empty()) {
                    *lazy = name;
                    unique(&mut self.lazies, f.0, &mut members);
                }
            }
        }
    }

    fn prefix_field(&mut self, field: FieldId, prefix: &str, values: &mut SortedSet<String>) {
        if let Some(name) = self.fields.get_mut(field.0 as usize) {
            *name = format!("{prefix}_{name}");
        }
        unique(&mut self.fields, field.0, values);
    }

    fn prefix_callable(
        &mut self,
        callable: CallableId,
        prefix: &str,
        values: &mut SortedSet<String>,
    ) {
        if let Some(name) = self.callables.get_mut(callable.0 as usize) {
            *name = format!("{prefix}_{name}");
        }
        unique(&mut self.callables, callable.0, values);
    }

    /// Returns the name of a module.
    pub(crate) fn module(&self, id: ModuleId) -> &str {
        at(&self.modules, id.0)
    }

    /// Returns the name of a type.
    pub(crate) fn type_name(&self, id: TypeId) -> &str {
        at(&self.types, id.0)
    }

    /// Returns the name of a type parameter.
    pub(super) fn type_param(&self, id: TypeParamId) -> &str {
        at(&self.type_params, id.0)
    }

    /// Returns the name of a constructor's variant.
    pub(crate) fn ctor(&self, id: CtorId) -> &str {
        at(&self.ctors, id.0)
    }

    /// Returns the name of the method that tests for a constructor.
    pub(crate) fn tester(&self, id: CtorId) -> &str {
        at(&self.testers, id.0)
    }

    /// Returns the name of the method that returns a lazy field of a codatatype without evaluating
    /// it.
    pub(crate) fn lazy(&self, id: FieldId) -> &str {
        at(&self.lazies, id.0)
    }

    /// Returns the name of a field, constant or destructor.
    pub(crate) fn field(&self, id: FieldId) -> &str {
        at(&self.fields, id.0)
    }

    /// Returns the name of a function or method.
    pub(crate) fn callable(&self, id: CallableId) -> &str {
        at(&self.callables, id.0)
    }

    /// The function of a class that allocates an object without a constructor.
    pub(super) fn allocate(&self, id: TypeId) -> &str {
        at(&self.allocates, id.0)
    }

    /// The field that marks the type parameters of a class or datatype which no other field mentions.
    pub(crate) fn phantom(&self, id: TypeId) -> &str {
        at(&self.phantoms, id.0)
    }

    /// The field that holds the suspended body of an iterator.
    pub(super) fn coroutine(&self, id: TypeId) -> &str {
        at(&self.coroutines, id.0)
    }

    /// Returns the names that the Rust module of `module` declares.
    pub(super) fn declared_in(&self, module: ModuleId) -> &SortedSet<String> {
        static NONE: SortedSet<String> = SortedSet::new();
        self.declared.get(&module).unwrap_or(&NONE)
    }

    /// Whether the Rust module of `module` declares a name.
    pub(super) fn declares(&self, module: ModuleId, name: &str) -> bool {
        self.declared.get(&module).is_some_and(|d| d.contains(name))
    }
}

fn at(names: &[String], index: u32) -> &str {
    names.get(index as usize).map_or("unnamed", String::as_str)
}

/// Keywords of Rust that cannot be names, not even raw ones.
const UNSPEAKABLE: [&str; 4] = ["self", "Self", "super", "crate"];

/// Makes a name unique by appending underscores, and reserves it.
fn unique(names: &mut [String], index: u32, taken: &mut SortedSet<String>) {
    if let Some(name) = names.get_mut(index as usize) {
        if UNSPEAKABLE.contains(&name.as_str()) {
            name.push('_');
        }
        while !taken.insert(name.clone()) {
            name.push('_');
        }
    }
}

/// Replaces the characters of a Dafny identifier that Rust does not allow.
pub(super) fn sanitise(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for c in name.chars() {
        match c {
            '?' => out.push_str("_q"),
            '\'' => out.push_str("_prime"),
            '#' => out.push_str("_hash"),
            c if c.is_alphanumeric() || c == '_' => out.push(c),
            _ => out.push('_'),
        }
    }
    if out.is_empty() || out.chars().all(|c| c == '_') {
        out.insert_str(0, "blank");
    }
    out
}

/// Converts a name to snake case: `UInt32ToSeq` becomes `u_int32_to_seq`, `LexLeq` becomes
/// `lex_leq`, `toJSON` becomes `to_json`.
pub(crate) fn snake_case(name: &str) -> String {
    let chars: Vec<char> = sanitise(name).chars().collect();
    let mut out = String::with_capacity(chars.len() + 4);
    for (i, &c) in chars.iter().enumerate() {
        let before = i.checked_sub(1).and_then(|j| chars.get(j)).copied();
        let after = chars.get(i + 1).copied();
        let begins_word = c.is_uppercase()
            && before.is_some_and(|b| {
                b.is_lowercase()
                    || b.is_numeric()
                    || (b.is_uppercase() && after.is_some_and(char::is_lowercase))
            });
        if begins_word {
            out.push('_');
        }
        // Several consecutive underscores within a name are merged.
        if c != '_'
            || !out.ends_with('_')
            || out.chars().all(|c| c == '_')
            || chars.get(i..).is_some_and(|r| r.iter().all(|&c| c == '_'))
        {
            out.extend(c.to_lowercase());
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_written_as_rust_writes_them() {
        let cases = [
            ("LexLeq", "lex_leq"),
            ("UInt32ToSeq", "u_int32_to_seq"),
            ("toJSON", "to_json"),
            ("JSONValue", "json_value"),
            ("Valid?", "valid_q"),
            ("x'", "x_prime"),
            ("_", "blank_"),
            ("F_32", "f_32"),
            ("Math__div", "math_div"),
            ("__a__", "__a__"),
        ];
        for (dafny, rust) in cases {
            assert_eq!(snake_case(dafny), rust);
        }
    }
}
