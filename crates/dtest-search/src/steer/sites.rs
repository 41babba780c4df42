//! The values that inputs hold, at any depth and with their types: those of arguments, objects and
//! results of external code. [`sites`] lists them, [`with`] replaces one.

use dafny_resolve::typed::{Program, Substitution, Type};
use dtest_interp::Inputs;
use dtest_value::{Object, Value};

use super::super::parts::{held, places, replaced};

/// Maximum number of sites, and of elements of one collection that are sites.
const MAX_SITES: usize = 400;
const MAX_ELEMENTS: usize = 8;

/// The outermost value that a site is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Root {
    Argument(usize),
    /// A value that an object holds, by their numbers.
    Held(usize, usize),
    /// A result of an answer, by their numbers.
    Result(usize, usize),
}

/// A value within inputs.
#[derive(Clone, Debug)]
pub(super) struct Site {
    root: Root,
    /// The position within the outermost value: for each enclosing value, the index of the
    /// component.
    path: Vec<usize>,
    pub(super) value: Value,
    /// The type, which may be a subset type.
    pub(super) ty: Type,
}

impl Site {
    /// Whether this is a result of external code as a whole.
    pub(super) fn is_result(&self) -> bool {
        matches!(self.root, Root::Result(..)) && self.path.is_empty()
    }

    /// The position of this value within another one that contains it.
    pub(super) fn position_within(&self, outer: &Site) -> Option<&[usize]> {
        let position = self.path.strip_prefix(&outer.path[..])?;
        (self.root == outer.root && !position.is_empty()).then_some(position)
    }
}

/// The sites of inputs whose arguments have these types, outer values before their parts.
pub(super) fn sites(program: &Program, types: &[Type], inputs: &Inputs) -> Vec<Site> {
    let mut finder = Finder {
        program,
        root: Root::Argument(0),
        path: Vec::new(),
        found: Vec::new(),
    };
    for (i, (value, ty)) in inputs.args.iter().zip(types).enumerate() {
        finder.root = Root::Argument(i);
        finder.value(value, ty);
    }
    // Results of external code before objects, of which there may be many.
    for (i, answer) in inputs.answers.iter().enumerate() {
        let params = program.all_type_params(answer.callee).into_iter();
        let subst: Substitution = params.zip(answer.type_args.iter().cloned()).collect();
        let outs = program[answer.callee].outs.iter();
        for (at, (result, out)) in answer.results.iter().zip(outs).enumerate() {
            finder.root = Root::Result(i, at);
            if let Some(value) = result {
                finder.value(value, &program[out.local].ty.subst(&subst));
            }
        }
    }
    for (i, object) in inputs.heap.objects.iter().enumerate() {
        for (at, (value, ty)) in held(program, object).into_iter().enumerate() {
            finder.root = Root::Held(i, at);
            finder.value(value, &ty);
        }
    }
    finder.found
}

/// The inputs with the value of a site replaced. The changes that an answer made are those of its
/// old result, so that they are dropped with it.
pub(super) fn with(mut out: Inputs, site: &Site, value: Value) -> Option<Inputs> {
    let place = match site.root {
        Root::Argument(i) => out.args.get_mut(i)?,
        Root::Held(i, at) => {
            let object: &mut Object = out.heap.objects.get_mut(i)?;
            places(&mut object.contents).nth(at)?
        }
        Root::Result(i, at) => {
            let answer = out.answers.get_mut(i)?;
            answer.changes.clear();
            answer.results.get_mut(at)?.as_mut()?
        }
    };
    *place = replaced(place, &site.path, value)?;
    Some(out)
}

struct Finder<'p> {
    program: &'p Program,
    root: Root,
    path: Vec<usize>,
    found: Vec<Site>,
}

impl Finder<'_> {
    fn value(&mut self, value: &Value, ty: &Type) {
        if self.found.len() >= MAX_SITES || matches!(ty, Type::Error) {
            return;
        }
        self.found.push(Site {
            root: self.root,
            path: self.path.clone(),
            value: value.clone(),
            ty: ty.clone(),
        });
        match (value, &self.program.representation(ty)) {
            // Texts change as a whole.
            (Value::Seq(xs), Type::Seq(elem))
                if self.program.representation(elem) != Type::Char =>
            {
                let first = xs.iter().take(MAX_ELEMENTS);
                self.within(first.map(|x| (x, (**elem).clone())));
            }
            (Value::Map(pairs), Type::Map { value: ty, .. }) => {
                let first = pairs.values().take(MAX_ELEMENTS);
                self.within(first.map(|x| (x, (**ty).clone())));
            }
            (Value::Tuple(xs), Type::Tuple(types)) => {
                self.within(xs.iter().zip(types).map(|(x, (_, t))| (x, t.clone())));
            }
            (Value::Datatype(d), Type::Named { decl, args, .. }) => {
                let program = self.program;
                let subst = program.substitution(*decl, args);
                let fields = program[d.ctor].fields.iter();
                let fields = fields.map(|f| program[*f].ty.subst(&subst));
                self.within(d.args.iter().zip(fields));
            }
            (Value::Newtype(n), _) => self.within(std::iter::once((&n.value, n.ty()))),
            (_, _) => {}
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
