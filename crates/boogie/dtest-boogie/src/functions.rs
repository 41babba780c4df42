//! Functions: inlined if they are defined without recursion, unfolded where definitions or axioms
//! allow it, otherwise unknown.
//!
//! Key types: [`Rules`], [`Rule`]. Key functions: [`World::call`], [`World::unfold`]. The hard part
//! is recursion: a call with known arguments is computed, a call with unknown arguments is a fresh
//! value that is unfolded only when a model needs it.

use std::rc::Rc;

use boogie_resolve::typed::{
    Axiom, Expr, ExprKind, Function, FunctionId, Program, Type, TypeVar, VarId,
};
use boogie_syntax::ast::{BinOp, Binder};
use dafny_source::{Name, Span};
use dtest_smt::{BvOp, Sort, Term};
use num_bigint::BigInt;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::eval::Env;
use crate::value::{BaseId, DataNode, MapNode, Value};
use crate::world::{Of, Res, Stop, World};

/// An argument pattern on the left-hand side of a defining axiom.
#[derive(Clone, Copy, Debug)]
enum Pattern<'p> {
    Var(VarId),
    Exactly(&'p Expr),
}

/// A rule of the form `forall x :: guard ==> f(x) == value`.
#[derive(Clone, Debug)]
pub(crate) struct Rule<'p> {
    params: Vec<Pattern<'p>>,
    types: Vec<TypeVar>,
    guards: Vec<&'p Expr>,
    value: &'p Expr,
    /// The axiom or definition as a whole.
    whole: &'p Expr,
    span: Span,
}

/// The rules of functions, and the axioms that are not definitions.
#[derive(Debug, Default)]
pub(crate) struct Rules<'p> {
    rules: FxHashMap<FunctionId, Rc<Vec<Rule<'p>>>>,
    inlined: FxHashSet<FunctionId>,
    /// The axioms that define no function.
    pub(crate) axioms: Vec<(&'p Expr, Span)>,
    /// The computed values of functions for known arguments.
    computed: FxHashMap<(FunctionId, Vec<Type>, Vec<Value>), Value>,
    /// The calls that are being computed.
    open: FxHashSet<(FunctionId, Vec<Type>, Vec<Value>)>,
    /// The numbers of strings.
    pub(crate) strings: FxHashMap<Name, usize>,
    /// The number of unfoldings so far.
    pub(crate) unfolded: usize,
}

impl<'p> Rules<'p> {
    /// Extracts the rules from the definitions and axioms of a program.
    pub(crate) fn of(program: &'p Program) -> Self {
        let mut rules: FxHashMap<FunctionId, Vec<Rule<'p>>> = FxHashMap::default();
        let mut out = Self::default();
        for axiom in &program.axioms {
            out.axiom(program, axiom, &mut rules);
        }
        // Axioms about single points are no definition: they are kept as facts.
        rules.retain(|_, all| {
            let is_general = |r: &Rule| {
                r.params.iter().any(|p| matches!(p, Pattern::Var(_)))
                    || (r.params.is_empty() && !r.types.is_empty())
            };
            let is_definition = all.iter().any(is_general);
            if !is_definition {
                out.axioms.extend(all.iter().map(|r| (r.whole, r.span)));
            }
            is_definition
        });
        for (i, function) in program.functions.iter().enumerate() {
            if let Some(body) = &function.body {
                let params = function.params.iter().map(|p| Pattern::Var(*p)).collect();
                let rule = Rule {
                    params,
                    types: function.type_params.clone(),
                    guards: Vec::new(),
                    value: body,
                    whole: body,
                    span: function.span,
                };
                rules
                    .entry(FunctionId(i as u32))
                    .or_default()
                    .insert(0, rule);
            }
        }
        // A function with a nonrecursive definition and no further rules is inlined.
        for (i, function) in program.functions.iter().enumerate() {
            let id = FunctionId(i as u32);
            let is_alone = rules.get(&id).is_some_and(|r| r.len() == 1);
            if function.body.is_some() && is_alone && !reaches(id, &rules) {
                out.inlined.insert(id);
            }
        }
        out.rules = rules.into_iter().map(|(f, r)| (f, Rc::new(r))).collect();
        out
    }

