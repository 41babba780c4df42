//! Hand-written files of a package: the modules that they declare, and the paths that they import.
//!
//! The command line reads Rust through this module and [`super::read`] alone. It reads as much of a
//! file as its checks need: macros are not expanded, so that a file may declare more than is found
//! here ([`SourceFile::may_declare`]).

use dtest_sorted::SortedSet;

/// Whether a text is an identifier of Rust and not a keyword.
pub fn is_identifier(text: &str) -> bool {
    super::is_name(text)
}

/// Whether a text is a path of Rust: `crate::model`.
pub fn is_path(text: &str) -> bool {
    syn::parse_str::<syn::Path>(text).is_ok()
}

/// The items of a file or of a module.
#[derive(Clone, Default)]
pub struct SourceFile {
    items: Vec<syn::Item>,
}

/// The declaration of a module.
pub struct DeclaredModule<'f> {
    module: &'f syn::ItemMod,
}

impl SourceFile {
    /// Parses a file; `None` if the text is not Rust.
    pub fn parse(text: &str) -> Option<Self> {
        let items = syn::parse_file(text).ok()?.items;
        Some(Self { items })
    }

    /// Returns the paths that the imports of the file name; for `use a::*`, that is `a`.
    pub fn imports(&self) -> SortedSet<Vec<String>> {
        let mut found = SortedSet::new();
        for item in &self.items {
            if let syn::Item::Use(item) = item {
                add_paths(&item.tree, &mut Vec::new(), &mut found);
            }
        }
        found
    }

    /// Returns the declaration of a module.
    pub fn module(&self, name: &str) -> Option<DeclaredModule<'_>> {
        self.modules().find(|m| m.module.ident == name)
    }

    fn modules(&self) -> impl Iterator<Item = DeclaredModule<'_>> {
        self.items.iter().filter_map(|item| {
            if let syn::Item::Mod(module) = item {
                Some(DeclaredModule { module })
            } else {
                None
            }
        })
    }

    /// Whether an item other than a module may have the name: it declares the name, or brings it
    /// into scope.
    #[allow(
        clippy::wildcard_enum_match_arm,
        reason = "syn's enum is not exhaustive: other items are taken for macros"
    )]
    pub fn may_declare(&self, name: &str) -> bool {
        let is_named = |ident: &syn::Ident| ident == name;
        self.items.iter().any(|item| match item {
            syn::Item::Fn(f) => is_named(&f.sig.ident),
            syn::Item::Struct(s) => is_named(&s.ident),
            syn::Item::Enum(e) => is_named(&e.ident),
            syn::Item::Union(u) => is_named(&u.ident),
            syn::Item::Trait(t) => is_named(&t.ident),
            syn::Item::TraitAlias(t) => is_named(&t.ident),
            syn::Item::Type(t) => is_named(&t.ident),
            syn::Item::Const(c) => is_named(&c.ident),
            syn::Item::Static(s) => is_named(&s.ident),
            syn::Item::Use(item) => {
                !matches!(item.vis, syn::Visibility::Inherited) && brings(&item.tree, name)
            }
            syn::Item::Impl(_) | syn::Item::Mod(_) => false,
            // A macro may declare any name.
            _ => true,
        })
    }

    /// Returns the module declarations of this file that another file lacks, each on one line. The
    /// submodules of a module with a file of its own are not compared.
    pub fn modules_missing_in(&self, other: &Self) -> Vec<String> {
        let missing = self.modules().filter(|m| !m.is_declared_in(other));
        missing
            .map(|m| {
                let text = prettyplease::unparse(&syn::File {
                    shebang: None,
                    frontmatter: None,
                    attrs: Vec::new(),
                    items: vec![syn::Item::Mod(m.module.clone())],
                });
                text.split_whitespace().collect::<Vec<_>>().join(" ")
            })
            .collect()
    }
}

