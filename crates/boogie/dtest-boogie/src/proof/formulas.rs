//! Translation of expressions to SMT-LIB.
//!
//! Key types: [`Formulas`], [`Scope`], [`Use`]. The hard part is quantification over types, which
//! is instantiated with the types that occur: the instances are weaker than the original, so that
//! they are only sound in one polarity.

use std::rc::Rc;

use boogie_resolve::typed::{
    Expr, ExprKind, FunctionId, Literal, Program, Quantifier, Type, TypeVar, VarId, VarKind,
};
use boogie_syntax::ast::{BinOp, Binder};
use dtest_sorted::SortedSet;
use rustc_hash::FxHashMap;

use super::signature::{Instance, Signature, Symbol, Text, canonical, matches, pairs};
use crate::functions::parts;
use crate::types::substitute;

/// The polarity of a formula. Instances of a quantification over types are implied by it, so that
/// they may only replace it where it is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Use {
    /// The formula is asserted.
    Known,
    /// The negation of the formula is asserted.
    Refuted,
    /// The formula is used in both polarities.
    Both,
}

impl Use {
    fn negated(self) -> Self {
        match self {
            Self::Known => Self::Refuted,
            Self::Refuted => Self::Known,
            Self::Both => Self::Both,
        }
    }
}

/// The names of variables in the formulas.
pub(super) type Names = FxHashMap<VarId, String>;

/// The variables and types in scope.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    pub(super) now: Rc<Names>,
    /// The global variables at the entry of the body.
    pub(super) old: Rc<Names>,
    /// The variables of contracts and quantifiers, the innermost last.
    pub(super) bound: Vec<(VarId, String)>,
    pub(super) types: FxHashMap<TypeVar, Type>,
    pub(super) in_old: bool,
    /// The enclosing quantified variables of the formula, with their sorts.
    pub(super) quantified: Vec<(String, String)>,
}

/// The limit of the length of a formula. Longer ones are not translated.
const LENGTH: usize = 1 << 20;
/// The limit of type arguments for which a quantification over types is instantiated.
const TYPES: usize = 200;

/// The formulas over one signature.
#[derive(Debug)]
pub(super) struct Formulas<'p> {
    pub(super) signature: Signature<'p>,
    /// The functions that occur, as known so far.
    pub(super) known: SortedSet<Instance>,
    constants: Names,
    /// The facts about names that were introduced.
    pub(super) facts: Vec<String>,
}

impl<'p> Formulas<'p> {
    /// Creates empty formulas. Quantifications over types are instantiated with the type arguments
    /// of the functions in `known`.
    pub(super) fn new(program: &'p Program, known: SortedSet<Instance>) -> Self {
        let mut signature = Signature::new(program);
        let mut constants = Names::default();
        for c in &program.constants {
            let var = program.var(*c);
            if let Some(sort) = signature.sort(&var.ty) {
                constants.insert(*c, signature.constant("c", &sort));
            }
        }
        Self {
            signature,
            known,
            constants,
            facts: Vec::new(),
        }
    }

