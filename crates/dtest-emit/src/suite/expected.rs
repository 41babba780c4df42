//! Expectations on the state after a call, as Dafny's semantics determines it.
//!
//! [`Expected`] walks from the results and the objects of the inputs over reachable objects.
//! Objects that the call allocated get variables, and are compared by their contents.

use crate::rust::{Expr, Ident, MacroName, Stmts, expr, ident, stmts, without_raw};
use crate::suite::case::Case;
use crate::suite::value::Values;
use crate::translation::body::Body;
use crate::translation::code::{Code, tuple};
use crate::translation::names::snake_case;
use crate::translation::rep::Rep;
use dafny_resolve::typed::{CallableKind, ExprKind, FieldId, FieldKind, Type, TypeDeclKind};
use dtest_sorted::SortedMap;
use dtest_value::{Contents, FunctionValue, Heap, Object, ObjectId, Value};

use super::Writer;
use super::looks::{Known, Wanted, looks};
use super::test::{is_plain, macro_call, name_of};

/// Maximum number of objects allocated by the call whose state is checked.
const MAX_MADE: usize = 8;

/// Maximum nesting depth of constructors that is checked in infinite values.
const MAX_LEVELS: usize = 5;

/// The known final state of a call.
pub(super) struct After<'a> {
    pub(super) case: &'a Case,
    /// The variables of the compiled results.
    pub(super) outs: &'a [Ident],
    /// The values of all results that are known.
    pub(super) results: &'a [Option<Value>],
    pub(super) heap: &'a Heap,
    /// The objects of the inputs.
    pub(super) inputs: &'a Values<'a, 'a, 'a>,
}

/// The expectations of a test under construction.
struct Expected<'a, 'b, 's, 'g, 'p> {
    writer: &'a Writer<'a, 'p>,
    body: &'a mut Body<'s, 'g, 'p>,
    after: &'a After<'b>,
    /// The variables of objects.
    names: SortedMap<ObjectId, Ident>,
    /// Objects still to be checked, and whether they belong to the inputs.
    todo: Vec<(ObjectId, bool)>,
    made: usize,
    reason: String,
    lines: Stmts,
    valued: bool,
}

impl<'p> Writer<'_, 'p> {
    /// Adds the expectations that Dafny's semantics determines: the values of the results, and the
    /// state of the objects of the inputs, of the object that a constructor creates, and of objects
    /// reachable from these. Returns whether there are any.
    pub(super) fn expected(
        &self,
        body: &mut Body<'_, '_, 'p>,
        after: &After<'_>,
        lines: &mut Stmts,
    ) -> bool {
        let c = &self.ground.program[after.case.unit];
        let reason = format!(
            "{}: {} by Dafny's semantics",
            self.ground.sources.locate(c.span),
            name_of(self.ground.program, after.case.unit)
        );
        let names: SortedMap<ObjectId, Ident> = after
            .inputs
            .objects()
            .map(|(o, name)| (o, name.clone()))
            .collect();
        // The objects of the inputs come first; those that the call allocated are added when they
        // are met.
        let todo = names.keys().map(|o| (*o, true)).collect();
        let mut expected = Expected {
            writer: self,
            body,
            after,
            names,
            todo,
            made: 0,
            reason,
            lines: Stmts::new(),
            valued: false,
        };
        expected.results();
        // A function changes nothing.
        if !c.kind.is_function() {
            expected.state();
            expected.identity();
        }
        let (found, valued) = (expected.lines, expected.valued);
        lines.extend(found);
        valued
    }
}

