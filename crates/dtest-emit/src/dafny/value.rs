//! Converts values to Dafny expressions; objects become variables of the test.
//!
//! [`Values::value`] writes values, and [`Values::object`] creates objects: by the calls of a
//! [`Construction`], or field by field. The hard part is cycles: a field that refers to an object
//! under construction is assigned later ([`Values::later`]).

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed as _};

use dafny_resolve::typed::{
    Body, CallableId, ExprKind, FieldId, FieldKind, LocalId, Program, Rhs, StmtKind, Target, Type,
    TypeDeclKind, TypeId,
};
use dtest_desugar::ExternalCode as _;
use dtest_sorted::{SortedMap, SortedSet};
use dtest_value::{
    Answer, Construction, Contents, DatatypeValue, FunctionValue, Heap, ObjectId, Template, Value,
    real,
};

use super::mock::Mocks;
use super::names::{Names, lower_camel, unique};
use super::{Piece, Role, Written};

/// Maximum number of parts of all values of a test.
const MAX_PARTS: usize = 4_096;
/// Maximum number of elements of one display; longer ones are slow to resolve, and javac rejects
/// them.
const MAX_DISPLAY: usize = 100;
/// Maximum length of one literal, in characters.
const MAX_LITERAL: usize = 8_000;
/// Maximum nesting depth of values; Python's parser rejects more than about ninety parentheses.
const MAX_NESTING: usize = 60;
/// Maximum number of rows of a function that are written as conditions; larger tables become maps.
const MAX_CONDITIONS: usize = 8;

/// Writes values; objects of the heap become variables.
pub(super) struct Values<'s, 'p> {
    pub(super) names: &'s Names<'p>,
    pub(super) heap: &'s Heap,
    pub(super) constructed: &'s SortedMap<ObjectId, Construction>,
    /// The answers of mocks.
    pub(super) answers: &'s [Answer],
    /// The declarations of the module's mocks.
    pub(super) mocks: Option<&'s Mocks<'p>>,
    /// The variables of objects.
    pub(super) objects: SortedMap<ObjectId, String>,
    /// The statements that create the objects.
    pub(super) lines: Vec<Piece>,
    /// Objects under construction, to detect cycles.
    making: Vec<ObjectId>,
    /// Objects that exist.
    made: SortedSet<ObjectId>,
    /// Fields that refer to an object under construction; they are assigned later.
    later: Vec<(String, Value, Type)>,
    /// The names of variables.
    pub(super) taken: SortedSet<String>,
    /// Variables of objects whose fields are assigned one by one.
    pub(super) by_fields: Vec<String>,
    /// Whether an object can be allocated only in a refinement of the module under test.
    pub(super) needs_inside: bool,
    /// Module-level declarations that the statements need.
    pub(super) needs: Vec<String>,
    parts: usize,
    depth: usize,
}

impl<'s, 'p> Values<'s, 'p> {
    pub(super) fn new(
        names: &'s Names<'p>,
        heap: &'s Heap,
        constructed: &'s SortedMap<ObjectId, Construction>,
    ) -> Self {
        Self {
            names,
            heap,
            constructed,
            answers: &[],
            mocks: None,
            objects: SortedMap::new(),
            lines: Vec::new(),
            making: Vec::new(),
            made: SortedSet::new(),
            later: Vec::new(),
            taken: SortedSet::new(),
            by_fields: Vec::new(),
            needs_inside: false,
            needs: Vec::new(),
            parts: 0,
            depth: 0,
        }
    }

    /// Returns an unused name for a variable.
    pub(super) fn fresh(&mut self, word: &str) -> String {
        let names = self.names;
        unique(word, &mut self.taken, &|n| !names.is_opened(n))
    }

    /// Adds a statement of the setup.
    pub(super) fn line(&mut self, text: String) {
        let needs = std::mem::take(&mut self.needs);
        self.lines
            .push(Piece::new(text, Role::Given).needing(needs));
    }

    /// Returns the dynamic type of an object.
    pub(super) fn object_type(&self, object: ObjectId) -> Option<Type> {
        self.heap
            .objects
            .get(object.0 as usize)
            .map(|o| o.ty.clone())
    }

