//! Converts typed expressions to Dafny text in the scope of a test module: clauses of contracts,
//! and the bodies of the specification functions that clauses call.
//!
//! [`Writer`] writes expressions, [`Specs`] has compiled copies of ghost functions, and [`Before`]
//! has the copies of the state before the call. The hard part is `old(e)`: a test cannot evaluate
//! it after the call, so the parts without bound variables are stored in variables before the call
//! ([`Writer::old`]).

use std::cell::RefCell;

use dafny_resolve::typed::visit::{self, Visit};
use dafny_resolve::typed::{
    BinaryOp, Body, BuiltinMember, Call, CallableId, Expr, ExprKind, Literal, LocalId, Pattern,
    PatternKind, Program, Quantified, StmtKind, Substitution, Type, UnaryOp,
};
use dtest_desugar::Syntheses as _;
use dtest_sorted::{SortedMap, SortedSet};

use super::names::{Names, Variables, lower_camel, unique, upper_camel};
use super::value::{character, escaped, rational};
use super::{Piece, Role, Written};

/// Specification functions that the tests of a module declare as compiled functions, because they
/// are ghost in the program and clauses call them.
#[derive(Default)]
pub(super) struct Specs {
    names: RefCell<SortedMap<CallableId, Written<String>>>,
    pieces: RefCell<Vec<Piece>>,
    /// Names of declarations of the test module.
    pub(super) taken: RefCell<SortedSet<String>>,
}

impl Specs {
    /// Takes the declarations.
    pub(super) fn take(&self) -> Vec<Piece> {
        std::mem::take(&mut self.pieces.borrow_mut())
    }

    /// Returns the name of the copy of a ghost function, which is declared if needed.
    fn copy(&self, names: &Names<'_>, id: CallableId) -> Written<String> {
        if let Some(known) = self.names.borrow().get(&id) {
            return known.clone();
        }
        let program = names.program;
        let c = &program[id];
        let word = match c.owner {
            Some(owner) => format!("{}{}", program[owner].name, upper_camel(&c.name)),
            None => c.name.to_string(),
        };
        let name = unique(&word, &mut self.taken.borrow_mut(), &|n| {
            c.owner.is_none() || !names.is_opened(n)
        });
        self.names.borrow_mut().insert(id, Ok(name.clone()));
        match self.declare(names, id, &name) {
            Ok(piece) => {
                self.pieces.borrow_mut().push(piece);
                Ok(name)
            }
            Err(reason) => {
                let reason = format!("needs `{}`: {reason}", program.callable_path(id));
                self.names.borrow_mut().insert(id, Err(reason.clone()));
                Err(reason)
            }
        }
    }

    fn declare(&self, names: &Names<'_>, id: CallableId, name: &str) -> Written<Piece> {
        let program = names.program;
        let c = &program[id];
        // Only predicates and functions whose body is an expression have a compiled copy.
        let (Body::Expr(body) | Body::ByMethod(body, _)) = &c.body else {
            return Err("it has no body".into());
        };
        let is_plain = c.kind == dafny_resolve::typed::CallableKind::Function && !c.is_two_state;
        if !is_plain {
            return Err("an extreme or two-state predicate".into());
        }
        if c.owner.is_some_and(|t| program.is_trait(t)) {
            return Err("a ghost member of a trait".into());
        }
        // The receiver becomes a parameter, since the copy is outside of the type.
        let mut params = Vec::new();
        let mut writer = Writer::new(names, Some(self), Variables::default());
        if let Some(owner) = c.owner.filter(|_| !c.is_static) {
            let ty = Type::named(
                owner,
                program[owner]
                    .type_params
                    .iter()
                    .map(|p| Type::Param(*p))
                    .collect(),
            );
            params.push(format!("self: {}", names.ty(&ty)?));
            writer.this = Some("self".into());
        }
        for formal in &c.ins {
            let local = &program[formal.local];
            let name = writer.bind(formal.local);
            params.push(format!("{name}: {}", names.ty(&local.ty)?));
        }
        let result = c.outs.first().ok_or("it has no result")?;
        let result = names.ty(&program[result.local].ty)?;
        // Type parameters keep their characteristics, which the body may depend on.
        let generics: Vec<String> = program
            .all_type_params(id)
            .into_iter()
            .map(|p| {
                let param = &program[p];
                let mut marks = Vec::new();
                if param.characteristics.equality {
                    marks.push("==");
                }
                if param.characteristics.auto_init {
                    marks.push("0");
                }
                if param.characteristics.no_new {
                    marks.push("!new");
                }
                let marks = if marks.is_empty() {
                    String::new()
                } else {
                    format!("({})", marks.join(", "))
                };
                format!("{}{marks}", param.name)
            })
            .collect();
        let generics = if generics.is_empty() {
            String::new()
        } else {
            format!("<{}>", generics.join(", "))
        };
        let body = writer.expr(body, 0)?;
        let text = format!(
            "function {name}{generics}({}): {result}\n  reads *\n{{\n  {body}\n}}",
            params.join(", ")
        );
        Ok(Piece::new(text, Role::Declaration)
            .providing(name.to_owned())
            .needing(writer.needs))
    }
}

