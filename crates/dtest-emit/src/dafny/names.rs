//! Names of the program's declarations in the scope of the tests of one module.

use std::cell::RefCell;

use dafny_resolve::typed::{
    CallableId, CtorId, Item, LocalId, ModuleId, Program, Substitution, Type, TypeDeclKind, TypeId,
};
use dafny_syntax::TokenKind;
use dafny_syntax::ast::ArrowKind;
use dtest_sorted::{SortedMap, SortedSet};

use super::Written;

/// The scope of the tests of one module: the module is opened, others are imported by name.
pub(super) struct Names<'p> {
    pub(super) program: &'p Program,
    /// The module under test.
    pub(super) home: ModuleId,
    /// Whether the test module refines the module under test. It can then allocate objects of
    /// classes without constructors.
    pub(super) is_inside: bool,
    /// The names that opening the module brings into scope.
    opened: SortedSet<String>,
    /// Constructors whose names are unambiguous in the module.
    plain_ctors: SortedSet<CtorId>,
    /// Modules that tests use, with their names in the test module.
    imports: RefCell<SortedMap<ModuleId, String>>,
}

impl<'p> Names<'p> {
    pub(super) fn new(program: &'p Program, home: ModuleId, is_inside: bool) -> Self {
        let mut opened = SortedSet::new();
        let mut ctors: SortedMap<String, Vec<CtorId>> = SortedMap::new();
        for item in &program[home].items {
            match item {
                Item::Module(m) => drop(opened.insert(program[*m].name.to_string())),
                Item::Type(t) => {
                    opened.insert(program[*t].name.to_string());
                    if let TypeDeclKind::Datatype { ctors: own, .. } = &program[*t].kind {
                        for c in own {
                            ctors
                                .entry(program[*c].name.to_string())
                                .or_default()
                                .push(*c);
                        }
                    }
                }
                Item::Const(f) => drop(opened.insert(program[*f].name.to_string())),
                Item::Callable(c) => drop(opened.insert(program[*c].name.to_string())),
            }
        }
        let plain_ctors = ctors
            .iter()
            .filter(|(name, all)| {
                let [only] = all.as_slice() else { return false };
                let datatype = program[*only].datatype;
                // A datatype and its only constructor may share a name.
                !opened.contains(*name)
                    || *program[datatype].name == ***name
                        && program[datatype].name == program[*only].name
            })
            .flat_map(|(_, all)| all.iter().copied())
            .collect();
        opened.extend(ctors.keys().cloned());
        Self {
            program,
            home,
            is_inside,
            opened,
            plain_ctors,
            imports: RefCell::default(),
        }
    }

    /// Whether the tests are outside of modules, like the code that they test.
    pub(super) fn is_top_level(&self) -> bool {
        self.program[self.home].name.is_empty()
    }

    /// Whether the module under test declares the name.
    pub(super) fn is_opened(&self, name: &str) -> bool {
        self.opened.contains(name)
    }

    /// Returns the imports of the tests besides the module under test: name and path.
    pub(super) fn imports(&self) -> Vec<(String, String)> {
        let imports = self.imports.borrow();
        let path = |m: ModuleId| self.program.module_path(m).join(".");
        imports
            .iter()
            .map(|(m, name)| (name.clone(), path(*m)))
            .collect()
    }

    /// Returns the qualifier of names that the module declares.
    fn prefix(&self, module: ModuleId) -> Written<String> {
        if module == self.home {
            return Ok(String::new());
        }
        let path = self.program.module_path(module);
        if path.is_empty() {
            return Err("a declaration outside of modules, which a module cannot import".into());
        }
        if self.is_top_level() {
            return Ok(format!("{}.", path.join(".")));
        }
        let mut imports = self.imports.borrow_mut();
        if let Some(name) = imports.get(&module) {
            return Ok(format!("{name}."));
        }
        let mut name = path.join("_");
        if self.is_inside {
            // The module under test may have an import with that name.
            name.push_str("_Import");
        }
        while self.opened.contains(&name) || imports.values().any(|n| *n == name) {
            name.push('_');
        }
        imports.insert(module, name.clone());
        Ok(format!("{name}."))
    }

    /// Writes a type declaration's name.
    pub(super) fn type_name(&self, decl: TypeId) -> Written<String> {
        let program = self.program;
        if program.nat == Some(decl) {
            return Ok("nat".into());
        }
        Ok(format!(
            "{}{}",
            self.prefix(program[decl].module)?,
            program[decl].name
        ))
    }

    /// Writes a datatype constructor, qualified if its name is ambiguous.
    pub(super) fn ctor(&self, ctor: CtorId) -> Written<String> {
        let c = &self.program[ctor];
        if self.plain_ctors.contains(&ctor) && self.program[c.datatype].module == self.home {
            return Ok(c.name.to_string());
        }
        Ok(format!("{}.{}", self.type_name(c.datatype)?, c.name))
    }

    /// Writes a callable or constant without receiver.
    pub(super) fn static_member(
        &self,
        module: ModuleId,
        owner: Option<TypeId>,
        type_args: &[Type],
        name: &str,
    ) -> Written<String> {
        match owner {
            Some(owner) => {
                let own = self.program[owner].type_params.len();
                let args = type_args.get(..own).unwrap_or_default();
                Ok(format!(
                    "{}{}.{name}",
                    self.type_name(owner)?,
                    self.args(args)?
                ))
            }
            None => Ok(format!("{}{name}", self.prefix(module)?)),
        }
    }

