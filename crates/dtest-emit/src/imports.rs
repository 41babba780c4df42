//! Full paths → `use` declarations and short paths.
//!
//! Pieces are translated one by one and name everything by its full path. When a file is put together, a type that is
//! named from another module is imported by its name, a function by its module, as Rust programmers do. Where two
//! things would go by one name, neither takes it: the next longer path is tried.

use std::collections::{BTreeMap, BTreeSet};

use syn::visit_mut::VisitMut;

use super::code::{ident, known_ident};

/// Names that `dunit::prelude` brings along and Rust's own types: an import must not hide them.
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

/// What an item is, as far as imports differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Type,
    Function,
}

/// The items of all modules of the translation, by the modules' paths below the root.
#[derive(Debug, Clone, Default)]
pub(super) struct Modules(BTreeMap<Vec<String>, BTreeMap<String, Kind>>);

impl Modules {
    /// Notes what stands in a module, and that the modules around it are there.
    pub(super) fn add(&mut self, module: &[String], items: &[syn::Item]) {
        let module: Vec<String> = module.iter().map(|s| ident(s).to_string()).collect();
        for n in 0..module.len() {
            self.0.entry(module.iter().take(n).cloned().collect()).or_default();
        }
        let found = self.0.entry(module).or_default();
        for item in items {
            match item {
                syn::Item::Enum(i) => found.insert(i.ident.to_string(), Kind::Type),
                syn::Item::Struct(i) => found.insert(i.ident.to_string(), Kind::Type),
                syn::Item::Type(i) => found.insert(i.ident.to_string(), Kind::Type),
                syn::Item::Trait(i) => found.insert(i.ident.to_string(), Kind::Type),
                syn::Item::Fn(i) => found.insert(i.sig.ident.to_string(), Kind::Function),
                _ => None,
            };
        }
    }

    /// The names of all modules below the root.
    pub(super) fn names(&self) -> impl Iterator<Item = &String> {
        self.0.keys().filter_map(|m| m.last())
    }

    /// The modules directly in a module.
    fn children<'m>(&'m self, module: &'m [String]) -> impl Iterator<Item = &'m String> {
        let inside = move |m: &&Vec<String>| m.len() == module.len() + 1 && m.starts_with(module);
        self.0.keys().filter(inside).filter_map(|m| m.last())
    }
}

/// Where a module stands and how it names the others.
pub(super) struct Place<'m> {
    /// All modules.
    pub(super) modules: &'m Modules,
    /// What full paths start with: `crate`, `crate::programs`, `subject`.
    pub(super) root: Vec<String>,
    /// What a `use` declaration has before the root.
    pub(super) before: Vec<String>,
    /// The path of the module below the root; `None` for a module outside of it: the suite.
    pub(super) here: Option<Vec<String>>,
}

/// What a module means by a name that it imports.
type Imports = BTreeMap<String, Vec<String>>;

