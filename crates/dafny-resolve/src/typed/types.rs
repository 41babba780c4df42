//! Types, and the functions that depend on types alone.

use super::{ModuleId, Program, TypeDeclKind, TypeId, TypeParamId};
pub use dafny_syntax::ast::ArrowKind;

/// A type. Synonyms are expanded; subset types and newtypes are not.
#[derive(
    Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
pub enum Type {
    /// The type `bool`.
    Bool,
    /// The type `char`.
    Char,
    /// The type `int`.
    Int,
    /// The type `real`.
    Real,
    /// A bitvector type `bvN`.
    Bv(u32),
    /// The type `ORDINAL`.
    Ordinal,
    /// A sequence type `seq<T>`. `string` is `seq<char>`.
    Seq(Box<Type>),
    /// A set type `set<T>` or `iset<T>`.
    Set {
        /// Whether it is `set` and not `iset`.
        finite: bool,
        /// The element type.
        elem: Box<Type>,
    },
    /// A multiset type `multiset<T>`.
    Multiset(Box<Type>),
    /// A map type `map<K, V>` or `imap<K, V>`.
    Map {
        /// Whether it is `map` and not `imap`.
        finite: bool,
        /// The key type.
        key: Box<Type>,
        /// The value type.
        value: Box<Type>,
    },
    /// A tuple type. The flag marks ghost components. `()` has no components.
    Tuple(Vec<(bool, Type)>),
    /// A function type.
    Arrow {
        /// The kind of arrow.
        kind: ArrowKind,
        /// The parameter types.
        params: Vec<Type>,
        /// The result type.
        result: Box<Type>,
    },
    /// An array of `dims` ≥ 1 dimensions.
    Array {
        /// The number of dimensions.
        dims: u32,
        /// Whether it is `array?`.
        nullable: bool,
        /// The element type.
        elem: Box<Type>,
    },
    /// The type `object` or `object?`.
    Object {
        /// Whether it is `object?`.
        nullable: bool,
    },
    /// A declared type with its arguments. For classes, iterators and reference traits, the
    /// non-null type `C` or, if `nullable`, `C?`.
    Named {
        /// The declaration.
        decl: TypeId,
        /// The type arguments.
        args: Vec<Type>,
        /// Whether it is `C?`.
        nullable: bool,
    },
    /// A type parameter.
    Param(TypeParamId),
    /// The type of an expression with a reported error.
    Error,
}

/// A map from type parameters to types.
pub type Substitution = rustc_hash::FxHashMap<TypeParamId, Type>;

impl Type {
    /// Returns `string`.
    pub fn string() -> Self {
        Self::Seq(Box::new(Self::Char))
    }

    /// Returns `()`.
    pub fn unit() -> Self {
        Self::Tuple(Vec::new())
    }

    /// Returns a declared type that is not nullable.
    pub fn named(decl: TypeId, args: Vec<Type>) -> Self {
        Self::Named {
            decl,
            args,
            nullable: false,
        }
    }

    /// The component types, one level deep, in the order of the text.
    pub fn parts(&self) -> impl Iterator<Item = &Type> {
        let mut many: &[Type] = &[];
        let mut components: &[(bool, Type)] = &[];
        let mut last: [Option<&Type>; 2] = [None, None];
        match self {
            Self::Bool
            | Self::Char
            | Self::Int
            | Self::Real
            | Self::Bv(_)
            | Self::Ordinal
            | Self::Object { .. }
            | Self::Param(_)
            | Self::Error => {}
            Self::Seq(elem)
            | Self::Multiset(elem)
            | Self::Set { elem, .. }
            | Self::Array { elem, .. } => last = [Some(elem), None],
            Self::Map { key, value, .. } => last = [Some(key), Some(value)],
            Self::Tuple(parts) => components = parts,
            Self::Arrow { params, result, .. } => (many, last) = (params, [Some(&**result), None]),
            Self::Named { args, .. } => many = args,
        }
        many.iter()
            .chain(components.iter().map(|(_, t)| t))
            .chain(last.into_iter().flatten())
    }

    /// The component types that exist at run time: all but ghost components of tuples.
    pub fn compiled_parts(&self) -> Vec<&Type> {
        if let Self::Tuple(components) = self {
            components
                .iter()
                .filter(|(ghost, _)| !ghost)
                .map(|(_, t)| t)
                .collect()
        } else {
            self.parts().collect()
        }
    }

    /// Whether the type, or a component at any depth, has the property.
    pub fn any(&self, property: &mut dyn FnMut(&Type) -> bool) -> bool {
        property(self) || self.parts().any(|t| t.any(property))
    }

