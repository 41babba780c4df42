//! Checks of the state after a call, as Dafny's semantics determines it.
//!
//! [`Expected::all`] checks results and reachable objects. A value that `==` can compare is checked
//! as a whole ([`Expected::is_whole`]), others by their parts.

use dafny_resolve::typed::{
    CallableId, CallableKind, FieldKind, LocalId, Program, Type, TypeDeclKind,
};
use dafny_source::SourceMap;
use dtest_sorted::SortedMap;
use dtest_value::{Contents, FunctionValue, Heap, ObjectId, Value};

use super::call::expect;
use super::names::{lower_camel, upper_camel};
use super::value::{Values, constructor_suffix, fields_of};
use super::{Piece, Role, Written};
use crate::suite::case::Case;
use crate::suite::{is_plain, name_of};

/// Maximum number of objects allocated by the call whose state is checked.
const MAX_MADE: usize = 8;
/// Maximum number of parts of one value that are checked separately.
const MAX_PARTS: usize = 16;

/// The known final state of a call.
pub(super) struct After<'a> {
    pub(super) case: &'a Case,
    pub(super) sources: &'a SourceMap,
    /// The variables of the results.
    pub(super) outs: &'a [(LocalId, String)],
    /// The variable of the receiver, or of the object that a constructor creates.
    pub(super) this: Option<&'a str>,
}

/// Returns the name of a unit; for a constructor, that of its class.
fn shown_name(program: &Program, unit: CallableId) -> String {
    let c = &program[unit];
    match c.owner.filter(|_| c.kind == CallableKind::Constructor) {
        Some(owner) => format!("new {}{}", program[owner].name, constructor_suffix(&c.name)),
        None => name_of(program, unit).to_owned(),
    }
}

/// The checks of a test under construction.
pub(super) struct Expected<'a, 'v, 's, 'p> {
    after: After<'a>,
    values: &'v mut Values<'s, 'p>,
    /// The variables of objects.
    names: SortedMap<ObjectId, String>,
    /// Objects still to be checked, and whether they belong to the inputs.
    todo: Vec<(ObjectId, bool)>,
    made: usize,
    reason: String,
    checks: Vec<Piece>,
    /// Copies that the checks need.
    copies: Vec<Piece>,
    /// Unchecked parts of the contract, for the test's documentation.
    missing: Vec<String>,
}

impl<'a, 'v, 's, 'p> Expected<'a, 'v, 's, 'p> {
    pub(super) fn new(after: After<'a>, values: &'v mut Values<'s, 'p>) -> Self {
        let program = values.names.program;
        let unit = after.case.unit;
        let place = after.sources.locate(program[unit].span);
        let names = values.objects.clone();
        let todo = names.keys().map(|o| (*o, true)).collect();
        Self {
            reason: format!(
                "{place}: {} by Dafny's semantics",
                shown_name(program, unit)
            ),
            after,
            values,
            names,
            todo,
            made: 0,
            checks: Vec::new(),
            copies: Vec::new(),
            missing: Vec::new(),
        }
    }

    /// Returns the checks, the copies that they need, and the unchecked parts.
    pub(super) fn finish(self) -> (Vec<Piece>, Vec<Piece>, Vec<String>) {
        (self.checks, self.copies, self.missing)
    }

    /// Checks the results, and the state of the objects of the inputs, of the object that a
    /// constructor creates, and of objects that are reachable from these.
    pub(super) fn all(&mut self, results: &[Option<Value>], heap: &Heap) {
        let program = self.values.names.program;
        let c = &program[self.after.case.unit];
        // Results first: they name objects that were allocated by the call.
        for ((local, name), value) in self.after.outs.iter().zip(results) {
            if program[*local].ghost && !c.ghost {
                continue;
            }
            let substitution = program
                .all_type_params(self.after.case.unit)
                .into_iter()
                .zip(self.after.case.type_args.iter().cloned())
                .collect();
            let ty = program[*local].ty.subst(&substitution);
            match value {
                Some(Value::Ref(o)) if !self.names.contains_key(o) => {
                    self.meet(*o, name.clone(), &ty, heap)
                }
                Some(value) => self.equal(name, value, &ty, name, heap),
                None => {}
            }
        }
        // Functions change nothing.
        if c.kind.is_function() {
            return;
        }
        if let (CallableKind::Constructor, Some(Value::Ref(made)), Some(this)) =
            (c.kind, self.after.case.args.first(), self.after.this)
        {
            self.names.insert(*made, this.to_owned());
            self.todo.insert(0, (*made, false));
        }
        // Each checked object may name further ones, which are added to the list.
        let mut at = 0;
        while let Some((object, is_input)) = self.todo.get(at).copied() {
            at += 1;
            self.object(object, is_input, heap);
        }
        self.identity(heap);
    }

