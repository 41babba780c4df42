//! Paths and types.

/// A path of more than one name, or with type arguments.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Path {
    /// `<T as …>`
    pub(crate) qself: Option<Box<SelfType>>,
    pub(crate) has_leading_colons: bool,
    pub(crate) segments: Vec<Segment>,
    /// Whether the path may belong to the run-time library or to Rust: the program does not declare
    /// its first name here.
    pub(super) is_of_library: bool,
}

/// The type at the start of a path: `<T as Trait>::…`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SelfType {
    pub(crate) ty: Type,
    /// The number of segments of the path that belong to the trait.
    pub(crate) of_trait: usize,
}

/// A segment of a path with its generic arguments.
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

/// A bound of a type: `Trait`, `'a`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Bound {
    Trait(Path),
    Lifetime(String),
}

impl Path {
    /// Whether the path consists of these names.
    pub(crate) fn is(&self, names: &[&str]) -> bool {
        self.segments.len() == names.len()
            && self.segments.iter().zip(names).all(|(s, n)| s.name == *n)
    }

    /// Whether the path names this function of the run-time library.
    pub(crate) fn is_library_function(&self, name: &str) -> bool {
        self.is(&[name]) || self.is(&["dunit", name])
    }

    /// Whether the path names this associated function of one of these types of the run-time
    /// library.
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

    /// Whether the path has no generic arguments and no type at its start.
    pub(crate) fn is_of_names(&self) -> bool {
        self.qself.is_none() && self.segments.iter().all(|s| s.generics == Generics::None)
    }

    /// Whether the path starts with `<T as …>`.
    pub(crate) fn is_qualified(&self) -> bool {
        self.qself.is_some()
    }

    /// Removes the type arguments of all segments but the last.
    pub(crate) fn drop_type_arguments(&mut self) {
        let inner = self.segments.len().saturating_sub(1);
        self.segments
            .iter_mut()
            .take(inner)
            .for_each(|s| s.generics = Generics::None);
    }
}
