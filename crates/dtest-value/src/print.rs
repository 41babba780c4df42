//! Printing of values like Dafny's `print`.
//!
//! The formats are those of the official run-time library. The *static* type determines what is a
//! string: a string is verbatim at the top, and quoted as the field of a constructor that declares
//! it so. Elsewhere, also where a type parameter is instantiated with `string`, it is a sequence of
//! characters like `['a', 'b']`. Without `--unicode-char` all of them are verbatim. Constructors
//! are qualified by module and type. The order of sets and maps is left to implementations: they
//! are printed in ascending order.
//!
//! Key functions: [`print()`], [`show`] and [`show_inputs`] for people.

use std::rc::Rc;

use num_traits::Signed as _;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Contents, FunctionValue, Heap, ObjectId, Value, real};
use dafny_resolve::typed::{CtorId, FieldId, Program, Type, TypeDeclKind, TypeId};

/// Prints `value` like Dafny's `print`. `written` is its type in the program, with type parameters,
/// and `ty` the instantiated type. `object` returns the dynamic types of objects.
pub fn print(
    program: &Program,
    object: &dyn Fn(ObjectId) -> Option<Type>,
    value: &Value,
    written: &Type,
    ty: &Type,
) -> String {
    printed(program, object, value, written, ty).out
}

/// Prints like [`print()`]; `None` if the text exceeds the memory limit, because values share
/// parts.
pub fn print_within(
    program: &Program,
    object: &dyn Fn(ObjectId) -> Option<Type>,
    value: &Value,
    written: &Type,
    ty: &Type,
) -> Option<String> {
    let printer = printed(program, object, value, written, ty);
    (!printer.is_cut).then_some(printer.out)
}

fn printed<'a>(
    program: &'a Program,
    object: &'a dyn Fn(ObjectId) -> Option<Type>,
    value: &'a Value,
    written: &Type,
    ty: &Type,
) -> Printer<'a> {
    let mut printer = Printer::new(program, object);
    if let Value::Seq(items) = value
        && printer.is_string(written)
    {
        printer.text(items, false)
    } else {
        printer.all(value, program.representation(ty))
    }
    printer
}

/// The limit of bytes of a text, and of parts of a list.
const MOST: usize = 1 << 23;

/// Prints `value` of type `ty` for people: like [`print()`], but every string is a literal such as
/// `"ab"`.
pub fn show(
    program: &Program,
    object: &dyn Fn(ObjectId) -> Option<Type>,
    value: &Value,
    ty: &Type,
) -> String {
    let mut printer = Printer::new(program, object);
    printer.literals = true;
    printer.all(value, program.representation(ty));
    printer.out
}

/// The limit of bytes of one input for people.
const ENOUGH: usize = 2_000;

/// Prints inputs for people like [`show`], with the contents of objects and the results of
/// functions: `Cache { limit: 2, entries: [] }`. An object that is referenced more than once has a
/// number, `Node#1`, and is described at its first occurrence. A long text ends in `...`.
pub fn show_inputs(program: &Program, heap: &Heap, inputs: &[(&Value, Type)]) -> Vec<String> {
    let object = |id: ObjectId| heap.objects.get(id.0 as usize).map(|o| o.ty.clone());
    let mut known = Known {
        heap,
        shared: shared(heap, inputs.iter().map(|(v, _)| *v)),
        numbers: FxHashMap::default(),
    };
    let mut texts = Vec::new();
    for (value, ty) in inputs {
        let mut printer = Printer::new(program, &object);
        printer.literals = true;
        printer.most = ENOUGH;
        printer.known = Some(known);
        printer.all(value, program.representation(ty));
        texts.push(printer.out);
        known = match printer.known {
            Some(known) => known,
            None => break,
        };
    }
    texts
}

/// Returns the objects that are referenced more than once.
fn shared<'v>(heap: &'v Heap, values: impl Iterator<Item = &'v Value>) -> FxHashSet<ObjectId> {
    let (mut seen, mut shared) = (FxHashSet::default(), FxHashSet::default());
    let mut work: Vec<&Value> = values.collect();
    while let Some(value) = work.pop() {
        for part in value.within() {
            let Value::Ref(id) = part else { continue };
            if !seen.insert(*id) {
                shared.insert(*id);
            } else if let Some(object) = heap.objects.get(id.0 as usize) {
                work.extend(object.contents.values());
            }
        }
    }
    shared
}

