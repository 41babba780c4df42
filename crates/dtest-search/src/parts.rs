//! The parts of inputs that can be changed one by one, at any nesting depth: numbers, truth values,
//! strings, empty collections, constructors.
//!
//! Random changes that descend from the top rarely reach parts deep in large inputs. Here all parts
//! are equally near. [`parts`] lists them, [`with`] replaces one.

use std::collections::VecDeque;

use dafny_resolve::typed::{Program, Type, TypeDeclKind};

use dtest_interp::Inputs;
use dtest_value::{Contents, Object, Value};

/// Maximum number of words of a text that are values of their own.
const MAX_WORDS: usize = 6;

/// A part of inputs.
pub(super) struct Part {
    /// The number of the argument or, counted after the arguments, of the value that an object
    /// holds.
    pub(super) slot: usize,
    /// The position within that value: for each enclosing value, the index of the component.
    path: Vec<usize>,
    pub(super) value: Value,
    pub(super) ty: Type,
}

/// The parts of inputs whose arguments have these types, at most `most`.
pub(super) fn parts(program: &Program, types: &[Type], inputs: &Inputs, most: usize) -> Vec<Part> {
    let mut finder = Finder::new(program, most, false);
    finder.inputs(types, inputs, Scope::Objects);
    finder.found
}

/// The inputs that structural changes apply to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    /// The arguments.
    Arguments,
    /// The arguments, and what objects hold.
    Objects,
}

/// The datatype values and collections among the inputs, at any depth, which structural changes
/// exchange. At most `most`.
pub(super) fn structures(
    program: &Program,
    types: &[Type],
    inputs: &Inputs,
    scope: Scope,
    most: usize,
) -> Vec<Part> {
    let mut finder = Finder::new(program, most, true);
    finder.inputs(types, inputs, scope);
    finder.found
}

/// The values that inputs hold, at any depth, with their types: also the keys of maps and the
/// elements of sets. At most `most`, outer values first.
pub(super) fn all_values(
    program: &Program,
    types: &[Type],
    inputs: &Inputs,
    most: usize,
) -> Vec<(Value, Type)> {
    let args = inputs.args.iter().zip(types.iter().cloned());
    let objects = inputs.heap.objects.iter().flat_map(|o| held(program, o));
    let mut work: VecDeque<(&Value, Type)> = args.chain(objects).collect();
    let mut found = Vec::new();
    while let Some((value, ty)) = work.pop_front().filter(|_| found.len() < most) {
        work.extend(super::configured_inputs::parts(program, value, &ty));
        let is_alone =
            |v: &Value| !matches!(v, Value::Ref(_) | Value::Function(_) | Value::Lazy(_));
        if value.within().all(is_alone) {
            let ty = program.representation(&ty);
            found.extend(words(value).into_iter().map(|w| (w, ty.clone())));
            found.push((value.clone(), ty));
        }
    }
    found
}

/// The words of a text of several words: what a program looks up is rarely a whole text.
fn words(value: &Value) -> Vec<Value> {
    let Value::Seq(xs) = value else {
        return Vec::new();
    };
    let is_letter = |v: &Value| matches!(v, Value::Char(c) if char::from_u32(*c).is_some_and(char::is_alphanumeric));
    let xs = xs.to_vec();
    let is_text = xs.iter().all(|v| matches!(v, Value::Char(_)));
    if !is_text || xs.iter().all(is_letter) {
        return Vec::new();
    }
    xs.split(|v| !is_letter(v))
        .filter(|word| !word.is_empty())
        .take(MAX_WORDS)
        .map(|word| Value::seq(word.to_vec()))
        .collect()
}

/// Number of parts of inputs, including what objects hold.
pub(super) fn extent(inputs: &Inputs) -> u64 {
    let values = inputs.args.iter().chain(inputs.heap.contents());
    values.fold(0u64, |n, v| n.saturating_add(v.extent()))
}

/// The inputs with a part replaced. Stubs' results are discarded, because they belong to the old
/// inputs.
pub(super) fn with(inputs: &Inputs, part: &Part, value: Value) -> Option<Inputs> {
    // Results of stubs belong to the old inputs.
    let mut out = inputs.clone();
    out.answers.clear();
    let args = out.args.len();
    let place = match out.args.get_mut(part.slot) {
        Some(arg) => arg,
        None => out
            .heap
            .objects
            .iter_mut()
            .flat_map(|o| places(&mut o.contents))
            .nth(part.slot.checked_sub(args)?)?,
    };
    *place = replaced(place, &part.path, value)?;
    Some(out)
}

/// The values that an object holds, with their types.
pub(super) fn held<'o>(program: &'o Program, object: &'o Object) -> Vec<(&'o Value, Type)> {
    match (&object.contents, &object.ty) {
        (Contents::Fields(fields), ty) => fields
            .iter()
            .map(|(f, v)| (v, program.field_type(ty, *f)))
            .collect(),
        (Contents::Elements(elements), Type::Array { elem, .. }) => elements
            .iter()
            .flatten()
            .map(|v| (v, (**elem).clone()))
            .collect(),
        (Contents::Elements(elements), _) => elements
            .iter()
            .flatten()
            .map(|v| (v, Type::Error))
            .collect(),
    }
}

pub(super) fn places(contents: &mut Contents) -> Box<dyn Iterator<Item = &mut Value> + '_> {
    match contents {
        Contents::Fields(fields) => Box::new(fields.values_mut()),
        Contents::Elements(elements) => Box::new(elements.iter_mut().flatten()),
    }
}

struct Finder<'p> {
    program: &'p Program,
    most: usize,
    /// Whether whole datatype values and collections are listed, instead of parts that change by
    /// themselves.
    is_structural: bool,
    slot: usize,
    path: Vec<usize>,
    found: Vec<Part>,
}

