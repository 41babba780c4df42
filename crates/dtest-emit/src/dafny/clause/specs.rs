//! Compiled copies of ghost functions, for the clauses that call them.

use std::cell::RefCell;

use dafny_resolve::typed::{Body, CallableId, CallableKind, Type};
use dtest_sorted::{SortedMap, SortedSet};

use super::super::names::{Names, Variables, unique, upper_camel};
use super::super::{Piece, Role, Written};
use super::Writer;
use crate::Reason;

/// Specification functions that the tests of a module declare as compiled functions, because they
/// are ghost in the program and clauses call them.
#[derive(Default)]
pub(in crate::dafny) struct Specs {
    names: RefCell<SortedMap<CallableId, Written<String>>>,
    pieces: RefCell<Vec<Piece>>,
    /// Names of declarations of the test module.
    pub(in crate::dafny) taken: RefCell<SortedSet<String>>,
}

impl Specs {
    /// Takes the declarations.
    pub(in crate::dafny) fn take(&self) -> Vec<Piece> {
        std::mem::take(&mut self.pieces.borrow_mut())
    }

    /// Returns the name of the copy of a ghost function, which is declared if needed.
    pub(super) fn copy(&self, names: &Names<'_>, id: CallableId) -> Written<String> {
        if let Some(known) = self.names.borrow().get(&id) {
            return known.clone();
        }
        let program = names.program;
        let c = &program[id];
        let word = match c.owner {
            Some(owner) => format!("{}{}", program[owner].name, upper_camel(&c.name)),
            None => c.name.to_string(),
        };
        let name = unique(&word, &mut self.taken.borrow_mut(), &|n| {
            c.owner.is_none() || !names.is_opened(n)
        });
        self.names.borrow_mut().insert(id, Ok(name.clone()));
        match self.declare(names, id, &name) {
            Ok(piece) => {
                self.pieces.borrow_mut().push(piece);
                Ok(name)
            }
            Err(reason) => {
                let reason =
                    Reason::from(format!("needs `{}`: {reason}", program.callable_path(id)));
                self.names.borrow_mut().insert(id, Err(reason.clone()));
                Err(reason)
            }
        }
    }

    fn declare(&self, names: &Names<'_>, id: CallableId, name: &str) -> Written<Piece> {
        let program = names.program;
        let c = &program[id];
        // Only predicates and functions whose body is an expression have a compiled copy.
        let (Body::Expr(body) | Body::ByMethod(body, _)) = &c.body else {
            return Err("it has no body".into());
        };
        let is_plain = c.kind == CallableKind::Function && !c.is_two_state;
        if !is_plain {
            return Err("an extreme or two-state predicate".into());
        }
        if c.owner.is_some_and(|t| program.is_trait(t)) {
            return Err("a ghost member of a trait".into());
        }
        // The receiver becomes a parameter, since the copy is outside of the type.
        let mut params = Vec::new();
        let mut writer = Writer::new(names, Some(self), Variables::default());
        if let Some(owner) = c.owner.filter(|_| !c.is_static) {
            let ty = Type::named(
                owner,
                program[owner]
                    .type_params
                    .iter()
                    .map(|p| Type::Param(*p))
                    .collect(),
            );
            params.push(format!("self: {}", names.ty(&ty)?));
            writer.this = Some("self".into());
        }
        for formal in &c.ins {
            let local = &program[formal.local];
            let name = writer.bind(formal.local);
            params.push(format!("{name}: {}", names.ty(&local.ty)?));
        }
        let result = c.outs.first().ok_or("it has no result")?;
        let result = names.ty(&program[result.local].ty)?;
        // Type parameters keep their characteristics, which the body may depend on.
        let generics: Vec<String> = program
            .all_type_params(id)
            .into_iter()
            .map(|p| {
                let param = &program[p];
                let mut marks = Vec::new();
                if param.characteristics.equality {
                    marks.push("==");
                }
                if param.characteristics.auto_init {
                    marks.push("0");
                }
                if param.characteristics.no_new {
                    marks.push("!new");
                }
                let marks = if marks.is_empty() {
                    String::new()
                } else {
                    format!("({})", marks.join(", "))
                };
                format!("{}{marks}", param.name)
            })
            .collect();
        let generics = if generics.is_empty() {
            String::new()
        } else {
            format!("<{}>", generics.join(", "))
        };
        let body = writer.expr(body, 0)?;
        let text = format!(
            "function {name}{generics}({}): {result}\n  reads *\n{{\n  {body}\n}}",
            params.join(", ")
        );
        Ok(Piece::new(text, Role::Declaration)
            .providing(name.to_owned())
            .needing(writer.needs))
    }
}