/// The parts of the state before the call that clauses read.
#[derive(Default)]
pub(super) struct Before {
    /// Expressions with the variables that store their values.
    known: Vec<(String, String)>,
    pub(super) pieces: Vec<Piece>,
}

/// Precedences of operators, from loose to tight.
const LOGIC: u8 = 2;
const RELATION: u8 = 4;
const SHIFT: u8 = 5;
const SUM: u8 = 6;
const PRODUCT: u8 = 7;
const BITS: u8 = 8;
const AS: u8 = 9;
const UNARY: u8 = 10;
const PRIMARY: u8 = 11;

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
        Ok(match &e.kind {
            ExprKind::Literal(literal) => (
                self.literal(literal)?,
                if is_negative(literal) { UNARY } else { PRIMARY },
            ),
            ExprKind::Local(local) => {
                let name = self
                    .locals
                    .get(local)
                    .ok_or_else(|| format!("`{}`, which is not compiled", program[*local].name))?;
                self.needs.push(name.clone());
                (name.clone(), PRIMARY)
            }
            ExprKind::This => (self.this.clone().ok_or("`this`")?, PRIMARY),
            ExprKind::Field {
                object,
                field,
                type_args,
                ..
            } => {
                let f = &program[*field];
                if f.ghost {
                    return Err(format!("`{}` is ghost", f.name));
                }
                match object {
                    Some(o) => (format!("{}.{}", self.expr(o, PRIMARY)?, f.name), PRIMARY),
                    None => {
                        let args: Vec<Type> = type_args
                            .iter()
                            .map(|t| t.subst(&self.substitution))
                            .collect();
                        (
                            self.names
                                .static_member(f.module, f.owner, &args, &f.name)?,
                            PRIMARY,
                        )
                    }
                }
            }
            ExprKind::Builtin { member, object } => {
                let dims = if let Type::Array { dims, .. } = program.strip_subset(&object.ty) {
                    dims
                } else {
                    1
                };
                (
                    format!(
                        "{}.{}",
                        self.expr(object, PRIMARY)?,
                        builtin(*member, dims)?
                    ),
                    PRIMARY,
                )
            }
            ExprKind::CtorTest { ctor, object } => (
                format!("{}.{}?", self.expr(object, PRIMARY)?, program[*ctor].name),
                PRIMARY,
            ),
            ExprKind::TupleField { object, index } => {
                (format!("{}.{index}", self.expr(object, PRIMARY)?), PRIMARY)
            }
            ExprKind::Construct { ctor, args } => {
                let name = self.names.ctor(*ctor)?;
                (
                    if args.is_empty() {
                        name
                    } else {
                        format!("{name}({})", self.list(args)?)
                    },
                    PRIMARY,
                )
            }
            ExprKind::Delayed(inner) => self.bare(inner)?,
            ExprKind::Call(call) => (self.call(call)?, PRIMARY),
            ExprKind::FunctionRef {
                callee,
                receiver,
                type_args,
                ..
            } => {
                if program[*callee].ghost {
                    return Err(format!("`{}` is ghost", program[*callee].name));
                }
                match receiver {
                    Some(r) => (
                        format!("{}.{}", self.expr(r, PRIMARY)?, program[*callee].name),
                        PRIMARY,
                    ),
                    None => {
                        let args: Vec<Type> = type_args
                            .iter()
                            .map(|t| t.subst(&self.substitution))
                            .collect();
                        (self.names.callable(*callee, &args)?, PRIMARY)
                    }
                }
            }
            ExprKind::Apply { function, args } => (
                format!("{}({})", self.expr(function, PRIMARY)?, self.list(args)?),
                PRIMARY,
            ),
            ExprKind::Index { object, indices } => (
                format!("{}[{}]", self.expr(object, PRIMARY)?, self.list(indices)?),
                PRIMARY,
            ),
            ExprKind::Slice { object, from, to } => {
                let object = self.expr(object, PRIMARY)?;
                let from = from
                    .as_ref()
                    .map(|f| self.expr(f, 0))
                    .transpose()?
                    .unwrap_or_default();
                let to = to
                    .as_ref()
                    .map(|t| self.expr(t, 0))
                    .transpose()?
                    .unwrap_or_default();
                (format!("{object}[{from}..{to}]"), PRIMARY)
            }
            ExprKind::SliceLengths { .. } => return Err("a sequence cut by lengths".into()),
            ExprKind::Update { object, key, value } => (
                format!(
                    "{}[{} := {}]",
                    self.expr(object, PRIMARY)?,
                    self.expr(key, 1)?,
                    self.expr(value, 1)?
                ),
                PRIMARY,
            ),
            ExprKind::DatatypeUpdate {
                object, updates, ..
            } => {
                let object = self.expr(object, PRIMARY)?;
                let mut parts = Vec::new();
                for (f, value) in updates {
                    parts.push(format!("{} := {}", program[*f].name, self.expr(value, 0)?));
                }
                (format!("{object}.({})", parts.join(", ")), PRIMARY)
            }
            ExprKind::TupleUpdate { object, updates } => {
                let object = self.expr(object, PRIMARY)?;
                let mut parts = Vec::new();
                for (i, value) in updates {
                    parts.push(format!("{i} := {}", self.expr(value, 0)?));
                }
                (format!("{object}.({})", parts.join(", ")), PRIMARY)
            }
            ExprKind::Unary(op, operand) => {
                let sign = match op {
                    UnaryOp::Not | UnaryOp::BitNot => "!",
                    UnaryOp::Neg => "-",
                };
                (format!("{sign}{}", self.expr(operand, PRIMARY)?), UNARY)
            }
            ExprKind::Binary(BinaryOp::Above, ..) => {
                return Err("`decreases to` is not executable".into());
            }
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b)?,
            ExprKind::Chain { first, rest } => {
                let mut out = self.expr(first, RELATION + 1)?;
                for (op, e) in rest {
                    out.push_str(&format!(
                        " {} {}",
                        operator(*op).0,
                        self.expr(e, RELATION + 1)?
                    ));
                }
                (out, RELATION)
            }
            ExprKind::PrefixEq { .. } => return Err("equality of prefixes".into()),
            ExprKind::Convert(inner) => (
                format!("{} as {}", self.expr(inner, AS)?, self.ty(&e.ty)?),
                AS,
            ),
            ExprKind::Is(inner, ty) => {
                (format!("{} is {}", self.expr(inner, AS)?, self.ty(ty)?), AS)
            }
            ExprKind::Cardinality(inner) => (format!("|{}|", self.expr(inner, 0)?), PRIMARY),
            ExprKind::Tuple(es) => {
                let Type::Tuple(kinds) = program.representation(&e.ty) else {
                    return Err("a tuple of unknown type".into());
                };
                let mut parts = Vec::new();
                for (e, (ghost, _)) in es.iter().zip(&kinds) {
                    parts.push(format!(
                        "{}{}",
                        if *ghost { "ghost " } else { "" },
                        self.expr(e, 0)?
                    ));
                }
                (format!("({})", parts.join(", ")), PRIMARY)
            }
            ExprKind::SeqDisplay(es) => (format!("[{}]", self.list(es)?), PRIMARY),
            ExprKind::SetDisplay(es) => {
                let open = if is_infinite(program, &e.ty) {
                    "iset"
                } else {
                    ""
                };
                (format!("{open}{{{}}}", self.list(es)?), PRIMARY)
            }
            ExprKind::MultisetDisplay(es) => (format!("multiset{{{}}}", self.list(es)?), PRIMARY),
            ExprKind::MultisetFrom(inner) => {
                (format!("multiset({})", self.expr(inner, 0)?), PRIMARY)
            }
            ExprKind::MapDisplay(pairs) => {
                let mut parts = Vec::new();
                for (k, v) in pairs {
                    parts.push(format!("{} := {}", self.expr(k, 1)?, self.expr(v, 1)?));
                }
                let open = if is_infinite(program, &e.ty) {
                    "imap"
                } else {
                    "map"
                };
                (format!("{open}[{}]", parts.join(", ")), PRIMARY)
            }
            ExprKind::SeqConstruct { len, init } => (
                format!("seq({}, {})", self.expr(len, 0)?, self.expr(init, 0)?),
                PRIMARY,
            ),
            ExprKind::SetComp { vars, term } => self.binding(|me| {
                let word = if is_infinite(program, &e.ty) {
                    "iset"
                } else {
                    "set"
                };
                let head = me.quantified(vars)?;
                Ok((format!("{word} {head} :: {}", me.expr(term, 0)?), 0))
            })?,
            ExprKind::MapComp { vars, key, value } => self.binding(|me| {
                let word = if is_infinite(program, &e.ty) {
                    "imap"
                } else {
                    "map"
                };
                let head = me.quantified(vars)?;
                let (key, value) = (me.expr(key, 1)?, me.expr(value, 0)?);
                let is_own = vars.vars.len() == 1
                    && vars.vars.first().and_then(|v| me.locals.get(v)) == Some(&key);
                let key = if is_own {
                    String::new()
                } else {
                    format!("{key} := ")
                };
                Ok((format!("{word} {head} :: {key}{value}"), 0))
            })?,
            ExprKind::Quantifier { forall, vars, body } => self.binding(|me| {
                let word = if *forall { "forall" } else { "exists" };
                let head = me.quantified(vars)?;
                Ok((format!("{word} {head} :: {}", me.expr(body, 0)?), 0))
            })?,
            ExprKind::Lambda(lambda) => self.binding(|me| {
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
                let reads = if lambda.reads.is_empty() {
                    ""
                } else {
                    " reads *"
                };
                let body = me.expr(&lambda.body, 0)?;
                Ok((
                    format!("({}){requires}{reads} => {body}", params.join(", ")),
                    0,
                ))
            })?,
            ExprKind::If { cond, then, els } => (
                format!(
                    "if {} then {} else {}",
                    self.expr(cond, 0)?,
                    self.expr(then, 1)?,
                    self.expr(els, 0)?
                ),
                0,
            ),
            ExprKind::Match { scrutinee, cases } => {
                let scrutinee = self.expr(scrutinee, 1)?;
                let mut out = format!("match {scrutinee} {{");
                for case in cases {
                    let (text, _) = self.binding(|me| {
                        let pattern = me.pattern(&case.pattern)?;
                        Ok((format!(" case {pattern} => {}", me.expr(&case.body, 0)?), 0))
                    })?;
                    out.push_str(&text);
                }
                (out + " }", PRIMARY)
            }
            ExprKind::Let {
                ghost,
                bindings,
                body,
            } => {
                if *ghost {
                    return Err("a ghost binding".into());
                }
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
                })?
            }
            ExprKind::LetSuchThat { ghost, vars, body } => {
                if *ghost {
                    return Err("a ghost binding".into());
                }
                self.binding(|me| {
                    let names = me.bind_all(&vars.vars)?;
                    let range = vars.range.as_ref().map(|r| me.expr(r, 0)).transpose()?;
                    let range = range.unwrap_or_else(|| "true".into());
                    Ok((format!("var {names} :| {range}; {}", me.expr(body, 0)?), 0))
                })?
            }
            ExprKind::StmtExpr { stmt, body } => {
                if !is_proof(&stmt.kind) {
                    return Err("a statement in an expression".into());
                }
                self.bare(body)?
            }
            ExprKind::Old { label: Some(_), .. } => return Err("`old` with a label".into()),
            ExprKind::Old { expr, .. } => (self.old(expr)?, PRIMARY),
            ExprKind::IfBinding { .. } => return Err("an `if` with a binding".into()),
            ExprKind::LetOrFail(_) => return Err("a binding that may fail".into()),
            ExprKind::Fresh { .. } => return Err("`fresh` is not executable".into()),
            ExprKind::Allocated(_) => return Err("`allocated` is not executable".into()),
            ExprKind::Unchanged { .. } => return Err("`unchanged` is not executable".into()),
            ExprKind::Assigned(_) => return Err("`assigned` is not executable".into()),
            ExprKind::Wildcard => return Err("`*` as a value".into()),
            ExprKind::Error => return Err("an expression that is not known".into()),
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

    fn literal(&self, literal: &Literal) -> Written<String> {
        let unicode = self.program().options.unicode_char;
        Ok(match literal {
            Literal::Bool(b) => b.to_string(),
            Literal::Int(n) => n.to_string(),
            Literal::Real(r) => rational(r),
            Literal::Char(c) => character(*c, unicode)?,
            Literal::String(units) => {
                let mut out = String::from("\"");
                for u in units {
                    out.push_str(&escaped(*u, unicode)?);
                }
                out.push('"');
                out
            }
            Literal::Null => "null".into(),
        })
    }

    fn binary(&mut self, op: BinaryOp, a: &Expr, b: &Expr) -> Written<(String, u8)> {
        let (sign, precedence) = operator(op);
        // Operators of the same level can be chained without parentheses if they are equal and
        // left-associative.
        let is_same = |e: &Expr| matches!(&e.kind, ExprKind::Binary(other, ..) if *other == op);
        let (left, right) = match precedence {
            LOGIC => {
                let joins = matches!(op, BinaryOp::And | BinaryOp::Or);
                let left = if joins && is_same(a) {
                    LOGIC
                } else {
                    LOGIC + 1
                };
                let right = if op == BinaryOp::Implies && is_same(b) {
                    LOGIC
                } else {
                    LOGIC + 1
                };
                (left, right)
            }
            BITS => (if is_same(a) { BITS } else { BITS + 1 }, BITS + 1),
            RELATION => (RELATION + 1, RELATION + 1),
            other => (other, other + 1),
        };
        Ok((
            format!("{} {sign} {}", self.expr(a, left)?, self.expr(b, right)?),
            precedence,
        ))
    }

    fn call(&mut self, call: &Call) -> Written<String> {
        let program = self.program();
        let c = &program[call.callee];
        if call.at_label.is_some() {
            return Err("a call in an earlier state".into());
        }
        if program.is_synthesized(call.callee) {
            return Err(format!("`{}` is synthesized", c.name));
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

    /// Writes the value of an expression before the call.
    fn old(&mut self, e: &Expr) -> Written<String> {
        if self.in_old {
            return self.expr(e, PRIMARY);
        }
        if self.before.is_none() {
            return Err("`old` in a specification function".into());
        }
        if self.mentions_bound(e) {
            // Parts without bound variables are stored before the call; the rest is evaluated
            // afterwards.
            self.in_old = true;
            let written = self.expr(e, PRIMARY);
            self.in_old = false;
            return written;
        }
        self.hoist(e, "")
    }

    /// Stores the value of an expression without bound variables in a variable before the call.
    fn hoist(&mut self, e: &Expr, suffix: &str) -> Written<String> {
        // An expression that does not read the heap has the same value after the call.
        if suffix.is_empty() && !reads_heap(self.program(), e) {
            let was = std::mem::replace(&mut self.in_old, false);
            let text = self.expr(e, PRIMARY);
            self.in_old = was;
            return text;
        }
        let (outer, was) = (
            std::mem::take(&mut self.needs),
            std::mem::replace(&mut self.in_old, false),
        );
        // The expression itself is evaluated before the call, so nothing in it needs to be stored.
        let before = self.before.take();
        let text = self.expr(e, if suffix.is_empty() { 0 } else { PRIMARY });
        self.in_old = was;
        let needs = std::mem::replace(&mut self.needs, outer);
        let Some((before, taken)) = before else {
            return text;
        };
        let text = text.map(|t| t + suffix);
        let name = text.map(|text| {
            if let Some((_, name)) = before.known.iter().find(|(known, _)| *known == text) {
                return name.clone();
            }
            let word = format!("{}Before", word_of(self.names.program, e));
            let names = self.names;
            let name = unique(&lower_camel(&word), taken, &|n| !names.is_opened(n));
            before.known.push((text.clone(), name.clone()));
            let line = format!("var {name} := {text};");
            before.pieces.push(
                Piece::new(line, Role::Before)
                    .providing(name.clone())
                    .needing(needs),
            );
            name
        });
        self.before = Some((before, taken));
        let name = name?;
        self.needs.push(name.clone());
        Ok(name)
    }

    /// Writes an expression within an `old` that has bound variables; the parts that read the state
    /// before the call are stored.
    fn read_before(&mut self, e: &Expr) -> Written<Option<String>> {
        // Without bound variables, the whole expression can be read before the call.
        if !self.mentions_bound(e) {
            return self.hoist(e, "").map(Some);
        }
        let program = self.program();
        let dims = |ty: &Type| {
            if let Type::Array { dims, .. } = program.strip_subset(ty) {
                Some(dims)
            } else {
                None
            }
        };
        // An element of an array: the copy is of all elements, and the index is applied to it.
        if let ExprKind::Index { object, indices } = &e.kind
            && dims(&object.ty) == Some(1)
        {
            if self.mentions_bound(object) {
                return Err(
                    "`old` of elements of an array that depends on a bound variable".into(),
                );
            }
            let copy = self.hoist(object, "[..]")?;
            return Ok(Some(format!("{copy}[{}]", self.list(indices)?)));
        }
        // Any other read of the heap depends on the bound variable, so that no copy before the call
        // suffices; only expressions independent of the heap remain.
        if let ExprKind::Index { object, .. } | ExprKind::Slice { object, .. } = &e.kind
            && dims(&object.ty).is_some()
        {
            return Err("`old` of a part of an array that depends on a bound variable".into());
        }
        if let ExprKind::Field { field, object, .. } = &e.kind
            && object.is_some()
            && program[*field].kind.is_mutable()
        {
            return Err("`old` of a field of an object that depends on a bound variable".into());
        }
        if let ExprKind::Call(call) = &e.kind
            && !program[call.callee].spec.reads.is_empty()
        {
            return Err("`old` of a function that reads the heap, of a bound variable".into());
        }
        if let ExprKind::Apply { function, .. } = &e.kind
            && !is_total(program, &function.ty)
        {
            return Err("`old` of a function value of a bound variable".into());
        }
        Ok(None)
    }

    fn mentions_bound(&self, e: &Expr) -> bool {
        struct Mentions<'m>(&'m SortedSet<LocalId>, bool);
        impl<'t> Visit<'t> for Mentions<'_> {
            fn expr(&mut self, e: &'t Expr) {
                if let ExprKind::Local(l) = &e.kind {
                    self.1 |= self.0.contains(l);
                }
                visit::walk_expr(self, e);
            }
        }
        let mut found = Mentions(&self.bound, false);
        found.expr(e);
        found.1
    }
}

