//! Mocks of traits in tests: their declarations, and the builder calls that create them.

use std::cell::RefCell;

use crate::rust::{self, Ident, Stmts, expr, ident, resolved, stmts, without_raw};
use crate::suite::value::Values;
use crate::translation::convention::{Dependency, Scope, Translated};
use crate::translation::traits::lineage;
use dafny_resolve::typed::{CallableId, FieldId, FieldKind, Substitution, Type, TypeId};
use dtest_desugar::ExternalCode as _;
use dtest_sorted::{SortedMap, SortedSet};
use dtest_value::{Answer, Construction, FunctionValue, ObjectId, Place, Value};

/// The context for the mocks of a test.
#[derive(Clone, Copy)]
pub(super) struct Mocking<'a> {
    /// The translated items.
    pub(super) present: &'a SortedSet<Dependency>,
    /// The declarations of the file.
    pub(super) declared: &'a RefCell<Declarations>,
    /// The answers of methods of mocks, among other answers.
    pub(super) answers: &'a [Answer],
    /// Objects that constructors create.
    pub(super) constructed: &'a SortedMap<ObjectId, Construction>,
}

/// The mocks that a file of tests declares.
#[derive(Default)]
pub(super) struct Declarations {
    /// The names by trait and by the functions with bodies that get a stub nevertheless.
    names: Vec<((rust::Type, SortedSet<CallableId>), Ident)>,
    /// The declarations, in the order of their first use.
    pub(super) mocks: Vec<Declaration>,
}

/// The declaration of a mock.
#[derive(Clone)]
pub(super) struct Declaration {
    pub(super) name: Ident,
    /// The printed form.
    pub(super) class: String,
    /// The trait in Dafny.
    pub(super) stands_for: String,
    /// The implementation of each of its traits; members with stubs have no body.
    pub(super) traits: Vec<resolved::Item>,
}

/// An object that is a mock.
pub(super) struct Mocked<'a> {
    pub(super) id: ObjectId,
    pub(super) name: &'a Ident,
    pub(super) decl: TypeId,
    pub(super) args: Vec<Type>,
    pub(super) fields: &'a SortedMap<FieldId, Value>,
    pub(super) redefined: &'a SortedMap<CallableId, FunctionValue>,
}

/// Whether an answer belongs to a mock of the heap rather than to external code.
pub(super) fn is_of_mock(answer: &Answer, values: &Values<'_, '_, '_>) -> bool {
    let Some(Some(Value::Ref(object))) = answer.args.first() else {
        return false;
    };
    let program = values.scope.ground.program;
    let is_member = program[answer.callee]
        .owner
        .is_some_and(|t| program.is_trait(t))
        && !program[answer.callee].is_static;
    is_member
        && matches!(values.object_type(*object), Some(Type::Named { decl, .. }) if program.is_trait(decl))
}