    /// Writes a value of a type without type parameters.
    pub(super) fn value(&mut self, value: &Value, ty: &Type) -> Written<String> {
        self.parts += 1;
        if self.parts > MAX_PARTS {
            return Err(format!("a value of more than {MAX_PARTS} parts"));
        }
        if self.depth >= MAX_NESTING {
            return Err(format!(
                "values within each other, more than {MAX_NESTING} deep"
            ));
        }
        self.depth += 1;
        let written = dtest_value::deeper(|| self.value_within(value, ty));
        self.depth -= 1;
        written
    }

    fn value_within(&mut self, value: &Value, ty: &Type) -> Written<String> {
        let program = self.names.program;
        let rep = program.representation(ty);
        match (value, &rep) {
            (Value::Bool(b), _) => Ok(b.to_string()),
            (Value::Char(c), _) => character(*c, program.options.unicode_char),
            (Value::Int(n), Type::Real) => Ok(rational(&BigRational::from(n.clone()))),
            (Value::Int(n), _) => Ok(n.to_string()),
            (Value::Real(r), _) => Ok(rational(r)),
            (Value::Bv { bits, .. }, _) => Ok(bits.to_string()),
            (Value::Ordinal(n), _) => Ok(n.to_string()),
            (Value::Seq(es), Type::Seq(elem)) => self.sequence(es, elem, ty),
            (Value::Set(es), Type::Set { finite, elem }) => {
                let open = if *finite { "{" } else { "iset{" };
                let all: Vec<&Value> = es.iter().collect();
                self.pieces(&all, (open, "}"), ty, &mut |me, e| me.value(e, elem))
            }
            (Value::Multiset(counts), Type::Multiset(elem)) => {
                let mut all = Vec::new();
                for (e, n) in counts.iter() {
                    let n = usize::try_from(n).ok().filter(|n| *n <= 10_000);
                    let n = n.ok_or("a multiset of too many elements")?;
                    all.extend(std::iter::repeat_n(e, n));
                }
                self.pieces(&all, ("multiset{", "}"), ty, &mut |me, e| me.value(e, elem))
            }
            (Value::Map(pairs), Type::Map { finite, key, value }) => {
                let open = if *finite { "map[" } else { "imap[" };
                let all: Vec<(&Value, &Value)> = pairs.iter().collect();
                self.pieces(&all, (open, "]"), ty, &mut |me, (k, v)| {
                    Ok(format!("{} := {}", me.value(k, key)?, me.value(v, value)?))
                })
            }
            (Value::Tuple(cs), Type::Tuple(types)) => {
                let mut parts = Vec::new();
                for (c, (ghost, t)) in cs.iter().zip(types) {
                    let text = self.value(c, t)?;
                    parts.push(format!("{}{text}", if *ghost { "ghost " } else { "" }));
                }
                Ok(format!("({})", parts.join(", ")))
            }
            (Value::Datatype(d), _) => self.datatype(d, &rep),
            (Value::Newtype(n), _) => {
                let own = n.ty();
                let text = self.value(&n.value, &own)?;
                Ok(format!("({text} as {})", self.names.ty(&own)?))
            }
            (Value::Null, _) => Ok("null".into()),
            (Value::Ref(object), _) => self.object(*object),
            (Value::Function(f), Type::Arrow { params, result, .. }) => {
                self.function(f, params, result)
            }
            (Value::Lazy(_), _) => match value.settled() {
                Some(settled) if !settled.holds_lazy() => self.value(&settled, ty),
                Some(_) | None => Err("a value that is computed lazily".into()),
            },
            (
                Value::Seq(_)
                | Value::Set(_)
                | Value::Multiset(_)
                | Value::Map(_)
                | Value::Tuple(_)
                | Value::Function(_),
                _,
            ) => Err(format!("a value of `{}`", program.show_type(ty))),
        }
    }

    /// Writes a display; a long one is split into variables with a type.
    fn pieces<T: Copy>(
        &mut self,
        all: &[T],
        (open, close): (&str, &str),
        ty: &Type,
        write: &mut dyn FnMut(&mut Self, T) -> Written<String>,
    ) -> Written<String> {
        let mut texts = Vec::new();
        for item in all {
            texts.push(write(self, *item)?);
        }
        if texts.len() <= MAX_DISPLAY {
            return Ok(format!("{open}{}{close}", texts.join(", ")));
        }
        let mut names = Vec::new();
        let ty = self.names.ty(ty)?;
        for chunk in texts.chunks(MAX_DISPLAY) {
            let name = self.fresh("piece");
            self.line(format!(
                "var {name}: {ty} := {open}{}{close};",
                chunk.join(", ")
            ));
            names.push(name);
        }
        Ok(format!("({})", names.join(" + ")))
    }

