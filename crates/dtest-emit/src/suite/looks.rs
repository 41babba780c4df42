//! Expectations on parts of values that cannot be compared as a whole, because they are infinite or
//! contain objects without a name in the test.
//!
//! [`looks`] takes a value apart into [`Look`]s, breadth first and within a budget.

use std::collections::VecDeque;

use super::test::{is_plain, macro_call};
use crate::rust::{Expr, MacroName, Stmts, expr, ident};
use crate::suite::value::Values;
use crate::translation::convention::Scope;
use crate::translation::rep::Rep;
use dafny_resolve::typed::{FieldId, Type};
use dtest_value::{DatatypeValue, ObjectId, Value};

/// Maximum number of expectations on a value.
const MAX_LOOKS: usize = 16;

/// An expectation on a part of a value.
pub(super) struct Look {
    /// The path to the part in Dafny's notation: `.tail.head`. Empty for the value itself.
    pub(super) path: String,
    pub(super) wanted: Wanted,
}

pub(super) enum Wanted {
    /// The expression has this value of this type; it contains no lazy values.
    Equal(Expr, Value, Type),
    /// The condition holds: a discriminator or a length.
    Holds(Expr),
    /// The expression, which may name a place, is a reference to this object.
    Object {
        read: Expr,
        is_place: bool,
        object: ObjectId,
        ty: Type,
    },
    /// The expression is a set of these objects, whose order is unknown.
    Objects(Expr, Vec<ObjectId>, Type),
}

/// The caller's knowledge of values in [`looks`].
pub(super) struct Known<'k> {
    /// Whether the expression names a place that keeps its value.
    pub(super) is_place: bool,
    /// Whether a value without lazy parts can be compared as a whole.
    pub(super) is_whole: &'k dyn Fn(&Value) -> bool,
    /// Writes a value of a type, for keys.
    pub(super) write: &'k dyn Fn(&Value, &Type) -> Option<Expr>,
}

/// Every evaluated value is compared as a whole; none is written.
const SETTLED: Known<'static> = Known {
    is_place: true,
    is_whole: &|_| true,
    write: &|_, _| None,
};

/// Returns the expectations on an expression of type `ty` that should have `value`: the value as a
/// whole if possible, or else its parts, up to a nesting depth of constructors. The expression is
/// passed in two forms: the one that yields the value, and the one that destructors are applied to.
pub(super) fn looks(
    scope: &Scope<'_, '_>,
    known: &Known<'_>,
    (got, of): (&Expr, &Expr),
    (value, ty): (&Value, &Type),
    levels: usize,
) -> Vec<Look> {
    // Breadth first, so that a budget is spent on what is near the value itself.
    let mut walk = Walk {
        scope,
        known,
        found: Vec::new(),
        work: VecDeque::new(),
    };
    let (got, of, ty) = (got.clone(), of.clone(), ty.subst(&scope.substitution));
    walk.work.push_back(Part {
        got,
        of,
        is_place: known.is_place,
        value: value.clone(),
        ty,
        path: String::new(),
        levels,
    });
    while let Some(part) = walk
        .work
        .pop_front()
        .filter(|_| walk.found.len() < MAX_LOOKS)
    {
        walk.part(part);
    }
    walk.found
}

/// Returns the conditions that an expression, in the two forms of [`looks`], has a value. Parts that
/// cannot be compared are left out.
pub(super) fn reads(
    code: (&Expr, &Expr),
    (value, ty): (&Value, &Type),
    text: &str,
    values: &mut Values<'_, '_, '_>,
) -> Stmts {
    let mut checks = Stmts::new();
    for look in looks(values.scope, &SETTLED, code, (value, ty), 1) {
        let text = format!("{text}{}", look.path);
        match look.wanted {
            Wanted::Equal(got, value, ty) if is_plain(&value) => {
                if let Ok(wanted) = values.value(&value, &ty) {
                    checks.push(macro_call(MacroName::ExpectEq, [got, wanted], &text));
                }
            }
            Wanted::Equal(..) | Wanted::Object { .. } | Wanted::Objects(..) => {}
            Wanted::Holds(condition) => {
                checks.push(macro_call(MacroName::Expect, [condition], &text))
            }
        }
    }
    checks
}