/// The objects for printing.
struct Known<'a> {
    heap: &'a Heap,
    shared: FxHashSet<ObjectId>,
    /// The numbers of the shared objects that were described.
    numbers: FxHashMap<ObjectId, usize>,
}

/// Returns the name of a declared type as printed in values.
pub fn shown_name(program: &Program, decl: TypeId) -> String {
    Printer::new(program, &|_| None).qualified(decl)
}

/// Returns the field that represents a constructor's value, if the datatype is only a wrapper of
/// that field.
pub fn shown_as(program: &Program, decl: TypeId, ctor: CtorId) -> Option<usize> {
    Printer::new(program, &|_| None).wrapped(decl, ctor)
}

struct Printer<'a> {
    program: &'a Program,
    object: &'a dyn Fn(ObjectId) -> Option<Type>,
    out: String,
    /// Whether the text is for people: every string is a literal, and arrays have types.
    literals: bool,
    /// The remaining parts, in reverse: values may nest deeper than the host's stack allows.
    rest: Vec<Part<'a>>,
    /// Whether the text was too long.
    is_cut: bool,
    wrappers: FxHashMap<CtorId, Option<usize>>,
    /// The limit of bytes, and of parts of a list.
    most: usize,
    /// The objects, if their contents are printed.
    known: Option<Known<'a>>,
}

/// Returns the elements of an array by rows: `[[1, 2], [3, 4]]`. An unassigned element is `_`;
/// beyond a limit, elements are omitted.
fn rows<'a>(dims: &[usize], elements: &'a [Option<Value>], elem: &Rc<Type>) -> Vec<Part<'a>> {
    let mut parts = vec![Part::Text("[")];
    match dims.split_first() {
        Some((len, rest)) if !rest.is_empty() => {
            let size = elements.len() / (*len).max(1);
            for i in 0..*len {
                if parts.len() > MOST {
                    break;
                }
                parts.extend((i > 0).then_some(Part::Text(", ")));
                parts.extend(rows(
                    rest,
                    elements.get(i * size..(i + 1) * size).unwrap_or_default(),
                    elem,
                ));
            }
        }
        Some(_) | None => {
            for (i, element) in elements.iter().enumerate().take(MOST) {
                parts.extend((i > 0).then_some(Part::Text(", ")));
                parts.push(
                    element
                        .as_ref()
                        .map_or(Part::Text("_"), |v| Part::Value(v, elem.clone())),
                );
            }
        }
    }
    parts.push(Part::Text("]"));
    parts
}

