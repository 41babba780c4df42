//! Generation of random well-typed Dafny programs.
//!
//! A program is a text, drawn top-down from types: [`declarations`] draws types, constants,
//! functions, methods and classes, [`statements`] their bodies, and [`expressions`] the text of an
//! expression of a requested type, from the variables in scope.
//!
//! Partial operations are guarded and repetitions bounded where they are drawn, so that every
//! program terminates normally, unless it is drawn to fail (see [`Shape::fails`]). Compound
//! expressions are parenthesized, because precedence is tested by the printer.

mod choices;
mod classes;
mod collections;
mod declarations;
mod expressions;
mod names;
mod numbers;
mod objects;
mod ranges;
mod refinement;
mod statements;
mod streams;
mod types;

use chacha20::ChaCha20Rng;
use rand::{RngExt, SeedableRng};

use classes::Class;
use declarations::{Callable, Data};
use ranges::Range;
use streams::Iterator;
use types::Type;

use crate::profile::Profile;

/// The size and purpose of a program.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// The number of statements of `Main`. Everything else is in proportion.
    pub size: usize,
    /// Whether the program halts on purpose: by a false `expect` or an index out of range.
    pub fails: bool,
    /// Whether the program has many nondeterministic choices: see [`choices`].
    pub chooses: bool,
    /// The language subset.
    pub profile: Profile,
}

impl Shape {
    /// The shape for a seed: sizes vary, and one program in ten halts on purpose.
    pub fn of(seed: u64) -> Self {
        let size = match seed % 3 {
            0 => 2,
            1 => 4,
            _ => 7,
        };
        Self {
            size,
            fails: seed % 10 == 9,
            chooses: false,
            profile: Profile::All,
        }
    }
}

/// Generates the program for a seed. The result is always the same text.
pub fn program(seed: u64, shape: Shape) -> String {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let rng = ChaCha20Rng::from_seed(bytes);
    let mut generator = Generator::new(rng, shape);
    generator.options();
    generator.declarations();
    if shape.chooses {
        generator.choosing_declarations();
    }
    generator.main();
    generator.lines.join("\n") + "\n"
}

/// A variable or constant in scope.
#[derive(Clone, Debug)]
struct Variable {
    name: String,
    ty: Type,
    /// Whether statements may assign to it.
    mutable: bool,
    /// Whether reading it reads the heap.
    heap: bool,
    /// For a constant, the module that declares it.
    module: Option<Home>,
}

/// The index of the module that contains a declaration. `None`: the top level.
type Home = Option<usize>;

/// The state of the generator: the declarations so far, and the variables in scope.
struct Generator {
    rng: ChaCha20Rng,
    shape: Shape,
    lines: Vec<String>,
    indent: usize,
    names: names::Names,

    modules: Vec<String>,
    home: Home,
    /// Whether the top level opens all modules.
    opened: bool,

    /// Whether a trait is a reference type only if it extends `object`.
    general_traits: bool,
    /// Whether characters are UTF-16 code units.
    code_units: bool,

    ranges: Vec<Range>,
    data: Vec<Data>,
    classes: Vec<Class>,
    functions: Vec<Callable>,
    methods: Vec<Callable>,
    constants: Vec<Variable>,
    iterators: Vec<Iterator>,

    scope: Vec<Variable>,
    /// The type parameters in scope.
    params: Vec<Type>,
    /// Whether the current code is a function, a lambda or a constant, which do not read the heap.
    pure: bool,
    /// Whether the current code is the condition of a `:|` statement, where Dafny's compiler
    /// rejects `var x :| …; …`.
    choosing: bool,
    body: statements::BodyContext,
}

impl Generator {
    fn new(rng: ChaCha20Rng, shape: Shape) -> Self {
        Self {
            rng,
            shape,
            lines: Vec::new(),
            indent: 0,
            names: names::Names::default(),
            modules: Vec::new(),
            home: None,
            opened: false,
            general_traits: false,
            code_units: false,
            ranges: Vec::new(),
            data: Vec::new(),
            classes: Vec::new(),
            functions: Vec::new(),
            methods: Vec::new(),
            constants: Vec::new(),
            iterators: Vec::new(),
            scope: Vec::new(),
            params: Vec::new(),
            pure: false,
            choosing: false,
            body: statements::BodyContext::default(),
        }
    }

