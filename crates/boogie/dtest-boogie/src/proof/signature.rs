//! Translation of types and functions to sorts and functions of SMT-LIB.
//!
//! SMT-LIB has no polymorphism: each ground type is a sort, and each function is declared once for
//! each list of type arguments. Quantifications over types are instantiated with the types that
//! occur (Bobot and Paskevich, *Expressing Polymorphic Types in a Many-Sorted Language*, FroCoS
//! 2011). The instances are implied by the original, so that a refutation stays valid.
//!
//! Key types: [`Signature`], [`Symbol`].

use boogie_resolve::typed::{ConstructorId, FunctionId, MapType, Program, Type, TypeVar};
use dtest_sorted::SortedSet;
use rustc_hash::FxHashMap;

use crate::types::substitute;

/// A function of the solver, independent of type arguments.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) enum Symbol {
    /// A function of the program.
    Function(FunctionId),
    /// The selection of an element of a map of this type.
    Select(Type),
    /// The update of a map of this type.
    Store(Type),
    /// A field of a constructor.
    Field(ConstructorId, usize),
    /// The index of the constructor of a datatype value.
    Tag(Type),
    /// The equality of values of two types that may be the same.
    Same(Type, Type),
}

/// A function with type arguments.
pub(super) type Instance = (Symbol, Vec<Type>);

/// A formula, term or name of SMT-LIB; `None` if there is no translation.
pub(super) type Text = Option<String>;

/// The first type variable for parameters of map types in canonical form.
const CANONICAL: u32 = u32::MAX / 2;
/// The first type variable for arbitrary types.
const ANY: u32 = CANONICAL / 2;
/// The limit of nested type arguments.
const DEPTH: usize = 5;

/// The declared sorts and functions.
#[derive(Debug)]
pub(super) struct Signature<'p> {
    pub(super) program: &'p Program,
    sorts: FxHashMap<Type, String>,
    symbols: FxHashMap<Instance, String>,
    /// The functions in declaration order.
    pub(super) declared: Vec<Instance>,
    /// The text of the declarations.
    pub(super) text: String,
    serial: u32,
    /// The number of arbitrary types. They have a counter of their own, because their names must
    /// not depend on other declarations.
    any: u32,
}

impl<'p> Signature<'p> {
    pub(super) fn new(program: &'p Program) -> Self {
        Self {
            program,
            sorts: FxHashMap::default(),
            symbols: FxHashMap::default(),
            declared: Vec::new(),
            text: String::new(),
            serial: 0,
            any: 0,
        }
    }

    /// Returns all declared functions.
    pub(super) fn instances(&self) -> SortedSet<Instance> {
        self.declared.iter().cloned().collect()
    }

    /// Returns a fresh name.
    pub(super) fn fresh(&mut self, prefix: &str) -> String {
        self.serial += 1;
        format!("{prefix}!{}", self.serial)
    }

    /// Returns a fresh arbitrary type.
    pub(super) fn any_type(&mut self) -> Type {
        self.any += 1;
        Type::Var(TypeVar(ANY + self.any))
    }

    /// Declares a constant of this sort.
    pub(super) fn constant(&mut self, prefix: &str, sort: &str) -> String {
        let name = self.fresh(prefix);
        self.text
            .push_str(&format!("(declare-fun {name} () {sort})\n"));
        name
    }

    /// Returns the sort of a type; `None` for floating-point numbers, bitvectors of width 0, and
    /// types that are nested too deeply.
    pub(super) fn sort(&mut self, ty: &Type) -> Text {
        match ty {
            Type::Bool => return Some("Bool".into()),
            Type::Int => return Some("Int".into()),
            Type::Real => return Some("Real".into()),
            Type::Bv(w) if *w > 0 => return Some(format!("(_ BitVec {w})")),
            Type::Bv(_) | Type::Float(..) | Type::Meta(_) => return None,
            Type::Opaque(_) | Type::Constructor(..) | Type::Var(_) | Type::Map(_) => {}
        }
        let ty = canonical(ty, 0);
        if let Some(known) = self.sorts.get(&ty) {
            return Some(known.clone());
        }
        if depth(&ty) > DEPTH {
            return None;
        }
        let name = format!("T!{}", self.sorts.len());
        self.text.push_str(&format!(
            "(declare-sort {name} 0) ; {}\n",
            self.program.type_text(&ty).replace('\n', " ")
        ));
        self.sorts.insert(ty, name.clone());
        Some(name)
    }