impl Expected<'_, '_, '_, '_, '_> {
    fn results(&mut self) {
        let program = self.writer.ground.program;
        let c = &program[self.after.case.unit];
        let compiled = c
            .outs
            .iter()
            .zip(self.after.results)
            .filter(|(f, _)| c.ghost || !program[f.local].ghost);
        for ((formal, value), name) in compiled.zip(self.after.outs) {
            let ty = &program[formal.local].ty;
            match value {
                // A new object is known by its contents alone, and its variable is the result's.
                Some(Value::Ref(o)) if !self.names.contains_key(o) && self.has_state(ty) => {
                    self.meet(*o, name.clone())
                }
                Some(value) => self.equal(name.into(), value, ty, &name.to_string()),
                None => {}
            }
        }
        // The object that a constructor creates.
        if let (CallableKind::Constructor, Some(Value::Ref(made))) =
            (c.kind, self.after.case.args.first())
        {
            self.names.insert(*made, ident("this"));
            // It is what the test is about, so its state is checked first.
            self.todo.insert(0, (*made, false));
        }
    }

    /// Registers an object allocated by the call.
    fn meet(&mut self, object: ObjectId, name: Ident) {
        self.names.insert(object, name);
        self.todo.push((object, false));
        self.made += 1;
    }

    /// Returns a variable for an object allocated by the call, named after its role; an object of
    /// the inputs may have the same role.
    fn name_of_new(&mut self, role: &str) -> Ident {
        let mut word = role.to_owned();
        while self.names.values().any(|name| *name == *word) {
            word.push_str("_after");
        }
        self.body.make_up(&word)
    }

    /// Whether objects of the type are checked by their contents.
    fn has_state(&self, ty: &Type) -> bool {
        matches!(self.body.rep(ty), Rep::Class(..) | Rep::Array(..))
    }

    fn state(&mut self) {
        // The list grows while it is walked: checks of an object name further ones.
        let mut at = 0;
        while let Some((object, is_input)) = self.todo.get(at).copied() {
            at += 1;
            self.object(object, is_input);
        }
    }

    fn object(&mut self, object: ObjectId, is_input: bool) {
        let after = self.after;
        let Some(name) = &self.names.get(&object).cloned() else {
            return;
        };
        let Some(new) = after.heap.objects.get(object.0 as usize) else {
            return;
        };
        let old = after
            .case
            .heap
            .objects
            .get(object.0 as usize)
            .filter(|_| is_input);
        match (&new.contents, self.body.rep(&new.ty)) {
            (Contents::Elements(elements), Rep::Array(n, elem)) => {
                // Each dimension is checked, because the elements alone do not determine the
                // lengths of rows.
                for (i, length) in elements
                    .dims()
                    .iter()
                    .enumerate()
                    .filter(|_| n > 1 && old.is_none())
                {
                    let i = Expr::number(i);
                    self.equal(
                        expr!(#name.length(#i)),
                        &Value::int(*length),
                        &Type::Int,
                        "",
                    );
                }
                // An unassigned element has no value in Dafny.
                let elements: Option<Vec<Value>> = elements.iter().cloned().collect();
                if let Some(elements) = elements.map(Value::seq) {
                    self.equal(
                        expr!(#name.to_seq()),
                        &elements,
                        &Type::Seq(Box::new(elem)),
                        &name.to_string(),
                    );
                }
            }
            (Contents::Fields(fields), Rep::Class(decl, args)) => {
                let (scope, program) = (self.body.scope, self.writer.ground.program);
                let substitution = program.substitution(decl, &args);
                for f in crate::translation::class::fields(scope, decl) {
                    let Some(value) = fields.get(&f) else {
                        continue;
                    };
                    let same = matches!(old.map(|o| &o.contents), Some(Contents::Fields(before)) if before.get(&f) == Some(value));
                    // Fields that must not change are checked by the frame.
                    if same && !self.may_change(object, f) {
                        continue;
                    }
                    let n = ident(self.writer.ground.names.field(f));
                    // A constant of an existing object cannot have changed.
                    let got = match program[f].kind {
                        FieldKind::Mutable => expr!(#name.#n.get()),
                        FieldKind::Const(None) if old.is_none() => expr!(#name.#n),
                        FieldKind::Const(_) | FieldKind::Destructor(_) => continue,
                    };
                    let ty = crate::translation::class::field_type(self.writer.ground, decl, f)
                        .subst(&substitution);
                    let role = format!("{}_of_{name}", without_raw(&n.to_string()));
                    self.equal(got, value, &ty, &role);
                }
            }
            // A mock has no state.
            (Contents::Elements(_) | Contents::Fields(_), _) => {}
        }
    }

    /// Whether the `modifies` clause of the unit may allow a change of a field of an object of the
    /// inputs.
    fn may_change(&self, object: ObjectId, field: FieldId) -> bool {
        let program = self.writer.ground.program;
        let c = &program[self.after.case.unit];
        let args = &self.after.case.args;
        let receiver = usize::from(c.owner.is_some() && !c.is_static);
        let holds = |value: Option<&Value>| value.is_none_or(|v| mentions(v, object));
        let class = self
            .after
            .case
            .heap
            .objects
            .get(object.0 as usize)
            .map(|o| &o.ty);
        // The types of frame expressions bound what they may contain; anything else may contain the
        // object.
        let may_be = |ty: &Type| match element(ty) {
            Type::Array { .. } => false,
            Type::Named { decl, .. } if matches!(program[*decl].kind, TypeDeclKind::Class) => {
                !matches!(class, Some(Type::Named { decl: own, .. }) if decl != own)
            }
            Type::Named { .. }
            | Type::Object { .. }
            | Type::Param(_)
            | Type::Arrow { .. }
            | Type::Error => true,
            Type::Bool | Type::Char | Type::Int | Type::Real | Type::Bv(_) | Type::Ordinal => true,
            Type::Seq(_)
            | Type::Set { .. }
            | Type::Multiset(_)
            | Type::Map { .. }
            | Type::Tuple(_) => true,
        };
        c.spec
            .modifies
            .iter()
            .filter(|f| f.field.is_none_or(|only| only == field))
            .any(|f| match f.object.as_ref().map(|e| (&e.kind, &e.ty)) {
                // `this` as a frame: the receiver is the first argument.
                None | Some((ExprKind::This, _)) => f.star || receiver == 0 || holds(args.first()),
                Some((ExprKind::Local(local), _)) => {
                    match c.ins.iter().position(|formal| formal.local == *local) {
                        Some(i) => holds(args.get(receiver + i)),
                        None => true,
                    }
                }
                Some((_, ty)) => may_be(ty),
            })
    }

    /// Adds expectations on the parts of a value that can be written. Objects in it that the call
    /// allocated get variables, named after the role of the value, and are checked in turn.
    fn equal(&mut self, got: Expr, value: &Value, ty: &Type, role: &str) {
        // A value that is known as a whole is compared by one assertion.
        if !value.holds_lazy() && self.is_known(value) {
            let reason = self.reason.clone();
            return self.compare(got, value, ty, &reason);
        }
        // Otherwise its known parts are checked one by one.
        let write = |v: &Value, t: &Type| self.written(v, t).filter(|_| self.is_known(v));
        let known = Known {
            is_place: is_place(&got),
            is_whole: &|v| self.is_known(v),
            write: &write,
        };
        let found = looks(
            self.body.scope,
            &known,
            (&got, &got),
            (value, ty),
            MAX_LEVELS,
        );
        for look in found {
            let text = format!(
                "{}{}{}",
                self.reason,
                if look.path.is_empty() { "" } else { ": " },
                look.path
            );
            match look.wanted {
                Wanted::Equal(got, value, ty) => self.compare(got, &value, &ty, &text),
                Wanted::Holds(condition) => {
                    self.lines
                        .push(macro_call(MacroName::Expect, [condition], &text));
                    self.valued = true;
                }
                Wanted::Object {
                    read, object, ty, ..
                } if self.names.contains_key(&object) => {
                    self.compare(read, &Value::Ref(object), &ty, &text);
                }
                Wanted::Object {
                    read,
                    is_place,
                    object,
                    ty,
                } => {
                    self.made(
                        (&read, is_place),
                        object,
                        &ty,
                        &format!("{role}{}", look.path),
                    );
                }
                Wanted::Objects(read, objects, ty) => self.states(&read, &objects, &ty, &text),
            }
        }
    }

    /// Stores an object allocated by the call in a variable, converted to its own class if it has
    /// the type of a trait.
    fn made(&mut self, (read, is_place): (&Expr, bool), object: ObjectId, ty: &Type, role: &str) {
        let Some(own) = self
            .after
            .heap
            .objects
            .get(object.0 as usize)
            .map(|o| o.ty.clone())
        else {
            return;
        };
        if self.made >= MAX_MADE || !self.has_state(&own) {
            return;
        }
        let value = if self.body.rep(&own) == self.body.rep(ty) {
            Ok(if is_place {
                expr!(#read.clone())
            } else {
                read.clone()
            })
        } else {
            self.body.seen_as(&Code::place(read, false), ty, &own)
        };
        if let Ok(value) = value {
            // A result with the type of a trait has the plain name.
            let role = if let Type::Named { decl, .. } = &own
                && matches!(read, Expr::Name(_))
            {
                snake_case(&self.writer.ground.program[*decl].name)
            } else {
                snake_word(role)
            };
            let met = self.name_of_new(&role);
            let variable = &met;
            self.lines.extend(stmts!(let #variable = #value;));
            self.meet(object, met);
        }
    }

    /// Compares the states of objects of one class in a set, as a multiset of their comparable
    /// parts.
    fn states(&mut self, set: &Expr, objects: &[ObjectId], ty: &Type, text: &str) {
        // Objects in a set have no order, and new ones have no name: the multiset of their states
        // is compared. This requires that all have the same class.
        let Rep::Class(decl, args) = self.body.rep(ty) else {
            return;
        };
        let all: Vec<&Object> = objects
            .iter()
            .filter_map(|o| self.after.heap.objects.get(o.0 as usize))
            .collect();
        if all.len() != objects.len()
            || all
                .iter()
                .any(|o| self.body.rep(&o.ty) != self.body.rep(ty))
        {
            return;
        }
        let substitution = self.writer.ground.program.substitution(decl, &args);
        let (mut reads, mut wanted) = (Vec::new(), vec![Vec::new(); all.len()]);
        // Only fields that are known for all objects take part.
        for f in crate::translation::class::fields(self.body.scope, decl) {
            let ty = crate::translation::class::field_type(self.writer.ground, decl, f)
                .subst(&substitution);
            let written = |o: &&Object| match &o.contents {
                Contents::Fields(fields) => fields
                    .get(&f)
                    .filter(|v| !v.holds_lazy() && self.is_known(v))
                    .and_then(|v| self.written(v, &ty)),
                Contents::Elements(_) => None,
            };
            let (Some(values), Some(read)) = (
                all.iter().map(written).collect::<Option<Vec<_>>>(),
                self.read(f),
            ) else {
                continue;
            };
            reads.push(read);
            wanted
                .iter_mut()
                .zip(values)
                .for_each(|(state, value)| state.push(value));
        }
        if !reads.is_empty() {
            let (state, wanted) = (tuple(reads), wanted.into_iter().map(tuple));
            let got = expr!(#set.iter().map(|object| #state).collect::<Multiset<_>>());
            self.lines.push(macro_call(
                MacroName::ExpectEq,
                [got, expr!(multiset![#..wanted])],
                text,
            ));
            self.valued = true;
        }
    }

    /// Returns the expression that reads a field of an `object`.
    fn read(&self, field: FieldId) -> Option<Expr> {
        let name = ident(self.writer.ground.names.field(field));
        match self.writer.ground.program[field].kind {
            FieldKind::Mutable => Some(expr!(object.#name.get())),
            FieldKind::Const(None) => Some(expr!(object.#name.clone())),
            FieldKind::Const(Some(_)) | FieldKind::Destructor(_) => None,
        }
    }

    /// Writes a value.
    fn written(&self, value: &Value, ty: &Type) -> Option<Expr> {
        Values::knowing(self.body.scope, self.after.heap, &self.names)
            .value(value, ty)
            .ok()
    }

    /// Checks that objects allocated by the call differ from the objects of the inputs and from
    /// each other. Objects of different classes need no check.
    fn identity(&mut self) {
        let mut classes: Vec<(&Type, Vec<&Ident>, bool)> = Vec::new();
        for (object, is_input) in &self.todo {
            let heap = if *is_input {
                &self.after.case.heap
            } else {
                self.after.heap
            };
            let (Some(name), Some(found)) =
                (self.names.get(object), heap.objects.get(object.0 as usize))
            else {
                continue;
            };
            match classes.iter_mut().find(|(ty, ..)| **ty == found.ty) {
                Some((_, names, any_made)) => {
                    names.push(name);
                    *any_made |= !is_input;
                }
                None => classes.push((&found.ty, vec![name], !is_input)),
            }
        }
        for (_, names, _) in classes
            .into_iter()
            .filter(|(_, names, any_made)| *any_made && names.len() > 1)
        {
            self.lines.push(macro_call(
                MacroName::ExpectDistinct,
                [expr!([#..names])],
                &self.reason,
            ));
        }
    }

    fn compare(&mut self, got: Expr, value: &Value, ty: &Type, text: &str) {
        if let (Value::Function(f), Rep::Arrow(params, result)) = (value, self.body.rep(ty))
            && let FunctionValue::Table { entries, .. } = &**f
        {
            return self.answers(&got, entries, (&params, &result), text);
        }
        if !self.is_known(value) {
            return;
        }
        let want = if let Value::Ref(o) = value
            && self.has_state(ty)
        {
            self.names.get(o).map(Into::into)
        } else {
            self.written(value, ty)
        };
        if let Some(want) = want {
            self.lines
                .push(macro_call(MacroName::ExpectEq, [got, want], text));
            self.valued = true;
        }
    }

    /// Checks the results of a function for these arguments.
    fn answers(
        &mut self,
        function: &Expr,
        entries: &[(Vec<Value>, Value)],
        (params, result): (&[Type], &Type),
        text: &str,
    ) {
        for (args, value) in entries.iter().filter(|(args, _)| args.iter().all(is_plain)) {
            let mut values = Values::knowing(self.body.scope, self.after.heap, &self.names);
            let given: Result<Vec<_>, _> = args
                .iter()
                .zip(params)
                .map(|(a, t)| values.value(a, t))
                .collect();
            if let Ok(given) = given {
                let given = given.iter().map(|g| expr!(&#g));
                self.compare(expr!(#function.call(#..given)), value, result, text);
            }
        }
    }

    /// Whether equality suffices to check the value: it has no functions, and only references to
    /// objects that have names.
    fn is_known(&self, value: &Value) -> bool {
        value.within().all(|v| {
            if matches!(v, Value::Null) {
                true
            } else if let Value::Ref(o) = v {
                self.names.contains_key(o)
            } else {
                !v.parts().is_empty() || is_plain(v)
            }
        })
    }
}

/// Whether an expression names a variable or a field, rather than calling a function.
fn is_place(e: &Expr) -> bool {
    matches!(e, Expr::Name(_) | Expr::Field(..))
}

/// Converts a place to a word: `cs[0].left` becomes `cs_0_left`.
fn snake_word(place: &str) -> String {
    let words: Vec<&str> = place
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|w| !w.is_empty())
        .collect();
    words.join("_").to_ascii_lowercase()
}

/// Returns the element type of a collection, or else the type itself.
fn element(ty: &Type) -> &Type {
    if let Type::Seq(elem) | Type::Multiset(elem) | Type::Set { elem, .. } = ty {
        elem
    } else {
        ty
    }
}

/// Whether a value is an object or a collection that contains it.
fn mentions(value: &Value, object: ObjectId) -> bool {
    value.within().any(|v| *v == Value::Ref(object))
}