    /// Draws options for some programs.
    fn options(&mut self) {
        self.general_traits = self.chance(20);
        self.code_units = self.chance(10);
        let mut options = String::new();
        if self.general_traits {
            options.push_str(" --general-traits:full");
        }
        if self.code_units {
            options.push_str(" --unicode-char:false");
        }
        if !options.is_empty() {
            self.line(format!("// options:{options}"));
        }
    }

    /// Whether programs of this profile are drawn.
    fn of_profile(&self, profile: Profile) -> bool {
        self.shape.profile == profile
    }

    /// Returns a number below `n`, which is positive.
    fn below(&mut self, n: usize) -> usize {
        self.rng.random_range(0..n.max(1))
    }

    /// Returns true with the given probability in percent.
    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn pick<T: Clone>(&mut self, of: &[T]) -> Option<T> {
        if of.is_empty() {
            None
        } else {
            of.get(self.below(of.len())).cloned()
        }
    }

    /// Returns one of the given choices.
    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }

    fn line(&mut self, text: impl AsRef<str>) {
        self.lines
            .push(format!("{}{}", "  ".repeat(self.indent), text.as_ref()));
    }

    /// Emits lines between `head {` and `}`, with a scope of their own.
    fn block(&mut self, head: &str, inside: impl FnOnce(&mut Self)) {
        let open = if head.is_empty() {
            "{".to_owned()
        } else {
            format!("{head} {{")
        };
        self.line(open);
        self.indent += 1;
        self.scoped(inside);
        self.indent -= 1;
        self.line("}");
    }

    /// Runs `inside` and removes its declarations from the scope.
    fn scoped<R>(&mut self, inside: impl FnOnce(&mut Self) -> R) -> R {
        let (scope, names) = (self.scope.clone(), self.names.clone());
        let result = inside(self);
        self.scope = scope;
        self.names.forget(names);
        result
    }

    /// Runs `inside` without drawing reads of the heap.
    fn purely<R>(&mut self, inside: impl FnOnce(&mut Self) -> R) -> R {
        let before = std::mem::replace(&mut self.pure, true);
        let result = inside(self);
        self.pure = before;
        result
    }

    /// Adds a variable, which hides another one with its name.
    fn declare(&mut self, name: &str, ty: &Type, mutable: bool) {
        self.scope.retain(|v| v.name != name);
        self.scope.push(Variable {
            name: name.to_owned(),
            ty: ty.clone(),
            mutable,
            heap: false,
            module: None,
        });
    }

    /// The path of a declaration in a module, seen from the current module.
    fn path(&self, home: Home, name: &str) -> String {
        match home {
            Some(m) if home != self.home && !(self.home.is_none() && self.opened) => {
                format!("{}.{name}", self.modules[m])
            }
            Some(_) | None => name.to_owned(),
        }
    }

    /// Whether declarations of a module are accessible from the current one.
    fn sees(&self, home: Home) -> bool {
        match (self.home, home) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(here), Some(there)) => there <= here,
        }
    }

    /// The variables and constants in scope whose types satisfy `wanted`.
    fn variables(&self, wanted: impl Fn(&Type) -> bool) -> Vec<Variable> {
        let hidden = |c: &&Variable| !self.scope.iter().any(|v| v.name == c.name);
        let constants = self
            .constants
            .iter()
            .filter(|c| self.sees(c.module.flatten()))
            .filter(hidden);
        let all = self
            .scope
            .iter()
            .chain(constants)
            .filter(|v| wanted(&v.ty) && !(self.pure && v.heap));
        all.map(|v| Variable {
            name: v
                .module
                .map_or_else(|| v.name.clone(), |m| self.path(m, &v.name)),
            ..v.clone()
        })
        .collect()
    }
}
