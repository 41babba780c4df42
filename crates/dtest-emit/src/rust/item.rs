//! Items of a module, and members of an `impl` or a trait.
//!
//! The translation builds items with unresolved functions ([`FnItem`]); after the passes they have
//! functions with resolved names ([`Function`]).

use super::{Block, Bound, Expr, Ident, Kept, NameId, NameTable, Pat, Path, Stmts, Type};

/// An item; `F` is its type of functions.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Item<F = FnItem> {
    Struct(Struct),
    Enum(Enum),
    Trait(Trait<F>),
    Impl(Impl<F>),
    Mod(Module<F>),
    Use(Use),
    /// `type Name = Type;`
    Alias(Alias),
    Fn(F),
    /// An item of an existing file.
    Kept(Kept),
}

/// A member of an `impl` or a trait.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Member<F = FnItem> {
    Fn(F),
    /// `fn name();`, of a trait or a mock.
    Declared(Signature),
}

/// The common part of most items.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Head {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) is_public: bool,
    pub(crate) name: Ident,
    pub(crate) generics: Vec<GenericParam>,
}

/// `#[…]`
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Attribute {
    /// A line of documentation.
    Doc(String),
    /// A comment on a line of its own, without its `//`.
    Comment(String),
    /// `#[path(arguments)]`; without parentheses where there are none.
    Of(Path, Vec<AttributeArgument>),
}

/// `value`, `name = value`
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AttributeArgument {
    pub(crate) name: Option<String>,
    pub(crate) value: Expr,
}

/// `T: A + 'b`
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct GenericParam {
    pub(crate) name: String,
    pub(crate) bounds: Vec<Bound>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Struct {
    pub(crate) head: Head,
    pub(crate) fields: Fields,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Fields {
    /// `(A, B);`
    Tuple(Vec<Field>),
    /// `{ a: A, b: B }`
    Named(Vec<Field>),
}

/// A field; of a tuple, its name is empty.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Field {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) is_public: bool,
    pub(crate) name: Ident,
    pub(crate) ty: Type,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Enum {
    pub(crate) head: Head,
    pub(crate) variants: Vec<Variant>,
}

/// `Name { a: A }`; without braces where there are no fields.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Variant {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) name: Ident,
    pub(crate) fields: Vec<Field>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Trait<F = FnItem> {
    pub(crate) head: Head,
    pub(crate) supertraits: Vec<Bound>,
    pub(crate) members: Vec<Member<F>>,
}

/// `impl<T> of_trait for ty { … }`
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Impl<F = FnItem> {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) generics: Vec<GenericParam>,
    pub(crate) of_trait: Option<Type>,
    pub(crate) ty: Type,
    pub(crate) members: Vec<Member<F>>,
}

/// `mod name { … }`
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Module<F = FnItem> {
    pub(crate) head: Head,
    pub(crate) items: Vec<Item<F>>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Alias {
    pub(crate) head: Head,
    pub(crate) ty: Type,
}

/// `use path;`
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Use {
    pub(crate) is_public: bool,
    pub(crate) path: Path,
    pub(crate) what: Used,
}

/// The imported part of a path.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Used {
    Itself,
    /// `as name`
    As(Ident),
    /// `::*`
    All,
    /// `::{a, b}`
    Names(Vec<String>),
}

/// A function without its body.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Signature<N = Ident> {
    pub(crate) head: Head,
    pub(crate) is_async: bool,
    /// `&self` comes first.
    pub(crate) has_self: bool,
    pub(crate) params: Vec<FnParam<N>>,
    pub(crate) result: Option<Type>,
}

/// A parameter of a function.
pub(crate) type FnParam<N = Ident> = (Pat<N>, Type);

/// A function with its body.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FnItem<N = Ident> {
    pub(crate) signature: Signature<N>,
    pub(crate) body: Block<N>,
}