    /// Returns the name of a function for these type arguments.
    pub(super) fn symbol(&mut self, symbol: Symbol, types: &[Type]) -> Text {
        let symbol = match symbol {
            Symbol::Select(ty) => Symbol::Select(canonical(&ty, 0)),
            Symbol::Store(ty) => Symbol::Store(canonical(&ty, 0)),
            Symbol::Tag(ty) => Symbol::Tag(canonical(&ty, 0)),
            Symbol::Same(a, b) => Symbol::Same(canonical(&a, 0), canonical(&b, 0)),
            Symbol::Function(_) | Symbol::Field(..) => symbol,
        };
        let key = (
            symbol,
            types.iter().map(|t| canonical(t, 0)).collect::<Vec<_>>(),
        );
        if let Some(known) = self.symbols.get(&key) {
            return Some(known.clone());
        }
        let (args, result) = self.shape(&key)?;
        let mut sorts = Vec::new();
        for arg in &args {
            sorts.push(self.sort(arg)?);
        }
        let result = self.sort(&result)?;
        let name = format!("f!{}", self.symbols.len());
        self.text.push_str(&format!(
            "(declare-fun {name} ({}) {result}) ; {}\n",
            sorts.join(" "),
            self.title(&key)
        ));
        self.symbols.insert(key.clone(), name.clone());
        self.declared.push(key);
        Some(name)
    }

    /// Returns the equality of two terms. Values of different types are different, unless a type
    /// may be any type: then the equality is uninterpreted.
    pub(super) fn equal(&mut self, (x, a): (&str, &Type), (y, b): (&str, &Type)) -> Text {
        let (a, b) = (canonical(a, 0), canonical(b, 0));
        if a == b {
            return Some(format!("(= {x} {y})"));
        }
        if !may_be_any(&a) && !may_be_any(&b) {
            return Some("false".into());
        }
        let ((x, a), (y, b)) = if a < b {
            ((x, a), (y, b))
        } else {
            ((y, b), (x, a))
        };
        let same = self.symbol(Symbol::Same(a, b), &[])?;
        Some(format!("({same} {x} {y})"))
    }

    fn title(&self, (symbol, types): &Instance) -> String {
        let types: Vec<String> = types.iter().map(|t| self.program.type_text(t)).collect();
        let name = match symbol {
            Symbol::Function(f) => self.program.function(*f).name.to_string(),
            Symbol::Select(_) => "select".into(),
            Symbol::Store(_) => "store".into(),
            Symbol::Field(c, i) => format!("field {i} of {}", self.program.constructor(*c).name),
            Symbol::Tag(_) => "constructor".into(),
            Symbol::Same(..) => "same".into(),
        };
        format!("{name} {}", types.join(", ")).replace('\n', " ")
    }

    /// Returns the types of the arguments and the result of a function.
    pub(super) fn shape(&self, (symbol, types): &Instance) -> Option<(Vec<Type>, Type)> {
        match symbol {
            Symbol::Function(f) => {
                let function = self.program.function(*f);
                let with = pairs(&function.type_params, types);
                let args = function
                    .params
                    .iter()
                    .map(|p| substitute(&self.program.var(*p).ty, &with))
                    .collect();
                Some((args, substitute(&function.result, &with)))
            }
            Symbol::Select(ty) | Symbol::Store(ty) => {
                let Type::Map(m) = ty else { return None };
                let with = pairs(&m.params, types);
                let mut args = vec![ty.clone()];
                args.extend(m.args.iter().map(|a| substitute(a, &with)));
                let element = substitute(&m.result, &with);
                if matches!(symbol, Symbol::Select(_)) {
                    return Some((args, element));
                }
                args.push(element);
                Some((args, ty.clone()))
            }
            Symbol::Field(c, i) => {
                let constructor = self.program.constructor(*c);
                let with = pairs(&constructor.type_params, types);
                let (_, field) = constructor.fields.get(*i)?;
                Some((
                    vec![Type::Constructor(constructor.ty, types.clone())],
                    substitute(field, &with),
                ))
            }
            Symbol::Tag(ty) => Some((vec![ty.clone()], Type::Int)),
            Symbol::Same(a, b) => Some((vec![a.clone(), b.clone()], Type::Bool)),
        }
    }
}