/// Applies a destructor to an expression. Returns the value, and the form that further destructors
/// are applied to.
pub(super) fn destructed(scope: &Scope<'_, '_>, of: &Expr, field: FieldId) -> (Expr, Expr) {
    let name = ident(scope.ground.names.field(field));
    let read = &expr!(#of.#name());
    let is_copy = scope.ground.is_copy(&scope.ground.program[field].ty);
    (
        if is_copy { read.clone() } else { expr!(*#read) },
        read.clone(),
    )
}

/// A part of the value that is still to be checked.
struct Part {
    got: Expr,
    of: Expr,
    is_place: bool,
    value: Value,
    ty: Type,
    path: String,
    levels: usize,
}

struct Walk<'w, 'g, 'p> {
    scope: &'w Scope<'g, 'p>,
    known: &'w Known<'w>,
    found: Vec<Look>,
    work: VecDeque<Part>,
}

impl Walk<'_, '_, '_> {
    /// Adds an expectation on the size of a collection.
    fn size(&mut self, of: &Expr, size: usize, path: &str) {
        let path = if path.is_empty() {
            "its size".to_owned()
        } else {
            format!("|{path}|")
        };
        self.found.push(Look {
            path,
            wanted: Wanted::Equal(expr!(#of.len()), Value::int(size), Type::Int),
        });
    }

    /// Adds a part that is read from the value of `whole`.
    fn next(&mut self, whole: &Part, read: Expr, value: &Value, ty: &Type, step: &str) {
        self.work.push_back(Part {
            got: read.clone(),
            of: read,
            is_place: !matches!(whole.value, Value::Map(_)),
            value: value.clone(),
            ty: ty.clone(),
            path: format!("{}{step}", whole.path),
            levels: whole.levels,
        });
    }

    fn part(&mut self, part: Part) {
        // Whatever can be compared as a whole is one expectation.
        if let Some(settled) = part.value.settled().filter(|v| (self.known.is_whole)(v)) {
            return self.found.push(Look {
                path: part.path,
                wanted: Wanted::Equal(part.got, settled, part.ty),
            });
        }
        let ground = self.scope.ground;
        match &part.value {
            Value::Lazy(lazy) => {
                // A value that the program has not computed is not looked at: that might not
                // terminate.
                if let Some(Ok(value)) = lazy.computed() {
                    let value = value.clone();
                    self.work.push_back(Part {
                        is_place: true,
                        value,
                        ..part
                    });
                }
            }
            Value::Datatype(d) if part.levels > 0 => self.constructor(&part, d),
            Value::Tuple(items) => self.tuple(&part, items),
            Value::Seq(items) => {
                let Rep::Seq(elem) = ground.rep(&part.ty) else {
                    return;
                };
                let of = &part.of;
                for (at, item) in items.iter().enumerate().take(MAX_LOOKS) {
                    let index = Expr::number(at);
                    self.next(&part, expr!(#of[#index]), item, &elem, &format!("[{at}]"));
                }
                // The elements that were looked at do not determine the length.
                self.size(of, items.len(), &part.path);
            }
            Value::Map(pairs) => {
                let Rep::Map(key_ty, value_ty) = ground.rep(&part.ty) else {
                    return;
                };
                let of = &part.of;
                for (key, item) in pairs.iter().take(MAX_LOOKS) {
                    if let Some(written) = (self.known.write)(key, &key_ty) {
                        let read = expr!(#of.get(&#written));
                        let shown = dtest_value::show(ground.program, &|_| None, key, &key_ty);
                        self.next(&part, read, item, &value_ty, &format!("[{shown}]"));
                    }
                }
                self.size(of, pairs.len(), &part.path);
            }
            Value::Set(items) => {
                let items: Vec<&Value> = items.iter().collect();
                self.set(&part, &items);
            }
            Value::Ref(object) => self.found.push(Look {
                wanted: Wanted::Object {
                    read: part.of,
                    is_place: part.is_place,
                    object: *object,
                    ty: part.ty,
                },
                path: part.path,
            }),
            // A function is called instead of compared.
            Value::Function(_) => self.found.push(Look {
                path: part.path,
                wanted: Wanted::Equal(part.of, part.value, part.ty),
            }),
            Value::Datatype(_)
            | Value::Newtype(_)
            | Value::Bool(_)
            | Value::Char(_)
            | Value::Int(_)
            | Value::Real(_)
            | Value::Bv { .. }
            | Value::Ordinal(_)
            | Value::Multiset(_)
            | Value::Null => {}
        }
    }

    /// Adds the arguments of a constructor, and a look at the discriminator if there are others.
    fn constructor(&mut self, part: &Part, d: &DatatypeValue) {
        let ground = self.scope.ground;
        let Rep::Datatype(decl, args) = ground.rep(&part.ty) else {
            return;
        };
        let substitution = ground.program.substitution(decl, &args);
        for (&field, value) in ground.program[d.ctor].fields.iter().zip(&d.args) {
            let declared = &ground.program[field];
            if !declared.ghost {
                let (got, of) = destructed(self.scope, &part.of, field);
                self.work.push_back(Part {
                    got,
                    of,
                    is_place: true,
                    value: value.clone(),
                    ty: declared.ty.subst(&substitution),
                    path: format!("{}.{}", part.path, declared.name),
                    levels: part.levels - 1,
                });
            }
        }
        if ground.datatype_ctors(decl).len() > 1 {
            let (of, tester) = (&part.of, ident(ground.names.tester(d.ctor)));
            self.found.push(Look {
                path: format!("{}.{}?", part.path, ground.program[d.ctor].name),
                wanted: Wanted::Holds(expr!(#of.#tester())),
            });
        }
    }

    fn tuple(&mut self, part: &Part, items: &[Value]) {
        let Type::Tuple(kinds) = self.scope.ground.program.representation(&part.ty) else {
            return;
        };
        // Ghost components have a position in Dafny, but none in Rust.
        let compiled = items
            .iter()
            .zip(&kinds)
            .enumerate()
            .filter(|(_, (_, (ghost, _)))| !ghost);
        let of = &part.of;
        for (at, (place, (item, (_, ty)))) in compiled.enumerate() {
            self.next(part, expr!(#of.#at), item, ty, &format!(".{place}"));
        }
    }

    /// Adds looks at the size of a set and, if it has objects, at these.
    fn set(&mut self, part: &Part, items: &[&Value]) {
        let Rep::Set(elem) = self.scope.ground.rep(&part.ty) else {
            return;
        };
        let of = &part.of;
        self.size(of, items.len(), &part.path);
        let objects: Option<Vec<ObjectId>> = items
            .iter()
            .map(|v| {
                if let Value::Ref(o) = v {
                    Some(*o)
                } else {
                    None
                }
            })
            .collect();
        let ty = elem.clone();
        match objects.as_deref() {
            Some([object]) => self.found.push(Look {
                path: format!("{}.0", part.path),
                wanted: Wanted::Object {
                    read: expr!(#of.to_seq()[0]),
                    is_place: true,
                    object: *object,
                    ty,
                },
            }),
            Some(objects) => self.found.push(Look {
                path: part.path.clone(),
                wanted: Wanted::Objects(of.clone(), objects.to_vec(), ty),
            }),
            None => {}
        }
    }
}