    fn sequence(&mut self, es: &[Value], elem: &Type, ty: &Type) -> Written<String> {
        let program = self.names.program;
        if program.representation(elem) == Type::Char {
            let chars: Option<Vec<u32>> = es
                .iter()
                .map(|e| {
                    if let Value::Char(c) = e {
                        Some(*c)
                    } else {
                        None
                    }
                })
                .collect();
            if let Some(chars) = chars {
                if chars.len() > MAX_LITERAL {
                    return Err(format!("a string of more than {MAX_LITERAL} characters"));
                }
                let mut out = String::from("\"");
                for c in chars {
                    out.push_str(&escaped(c, program.options.unicode_char)?);
                }
                out.push('"');
                // A string literal has elements of type `char`, so it does not fit a newtype of
                // `char`.
                if program.strip_subset(elem) == Type::Char {
                    return Ok(out);
                }
            }
        }
        // Many equal elements are written once.
        if let [first, rest @ ..] = es
            && es.len() > 32
            && rest.iter().all(|e| e == first)
            && !matches!(first, Value::Ref(_))
        {
            let (first, elem) = (self.value(first, elem)?, self.names.ty(elem)?);
            return Ok(format!("seq<{elem}>({}, _ => {first})", es.len()));
        }
        let all: Vec<&Value> = es.iter().collect();
        self.pieces(&all, ("[", "]"), ty, &mut |me, e| me.value(e, elem))
    }

    fn datatype(&mut self, d: &DatatypeValue, rep: &Type) -> Written<String> {
        let program = self.names.program;
        let ctor = &program[d.ctor];
        if ctor.ghost {
            return Err(format!("a value of the ghost constructor `{}`", ctor.name));
        }
        // For a value with the type of a trait, the type arguments are those of the datatype that
        // implements it.
        let own = |t: &Type| matches!(t, Type::Named { decl, .. } if *decl == ctor.datatype);
        let mut seen = rep.clone();
        if let Type::Named { decl, args, .. } = rep
            && !own(rep)
        {
            let found = program
                .implementing_datatypes(*decl, args)
                .into_iter()
                .find(own);
            seen = found.unwrap_or(Type::Error);
        }
        let args = if let Type::Named { args, .. } = seen {
            args
        } else {
            Vec::new()
        };
        let substitution = program.substitution(ctor.datatype, &args);
        let mut parts = Vec::new();
        for (&f, value) in ctor.fields.iter().zip(&d.args) {
            parts.push(self.value(value, &program[f].ty.subst(&substitution))?);
        }
        let name = self.names.ctor(d.ctor)?;
        Ok(if parts.is_empty() {
            name
        } else {
            format!("{name}({})", parts.join(", "))
        })
    }

    /// Writes a function as a lambda expression.
    pub(super) fn function(
        &mut self,
        f: &FunctionValue,
        params: &[Type],
        result: &Type,
    ) -> Written<String> {
        let names: Vec<String> = match params.len() {
            1 => vec!["x".into()],
            n => (0..n).map(|i| format!("x{i}")).collect(),
        };
        let mut typed = Vec::new();
        for (n, t) in names.iter().zip(params) {
            typed.push(format!("{n}: {}", self.names.ty(t)?));
        }
        let head = format!("({})", typed.join(", "));
        Ok(match f {
            FunctionValue::Table { entries, default } => {
                let body = self.table(&names, entries, default, params, result)?;
                format!("({head} => {body})")
            }
            FunctionValue::Template(template) => {
                let body = match (template, names.as_slice()) {
                    (Template::Identity, [x]) => x.clone(),
                    (Template::Less, [x, y]) => format!("{x} < {y}"),
                    (Template::AtMost, [x, y]) => format!("{x} <= {y}"),
                    (Template::Equal, [x, y]) => format!("{x} == {y}"),
                    (Template::Add, [x, y]) => format!("{x} + {y}"),
                    (Template::Successor, [x])
                        if self.names.program.representation(result) == Type::Real =>
                    {
                        format!("{x} + 1.0")
                    }
                    (Template::Successor, [x]) => format!("{x} + 1"),
                    (Template::Mix, [x, y]) => format!("{x} + {x} + {y}"),
                    (Template::Odd, [x]) => format!("{x} % 2 == 1"),
                    (_, _) => return Err("a function of other parameters".into()),
                };
                format!("({head} => {body})")
            }
            FunctionValue::Partial {
                function,
                elsewhere,
                exceptions,
            } => {
                let inner = self.function(function, params, result)?;
                let mut tests = Vec::new();
                for args in exceptions {
                    tests.push(format!("({})", self.equals(&names, args, params)?));
                }
                let any = tests.join(" || ");
                let requires = match (tests.is_empty(), elsewhere) {
                    (true, elsewhere) => elsewhere.to_string(),
                    (false, true) => format!("!({any})"),
                    (false, false) => any,
                };
                format!(
                    "({head} requires {requires} => {inner}({}))",
                    names.join(", ")
                )
            }
            FunctionValue::Named {
                callee,
                receiver,
                type_args,
            } => {
                let c = &self.names.program[*callee];
                match receiver {
                    None => self.names.callable(*callee, type_args)?,
                    Some(receiver @ Value::Ref(object)) => {
                        let ty = self
                            .object_type(*object)
                            .ok_or("an object that is not there")?;
                        format!("{}.{}", self.value(receiver, &ty)?, c.name)
                    }
                    Some(_) => return Err("a method with its receiver as an input".into()),
                }
            }
            FunctionValue::Closure { .. } => {
                return Err("a lambda expression of the program as an input".into());
            }
        })
    }

