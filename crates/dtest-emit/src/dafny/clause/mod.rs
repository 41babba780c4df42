//! Converts typed expressions to Dafny text in the scope of a test module: clauses of contracts,
//! and the bodies of the specification functions that clauses call.
//!
//! [`Writer`] writes expressions, [`Specs`] has compiled copies of ghost functions, and [`Before`]
//! has the copies of the state before the call. The hard part is `old(e)`: a test cannot evaluate
//! it after the call, so the parts without bound variables are stored in variables before the call
//! ([`Writer::old`]).

mod before;
mod operators;
mod specs;

use dafny_resolve::typed::{
    BinaryOp, Call, CallableId, Expr, ExprCase, ExprKind, FieldId, Lambda, LocalId, Pattern,
    PatternKind, Program, Quantified, StmtKind, Substitution, Type, UnaryOp,
};
use dtest_desugar::Syntheses as _;
use dtest_sorted::{SortedMap, SortedSet};

use super::Written;
use super::names::{Names, Variables, lower_camel, unique};
use operators::{AS, PRIMARY, RELATION, UNARY, builtin, is_negative, operator};

pub(super) use before::Before;
pub(super) use specs::Specs;

/// Writes expressions.
pub(super) struct Writer<'a, 'p> {
    pub(super) names: &'a Names<'p>,
    specs: Option<&'a Specs>,
    /// The text of each variable in scope.
    pub(super) locals: SortedMap<LocalId, String>,
    pub(super) this: Option<String>,
    substitution: Substitution,
    /// The state before the call, if there is one, with the names of the test's variables.
    pub(super) before: Option<(&'a mut Before, &'a mut SortedSet<String>)>,
    /// Whether the text is evaluated before the call and contains bound variables.
    in_old: bool,
    /// The bound variables in scope.
    bound: SortedSet<LocalId>,
    /// Declarations and variables that the text needs.
    pub(super) needs: Vec<String>,
}

impl<'a, 'p> Writer<'a, 'p> {
    pub(super) fn new(
        names: &'a Names<'p>,
        specs: Option<&'a Specs>,
        variables: Variables,
    ) -> Self {
        Self {
            names,
            specs,
            locals: variables.locals,
            this: variables.this,
            substitution: variables.substitution,
            before: None,
            in_old: false,
            bound: SortedSet::new(),
            needs: Vec::new(),
        }
    }