    fn axiom(
        &mut self,
        program: &'p Program,
        axiom: &'p Axiom,
        rules: &mut FxHashMap<FunctionId, Vec<Rule<'p>>>,
    ) {
        let mut parts = vec![&axiom.expr];
        while let Some(e) = parts.pop() {
            if let ExprKind::Binary(BinOp::And, a, b) = &e.kind {
                parts.push(b);
                parts.push(a);
                continue;
            }
            match definition(program, e) {
                Some((f, rule)) => rules.entry(f).or_default().push(rule),
                None => self.axioms.push((e, axiom.span)),
            }
        }
    }

    pub(crate) fn get(&self, f: FunctionId) -> Option<Rc<Vec<Rule<'p>>>> {
        self.rules.get(&f).cloned()
    }

    /// Whether calls of the function are inlined.
    pub(crate) fn inlined(&self, f: FunctionId) -> bool {
        self.inlined.contains(&f)
    }
}

/// Returns the rule that an axiom states, if it defines a function.
fn definition<'p>(program: &'p Program, e: &'p Expr) -> Option<(FunctionId, Rule<'p>)> {
    let (mut vars, mut types, mut body): (&[VarId], &[TypeVar], &'p Expr) = (&[], &[], e);
    if let ExprKind::Quantifier(q) = &e.kind
        && q.binder == Binder::Forall
    {
        (vars, types, body) = (&q.vars, &q.type_params, &q.body);
    }
    let mut guards = Vec::new();
    // The antecedents of nested implications are the guards.
    while let ExprKind::Binary(BinOp::Implies, g, b) = &body.kind {
        guards.push(&**g);
        body = b;
    }
    let ExprKind::Binary(BinOp::Eq | BinOp::Iff, l, r) = &body.kind else {
        return None;
    };
    // Either side of the equation may be the defined call.
    [(l, r), (r, l)].into_iter().find_map(|(l, r)| {
        let ExprKind::Call(f, type_args, args) = &l.kind else {
            return None;
        };
        let function = program.function(*f);
        if function.body.is_some()
            || function.builtin.is_some()
            || function.constructor.is_some()
            || matches!(function.result, Type::Map(_))
        {
            return None;
        }
        let params = patterns(args, vars)?;
        let is_generic = type_args
            .iter()
            .map(|t| if let Type::Var(v) = t { Some(*v) } else { None })
            .collect::<Option<Vec<_>>>()?;
        if is_generic.len() != types.len() || !types.iter().all(|t| is_generic.contains(t)) {
            return None;
        }
        // Every bound variable must be a parameter: otherwise the value would not be determined.
        let mut mentioned = Vec::new();
        guards
            .iter()
            .copied()
            .chain([&**r])
            .for_each(|x| variables(x, &mut mentioned));
        let bound = |v: &VarId| {
            params
                .iter()
                .any(|p| matches!(p, Pattern::Var(w) if w == v))
        };
        let is_defined = vars.iter().all(bound);
        let rule = Rule {
            params: params.clone(),
            types: is_generic,
            guards: guards.clone(),
            value: r,
            whole: e,
            span: e.span,
        };
        is_defined.then_some((*f, rule))
    })
}

/// Returns the patterns of arguments: different bound variables, or expressions without bound
/// variables. `None` if an argument is neither.
fn patterns<'p>(args: &'p [Expr], vars: &[VarId]) -> Option<Vec<Pattern<'p>>> {
    let mut out: Vec<Pattern<'p>> = Vec::new();
    for arg in args {
        if let ExprKind::Var(v) = &arg.kind
            && vars.contains(v)
        {
            if out.iter().any(|p| matches!(p, Pattern::Var(w) if w == v)) {
                return None;
            }
            out.push(Pattern::Var(*v));
            continue;
        }
        let mut mentioned = Vec::new();
        variables(arg, &mut mentioned);
        if mentioned.iter().any(|v| vars.contains(v)) {
            return None;
        }
        out.push(Pattern::Exactly(arg));
    }
    Some(out)
}

