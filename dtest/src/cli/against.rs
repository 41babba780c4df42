//! Checks that hand-written code declares the modules that its suite names.
//!
//! With `--against`, tests name the modules that the translation would have: `src/model.dfy` with a
//! module `Steps` is `crate::model::steps`. A missing module is one error here, and a dozen errors
//! of rustc otherwise. [`missing`] reports only certain errors: a module may also come from a
//! macro, from a `use`, or from a file that is not found.

use std::path::{Path, PathBuf};

use super::files;
use super::layout::LIB;
use dtest_sorted::SortedSet;

/// A module that no file declares.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MissingModule {
    /// The path of the module: `crate::model`.
    pub path: String,
    /// The file that would have to declare it, relative to the package.
    pub file: String,
    /// Whether the file declares it as a private module.
    pub is_private: bool,
}

/// Returns the modules that the files of a suite name below `against` and that the package in
/// `root` does not have. `against` is a path in the library of the package; the suite calls it
/// `subject`.
pub fn missing<'t>(
    root: &Path,
    against: &str,
    suite: impl Iterator<Item = &'t str>,
) -> SortedSet<MissingModule> {
    let Some(below) = against.strip_prefix("crate") else {
        // The code is in another package, which is not searched.
        return SortedSet::new();
    };
    let base: Vec<String> = below
        .split("::")
        .filter(|s| !s.is_empty())
        .map(str::to_owned)
        .collect();
    let mut named = SortedSet::new();
    for file in suite.filter_map(|text| syn::parse_file(text).ok()) {
        for item in &file.items {
            if let syn::Item::Use(item) = item {
                paths(&item.tree, &mut Vec::new(), &mut named);
            }
        }
    }
    let subject = ["crate", "subject"];
    let below_subject = |path: Vec<String>| {
        path.strip_prefix(&subject.map(str::to_owned)[..])
            .map(<[String]>::to_vec)
    };
    let mut found = SortedSet::new();
    for path in named.into_iter().filter_map(below_subject) {
        let path: Vec<String> = base.iter().cloned().chain(path).collect();
        found.extend(Crate { root }.lacks(&path));
    }
    found
}

/// Collects the paths that a `use` names.
fn paths(tree: &syn::UseTree, before: &mut Vec<String>, found: &mut SortedSet<Vec<String>>) {
    match tree {
        syn::UseTree::Path(path) => {
            before.push(path.ident.to_string());
            paths(&path.tree, before, found);
            before.pop();
        }
        syn::UseTree::Group(group) => {
            for tree in &group.items {
                paths(tree, before, found);
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

/// The library of a package.
struct Crate<'r> {
    root: &'r Path,
}

impl Crate<'_> {
    /// Returns the first module on a path that is not declared.
    fn lacks(&self, path: &[String]) -> Option<MissingModule> {
        let mut file = PathBuf::from(LIB);
        let mut items = self.parsed(&file)?;
        // The directory that contains the files of the submodules.
        let mut directory = PathBuf::from("src");
        for (i, name) in path.iter().enumerate() {
            let missing = |is_private: bool| MissingModule {
                path: format!("crate::{}", path.get(..=i).unwrap_or_default().join("::")),
                file: file.to_string_lossy().into_owned(),
                is_private,
            };
            let Some(module) = module_named(&items, name) else {
                return (!may_have(&items, name)).then(|| missing(false));
            };
            if matches!(module.vis, syn::Visibility::Inherited) && !has_attributes(module) {
                return Some(missing(true));
            }
            directory.push(name);
            match &module.content {
                Some((_, inner)) => items = inner.clone(),
                None if has_attributes(module) => return None,
                None => {
                    let beside = directory.with_extension("rs");
                    file = if self.root.join(&beside).exists() {
                        beside
                    } else {
                        directory.join("mod.rs")
                    };
                    items = self.parsed(&file)?;
                }
            }
        }
        None
    }

    fn parsed(&self, file: &Path) -> Option<Vec<syn::Item>> {
        let text = files::read_text(&self.root.join(file)).ok()?;
        Some(syn::parse_file(&text).ok()?.items)
    }
}

fn module_named<'i>(items: &'i [syn::Item], name: &str) -> Option<&'i syn::ItemMod> {
    items.iter().find_map(|item| {
        if let syn::Item::Mod(module) = item {
            Some(module).filter(|m| m.ident == name)
        } else {
            None
        }
    })
}

/// Whether attributes such as `#[path]` or `#[cfg]` may move or remove a module.
fn has_attributes(module: &syn::ItemMod) -> bool {
    module.attrs.iter().any(|a| !a.path().is_ident("doc"))
}

/// Whether an item other than a module may have the name: it declares the name, or brings it into
/// scope.
#[allow(
    clippy::wildcard_enum_match_arm,
    reason = "syn's enum is not exhaustive: other items are taken for macros"
)]
fn may_have(items: &[syn::Item], name: &str) -> bool {
    let is_named = |ident: &syn::Ident| ident == name;
    items.iter().any(|item| match item {
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
    use super::{MissingModule, missing};

    /// The module that is missing for a suite that names `crate::subject::model::steps`, in a
    /// package with these files.
    fn lacks(files: &[(&str, &str)]) -> Option<(String, String, bool)> {
        let folder = tempfile::tempdir().expect("a folder");
        for (path, text) in files {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::write(path, text).expect("a file");
        }
        let suite = "use dunit::prelude::*; use crate::subject::model::steps; fn t() {}";
        let found = missing(folder.path(), "crate", [suite].into_iter());
        found.into_iter().next().map(
            |MissingModule {
                 path,
                 file,
                 is_private,
             }| (path, file, is_private),
        )
    }

    fn is(path: &str, file: &str, is_private: bool) -> Option<(String, String, bool)> {
        Some((path.to_owned(), file.to_owned(), is_private))
    }

    #[test]
    fn a_module_that_no_file_declares_is_missing_in_the_file_that_would_have_to() {
        let lib = ("src/lib.rs", "pub mod model;");
        assert_eq!(
            lacks(&[("src/lib.rs", "pub mod steps;")]),
            is("crate::model", "src/lib.rs", false)
        );
        assert_eq!(
            lacks(&[lib, ("src/model.rs", "pub fn raise() {}")]),
            is("crate::model::steps", "src/model.rs", false)
        );
        assert_eq!(
            lacks(&[lib, ("src/model/mod.rs", "mod steps {}")]),
            is("crate::model::steps", "src/model/mod.rs", true)
        );
        assert_eq!(lacks(&[lib, ("src/model.rs", "pub mod steps { }")]), None);
        assert_eq!(
            lacks(&[
                ("src/lib.rs", "pub mod model { pub mod steps; }"),
                ("src/model/steps.rs", "")
            ]),
            None
        );
    }

    #[test]
    fn private_imports_are_not_available_to_tests() {
        let lib = ("src/lib.rs", "use dunit::prelude::*;");
        assert_eq!(lacks(&[lib]), is("crate::model", "src/lib.rs", false));
    }

    #[test]
    fn names_that_may_come_from_elsewhere_are_no_error() {
        for lib in [
            "pub use other::model;",
            "pub use other::*;",
            "pub use other::model::{self};",
            "make_modules!();",
            "pub(crate) use other::*;",
            "#[path = \"x.rs\"] pub mod model;",
            "pub use elsewhere as model;",
            "not Rust",
        ] {
            assert_eq!(lacks(&[("src/lib.rs", lib)]), None, "{lib}");
        }
    }
}