    fn equals(&mut self, names: &[String], args: &[Value], params: &[Type]) -> Written<String> {
        let mut parts = Vec::new();
        for ((name, value), ty) in names.iter().zip(args).zip(params) {
            parts.push(format!("{name} == {}", self.value(value, ty)?));
        }
        Ok(if parts.is_empty() {
            "true".into()
        } else {
            parts.join(" && ")
        })
    }

    /// Writes the result of a table: a chain of conditions, or a map lookup.
    pub(super) fn table(
        &mut self,
        names: &[String],
        entries: &[(Vec<Value>, Value)],
        default: &Value,
        params: &[Type],
        result: &Type,
    ) -> Written<String> {
        let default = self.value(default, result)?;
        // Few entries become a chain of conditionals, many a lookup in a map.
        if entries.len() <= MAX_CONDITIONS {
            let mut out = String::new();
            for (args, value) in entries {
                let condition = self.equals(names, args, params)?;
                let value = self.value(value, result)?;
                out.push_str(&format!("if {condition} then {value} else "));
            }
            return Ok(out + &default);
        }
        let tuple = |texts: Vec<String>| match texts.as_slice() {
            [one] => one.clone(),
            many => format!("({})", many.join(", ")),
        };
        let key_type = match params {
            [one] => one.clone(),
            many => Type::Tuple(many.iter().map(|t| (false, t.clone())).collect()),
        };
        let ty = Type::Map {
            finite: true,
            key: Box::new(key_type),
            value: Box::new(result.clone()),
        };
        let all: Vec<&(Vec<Value>, Value)> = entries.iter().collect();
        let map = self.pieces(&all, ("map[", "]"), &ty, &mut |me, (args, value)| {
            let keys: Written<Vec<String>> = args
                .iter()
                .zip(params)
                .map(|(a, t)| me.value(a, t))
                .collect();
            Ok(format!("{} := {}", tuple(keys?), me.value(value, result)?))
        })?;
        let name = self.fresh("results");
        let text = format!("var {name}: {} := {map};", self.names.ty(&ty)?);
        self.line(text);
        let key = tuple(names.to_vec());
        Ok(format!(
            "if {key} in {name} then {name}[{key}] else {default}"
        ))
    }

    /// Returns the variable of an object, which is created first if needed.
    pub(super) fn object(&mut self, id: ObjectId) -> Written<String> {
        if let Some(name) = self.objects.get(&id) {
            if self.making.contains(&id) {
                return Err("objects that refer to each other before they exist".into());
            }
            if self.made.contains(&id) {
                return Ok(name.clone());
            }
        }
        let heap = self.heap;
        let object = heap
            .objects
            .get(id.0 as usize)
            .ok_or("an object that is not there")?;
        let name = match self.objects.get(&id) {
            Some(name) => name.clone(),
            None => {
                let word = self.word_for(&object.ty);
                self.fresh(&word)
            }
        };
        self.objects.insert(id, name.clone());
        self.making.push(id);
        let made = self.make(id, &name, &object.ty, &object.contents);
        self.making.pop();
        made?;
        self.made.insert(id);
        // Fields whose objects exist now are assigned.
        let (waiting, ready): (Vec<_>, Vec<_>) = std::mem::take(&mut self.later)
            .into_iter()
            .partition(|(_, value, _)| self.refers_to_unmade(value));
        self.later = waiting;
        for (place, value, ty) in ready {
            let value = self.value(&value, &ty)?;
            self.line(format!("{place} := {value};"));
        }
        Ok(name)
    }