    fn program(&self) -> &'p Program {
        self.signature.program
    }

    /// Adds the facts that unique constants are different.
    pub(super) fn unique_constants(&mut self) {
        let mut by_sort: dtest_sorted::SortedMap<String, Vec<String>> =
            dtest_sorted::SortedMap::new();
        for c in &self.program().constants {
            let var = self.program().var(*c);
            if let (true, Some(name), Some(sort)) = (
                var.unique,
                self.constants.get(c),
                self.signature.sort(&var.ty),
            ) {
                by_sort.entry(sort).or_default().push(name.clone());
            }
        }
        let different = by_sort.into_values().filter(|all| all.len() > 1);
        self.facts
            .extend(different.map(|all| format!("(distinct {})", all.join(" "))));
    }

    /// Translates an expression to a term.
    pub(super) fn term(&mut self, e: &'p Expr, scope: &Scope, purpose: Use) -> Text {
        let text = stacker::maybe_grow(256 * 1024, 4 * 1024 * 1024, || {
            self.parts_of(e, scope, purpose)
        })?;
        (text.len() <= LENGTH).then_some(text)
    }

    fn ground(&self, ty: &Type, scope: &Scope) -> Type {
        substitute(ty, &scope.types)
    }

    fn all(&mut self, es: &'p [Expr], scope: &Scope) -> Option<Vec<String>> {
        es.iter().map(|e| self.term(e, scope, Use::Both)).collect()
    }

    fn parts_of(&mut self, e: &'p Expr, scope: &Scope, purpose: Use) -> Text {
        match &e.kind {
            ExprKind::Literal(l) => literal(l),
            ExprKind::Var(v) => self.variable(*v, scope),
            ExprKind::Call(f, types, args) => self.call(*f, types, args, scope),
            ExprKind::Old(inner) => self.term(
                inner,
                &Scope {
                    in_old: true,
                    ..scope.clone()
                },
                purpose,
            ),
            ExprKind::ToInt(a) => self.converted(a, &Type::Real, "to_int", scope),
            ExprKind::ToReal(a) => self.converted(a, &Type::Int, "to_real", scope),
            ExprKind::Quantifier(q) => match q.binder {
                Binder::Lambda => self.lambda(q, &e.ty, scope),
                Binder::Forall => self.quantified(q, true, scope, purpose),
                Binder::Exists => self.quantified(q, false, scope, purpose),
            },
            ExprKind::Let(vars, values, body) => {
                let mut inner = scope.clone();
                for (v, value) in vars.iter().zip(values) {
                    // Values of a `let` are terms, used in both polarities.
                    let value = self.term(value, scope, Use::Both)?;
                    inner.bound.push((*v, value));
                }
                self.term(body, &inner, purpose)
            }
            ExprKind::If(c, a, b) => {
                let c = self.term(c, scope, Use::Both)?;
                let (a, b) = (self.term(a, scope, purpose)?, self.term(b, scope, purpose)?);
                Some(format!("(ite {c} {a} {b})"))
            }
            // A negation exchanges the roles of assumed and proved formulas.
            ExprKind::Not(a) => Some(format!("(not {})", self.term(a, scope, purpose.negated())?)),
            ExprKind::Neg(a) => match a.ty {
                Type::Int | Type::Real => Some(format!("(- {})", self.term(a, scope, Use::Both)?)),
                Type::Bool
                | Type::Bv(_)
                | Type::Float(..)
                | Type::Opaque(_)
                | Type::Constructor(..) => None,
                Type::Var(_) | Type::Map(_) | Type::Meta(_) => None,
            },
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, scope, purpose),
            ExprKind::Select(m, types, args) => {
                let (ty, types) = (self.ground(&m.ty, scope), self.grounds(types, scope));
                let symbol = self.signature.symbol(Symbol::Select(ty), &types)?;
                let map = self.term(m, scope, Use::Both)?;
                Some(applied(
                    &symbol,
                    [map].into_iter().chain(self.all(args, scope)?),
                ))
            }
            ExprKind::Store(m, types, args, value) => {
                let (ty, types) = (self.ground(&m.ty, scope), self.grounds(types, scope));
                let symbol = self.signature.symbol(Symbol::Store(ty), &types)?;
                let map = self.term(m, scope, Use::Both)?;
                let (args, value) = (self.all(args, scope)?, self.term(value, scope, Use::Both)?);
                Some(applied(
                    &symbol,
                    [map].into_iter().chain(args).chain([value]),
                ))
            }
            ExprKind::Extract(a, high, low) => {
                let last = high.checked_sub(1).filter(|h| h >= low)?;
                Some(format!(
                    "((_ extract {last} {low}) {})",
                    self.term(a, scope, Use::Both)?
                ))
            }
            // A field that several constructors share has no single symbol.
            ExprKind::Field(a, fields) => {
                let [(c, i)] = fields.as_slice() else {
                    return None;
                };
                let types = constructor_types(&self.ground(&a.ty, scope))?;
                let symbol = self.signature.symbol(Symbol::Field(*c, *i), &types)?;
                Some(applied(&symbol, [self.term(a, scope, Use::Both)?]))
            }
            ExprKind::Is(a, c) => {
                let ty = self.ground(&a.ty, scope);
                let n = self.number(*c)?;
                let symbol = self.signature.symbol(Symbol::Tag(ty), &[])?;
                Some(format!(
                    "(= ({symbol} {}) {n})",
                    self.term(a, scope, Use::Both)?
                ))
            }
            ExprKind::FieldUpdate(..) | ExprKind::Code => None,
        }
    }

    /// Returns the index of a constructor in its datatype.
    pub(super) fn number(&self, c: boogie_resolve::typed::ConstructorId) -> Option<usize> {
        let program = self.program();
        program
            .type_decl(program.constructor(c).ty)
            .constructors
            .iter()
            .position(|x| *x == c)
    }

    fn grounds(&self, types: &[Type], scope: &Scope) -> Vec<Type> {
        types.iter().map(|t| self.ground(t, scope)).collect()
    }

    fn converted(&mut self, a: &'p Expr, from: &Type, function: &str, scope: &Scope) -> Text {
        if a.ty != *from {
            return None;
        }
        Some(format!("({function} {})", self.term(a, scope, Use::Both)?))
    }

    /// Returns the name of a variable.
    fn variable(&self, v: VarId, scope: &Scope) -> Text {
        if let Some((_, name)) = scope.bound.iter().rev().find(|(b, _)| *b == v) {
            return Some(name.clone());
        }
        match self.program().var(v).kind {
            VarKind::Constant => self.constants.get(&v).cloned(),
            VarKind::Global if scope.in_old => scope.old.get(&v).cloned(),
            VarKind::Global | VarKind::In | VarKind::Out | VarKind::Local | VarKind::Bound => {
                scope.now.get(&v).cloned()
            }
        }
    }

    fn call(&mut self, f: FunctionId, types: &[Type], args: &'p [Expr], scope: &Scope) -> Text {
        let function = self.program().function(f);
        let name = match &function.builtin {
            Some(builtin) => builtin_operator(builtin)?,
            None => {
                let types = self.grounds(types, scope);
                self.signature.symbol(Symbol::Function(f), &types)?
            }
        };
        Some(applied(&name, self.all(args, scope)?))
    }

    /// Translates the equation of a boolean name with an expression. If the expression contains
    /// quantifications over types, the two directions are translated separately.
    pub(super) fn equals(&mut self, name: &str, e: &'p Expr, scope: &Scope) -> Text {
        if let Some(value) = self.term(e, scope, Use::Both) {
            return Some(format!("(= {name} {value})"));
        }
        if e.ty != Type::Bool {
            return None;
        }
        let (known, refuted) = (
            self.term(e, scope, Use::Known)?,
            self.term(e, scope, Use::Refuted)?,
        );
        Some(format!("(and (=> {name} {known}) (=> {refuted} {name}))"))
    }

    fn implies(&mut self, a: &'p Expr, b: &'p Expr, scope: &Scope, purpose: Use) -> Text {
        Some(format!(
            "(=> {} {})",
            self.term(a, scope, purpose.negated())?,
            self.term(b, scope, purpose)?
        ))
    }

    fn binary(&mut self, op: BinOp, a: &'p Expr, b: &'p Expr, scope: &Scope, purpose: Use) -> Text {
        let plain = self.binary_plain(op, a, b, scope, purpose);
        if plain.is_some()
            || purpose == Use::Both
            || a.ty != Type::Bool
            || !matches!(op, BinOp::Iff | BinOp::Eq)
        {
            return plain;
        }
        Some(format!(
            "(and {} {})",
            self.implies(a, b, scope, purpose)?,
            self.implies(b, a, scope, purpose)?
        ))
    }

    fn binary_plain(
        &mut self,
        op: BinOp,
        a: &'p Expr,
        b: &'p Expr,
        scope: &Scope,
        purpose: Use,
    ) -> Text {
        // The antecedent of an implication is used in the opposite direction; in comparisons, both
        // directions matter.
        let (left, right) = match op {
            BinOp::Implies => (purpose.negated(), purpose),
            BinOp::And | BinOp::Or => (purpose, purpose),
            BinOp::Iff
            | BinOp::Eq
            | BinOp::Ne
            | BinOp::Lt
            | BinOp::Le
            | BinOp::Gt
            | BinOp::Ge
            | BinOp::Below
            | BinOp::Concat
            | BinOp::Add
            | BinOp::Sub
            | BinOp::Mul
            | BinOp::Div
            | BinOp::Mod
            | BinOp::RealDiv
            | BinOp::Pow => (Use::Both, Use::Both),
        };
        let (types, is_real) = (
            (self.ground(&a.ty, scope), self.ground(&b.ty, scope)),
            a.ty == Type::Real,
        );
        let (x, y) = (self.term(a, scope, left)?, self.term(b, scope, right)?);
        Some(match op {
            BinOp::Implies => format!("(=> {x} {y})"),
            BinOp::And => format!("(and {x} {y})"),
            BinOp::Or => format!("(or {x} {y})"),
            BinOp::Iff | BinOp::Eq => self.signature.equal((&x, &types.0), (&y, &types.1))?,
            BinOp::Ne => format!(
                "(not {})",
                self.signature.equal((&x, &types.0), (&y, &types.1))?
            ),
            BinOp::Lt => format!("(< {x} {y})"),
            BinOp::Le => format!("(<= {x} {y})"),
            BinOp::Gt => format!("(> {x} {y})"),
            BinOp::Ge => format!("(>= {x} {y})"),
            BinOp::Concat => format!("(concat {x} {y})"),
            BinOp::Add => format!("(+ {x} {y})"),
            BinOp::Sub => format!("(- {x} {y})"),
            BinOp::Mul => format!("(* {x} {y})"),
            BinOp::Div => format!("(div {x} {y})"),
            BinOp::Mod => format!("(mod {x} {y})"),
            // Integers are converted, since `/` is a division of reals.
            BinOp::RealDiv => {
                let real = |t: &str, is_real: bool| {
                    if is_real {
                        t.to_owned()
                    } else {
                        format!("(to_real {t})")
                    }
                };
                format!(
                    "(/ {} {})",
                    real(&x, is_real),
                    real(&y, types.1 == Type::Real)
                )
            }
            BinOp::Below | BinOp::Pow => return None,
        })
    }

    /// Declares bound variables as quantified variables of the formula.
    fn bind(&mut self, vars: &[VarId], scope: &mut Scope) -> Option<String> {
        let mut text = String::new();
        for v in vars {
            let ty = self.ground(&self.program().var(*v).ty, scope);
            let (name, sort) = (self.signature.fresh("x"), self.signature.sort(&ty)?);
            text.push_str(&format!("({name} {sort}) "));
            scope.bound.push((*v, name.clone()));
            scope.quantified.push((name, sort));
        }
        Some(text)
    }

    fn quantified(
        &mut self,
        q: &'p Quantifier,
        universal: bool,
        scope: &Scope,
        purpose: Use,
    ) -> Text {
        if q.type_params.is_empty() {
            return self.quantified_for(q, universal, scope, purpose);
        }
        // In the sound polarity, the conjunction (or disjunction) of the instances replaces the
        // quantification.
        let is_instantiated = if universal { Use::Known } else { Use::Refuted };
        if purpose == is_instantiated {
            let mut all = Vec::new();
            for types in self.type_arguments(q, scope) {
                let mut inner = scope.clone();
                inner.types.extend(types);
                all.extend(self.quantified_for(q, universal, &inner, purpose));
            }
            let (op, unit) = if universal {
                ("and", "true")
            } else {
                ("or", "false")
            };
            return Some(format!("({op} {unit} {})", all.join(" ")));
        }
        // In the other polarity, a type that is used nowhere else is a witness, if it does not
        // depend on values.
        if purpose == is_instantiated.negated() && scope.quantified.is_empty() {
            let mut inner = scope.clone();
            for p in &q.type_params {
                inner.types.insert(*p, self.signature.any_type());
            }
            return self.quantified_for(q, universal, &inner, purpose);
        }
        None
    }

    fn quantified_for(
        &mut self,
        q: &'p Quantifier,
        universal: bool,
        scope: &Scope,
        purpose: Use,
    ) -> Text {
        let mut inner = scope.clone();
        let vars = self.bind(&q.vars, &mut inner)?;
        let body = self.term(&q.body, &inner, purpose)?;
        if q.vars.is_empty() {
            return Some(body);
        }
        let binder = if universal { "forall" } else { "exists" };
        Some(format!(
            "({binder} ({vars}) {})",
            self.with_patterns(body, q, &inner)
        ))
    }

    fn with_patterns(&mut self, body: String, q: &'p Quantifier, scope: &Scope) -> String {
        let mut patterns = String::new();
        for trigger in q.triggers.iter().filter(|t| t.iter().all(is_pattern)) {
            if let Some(terms) = self.all(trigger, scope) {
                patterns.push_str(&format!(" :pattern ({})", terms.join(" ")));
            }
        }
        if patterns.is_empty() {
            body
        } else {
            format!("(! {body}{patterns})")
        }
    }

    /// Returns the type arguments with which functions in the quantifier's triggers occur.
    fn type_arguments(&self, q: &'p Quantifier, scope: &Scope) -> Vec<FxHashMap<TypeVar, Type>> {
        // Without triggers, the body determines the instances.
        let bodies = [vec![&q.body]];
        let triggers: Vec<Vec<&Expr>> = q.triggers.iter().map(|t| t.iter().collect()).collect();
        let triggers = if triggers.is_empty() {
            bodies.to_vec()
        } else {
            triggers
        };
        let mut out: Vec<FxHashMap<TypeVar, Type>> = Vec::new();
        for trigger in triggers {
            let mut found = vec![FxHashMap::default()];
            // Match the type arguments of every function in the trigger with those that occur.
            for (symbol, types) in self.mentioned(&trigger, scope) {
                let mut next: Vec<FxHashMap<TypeVar, Type>> = Vec::new();
                for with in &found {
                    for (_, ground) in self
                        .known
                        .iter()
                        .filter(|(s, t)| *s == symbol && t.len() == types.len())
                    {
                        let mut more = with.clone();
                        let fits = types
                            .iter()
                            .zip(ground)
                            .all(|(p, g)| matches(p, g, &q.type_params, &mut more));
                        if fits && !next.contains(&more) {
                            next.push(more);
                        }
                    }
                }
                found = next;
                found.truncate(TYPES);
            }
            // Only a complete assignment of type parameters is an instance.
            for with in found.into_iter().filter(|w| w.len() == q.type_params.len()) {
                if !out.contains(&with) {
                    out.push(with);
                }
            }
        }
        out.truncate(TYPES);
        out
    }

    /// Returns the functions that expressions mention, with type arguments that may contain type
    /// variables.
    fn mentioned(&self, es: &[&'p Expr], scope: &Scope) -> Vec<Instance> {
        let (mut open, mut out) = (es.to_vec(), Vec::new());
        while let Some(e) = open.pop() {
            let found = match &e.kind {
                ExprKind::Call(f, types, _) if self.program().function(*f).builtin.is_none() => {
                    Some((Symbol::Function(*f), types))
                }
                ExprKind::Select(m, types, _) => Some((
                    Symbol::Select(canonical(&self.ground(&m.ty, scope), 0)),
                    types,
                )),
                ExprKind::Store(m, types, ..) => Some((
                    Symbol::Store(canonical(&self.ground(&m.ty, scope), 0)),
                    types,
                )),
                ExprKind::Literal(_)
                | ExprKind::Var(_)
                | ExprKind::Call(..)
                | ExprKind::Old(_)
                | ExprKind::ToInt(_) => None,
                ExprKind::ToReal(_)
                | ExprKind::Quantifier(_)
                | ExprKind::Let(..)
                | ExprKind::If(..)
                | ExprKind::Not(_) => None,
                ExprKind::Neg(_)
                | ExprKind::Binary(..)
                | ExprKind::Extract(..)
                | ExprKind::Field(..) => None,
                ExprKind::FieldUpdate(..) | ExprKind::Is(..) | ExprKind::Code => None,
            };
            out.extend(
                found
                    .filter(|(_, types)| !types.is_empty())
                    .map(|(s, types)| (s, self.grounds(types, scope))),
            );
            open.extend(parts(e));
        }
        out
    }

    /// Translates a lambda to a map that depends on the enclosing variables, with the facts about
    /// its elements.
    fn lambda(&mut self, q: &'p Quantifier, ty: &Type, scope: &Scope) -> Text {
        let ty = self.ground(ty, scope);
        let (name, sort) = (self.signature.fresh("lambda"), self.signature.sort(&ty)?);
        let around: Vec<&str> = scope.quantified.iter().map(|(_, s)| s.as_str()).collect();
        self.signature.text.push_str(&format!(
            "(declare-fun {name} ({}) {sort})\n",
            around.join(" ")
        ));
        let map = applied(&name, scope.quantified.iter().map(|(n, _)| n.clone()));
        let known: Vec<Vec<Type>> = match q.type_params.is_empty() {
            true => vec![Vec::new()],
            false => {
                let symbol = Symbol::Select(canonical(&ty, 0));
                self.known
                    .iter()
                    .filter(|(s, _)| *s == symbol)
                    .map(|(_, types)| types.clone())
                    .collect()
            }
        };
        for types in known {
            let _ = self.lambda_for(q, &ty, &types, &map, scope);
        }
        Some(map)
    }

    fn lambda_for(
        &mut self,
        q: &'p Quantifier,
        ty: &Type,
        types: &[Type],
        map: &str,
        scope: &Scope,
    ) -> Option<()> {
        let mut inner = scope.clone();
        inner.types.extend(pairs(&q.type_params, types));
        let before: String = scope
            .quantified
            .iter()
            .map(|(n, s)| format!("({n} {s}) "))
            .collect();
        let outer = inner.quantified.len();
        let vars = self.bind(&q.vars, &mut inner)?;
        let symbol = self.signature.symbol(Symbol::Select(ty.clone()), types)?;
        let args = inner.quantified.iter().skip(outer).map(|(n, _)| n.clone());
        let element = applied(&symbol, [map.to_owned()].into_iter().chain(args));
        let body = self.term(&q.body, &inner, Use::Both)?;
        self.facts.push(format!(
            "(forall ({before}{vars}) (! (= {element} {body}) :pattern ({element})))"
        ));
        Some(())
    }
}