    /// Checks that objects of the inputs keep their state if the unit modifies nothing. Used when
    /// the final state is unknown.
    pub(super) fn unchanged(&mut self) {
        let program = self.values.names.program;
        let c = &program[self.after.case.unit];
        // Functions modify nothing, and unnamed objects cannot be read.
        if c.kind.is_function() || self.names.is_empty() {
            return;
        }
        let place = self.after.sources.locate(c.span);
        // A frame that allows changes needs the final state, which is not determined here.
        if !c.spec.modifies.is_empty() {
            self.missing
                .push("Frame not checked: the final state is not determined.".into());
            return;
        }
        // Without `modifies`, each mutable part of each object must be as before the call.
        for (object, name) in self.names.clone() {
            let Some(found) = self.after.case.heap.objects.get(object.0 as usize) else {
                continue;
            };
            let mut reads: Vec<(String, String)> = Vec::new();
            match (&found.contents, &found.ty) {
                (Contents::Elements(_), Type::Array { dims: 1, .. }) => {
                    reads.push((format!("{name}[..]"), name.clone()));
                }
                (Contents::Fields(_), Type::Named { decl, .. }) => {
                    for f in fields_of(program, *decl) {
                        let field = &program[f];
                        if !field.ghost && field.kind.is_mutable() && self.is_comparable(&field.ty)
                        {
                            reads.push((
                                format!("{name}.{}", field.name),
                                format!("{name}{}", upper_camel(&field.name)),
                            ));
                        }
                    }
                }
                (Contents::Elements(_) | Contents::Fields(_), _) => {}
            }
            for (read, word) in reads {
                let copy = self.values.fresh(&format!("{word}Before"));
                self.copies.push(
                    Piece::new(format!("var {copy} := {read};"), Role::Before)
                        .providing(copy.clone()),
                );
                let text = expect(
                    &format!("{read} == {copy}"),
                    &format!("{place}: `{read}` is not modified"),
                );
                self.checks
                    .push(Piece::new(text, Role::Check).needing(vec![copy]));
            }
        }
    }

    fn is_comparable(&self, ty: &Type) -> bool {
        !ty.any(&mut |t| matches!(t, Type::Arrow { .. } | Type::Param(_)))
    }

    /// Registers an object allocated by the call, which a variable or place `name` of type `ty`
    /// holds.
    fn meet(&mut self, object: ObjectId, name: String, ty: &Type, heap: &Heap) {
        let program = self.values.names.program;
        let Some(own) = heap.objects.get(object.0 as usize).map(|o| o.ty.clone()) else {
            return;
        };
        if self.made >= MAX_MADE {
            return;
        }
        // The declared type must give access to the fields; otherwise the object is cast.
        let is_own = match (program.strip_subset(ty), &own) {
            (Type::Named { decl: a, .. }, Type::Named { decl: b, .. }) => a == *b,
            (Type::Array { .. }, Type::Array { .. }) => true,
            (_, _) => false,
        };
        let is_nullable = matches!(
            ty,
            Type::Named { nullable: true, .. }
                | Type::Array { nullable: true, .. }
                | Type::Object { nullable: true }
        );
        if is_nullable {
            self.check(&format!("{name} != null"), "", true);
        }
        let is_mock = matches!(&own, Type::Named { decl, .. } if program.is_trait(*decl));
        if is_mock {
            return;
        }
        let variable = if is_own && !is_nullable {
            name
        } else {
            let word = lower_camel(&upper_camel(&name));
            let Ok(text) = self.values.names.ty(&own) else {
                return;
            };
            let variable = self.values.fresh(&format!("{word}Object"));
            let line = format!("var {variable} := {name} as {text};");
            self.checks
                .push(Piece::new(line, Role::Check).providing(variable.clone()));
            variable
        };
        self.names.insert(object, variable);
        self.todo.push((object, false));
        self.made += 1;
    }