impl<'p> Finder<'p> {
    fn new(program: &'p Program, most: usize, is_structural: bool) -> Self {
        Self {
            program,
            most,
            is_structural,
            slot: 0,
            path: Vec::new(),
            found: Vec::new(),
        }
    }

    /// Adds the parts of inputs. Slots are numbered over the arguments first, then over the contents
    /// of all objects.
    fn inputs(&mut self, types: &[Type], inputs: &Inputs, scope: Scope) {
        for (value, ty) in inputs.args.iter().zip(types) {
            self.value(value, ty);
            self.slot += 1;
        }
        let objects = inputs.heap.objects.iter();
        for object in objects.filter(|_| scope == Scope::Objects) {
            for (value, ty) in held(self.program, object) {
                self.value(value, &ty);
                self.slot += 1;
            }
        }
    }

    fn value(&mut self, value: &Value, ty: &Type) {
        // The limit is checked at every value, so that large inputs stay cheap.
        if self.found.len() >= self.most {
            return;
        }
        let is_structure = matches!(
            value,
            Value::Seq(_) | Value::Set(_) | Value::Multiset(_) | Value::Map(_) | Value::Datatype(_)
        );
        if self.is_structural && is_structure {
            self.part(value, ty);
        }
        match (value, &self.program.representation(ty)) {
            // Strings change as a whole, other sequences by their elements.
            (Value::Seq(xs), Type::Seq(elem))
                if !xs.is_empty() && self.program.representation(elem) != Type::Char =>
            {
                self.within(xs.iter().map(|x| (x, (**elem).clone())));
            }
            (Value::Map(pairs), Type::Map { value: ty, .. }) if !pairs.is_empty() => {
                self.within(pairs.values().map(|x| (x, (**ty).clone())))
            }
            (Value::Tuple(xs), Type::Tuple(types)) => {
                self.within(xs.iter().zip(types).map(|(x, (_, t))| (x, t.clone())))
            }
            (Value::Datatype(d), Type::Named { decl, args, .. }) => {
                let program = self.program;
                // A constructor is a part only if the datatype has others to replace it.
                if !self.is_structural
                    && matches!(&program[*decl].kind, TypeDeclKind::Datatype { ctors, .. } if ctors.len() > 1)
                {
                    self.part(value, ty);
                }
                let subst = program.substitution(*decl, args);
                let fields = program[d.ctor]
                    .fields
                    .iter()
                    .map(|f| program[*f].ty.subst(&subst));
                self.within(d.args.iter().zip(fields));
            }
            // References and functions are changed elsewhere.
            (Value::Newtype(n), _) => self.within(std::iter::once((&n.value, n.ty()))),
            (Value::Null | Value::Ref(_) | Value::Function(_) | Value::Lazy(_), _)
            | (_, Type::Error) => {}
            (
                Value::Bool(_)
                | Value::Char(_)
                | Value::Int(_)
                | Value::Real(_)
                | Value::Bv { .. }
                | Value::Ordinal(_),
                _,
            )
            | (
                Value::Seq(_)
                | Value::Set(_)
                | Value::Multiset(_)
                | Value::Map(_)
                | Value::Tuple(_)
                | Value::Datatype(_),
                _,
            ) => {
                if !self.is_structural {
                    self.part(value, ty);
                }
            }
        }
    }

    fn part(&mut self, value: &Value, ty: &Type) {
        if self.found.len() < self.most {
            self.found.push(Part {
                slot: self.slot,
                path: self.path.clone(),
                value: value.clone(),
                ty: ty.clone(),
            });
        }
    }

    fn within<'v>(&mut self, components: impl Iterator<Item = (&'v Value, Type)>) {
        for (i, (value, ty)) in components.enumerate() {
            self.path.push(i);
            self.value(value, &ty);
            self.path.pop();
        }
    }
}

/// The value with the component at a path replaced.
pub(super) fn replaced(value: &Value, path: &[usize], part: Value) -> Option<Value> {
    let Some((at, rest)) = path.split_first() else {
        return Some(part);
    };
    let within = |mut components: Vec<Value>| {
        let slot = components.get_mut(*at)?;
        *slot = replaced(slot, rest, part)?;
        Some(components)
    };
    Some(match value {
        Value::Seq(xs) => Value::seq(within(xs.to_vec())?),
        Value::Tuple(xs) => Value::tuple(within(xs.to_vec())?),
        Value::Map(pairs) => Value::map(
            pairs
                .keys()
                .cloned()
                .zip(within(pairs.values().cloned().collect())?),
        ),
        Value::Datatype(d) => Value::datatype(d.ctor, within(d.args.clone())?),
        Value::Newtype(n) => n.with(within(vec![n.value.clone()])?.pop()?),
        Value::Bool(_)
        | Value::Char(_)
        | Value::Int(_)
        | Value::Real(_)
        | Value::Bv { .. }
        | Value::Ordinal(_)
        | Value::Set(_)
        | Value::Multiset(_)
        | Value::Null
        | Value::Ref(_)
        | Value::Function(_)
        | Value::Lazy(_) => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::words;
    use dtest_value::Value;

    fn text(s: &str) -> Value {
        Value::seq(
            s.chars()
                .map(|c| Value::Char(u32::from(c)))
                .collect::<Vec<_>>(),
        )
    }

    #[test]
    fn a_text_has_words_if_it_is_more_than_one() {
        assert_eq!(words(&text("ab, c")), [text("ab"), text("c")]);
        assert_eq!(words(&text("ab")), []);
        assert_eq!(words(&text("")), []);
        assert_eq!(words(&Value::seq([Value::int(1), Value::int(2)])), []);
    }
}