/// Whether a term may be a pattern: its top is not interpreted by Z3, and it contains no
/// connectives.
pub(super) fn is_pattern(e: &Expr) -> bool {
    let may_be_below = |e: &Expr| match &e.kind {
        ExprKind::Literal(_)
        | ExprKind::Var(_)
        | ExprKind::Call(..)
        | ExprKind::Select(..)
        | ExprKind::Store(..) => true,
        ExprKind::Old(_)
        | ExprKind::ToInt(_)
        | ExprKind::ToReal(_)
        | ExprKind::Neg(_)
        | ExprKind::Extract(..) => true,
        ExprKind::Binary(op, ..) => matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul),
        ExprKind::Field(..) => true,
        ExprKind::Quantifier(_) | ExprKind::Let(..) | ExprKind::If(..) | ExprKind::Not(_) => false,
        ExprKind::FieldUpdate(..) | ExprKind::Is(..) | ExprKind::Code => false,
    };
    let mut open = vec![e];
    while let Some(e) = open.pop() {
        if !may_be_below(e) {
            return false;
        }
        open.extend(parts(e));
    }
    matches!(
        &e.kind,
        ExprKind::Call(..) | ExprKind::Select(..) | ExprKind::Store(..) | ExprKind::Field(..)
    )
}