    /// Registers an existing object under a name.
    pub(super) fn know(&mut self, id: ObjectId, name: String) {
        self.taken.insert(name.clone());
        self.objects.insert(id, name);
        self.made.insert(id);
    }

    /// Registers that a named object exists now.
    pub(super) fn note_made(&mut self, id: ObjectId) {
        self.made.insert(id);
    }

    fn word_for(&self, ty: &Type) -> String {
        let ty = self.names.program.strip_subset(ty);
        if let Type::Named { decl, .. } = ty {
            lower_camel(&self.names.program[decl].name)
        } else if let Type::Array { dims, .. } = ty {
            if dims == 1 { "values" } else { "matrix" }.into()
        } else {
            "object".into()
        }
    }

    fn refers_to_unmade(&self, value: &Value) -> bool {
        value
            .within()
            .any(|v| matches!(v, Value::Ref(object) if self.making.contains(object)))
    }

    fn make(&mut self, id: ObjectId, name: &str, ty: &Type, contents: &Contents) -> Written<()> {
        let program = self.names.program;
        if let Some(by) = self.constructed.get(&id) {
            return self.construct(id, name, ty, by);
        }
        match (contents, program.strip_subset(ty)) {
            (Contents::Elements(array), Type::Array { elem, .. }) => {
                self.array(name, array.dims(), array, &elem)
            }
            (Contents::Fields(fields), Type::Named { decl, args, .. }) => match &program[decl].kind
            {
                TypeDeclKind::Class => self.by_fields(name, (decl, &args), fields),
                TypeDeclKind::Trait { .. } => self.mock(id, name, (decl, &args), fields),
                TypeDeclKind::Iterator(_) => Err("an iterator that has already started".into()),
                TypeDeclKind::Datatype { .. }
                | TypeDeclKind::Newtype(_)
                | TypeDeclKind::Subset(_)
                | TypeDeclKind::Abstract => {
                    Err(format!("an object of `{}`", program.show_type(ty)))
                }
            },
            (Contents::Fields(_), Type::Object { .. }) => Err("an object of type `object`".into()),
            (Contents::Fields(_) | Contents::Elements(_), _) => {
                Err(format!("an object of `{}`", program.show_type(ty)))
            }
        }
    }

    fn array(
        &mut self,
        name: &str,
        dims: &[usize],
        elements: &[Option<Value>],
        elem: &Type,
    ) -> Written<()> {
        let elem_text = self.names.ty(elem)?;
        let known: Option<Vec<Value>> = elements
            .iter()
            .map(|e| e.clone().or_else(|| default(self.names.program, elem)))
            .collect();
        let known = known.ok_or("an array element without a value")?;
        let lengths: Vec<String> = dims.iter().map(ToString::to_string).collect();
        let lengths = lengths.join(", ");
        let text = if known.is_empty() {
            format!("var {name} := new {elem_text}[{lengths}];")
        } else if dims.len() == 1 && known.len() <= MAX_DISPLAY {
            let texts: Written<Vec<String>> = known.iter().map(|v| self.value(v, elem)).collect();
            format!(
                "var {name} := new {elem_text}[{lengths}] [{}];",
                texts?.join(", ")
            )
        } else {
            // Elements in row-major order.
            let ty = Type::Seq(Box::new(elem.clone()));
            let all: Vec<&Value> = known.iter().collect();
            let text = self.pieces(&all, ("[", "]"), &ty, &mut |me, e| me.value(e, elem))?;
            let flat = self.fresh("elements");
            let ty = self.names.ty(&ty)?;
            self.line(format!("var {flat}: {ty} := {text};"));
            let indices: Vec<String> = (0..dims.len()).map(|i| format!("i{i}")).collect();
            let mut at = indices.first().cloned().unwrap_or_default();
            for (i, length) in indices.iter().zip(dims).skip(1) {
                at = if at.contains(' ') {
                    format!("({at}) * {length} + {i}")
                } else {
                    format!("{at} * {length} + {i}")
                };
            }
            format!(
                "var {name} := new {elem_text}[{lengths}](({}) => {flat}[{at}]);",
                indices.join(", ")
            )
        };
        self.line(text);
        Ok(())
    }

