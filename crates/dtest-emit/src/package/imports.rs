//! Converts full paths to `use` declarations and short paths.
//!
//! Pieces are translated one by one, and use full paths for all names. When a file is assembled, a
//! type of another module is imported by its name and a function by its module, as is usual in
//! Rust. If two items would get the same name, neither does: the next longer path is tried.
//!
//! [`Place::shorten`] rewrites the items of one module; [`Modules`] has the items of all modules.

use crate::rust::{
    Generics, Ident, Path, Segment, Use, Used, each_path, ident, resolved::Item, type_params,
};
use dtest_sorted::{SortedMap, SortedSet};

/// Names of `dunit::prelude` and of Rust's own types, which an import must not shadow.
const PRELUDE: &[&str] = &[
    "AnyObject",
    "Array",
    "Array2",
    "Array3",
    "Array4",
    "Array5",
    "Array6",
    "Array7",
    "Array8",
    "ArrayN",
    "Bv",
    "Cast",
    "Char",
    "Char16",
    "DafnyDefault",
    "DafnyPrint",
    "Dyn",
    "Dynamic",
    "Erased",
    "Field",
    "Fun0",
    "Fun1",
    "Fun2",
    "Fun3",
    "Fun4",
    "Fun5",
    "Fun6",
    "Fun7",
    "Fun8",
    "Halt",
    "IMap",
    "ISet",
    "Int",
    "Lazy",
    "Map",
    "Multiset",
    "Native",
    "Object",
    "Ordinal",
    "PlainObject",
    "Quoted",
    "Rc",
    "Real",
    "Ref",
    "Seq",
    "Set",
    "Snapshot",
    "Text",
    "ToIndex",
    "Value",
    "bool",
    "core",
    "crate",
    "dunit",
    "expect",
    "map",
    "multiset",
    "require",
    "seq",
    "set",
    "std",
    "str",
    "subject",
];

/// The kind of an item; imports distinguish only these.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Type,
    Function,
}

/// The items of all modules of the translation, by the paths of the modules below the root.
#[derive(Debug, Clone, Default)]
pub(crate) struct Modules(SortedMap<Vec<String>, SortedMap<String, Kind>>);

impl Modules {
    /// Registers the items of a module, and the existence of its parents.
    pub(crate) fn add(&mut self, module: &[String], items: &[Item]) {
        let module: Vec<String> = module.iter().map(|s| ident(s).to_string()).collect();
        for n in 0..module.len() {
            self.0
                .entry(module.iter().take(n).cloned().collect())
                .or_default();
        }
        let found = self.0.entry(module).or_default();
        for item in items {
            if let Some(name) = item.declared_type() {
                found.insert(name.to_string(), Kind::Type);
            } else if let Item::Fn(f) = item {
                found.insert(f.signature.head.name.to_string(), Kind::Function);
            }
        }
    }

    /// Returns the names of all modules below the root.
    pub(crate) fn names(&self) -> impl Iterator<Item = &String> {
        self.0.keys().filter_map(|m| m.last())
    }

    /// Returns the direct submodules of a module.
    fn children<'m>(&'m self, module: &'m [String]) -> impl Iterator<Item = &'m String> {
        let inside = move |m: &&Vec<String>| m.len() == module.len() + 1 && m.starts_with(module);
        self.0.keys().filter(inside).filter_map(|m| m.last())
    }
}

/// The position of a module, and the way in which it names the others.
pub(crate) struct Place<'m> {
    /// All modules.
    pub(crate) modules: &'m Modules,
    /// The prefix of full paths: `crate`, `crate::programs`, `subject`.
    pub(crate) root: Vec<String>,
    /// The prefix of the root in a `use` declaration.
    pub(crate) before: Vec<String>,
    /// The path of the module below the root; `None` for a module outside of it: the suite.
    pub(crate) here: Option<Vec<String>>,
}

/// The paths of imported names.
type Imports = SortedMap<String, Vec<String>>;