fn literal(l: &Literal) -> Text {
    match l {
        Literal::Bool(b) => Some(b.to_string()),
        Literal::Int(n) => Some(n.to_string()),
        Literal::Real(r) => Some(format!("(/ {}.0 {}.0)", r.numer(), r.denom())),
        Literal::Bv(_, 0) | Literal::Opaque(_) => None,
        Literal::Bv(n, w) => Some(format!("(_ bv{n} {w})")),
    }
}

/// Applies a function to terms.
pub(super) fn applied(function: &str, args: impl IntoIterator<Item = String>) -> String {
    let args: Vec<String> = args.into_iter().collect();
    if args.is_empty() {
        function.to_owned()
    } else {
        format!("({function} {})", args.join(" "))
    }
}

/// Returns the type arguments of a datatype.
pub(super) fn constructor_types(ty: &Type) -> Option<Vec<Type>> {
    match ty {
        Type::Constructor(_, args) => Some(args.clone()),
        Type::Bool | Type::Int | Type::Real | Type::Bv(_) | Type::Float(..) => None,
        Type::Opaque(_) | Type::Var(_) | Type::Map(_) | Type::Meta(_) => None,
    }
}

/// Returns the SMT-LIB operator that a `{:builtin}` or `{:bvbuiltin}` attribute names.
fn builtin_operator(name: &str) -> Text {
    const PLAIN: [&str; 37] = [
        "bvnot", "bvneg", "bvadd", "bvsub", "bvmul", "bvudiv", "bvurem", "bvsdiv", "bvsrem",
        "bvsmod", "bvand", "bvor", "bvxor", "bvnand", "bvnor", "bvxnor", "bvshl", "bvlshr",
        "bvashr", "bvult", "bvule", "bvugt", "bvuge", "bvslt", "bvsle", "bvsgt", "bvsge", "bv2nat",
        "bv2int", "div", "mod", "+", "-", "*", "<", "<=", "and",
    ];
    const INDEXED: [&str; 5] = [
        "zero_extend",
        "sign_extend",
        "rotate_left",
        "rotate_right",
        "int2bv",
    ];
    if PLAIN.contains(&name) {
        return Some(name.to_owned());
    }
    let inner = name
        .strip_prefix("(_ ")
        .and_then(|n| n.strip_suffix(')'))
        .unwrap_or(name);
    let (operator, index) = inner.split_once(' ')?;
    let is_index = !index.is_empty() && index.bytes().all(|b| b.is_ascii_digit());
    (INDEXED.contains(&operator) && is_index).then(|| format!("(_ {operator} {index})"))
}