    /// Creates an object by calls: a constructor, or a callable without receiver that returns it,
    /// then its methods.
    fn construct(&mut self, id: ObjectId, name: &str, ty: &Type, by: &Construction) -> Written<()> {
        let program = self.names.program;
        let maker = &program[by.maker];
        let type_args = if let Type::Named { args, .. } = program.strip_subset(ty) {
            args
        } else {
            Vec::new()
        };
        let args = self.arguments(by.maker, &type_args, &by.args)?;
        let made = if maker.kind == dafny_resolve::typed::CallableKind::Constructor {
            let class = self.names.ty(&Type::named(
                maker.owner.ok_or("no class")?,
                type_args.clone(),
            ))?;
            format!("new {class}{}({args})", constructor_suffix(&maker.name))
        } else {
            format!("{}({args})", self.names.callable(by.maker, &type_args)?)
        };
        // Ghost results and further results are bound and ignored.
        let others = maker.outs.iter().skip(1).map(|_| ", _").collect::<String>();
        self.line(format!("var {name}{others} := {made};"));
        self.made.insert(id);
        self.making.retain(|o| *o != id);
        for call in &by.then {
            let args = self.arguments(call.callee, &type_args, &call.args)?;
            let callee = &program[call.callee];
            let text = format!("{name}.{}({args})", callee.name);
            self.line(match callee.outs.len() {
                0 => format!("{text};"),
                n => format!("var {} := {text};", vec!["_"; n].join(", ")),
            });
        }
        self.name_parts(id);
        Ok(())
    }

    /// Stores objects that the calls allocated along with an object in variables, if a field holds
    /// them.
    fn name_parts(&mut self, id: ObjectId) {
        let program = self.names.program;
        let heap = self.heap;
        // Parts that the constructor allocated are named by the path that leads to them.
        let mut todo = vec![id];
        while let Some(holder) = todo.pop() {
            let Some(object) = heap.objects.get(holder.0 as usize) else {
                continue;
            };
            let (Contents::Fields(fields), Type::Named { decl, .. }) =
                (&object.contents, &object.ty)
            else {
                continue;
            };
            let Some(owner) = self.objects.get(&holder).cloned() else {
                continue;
            };
            for f in fields_of(program, *decl) {
                let Some(Value::Ref(part)) = fields.get(&f) else {
                    continue;
                };
                // Only unknown, compiled parts need a name.
                if self.objects.contains_key(part) || program[f].ghost {
                    continue;
                }
                let short = owner.split("Of").next().unwrap_or(&owner).to_owned();
                let word = format!("{}Of{}", program[f].name, super::names::upper_camel(&short));
                let name = self.fresh(&lower_camel(&word));
                let line = format!("var {name} := {owner}.{};", program[f].name);
                self.lines
                    .push(Piece::new(line, Role::Before).providing(name.clone()));
                self.know(*part, name);
                todo.push(*part);
            }
        }
    }

    /// Writes arguments as a list. Ghost ones are written too: a Dafny call has all arguments.
    pub(super) fn arguments(
        &mut self,
        callee: CallableId,
        type_args: &[Type],
        values: &[Value],
    ) -> Written<String> {
        let program = self.names.program;
        let substitution = program
            .all_type_params(callee)
            .into_iter()
            .zip(type_args.iter().cloned())
            .collect();
        let mut out = Vec::new();
        for (formal, value) in program[callee].ins.iter().zip(values) {
            let local = &program[formal.local];
            let text = self.value(value, &local.ty.subst(&substitution))?;
            out.push(if formal.nameonly {
                format!("{} := {text}", local.name)
            } else {
                text
            });
        }
        Ok(out.join(", "))
    }

