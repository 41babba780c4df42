//! Names of modules in compiled code, which `{:extern "name"}` may set.

use rustc_hash::FxHashMap;

use crate::typed::{AttributeArg, Attributes, Module, ModuleId, Program};
use dafny_source::Name;
use dafny_source::diagnostic::Diagnostic;

use super::passes::Findings;

/// Reports two compiled modules with the same name.
pub(super) fn check(program: &Program, diagnostics: &mut Findings) {
    let mut seen: FxHashMap<Name, ModuleId> = FxHashMap::default();
    for (i, module) in program.modules.iter().enumerate() {
        let id = ModuleId(i as u32);
        let Some(name) = chosen_name(module).filter(|_| !program.is_in_abstract_module(id)) else {
            continue;
        };
        match seen.get(&name) {
            None => {
                seen.insert(name, id);
            }
            Some(first) => {
                let (first, other) = (&program[*first], &module.name);
                let message = format!(
                    "modules '{}' and '{other}' would both be compiled as '{name}'",
                    first.name
                );
                let d = Diagnostic::error("resolve/compiled-name", module.span, message);
                diagnostics.push(d.with_secondary(first.span, "the other module"));
            }
        }
    }
}

fn chosen_name(module: &Module) -> Option<Name> {
    if module
        .attribute("compile")
        .is_some_and(|a| a.args == [AttributeArg::Bool(false)])
    {
        return None;
    }
    match module.attribute("extern")?.args.first()? {
        AttributeArg::String(name) => Some(name.as_str().into()),
        AttributeArg::Bool(_) | AttributeArg::Int(_) | AttributeArg::Other(_) => None,
    }
}
