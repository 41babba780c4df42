//! The files of a translation: the module of each item, and the text of the files.

use super::imports::{Modules, Place};
use super::{Placement, RustFile, lints};
use crate::rust::{Use, ident, print, resolved};
use dtest_sorted::SortedMap;

/// Items of one module.
pub(crate) struct Placed<'a> {
    /// The file.
    pub(crate) file: &'a RustFile,
    /// The path of the module below the root, including that of the file.
    pub(crate) module: Vec<String>,
    /// The lines of the module's documentation.
    pub(crate) doc: Vec<String>,
    /// The items.
    pub(crate) items: Vec<resolved::Item>,
}

/// A Rust module with its contents.
#[derive(Default)]
struct Tree {
    items: Vec<resolved::Item>,
    doc: Vec<String>,
    children: SortedMap<String, Tree>,
}

/// Returns the files of the translation, and the modules in them.
pub(crate) fn files(
    placement: &Placement,
    placed: Vec<Placed<'_>>,
) -> (Vec<(String, String)>, Modules) {
    let mut by_file: SortedMap<String, (Vec<String>, Tree)> = SortedMap::new();
    for p in placed {
        let (file_module, tree) = by_file
            .entry(p.file.path.clone())
            .or_insert_with(|| (p.file.module.clone(), Tree::default()));
        let mut at = tree;
        for segment in p.module.iter().skip(file_module.len()) {
            at = at.children.entry(segment.clone()).or_default();
        }
        at.doc = p.doc;
        at.items.extend(p.items);
    }
    let mut modules = Modules::default();
    for (module, tree) in by_file.values() {
        tree.note(module, &mut modules);
    }
    let files = by_file
        .into_iter()
        .map(|(path, (module, tree))| (path, file_text(placement, &modules, &module, tree)))
        .collect();
    (files, modules)
}

impl Tree {
    fn note(&self, path: &[String], modules: &mut Modules) {
        modules.add(path, &self.items);
        for (name, child) in &self.children {
            let path: Vec<String> = path.iter().chain([name]).cloned().collect();
            child.note(&path, modules);
        }
    }
}

fn file_text(placement: &Placement, modules: &Modules, module: &[String], tree: Tree) -> String {
    let mut text = placement.header.clone();
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text.push('\n');
    text.push_str(&lints::header());
    text.push('\n');
    text.push_str(&module_text(placement, modules, module, tree));
    super::rust_text(&text)
}

/// Formats a module, with its submodules last.
fn module_text(placement: &Placement, modules: &Modules, path: &[String], tree: Tree) -> String {
    let root = placement.root.split("::").map(str::to_owned).collect();
    let here = Some(path.iter().map(|s| ident(s).to_string()).collect());
    let place = Place {
        modules,
        root,
        before: Vec::new(),
        here,
    };
    let mut own = tree.items;
    let uses = place.shorten(&mut own, []);
    let mut items = Vec::new();
    if !own.is_empty() {
        items.push(resolved::Item::Use(Use::all_of(&["dunit", "prelude"])));
    }
    items.extend(uses);
    items.extend(own);
    let mut text = print::print_spaced(items);
    for (name, child) in tree.children {
        if !text.is_empty() {
            text.push('\n');
        }
        for line in &child.doc {
            text.push_str(format!("/// {line}").trim_end());
            text.push('\n');
        }
        text.push_str(&format!("pub mod {} {{\n", ident(&name)));
        let path: Vec<String> = path.iter().cloned().chain([name]).collect();
        for line in module_text(placement, modules, &path, child).lines() {
            text.push_str(format!("    {line}").trim_end());
            text.push('\n');
        }
        text.push_str("}\n");
    }
    text
}