/// Pairs type parameters with their arguments.
pub(super) fn pairs(params: &[TypeVar], types: &[Type]) -> FxHashMap<TypeVar, Type> {
    params.iter().copied().zip(types.iter().cloned()).collect()
}

/// Returns a type in canonical form: the names of map type parameters depend only on their
/// position.
pub(super) fn canonical(ty: &Type, level: u32) -> Type {
    match ty {
        Type::Constructor(id, args) => {
            Type::Constructor(*id, args.iter().map(|a| canonical(a, level)).collect())
        }
        Type::Map(m) => {
            let names = |i: usize| TypeVar(CANONICAL + level * 64 + i as u32);
            let params: Vec<TypeVar> = (0..m.params.len()).map(names).collect();
            let with = pairs(
                &m.params,
                &params.iter().map(|p| Type::Var(*p)).collect::<Vec<_>>(),
            );
            let inner = |t: &Type| canonical(&substitute(t, &with), level + 1);
            let map = MapType {
                params,
                args: m.args.iter().map(inner).collect(),
                result: inner(&m.result),
            };
            Type::Map(std::sync::Arc::new(map))
        }
        Type::Bool
        | Type::Int
        | Type::Real
        | Type::Bv(_)
        | Type::Float(..)
        | Type::Opaque(_)
        | Type::Var(_)
        | Type::Meta(_) => ty.clone(),
    }
}

/// Whether a part of a type may be any type.
pub(super) fn may_be_any(ty: &Type) -> bool {
    match ty {
        Type::Var(v) => (ANY..CANONICAL).contains(&v.0),
        Type::Constructor(_, args) => args.iter().any(may_be_any),
        Type::Map(m) => m.args.iter().chain([&m.result]).any(may_be_any),
        Type::Bool
        | Type::Int
        | Type::Real
        | Type::Bv(_)
        | Type::Float(..)
        | Type::Opaque(_)
        | Type::Meta(_) => false,
    }
}

fn depth(ty: &Type) -> usize {
    match ty {
        Type::Constructor(_, args) => 1 + args.iter().map(depth).max().unwrap_or(0),
        Type::Map(m) => {
            1 + m
                .args
                .iter()
                .chain([&m.result])
                .map(depth)
                .max()
                .unwrap_or(0)
        }
        Type::Bool
        | Type::Int
        | Type::Real
        | Type::Bv(_)
        | Type::Float(..)
        | Type::Opaque(_)
        | Type::Var(_)
        | Type::Meta(_) => 1,
    }
}

/// Matches `pattern` with `ground` by extending `found` for the variables in `open`. Returns
/// whether they match.
pub(super) fn matches(
    pattern: &Type,
    ground: &Type,
    open: &[TypeVar],
    found: &mut FxHashMap<TypeVar, Type>,
) -> bool {
    match (pattern, ground) {
        (Type::Var(v), _) if open.contains(v) => match found.get(v) {
            Some(known) => known == ground,
            None => {
                found.insert(*v, ground.clone());
                true
            }
        },
        (Type::Constructor(a, xs), Type::Constructor(b, ys)) => {
            a == b
                && xs.len() == ys.len()
                && xs.iter().zip(ys).all(|(x, y)| matches(x, y, open, found))
        }
        (Type::Map(a), Type::Map(b)) => {
            let same = a.params.len() == b.params.len() && a.args.len() == b.args.len();
            let parts = a
                .args
                .iter()
                .chain([&a.result])
                .zip(b.args.iter().chain([&b.result]));
            same && parts.into_iter().all(|(x, y)| matches(x, y, open, found))
        }
        (
            Type::Bool
            | Type::Int
            | Type::Real
            | Type::Bv(_)
            | Type::Float(..)
            | Type::Opaque(_)
            | Type::Constructor(..)
            | Type::Var(_)
            | Type::Map(_)
            | Type::Meta(_),
            _,
        ) => pattern == ground,
    }
}
