//! `{:synthesize}`: methods without a body that return fresh objects, whose fields and functions
//! the postconditions define (reference manual, 11.2.27; Fedchin et al., *A Toolkit for Automated
//! Testing of Dafny*, NFM 2023).
//!
//! ```text
//! S      = S && S | EQUALS | forall x, y :: [guard ==>] S | fresh(o)
//! EQUALS = o.f == e          value of a field or constant
//!        | o.F(args) == e    result of a function; an argument is a variable of the quantifier, or an expression
//! ```
//!
//! The sides of an equality may be swapped. Any other form is reported at its span by
//! [`Program::synthesis`].

use std::collections::BTreeSet;

use crate::ExternalCode as _;
use dafny_resolve::typed::visit::{Visit, walk_expr};
use dafny_resolve::typed::{
    Arena, Attributes, BinaryOp, Body, Call, CallableId, CallableKind, Expr, ExprKind, FieldId,
    FieldKind, LocalId, Program, Term, Type, TypeDeclKind, TypeId,
};
use dafny_source::Span;
use dafny_source::diagnostic::Diagnostic;

/// The objects that a `{:synthesize}` method returns.
#[derive(Debug)]
pub struct Synthesis<'p> {
    /// The objects in the order of the out-parameters, which is the order of their allocation.
    pub objects: Vec<Synthesized<'p>>,
}

/// The description of one object.
#[derive(Debug)]
pub struct Synthesized<'p> {
    /// The out-parameter.
    pub out: LocalId,
    /// The class of the object.
    pub class: TypeId,
    /// The type arguments of the class.
    pub args: Vec<Type>,
    /// The fields with their values, in the order of the clauses.
    pub fields: Vec<(FieldId, &'p Expr)>,
    /// The functions with their rules, in the order of their first clauses.
    pub functions: Vec<(CallableId, Vec<Rule<'p>>)>,
}

/// The result of a function for some arguments.
#[derive(Debug)]
pub struct Rule<'p> {
    /// The variables of the enclosing quantifiers.
    pub vars: Vec<LocalId>,
    /// The conditions on these variables.
    pub guards: Vec<&'p Expr>,
    /// One argument for each parameter: a variable of the quantifiers, which matches any value, or
    /// a value.
    pub args: Vec<Argument<'p>>,
    /// The result.
    pub value: &'p Expr,
    /// The source range of the clause.
    pub span: Span,
}

/// The argument pattern of a rule.
#[derive(Debug, Clone, Copy)]
pub enum Argument<'p> {
    /// Any value. The variable is bound to it.
    Any(LocalId),
    /// A specific value.
    Value(&'p Expr),
}

impl Rule<'_> {
    /// Whether the rule applies to all arguments.
    pub fn is_total(&self) -> bool {
        self.guards.is_empty() && self.args.iter().all(|a| matches!(a, Argument::Any(_)))
    }
}

const ID: &str = "synthesize/form";
const FORMS: &str = "a postcondition is `o.f == e`, `o.F(args) == e` or `forall x :: guard ==> o.F(x) == e`, or a conjunction of these";

struct Reader<'p> {
    program: &'p Program,
    objects: Vec<Synthesized<'p>>,
    unfit: Vec<Diagnostic>,
}

/// Questions about methods and classes with `{:synthesize}`.
pub trait Syntheses {
    /// Whether the method is a `{:synthesize}` method without a body.
    fn is_synthesized(&self, id: CallableId) -> bool;
    /// The description of the objects that a `{:synthesize}` method returns. `None` for other
    /// callables.
    ///
    /// # Errors
    /// The parts of its declaration and postconditions that have another form, each with its span.
    fn synthesis(&self, id: CallableId) -> Option<Result<Synthesis<'_>, Vec<Diagnostic>>>;
    /// The functions of a class that `{:synthesize}` methods define, sorted and without duplicates.
    fn synthesized_functions(&self, class: TypeId) -> Vec<CallableId>;
    /// The classes whose objects `{:synthesize}` methods return.
    fn synthesized_classes(&self) -> BTreeSet<TypeId>;
    /// The errors in the program's `{:synthesize}` methods.
    fn unfit_syntheses(&self) -> Vec<Diagnostic>;
}