impl Place<'_> {
    /// Shortens the full paths in the items of a module. The result are the declarations that they need then.
    pub(super) fn shorten(&self, items: &mut [syn::Item]) -> Vec<syn::Item> {
        let mut found = Found { place: self, paths: BTreeSet::new(), taken: self.taken(items) };
        items.iter_mut().for_each(|i| found.visit_item_mut(i));
        let imports = self.choose(&found.paths, &found.taken);
        let mut shortening = Shortening { place: self, imports: &imports, used: BTreeSet::new() };
        items.iter_mut().for_each(|i| shortening.visit_item_mut(i));
        let used = shortening.used;
        self.declarations(imports.into_iter().filter(|(name, _)| used.contains(name)).map(|(_, path)| path))
    }

    /// Names of types and modules that the module cannot import anything by.
    fn taken(&self, items: &[syn::Item]) -> BTreeSet<String> {
        let mut here = Modules::default();
        here.add(&[], items);
        let own = here.0.into_values().flatten().map(|(name, _)| name);
        let children = self.here.iter().flat_map(|h| self.modules.children(h).cloned());
        PRELUDE.iter().map(|&s| s.to_owned()).chain(own).chain(children).collect()
    }

    /// The module and the item of a full path, with the number of its segments.
    fn resolve(&self, path: &syn::Path) -> Option<(Vec<String>, String)> {
        let segments: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
        let below = segments.strip_prefix(self.root.as_slice())?;
        if path.leading_colon.is_some() {
            return None;
        }
        let modules = (0..below.len()).rev().find(|&n| below.get(..n).is_some_and(|m| self.modules.0.contains_key(m)))?;
        Some((below.get(..modules)?.to_vec(), below.get(modules)?.clone()))
    }

    fn kind(&self, module: &[String], item: &str) -> Kind {
        self.modules.0.get(module).and_then(|m| m.get(item)).copied().unwrap_or(Kind::Function)
    }

    /// What is imported for the items that are named. Each name stands for one thing.
    fn choose(&self, paths: &BTreeSet<(Vec<String>, String)>, taken: &BTreeSet<String>) -> Imports {
        let (mut by_name, mut count): (Imports, BTreeMap<String, BTreeSet<Vec<String>>>) = (BTreeMap::new(), BTreeMap::new());
        for (module, item) in paths {
            for path in self.candidates(module, item) {
                if let Some(name) = path.last() {
                    count.entry(name.clone()).or_default().insert(path.clone());
                }
            }
        }
        for (name, paths) in count {
            if let ([path], false) = (paths.into_iter().collect::<Vec<_>>().as_slice(), taken.contains(&name)) {
                by_name.insert(name, path.clone());
            }
        }
        by_name
    }

    /// What can be imported to name an item, the best first: a type itself, then the module, then the modules around it.
    fn candidates(&self, module: &[String], item: &str) -> Vec<Vec<String>> {
        let mut out = Vec::new();
        if self.kind(module, item) == Kind::Type {
            out.push(module.iter().cloned().chain([item.to_owned()]).collect());
        }
        out.extend((1..=module.len()).rev().filter_map(|n| module.get(..n).map(<[String]>::to_vec)));
        out
    }

    /// `use` declarations, one for each module that things are taken from.
    fn declarations(&self, imports: impl Iterator<Item = Vec<String>>) -> Vec<syn::Item> {
        let mut by_module: BTreeMap<Vec<String>, Vec<String>> = BTreeMap::new();
        for mut path in imports {
            if let Some(name) = path.pop() {
                by_module.entry(path).or_default().push(name);
            }
        }
        // A module and what is in it in one declaration; the inner modules first, as what they take along may be all.
        let whole: Vec<Vec<String>> = by_module.keys().filter(|m| !m.is_empty()).rev().cloned().collect();
        for module in whole {
            let Some((name, parent)) = module.split_last() else { continue };
            let has_names = by_module.get(&module).is_some_and(|names| !names.is_empty());
            if has_names && by_module.get(parent).is_some_and(|names| names.contains(name)) {
                by_module.entry(parent.to_vec()).or_default().retain(|n| n != name);
                by_module.entry(module).or_default().insert(0, "self".into());
            }
        }
        let mut out = Vec::new();
        for (module, names) in by_module {
            let path = self.before.iter().chain(&self.root).chain(&module).map(|s| known_ident(s));
            let names: Vec<_> = names.iter().map(|n| known_ident(n)).collect();
            match names.as_slice() {
                [] => {}
                [one] => out.push(syn::parse_quote!(use #(#path)::* :: #one;)),
                many => out.push(syn::parse_quote!(use #(#path)::* :: { #(#many),* };)),
            }
        }
        out
    }

    /// The segments that stand for a module and an item in it, and the name that is imported for them.
    fn short(&self, module: &[String], item: &str, imports: &Imports) -> Option<(Vec<String>, Option<String>)> {
        for candidate in self.candidates(module, item) {
            let name = candidate.last()?;
            if imports.get(name) == Some(&candidate) {
                let rest = module.iter().chain([&item.to_owned()]).skip(candidate.len()).cloned().collect::<Vec<_>>();
                return Some((std::iter::once(name.clone()).chain(rest).collect(), Some(name.clone())));
            }
            if let Some((parent, true)) = candidate.split_last().map(|(_, p)| (p, candidate.len() <= module.len()))
                && self.here.as_deref() == Some(parent)
            {
                // A module in this one.
                return Some((module.iter().skip(parent.len()).cloned().chain([item.to_owned()]).collect(), None));
            }
        }
        if self.here.as_ref().is_some_and(|h| h.split_last().is_some_and(|(_, parent)| parent == module)) {
            return Some((vec!["super".into(), item.to_owned()], None));
        }
        None
    }
}

/// Collects what full paths name.
struct Found<'a, 'm> {
    place: &'a Place<'m>,
    paths: BTreeSet<(Vec<String>, String)>,
    taken: BTreeSet<String>,
}

impl VisitMut for Found<'_, '_> {
    fn visit_path_mut(&mut self, path: &mut syn::Path) {
        self.paths.extend(self.place.resolve(path));
        syn::visit_mut::visit_path_mut(self, path);
    }

    fn visit_type_param_mut(&mut self, param: &mut syn::TypeParam) {
        self.taken.insert(param.ident.to_string());
        syn::visit_mut::visit_type_param_mut(self, param);
    }
}

/// Replaces full paths.
struct Shortening<'a, 'm> {
    place: &'a Place<'m>,
    imports: &'a Imports,
    used: BTreeSet<String>,
}

impl VisitMut for Shortening<'_, '_> {
    fn visit_path_mut(&mut self, path: &mut syn::Path) {
        if let Some((module, item)) = self.place.resolve(path)
            && let Some((segments, name)) = self.place.short(&module, &item, self.imports)
        {
            self.used.extend(name);
            let named = self.place.root.len() + module.len() + 1;
            let mut all: Vec<syn::PathSegment> = segments.iter().map(|s| known_ident(s).into()).collect();
            let mut rest = path.segments.iter().skip(named - 1);
            if let (Some(last), Some(item)) = (all.last_mut(), rest.next()) {
                last.arguments = item.arguments.clone();
            }
            all.extend(rest.cloned());
            path.segments = all.into_iter().collect();
        }
        syn::visit_mut::visit_path_mut(self, path);
    }
}

#[cfg(test)]
mod tests {
    use quote::ToTokens;

    use super::{Modules, Place};

    /// The declarations of a module outside of the translation with this text, where these modules have these items.
    fn imports(modules: &[(&str, &str)], text: &str) -> Vec<String> {
        let items = |text: &str| syn::parse_str::<syn::File>(text).map(|f| f.items).unwrap_or_default();
        let mut all = Modules::default();
        for (path, text) in modules {
            all.add(&path.split("::").map(str::to_owned).collect::<Vec<_>>(), &items(text));
        }
        let place = Place { modules: &all, root: vec!["subject".into()], before: vec!["crate".into()], here: None };
        place.shorten(&mut items(text)).iter().map(|i| i.to_token_stream().to_string().replace(' ', "")).collect()
    }

    #[test]
    fn a_module_and_what_is_in_it_are_imported_together() {
        let modules = [("a", "fn f() {}"), ("a::b", "struct S; fn g() {}")];
        let text = "fn test() { subject::a::f(subject::a::b::g(), subject::a::b::S) }";
        assert_eq!(imports(&modules, text), ["usecrate::subject::a;", "usecrate::subject::a::b::{self,S};"]);
    }

    #[test]
    fn a_module_whose_names_are_imported_with_theirs_is_imported_by_itself() {
        let modules = [("a::b", "fn f() {}"), ("a::b::c", "struct S; fn g() {}")];
        let text = "fn test() { subject::a::b::f(subject::a::b::c::g(), subject::a::b::c::S) }";
        assert_eq!(imports(&modules, text), ["usecrate::subject::a::b;", "usecrate::subject::a::b::c::{self,S};"]);
    }
}