/// A part of a text.
enum Part<'a> {
    Text(&'static str),
    Name(&'a str),
    Owned(String),
    Value(&'a Value, Rc<Type>),
    /// The characters of a field that is declared as a string.
    Quoted(&'a [Value]),
}

impl<'a> Printer<'a> {
    fn new(program: &'a Program, object: &'a dyn Fn(ObjectId) -> Option<Type>) -> Self {
        let wrappers = FxHashMap::default();
        Self {
            program,
            object,
            out: String::new(),
            literals: false,
            rest: Vec::new(),
            is_cut: false,
            wrappers,
            most: MOST,
            known: None,
        }
    }

    fn is_char(&self, ty: &Type) -> bool {
        self.program.representation(ty) == Type::Char
    }

    fn is_string(&self, ty: &Type) -> bool {
        matches!(self.program.representation(ty), Type::Seq(elem) if self.is_char(&elem))
    }

    fn all(&mut self, value: &'a Value, ty: Type) {
        self.rest.push(Part::Value(value, Rc::new(ty)));
        while let Some(part) = self.rest.pop() {
            if self.out.len() > self.most || self.rest.len() > 2 * MOST {
                self.is_cut = true;
                self.out.push_str("...");
                return;
            }
            match part {
                Part::Text(text) | Part::Name(text) => self.out.push_str(text),
                Part::Owned(text) => self.out.push_str(&text),
                Part::Value(value, ty) => self.value(value, &ty),
                Part::Quoted(items) => self.text(items, self.program.options.unicode_char),
            }
        }
    }

    /// Prints these parts next, in this order.
    fn next(&mut self, parts: Vec<Part<'a>>) {
        self.rest.extend(parts.into_iter().rev());
    }

    fn value(&mut self, value: &'a Value, ty: &Rc<Type>) {
        match value {
            Value::Bool(b) => self.out.push_str(if *b { "true" } else { "false" }),
            Value::Char(c) => self.character(*c),
            Value::Int(n) => self.out.push_str(&n.to_string()),
            Value::Real(r) => self.out.push_str(&real::print(r)),
            Value::Bv { bits, .. } | Value::Ordinal(bits) => self.out.push_str(&bits.to_string()),
            Value::Seq(items) => {
                let elem = if let Type::Seq(elem) = self.program.representation(ty) {
                    *elem
                } else {
                    Type::Error
                };
                let is_text = self.is_char(&elem);
                if is_text && self.literals {
                    self.text(items, true)
                } else if is_text && !self.program.options.unicode_char {
                    self.text(items, false)
                } else {
                    self.list("[", items.iter(), elem, "]")
                }
            }
            Value::Set(items) => self.list("{", items.iter(), self.element(ty), "}"),
            Value::Multiset(counts) => {
                let all = counts.iter().flat_map(|(e, n)| {
                    std::iter::repeat_n(e, usize::try_from(n).unwrap_or(usize::MAX))
                });
                self.list("multiset{", all, self.element(ty), "}");
            }
            Value::Map(pairs) => {
                let (key, item) =
                    if let Type::Map { key, value, .. } = self.program.representation(ty) {
                        (*key, *value)
                    } else {
                        (Type::Error, Type::Error)
                    };
                let (key, item) = (Rc::new(key), Rc::new(item));
                let pair = |(k, v)| {
                    [
                        Part::Value(k, key.clone()),
                        Part::Text(" := "),
                        Part::Value(v, item.clone()),
                    ]
                };
                self.separated("map[", pairs.iter().map(pair), "]");
            }
            Value::Tuple(items) => {
                let kinds = if let Type::Tuple(kinds) = self.program.representation(ty) {
                    kinds
                } else {
                    Vec::new()
                };
                let shown = items
                    .iter()
                    .enumerate()
                    .filter(|(i, _)| kinds.get(*i).is_none_or(|(ghost, _)| !ghost));
                let mut shown: Vec<_> = shown.collect();
                if let ([(i, item)], true) = (shown.as_slice(), items.len() > 1) {
                    // A single compiled component beside ghost components is printed like a wrapped
                    // field.
                    let ty = kinds.get(*i).map_or(Type::Error, |(_, t)| t.clone());
                    return self.rest.push(Part::Value(item, Rc::new(ty)));
                }
                let shown = shown.drain(..);
                let part = |(i, item): (usize, &'a Value)| {
                    [Part::Value(
                        item,
                        Rc::new(kinds.get(i).map_or(Type::Error, |(_, t)| t.clone())),
                    )]
                };
                self.separated("(", shown.map(part), ")");
            }
            Value::Datatype(d) => self.datatype(d.ctor, &d.args, ty),
            Value::Newtype(n) => {
                // `print` prints the bare value; in inputs for people, the type is shown too.
                if self.literals {
                    let name = self.program.show_type(&n.ty());
                    let is_negative = match &n.value {
                        Value::Int(n) => n.is_negative(),
                        Value::Real(r) => r.is_negative(),
                        Value::Bool(_)
                        | Value::Char(_)
                        | Value::Bv { .. }
                        | Value::Ordinal(_)
                        | Value::Seq(_)
                        | Value::Set(_)
                        | Value::Multiset(_)
                        | Value::Map(_)
                        | Value::Tuple(_)
                        | Value::Datatype(_)
                        | Value::Null
                        | Value::Ref(_)
                        | Value::Function(_)
                        | Value::Newtype(_)
                        | Value::Lazy(_) => false,
                    };
                    let (open, close) = if is_negative {
                        ("(", ") as ")
                    } else {
                        ("", " as ")
                    };
                    self.next(vec![
                        Part::Text(open),
                        Part::Value(&n.value, Rc::new(n.ty())),
                        Part::Text(close),
                        Part::Owned(name),
                    ]);
                } else {
                    self.rest.push(Part::Value(&n.value, Rc::new(n.ty())));
                }
            }
            Value::Lazy(lazy) => match lazy.computed() {
                Some(Ok(value)) => self.rest.push(Part::Value(value, ty.clone())),
                Some(Err(_)) | None => self.out.push_str("..."),
            },
            Value::Null => self.out.push_str("null"),
            Value::Ref(id) => {
                let text = match (self.object)(*id) {
                    Some(Type::Named { decl, .. }) => self.qualified(decl),
                    Some(ty) if self.literals => self.program.show_type(&ty),
                    // The official libraries differ from each other; this is the format of `dunit`.
                    Some(Type::Array { dims: 1, .. }) => "array".to_owned(),
                    Some(Type::Array { dims, .. }) => format!("array{dims}"),
                    Some(_) | None => "object".to_owned(),
                };
                self.out.push_str(&text);
                self.held(*id);
            }
            Value::Function(function) if self.known.is_some() => self.function(function, ty),
            // The official libraries have five formats; this is the one of Java and Python.
            Value::Function(_) => self.out.push_str("Function"),
        }
    }

    /// Prints the contents of an object after its type, if requested.
    fn held(&mut self, id: ObjectId) {
        let Some(known) = &mut self.known else { return };
        if known.shared.contains(&id) {
            let next = known.numbers.len() + 1;
            let number = known.numbers.get(&id).copied();
            self.out.push_str(&format!("#{}", number.unwrap_or(next)));
            if number.is_some() {
                return;
            }
            known.numbers.insert(id, next);
        }
        let heap = known.heap;
        let Some(object) = heap.objects.get(id.0 as usize) else {
            return;
        };
        match (&object.contents, &object.ty) {
            (Contents::Fields(fields), Type::Named { decl, args, .. }) if !fields.is_empty() => {
                let program = self.program;
                let map = program.substitution(*decl, args);
                let field = |(f, value): (&FieldId, &'a Value)| {
                    let field = &program[*f];
                    [
                        Part::Name(&field.name),
                        Part::Text(": "),
                        Part::Value(value, Rc::new(field.ty.subst(&map))),
                    ]
                };
                // Internal fields of iterators are omitted.
                let written = fields
                    .iter()
                    .filter(|(f, _)| !program[**f].name.starts_with(['_', '$']));
                self.separated(" { ", written.map(field), " }");
            }
            (Contents::Elements(elements), Type::Array { elem, .. }) => {
                let parts = rows(elements.dims(), elements, &Rc::new((**elem).clone()));
                self.rest.extend(parts.into_iter().rev());
                self.rest.push(Part::Text(" "));
            }
            (Contents::Fields(_) | Contents::Elements(_), _) => {}
        }
    }

    /// Prints those results of a function that a text can represent.
    fn function(&mut self, function: &'a FunctionValue, ty: &Type) {
        // The types of the arguments are needed to show strings and numbers as such.
        let (params, result) =
            if let Type::Arrow { params, result, .. } = self.program.representation(ty) {
                (params, *result)
            } else {
                (Vec::new(), Type::Error)
            };
        match function {
            FunctionValue::Table { entries, default } => {
                let result = Rc::new(result);
                let mut parts = vec![Part::Text("{")];
                for (args, answer) in entries {
                    parts.push(Part::Text(if args.len() == 1 { "" } else { "(" }));
                    for (i, arg) in args.iter().enumerate() {
                        parts.push(Part::Text(if i > 0 { ", " } else { "" }));
                        parts.push(Part::Value(
                            arg,
                            Rc::new(params.get(i).cloned().unwrap_or(Type::Error)),
                        ));
                    }
                    parts.push(Part::Text(if args.len() == 1 { " => " } else { ") => " }));
                    parts.extend([Part::Value(answer, result.clone()), Part::Text(", ")]);
                }
                parts.extend([
                    Part::Text("_ => "),
                    Part::Value(default, result),
                    Part::Text("}"),
                ]);
                self.next(parts);
            }
            FunctionValue::Template(template) => self.out.push_str(template.text()),
            FunctionValue::Partial {
                elsewhere: false,
                exceptions,
                ..
            } if exceptions.is_empty() => {
                self.out.push_str("(a function that `requires false`)");
            }
            // A partial function is shown with its exceptions before the function itself.
            FunctionValue::Partial {
                function,
                elsewhere,
                exceptions,
            } => {
                let mut parts = vec![Part::Text(if *elsewhere {
                    " except for "
                } else {
                    " only for "
                })];
                for (i, args) in exceptions.iter().enumerate() {
                    parts.push(Part::Text(if i > 0 { ", " } else { "" }));
                    parts.push(Part::Text(if args.len() == 1 { "" } else { "(" }));
                    for (j, arg) in args.iter().enumerate() {
                        parts.push(Part::Text(if j > 0 { ", " } else { "" }));
                        parts.push(Part::Value(
                            arg,
                            Rc::new(params.get(j).cloned().unwrap_or(Type::Error)),
                        ));
                    }
                    parts.push(Part::Text(if args.len() == 1 { "" } else { ")" }));
                }
                self.next(parts);
                self.function(function, ty);
            }
            FunctionValue::Closure { .. } | FunctionValue::Named { .. } => {
                self.out.push_str("Function")
            }
        }
    }

    fn list(
        &mut self,
        open: &'static str,
        items: impl Iterator<Item = &'a Value>,
        elem: Type,
        close: &'static str,
    ) {
        let elem = Rc::new(elem);
        self.separated(open, items.map(|v| [Part::Value(v, elem.clone())]), close);
    }

    fn separated<const N: usize>(
        &mut self,
        open: &'static str,
        items: impl Iterator<Item = [Part<'a>; N]>,
        close: &'static str,
    ) {
        let mut parts = vec![Part::Text(open)];
        for (i, item) in items.enumerate() {
            if parts.len() > MOST {
                self.is_cut = true;
                parts.push(Part::Text("..."));
                break;
            }
            if i > 0 {
                parts.push(Part::Text(", "));
            }
            parts.extend(item);
        }
        parts.push(Part::Text(close));
        self.next(parts);
    }

    fn element(&self, ty: &Type) -> Type {
        if let Type::Set { elem, .. } | Type::Multiset(elem) | Type::Seq(elem) =
            self.program.representation(ty)
        {
            *elem
        } else {
            Type::Error
        }
    }

    fn datatype(&mut self, ctor: CtorId, args: &'a [Value], ty: &Type) {
        let program = self.program;
        let c = &program[ctor];
        let type_args = if let Type::Named { decl, args, .. } = program.representation(ty)
            && decl == c.datatype
        {
            args
        } else {
            Vec::new()
        };
        let map = program.substitution(c.datatype, &type_args);
        // A datatype with a single one-argument constructor is shown as its argument, if the
        // libraries erase it.
        let wrapped = match self.wrappers.get(&ctor) {
            Some(known) => *known,
            None => self.wrapped(c.datatype, ctor),
        };
        self.wrappers.insert(ctor, wrapped);
        if let Some((field, arg)) = wrapped.and_then(|i| c.fields.get(i).zip(args.get(i))) {
            let ty = program[*field].ty.subst(&map);
            return self.rest.push(Part::Value(arg, Rc::new(ty)));
        }
        let name = self.qualified(c.datatype);
        self.out.push_str(&name);
        self.out.push('.');
        self.out.push_str(&c.name);
        // The official libraries do not force the arguments of a codatatype's value.
        let co = matches!(
            program[c.datatype].kind,
            TypeDeclKind::Datatype { co: true, .. }
        );
        if co || c.fields.is_empty() {
            return;
        }
        let shown = c
            .fields
            .iter()
            .zip(args)
            .filter(|(f, _)| !program[**f].ghost);
        let parts = shown.map(|(f, arg)| {
            if let Value::Seq(items) = arg
                && self.is_string(&program[*f].ty)
            {
                [Part::Quoted(items)]
            } else {
                [Part::Value(arg, Rc::new(program[*f].ty.subst(&map)))]
            }
        });
        let parts: Vec<_> = parts.collect();
        self.separated("(", parts.into_iter(), ")");
    }

    /// Returns `Module.Type` with the innermost module only. Datatypes of the default module have
    /// no prefix; objects have Dafny's name of that module, except in texts for people.
    fn qualified(&self, decl: TypeId) -> String {
        let d = &self.program[decl];
        let module = &self.program[d.module].name;
        match (&d.kind, module.is_empty()) {
            (_, true) if self.literals => d.name.to_string(),
            (
                TypeDeclKind::Class | TypeDeclKind::Trait { .. } | TypeDeclKind::Iterator(_),
                true,
            ) => format!("_module.{}", d.name),
            (
                TypeDeclKind::Datatype { .. }
                | TypeDeclKind::Newtype(_)
                | TypeDeclKind::Subset(_)
                | TypeDeclKind::Abstract,
                true,
            ) => d.name.to_string(),
            (_, false) => format!("{module}.{}", d.name),
        }
    }

    /// Returns the field that represents a value, if the datatype is only a wrapper: a
    /// [`Self::candidate`] that is not wrapped in itself. The official compilers erase such
    /// wrappers.
    fn wrapped(&self, decl: TypeId, ctor: CtorId) -> Option<usize> {
        let (only, index) = self.candidate(decl)?;
        let field = self.program[only].fields.get(index)?;
        (only == ctor && !self.reaches(&self.program[*field].ty, decl, &mut Vec::new()))
            .then_some(index)
    }

    /// Returns the only compiled constructor of a datatype and its only compiled field, if the
    /// datatype has no fields and traits of its own.
    fn candidate(&self, decl: TypeId) -> Option<(CtorId, usize)> {
        let d = &self.program[decl];
        let TypeDeclKind::Datatype { co: false, ctors } = &d.kind else {
            return None;
        };
        let is_extern = d.attributes.iter().any(|a| &*a.name == "extern");
        if is_extern || !d.parents.is_empty() || d.fields.iter().any(|f| !self.program[*f].ghost) {
            return None;
        }
        let mut compiled = ctors.iter().filter(|c| !self.program[**c].ghost);
        let (Some(&only), None) = (compiled.next(), compiled.next()) else {
            return None;
        };
        let mut shown = self.program[only]
            .fields
            .iter()
            .enumerate()
            .filter(|(_, f)| !self.program[**f].ghost);
        let (Some((index, _)), None) = (shown.next(), shown.next()) else {
            return None;
        };
        Some((only, index))
    }

    /// Whether a type contains a datatype, seen through type arguments and other wrappers.
    fn reaches(&self, ty: &Type, decl: TypeId, seen: &mut Vec<TypeId>) -> bool {
        match self.program.representation(ty) {
            Type::Seq(e)
            | Type::Multiset(e)
            | Type::Set { elem: e, .. }
            | Type::Array { elem: e, .. } => self.reaches(&e, decl, seen),
            Type::Map { key, value, .. } => {
                self.reaches(&key, decl, seen) || self.reaches(&value, decl, seen)
            }
            Type::Tuple(cs) => cs
                .iter()
                .any(|(ghost, t)| !ghost && self.reaches(t, decl, seen)),
            Type::Arrow { params, result, .. } => params
                .iter()
                .chain([&*result])
                .any(|t| self.reaches(t, decl, seen)),
            // Recursive types are followed once.
            Type::Named { decl: d, args, .. } => {
                if d == decl {
                    return true;
                }
                if seen.contains(&d) {
                    return false;
                }
                seen.push(d);
                let field = self
                    .candidate(d)
                    .and_then(|(ctor, i)| self.program[ctor].fields.get(i).copied());
                let inner = field.map(|f| {
                    self.program[f]
                        .ty
                        .subst(&self.program.substitution(d, &args))
                });
                let found = inner.is_some_and(|t| self.reaches(&t, decl, seen))
                    || args.iter().any(|t| self.reaches(t, decl, seen));
                seen.pop();
                found
            }
            Type::Bool
            | Type::Char
            | Type::Int
            | Type::Real
            | Type::Bv(_)
            | Type::Ordinal
            | Type::Object { .. }
            | Type::Param(_)
            | Type::Error => false,
        }
    }

    fn text(&mut self, items: &[Value], quoted: bool) {
        let units: Vec<u32> = items
            .iter()
            .filter_map(|v| {
                if let Value::Char(c) = v {
                    Some(*c)
                } else {
                    None
                }
            })
            .collect();
        if quoted {
            self.out.push('"');
            for c in units {
                push_escaped(&mut self.out, c);
            }
            self.out.push('"');
        } else if self.program.options.unicode_char {
            self.out.extend(
                units
                    .into_iter()
                    .map(|c| char::from_u32(c).unwrap_or(char::REPLACEMENT_CHARACTER)),
            );
        } else {
            let units: Vec<u16> = units
                .into_iter()
                .map(|c| u16::try_from(c).unwrap_or(u16::MAX))
                .collect();
            self.out.push_str(&String::from_utf16_lossy(&units));
        }
    }

    fn character(&mut self, c: u32) {
        if self.program.options.unicode_char {
            self.out.push('\'');
            push_escaped(&mut self.out, c);
            self.out.push('\'');
        } else {
            self.out
                .push(char::from_u32(c).unwrap_or(char::REPLACEMENT_CHARACTER));
        }
    }
}

fn push_escaped(out: &mut String, c: u32) {
    match char::from_u32(c) {
        Some('\n') => out.push_str("\\n"),
        Some('\r') => out.push_str("\\r"),
        Some('\t') => out.push_str("\\t"),
        Some('\0') => out.push_str("\\0"),
        Some('\'') => out.push_str("\\'"),
        Some('"') => out.push_str("\\\""),
        Some('\\') => out.push_str("\\\\"),
        Some(other) => out.push(other),
        None => out.push(char::REPLACEMENT_CHARACTER),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Elements, Object};
    use super::*;

    #[test]
    fn objects_are_shown_once_with_their_contents() {
        let program = Program::default();
        let cells = Type::Array {
            dims: 1,
            nullable: false,
            elem: Box::new(Type::Object { nullable: true }),
        };
        let elements = vec![Some(Value::Ref(ObjectId(0))), None, Some(Value::Null)];
        let heap = Heap {
            objects: vec![Object::new(
                cells.clone(),
                Contents::Elements(Elements::row(elements)),
            )],
        };
        let table = FunctionValue::Table {
            entries: vec![(vec![Value::int(1)], Value::Bool(true))],
            default: Value::Bool(false),
        };
        let value = Value::Ref(ObjectId(0));
        let (function, int) = (Value::Function(std::sync::Arc::new(table)), Type::Int);
        let shown = show_inputs(
            &program,
            &heap,
            &[(&value, cells.clone()), (&value, cells), (&function, int)],
        );
        assert_eq!(
            shown,
            [
                "array<object?>#1 [array<object?>#1, _, null]",
                "array<object?>#1",
                "{1 => true, _ => false}"
            ]
        );
        let elements = (1..=4).map(|i| (i != 3).then(|| Value::int(i))).collect();
        let ty = Type::Array {
            dims: 2,
            nullable: false,
            elem: Box::new(Type::Int),
        };
        let heap = Heap {
            objects: vec![Object::new(
                ty.clone(),
                Contents::Elements(Elements::new(vec![2, 2], elements).expect("four elements")),
            )],
        };
        assert_eq!(
            show_inputs(&program, &heap, &[(&Value::Ref(ObjectId(0)), ty)]),
            ["array2<int> [[1, 2], [_, 4]]"]
        );
    }

    fn shown(program: &Program, value: &Value, ty: &Type) -> String {
        print(program, &|_| None, value, ty, ty)
    }

    #[test]
    fn strings_are_verbatim_at_the_top_and_characters_inside() {
        let program = Program::default();
        let text = Value::string("a\"\n");
        assert_eq!(shown(&program, &text, &Type::string()), "a\"\n");
        let nested = Value::seq([text, Value::string("")]);
        assert_eq!(
            shown(&program, &nested, &Type::Seq(Box::new(Type::string()))),
            "[['a', '\\\"', '\\n'], []]"
        );
        assert_eq!(shown(&program, &Value::Char(0x27), &Type::Char), "'\\''");
    }

    #[test]
    fn strings_are_literals_for_people() {
        let program = Program::default();
        let nested = Value::seq([Value::string("a\"\n"), Value::string("")]);
        assert_eq!(
            show(
                &program,
                &|_| None,
                &nested,
                &Type::Seq(Box::new(Type::string()))
            ),
            "[\"a\\\"\\n\", \"\"]"
        );
    }

    #[test]
    fn collections_are_shown_in_ascending_order() {
        let program = Program::default();
        let set = Value::set([Value::int(2), Value::int(-1)]);
        assert_eq!(
            shown(
                &program,
                &set,
                &Type::Set {
                    finite: true,
                    elem: Box::new(Type::Int)
                }
            ),
            "{-1, 2}"
        );
        let bag = Value::multiset([Value::int(2), Value::int(1), Value::int(2)]);
        assert_eq!(
            shown(&program, &bag, &Type::Multiset(Box::new(Type::Int))),
            "multiset{1, 2, 2}"
        );
        let map = Value::map([(Value::int(1), Value::Bool(true))]);
        let ty = Type::Map {
            finite: true,
            key: Box::new(Type::Int),
            value: Box::new(Type::Bool),
        };
        assert_eq!(shown(&program, &map, &ty), "map[1 := true]");
    }
}