impl Place<'_> {
    /// Shortens the full paths in the items of a module, in which macros declare the given names.
    /// Returns the declarations that the items then need.
    pub(crate) fn shorten(
        &self,
        items: &mut [Item],
        beside: impl IntoIterator<Item = String>,
    ) -> Vec<Item> {
        let mut taken = self.taken(items);
        taken.extend(beside.into_iter().chain(type_params(items)));
        let mut named = SortedSet::new();
        each_path(items, &mut |path| named.extend(self.resolve(path)));
        let imports = self.choose(&named, &taken);
        let mut used = SortedSet::new();
        each_path(items, &mut |path| {
            used.extend(self.shortened(path, &imports))
        });
        self.declarations(
            imports
                .into_iter()
                .filter(|(name, _)| used.contains(name))
                .map(|(_, path)| path),
        )
    }

    /// Shortens a full path. Returns the name that is imported for it.
    fn shortened(&self, path: &mut Path, imports: &Imports) -> Option<String> {
        let (module, item) = self.resolve(path)?;
        let (segments, name) = self.short(&module, &item, imports)?;
        let named = self.root.len() + module.len() + 1;
        let mut all: Vec<Segment> = segments
            .into_iter()
            .map(|name| Segment {
                name,
                generics: Generics::None,
            })
            .collect();
        let mut rest = std::mem::take(&mut path.segments)
            .into_iter()
            .skip(named - 1);
        if let (Some(last), Some(item)) = (all.last_mut(), rest.next()) {
            last.generics = item.generics;
        }
        if let Some(q) = path.qself.as_mut().filter(|q| q.of_trait >= named) {
            q.of_trait = q.of_trait + all.len() - named;
        }
        all.extend(rest);
        path.segments = all;
        name
    }

    /// Returns the names of types and modules that imports of the module must not use.
    fn taken(&self, items: &[Item]) -> SortedSet<String> {
        let mut here = Modules::default();
        here.add(&[], items);
        let own = here.0.into_values().flatten().map(|(name, _)| name);
        let children = self
            .here
            .iter()
            .flat_map(|h| self.modules.children(h).cloned());
        PRELUDE
            .iter()
            .map(|&s| s.to_owned())
            .chain(own)
            .chain(children)
            .collect()
    }

    /// Returns the module and the item of a full path.
    fn resolve(&self, path: &Path) -> Option<(Vec<String>, String)> {
        let segments: Vec<String> = path.segments.iter().map(|s| s.name.clone()).collect();
        let below = segments.strip_prefix(self.root.as_slice())?;
        if path.has_leading_colons {
            return None;
        }
        let modules = (0..below.len()).rev().find(|&n| {
            below
                .get(..n)
                .is_some_and(|m| self.modules.0.contains_key(m))
        })?;
        Some((below.get(..modules)?.to_vec(), below.get(modules)?.clone()))
    }

    fn kind(&self, module: &[String], item: &str) -> Kind {
        self.modules
            .0
            .get(module)
            .and_then(|m| m.get(item))
            .copied()
            .unwrap_or(Kind::Function)
    }

    /// Chooses the imports for the named items. Each name stands for one item.
    fn choose(
        &self,
        paths: &SortedSet<(Vec<String>, String)>,
        taken: &SortedSet<String>,
    ) -> Imports {
        let (mut by_name, mut count): (Imports, SortedMap<String, SortedSet<Vec<String>>>) =
            (SortedMap::new(), SortedMap::new());
        for (module, item) in paths {
            for path in self.candidates(module, item) {
                if let Some(name) = path.last() {
                    count.entry(name.clone()).or_default().insert(path.clone());
                }
            }
        }
        for (name, paths) in count {
            if let ([path], false) = (
                paths.into_iter().collect::<Vec<_>>().as_slice(),
                taken.contains(&name),
            ) {
                by_name.insert(name, path.clone());
            }
        }
        by_name
    }

    /// Returns the possible imports for an item, the best first: the type itself, its module, then
    /// the parents of the module.
    fn candidates(&self, module: &[String], item: &str) -> Vec<Vec<String>> {
        let mut out = Vec::new();
        if self.kind(module, item) == Kind::Type {
            out.push(module.iter().cloned().chain([item.to_owned()]).collect());
        }
        out.extend(
            (1..=module.len())
                .rev()
                .filter_map(|n| module.get(..n).map(<[String]>::to_vec)),
        );
        out
    }

    /// Returns the `use` declarations, one for each source module.
    fn declarations(&self, imports: impl Iterator<Item = Vec<String>>) -> Vec<Item> {
        let mut by_module: SortedMap<Vec<String>, Vec<String>> = SortedMap::new();
        for mut path in imports {
            if let Some(name) = path.pop() {
                by_module.entry(path).or_default().push(name);
            }
        }
        // A module and its contents share a declaration. Inner modules are processed first, because
        // they may absorb all imports.
        let whole: Vec<Vec<String>> = by_module
            .keys()
            .filter(|m| !m.is_empty())
            .rev()
            .cloned()
            .collect();
        for module in whole {
            let Some((name, parent)) = module.split_last() else {
                continue;
            };
            let has_names = by_module
                .get(&module)
                .is_some_and(|names| !names.is_empty());
            if has_names
                && by_module
                    .get(parent)
                    .is_some_and(|names| names.contains(name))
            {
                by_module
                    .entry(parent.to_vec())
                    .or_default()
                    .retain(|n| n != name);
                by_module
                    .entry(module)
                    .or_default()
                    .insert(0, "self".into());
            }
        }
        let mut out = Vec::new();
        for (module, mut names) in by_module {
            let path = self
                .before
                .iter()
                .chain(&self.root)
                .chain(&module)
                .map(|s| Ident::new(s));
            let (last, what) = match names.len() {
                0 => continue,
                1 => (names.pop(), Used::Itself),
                _ => (None, Used::Names(names)),
            };
            out.push(Item::Use(Use {
                is_public: false,
                path: Path::of(path.chain(last.map(|n| Ident::new(&n)))),
                what,
            }));
        }
        out
    }

    /// Returns the short path of an item in a module, and the name that is imported for it.
    fn short(
        &self,
        module: &[String],
        item: &str,
        imports: &Imports,
    ) -> Option<(Vec<String>, Option<String>)> {
        for candidate in self.candidates(module, item) {
            let name = candidate.last()?;
            if imports.get(name) == Some(&candidate) {
                let rest = module
                    .iter()
                    .chain([&item.to_owned()])
                    .skip(candidate.len())
                    .cloned()
                    .collect::<Vec<_>>();
                return Some((
                    std::iter::once(name.clone()).chain(rest).collect(),
                    Some(name.clone()),
                ));
            }
            if let Some((parent, true)) = candidate
                .split_last()
                .map(|(_, p)| (p, candidate.len() <= module.len()))
                && self.here.as_deref() == Some(parent)
            {
                // A submodule needs no import.
                return Some((
                    module
                        .iter()
                        .skip(parent.len())
                        .cloned()
                        .chain([item.to_owned()])
                        .collect(),
                    None,
                ));
            }
        }
        if self
            .here
            .as_ref()
            .is_some_and(|h| h.split_last().is_some_and(|(_, parent)| parent == module))
        {
            return Some((vec!["super".into(), item.to_owned()], None));
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::{Modules, Place};
    use crate::rust::print::print_items;
    use crate::rust::{Item, items};
    use dtest_sorted::SortedSet;

    /// Returns the declarations for a module outside of the translation with the items `here`,
    /// given the items of other modules.
    fn imports(modules: &[(&str, Vec<Item>)], here: Vec<Item>) -> Vec<String> {
        let tidied = |items: &[Item]| crate::passes::tidy(items.to_vec(), &SortedSet::new());
        let mut all = Modules::default();
        for (path, items) in modules {
            all.add(
                &path.split("::").map(str::to_owned).collect::<Vec<_>>(),
                &tidied(items),
            );
        }
        let place = Place {
            modules: &all,
            root: vec!["subject".into()],
            before: vec!["crate".into()],
            here: None,
        };
        place
            .shorten(&mut tidied(&here), [])
            .into_iter()
            .map(|i| print_items(vec![i]).trim().to_owned())
            .collect()
    }

    #[test]
    fn a_module_and_its_items_are_imported_together() {
        let modules = [
            (
                "a",
                items!(
                    fn f() {}
                ),
            ),
            (
                "a::b",
                items!(
                    struct S {}
                    fn g() {}
                ),
            ),
        ];
        let test = items!(
            fn test() {
                subject::a::f(subject::a::b::g(), subject::a::b::S)
            }
        );
        assert_eq!(
            imports(&modules, test),
            [
                "use crate::subject::a;",
                "use crate::subject::a::b::{self, S};"
            ]
        );
    }

    #[test]
    fn a_module_whose_names_are_imported_with_theirs_is_imported_by_itself() {
        let modules = [
            (
                "a::b",
                items!(
                    fn f() {}
                ),
            ),
            (
                "a::b::c",
                items!(
                    struct S {}
                    fn g() {}
                ),
            ),
        ];
        let test = items!(
            fn test() {
                subject::a::b::f(subject::a::b::c::g(), subject::a::b::c::S)
            }
        );
        assert_eq!(
            imports(&modules, test),
            [
                "use crate::subject::a::b;",
                "use crate::subject::a::b::c::{self, S};"
            ]
        );
    }
}