impl DeclaredModule<'_> {
    /// Whether only the parent module can name it.
    pub fn is_private(&self) -> bool {
        matches!(self.module.vis, syn::Visibility::Inherited)
    }

    /// Whether attributes such as `#[path]` or `#[cfg]` may move or remove the module.
    pub fn has_attributes(&self) -> bool {
        self.module.attrs.iter().any(|a| !a.path().is_ident("doc"))
    }

    /// Returns the items between the braces; `None` if the module has a file of its own.
    pub fn content(&self) -> Option<SourceFile> {
        let (_, items) = self.module.content.as_ref()?;
        let items = items.clone();
        Some(SourceFile { items })
    }

    /// Whether a file declares the module and its submodules.
    fn is_declared_in(&self, other: &SourceFile) -> bool {
        let of_that_name = other
            .modules()
            .filter(|m| m.module.ident == self.module.ident);
        of_that_name
            .into_iter()
            .any(|there| match (self.content(), there.content()) {
                (Some(wanted), Some(found)) => {
                    wanted.modules().all(|inner| inner.is_declared_in(&found))
                }
                (Some(_), None) | (None, _) => true,
            })
    }
}

/// Collects the paths that a `use` names.
fn add_paths(tree: &syn::UseTree, before: &mut Vec<String>, found: &mut SortedSet<Vec<String>>) {
    match tree {
        syn::UseTree::Path(path) => {
            before.push(path.ident.to_string());
            add_paths(&path.tree, before, found);
            before.pop();
        }
        syn::UseTree::Group(group) => {
            for tree in &group.items {
                add_paths(tree, before, found);
            }
        }
        syn::UseTree::Name(syn::UseName { ident, .. })
        | syn::UseTree::Rename(syn::UseRename { ident, .. }) => {
            let named = before.iter().cloned().chain([ident.to_string()]);
            found.insert(named.filter(|name| name != "self").collect());
        }
        syn::UseTree::Glob(_) => {
            found.insert(before.clone());
        }
    }
}

/// Whether a `use` may bring a name into scope.
fn brings(tree: &syn::UseTree, name: &str) -> bool {
    match tree {
        syn::UseTree::Path(path) => {
            brings(&path.tree, name) || path.ident == name && names_itself(&path.tree)
        }
        syn::UseTree::Group(group) => group.items.iter().any(|tree| brings(tree, name)),
        syn::UseTree::Name(leaf) => leaf.ident == name,
        syn::UseTree::Rename(leaf) => leaf.rename == name,
        syn::UseTree::Glob(_) => true,
    }
}

/// Whether a tree contains `self`, which brings the name of its parent into scope.
fn names_itself(tree: &syn::UseTree) -> bool {
    match tree {
        syn::UseTree::Name(leaf) => leaf.ident == "self",
        syn::UseTree::Group(group) => group.items.iter().any(names_itself),
        syn::UseTree::Path(_) | syn::UseTree::Rename(_) | syn::UseTree::Glob(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn missing(wanted: &str, there: &str) -> Vec<String> {
        let parsed = |text| SourceFile::parse(text).unwrap();
        parsed(wanted).modules_missing_in(&parsed(there))
    }

    #[test]
    fn a_module_with_a_file_of_its_own_is_declared_by_its_name() {
        assert_eq!(missing("pub mod a;", "mod a { fn f() {} }").len(), 0);
        assert_eq!(missing("pub mod a;", "mod b;"), ["pub mod a;"]);
    }

    #[test]
    fn a_missing_submodule_is_shown_with_its_parent_on_one_line() {
        let wanted = "pub mod a { pub mod b; pub mod c; }";
        assert_eq!(missing(wanted, "pub mod a { pub mod b; }"), [wanted]);
        assert_eq!(missing(wanted, "pub mod a;").len(), 0);
    }

    #[test]
    fn imports_of_groups_are_one_path_each() {
        let file = SourceFile::parse("use a::{self, b::c as d, e::*};").unwrap();
        let paths: Vec<String> = file.imports().into_iter().map(|p| p.join("::")).collect();
        assert_eq!(paths, ["a", "a::b::c", "a::e"]);
    }
}