impl Syntheses for Program {
    fn is_synthesized(&self, id: CallableId) -> bool {
        let c = &self[id];
        c.attribute("synthesize").is_some()
            && c.kind == CallableKind::Method
            && matches!(c.body, Body::None)
            && !c.ghost
    }

    fn synthesis(&self, id: CallableId) -> Option<Result<Synthesis<'_>, Vec<Diagnostic>>> {
        if !self.is_synthesized(id) {
            return None;
        }
        let mut reader = Reader {
            program: self,
            objects: Vec::new(),
            unfit: Vec::new(),
        };
        reader.declaration(id);
        for clause in &self[id].spec.ensures {
            reader.clause(&clause.cond, &mut Vec::new(), &mut Vec::new());
        }
        reader.order(id);
        // The order of creation is checked after the last clause, but errors are reported in source
        // order.
        reader.unfit.sort_by_key(|d| d.span);
        Some(if reader.unfit.is_empty() {
            Ok(Synthesis {
                objects: reader.objects,
            })
        } else {
            Err(reader.unfit)
        })
    }

    fn synthesized_functions(&self, class: TypeId) -> Vec<CallableId> {
        let mut found: Vec<CallableId> = Vec::new();
        for id in Arena::<CallableId>::ids(self) {
            let Some(Ok(synthesis)) = self.synthesis(id) else {
                continue;
            };
            let functions = synthesis
                .objects
                .iter()
                .filter(|o| o.class == class)
                .flat_map(|o| o.functions.iter().map(|(f, _)| *f));
            found.extend(functions);
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    fn synthesized_classes(&self) -> BTreeSet<TypeId> {
        let syntheses = Arena::<CallableId>::ids(self)
            .into_iter()
            .filter_map(|id| self.synthesis(id)?.ok());
        syntheses
            .flat_map(|s| s.objects.into_iter().map(|o| o.class))
            .collect()
    }

    fn unfit_syntheses(&self) -> Vec<Diagnostic> {
        let ids = Arena::<CallableId>::ids(self)
            .into_iter()
            .filter(|id| !self.is_left_out(*id));
        ids.filter_map(|id| self.synthesis(id)?.err())
            .flatten()
            .collect()
    }
}

impl<'p> Reader<'p> {
    fn refuse(&mut self, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.unfit
            .push(Diagnostic::error(ID, span, message).with_help(help));
    }

    fn declaration(&mut self, id: CallableId) {
        let program = self.program;
        let c = &program[id];
        if !c.is_static {
            self.refuse(
                c.span,
                "a `{:synthesize}` method must be static",
                "its objects are determined by the postconditions alone: declare it `static`",
            );
        }
        if c.outs.is_empty() {
            self.refuse(
                c.span,
                "a `{:synthesize}` method must return at least one object",
                "add an out-parameter",
            );
        }
        for formal in &c.outs {
            let local = &program[formal.local];
            let own = program.strip_subset(&local.ty);
            if matches!(&own, Type::Named { decl, .. } if program.is_trait(*decl)) {
                let message = format!(
                    "the type of `{}` is a trait, but only objects of classes can be synthesized",
                    local.name
                );
                self.refuse(local.span, message, "return a class that extends the trait, or mock the trait in a Rust test with `dmock`");
            } else if let Type::Named {
                decl: class, args, ..
            } = own
                && matches!(program[class].kind, TypeDeclKind::Class)
            {
                self.objects.push(Synthesized {
                    out: formal.local,
                    class,
                    args,
                    fields: Vec::new(),
                    functions: Vec::new(),
                });
            } else {
                let message = format!("`{}` is not an object of a class", local.name);
                self.refuse(
                    local.span,
                    message,
                    "a `{:synthesize}` method can return objects only",
                );
            }
        }
    }

    /// Reads a postcondition under the variables and guards of the enclosing quantifiers.
    fn clause(&mut self, e: &'p Expr, vars: &mut Vec<LocalId>, guards: &mut Vec<&'p Expr>) {
        match e.kind.term() {
            Term::Binary(BinaryOp::And, a, b) => {
                self.clause(a, vars, guards);
                self.clause(b, vars, guards);
            }
            Term::Binary(BinaryOp::Implies, guard, body) if !vars.is_empty() => {
                guards.push(guard);
                self.clause(body, vars, guards);
                guards.pop();
            }
            Term::Binary(BinaryOp::Eq | BinaryOp::Iff, left, right) => {
                if !self.equality(left, right, e.span, vars, guards)
                    && !self.equality(right, left, e.span, vars, guards)
                {
                    self.refuse(
                        e.span,
                        "neither side is a field or a function of a returned object",
                        FORMS,
                    );
                }
            }
            Term::Other => {
                if let ExprKind::Quantifier {
                    forall: true,
                    vars: bound,
                    body,
                } = &e.kind
                {
                    let (outer_vars, outer_guards) = (vars.len(), guards.len());
                    vars.extend(&bound.vars);
                    guards.extend(bound.range.as_deref());
                    self.clause(body, vars, guards);
                    vars.truncate(outer_vars);
                    guards.truncate(outer_guards);
                } else if !matches!(&e.kind, ExprKind::Fresh { label: None, .. }) {
                    self.not_synthesized(e.span);
                }
            }
            // A predicate alone has the result `true`, negated `false`.
            Term::Literal(_)
            | Term::Local(_)
            | Term::Field(_)
            | Term::Unary(..)
            | Term::Binary(..)
            | Term::Convert(_) => {
                self.not_synthesized(e.span);
            }
        }
    }

    fn not_synthesized(&mut self, span: Span) {
        self.refuse(span, "this postcondition cannot be synthesized", FORMS);
    }

    /// Reads `left == right` as the definition of `left`. Returns false if `left` is not about a
    /// returned object.
    fn equality(
        &mut self,
        left: &'p Expr,
        right: &'p Expr,
        span: Span,
        vars: &[LocalId],
        guards: &[&'p Expr],
    ) -> bool {
        if let ExprKind::Field {
            object: Some(object),
            field,
            ..
        } = &left.kind
        {
            let Some(at) = self.object(object) else {
                return false;
            };
            self.field(at, *field, right, (span, vars));
            true
        } else if let ExprKind::Call(call) = &left.kind {
            let Some(at) = call.receiver.as_deref().and_then(|o| self.object(o)) else {
                return false;
            };
            self.function(at, call, right, (left.span, vars, guards));
            true
        } else {
            false
        }
    }

    fn object(&self, e: &Expr) -> Option<usize> {
        if let ExprKind::Local(local) = &e.kind {
            self.objects.iter().position(|o| o.out == *local)
        } else if let ExprKind::Convert(inner) = &e.kind {
            self.object(inner)
        } else {
            None
        }
    }

    fn field(
        &mut self,
        at: usize,
        field: FieldId,
        value: &'p Expr,
        (span, vars): (Span, &[LocalId]),
    ) {
        let decl = &self.program[field];
        if !vars.is_empty() {
            return self.refuse(
                span,
                format!("the field `{}` is described under a quantifier", decl.name),
                "state its value outside of `forall`",
            );
        }
        if matches!(decl.kind, FieldKind::Const(Some(_))) {
            let message = format!(
                "the constant `{}` already has a value in its declaration",
                decl.name
            );
            return self.refuse(
                span,
                message,
                "remove the clause, or declare the constant without a value",
            );
        }
        if let Some(object) = self.objects.get_mut(at) {
            if object.fields.iter().any(|(f, _)| *f == field) {
                return self.refuse(
                    span,
                    format!("the field `{}` is described twice", decl.name),
                    "remove one of the clauses",
                );
            }
            object.fields.push((field, value));
        }
    }

    fn function(
        &mut self,
        at: usize,
        call: &'p Call,
        value: &'p Expr,
        (span, vars, guards): (Span, &[LocalId], &[&'p Expr]),
    ) {
        let c = &self.program[call.callee];
        if c.ghost || c.kind != CallableKind::Function {
            return self.refuse(
                span,
                format!("`{}` is not compiled", c.name),
                "describe compiled functions only",
            );
        }
        if !c.type_params.is_empty() {
            return self.refuse(
                span,
                format!("`{}` has type parameters of its own", c.name),
                "generic functions cannot be redefined",
            );
        }
        let declared_here = self
            .objects
            .get(at)
            .is_some_and(|o| c.owner == Some(o.class));
        if !declared_here {
            let message = format!("`{}` is inherited from a trait", c.name);
            return self.refuse(
                span,
                message,
                "override it in the class, so that the class has a function to redefine",
            );
        }
        let mut free = vars.to_vec();
        let mut args = Vec::new();
        for arg in &call.args {
            args.push(
                if let ExprKind::Local(local) = &arg.kind
                    && free.contains(local)
                {
                    // The first use of a variable matches any argument. Another use compares with
                    // it.
                    free.retain(|v| v != local);
                    Argument::Any(*local)
                } else {
                    Argument::Value(arg)
                },
            );
        }
        if let Some(missing) = free.first() {
            let name = &self.program[*missing].name;
            let message = format!("`{name}` is not an argument of `{}`", c.name);
            return self.refuse(
                span,
                message,
                format!(
                    "pass each quantified variable as an argument by itself: `o.{}({name})`",
                    c.name
                ),
            );
        }
        let rule = Rule {
            vars: vars.to_vec(),
            guards: guards.to_vec(),
            args,
            value,
            span,
        };
        let Some(object) = self.objects.get_mut(at) else {
            return;
        };
        match object.functions.iter_mut().find(|(f, _)| *f == call.callee) {
            Some((_, rules)) => rules.push(rule),
            None => object.functions.push((call.callee, vec![rule])),
        }
    }

    /// Checks the order of creation: values needed to create an object refer to earlier objects
    /// only, values assigned later may refer to all.
    fn order(&mut self, id: CallableId) {
        let outs: Vec<LocalId> = self.program[id].outs.iter().map(|f| f.local).collect();
        // The first object mentioned in `e` that is created after object `at` or, if `own`, is that
        // object.
        let later = |at: usize, own: bool, e: &Expr| {
            let mut found = Mentions {
                outs: outs.get(at + usize::from(!own)..).unwrap_or_default(),
                found: None,
            };
            found.expr(e);
            found.found
        };
        let mut unfit = Vec::new();
        // Constants and mock functions are given to the constructor. Mutable fields are assigned
        // afterwards.
        for (at, object) in self.objects.iter().enumerate() {
            for (field, value) in &object.fields {
                if matches!(self.program[*field].kind, FieldKind::Const(_))
                    && let Some((local, span)) = later(at, true, value)
                {
                    unfit.push((
                        local,
                        span,
                        format!("the constant `{}`", self.program[*field].name),
                    ));
                }
            }
            for (function, rules) in &object.functions {
                let parts = rules.iter().flat_map(|r| {
                    let values = r.args.iter().filter_map(|a| {
                        if let Argument::Value(e) = a {
                            Some(*e)
                        } else {
                            None
                        }
                    });
                    values.chain(r.guards.iter().copied()).chain([r.value])
                });
                if let Some((local, span)) = parts.into_iter().find_map(|e| later(at, false, e)) {
                    unfit.push((
                        local,
                        span,
                        format!("the function `{}`", self.program[*function].name),
                    ));
                }
            }
        }
        for (local, span, what) in unfit {
            let name = &self.program[local].name;
            let message = format!("{what} refers to `{name}`, which is created later");
            self.refuse(
                span,
                message,
                format!("return `{name}` first, or use a field declared with `var`"),
            );
        }
    }
}

/// A search for the first of several variables.
struct Mentions<'a> {
    outs: &'a [LocalId],
    found: Option<(LocalId, Span)>,
}

impl<'t> Visit<'t> for Mentions<'_> {
    fn expr(&mut self, e: &'t Expr) {
        if let ExprKind::Local(local) = &e.kind
            && self.outs.contains(local)
            && self.found.is_none()
        {
            self.found = Some((*local, e.span));
        }
        walk_expr(self, e);
    }
}
