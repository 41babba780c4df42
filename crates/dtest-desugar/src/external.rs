//! External code: compiled callables without a Dafny body, and the Rust code that the user links to
//! them.
//!
//! A compiled function or method without a body is *external* (reference manual, 13.8.2). In a
//! test, either Rust code linked by the user is called, or a stub returns results that satisfy the
//! contract. Without a postcondition, these are all values of the type. A callable with `{:extern}`
//! and a body is external if Rust is linked to it; otherwise its body is used.
//!
//! An instance member of a trait without a body is not external. But if an object among the inputs
//! has only the trait as its type, the member has no code: such an object is a *mock*, and returns
//! the values that the test specifies ([`Program::is_mocked`]).

use crate::{Syntheses as _, TestOptions as _};
use std::collections::{BTreeMap, BTreeSet};

use dafny_resolve::typed::visit::{Visit, walk_call, walk_expr};
use dafny_resolve::typed::{
    Arena, Attribute, AttributeArg, Attributes, Body, Call, CallableId, CallableKind, Expr,
    ExprKind, FieldId, FieldKind, LocalId, ModuleId, Program, TypeDeclKind, TypeId,
};

/// The implementation of an external callable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum External {
    /// Rust code linked by the user.
    Linked(Link),
    /// A stub that returns results satisfying the contract.
    Stub,
}

/// Rust code linked to an external callable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// The Rust path as written by the user.
    pub path: String,
    /// The entity that the path denotes.
    pub names: Linked,
}

/// The entity that a linked path denotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Linked {
    /// The function itself.
    Callable,
    /// The type with the function, or a module that represents the type.
    Type,
    /// The module with the function.
    Module,
}

/// A search for calls of external code.
struct StubCalls<'p> {
    program: &'p Program,
    seen: BTreeSet<CallableId>,
    constants: BTreeSet<FieldId>,
    todo: Vec<CallableId>,
    found: bool,
}

impl StubCalls<'_> {
    fn calls(&mut self, id: CallableId) {
        if self.seen.insert(id) {
            self.found |= matches!(self.program.external(id), Some(External::Stub));
            self.todo.push(id);
        }
    }
}

impl<'p> Visit<'p> for StubCalls<'p> {
    fn expr(&mut self, e: &'p Expr) {
        if let ExprKind::FunctionRef { callee, .. } = &e.kind {
            self.calls(*callee);
        } else if let ExprKind::Field { field, .. } = &e.kind
            && self.constants.insert(*field)
            && let FieldKind::Const(Some(value)) = &self.program[*field].kind
        {
            self.expr(value);
        }
        walk_expr(self, e);
    }

    fn call(&mut self, c: &'p Call) {
        self.calls(c.callee);
        walk_call(self, c);
    }
}

/// Questions about external code, its links and its mocks.
pub trait ExternalCode {
    /// The implementation of an external callable. `None` if the callable has a body of its own or
    /// is not compiled.
    fn external(&self, id: CallableId) -> Option<External>;
    /// Whether mocks implement the callable: an instance function or method of a trait without a
    /// body. Ghost functions are mocked as well, because preconditions may mention them.
    fn is_mocked(&self, id: CallableId) -> bool;
    /// Whether a mocked result of `callee` has a value for this parameter or result. Ghost
    /// parameters of compiled callables have none.
    fn mock_has_value(&self, callee: CallableId, formal: LocalId) -> bool;
    /// Whether Rust code is linked to the external callable.
    fn is_linked(&self, id: CallableId) -> bool;
    /// The compiled fields that an external constructor initializes: those declared without a
    /// value.
    fn fields_given(&self, class: TypeId) -> Vec<FieldId>;
    /// Whether the evaluation of an expression may call external code without linked Rust,
    /// directly, through calls or through constants.
    fn may_call_stubs(&self, e: &Expr) -> bool;
    /// The Rust path linked to a type.
    fn type_link(&self, id: TypeId) -> Option<&str>;
    /// Links that refer to nothing external in the program, each with the reason.
    fn unused_links(&self) -> Vec<(String, String)>;
    /// Whether the callable is not compiled because of its context: an abstract module or
    /// `{:compile false}`.
    fn is_left_out(&self, id: CallableId) -> bool;
    /// Whether a module is not compiled: it or an enclosing module is abstract or has
    /// `{:compile false}`.
    fn is_module_left_out(&self, id: ModuleId) -> bool;
}

