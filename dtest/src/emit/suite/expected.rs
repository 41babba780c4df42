//! The state that Dafny's semantics gives after a call, as expectations of a test.

use std::collections::BTreeMap;

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::emit::body::Body;
use crate::emit::case::Case;
use crate::emit::code::ident;
use crate::emit::rep::Rep;
use crate::emit::value::Values;
use crate::typed::{CallableKind, ExprKind, FieldId, FieldKind, Type, TypeDeclKind};
use crate::value::{Contents, FunctionValue, Heap, ObjectId, Value};

use super::Writer;
use super::looks::{Wanted, looks};
use super::test::{is_plain, macro_call, name_of};

/// Objects that the call has made whose state is asked for, at most.
const MAX_MADE: usize = 8;

/// How many constructors within each other are looked at of what is endless.
const MAX_LEVELS: usize = 5;

/// What is known of the end of a call.
pub(super) struct After<'a> {
    pub(super) case: &'a Case,
    /// The variables of the compiled results.
    pub(super) outs: &'a [Ident],
    /// The values of all results, where they are known.
    pub(super) results: &'a [Option<Value>],
    pub(super) heap: &'a Heap,
    /// The objects of the inputs.
    pub(super) inputs: &'a Values<'a, 'a, 'a>,
}

/// The expectations on the way.
struct Expected<'a, 'b, 's, 'g, 'p> {
    writer: &'a Writer<'a, 'p>,
    body: &'a mut Body<'s, 'g, 'p>,
    after: &'a After<'b>,
    /// The variables of objects.
    names: BTreeMap<ObjectId, Ident>,
    /// Objects to look at, with whether the inputs have them.
    todo: Vec<(ObjectId, bool)>,
    made: usize,
    reason: String,
    lines: TokenStream,
    valued: bool,
}