/// Whether the value of an expression depends on the heap.
fn reads_heap(program: &Program, e: &Expr) -> bool {
    struct Reads<'p>(&'p Program, bool);
    impl<'t> Visit<'t> for Reads<'_> {
        fn expr(&mut self, e: &'t Expr) {
            let program = self.0;
            let is_array = |e: &Expr| matches!(program.strip_subset(&e.ty), Type::Array { .. });
            if let ExprKind::Field { field, .. } = &e.kind {
                self.1 |= program[*field].kind.is_mutable();
            } else if let ExprKind::Call(call) = &e.kind {
                self.1 |= !program[call.callee].spec.reads.is_empty();
            } else if let ExprKind::Index { object, .. }
            | ExprKind::Slice { object, .. }
            | ExprKind::MultisetFrom(object) = &e.kind
            {
                self.1 |= is_array(object);
            } else if let ExprKind::Apply { function, .. } = &e.kind {
                self.1 |= !is_total(program, &function.ty);
            } else {
                self.1 |= e.kind.temporal().is_some();
            }
            visit::walk_expr(self, e);
        }
    }
    let mut found = Reads(program, false);
    found.expr(e);
    found.1
}

fn is_total(program: &Program, ty: &Type) -> bool {
    matches!(
        program.strip_subset(ty),
        Type::Arrow {
            kind: dafny_syntax::ast::ArrowKind::Total | dafny_syntax::ast::ArrowKind::Partial,
            ..
        }
    )
}