    fn object(&mut self, object: ObjectId, is_input: bool, heap: &Heap) {
        let program = self.values.names.program;
        let Some(name) = self.names.get(&object).cloned() else {
            return;
        };
        let Some(new) = heap.objects.get(object.0 as usize) else {
            return;
        };
        let old = self
            .after
            .case
            .heap
            .objects
            .get(object.0 as usize)
            .filter(|_| is_input);
        match (&new.contents, &new.ty) {
            (Contents::Elements(array), Type::Array { elem, .. }) => {
                let dims = array.dims();
                let elements: Option<Vec<Value>> = array.iter().cloned().collect();
                let Some(elements) = elements else {
                    // Some elements were never assigned.
                    if let ([length], None) = (dims, old) {
                        self.check(
                            &format!("{name}.Length == {length}"),
                            &format!("{name}.Length"),
                            true,
                        );
                    }
                    return;
                };
                if dims.len() == 1 {
                    let ty = Type::Seq(elem.clone());
                    self.equal(
                        &format!("{name}[..]"),
                        &Value::seq(elements),
                        &ty,
                        &name,
                        heap,
                    );
                    return;
                }
                for (i, length) in dims.iter().enumerate().filter(|_| old.is_none()) {
                    self.check(&format!("{name}.Length{i} == {length}"), "", true);
                }
                for (at, element) in elements.iter().enumerate().take(MAX_PARTS) {
                    let mut rest = at;
                    let mut indices = Vec::new();
                    for d in dims.iter().rev() {
                        indices.push((rest % (*d).max(1)).to_string());
                        rest /= (*d).max(1);
                    }
                    indices.reverse();
                    let place = format!("{name}[{}]", indices.join(", "));
                    self.equal(&place, element, elem, &name, heap);
                }
            }
            (Contents::Fields(fields), Type::Named { decl, .. })
                if matches!(program[*decl].kind, TypeDeclKind::Class) =>
            {
                for f in fields_of(program, *decl) {
                    let field = &program[f];
                    let Some(value) = fields.get(&f).filter(|_| !field.ghost) else {
                        continue;
                    };
                    match field.kind {
                        FieldKind::Mutable => {}
                        FieldKind::Const(None) if old.is_none() => {}
                        FieldKind::Const(_) | FieldKind::Destructor(_) => continue,
                    }
                    let ty = program.field_type(&new.ty, f);
                    let role = format!("{}Of{}", field.name, upper_camel(&name));
                    self.equal(&format!("{name}.{}", field.name), value, &ty, &role, heap);
                }
            }
            // A mock has no state.
            (Contents::Elements(_) | Contents::Fields(_), _) => {}
        }
    }

    fn check(&mut self, condition: &str, path: &str, is_value: bool) {
        let message = if path.is_empty() {
            self.reason.clone()
        } else {
            format!("{}: {path}", self.reason)
        };
        let mut piece = Piece::new(expect(condition, &message), Role::Check);
        piece.is_value = is_value;
        self.checks.push(piece);
    }

    /// Checks a value, as a whole or by its parts.
    fn equal(&mut self, got: &str, value: &Value, ty: &Type, role: &str, heap: &Heap) {
        let mut work = vec![(got.to_owned(), value.clone(), ty.clone(), role.to_owned())];
        let mut count = 0;
        // A stack instead of recursion: values may be nested deeply.
        while let Some((got, value, ty, role)) = work.pop() {
            count += 1;
            if count > MAX_PARTS {
                return;
            }
            let path = if got == self.first_word(&got) {
                String::new()
            } else {
                got.clone()
            };
            if self.is_whole(&value, &ty) {
                let Some(value) = value.settled() else {
                    continue;
                };
                // The value is written with the names that objects have after the call.
                let known = self.values.objects.clone();
                self.values.objects.clone_from(&self.names);
                let lines = self.values.lines.len();
                self.names.keys().for_each(|o| self.values.note_made(*o));
                let written = self.values.value(&value, &ty);
                self.values.objects = known;
                let extra: Vec<Piece> = self.values.lines.drain(lines..).collect();
                if let Ok(text) = written {
                    for mut piece in extra {
                        piece.role = Role::Check;
                        self.checks.push(piece);
                    }
                    self.check(&format!("{got} == {text}"), &path, true);
                }
                continue;
            }
            let parts = self.parts(&got, &value, &ty, &role, heap);
            work.extend(parts.into_iter().rev());
        }
    }