    /// Creates an object of a class by assigning its fields one by one.
    fn by_fields(
        &mut self,
        name: &str,
        (decl, args): (TypeId, &[Type]),
        fields: &SortedMap<FieldId, Value>,
    ) -> Written<()> {
        let program = self.names.program;
        let class = Type::named(decl, args.to_vec());
        let path = program.type_path(decl);
        let text = self.names.ty(&class)?;
        let constructors: Vec<CallableId> = program[decl]
            .callables
            .iter()
            .copied()
            .filter(|&c| program[c].kind == dafny_resolve::typed::CallableKind::Constructor)
            .collect();
        if program.type_link(decl).is_some() {
            return Err(format!("an object of `{path}`, which is linked Rust"));
        }
        let all = fields_of(program, decl);
        let mut given = SortedSet::new();
        if constructors.is_empty() {
            let is_elsewhere = program[decl].module != self.names.home;
            self.needs_inside |= !self.names.is_top_level() && !is_elsewhere;
            if let Some(f) = unassigned_constant(program, &all, &given) {
                return Err(no_calls(program, decl, f));
            }
            self.line(format!("var {name} := new {text};"));
        } else {
            // Finds a constructor that sets the constants to their values; other fields are
            // assigned afterwards.
            let substitution = program.substitution(decl, args);
            let mut found: Option<(CallableId, Vec<Value>, SortedSet<FieldId>)> = None;
            for constructor in constructors {
                let sets = fields_set(program, constructor);
                let values: Option<Vec<Value>> = program[constructor]
                    .ins
                    .iter()
                    .map(|formal| {
                        let field = sets.iter().find(|(_, local)| *local == formal.local);
                        let value = field.and_then(|(f, _)| fields.get(f)).cloned();
                        let ty = program[formal.local].ty.subst(&substitution);
                        value.or_else(|| default(program, &ty))
                    })
                    .collect();
                let sets: SortedSet<FieldId> = sets.into_iter().map(|(f, _)| f).collect();
                let Some(values) = values.filter(|vs| !vs.iter().any(|v| self.refers_to_unmade(v)))
                else {
                    continue;
                };
                if unassigned_constant(program, &all, &sets).is_none()
                    && found
                        .as_ref()
                        .is_none_or(|(_, vs, _)| values.len() < vs.len())
                {
                    found = Some((constructor, values, sets));
                }
            }
            let Some((constructor, values, sets)) = found else {
                return Err(match unassigned_constant(program, &all, &given) {
                    Some(f) => no_calls(program, decl, f),
                    None => {
                        format!("an object of `{path}` in a state that no calls were found for")
                    }
                });
            };
            given = sets;
            let written = self.arguments(constructor, args, &values)?;
            let suffix = constructor_suffix(&program[constructor].name);
            self.line(format!("var {name} := new {text}{suffix}({written});"));
        }
        self.by_fields.push(name.to_owned());
        for f in all {
            let field = &program[f];
            if field.ghost || !field.kind.is_mutable() || given.contains(&f) {
                continue;
            }
            let Some(value) = fields.get(&f) else {
                continue;
            };
            let ty = program.field_type(&class, f);
            let place = format!("{name}.{}", field.name);
            if self.refers_to_unmade(value) {
                self.later.push((place, value.clone(), ty));
                continue;
            }
            let value = self.value(value, &ty)?;
            self.line(format!("{place} := {value};"));
        }
        Ok(())
    }

    fn mock(
        &mut self,
        id: ObjectId,
        name: &str,
        (decl, args): (TypeId, &[Type]),
        fields: &SortedMap<FieldId, Value>,
    ) -> Written<()> {
        let Some(mocks) = self.mocks else {
            return Err("a mock".into());
        };
        mocks.make(self, (id, name), (decl, args), fields)
    }
}

/// Returns the fields of a class, those of its traits first.
pub(super) fn fields_of(program: &Program, decl: TypeId) -> Vec<FieldId> {
    let mut all: Vec<FieldId> = Vec::new();
    let owners = program
        .ancestors(decl)
        .into_iter()
        .map(|(t, _)| t)
        .chain([decl]);
    for owner in owners {
        for f in &program[owner].fields {
            if !program[*f].is_static && !all.contains(f) {
                all.push(*f);
            }
        }
    }
    all
}

/// Returns a constant without a value that the constructor does not set.
fn unassigned_constant(
    program: &Program,
    all: &[FieldId],
    set: &SortedSet<FieldId>,
) -> Option<FieldId> {
    let is_unassigned = |f: &&FieldId| {
        matches!(program[**f].kind, FieldKind::Const(None))
            && !program[**f].ghost
            && !set.contains(*f)
    };
    all.iter().find(is_unassigned).copied()
}