/// Returns the direct subexpressions.
pub(crate) fn parts(e: &Expr) -> Vec<&Expr> {
    match &e.kind {
        ExprKind::Literal(_) | ExprKind::Var(_) | ExprKind::Code => Vec::new(),
        ExprKind::Call(_, _, args) => args.iter().collect(),
        ExprKind::Old(a)
        | ExprKind::ToInt(a)
        | ExprKind::ToReal(a)
        | ExprKind::Not(a)
        | ExprKind::Neg(a)
        | ExprKind::Extract(a, ..)
        | ExprKind::Field(a, _)
        | ExprKind::Is(a, _) => vec![a],
        ExprKind::Quantifier(q) => vec![&q.body],
        ExprKind::Let(_, values, body) => values.iter().chain([&**body]).collect(),
        ExprKind::If(a, b, c) => vec![a, b, c],
        ExprKind::Binary(_, a, b) | ExprKind::FieldUpdate(a, _, b) => vec![a, b],
        ExprKind::Select(m, _, args) => [&**m].into_iter().chain(args).collect(),
        ExprKind::Store(m, _, args, v) => [&**m].into_iter().chain(args).chain([&**v]).collect(),
    }
}

/// Collects the variables of an expression, including bound ones.
pub(crate) fn variables(e: &Expr, out: &mut Vec<VarId>) {
    let mut open = vec![e];
    while let Some(e) = open.pop() {
        if let ExprKind::Var(v) = &e.kind {
            out.push(*v);
        }
        open.extend(parts(e));
    }
}

/// Collects the functions of an expression.
pub(crate) fn functions(e: &Expr, out: &mut Vec<FunctionId>) {
    let mut open = vec![e];
    while let Some(e) = open.pop() {
        if let ExprKind::Call(f, ..) = &e.kind {
            out.push(*f);
        }
        open.extend(parts(e));
    }
}

/// Whether unfolding a function leads back to it.
fn reaches(start: FunctionId, rules: &FxHashMap<FunctionId, Vec<Rule>>) -> bool {
    let (mut open, mut seen) = (vec![start], FxHashSet::default());
    while let Some(f) = open.pop() {
        for rule in rules.get(&f).into_iter().flatten() {
            let mut called = Vec::new();
            rule.guards
                .iter()
                .copied()
                .chain([rule.value])
                .for_each(|e| functions(e, &mut called));
            for g in called {
                if g == start {
                    return true;
                }
                if seen.insert(g) {
                    open.push(g);
                }
            }
        }
    }
    false
}

impl<'p> World<'p> {
    /// Evaluates a function call.
    pub(crate) fn call(
        &mut self,
        f: FunctionId,
        types: Vec<Type>,
        args: Vec<Value>,
        span: Span,
    ) -> Res<Value> {
        let function = self.program.function(f);
        // Constructors and built-in functions need no definition.
        if let Some(c) = function.constructor {
            return Ok(Value::Data(self.arena.data(DataNode::Made(c, args))));
        }
        if let Some(builtin) = &function.builtin {
            return self.builtin(builtin, function, &args, span);
        }
        let rules = self.rules.get(f);
        if let Some(rules) = &rules {
            // Inlining, then computing for known arguments, then reading an unknown value.
            if self.rules.inlined(f)
                && let Some(rule) = rules.first()
            {
                let env = self.rule_env(rule, &types, &args);
                return self.eval(rule.value, &env);
            }
            let key = (f, types.clone(), args.clone());
            if let Some(value) = self.rules.computed.get(&key) {
                return Ok(*value);
            }
            // Under a model, every definition can be computed.
            let is_computed = self.concrete.is_some() || args.iter().all(|a| self.is_known(*a));
            if is_computed && let Some(value) = self.computed(&key, rules)? {
                return Ok(value);
            }
            // The unknown value of a function is a scalar or a datatype value.
            if matches!(function.result, Type::Map(_)) {
                return self.unsupported(
                    format!("maps returned by `{}` for unknown arguments", function.name),
                    span,
                );
            }
            if self.concrete.is_some() && !args.iter().all(|a| self.is_known(*a)) {
                return Err(Stop::Undecided(span));
            }
        }
        // Without a definition, the function is an unknown map from arguments to results.
        let base = self.function_base(f, &types);
        let result = self.result_type(f, &types);
        let name = function.name.clone();
        self.read(base, vec![(Vec::new(), args)], &result, &name)
    }

