//! The assumptions that a program trusts: declarations and statements that Dafny's verifier accepts
//! without a proof.
//!
//! [`assumptions`] returns the list that `dafny audit` prints, by the same rules, and adds assumptions
//! that it leaves out: `:| assume`, and `assume` in constants, constraints of types and bodies of
//! iterators. `{:only}` on an assertion is not in it. [`evidence`] executes what can be executed.

mod dependents;
mod evidence;
#[cfg(test)]
mod tests;

use dafny_resolve::typed::visit::{Visit, walk_callable, walk_stmt};
use dafny_resolve::typed::{
    Arena, Attribute, AttributeArg, Body, Callable, CallableId, FieldId, FieldKind, OnFailure,
    Program, Span, StmtKind, Type, TypeDeclKind, TypeId,
};

pub use dependents::Dependents;
pub use evidence::{Evidence, evidence};

/// A declaration that contains an assumption.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// A function, method or lemma.
    Callable(CallableId),
    /// A type.
    Type(TypeId),
    /// A constant.
    Field(FieldId),
}

/// The kinds of assumptions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AssumptionKind {
    /// The declaration has `{:axiom}`.
    Axiom,
    /// The declaration has postconditions, or a result of a subset type, and no body.
    NoBody,
    /// An external function, which need not be a function of its arguments.
    ExternalFunction,
    /// The postconditions of external code.
    ExternalEnsures,
    /// The preconditions of external code, which may call back without them.
    ExternalRequires,
    /// The declaration has `{:verify false}`.
    NotVerified,
    /// The method has `decreases *`.
    MayNotTerminate,
    /// The type has `{:termination false}` or `@AssumeCrossModuleTermination`.
    CrossModuleTermination,
    /// The declaration has `{:only}`: others are not verified.
    Only,
    /// An `assume` statement or expression.
    Assume,
    /// A choice `:| assume`.
    AssumedChoice,
    /// A failure assignment `:- assume`.
    AssumedSuccess,
    /// A loop without a body.
    LoopWithoutBody,
    /// A `forall` statement without a body.
    ForallWithoutBody,
}

/// An assumption.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Assumption {
    /// The statement, or the name of the declaration.
    pub span: Span,
    /// The kind.
    pub kind: AssumptionKind,
    /// The declaration that contains it.
    pub subject: Subject,
}

/// Returns the assumptions of a program in source order.
pub fn assumptions(program: &Program) -> Vec<Assumption> {
    let mut found = Vec::new();
    for id in Arena::<CallableId>::ids(program) {
        of_callable(program, id, &mut found);
    }
    for id in Arena::<TypeId>::ids(program) {
        of_type(program, id, &mut found);
    }
    for id in Arena::<FieldId>::ids(program) {
        let field = &program[id];
        let mut of_field = Statements::new(Subject::Field(id));
        if is_axiom(&field.attributes) {
            of_field.add(AssumptionKind::Axiom, field.span);
        } else {
            if is_set(&field.attributes, &["verify"], Some(false)) {
                of_field.add(AssumptionKind::NotVerified, field.span);
            }
            match &field.kind {
                FieldKind::Const(Some(value)) => of_field.expr(value),
                FieldKind::Const(None) | FieldKind::Mutable | FieldKind::Destructor(_) => {}
            }
        }
        found.extend(of_field.found);
    }
    found.sort_unstable();
    found
}

/// Whether an attribute with one of the names has the argument, or has no argument.
fn is_set(attributes: &[Attribute], names: &[&str], argument: Option<bool>) -> bool {
    let expected: Vec<AttributeArg> = argument.into_iter().map(AttributeArg::Bool).collect();
    attributes
        .iter()
        .any(|a| names.contains(&&*a.name) && a.args == expected)
}

fn is_axiom(attributes: &[Attribute]) -> bool {
    attributes
        .iter()
        .any(|a| matches!(&*a.name, "axiom" | "Axiom"))
}

/// Adds the assumptions of a function, method or lemma. An axiom is one assumption as a whole.
fn of_callable(program: &Program, id: CallableId, found: &mut Vec<Assumption>) {
    let callable = &program[id];
    // Prefix lemmas and predicates repeat what the source says once.
    if callable.name.ends_with('#') {
        return;
    }
    let mut own = Statements::new(Subject::Callable(id));
    let owner = callable.owner;
    let iterator = owner.and_then(|t| match &program[t].kind {
        TypeDeclKind::Iterator(parts) => parts
            .members
            .map(|members| (members.drive == id).then_some(&parts.body)),
        TypeDeclKind::Datatype { .. }
        | TypeDeclKind::Newtype(_)
        | TypeDeclKind::Subset(_)
        | TypeDeclKind::Abstract
        | TypeDeclKind::Class
        | TypeDeclKind::Trait { .. } => None,
    });
    match iterator {
        // The driver is not in the source: it executes the body.
        Some(Some(body)) => body.iter().for_each(|b| own.block(b)),
        // Dafny declares the members of an iterator as axioms.
        Some(None) => own.add(AssumptionKind::Axiom, callable.span),
        None if is_axiom(&callable.attributes) => own.add(AssumptionKind::Axiom, callable.span),
        None => {
            for kind in of_declaration(program, callable) {
                own.add(kind, callable.span);
            }
            walk_callable(&mut own, callable);
        }
    }
    found.extend(own.found);
}