    /// Returns the variable at the start of a place.
    fn first_word<'t>(&self, place: &'t str) -> &'t str {
        place.split(['.', '[', '(']).next().unwrap_or(place)
    }

    /// Checks the size of a collection.
    fn size(&mut self, got: &str, size: usize) {
        self.check(&format!("|{got}| == {size}"), &format!("|{got}|"), true);
    }

    /// Returns the checks of a value that is not compared as a whole: conditions directly, and
    /// parts to be checked.
    fn parts(
        &mut self,
        got: &str,
        value: &Value,
        ty: &Type,
        role: &str,
        heap: &Heap,
    ) -> Vec<(String, Value, Type, String)> {
        let program = self.values.names.program;
        let mut parts = Vec::new();
        // Parts of constructors, tuples and sequences are expected one by one; sets and maps have
        // no order, so only their size is.
        match (value, program.representation(ty)) {
            (Value::Ref(object), _) => match self.names.get(object).cloned() {
                Some(name) => self.check(&format!("{got} == {name}"), got, true),
                None => self.meet_at(*object, got, ty, role, heap),
            },
            (Value::Lazy(lazy), _) => {
                if let Some(Ok(value)) = lazy.computed() {
                    parts.push((got.to_owned(), value.clone(), ty.clone(), role.to_owned()));
                }
            }
            (Value::Seq(items), Type::Seq(elem)) => {
                self.size(got, items.len());
                for (i, item) in items.iter().enumerate().take(MAX_PARTS) {
                    parts.push((
                        format!("{got}[{i}]"),
                        item.clone(),
                        (*elem).clone(),
                        format!("{role}{i}"),
                    ));
                }
            }
            (Value::Set(items), _) => self.size(got, items.len()),
            (Value::Map(pairs), Type::Map { finite: true, .. }) => self.size(got, pairs.len()),
            (Value::Tuple(items), Type::Tuple(kinds)) => {
                for (i, (item, (ghost, t))) in items.iter().zip(&kinds).enumerate() {
                    if !ghost {
                        parts.push((
                            format!("{got}.{i}"),
                            item.clone(),
                            t.clone(),
                            format!("{role}{i}"),
                        ));
                    }
                }
            }
            (Value::Datatype(d), Type::Named { decl, args, .. })
                if program[d.ctor].datatype == decl =>
            {
                let substitution = program.substitution(decl, &args);
                let ctor = &program[d.ctor];
                self.check(
                    &format!("{got}.{}?", ctor.name),
                    &format!("{got}.{}?", ctor.name),
                    true,
                );
                for ((f, item), named) in ctor.fields.iter().zip(&d.args).zip(&ctor.named) {
                    let field = &program[*f];
                    if *named && !field.ghost {
                        parts.push((
                            format!("{got}.{}", field.name),
                            item.clone(),
                            field.ty.subst(&substitution),
                            format!("{}Of{}", field.name, upper_camel(role)),
                        ));
                    }
                }
            }
            (Value::Function(f), Type::Arrow { params, result, .. }) => {
                if let FunctionValue::Table { entries, .. } = &**f {
                    for (args, value) in
                        entries.iter().filter(|(args, _)| args.iter().all(is_plain))
                    {
                        let texts: Written<Vec<String>> = args
                            .iter()
                            .zip(&params)
                            .map(|(a, t)| self.values.value(a, t))
                            .collect();
                        if let Ok(texts) = texts {
                            parts.push((
                                format!("{got}({})", texts.join(", ")),
                                value.clone(),
                                (*result).clone(),
                                role.to_owned(),
                            ));
                        }
                    }
                }
            }
            (_, _) => {}
        }
        parts
    }

    /// Stores an object allocated by the call, which a place holds, in a variable.
    fn meet_at(&mut self, object: ObjectId, place: &str, ty: &Type, role: &str, heap: &Heap) {
        if self.made >= MAX_MADE {
            return;
        }
        let is_variable = self.first_word(place) == place;
        if is_variable {
            return self.meet(object, place.to_owned(), ty, heap);
        }
        let word = lower_camel(&upper_camel(role));
        let name = self.values.fresh(&word);
        self.checks.push(
            Piece::new(format!("var {name} := {place};"), Role::Check).providing(name.clone()),
        );
        self.meet(object, name, ty, heap);
    }

    /// Whether `==` can compare the value: it has no functions, its type supports equality, and its
    /// objects have names.
    fn is_whole(&self, value: &Value, ty: &Type) -> bool {
        let program = self.values.names.program;
        program.supports_equality(ty)
            && value.settled().is_some_and(|settled| {
                settled.within().all(|v| {
                    if let Value::Ref(o) = v {
                        self.names.contains_key(o)
                    } else {
                        *v == Value::Null || !v.parts().is_empty() || is_plain(v)
                    }
                })
            })
    }

    /// Checks that objects allocated by the call differ from the objects of the inputs and from
    /// each other.
    fn identity(&mut self, heap: &Heap) {
        let all: Vec<(String, Type, bool)> = self
            .todo
            .iter()
            .filter_map(|(o, is_input)| {
                let ty = heap.objects.get(o.0 as usize)?.ty.clone();
                Some((self.names.get(o)?.clone(), ty, *is_input))
            })
            .collect();
        for (i, (name, ty, is_input)) in all.iter().enumerate() {
            if *is_input {
                continue;
            }
            let others: Vec<&str> = all
                .iter()
                .enumerate()
                .filter(|(j, (_, t, input))| t == ty && (*input || *j < i))
                .map(|(_, (n, ..))| n.as_str())
                .collect();
            if !others.is_empty() {
                // Compared one by one, because sets of arrays do not work on every backend.
                let different: Vec<String> =
                    others.iter().map(|o| format!("{name} != {o}")).collect();
                let condition = different.join(" && ");
                self.check(&condition, &format!("`{name}` is new"), true);
            }
        }
    }
}