    pub(crate) fn result_type(&self, f: FunctionId, types: &[Type]) -> Type {
        let function = self.program.function(f);
        let map: FxHashMap<TypeVar, Type> = function
            .type_params
            .iter()
            .copied()
            .zip(types.iter().cloned())
            .collect();
        crate::types::substitute(&function.result, &map)
    }

    fn function_base(&mut self, f: FunctionId, types: &[Type]) -> BaseId {
        let key = (f, types.to_vec());
        if let Some(id) = self.functions.get(&key) {
            return *id;
        }
        let id = self.base(Of::Function(f), None);
        self.functions.insert(key, id);
        id
    }

    /// Whether a value contains no unknown number. Maps may contain unknown elements.
    pub(crate) fn is_known(&self, v: Value) -> bool {
        match v {
            Value::Term(t) => self.terms.as_const(t).is_some(),
            Value::Map(_) => true,
            Value::Data(d) => match self.arena.data_node(d) {
                DataNode::Made(_, fields) => fields.iter().all(|f| self.is_known(*f)),
                DataNode::Unknown(..) | DataNode::Ite(..) => false,
            },
        }
    }

    fn rule_env(&self, rule: &Rule<'p>, types: &[Type], args: &[Value]) -> Env {
        let bound = rule.params.iter().zip(args).filter_map(|(p, v)| match p {
            Pattern::Var(x) => Some((*x, *v)),
            Pattern::Exactly(_) => None,
        });
        Env {
            bound: bound.collect(),
            types: Rc::new(
                rule.types
                    .iter()
                    .copied()
                    .zip(types.iter().cloned())
                    .collect(),
            ),
            ..Env::default()
        }
    }

    /// Returns the condition that a rule applies to the arguments.
    fn applies(&mut self, rule: &Rule<'p>, env: &Env, args: &[Value]) -> Res<Term> {
        let mut all = self.terms.tt;
        for (p, v) in rule.params.iter().zip(args) {
            if let Pattern::Exactly(e) = p {
                let expected = self.eval(e, env)?;
                let same = self.eq(*v, expected)?;
                all = self.terms.and(all, same);
            }
        }
        for guard in &rule.guards {
            if all == self.terms.ff {
                break;
            }
            let holds = self.term(guard, env)?;
            all = self.terms.and(all, holds);
        }
        Ok(all)
    }