fn is_infinite(program: &Program, ty: &Type) -> bool {
    matches!(
        program.representation(ty),
        Type::Set { finite: false, .. } | Type::Map { finite: false, .. }
    )
}

fn is_negative(literal: &Literal) -> bool {
    use num_traits::Signed as _;
    match literal {
        Literal::Int(n) => n.is_negative(),
        Literal::Real(r) => r.is_negative(),
        Literal::Bool(_) | Literal::Char(_) | Literal::String(_) | Literal::Null => false,
    }
}

/// Whether a statement only serves the verifier.
fn is_proof(kind: &StmtKind) -> bool {
    matches!(
        kind,
        StmtKind::Assert { .. } | StmtKind::Calc { .. } | StmtKind::Reveal { .. }
    )
}

/// Returns a word for the value of an expression, for a variable name.
fn word_of(program: &Program, e: &Expr) -> String {
    let mut e = e;
    while let ExprKind::Slice { object: inner, .. }
    | ExprKind::Index { object: inner, .. }
    | ExprKind::Builtin { object: inner, .. }
    | ExprKind::Cardinality(inner)
    | ExprKind::MultisetFrom(inner) = &e.kind
    {
        e = inner;
    }
    if let ExprKind::Local(l) = &e.kind {
        program[*l].name.to_string()
    } else if let ExprKind::Field { field, .. } = &e.kind {
        program[*field].name.to_string()
    } else if let ExprKind::Call(call) = &e.kind {
        program[call.callee].name.to_string()
    } else {
        "value".into()
    }
}