/// A function with resolved names. The table includes those of nested functions.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Function {
    pub(crate) names: NameTable,
    pub(crate) signature: Signature<NameId>,
    pub(crate) body: Block<NameId>,
}

impl Use {
    /// Creates `use names::*;`.
    pub(crate) fn all_of(names: &[&str]) -> Self {
        Self {
            is_public: false,
            path: Path::of(names.iter().copied().map(Ident::new)),
            what: Used::All,
        }
    }

    /// Creates `use names;`.
    pub(crate) fn itself(names: &[&str]) -> Self {
        Self {
            what: Used::Itself,
            ..Self::all_of(names)
        }
    }

    /// Returns the imported names; none are known for `::*`.
    pub(crate) fn names(&self) -> Vec<&str> {
        match &self.what {
            Used::Itself => vec![self.path.last()],
            Used::As(name) => vec![name.as_str()],
            Used::All => Vec::new(),
            Used::Names(names) => names.iter().map(String::as_str).collect(),
        }
    }
}

impl<F> Item<F> {
    /// Returns the name of the declared type or trait.
    pub(crate) fn declared_type(&self) -> Option<&Ident> {
        match self {
            Self::Struct(Struct { head, .. })
            | Self::Enum(Enum { head, .. })
            | Self::Trait(Trait { head, .. })
            | Self::Alias(Alias { head, .. }) => Some(&head.name),
            Self::Impl(_) | Self::Mod(_) | Self::Use(_) | Self::Fn(_) | Self::Kept(_) => None,
        }
    }

    /// Converts the functions in the item.
    pub(crate) fn map<G>(self, f: &mut impl FnMut(F) -> G) -> Item<G> {
        match self {
            Self::Struct(s) => Item::Struct(s),
            Self::Enum(e) => Item::Enum(e),
            Self::Trait(t) => Item::Trait(Trait {
                head: t.head,
                supertraits: t.supertraits,
                members: map_members(t.members, f),
            }),
            Self::Impl(i) => {
                let Impl {
                    attrs,
                    generics,
                    of_trait,
                    ty,
                    members,
                } = i;
                Item::Impl(Impl {
                    attrs,
                    generics,
                    of_trait,
                    ty,
                    members: map_members(members, f),
                })
            }
            Self::Mod(m) => Item::Mod(Module {
                head: m.head,
                items: m.items.into_iter().map(|i| i.map(f)).collect(),
            }),
            Self::Use(u) => Item::Use(u),
            Self::Alias(a) => Item::Alias(a),
            Self::Fn(function) => Item::Fn(f(function)),
            Self::Kept(k) => Item::Kept(k),
        }
    }
}

fn map_members<F, G>(members: Vec<Member<F>>, f: &mut impl FnMut(F) -> G) -> Vec<Member<G>> {
    let member = |m| match m {
        Member::Fn(function) => Member::Fn(f(function)),
        Member::Declared(signature) => Member::Declared(signature),
    };
    members.into_iter().map(member).collect()
}

impl FnItem {
    /// Creates a function from a signature and statements.
    pub(crate) fn new(signature: Signature, stmts: Stmts) -> Self {
        Self {
            signature,
            body: Block { stmts },
        }
    }
}

impl AttributeArgument {
    /// Creates `name`.
    pub(crate) fn name(name: &str) -> Self {
        Self {
            name: None,
            value: Expr::name(name),
        }
    }

    /// Creates `name = value`.
    pub(crate) fn named(name: &str, value: impl Into<Expr>) -> Self {
        Self {
            name: Some(name.to_owned()),
            value: value.into(),
        }
    }
}

impl From<FnItem> for Member {
    fn from(function: FnItem) -> Self {
        Self::Fn(function)
    }
}

impl From<&GenericParam> for GenericParam {
    fn from(param: &GenericParam) -> Self {
        param.clone()
    }
}

impl From<&Ident> for GenericParam {
    fn from(name: &Ident) -> Self {
        Self {
            name: name.to_string(),
            bounds: Vec::new(),
        }
    }
}