    /// Writes the name of a callable without receiver.
    pub(super) fn callable(&self, id: CallableId, type_args: &[Type]) -> Written<String> {
        let c = &self.program[id];
        self.static_member(c.module, c.owner, type_args, &c.name)
    }

    /// Writes type arguments as `<int, bool>`; empty for none.
    pub(super) fn args(&self, types: &[Type]) -> Written<String> {
        if types.is_empty() {
            return Ok(String::new());
        }
        Ok(format!("<{}>", self.list(types)?))
    }

    fn list(&self, types: &[Type]) -> Written<String> {
        let texts: Written<Vec<String>> = types.iter().map(|t| self.ty(t)).collect();
        Ok(texts?.join(", "))
    }

    /// Writes a type.
    pub(super) fn ty(&self, ty: &Type) -> Written<String> {
        Ok(match ty {
            Type::Bool => "bool".into(),
            Type::Char => "char".into(),
            Type::Int => "int".into(),
            Type::Real => "real".into(),
            Type::Bv(n) => format!("bv{n}"),
            Type::Ordinal => "ORDINAL".into(),
            Type::Seq(e) if **e == Type::Char => "string".into(),
            Type::Seq(e) => format!("seq<{}>", self.ty(e)?),
            Type::Set { finite, elem } => {
                format!(
                    "{}<{}>",
                    if *finite { "set" } else { "iset" },
                    self.ty(elem)?
                )
            }
            Type::Multiset(e) => format!("multiset<{}>", self.ty(e)?),
            Type::Map { finite, key, value } => format!(
                "{}<{}, {}>",
                if *finite { "map" } else { "imap" },
                self.ty(key)?,
                self.ty(value)?
            ),
            Type::Tuple(components) => {
                let mut parts = Vec::new();
                for (ghost, t) in components {
                    parts.push(format!(
                        "{}{}",
                        if *ghost { "ghost " } else { "" },
                        self.ty(t)?
                    ));
                }
                format!("({})", parts.join(", "))
            }
            Type::Arrow {
                kind,
                params,
                result,
            } => {
                let arrow = match kind {
                    ArrowKind::Total => "->",
                    ArrowKind::Partial => "-->",
                    ArrowKind::General => "~>",
                };
                let left = match params.as_slice() {
                    [t] if !matches!(t, Type::Arrow { .. } | Type::Tuple(_)) => self.ty(t)?,
                    many => format!("({})", self.list(many)?),
                };
                format!("{left} {arrow} {}", self.ty(result)?)
            }
            Type::Array {
                dims,
                nullable,
                elem,
            } => {
                let n = if *dims == 1 {
                    String::new()
                } else {
                    dims.to_string()
                };
                format!(
                    "array{n}{}<{}>",
                    if *nullable { "?" } else { "" },
                    self.ty(elem)?
                )
            }
            Type::Object { nullable } => if *nullable { "object?" } else { "object" }.into(),
            Type::Named {
                decl,
                args,
                nullable,
            } => format!(
                "{}{}{}",
                self.type_name(*decl)?,
                if *nullable { "?" } else { "" },
                self.args(args)?
            ),
            Type::Param(p) => self.program[*p].name.to_string(),
            Type::Error => return Err("a type that is not known".into()),
        })
    }
}

/// The variables of a test, and its type arguments.
#[derive(Clone, Default)]
pub(super) struct Variables {
    /// The text of each variable of the unit.
    pub(super) locals: SortedMap<LocalId, String>,
    /// The receiver.
    pub(super) this: Option<String>,
    pub(super) substitution: Substitution,
}

/// Whether a word can be the name of a variable.
pub(super) fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic())
        && word
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '\'' | '?'))
        && TokenKind::of_word(word) == TokenKind::Ident
}

/// Returns an unused name: the word, or the word with a number.
pub(super) fn unique(
    word: &str,
    taken: &mut SortedSet<String>,
    is_free: &dyn Fn(&str) -> bool,
) -> String {
    let mut name = word.to_owned();
    let mut n = 2;
    while !is_name(&name) || !is_free(&name) || taken.contains(&name) {
        name = format!("{word}{n}");
        n += 1;
        if n > 100_000 {
            break;
        }
    }
    taken.insert(name.clone());
    name
}

/// Converts `BoundedQueue` to `boundedQueue`.
pub(super) fn lower_camel(name: &str) -> String {
    let clean: String = name
        .chars()
        .filter(|c| c.is_ascii_alphanumeric() || *c == '_')
        .collect();
    let mut chars = clean.chars();
    match chars.next() {
        Some(first) if first.is_ascii_alphabetic() => {
            first.to_ascii_lowercase().to_string() + chars.as_str()
        }
        Some(_) | None => format!("x{clean}"),
    }
}

/// Converts `when_is_full` to `WhenIsFull`.
pub(super) fn upper_camel(words: &str) -> String {
    words
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|w| !w.is_empty())
        .map(|w| {
            let mut chars = w.chars();
            chars.next().map_or_else(String::new, |first| {
                first.to_ascii_uppercase().to_string() + chars.as_str()
            })
        })
        .collect()
}