impl ExternalCode for Program {
    fn external(&self, id: CallableId) -> Option<External> {
        let c = &self[id];
        let is_external = !c.ghost
            && match c.kind {
                CallableKind::Function | CallableKind::Method | CallableKind::Constructor => true,
                CallableKind::TwostateFunction
                | CallableKind::LeastPredicate
                | CallableKind::GreatestPredicate
                | CallableKind::Lemma => false,
            }
            && (self.is_unghosted || !self.is_left_out(id))
            && !self.is_synthesized(id)
            && c.owner.is_none_or(|t| match self[t].kind {
                TypeDeclKind::Trait { .. } => c.is_static,
                TypeDeclKind::Iterator(_) => false,
                TypeDeclKind::Datatype { .. }
                | TypeDeclKind::Newtype(_)
                | TypeDeclKind::Subset(_)
                | TypeDeclKind::Abstract
                | TypeDeclKind::Class => true,
            });
        if !is_external {
            return None;
        }
        match (&c.body, link(self, id)) {
            (Body::None, Some(link)) => Some(External::Linked(link)),
            (Body::Expr(_) | Body::Block(_) | Body::ByMethod(..), Some(link))
                if c.attribute("extern").is_some() =>
            {
                Some(External::Linked(link))
            }
            (Body::Expr(_) | Body::Block(_) | Body::ByMethod(..), _) => None,
            (Body::None, None) if is_unstubbed(self, id) => None,
            // An omitted `ensures` clause means `ensures true`.
            (Body::None, None) => Some(External::Stub),
        }
    }

    fn is_mocked(&self, id: CallableId) -> bool {
        let c = &self[id];
        let asked = match c.kind {
            CallableKind::Function => true,
            CallableKind::Method => !c.ghost,
            CallableKind::TwostateFunction
            | CallableKind::LeastPredicate
            | CallableKind::GreatestPredicate
            | CallableKind::Constructor
            | CallableKind::Lemma => false,
        };
        asked
            && !c.is_static
            && matches!(c.body, Body::None)
            && c.owner.is_some_and(|t| self.is_trait(t))
    }

    fn mock_has_value(&self, callee: CallableId, formal: LocalId) -> bool {
        self[callee].ghost || !self[formal].ghost
    }

    fn is_linked(&self, id: CallableId) -> bool {
        matches!(self.external(id), Some(External::Linked(_)))
    }

    fn fields_given(&self, class: TypeId) -> Vec<FieldId> {
        let is_given = |f: &FieldId| {
            let field = &self[*f];
            matches!(field.kind, FieldKind::Mutable | FieldKind::Const(None))
                && !field.ghost
                && !field.is_static
        };
        self[class]
            .fields
            .iter()
            .copied()
            .filter(is_given)
            .collect()
    }

    fn may_call_stubs(&self, e: &Expr) -> bool {
        let mut calls = StubCalls {
            program: self,
            seen: BTreeSet::new(),
            constants: BTreeSet::new(),
            todo: Vec::new(),
            found: false,
        };
        calls.expr(e);
        while let Some(id) = calls.todo.pop() {
            if calls.found {
                break;
            }
            match &self[id].body {
                Body::Expr(e) => calls.expr(e),
                Body::Block(b) | Body::ByMethod(_, b) => calls.block(b),
                Body::None => {}
            }
        }
        calls.found
    }

    fn type_link(&self, id: TypeId) -> Option<&str> {
        if self.options.links().is_empty() {
            return None;
        }
        self.options
            .links()
            .get(&self.type_path(id))
            .map(String::as_str)
    }