impl<'p> Writer<'_, 'p> {
    /// Adds what Dafny's semantics gives: the values of the results, and the state of the objects that the inputs have, that
    /// a constructor makes, and that can be reached from there. Says whether there was any of it.
    pub(super) fn expected(&self, body: &mut Body<'_, '_, 'p>, after: &After<'_>, lines: &mut TokenStream) -> bool {
        let c = &self.ground.program[after.case.unit];
        let reason =
            format!("{}: {} by Dafny's semantics", self.ground.sources.locate(c.span), name_of(self.ground.program, after.case.unit));
        let names: BTreeMap<ObjectId, Ident> = after.inputs.objects().map(|(o, name)| (o, name.clone())).collect();
        let todo = names.keys().map(|o| (*o, true)).collect();
        let mut expected = Expected { writer: self, body, after, names, todo, made: 0, reason, lines: TokenStream::new(), valued: false };
        expected.results();
        if !c.kind.is_function() {
            expected.state();
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
        let compiled = c.outs.iter().zip(self.after.results).filter(|(f, _)| c.ghost || !program[f.local].ghost);
        for ((formal, value), name) in compiled.zip(self.after.outs) {
            let ty = &program[formal.local].ty;
            match value {
                Some(Value::Ref(o)) if !self.names.contains_key(o) && self.has_state(ty) => self.meet(*o, name.clone()),
                Some(value) => self.equal(quote!(#name), value, ty),
                None => {}
            }
        }
        // The object that a constructor makes.
        if let (CallableKind::Constructor, Some(Value::Ref(made))) = (c.kind, self.after.case.args.first()) {
            self.names.insert(*made, ident("this"));
            self.todo.insert(0, (*made, false));
        }
    }

    /// Notes an object that the call has made.
    fn meet(&mut self, object: ObjectId, name: Ident) {
        self.names.insert(object, name);
        self.todo.push((object, false));
        self.made += 1;
    }

    /// A variable for an object that the call has made, by what it is: the inputs may have had one that was the same.
    fn name_of_new(&mut self, role: &str) -> Ident {
        let mut word = role.to_owned();
        while self.names.values().any(|name| *name == word) {
            word.push_str("_after");
        }
        self.body.make_up(&word)
    }

    /// Whether an object of the type is looked at by what it holds.
    fn has_state(&self, ty: &Type) -> bool {
        matches!(self.body.rep(ty), Rep::Class(..) | Rep::Array(..))
    }

    fn state(&mut self) {
        let mut at = 0;
        while let Some((object, is_input)) = self.todo.get(at).copied() {
            at += 1;
            self.object(object, is_input);
        }
    }

    fn object(&mut self, object: ObjectId, is_input: bool) {
        let after = self.after;
        let Some(name) = self.names.get(&object).cloned() else { return };
        let Some(new) = after.heap.objects.get(object.0 as usize) else { return };
        let old = after.case.heap.objects.get(object.0 as usize).filter(|_| is_input);
        match (&new.contents, self.body.rep(&new.ty)) {
            (Contents::Elements { dims, elements }, Rep::Array(n, elem)) => {
                // Row by row: the elements do not say how many there are in a row.
                for (i, length) in dims.iter().enumerate().filter(|_| n > 1 && old.is_none()) {
                    let i = proc_macro2::Literal::usize_unsuffixed(i);
                    self.equal(quote!(#name.length(#i)), &Value::int(*length), &Type::Int);
                }
                let elements: Option<Vec<Value>> = elements.iter().cloned().collect();
                if let Some(elements) = elements.map(Value::seq) {
                    self.equal(quote!(#name.to_seq()), &elements, &Type::Seq(Box::new(elem)));
                }
            }
            (Contents::Fields(fields), Rep::Class(decl, args)) => {
                let (scope, program) = (self.body.scope, self.writer.ground.program);
                let substitution = program.substitution(decl, &args);
                for f in crate::emit::class::fields(scope, decl) {
                    let Some(value) = fields.get(&f) else { continue };
                    let same = matches!(old.map(|o| &o.contents), Some(Contents::Fields(before)) if before.get(&f) == Some(value));
                    // What may not change the frame looks after.
                    if same && !self.may_change(object, f) {
                        continue;
                    }
                    let n = ident(self.writer.ground.names.field(f));
                    let got = match program[f].kind {
                        FieldKind::Mutable => quote!(#name.#n.get()),
                        FieldKind::Const(None) if old.is_none() => quote!(#name.#n),
                        FieldKind::Const(_) | FieldKind::Destructor(_) => continue,
                    };
                    let ty = crate::emit::class::field_type(self.writer.ground, decl, f).subst(&substitution);
                    match value {
                        Value::Ref(o) if !self.names.contains_key(o) && self.has_state(&ty) && self.made < MAX_MADE => {
                            let met = self.name_of_new(&format!("{}_of_{name}", n.to_string().trim_start_matches("r#")));
                            self.lines.extend(quote!(let #met = #got.clone();));
                            self.meet(*o, met);
                        }
                        value => self.equal(got, value, &ty),
                    }
                }
            }
            // A mock has no state of its own.
            (Contents::Elements { .. } | Contents::Fields(_), _) => {}
        }
    }

    /// Whether the `modifies` clause of the unit may allow that a field of an object of the inputs changes.
    fn may_change(&self, object: ObjectId, field: FieldId) -> bool {
        let program = self.writer.ground.program;
        let c = &program[self.after.case.unit];
        let args = &self.after.case.args;
        let receiver = usize::from(c.owner.is_some() && !c.is_static);
        let holds = |value: Option<&Value>| value.is_none_or(|v| mentions(v, object));
        let class = self.after.case.heap.objects.get(object.0 as usize).map(|o| &o.ty);
        let may_be = |ty: &Type| match (element(ty), class) {
            (Type::Array { .. }, _) => false,
            (Type::Named { decl, .. }, Some(Type::Named { decl: own, .. })) if matches!(program[*decl].kind, TypeDeclKind::Class) => {
                decl == own
            }
            (_, _) => true,
        };
        c.spec.modifies.iter().filter(|f| f.field.is_none_or(|only| only == field)).any(|f| {
            match f.object.as_ref().map(|e| (&e.kind, &e.ty)) {
                None | Some((ExprKind::This, _)) => f.star || receiver == 0 || holds(args.first()),
                Some((ExprKind::Local(local), _)) => match c.ins.iter().position(|formal| formal.local == *local) {
                    Some(i) => holds(args.get(receiver + i)),
                    None => true,
                },
                Some((_, ty)) => may_be(ty),
            }
        })
    }

    /// Asks for a value, if it can be written; where not, the other checks stay as they are.
    fn equal(&mut self, got: TokenStream, value: &Value, ty: &Type) {
        if value.holds_lazy() {
            for look in looks(self.body.scope, (&got, &got), value, ty, MAX_LEVELS) {
                let text = format!("{}{}{}", self.reason, if look.path.is_empty() { "" } else { ": " }, look.path);
                match look.wanted {
                    Wanted::Equal(got, value, ty) => self.compare(got, &value, &ty, &text),
                    Wanted::Holds(condition) => self.lines.extend(macro_call("expect", &[condition], &text)),
                }
            }
        } else {
            let reason = self.reason.clone();
            self.compare(got, value, ty, &reason);
        }
    }

    fn compare(&mut self, got: TokenStream, value: &Value, ty: &Type, text: &str) {
        if let (Value::Function(f), Rep::Arrow(params, result)) = (value, self.body.rep(ty))
            && let FunctionValue::Table { entries, .. } = &**f
        {
            return self.answers(&got, entries, (&params, &result), text);
        }
        if !self.is_known(value) {
            return;
        }
        let want = match value {
            Value::Ref(o) if self.has_state(ty) => self.names.get(o).map(|name| quote!(#name)),
            value => Values::knowing(self.body.scope, self.after.heap, &self.names).value(value, ty).ok(),
        };
        if let Some(want) = want {
            self.lines.extend(macro_call("expect_eq", &[got, want], text));
            self.valued = true;
        }
    }

    /// What a function gives for these arguments.
    fn answers(&mut self, function: &TokenStream, entries: &[(Vec<Value>, Value)], (params, result): (&[Type], &Type), text: &str) {
        for (args, value) in entries.iter().filter(|(args, _)| args.iter().all(is_plain)) {
            let mut values = Values::knowing(self.body.scope, self.after.heap, &self.names);
            let given: Result<Vec<TokenStream>, _> = args.iter().zip(params).map(|(a, t)| values.value(a, t)).collect();
            if let Ok(given) = given {
                self.compare(quote!(#function.call(#(&#given),*)), value, result, text);
            }
        }
    }

    /// Whether equality of such a value says that it is right: it holds no functions, and references to objects that have
    /// names only.
    fn is_known(&self, value: &Value) -> bool {
        value.within().all(|v| match v {
            Value::Null => true,
            Value::Ref(o) => self.names.contains_key(o),
            v => !v.parts().is_empty() || is_plain(v),
        })
    }
}

/// The type of what a collection holds; else the type itself.
fn element(ty: &Type) -> &Type {
    match ty {
        Type::Seq(elem) | Type::Multiset(elem) | Type::Set { elem, .. } => elem,
        other => other,
    }
}

/// Whether a value is an object, or a collection that holds it.
fn mentions(value: &Value, object: ObjectId) -> bool {
    value.within().any(|v| *v == Value::Ref(object))
}