fn no_calls(program: &Program, decl: TypeId, constant: FieldId) -> String {
    format!(
        "an object of `{}` in a state that no calls were found for: its constant `{}` cannot be assigned",
        program.type_path(decl),
        program[constant].name
    )
}

/// Returns the fields that a constructor just sets to one of its parameters, with the parameter.
fn fields_set(program: &Program, constructor: CallableId) -> Vec<(FieldId, LocalId)> {
    let Body::Block(body) = &program[constructor].body else {
        return Vec::new();
    };
    let mut set: Vec<(FieldId, LocalId)> = Vec::new();
    for stmt in &body.stmts {
        let StmtKind::Assign { pairs, .. } = &stmt.kind else {
            continue;
        };
        for (target, rhs) in pairs {
            if let (Target::Field { object, field }, Rhs::Expr(value)) = (target, rhs)
                && matches!(object.kind, ExprKind::This)
                && let ExprKind::Local(local) = value.kind
            {
                set.push((*field, local));
            }
        }
    }
    // A parameter that sets two fields, or a field that is set twice, is ambiguous.
    let is_one =
        |(f, l): &(FieldId, LocalId)| set.iter().filter(|(g, m)| f == g || l == m).count() == 1;
    set.iter().copied().filter(is_one).collect()
}

/// Returns `.Name`; empty for the anonymous constructor.
pub(super) fn constructor_suffix(name: &str) -> String {
    if name == "_ctor" {
        String::new()
    } else {
        format!(".{name}")
    }
}

/// Returns a default value of a type, if the type has a simple one.
pub(super) fn default(program: &Program, ty: &Type) -> Option<Value> {
    // A constraint may exclude the default value.
    let is_constrained = matches!(ty, Type::Named { decl, .. }
        if program.nat != Some(*decl)
            && matches!(program[*decl].kind, TypeDeclKind::Subset(_) | TypeDeclKind::Newtype(_)));
    if is_constrained {
        return None;
    }
    match program.representation(ty) {
        Type::Bool => Some(Value::Bool(false)),
        Type::Int => Some(Value::int(0)),
        Type::Real => Some(Value::Real(BigRational::from(BigInt::from(0)))),
        Type::Bv(width) => Some(Value::Bv {
            width,
            bits: Default::default(),
        }),
        Type::Seq(_) => Some(Value::seq([])),
        Type::Set { .. } => Some(Value::set([])),
        Type::Multiset(_) => Some(Value::multiset([])),
        Type::Map { .. } => Some(Value::map([])),
        Type::Array { nullable: true, .. }
        | Type::Object { nullable: true }
        | Type::Named { nullable: true, .. } => Some(Value::Null),
        Type::Array { .. } | Type::Object { .. } | Type::Named { .. } => None,
        Type::Char | Type::Ordinal | Type::Tuple(_) => None,
        Type::Arrow { .. } | Type::Param(_) | Type::Error => None,
    }
}

/// Writes a rational number.
pub(super) fn rational(r: &BigRational) -> String {
    let reduced = r.reduced();
    let (_, rest) = real::decimal_places(reduced.denom());
    if rest.is_one() {
        let text = real::print(&reduced);
        return text;
    }
    let sign = if reduced.is_negative() { "-" } else { "" };
    format!(
        "({sign}{}.0 / {}.0)",
        reduced.numer().abs(),
        reduced.denom()
    )
}

/// Writes a character literal.
pub(super) fn character(c: u32, unicode: bool) -> Written<String> {
    Ok(format!("'{}'", escaped(c, unicode)?))
}

/// Escapes a character for a literal.
pub(super) fn escaped(c: u32, unicode: bool) -> Written<String> {
    Ok(match char::from_u32(c) {
        Some('\n') => "\\n".into(),
        Some('\r') => "\\r".into(),
        Some('\t') => "\\t".into(),
        Some('\0') => "\\0".into(),
        Some('\'') => "\\'".into(),
        Some('"') => "\\\"".into(),
        Some('\\') => "\\\\".into(),
        Some(other) if (' '..='~').contains(&other) => other.into(),
        Some(_) if unicode => format!("\\U{{{c:04X}}}"),
        Some(_) | None if !unicode && c <= 0xFFFF => format!("\\u{c:04X}"),
        Some(_) | None => return Err("a character that is no Unicode scalar value".into()),
    })
}