    /// Replaces each component type, one level deep.
    #[must_use]
    pub fn map_parts(&self, replace: &mut dyn FnMut(&Type) -> Type) -> Type {
        match self {
            Self::Bool
            | Self::Char
            | Self::Int
            | Self::Real
            | Self::Bv(_)
            | Self::Ordinal
            | Self::Object { .. }
            | Self::Param(_)
            | Self::Error => self.clone(),
            Self::Seq(elem) => Self::Seq(Box::new(replace(elem))),
            Self::Multiset(elem) => Self::Multiset(Box::new(replace(elem))),
            Self::Set { finite, elem } => Self::Set {
                finite: *finite,
                elem: Box::new(replace(elem)),
            },
            Self::Map { finite, key, value } => Self::Map {
                finite: *finite,
                key: Box::new(replace(key)),
                value: Box::new(replace(value)),
            },
            Self::Tuple(components) => Self::Tuple(
                components
                    .iter()
                    .map(|(ghost, t)| (*ghost, replace(t)))
                    .collect(),
            ),
            Self::Arrow {
                kind,
                params,
                result,
            } => {
                let params = params.iter().map(&mut *replace).collect();
                Self::Arrow {
                    kind: *kind,
                    params,
                    result: Box::new(replace(result)),
                }
            }
            Self::Array {
                dims,
                nullable,
                elem,
            } => Self::Array {
                dims: *dims,
                nullable: *nullable,
                elem: Box::new(replace(elem)),
            },
            Self::Named {
                decl,
                args,
                nullable,
            } => Self::Named {
                decl: *decl,
                args: args.iter().map(replace).collect(),
                nullable: *nullable,
            },
        }
    }

    /// Substitutes type parameters.
    #[must_use]
    pub fn subst(&self, map: &Substitution) -> Type {
        if map.is_empty() {
            self.clone()
        } else if let Self::Param(p) = self {
            map.get(p).cloned().unwrap_or(Self::Param(*p))
        } else {
            self.map_parts(&mut |t| t.subst(map))
        }
    }
}

impl Type {
    /// The nullability flag of a reference type.
    pub(crate) fn nullable_mut(&mut self) -> Option<&mut bool> {
        match self {
            Self::Array { nullable, .. }
            | Self::Object { nullable }
            | Self::Named { nullable, .. } => Some(nullable),
            Self::Bool
            | Self::Char
            | Self::Int
            | Self::Real
            | Self::Bv(_)
            | Self::Ordinal
            | Self::Param(_)
            | Self::Error => None,
            Self::Seq(_)
            | Self::Set { .. }
            | Self::Multiset(_)
            | Self::Map { .. }
            | Self::Tuple(_)
            | Self::Arrow { .. } => None,
        }
    }
}

impl Program {
    /// The substitution of a declared type's parameters by `args`.
    pub fn substitution(&self, decl: TypeId, args: &[Type]) -> Substitution {
        self[decl]
            .type_params
            .iter()
            .copied()
            .zip(args.iter().cloned())
            .collect()
    }

    /// Whether values of a type are ordered in `decreases` clauses: all but infinite collections.
    pub fn has_order(&self, ty: &Type) -> bool {
        !matches!(
            self.strip_subset(ty),
            Type::Set { finite: false, .. } | Type::Map { finite: false, .. }
        )
    }

    /// Strips all subset types at the head. Newtypes are kept.
    pub fn strip_subset(&self, ty: &Type) -> Type {
        let mut ty = ty.clone();
        while let Type::Named { decl, args, .. } = &ty {
            match &self[*decl].kind {
                TypeDeclKind::Subset(c) => ty = c.base.subst(&self.substitution(*decl, args)),
                TypeDeclKind::Datatype { .. }
                | TypeDeclKind::Newtype(_)
                | TypeDeclKind::Abstract
                | TypeDeclKind::Class
                | TypeDeclKind::Trait { .. }
                | TypeDeclKind::Iterator(_) => break,
            }
        }
        ty
    }

    /// The smallest and largest number in the native representation of a type. `None` if compiled
    /// code uses unbounded numbers.
    pub fn native_range(&self, ty: &Type) -> Option<(num_bigint::BigInt, num_bigint::BigInt)> {
        let Type::Named { decl, .. } = self.strip_subset(ty) else {
            return None;
        };
        let TypeDeclKind::Newtype(c) = &self[decl].kind else {
            return None;
        };
        c.native.map(super::NativeType::range)
    }

    /// Strips all subset types and newtypes at the head, which leaves the type of the represented
    /// values.
    pub fn representation(&self, ty: &Type) -> Type {
        let mut ty = self.strip_subset(ty);
        while let Type::Named { decl, args, .. } = &ty {
            let TypeDeclKind::Newtype(c) = &self[*decl].kind else {
                break;
            };
            ty = self.strip_subset(&c.base.subst(&self.substitution(*decl, args)));
        }
        ty
    }