impl Values<'_, '_, '_> {
    /// Writes the builder calls that create a mock, as a value of its trait.
    pub(super) fn mock(&mut self, mocked: &Mocked<'_>) -> Translated<rust::Expr> {
        let program = self.scope.ground.program;
        let Some(mocking) = self.mocks else {
            return Err(self.no("a mock"));
        };
        let own: Vec<&Answer> = mocking
            .answers
            .iter()
            .filter(|a| a.args.first() == Some(&Some(Value::Ref(mocked.id))))
            .collect();
        let mut answered: SortedSet<CallableId> = mocked.redefined.keys().copied().collect();
        answered.extend(own.iter().map(|a| program.first_declaration(a.callee)));
        let name = declare(self.scope, mocking, mocked.decl, &mocked.args, &answered)?;
        let mut chain = expr!(#name::build());
        for (owner, args) in lineage(program, mocked.decl, &mocked.args) {
            let substitution = program.substitution(owner, &args);
            // Ghost fields do not exist in Rust, and static ones belong to no object.
            for &field in program[owner]
                .fields
                .iter()
                .filter(|f| !program[**f].is_static && !program[**f].ghost)
            {
                chain = self.told_field(chain, mocked, field, &substitution)?;
            }
        }
        // Ghost functions exist in Rust only if clauses call them.
        let is_there =
            |f: CallableId| !program[f].ghost || mocking.present.contains(&Dependency::Callable(f));
        for (&function, behaviour) in mocked.redefined.iter().filter(|(f, _)| is_there(**f)) {
            chain = self.told_function(chain, mocked, function, behaviour)?;
        }
        for answer in own {
            chain = self.told_answer(chain, mocked, answer)?;
        }
        let seen = self.scope.dyn_trait(mocked.decl, &mocked.args)?;
        Ok(expr!(#chain.create_as::<#seen>()))
    }

    /// Adds the value of a field to the builder.
    fn told_field(
        &mut self,
        builder: rust::Expr,
        mocked: &Mocked<'_>,
        field: FieldId,
        substitution: &Substitution,
    ) -> Translated<rust::Expr> {
        let ground = self.scope.ground;
        let decl = &ground.program[field];
        let (name, ty) = (ground.names.field(field), decl.ty.subst(substitution));
        let Some(value) = mocked.fields.get(&field) else {
            return Ok(builder);
        };
        match decl.kind {
            // The mock itself is under construction, so a field that leads back to it is assigned
            // later.
            FieldKind::Mutable if self.refers_to_unmade(value) => {
                let (object, accessor) = (mocked.name, ident(name));
                self.assign_later(expr!(#object.#accessor()), value.clone(), ty);
                Ok(builder)
            }
            FieldKind::Mutable => {
                let (method, value) = (setter(name), self.value(value, &ty)?);
                Ok(expr!(#builder.#method(#value)))
            }
            // A constant of a trait is a function in Rust.
            FieldKind::Const(None) => {
                let (method, value) = (described(name), self.value(value, &ty)?);
                Ok(expr!(#builder.#method().answers(#value)))
            }
            FieldKind::Const(Some(_)) | FieldKind::Destructor(_) => Ok(builder),
        }
    }

    /// Adds the answers of a function to the builder.
    fn told_function(
        &mut self,
        mut builder: rust::Expr,
        mocked: &Mocked<'_>,
        function: CallableId,
        behaviour: &FunctionValue,
    ) -> Translated<rust::Expr> {
        let program = self.scope.ground.program;
        let FunctionValue::Table { entries, default } = behaviour else {
            let path = program.callable_path(function);
            return Err(self.no(format!("a mock with unknown results of `{path}`")));
        };
        let (params, result) = self.signature(mocked, function);
        let method = &described(self.scope.ground.names.callable(function));
        for (args, value) in entries {
            let mut written = Vec::new();
            for (arg, (ghost, ty)) in args.iter().zip(&params) {
                if !ghost {
                    written.push(self.value(arg, ty)?);
                }
            }
            let value = self.value(value, &result)?;
            builder = expr!(#builder.#method(#..written).answers(#value));
        }
        // The default comes last: the builder takes the first description that matches.
        let anything = params
            .iter()
            .filter(|(ghost, _)| !ghost)
            .map(|_| expr!(Anything));
        let value = self.value(default, &result)?;
        Ok(expr!(#builder.#method(#..anything).answers(#value)))
    }

    /// Adds the answer of one method call to the builder.
    fn told_answer(
        &mut self,
        builder: rust::Expr,
        mocked: &Mocked<'_>,
        answer: &Answer,
    ) -> Translated<rust::Expr> {
        let program = self.scope.ground.program;
        let c = &program[answer.callee];
        let MockChanges { stores, others } = self.changes_of_answer(mocked, answer)?;
        // The type of the answer would depend on the call.
        if !c.type_params.is_empty() {
            return Err(self.no(format!(
                "a mock whose generic `{}` is called",
                program.callable_path(answer.callee)
            )));
        }
        // Arguments that are not plain values are matched by `Anything`.
        let first = program.first_declaration(answer.callee);
        let (params, _) = self.signature(mocked, first);
        let mut written = Vec::new();
        for (arg, (ghost, ty)) in answer.args.iter().skip(1).zip(&params) {
            match arg {
                _ if *ghost => {}
                Some(value) if super::test::is_plain(value) => written.push(self.value(value, ty)?),
                Some(_) | None => written.push(expr!(Anything)),
            }
        }
        let owner = program[first].owner.unwrap_or(mocked.decl);
        let substitution = self.within(mocked, owner);
        // The results are tupled, like those of the translated method.
        let mut results = Vec::new();
        for (formal, value) in program[first].outs.iter().zip(&answer.results) {
            let local = &program[formal.local];
            if local.ghost {
                continue;
            }
            let Some(value) = value else {
                return Err(self.no("a mock with an unknown result"));
            };
            results.push(self.value(value, &local.ty.subst(&substitution))?);
        }
        // A function gives the same answer each time; a method may give another one at the next
        // call.
        let result = crate::translation::code::tuple(results);
        let (method, last) = (
            described(self.scope.ground.names.callable(first)),
            if c.kind.is_function() {
                "answers"
            } else {
                "answers_once"
            },
        );
        let last = ident(last);
        Ok(match change_of_mock(&stores, &others) {
            None => expr!(#builder.#method(#..written).#last(#result)),
            Some(change) => expr!(#builder.#method(#..written).changes(#change).#last(#result)),
        })
    }

    /// Translates what an answer changes. A mock may change itself and objects of classes, to values
    /// that need no objects of the test.
    fn changes_of_answer(
        &mut self,
        mocked: &Mocked<'_>,
        answer: &Answer,
    ) -> Translated<MockChanges> {
        let program = self.scope.ground.program;
        // The translation has no ghost fields but those that clauses read.
        let is_ghost = |place: &Place| matches!(place, Place::Field(f) if program[*f].ghost);
        let changes = answer
            .changes
            .iter()
            .filter(|(_, place, _)| !is_ghost(place));
        let (mut stores, mut others) = (Vec::new(), Vec::new());
        for (object, place, value) in changes {
            let is_plain = !value
                .within()
                .any(|v| matches!(v, Value::Ref(_) | Value::Function(_)));
            let Place::Field(field) = place else {
                return Err(self.no("a mock that modifies arrays"));
            };
            let (target, ty) = if *object == mocked.id && is_plain {
                let owner = program[*field].owner.unwrap_or(mocked.decl);
                let ty = program[*field].ty.subst(&self.within(mocked, owner));
                (expr!(mock), ty)
            } else if let Some(class) = self.class_of(*object).filter(|_| is_plain) {
                let ty = program.field_type(&class, *field);
                let variable = self.object(*object, &class)?;
                let target = rust::Expr::from(variable.clone());
                if !others.contains(&variable) {
                    others.push(variable);
                }
                (target, ty)
            } else {
                return Err(self.no(format!(
                    "a mock whose `{}` modifies other objects",
                    program.callable_path(answer.callee)
                )));
            };
            let value = self.value(value, &ty)?;
            let name = ident(self.scope.ground.names.field(*field));
            stores.push((target, name, value));
        }
        Ok(MockChanges { stores, others })
    }

    /// Returns the class of an object that is no mock.
    fn class_of(&self, object: ObjectId) -> Option<Type> {
        let program = self.scope.ground.program;
        let ty = self.object_type(object)?;
        let is_class = matches!(&ty, Type::Named { decl, .. } if !program.is_trait(*decl));
        is_class.then_some(ty)
    }

    /// Returns the types of a member's parameters, with their ghostness, and of a function's
    /// result, in the mock's type arguments.
    fn signature(&self, mocked: &Mocked<'_>, member: CallableId) -> (Vec<(bool, Type)>, Type) {
        let program = self.scope.ground.program;
        let c = &program[member];
        let substitution = self.within(mocked, c.owner.unwrap_or(mocked.decl));
        let ty = |l: dafny_resolve::typed::LocalId| program[l].ty.subst(&substitution);
        let params = c
            .ins
            .iter()
            .map(|f| (!program.mock_has_value(member, f.local), ty(f.local)))
            .collect();
        (params, c.outs.first().map_or(Type::Error, |f| ty(f.local)))
    }

    /// Returns the type arguments of a trait in the mock.
    fn within(&self, mocked: &Mocked<'_>, owner: TypeId) -> Substitution {
        let program = self.scope.ground.program;
        let found = lineage(program, mocked.decl, &mocked.args)
            .into_iter()
            .find(|(t, _)| *t == owner);
        program.substitution(owner, &found.map(|(_, args)| args).unwrap_or_default())
    }
}

/// Returns the builder method that describes a call.
fn described(name: &str) -> Ident {
    Ident::new(&format!("on_{}", without_raw(name)))
}

/// The method of a mock's builder that sets a field. As in `dmock_macros`, it gives way to the builder's own methods:
/// `create`, `create_as`, and `on_F` for each function `F`.
fn setter(name: &str) -> Ident {
    let stem = name.trim_end_matches('_');
    if stem == "create" || stem == "create_as" {
        ident(&format!("{name}_"))
    } else if name.trim_start_matches("set_").starts_with("on_") {
        ident(&format!("set_{name}"))
    } else {
        ident(name)
    }
}

/// Returns the name of the mock of a trait with these stubs, which is declared if needed.
fn declare(
    scope: &Scope<'_, '_>,
    mocking: Mocking<'_>,
    decl: TypeId,
    args: &[Type],
    answered: &SortedSet<CallableId>,
) -> Translated<Ident> {
    let program = scope.ground.program;
    let path = scope.dyn_trait(decl, args)?;
    // Functions without a body always have stubs, so they do not distinguish declarations.
    let answered: SortedSet<CallableId> = answered
        .iter()
        .copied()
        .filter(|&c| {
            !matches!(
                program[program.implementation(decl, c)].body,
                dafny_resolve::typed::Body::None
            )
        })
        .collect();
    let key = (path, answered.clone());
    if let Some((_, name)) = mocking
        .declared
        .borrow()
        .names
        .iter()
        .find(|(known, _)| *known == key)
    {
        return Ok(name.clone());
    }
    let base = format!("Mock{}", without_raw(scope.ground.names.type_name(decl)));
    let is_taken = |name: &String| {
        let types: Vec<TypeId> = dafny_resolve::typed::Arena::ids(program);
        types
            .iter()
            .any(|t| scope.ground.names.type_name(*t) == name)
            || mocking
                .declared
                .borrow()
                .mocks
                .iter()
                .any(|m| m.name == **name)
    };
    let numbered = (2..).map(|i| format!("{base}{i}"));
    let name = ident(
        &std::iter::once(base.clone())
            .chain(numbered)
            .find(|n| !is_taken(n))
            .unwrap_or(base),
    );
    let traits =
        crate::translation::traits::mocked(scope, &name, (decl, args), &answered, mocking.present)?;
    let traits = crate::passes::tidy(traits, &SortedSet::from([name.to_string()]));
    let class = dtest_value::shown_name(program, decl);
    let declaration = Declaration {
        name: name.clone(),
        class,
        stands_for: program.type_path(decl),
        traits,
    };
    let mut declared = mocking.declared.borrow_mut();
    declared.names.push((key, name.clone()));
    declared.mocks.push(declaration);
    Ok(name)
}

/// The changes that a mock makes when it answers a call.
struct MockChanges {
    /// The object, the field and the new value of each change.
    stores: Vec<(rust::Expr, Ident, rust::Expr)>,
    /// The variables of changed objects other than the mock.
    others: Vec<Ident>,
}

/// Writes the closure that makes the changes of an answer; `None` without changes.
fn change_of_mock(
    stores: &[(rust::Expr, Ident, rust::Expr)],
    others: &[Ident],
) -> Option<rust::Expr> {
    let mock = &ident("mock");
    if let [(target, name, value)] = stores
        && others.is_empty()
    {
        return Some(expr!(|#mock| #target.#name.set(#value)));
    }
    if stores.is_empty() {
        return None;
    }
    let lines: Stmts = stores
        .iter()
        .flat_map(|(target, name, value)| stmts!(#target.#name.set(#value);))
        .collect();
    if others.is_empty() {
        return Some(expr!(|#mock| { #..lines }));
    }
    // The mock lives longer than the variables of the test.
    let lets: Stmts = others
        .iter()
        .flat_map(|other| stmts!(let #other = #other.clone();))
        .collect();
    Some(expr!({ #..lets move |#mock| { #..lines } }))
}