    fn unused_links(&self) -> Vec<(String, String)> {
        // All links, without those that the program uses below.
        let mut reasons: BTreeMap<&str, String> = self
            .options
            .links()
            .keys()
            .map(|k| {
                (
                    k.as_str(),
                    "the program has no declaration of that name".to_owned(),
                )
            })
            .collect();
        let ids: Vec<CallableId> = self.ids();
        // A stub is forbidden for something only if there would be one.
        let mut forbidden: BTreeMap<&str, String> = BTreeMap::new();
        for name in self.options.unstubbed() {
            forbidden.insert(
                name,
                "no stub stands for a declaration of that name".to_owned(),
            );
        }
        for id in &ids {
            if forbidden.is_empty() {
                break;
            }
            let has_stub = matches!(self[*id].body, Body::None) && !self[*id].ghost;
            let names = names(self, *id);
            forbidden.retain(|name, _| !has_stub || !names.iter().any(|n| n == name));
        }
        for id in ids {
            let path = self.callable_path(id);
            if let Some(reason) = reasons.get_mut(path.as_str()) {
                *reason = "it has a body and is not {:extern}, or is not compiled".into();
            }
            if self.is_linked(id) {
                reasons.remove(path.as_str());
                reasons.remove(self.module_path(self[id].module).join(".").as_str());
                if let Some(owner) = self[id].owner {
                    reasons.remove(self.type_path(owner).as_str());
                }
            }
        }
        let types: Vec<TypeId> = self.ids();
        for id in types {
            match self[id].kind {
                TypeDeclKind::Abstract | TypeDeclKind::Class => {
                    drop(reasons.remove(self.type_path(id).as_str()))
                }
                TypeDeclKind::Datatype { .. }
                | TypeDeclKind::Newtype(_)
                | TypeDeclKind::Subset(_)
                | TypeDeclKind::Trait { .. }
                | TypeDeclKind::Iterator(_) => {
                    if let Some(reason) = reasons.get_mut(self.type_path(id).as_str()) {
                        *reason = "only abstract types and classes can be linked".into();
                    }
                }
            }
        }
        let modules: Vec<ModuleId> = self.ids();
        for id in modules {
            if let Some(reason) = reasons.get_mut(self.module_path(id).join(".").as_str()) {
                *reason = "it has no external members".into();
            }
        }
        reasons
            .into_iter()
            .chain(forbidden)
            .map(|(k, v)| (k.to_owned(), v))
            .collect()
    }

    fn is_left_out(&self, id: CallableId) -> bool {
        let c = &self[id];
        left_out(&c.attributes)
            || c.owner.is_some_and(|t| left_out(&self[t].attributes))
            || self.is_module_left_out(c.module)
    }

    fn is_module_left_out(&self, id: ModuleId) -> bool {
        self[id].is_abstract
            || left_out(&self[id].attributes)
            || self[id].parent.is_some_and(|p| self.is_module_left_out(p))
    }
}

/// The Rust code linked to a callable, to its type or to its module.
fn link(program: &Program, id: CallableId) -> Option<Link> {
    if program.options.links().is_empty() {
        return None;
    }
    let find = |dafny: &str, names| {
        program.options.links().get(dafny).map(|path| Link {
            path: path.clone(),
            names,
        })
    };
    let c = &program[id];
    let module = || find(&program.module_path(c.module).join("."), Linked::Module);
    find(&program.callable_path(id), Linked::Callable)
        .or_else(|| {
            c.owner
                .and_then(|t| find(&program.type_path(t), Linked::Type))
        })
        .or_else(module)
}

/// The names under which the user can speak of a callable: its own, that of its type, and that of
/// its module.
fn names(program: &Program, id: CallableId) -> Vec<String> {
    let c = &program[id];
    let owner = c.owner.map(|t| program.type_path(t));
    std::iter::once(program.callable_path(id))
        .chain(owner)
        .chain([program.module_path(c.module).join(".")])
        .collect()
}

/// Whether the user forbids a stub for a callable.
fn is_unstubbed(program: &Program, id: CallableId) -> bool {
    let forbidden = program.options.unstubbed();
    !forbidden.is_empty() && names(program, id).iter().any(|n| forbidden.contains(&&**n))
}

/// Whether the attributes contain `{:compile false}`.
fn left_out(attributes: &[Attribute]) -> bool {
    attributes
        .iter()
        .any(|a| &*a.name == "compile" && a.args.first() == Some(&AttributeArg::Bool(false)))
}