/// Returns the assumptions of a declaration without its body.
fn of_declaration(program: &Program, callable: &Callable) -> Vec<AssumptionKind> {
    let mut kinds = Vec::new();
    let is_external = callable
        .attributes
        .iter()
        .any(|a| matches!(&*a.name, "extern" | "Extern"));
    let constrains_results = callable
        .outs
        .iter()
        .any(|f| is_subset(program, &program[f.local].ty));
    let promises = !callable.spec.ensures.is_empty() || constrains_results;
    if is_external {
        if callable.kind.is_function() {
            kinds.push(AssumptionKind::ExternalFunction);
        }
        if promises {
            kinds.push(AssumptionKind::ExternalEnsures);
        }
        if !callable.spec.requires.is_empty() {
            kinds.push(AssumptionKind::ExternalRequires);
        }
    } else if matches!(callable.body, Body::None)
        && promises
        && !program.is_in_abstract_module(callable.module)
    {
        kinds.push(AssumptionKind::NoBody);
    }
    if is_set(&callable.attributes, &["verify"], Some(false)) {
        kinds.push(AssumptionKind::NotVerified);
    }
    if callable.spec.decreases_star {
        kinds.push(AssumptionKind::MayNotTerminate);
    }
    if is_set(&callable.attributes, &["only", "VerifyOnly"], None) {
        kinds.push(AssumptionKind::Only);
    }
    kinds
}

/// Whether the values of a type satisfy a constraint that code without a body need not satisfy.
fn is_subset(program: &Program, ty: &Type) -> bool {
    matches!(ty, Type::Named { decl, .. } if matches!(program[*decl].kind, TypeDeclKind::Subset(_)))
}

fn of_type(program: &Program, id: TypeId, found: &mut Vec<Assumption>) {
    let declaration = &program[id];
    let mut own = Statements::new(Subject::Type(id));
    if is_axiom(&declaration.attributes) {
        own.add(AssumptionKind::Axiom, declaration.span);
    }
    let attributes = &declaration.attributes;
    if is_set(attributes, &["verify"], Some(false)) {
        own.add(AssumptionKind::NotVerified, declaration.span);
    }
    if is_set(attributes, &["termination"], Some(false))
        || is_set(attributes, &["AssumeCrossModuleTermination"], None)
    {
        own.add(AssumptionKind::CrossModuleTermination, declaration.span);
    }
    match &declaration.kind {
        TypeDeclKind::Newtype(c) | TypeDeclKind::Subset(c) => {
            if let Some(constraint) = &c.constraint {
                own.expr(constraint);
            }
        }
        TypeDeclKind::Datatype { .. }
        | TypeDeclKind::Abstract
        | TypeDeclKind::Class
        | TypeDeclKind::Trait { .. }
        | TypeDeclKind::Iterator(_) => {}
    }
    found.extend(own.found);
}

/// Collects the assumptions among the statements of a declaration.
struct Statements {
    subject: Subject,
    found: Vec<Assumption>,
}

impl Statements {
    fn new(subject: Subject) -> Self {
        Self {
            subject,
            found: Vec::new(),
        }
    }

    fn add(&mut self, kind: AssumptionKind, span: Span) {
        let subject = self.subject;
        self.found.push(Assumption {
            span,
            kind,
            subject,
        });
    }
}

impl<'t> Visit<'t> for Statements {
    fn stmt(&mut self, s: &'t dafny_resolve::typed::Stmt) {
        let kind = match &s.kind {
            StmtKind::Assume(_) => Some(AssumptionKind::Assume),
            StmtKind::SuchThat { assume: true, .. } => Some(AssumptionKind::AssumedChoice),
            StmtKind::AssignOrFail(a) if matches!(a.on_failure, OnFailure::Assume) => {
                Some(AssumptionKind::AssumedSuccess)
            }
            StmtKind::While { body: None, .. } | StmtKind::For { body: None, .. } => {
                Some(AssumptionKind::LoopWithoutBody)
            }
            StmtKind::Forall { body: None, .. } => Some(AssumptionKind::ForallWithoutBody),
            StmtKind::Block(_)
            | StmtKind::Assert { .. }
            | StmtKind::Expect { .. }
            | StmtKind::Print(_)
            | StmtKind::VarDecl(_)
            | StmtKind::Assign { .. }
            | StmtKind::AssignPattern { .. }
            | StmtKind::Call { .. }
            | StmtKind::SuchThat { .. }
            | StmtKind::AssignOrFail(_)
            | StmtKind::If { .. }
            | StmtKind::IfCase(_)
            | StmtKind::While { .. }
            | StmtKind::WhileCase { .. }
            | StmtKind::For { .. }
            | StmtKind::Forall { .. }
            | StmtKind::Match { .. }
            | StmtKind::Break { .. }
            | StmtKind::Return
            | StmtKind::Yield
            | StmtKind::Modify { .. }
            | StmtKind::Reveal(_)
            | StmtKind::Calc { .. }
            | StmtKind::Error => None,
        };
        if let Some(kind) = kind {
            self.add(kind, s.span);
        }
        walk_stmt(self, s);
    }
}
