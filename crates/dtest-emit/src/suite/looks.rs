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
use dtest_value::{ObjectId, Value};

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

    fn part(&mut self, part: Part) {
        let Part {
            got,
            of,
            is_place,
            value,
            ty,
            path,
            levels,
        } = part;
        if let Some(settled) = value.settled().filter(|v| (self.known.is_whole)(v)) {
            return self.found.push(Look {
                path,
                wanted: Wanted::Equal(got, settled, ty),
            });
        }
        let (ground, whole) = (self.scope.ground, &value);
        let mut next =
            |got: Expr, of: Expr, value: &Value, ty: &Type, step: String, levels: usize| {
                let path = format!("{path}{step}");
                self.work.push_back(Part {
                    got,
                    of,
                    is_place: !matches!(whole, Value::Map(_)),
                    value: value.clone(),
                    ty: ty.clone(),
                    path,
                    levels,
                });
            };
        match &value {
            Value::Lazy(lazy) => {
                if let Some(Ok(value)) = lazy.computed() {
                    next(got, of, value, &ty, String::new(), levels);
                }
            }
            Value::Datatype(d) if levels > 0 => {
                let Rep::Datatype(decl, args) = ground.rep(&ty) else {
                    return;
                };
                let substitution = ground.program.substitution(decl, &args);
                for (&field, value) in ground.program[d.ctor].fields.iter().zip(&d.args) {
                    let decl = &ground.program[field];
                    if !decl.ghost {
                        let (got, of) = destructed(self.scope, &of, field);
                        next(
                            got,
                            of,
                            value,
                            &decl.ty.subst(&substitution),
                            format!(".{}", decl.name),
                            levels - 1,
                        );
                    }
                }
                if ground.datatype_ctors(decl).len() > 1 {
                    let tester = ident(ground.names.tester(d.ctor));
                    let path = format!("{path}.{}?", ground.program[d.ctor].name);
                    self.found.push(Look {
                        path,
                        wanted: Wanted::Holds(expr!(#of.#tester())),
                    });
                }
            }
            Value::Tuple(items) => {
                let Type::Tuple(kinds) = ground.program.representation(&ty) else {
                    return;
                };
                let compiled = items
                    .iter()
                    .zip(&kinds)
                    .enumerate()
                    .filter(|(_, (_, (ghost, _)))| !ghost);
                let of = &of;
                for (at, (place, (item, (_, ty)))) in compiled.enumerate() {
                    let read = expr!(#of.#at);
                    next(read.clone(), read, item, ty, format!(".{place}"), levels);
                }
            }
            Value::Seq(items) => {
                let Rep::Seq(elem) = ground.rep(&ty) else {
                    return;
                };
                let of = &of;
                for (at, item) in items.iter().enumerate().take(MAX_LOOKS) {
                    let index = Expr::number(at);
                    let read = expr!(#of[#index]);
                    next(read.clone(), read, item, &elem, format!("[{at}]"), levels);
                }
                self.size(of, items.len(), &path);
            }
            Value::Map(pairs) => {
                let Rep::Map(key_ty, value_ty) = ground.rep(&ty) else {
                    return;
                };
                let of = &of;
                for (key, item) in pairs.iter().take(MAX_LOOKS) {
                    if let Some(written) = (self.known.write)(key, &key_ty) {
                        let read = expr!(#of.get(&#written));
                        next(
                            read.clone(),
                            read,
                            item,
                            &value_ty,
                            format!(
                                "[{}]",
                                dtest_value::show(ground.program, &|_| None, key, &key_ty)
                            ),
                            levels,
                        );
                    }
                }
                self.size(of, pairs.len(), &path);
            }
            Value::Set(items) => {
                let Rep::Set(elem) = ground.rep(&ty) else {
                    return;
                };
                self.size(&of, items.len(), &path);
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
                match objects.as_deref() {
                    Some([object]) => {
                        let read = expr!(#of.to_seq()[0]);
                        let wanted = Wanted::Object {
                            read,
                            is_place: true,
                            object: *object,
                            ty: elem.clone(),
                        };
                        self.found.push(Look {
                            path: format!("{path}.0"),
                            wanted,
                        });
                    }
                    Some(objects) => self.found.push(Look {
                        path,
                        wanted: Wanted::Objects(of, objects.to_vec(), elem.clone()),
                    }),
                    None => {}
                }
            }
            Value::Ref(object) => self.found.push(Look {
                path,
                wanted: Wanted::Object {
                    read: of,
                    is_place,
                    object: *object,
                    ty,
                },
            }),
            // A function is called instead of compared.
            Value::Function(_) => self.found.push(Look {
                path,
                wanted: Wanted::Equal(of, value, ty),
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
}
