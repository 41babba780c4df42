//! Paths and types.

/// A path of more than one name, or with type arguments.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Path {
    /// `<T as …>`
    pub(crate) qself: Option<Box<SelfType>>,
    pub(crate) has_leading_colons: bool,
    pub(crate) segments: Vec<Segment>,
    /// It may be one of the run-time library or of Rust: its first name is none that the program declares here.
    pub(super) is_of_library: bool,
}

/// The type before the members of a path: `<T as Trait>::…`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SelfType {
    pub(crate) ty: Type,
    /// How many segments of the path are the trait's.
    pub(crate) of_trait: usize,
}

/// A name of a path with its type arguments.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Segment {
    pub(crate) name: String,
    pub(crate) generics: Generics,
}

/// The arguments of a generic type or function.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Generics {
    #[default]
    None,
    /// `<'a, T, 3>`
    Arguments(Vec<GenericArgument>),
    /// `(A, B) -> R`, of `Fn` and its like.
    Function(Vec<Type>, Option<Box<Type>>),
}

/// `T`, `'a`, `3`, `Item = T`
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum GenericArgument {
    Type(Type),
    Lifetime(String),
    Const(String),
    Associated(String, Type),
}

/// A type.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Type {
    Path(Path),
    /// `&'a mut T`
    Reference {
        lifetime: Option<String>,
        mutable: bool,
        of: Box<Type>,
    },
    Tuple(Vec<Type>),
    /// `[T; length]`
    Array(Box<Type>, String),
    Slice(Box<Type>),
    /// `dyn A + 'b`
    Dyn(Vec<Bound>),
    /// `_`
    Infer,
}

/// What a type has to be: `Trait`, `'a`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Bound {
    Trait(Path),
    Lifetime(String),
}

impl Path {
    /// Whether it consists of these names.
    pub(crate) fn is(&self, names: &[&str]) -> bool {
        self.segments.len() == names.len()
            && self.segments.iter().zip(names).all(|(s, n)| s.name == *n)
    }

    /// Whether it is this function of the run-time library.
    pub(crate) fn is_library_function(&self, name: &str) -> bool {
        self.is(&[name]) || self.is(&["dunit", name])
    }

    /// Whether it is this associated function of one of these types of the run-time library.
    pub(crate) fn is_of_library_type(&self, types: &[&str], name: &str) -> bool {
        let ty = match self.segments.as_slice() {
            [ty, _] if self.is_of_library => ty,
            [dunit, ty, _] if dunit.name == "dunit" => ty,
            _ => return false,
        };
        self.last() == name && types.contains(&ty.name.as_str())
    }

    pub(crate) fn last(&self) -> &str {
        self.segments.last().map_or("", |s| &s.name)
    }

    /// Whether it has nothing but names.
    pub(crate) fn is_of_names(&self) -> bool {
        self.qself.is_none() && self.segments.iter().all(|s| s.generics == Generics::None)
    }

    /// Whether it starts with `<T as …>`.
    pub(crate) fn is_qualified(&self) -> bool {
        self.qself.is_some()
    }

    /// Takes off the type arguments of all names but the last.
    pub(crate) fn drop_type_arguments(&mut self) {
        let inner = self.segments.len().saturating_sub(1);
        self.segments
            .iter_mut()
            .take(inner)
            .for_each(|s| s.generics = Generics::None);
    }
}