fn builtin(member: BuiltinMember, dims: u32) -> Written<String> {
    Ok(match member {
        BuiltinMember::ArrayLength(_) if dims == 1 => "Length".into(),
        BuiltinMember::ArrayLength(i) => format!("Length{i}"),
        BuiltinMember::IsLimit => "IsLimit".into(),
        BuiltinMember::IsSucc => "IsSucc".into(),
        BuiltinMember::OrdinalOffset => "Offset".into(),
        BuiltinMember::IsNat => "IsNat".into(),
        BuiltinMember::FunctionRequires => {
            return Err("`requires` of a function value is ghost".into());
        }
        BuiltinMember::FunctionReads => return Err("`reads` of a function value is ghost".into()),
        BuiltinMember::RotateLeft => "RotateLeft".into(),
        BuiltinMember::RotateRight => "RotateRight".into(),
        BuiltinMember::Keys => "Keys".into(),
        BuiltinMember::Values => "Values".into(),
        BuiltinMember::Items => "Items".into(),
        BuiltinMember::Floor => "Floor".into(),
    })
}

/// Returns the text of an operator and its precedence.
fn operator(op: BinaryOp) -> (&'static str, u8) {
    let precedence = match op {
        BinaryOp::Iff | BinaryOp::Implies | BinaryOp::Explies | BinaryOp::And | BinaryOp::Or => {
            LOGIC
        }
        BinaryOp::Eq
        | BinaryOp::Ne
        | BinaryOp::Lt
        | BinaryOp::Le
        | BinaryOp::Gt
        | BinaryOp::Ge
        | BinaryOp::Above
        | BinaryOp::In
        | BinaryOp::NotIn
        | BinaryOp::Disjoint => RELATION,
        BinaryOp::Shl | BinaryOp::Shr => SHIFT,
        BinaryOp::Add | BinaryOp::Sub => SUM,
        BinaryOp::Mul | BinaryOp::Div | BinaryOp::Mod => PRODUCT,
        BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => BITS,
    };
    (op.as_str(), precedence)
}