    fn program(&self) -> &'p Program {
        self.names.program
    }

    fn ty(&self, ty: &Type) -> Written<String> {
        self.names.ty(&ty.subst(&self.substitution))
    }

    /// Brings a variable into scope, under its own name if that shadows nothing.
    fn bind(&mut self, local: LocalId) -> String {
        let own = self.program()[local].name.to_string();
        // Generated names have characters that programs cannot write.
        let word = if own.starts_with(['_', '$']) || own.contains('#') {
            lower_camel(&own)
        } else {
            own
        };
        let mut taken: SortedSet<String> = self.locals.values().cloned().collect();
        taken.extend(self.this.clone());
        let name = unique(&word, &mut taken, &|n| !self.names.is_opened(n));
        self.locals.insert(local, name.clone());
        name
    }

    /// Writes `x: int, y`, and brings the variables into scope.
    fn bind_all(&mut self, vars: &[LocalId]) -> Written<String> {
        let mut out = Vec::new();
        for &v in vars {
            self.bound.insert(v);
            let name = self.bind(v);
            let local = &self.program()[v];
            out.push(if local.inferred {
                name
            } else {
                format!("{name}: {}", self.ty(&local.ty)?)
            });
        }
        Ok(out.join(", "))
    }

    /// Writes an expression, in parentheses if it binds more loosely than `least`.
    pub(super) fn expr(&mut self, e: &Expr, least: u8) -> Written<String> {
        let (text, precedence) = dtest_value::deeper(|| self.bare(e))?;
        Ok(if precedence < least {
            format!("({text})")
        } else {
            text
        })
    }

    fn list<'e>(&mut self, es: impl IntoIterator<Item = &'e Expr>) -> Written<String> {
        let texts: Written<Vec<String>> = es.into_iter().map(|e| self.expr(e, 0)).collect();
        Ok(texts?.join(", "))
    }

    fn bare(&mut self, e: &Expr) -> Written<(String, u8)> {
        let program = self.program();
        if self.in_old
            && let Some(read) = self.read_before(e)?
        {
            return Ok((read, PRIMARY));
        }
        let primary = match &e.kind {
            // Expressions with operators and binders, which may need parentheses.
            ExprKind::Literal(literal) => {
                let precedence = if is_negative(literal) { UNARY } else { PRIMARY };
                return Ok((self.literal(literal)?, precedence));
            }
            ExprKind::Delayed(inner) => return self.bare(inner),
            ExprKind::Unary(op, operand) => {
                let sign = match op {
                    UnaryOp::Not | UnaryOp::BitNot => "!",
                    UnaryOp::Neg => "-",
                };
                return Ok((format!("{sign}{}", self.expr(operand, PRIMARY)?), UNARY));
            }
            ExprKind::Binary(BinaryOp::Above, ..) => {
                return Err("`decreases to` is not executable".into());
            }
            ExprKind::Binary(op, a, b) => return self.binary(*op, a, b),
            ExprKind::Chain { first, rest } => return self.chain(first, rest),
            ExprKind::Convert(inner) => {
                let (inner, ty) = (self.expr(inner, AS)?, self.ty(&e.ty)?);
                return Ok((format!("{inner} as {ty}"), AS));
            }
            ExprKind::Is(inner, ty) => {
                let (inner, ty) = (self.expr(inner, AS)?, self.ty(ty)?);
                return Ok((format!("{inner} is {ty}"), AS));
            }
            ExprKind::SetComp { vars, term } => {
                let word = either(is_infinite(program, &e.ty), "iset", "set");
                return self.comprehension(word, vars, term);
            }
            ExprKind::MapComp { vars, key, value } => {
                let word = either(is_infinite(program, &e.ty), "imap", "map");
                return self.map_comprehension(word, vars, key, value);
            }
            ExprKind::Quantifier { forall, vars, body } => {
                return self.comprehension(either(*forall, "forall", "exists"), vars, body);
            }
            ExprKind::Lambda(lambda) => return self.lambda(lambda),
            ExprKind::If { cond, then, els } => {
                let (cond, then) = (self.expr(cond, 0)?, self.expr(then, 1)?);
                let els = self.expr(els, 0)?;
                return Ok((format!("if {cond} then {then} else {els}"), 0));
            }
            ExprKind::Let { ghost: true, .. } | ExprKind::LetSuchThat { ghost: true, .. } => {
                return Err("a ghost binding".into());
            }
            ExprKind::Let { bindings, body, .. } => return self.binding_of(bindings, body),
            ExprKind::LetSuchThat { vars, body, .. } => return self.choice(vars, body),
            ExprKind::StmtExpr { stmt, .. } if !is_proof(&stmt.kind) => {
                return Err("a statement in an expression".into());
            }
            ExprKind::StmtExpr { body, .. } => return self.bare(body),
            // Names, members and calls.
            ExprKind::Local(local) => {
                let name = self
                    .locals
                    .get(local)
                    .ok_or_else(|| format!("`{}`, which is not compiled", program[*local].name))?;
                self.needs.push(name.clone());
                name.clone()
            }
            ExprKind::This => self.this.clone().ok_or("`this`")?,
            ExprKind::Field {
                object,
                field,
                type_args,
                ..
            } => self.field(object.as_deref(), *field, type_args)?,
            ExprKind::Builtin { member, object } => {
                let dims = if let Type::Array { dims, .. } = program.strip_subset(&object.ty) {
                    dims
                } else {
                    1
                };
                let object = self.expr(object, PRIMARY)?;
                format!("{object}.{}", builtin(*member, dims)?)
            }
            ExprKind::CtorTest { ctor, object } => {
                format!("{}.{}?", self.expr(object, PRIMARY)?, program[*ctor].name)
            }
            ExprKind::TupleField { object, index } => {
                format!("{}.{index}", self.expr(object, PRIMARY)?)
            }
            ExprKind::Construct { ctor, args } => {
                let name = self.names.ctor(*ctor)?;
                if args.is_empty() {
                    name
                } else {
                    format!("{name}({})", self.list(args)?)
                }
            }
            ExprKind::Call(call) => self.call(call)?,
            ExprKind::FunctionRef {
                callee,
                receiver,
                type_args,
                ..
            } => self.function_ref(*callee, receiver.as_deref(), type_args)?,
            ExprKind::Apply { function, args } => {
                format!("{}({})", self.expr(function, PRIMARY)?, self.list(args)?)
            }
            ExprKind::Index { object, indices } => {
                format!("{}[{}]", self.expr(object, PRIMARY)?, self.list(indices)?)
            }
            ExprKind::Slice { object, from, to } => {
                let object = self.expr(object, PRIMARY)?;
                let from = self.optional(from.as_deref())?;
                let to = self.optional(to.as_deref())?;
                format!("{object}[{from}..{to}]")
            }
            ExprKind::Update { object, key, value } => {
                let object = self.expr(object, PRIMARY)?;
                let (key, value) = (self.expr(key, 1)?, self.expr(value, 1)?);
                format!("{object}[{key} := {value}]")
            }
            ExprKind::DatatypeUpdate {
                object, updates, ..
            } => {
                let updates = updates
                    .iter()
                    .map(|(f, e)| (program[*f].name.to_string(), e));
                self.updated(object, updates)?
            }
            ExprKind::TupleUpdate { object, updates } => {
                self.updated(object, updates.iter().map(|(i, e)| (i.to_string(), e)))?
            }
            ExprKind::Match { scrutinee, cases } => self.matched(scrutinee, cases)?,
            ExprKind::Old { label: Some(_), .. } => return Err("`old` with a label".into()),
            ExprKind::Old { expr, .. } => self.old(expr)?,
            // Collections and tuples.
            ExprKind::Cardinality(inner) => format!("|{}|", self.expr(inner, 0)?),
            ExprKind::Tuple(es) => self.tuple(es, &e.ty)?,
            ExprKind::SeqDisplay(es) => format!("[{}]", self.list(es)?),
            ExprKind::SetDisplay(es) => {
                let open = either(is_infinite(program, &e.ty), "iset", "");
                format!("{open}{{{}}}", self.list(es)?)
            }
            ExprKind::MultisetDisplay(es) => format!("multiset{{{}}}", self.list(es)?),
            ExprKind::MultisetFrom(inner) => format!("multiset({})", self.expr(inner, 0)?),
            ExprKind::MapDisplay(pairs) => {
                let mut parts = Vec::new();
                for (k, v) in pairs {
                    parts.push(format!("{} := {}", self.expr(k, 1)?, self.expr(v, 1)?));
                }
                let open = either(is_infinite(program, &e.ty), "imap", "map");
                format!("{open}[{}]", parts.join(", "))
            }
            ExprKind::SeqConstruct { len, init } => {
                format!("seq({}, {})", self.expr(len, 0)?, self.expr(init, 0)?)
            }
            // Expressions that a test cannot execute.
            ExprKind::SliceLengths { .. } => return Err("a sequence cut by lengths".into()),
            ExprKind::PrefixEq { .. } => return Err("equality of prefixes".into()),
            ExprKind::IfBinding { .. } => return Err("an `if` with a binding".into()),
            ExprKind::LetOrFail(_) => return Err("a binding that may fail".into()),
            ExprKind::Fresh { .. } => return Err("`fresh` is not executable".into()),
            ExprKind::Allocated(_) => return Err("`allocated` is not executable".into()),
            ExprKind::Unchanged { .. } => return Err("`unchanged` is not executable".into()),
            ExprKind::Assigned(_) => return Err("`assigned` is not executable".into()),
            ExprKind::Wildcard => return Err("`*` as a value".into()),
            ExprKind::Error => return Err("an expression that is not known".into()),
        };
        Ok((primary, PRIMARY))
    }

    /// Writes an optional bound of a slice.
    fn optional(&mut self, e: Option<&Expr>) -> Written<String> {
        e.map_or_else(|| Ok(String::new()), |e| self.expr(e, 0))
    }

    fn field(
        &mut self,
        object: Option<&Expr>,
        field: FieldId,
        type_args: &[Type],
    ) -> Written<String> {
        let f = &self.program()[field];
        if f.ghost {
            return Err(format!("`{}` is ghost", f.name).into());
        }
        match object {
            Some(o) => Ok(format!("{}.{}", self.expr(o, PRIMARY)?, f.name)),
            None => {
                let args = self.type_args(type_args);
                self.names.static_member(f.module, f.owner, &args, &f.name)
            }
        }
    }

    fn function_ref(
        &mut self,
        callee: CallableId,
        receiver: Option<&Expr>,
        type_args: &[Type],
    ) -> Written<String> {
        let c = &self.program()[callee];
        if c.ghost {
            return Err(format!("`{}` is ghost", c.name).into());
        }
        match receiver {
            Some(r) => Ok(format!("{}.{}", self.expr(r, PRIMARY)?, c.name)),
            None => self.names.callable(callee, &self.type_args(type_args)),
        }
    }

    fn type_args(&self, args: &[Type]) -> Vec<Type> {
        args.iter().map(|t| t.subst(&self.substitution)).collect()
    }

    /// Writes `object.(name := value)`.
    fn updated<'e>(
        &mut self,
        object: &Expr,
        updates: impl Iterator<Item = (String, &'e Expr)>,
    ) -> Written<String> {
        let object = self.expr(object, PRIMARY)?;
        let mut parts = Vec::new();
        for (name, value) in updates {
            parts.push(format!("{name} := {}", self.expr(value, 0)?));
        }
        Ok(format!("{object}.({})", parts.join(", ")))
    }

    fn tuple(&mut self, es: &[Expr], ty: &Type) -> Written<String> {
        let Type::Tuple(kinds) = self.program().representation(ty) else {
            return Err("a tuple of unknown type".into());
        };
        let mut parts = Vec::new();
        for (e, (ghost, _)) in es.iter().zip(&kinds) {
            let ghost = either(*ghost, "ghost ", "");
            parts.push(format!("{ghost}{}", self.expr(e, 0)?));
        }
        Ok(format!("({})", parts.join(", ")))
    }

    fn chain(&mut self, first: &Expr, rest: &[(BinaryOp, Expr)]) -> Written<(String, u8)> {
        let mut out = self.expr(first, RELATION + 1)?;
        for (op, e) in rest {
            let operand = self.expr(e, RELATION + 1)?;
            out.push_str(&format!(" {} {operand}", operator(*op).0));
        }
        Ok((out, RELATION))
    }

    /// Writes `word x | range :: term`.
    fn comprehension(
        &mut self,
        word: &str,
        vars: &Quantified,
        term: &Expr,
    ) -> Written<(String, u8)> {
        self.binding(|me| {
            let head = me.quantified(vars)?;
            Ok((format!("{word} {head} :: {}", me.expr(term, 0)?), 0))
        })
    }

    fn map_comprehension(
        &mut self,
        word: &str,
        vars: &Quantified,
        key: &Expr,
        value: &Expr,
    ) -> Written<(String, u8)> {
        self.binding(|me| {
            let head = me.quantified(vars)?;
            let (key, value) = (me.expr(key, 1)?, me.expr(value, 0)?);
            // A key that is the only variable is not written.
            let is_own = vars.vars.len() == 1
                && vars.vars.first().and_then(|v| me.locals.get(v)) == Some(&key);
            let key = if is_own {
                String::new()
            } else {
                format!("{key} := ")
            };
            Ok((format!("{word} {head} :: {key}{value}"), 0))
        })
    }

    fn lambda(&mut self, lambda: &Lambda) -> Written<(String, u8)> {
        let program = self.program();
        self.binding(|me| {
            let mut params = Vec::new();
            for &p in &lambda.params {
                me.bound.insert(p);
                let name = me.bind(p);
                params.push(format!("{name}: {}", me.ty(&program[p].ty)?));
            }
            let mut requires = String::new();
            for clause in &lambda.requires {
                requires.push_str(&format!(" requires {}", me.expr(&clause.cond, 1)?));
            }
            let reads = either(lambda.reads.is_empty(), "", " reads *");
            let body = me.expr(&lambda.body, 0)?;
            let params = params.join(", ");
            Ok((format!("({params}){requires}{reads} => {body}"), 0))
        })
    }

    fn matched(&mut self, scrutinee: &Expr, cases: &[ExprCase]) -> Written<String> {
        let scrutinee = self.expr(scrutinee, 1)?;
        let mut out = format!("match {scrutinee} {{");
        for case in cases {
            let (text, _) = self.binding(|me| {
                let pattern = me.pattern(&case.pattern)?;
                Ok((format!(" case {pattern} => {}", me.expr(&case.body, 0)?), 0))
            })?;
            out.push_str(&text);
        }
        Ok(out + " }")
    }

    fn binding_of(&mut self, bindings: &[(Pattern, Expr)], body: &Expr) -> Written<(String, u8)> {
        // The values are outside of the scope of the variables.
        let mut values = Vec::new();
        for (_, value) in bindings {
            values.push(self.expr(value, 1)?);
        }
        self.binding(|me| {
            let patterns: Written<Vec<String>> =
                bindings.iter().map(|(p, _)| me.pattern(p)).collect();
            let head = format!("var {} := {}; ", patterns?.join(", "), values.join(", "));
            Ok((head + &me.expr(body, 0)?, 0))
        })
    }

    /// Writes `var x :| range; body`.
    fn choice(&mut self, vars: &Quantified, body: &Expr) -> Written<(String, u8)> {
        self.binding(|me| {
            let names = me.bind_all(&vars.vars)?;
            let range = vars.range.as_ref().map(|r| me.expr(r, 0)).transpose()?;
            let range = range.unwrap_or_else(|| "true".into());
            Ok((format!("var {names} :| {range}; {}", me.expr(body, 0)?), 0))
        })
    }

    /// Runs `write` in a nested scope.
    fn binding(
        &mut self,
        write: impl FnOnce(&mut Self) -> Written<(String, u8)>,
    ) -> Written<(String, u8)> {
        let (locals, bound) = (self.locals.clone(), self.bound.clone());
        let written = write(self);
        self.locals = locals;
        self.bound = bound;
        written
    }

    /// Writes `x: int, y | range`.
    fn quantified(&mut self, vars: &Quantified) -> Written<String> {
        let names = self.bind_all(&vars.vars)?;
        match &vars.range {
            Some(range) => Ok(format!("{names} | {}", self.expr(range, 1)?)),
            None => Ok(names),
        }
    }

    fn call(&mut self, call: &Call) -> Written<String> {
        let program = self.program();
        let c = &program[call.callee];
        if call.at_label.is_some() {
            return Err("a call in an earlier state".into());
        }
        if program.is_synthesized(call.callee) {
            return Err(format!("`{}` is synthesized", c.name).into());
        }
        // A ghost function is called by its compiled copy, with the receiver as first argument.
        if c.ghost {
            let specs = self.specs.ok_or_else(|| format!("`{}` is ghost", c.name))?;
            let name = specs.copy(self.names, call.callee)?;
            self.needs.push(name.clone());
            let mut args = Vec::new();
            if let Some(r) = call.receiver.as_ref().filter(|_| !c.is_static) {
                args.push(self.expr(r, 0)?);
            }
            for a in &call.args {
                args.push(self.expr(a, 0)?);
            }
            return Ok(format!("{name}({})", args.join(", ")));
        }
        // A compiled callable is called itself.
        let mut args = Vec::new();
        for (formal, a) in c.ins.iter().zip(&call.args) {
            let text = self.expr(a, 0)?;
            args.push(if formal.nameonly {
                format!("{} := {text}", program[formal.local].name)
            } else {
                text
            });
        }
        let args = args.join(", ");
        let type_args: Vec<Type> = call
            .type_args
            .iter()
            .map(|t| t.subst(&self.substitution))
            .collect();
        let own = self.own_type_args(call.callee, &type_args)?;
        Ok(match call.receiver.as_ref().filter(|_| !c.is_static) {
            Some(r) => format!("{}.{}{own}({args})", self.expr(r, PRIMARY)?, c.name),
            None => format!(
                "{}{own}({args})",
                self.names.callable(call.callee, &type_args)?
            ),
        })
    }

    /// Writes the type arguments of a callable's own parameters, if the arguments do not determine
    /// them.
    pub(super) fn own_type_args(&self, callee: CallableId, type_args: &[Type]) -> Written<String> {
        let program = self.program();
        let c = &program[callee];
        let said = |p| {
            c.ins
                .iter()
                .any(|f| program[f.local].ty.any(&mut |t| *t == Type::Param(p)))
        };
        let count = c.type_params.len();
        if count == 0 || type_args.len() < count || c.type_params.iter().all(|p| said(*p)) {
            return Ok(String::new());
        }
        self.names.args(&type_args[type_args.len() - count..])
    }

    fn pattern(&mut self, pattern: &Pattern) -> Written<String> {
        Ok(match &pattern.kind {
            PatternKind::Wildcard => "_".into(),
            PatternKind::Var(v) => {
                self.bound.insert(*v);
                self.bind(*v)
            }
            PatternKind::Ctor { ctor, args } => {
                let args: Written<Vec<String>> = args.iter().map(|p| self.pattern(p)).collect();
                let args = args?;
                let name = &self.program()[*ctor].name;
                if args.is_empty() {
                    name.to_string()
                } else {
                    format!("{name}({})", args.join(", "))
                }
            }
            PatternKind::Tuple(ps) => {
                let ps: Written<Vec<String>> = ps.iter().map(|p| self.pattern(p)).collect();
                format!("({})", ps?.join(", "))
            }
            PatternKind::Value(e) => self.expr(e, 1)?,
            PatternKind::Or(ps) => {
                let ps: Written<Vec<String>> = ps.iter().map(|p| self.pattern(p)).collect();
                ps?.join(" | ")
            }
        })
    }
}

fn either<'t>(condition: bool, then: &'t str, els: &'t str) -> &'t str {
    if condition { then } else { els }
}

fn is_infinite(program: &Program, ty: &Type) -> bool {
    matches!(
        program.representation(ty),
        Type::Set { finite: false, .. } | Type::Map { finite: false, .. }
    )
}

/// Whether a statement only serves the verifier.
fn is_proof(kind: &StmtKind) -> bool {
    matches!(
        kind,
        StmtKind::Assert { .. } | StmtKind::Calc { .. } | StmtKind::Reveal { .. }
    )
}