    /// Computes a value by the rules; `None` if no rule applies or if that is undecided.
    fn computed(
        &mut self,
        key: &(FunctionId, Vec<Type>, Vec<Value>),
        rules: &[Rule<'p>],
    ) -> Res<Option<Value>> {
        // A definition that leads back to the same arguments does not determine the value.
        if !self.rules.open.insert(key.clone()) {
            return match self.concrete {
                Some(_) => Err(Stop::Undecided(
                    rules.first().map_or_else(Span::default, |r| r.span),
                )),
                None => Ok(None),
            };
        }
        let result = self.deeper(|w| w.computed_now(key, rules));
        self.rules.open.remove(key);
        let value = result?;
        if let (Some(v), None) = (value, &self.concrete) {
            self.rules.computed.insert(key.clone(), v);
        }
        Ok(value)
    }

    fn computed_now(
        &mut self,
        key: &(FunctionId, Vec<Type>, Vec<Value>),
        rules: &[Rule<'p>],
    ) -> Res<Option<Value>> {
        let (_, types, args) = key;
        if self.depth > 1_500 {
            return Err(Stop::Limit("unfoldings of recursive functions"));
        }
        let mut found: Option<Value> = None;
        // All applicable rules have to agree on the value.
        for rule in rules {
            let env = self.rule_env(rule, types, args);
            let applies = self.applies(rule, &env, args)?;
            if applies == self.terms.ff {
                continue;
            }
            if applies != self.terms.tt {
                return Ok(None);
            }
            let value = self.eval(rule.value, &env)?;
            match found {
                None => found = Some(value),
                Some(first) => {
                    let same = self.eq(first, value)?;
                    if same != self.terms.tt {
                        return Ok(None);
                    }
                }
            }
        }
        Ok(found)
    }

    /// Returns what the rules of a function say about one of its values.
    pub(crate) fn unfold(&mut self, base: BaseId, entry: usize) -> Res<Option<Term>> {
        let Of::Function(f) = self.base_of(base).of else {
            return Ok(None);
        };
        let Some(rules) = self.rules.get(f) else {
            return Ok(None);
        };
        let Some((key, value)) = self
            .base_of(base)
            .entries
            .get(entry)
            .map(|e| (e.key.clone(), e.value))
        else {
            return Ok(None);
        };
        let types = self
            .functions
            .iter()
            .find(|(_, id)| **id == base)
            .map(|((_, t), _)| t.clone())
            .unwrap_or_default();
        let args = key.into_iter().next().map(|k| k.1).unwrap_or_default();
        self.rules.unfolded += 1;
        let mut all = self.terms.tt;
        for rule in rules.iter() {
            let env = self.rule_env(rule, &types, &args);
            let applies = self.applies(rule, &env, &args)?;
            if applies == self.terms.ff {
                continue;
            }
            let right = self.eval(rule.value, &env)?;
            let same = self.eq(value, right)?;
            let says = self.terms.implies(applies, same);
            all = self.terms.and(all, says);
        }
        Ok(Some(all))
    }

    fn builtin(
        &mut self,
        name: &str,
        function: &Function,
        args: &[Value],
        span: Span,
    ) -> Res<Value> {
        let mut terms = Vec::new();
        for a in args {
            match a {
                Value::Term(t) => terms.push(*t),
                Value::Map(_) | Value::Data(_) => {}
            }
        }
        if let ("MapConst", [a]) = (name, args) {
            return Ok(Value::Map(self.arena.map(MapNode::Constant(*a))));
        }
        let known = match terms.as_slice() {
            [a] => self.builtin_one(name, *a, function),
            [a, b] => self.builtin_two(name, *a, *b),
            _ => None,
        };
        match known {
            Some(t) => Ok(Value::Term(t)),
            None => self.unsupported(format!("the built-in function `{name}`"), span),
        }
    }

    fn builtin_one(&mut self, name: &str, a: Term, function: &Function) -> Option<Term> {
        let width = if let Sort::Bv(w) = self.terms.sort(a) {
            Some(w)
        } else {
            None
        };
        let wider = || {
            if let Type::Bv(w) = function.result {
                Some(w)
            } else {
                None
            }
        };
        match name {
            "bvnot" => width.map(|_| self.terms.bv_not(a)),
            "bvneg" => {
                let zero = self.terms.bv(width?, 0u32.into());
                Some(self.terms.bv_op(BvOp::Sub, zero, a))
            }
            "bv2int" | "bv2nat" => width.map(|_| self.terms.bv_to_int(a)),
            _ if name.starts_with("zero_extend") => {
                let n = self.terms.bv_to_int(a);
                Some(self.terms.int_to_bv(wider()?, n))
            }
            _ if name.starts_with("sign_extend") => {
                let n = self.signed(a, width?);
                Some(self.terms.int_to_bv(wider()?, n))
            }
            _ if name.starts_with("(_ int2bv") => Some(self.terms.int_to_bv(wider()?, a)),
            _ => None,
        }
    }

    /// Converts a bitvector to a signed number.
    fn signed(&mut self, a: Term, width: u32) -> Term {
        let n = self.terms.bv_to_int(a);
        let half = self.terms.int(BigInt::from(1) << (width - 1));
        let whole = self.terms.int(BigInt::from(1) << width);
        let below = self.terms.lt(n, half);
        let negative = self.terms.sub(n, whole);
        self.terms.ite(below, n, negative)
    }

    fn builtin_two(&mut self, name: &str, a: Term, b: Term) -> Option<Term> {
        let Sort::Bv(width) = self.terms.sort(a) else {
            return self.builtin_numbers(name, a, b);
        };
        let op = match name {
            "bvadd" => BvOp::Add,
            "bvsub" => BvOp::Sub,
            "bvmul" => BvOp::Mul,
            "bvudiv" => BvOp::Div,
            "bvurem" => BvOp::Rem,
            "bvand" => BvOp::And,
            "bvor" => BvOp::Or,
            "bvxor" => BvOp::Xor,
            "bvshl" => BvOp::Shl,
            "bvlshr" => BvOp::Shr,
            "bvult" => return Some(self.terms.ult(a, b)),
            "bvugt" => return Some(self.terms.ult(b, a)),
            "bvule" | "bvuge" => {
                let (x, y) = if name == "bvule" { (b, a) } else { (a, b) };
                let less = self.terms.ult(x, y);
                return Some(self.terms.not(less));
            }
            "bvslt" | "bvsle" | "bvsgt" | "bvsge" => {
                let (x, y) = (self.signed(a, width), self.signed(b, width));
                return Some(match name {
                    "bvslt" => self.terms.lt(x, y),
                    "bvsle" => self.terms.le(x, y),
                    "bvsgt" => self.terms.lt(y, x),
                    _ => self.terms.le(y, x),
                });
            }
            _ => return None,
        };
        Some(self.terms.bv_op(op, a, b))
    }

    fn builtin_numbers(&mut self, name: &str, a: Term, b: Term) -> Option<Term> {
        match (name, self.terms.sort(a)) {
            ("div", Sort::Int) => self
                .terms
                .as_int(b)
                .is_some_and(|n| n != &BigInt::from(0))
                .then(|| self.terms.div(a, b)),
            ("mod", Sort::Int) => self
                .terms
                .as_int(b)
                .is_some_and(|n| n != &BigInt::from(0))
                .then(|| self.terms.modulo(a, b)),
            ("+", Sort::Int) => Some(self.terms.add(a, b)),
            ("-", Sort::Int) => Some(self.terms.sub(a, b)),
            ("*", Sort::Int) => Some(self.terms.mul(a, b)),
            ("<", Sort::Int) => Some(self.terms.lt(a, b)),
            ("<=", Sort::Int) => Some(self.terms.le(a, b)),
            (">", Sort::Int) => Some(self.terms.lt(b, a)),
            (">=", Sort::Int) => Some(self.terms.le(b, a)),
            ("and", Sort::Bool) => Some(self.terms.and(a, b)),
            ("or", Sort::Bool) => Some(self.terms.or(a, b)),
            _ => None,
        }
    }
}

impl World<'_> {
    /// Computes the value of a function by its rules alone, for known arguments.
    pub(crate) fn by_rules_only(
        &mut self,
        f: FunctionId,
        types: Vec<Type>,
        args: Vec<Value>,
    ) -> Res<Option<Value>> {
        let Some(rules) = self.rules.get(f) else {
            return Ok(None);
        };
        self.computed(&(f, types, args), &rules)
    }
}