    /// Whether values are references: arrays, objects of classes and reference traits.
    pub fn is_reference(&self, ty: &Type) -> bool {
        match self.strip_subset(ty) {
            Type::Array { .. } | Type::Object { .. } => true,
            Type::Named { decl, .. } => match &self[decl].kind {
                TypeDeclKind::Class | TypeDeclKind::Iterator(_) => true,
                TypeDeclKind::Trait { is_reference } => *is_reference,
                TypeDeclKind::Datatype { .. }
                | TypeDeclKind::Newtype(_)
                | TypeDeclKind::Subset(_)
                | TypeDeclKind::Abstract => false,
            },
            Type::Bool
            | Type::Char
            | Type::Int
            | Type::Real
            | Type::Bv(_)
            | Type::Ordinal
            | Type::Seq(_)
            | Type::Set { .. }
            | Type::Multiset(_)
            | Type::Map { .. }
            | Type::Tuple(_)
            | Type::Arrow { .. }
            | Type::Param(_)
            | Type::Error => false,
        }
    }

    /// The type in Dafny syntax, with unqualified names.
    pub fn show_type(&self, ty: &Type) -> String {
        self.type_text(ty, false)
    }

    /// The type in Dafny syntax, with names qualified by their modules.
    pub fn show_type_with_modules(&self, ty: &Type) -> String {
        self.type_text(ty, true)
    }

    /// The texts of two types for one message. They have the modules of the types if they would be
    /// equal without them.
    pub fn show_types(&self, a: &Type, b: &Type) -> (String, String) {
        let with_modules = a != b && self.type_text(a, false) == self.type_text(b, false);
        (
            self.type_text(a, with_modules),
            self.type_text(b, with_modules),
        )
    }

    /// The path of a module, with a dot at the end; empty for the default module.
    fn module_prefix(&self, module: ModuleId) -> String {
        let mut text = String::new();
        let mut at = Some(module);
        while let Some(here) = at {
            let module = &self[here];
            if !module.name.is_empty() {
                text = format!("{}.{text}", module.name);
            }
            at = module.parent;
        }
        text
    }

    fn type_text(&self, ty: &Type, with_modules: bool) -> String {
        let list = |ts: &[Type]| {
            ts.iter()
                .map(|t| self.type_text(t, with_modules))
                .collect::<Vec<_>>()
                .join(", ")
        };
        let args = |ts: &[Type]| {
            if ts.is_empty() {
                String::new()
            } else {
                format!("<{}>", list(ts))
            }
        };
        match ty {
            Type::Bool => "bool".into(),
            Type::Char => "char".into(),
            Type::Int => "int".into(),
            Type::Real => "real".into(),
            Type::Bv(n) => format!("bv{n}"),
            Type::Ordinal => "ORDINAL".into(),
            Type::Seq(e) if **e == Type::Char => "string".into(),
            Type::Seq(e) => format!("seq<{}>", self.type_text(e, with_modules)),
            Type::Set { finite, elem } => format!(
                "{}<{}>",
                if *finite { "set" } else { "iset" },
                self.type_text(elem, with_modules)
            ),
            Type::Multiset(e) => format!("multiset<{}>", self.type_text(e, with_modules)),
            Type::Map { finite, key, value } => {
                format!(
                    "{}<{}, {}>",
                    if *finite { "map" } else { "imap" },
                    self.type_text(key, with_modules),
                    self.type_text(value, with_modules)
                )
            }
            Type::Tuple(cs) => {
                let cs: Vec<_> = cs
                    .iter()
                    .map(|(g, t)| {
                        format!(
                            "{}{}",
                            if *g { "ghost " } else { "" },
                            self.type_text(t, with_modules)
                        )
                    })
                    .collect();
                format!("({})", cs.join(", "))
            }
            Type::Arrow {
                kind,
                params,
                result,
            } => {
                let arrow = match kind {
                    ArrowKind::Total => "->",
                    ArrowKind::Partial => "-->",
                    ArrowKind::General => "~>",
                };
                let left = match params.as_slice() {
                    [t] if !matches!(t, Type::Arrow { .. } | Type::Tuple(_)) => {
                        self.type_text(t, with_modules)
                    }
                    ts => format!("({})", list(ts)),
                };
                format!("{left} {arrow} {}", self.type_text(result, with_modules))
            }
            Type::Array {
                dims,
                nullable,
                elem,
            } => {
                let n = if *dims == 1 {
                    String::new()
                } else {
                    dims.to_string()
                };
                format!(
                    "array{n}{}<{}>",
                    if *nullable { "?" } else { "" },
                    self.type_text(elem, with_modules)
                )
            }
            Type::Object { nullable } => if *nullable { "object?" } else { "object" }.into(),
            Type::Named {
                decl,
                args: ts,
                nullable,
            } => {
                let module = if with_modules {
                    self.module_prefix(self[*decl].module)
                } else {
                    String::new()
                };
                format!(
                    "{module}{}{}{}",
                    self[*decl].name,
                    if *nullable { "?" } else { "" },
                    args(ts)
                )
            }
            Type::Param(p) => self[*p].name.to_string(),
            Type::Error => "?".into(),
        }
    }
}
