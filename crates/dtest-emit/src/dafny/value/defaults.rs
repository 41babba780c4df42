//! Default values of codatatypes, which are infinite: compiled functions of the test module that
//! call themselves.

use std::cell::RefCell;

use dafny_resolve::typed::{Type, TypeDeclKind, TypeId};
use dtest_sorted::SortedMap;

use super::super::names::unique;
use super::super::{Piece, Role, Written};
use super::{Values, default};

/// Maximum number of datatypes within each other that a default value is written for.
const MAX_OPEN: usize = 16;

/// The functions for default values of codatatypes that the tests of a module declare.
#[derive(Default)]
pub(in crate::dafny) struct Defaults {
    /// The names of the functions by the text of the type; an error says why there is none.
    names: RefCell<SortedMap<String, Written<String>>>,
    pieces: RefCell<Vec<Piece>>,
}

impl Defaults {
    /// Takes the declarations.
    pub(in crate::dafny) fn take(&self) -> Vec<Piece> {
        std::mem::take(&mut self.pieces.borrow_mut())
    }
}

impl Values<'_, '_> {
    /// Writes the default value of a type, as the interpreter computes it: the first constructor
    /// whose arguments have default values. A codatatype becomes the call of a function that is
    /// declared for it.
    ///
    /// # Errors
    /// The type has no default value that a test can write: one with a constraint, an object, a
    /// function.
    pub(super) fn default_of(&mut self, ty: &Type) -> Written<String> {
        self.default_within(ty, &mut Vec::new())
    }

    fn default_within(&mut self, ty: &Type, open: &mut Vec<TypeId>) -> Written<String> {
        let program = self.names.program;
        if let Some(value) = default(program, ty) {
            return self.value(&value, ty);
        }
        if let Type::Char = ty {
            return Ok("'D'".into());
        }
        if let Type::Tuple(kinds) = ty {
            let mut parts = Vec::new();
            for (is_ghost, kind) in kinds {
                let text = self.default_within(kind, open)?;
                parts.push(format!("{}{text}", if *is_ghost { "ghost " } else { "" }));
            }
            return Ok(format!("({})", parts.join(", ")));
        }
        if let Type::Named { decl, args, .. } = ty
            && let TypeDeclKind::Datatype { co, .. } = &program[*decl].kind
        {
            return match co {
                true => self.codatatype(ty, *decl, args),
                false => self.constructed((*decl, args), open),
            };
        }
        Err(format!("a default value of `{}`", program.show_type(ty)).into())
    }

    /// Writes the first constructor whose arguments have default values.
    fn constructed(
        &mut self,
        (decl, args): (TypeId, &[Type]),
        open: &mut Vec<TypeId>,
    ) -> Written<String> {
        let program = self.names.program;
        let mut reason = None;
        if open.len() < MAX_OPEN && !open.contains(&decl) {
            open.push(decl);
            let substitution = program.substitution(decl, args);
            for ctor in program.grounding_ctors(decl) {
                let fields = program[ctor].fields.iter();
                let parts: Written<Vec<String>> = fields
                    .map(|f| self.default_within(&program[*f].ty.subst(&substitution), open))
                    .collect();
                match parts {
                    Ok(parts) if !program[ctor].ghost => {
                        open.pop();
                        let name = self.names.ctor(ctor)?;
                        return Ok(match parts.is_empty() {
                            true => name,
                            false => format!("{name}({})", parts.join(", ")),
                        });
                    }
                    Ok(_) => {}
                    Err(why) => reason = Some(why),
                }
            }
            open.pop();
        }
        Err(reason.unwrap_or_else(|| {
            let shown = program[decl].name.to_string();
            format!("a default value of `{shown}`").into()
        }))
    }

    /// Writes the call of the function for the default value of a codatatype.
    fn codatatype(&mut self, ty: &Type, decl: TypeId, args: &[Type]) -> Written<String> {
        let key = self.names.ty(ty)?;
        let known = self.co_defaults.names.borrow().get(&key).cloned();
        let name = match known {
            Some(known) => known?,
            None => {
                let names = self.names;
                let word = format!("DefaultOf{}", names.program[decl].name);
                let name = unique(&word, &mut self.specs.taken.borrow_mut(), &|n| {
                    !names.is_opened(n)
                });
                self.declare(&key, &name, (decl, args))?;
                name
            }
        };
        self.needs.push(name.clone());
        Ok(format!("{name}()"))
    }

    fn declare(&mut self, ty: &str, name: &str, of: (TypeId, &[Type])) -> Written<()> {
        let names = &self.co_defaults.names;
        // The arguments of the constructor may call the function.
        names
            .borrow_mut()
            .insert(ty.to_owned(), Ok(name.to_owned()));
        let outer = std::mem::take(&mut self.needs);
        let body = self.constructed(of, &mut Vec::new());
        let needs = std::mem::replace(&mut self.needs, outer);
        match body {
            Ok(body) => {
                let text = format!("function {name}(): {ty}\n{{\n  {body}\n}}");
                self.co_defaults.pieces.borrow_mut().push(
                    Piece::new(text, Role::Declaration)
                        .providing(name.to_owned())
                        .needing(needs),
                );
                Ok(())
            }
            Err(reason) => {
                names
                    .borrow_mut()
                    .insert(ty.to_owned(), Err(reason.clone()));
                Err(reason)
            }
        }
    }
}
