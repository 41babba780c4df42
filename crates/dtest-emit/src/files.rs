//! The files of a translation: which item stands in which module, and their text.

use std::collections::{BTreeMap, BTreeSet};

use crate::code::ident;
use crate::convention::{Dependency, Scope};
use crate::imports::{Modules, Place};
use crate::rep::Ground;
use crate::rust::{FnItem, Item, Use, items, resolved, ty};
use crate::{Parts, Piece, docs, lints, of_traits, passes, print};
use dafny_resolve::typed::{CallableId, ModuleId, TypeId};

/// A Rust module with what stands in it.
#[derive(Default)]
struct Tree {
    items: Vec<resolved::Item>,
    dafny: Option<ModuleId>,
    children: BTreeMap<String, Tree>,
}

/// The files of the translation, and the modules in them.
pub(super) fn files(ground: &Ground<'_>, pieces: &[Piece]) -> (Vec<(String, String)>, Modules) {
    let mut by_file: BTreeMap<String, (Vec<String>, Tree)> = BTreeMap::new();
    let present: BTreeSet<Dependency> = pieces.iter().map(|p| p.id).collect();
    let mut i = 0;
    while let Some(p) = pieces.get(i) {
        let mut end = i + 1;
        let mut items = Vec::new();
        if let Some(owner) = p.inside {
            // Members follow their type: one `impl` for a run of them.
            while pieces.get(end).is_some_and(|n| n.inside == Some(owner)) {
                end += 1;
            }
            items = members(ground, owner, pieces.get(i..end).unwrap_or_default());
        } else {
            items.extend(match &p.parts {
                Parts::Items(items) => items.clone(),
                Parts::Functions(functions) => functions.iter().cloned().map(Item::Fn).collect(),
            });
            if let Dependency::Type(t) = p.id {
                let scope = Scope::new(ground, Some((p.dafny, p.module.clone())), false);
                items.extend(of_traits(&scope, t, &present));
            }
        }
        i = end;
        let file_module = ground.placement.files.values().chain([&ground.placement.other]).find(|f| f.path == p.path);
        let file_module = file_module.map(|f| f.module.clone()).unwrap_or_default();
        let (_, tree) = by_file.entry(p.path.clone()).or_insert_with(|| (file_module.clone(), Tree::default()));
        let mut at = tree;
        for segment in p.module.iter().skip(file_module.len()) {
            at = at.children.entry(segment.clone()).or_default();
        }
        at.dafny = Some(p.dafny);
        at.items.extend(passes::tidy(items, ground.names.declared_in(p.dafny)));
    }
    let mut modules = Modules::default();
    for (module, tree) in by_file.values() {
        tree.note(module, &mut modules);
    }
    let files = by_file.into_iter().map(|(path, (module, tree))| (path, file_text(ground, &modules, &module, tree))).collect();
    (files, modules)
}

/// The `impl` of members of a type. Nothing is written for those of a linked type, or for those that what extends a trait has.
fn members(ground: &Ground<'_>, owner: TypeId, run: &[Piece]) -> Vec<Item> {
    let functions = run.iter().flat_map(|p| match &p.parts {
        Parts::Functions(functions) => functions.as_slice(),
        Parts::Items(_) => &[],
    });
    let functions: Vec<FnItem> = functions.cloned().collect();
    let Some(first) = run.first().filter(|_| !functions.is_empty()) else { return Vec::new() };
    let scope = Scope::new(ground, Some((first.dafny, first.module.clone())), false);
    let params = &ground.program[owner].type_params;
    let (name, generics, params) = (ident(ground.names.type_name(owner)), scope.generics(params), scope.params(params));
    let ty = if ground.program.is_trait(owner) { ty!(dyn #name<#..params>) } else { ty!(#name<#..params>) };
    let callables: Vec<CallableId> = run.iter().filter_map(|p| if let Dependency::Callable(c) = p.id { Some(c) } else { None }).collect();
    let hooks = ground.hooks(owner, &callables);
    items! {
        #[#..hooks]
        impl<#..generics> #ty {
            #..functions
        }
    }
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

fn file_text(ground: &Ground<'_>, modules: &Modules, module: &[String], tree: Tree) -> String {
    let mut text = ground.placement.header.clone();
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text.push('\n');
    text.push_str(&lints::header());
    text.push('\n');
    text.push_str(&module_text(ground, modules, module, tree));
    text
}

/// The text of a module, modules within it last.
fn module_text(ground: &Ground<'_>, modules: &Modules, path: &[String], tree: Tree) -> String {
    let root = ground.placement.root.split("::").map(str::to_owned).collect();
    let here = Some(path.iter().map(|s| ident(s).to_string()).collect());
    let place = Place { modules, root, before: Vec::new(), here };
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
        let doc = child.dafny.and_then(|m| ground.program[m].doc.clone());
        if !text.is_empty() {
            text.push('\n');
        }
        for line in doc.iter().flat_map(|d| docs::lines(d)) {
            text.push_str(format!("/// {line}").trim_end());
            text.push('\n');
        }
        text.push_str(&format!("pub mod {} {{\n", ident(&name)));
        let path: Vec<String> = path.iter().cloned().chain([name]).collect();
        for line in module_text(ground, modules, &path, child).lines() {
            text.push_str(format!("    {line}").trim_end());
            text.push('\n');
        }
        text.push_str("}\n");
    }
    text
}
