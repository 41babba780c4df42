//! Traits and what extends them.

use super::{Arena, Body, CallableId, Program, Type, TypeDeclKind, TypeId};

impl Program {
    /// Whether the declaration is a trait.
    pub fn is_trait(&self, id: TypeId) -> bool {
        match self[id].kind {
            TypeDeclKind::Trait { .. } => true,
            TypeDeclKind::Datatype { .. }
            | TypeDeclKind::Newtype(_)
            | TypeDeclKind::Subset(_)
            | TypeDeclKind::Abstract
            | TypeDeclKind::Class
            | TypeDeclKind::Iterator(_) => false,
        }
    }

    /// The traits that a declared type extends, nearest first, each once, with arguments over the type's own parameters.
    pub fn ancestors(&self, id: TypeId) -> Vec<(TypeId, Vec<Type>)> {
        let mut found: Vec<(TypeId, Vec<Type>)> = Vec::new();
        let mut work: std::collections::VecDeque<Type> = self[id].parents.iter().cloned().collect();
        while let Some(ty) = work.pop_front() {
            let Type::Named { decl, args, .. } = ty else {
                continue;
            };
            if decl == id || found.iter().any(|(t, _)| *t == decl) {
                continue;
            }
            let map = self.substitution(decl, &args);
            work.extend(self[decl].parents.iter().map(|p| p.subst(&map)));
            found.push((decl, args));
        }
        found
    }

    /// The newtype that a newtype is made of, with arguments over its own parameters: their members are its members.
    pub fn newtype_base(&self, id: TypeId) -> Option<Type> {
        let TypeDeclKind::Newtype(c) = &self[id].kind else {
            return None;
        };
        let base = self.strip_subset(&c.base);
        let Type::Named { decl, .. } = base else {
            return None;
        };
        matches!(self[decl].kind, TypeDeclKind::Newtype(_)).then_some(base)
    }

    /// The class types that extend a trait with these arguments, in the order of the source. Type parameters that the
    /// trait's arguments leave open are `int`; classes with other bounds on them are left out.
    pub fn implementing_classes(&self, of: TypeId, args: &[Type]) -> Vec<Type> {
        self.implementing(of, args, |kind| matches!(kind, TypeDeclKind::Class))
    }

    /// The same for datatypes, whose values are no objects.
    pub fn implementing_datatypes(&self, of: TypeId, args: &[Type]) -> Vec<Type> {
        self.implementing(of, args, |kind| {
            matches!(kind, TypeDeclKind::Datatype { .. })
        })
    }

    /// The same for newtypes.
    pub fn implementing_newtypes(&self, of: TypeId, args: &[Type]) -> Vec<Type> {
        self.implementing(of, args, |kind| matches!(kind, TypeDeclKind::Newtype(_)))
    }

    fn implementing(
        &self,
        of: TypeId,
        args: &[Type],
        is_wanted: impl Fn(&TypeDeclKind) -> bool,
    ) -> Vec<Type> {
        let fits = |class: TypeId| {
            if !is_wanted(&self[class].kind) {
                return None;
            }
            let params = &self[class].type_params;
            let (_, declared) = self.ancestors(class).into_iter().find(|(t, _)| *t == of)?;
            let mut map: super::Substitution = params.iter().map(|p| (*p, Type::Int)).collect();
            for (formal, actual) in declared.iter().zip(args) {
                if let Type::Param(p) = formal {
                    map.insert(*p, actual.clone());
                }
            }
            let is_bounded = params.iter().any(|p| !self[*p].bounds.is_empty());
            let same = declared
                .iter()
                .map(|t| t.subst(&map))
                .eq(args.iter().cloned());
            (same && !is_bounded).then(|| {
                Type::named(
                    class,
                    params.iter().map(|p| Type::Param(*p).subst(&map)).collect(),
                )
            })
        };
        Arena::<TypeId>::ids(self)
            .into_iter()
            .filter_map(fits)
            .collect()
    }

    /// The arguments of `decl` among the types that a value of type `ty` has: of the type itself, of a trait that it
    /// extends, of what bounds a type parameter.
    pub fn supertype_args(&self, ty: &Type, decl: TypeId) -> Option<Vec<Type>> {
        let seen = self.strip_subset(ty);
        if let Type::Param(p) = seen {
            self[p]
                .bounds
                .iter()
                .find_map(|b| self.supertype_args(b, decl))
        } else if let Type::Named {
            decl: own, args, ..
        } = seen
        {
            if own == decl {
                return Some(args);
            }
            let (_, found) = self.ancestors(own).into_iter().find(|(t, _)| *t == decl)?;
            let map = self.substitution(own, &args);
            Some(found.iter().map(|t| t.subst(&map)).collect())
        } else {
            None
        }
    }

    /// The arguments of `owner`, a member of which is a member of values of type `ty`: a supertype, or of a newtype one that it is made of.
    pub fn member_args(&self, ty: &Type, owner: TypeId) -> Option<Vec<Type>> {
        let mut ty = ty.clone();
        for _ in 0..=self.types.len() {
            if let Some(args) = self.supertype_args(&ty, owner) {
                return Some(args);
            }
            let Type::Named { decl, args, .. } = self.strip_subset(&ty) else {
                return None;
            };
            ty = self
                .newtype_base(decl)?
                .subst(&self.substitution(decl, &args));
        }
        None
    }

    /// Whether objects of the type `own` may be of a reference type. Classes, traits and arrays are not variant: an object keeps the type
    /// arguments that it was made with, and a `G<nat>` is no `G<int>`.
    pub fn is_instance(&self, own: &Type, ty: &Type) -> bool {
        match ty {
            Type::Object { .. } => true,
            Type::Array { dims, elem, .. } => {
                matches!(own, Type::Array { dims: others, elem: other, .. } if dims == others && self.agree(elem, other))
            }
            Type::Named { decl, args, .. } => {
                let found = if let Type::Named { .. } = own {
                    self.supertype_args(own, *decl)
                } else {
                    None
                };
                found.is_some_and(|found| found.iter().zip(args).all(|(a, b)| self.agree(a, b)))
            }
            Type::Bool
            | Type::Char
            | Type::Int
            | Type::Real
            | Type::Bv(_)
            | Type::Ordinal
            | Type::Param(_)
            | Type::Error => false,
            Type::Seq(_)
            | Type::Set { .. }
            | Type::Multiset(_)
            | Type::Map { .. }
            | Type::Tuple(_)
            | Type::Arrow { .. } => false,
        }
    }

    /// Whether two types may be the same as far as is known: they differ at most in types of which nothing is known.
    fn agree(&self, a: &Type, b: &Type) -> bool {
        let is_unknown = |t: &Type| {
            matches!(t, Type::Param(_) | Type::Error)
                || matches!(t, Type::Named { decl, .. } if matches!(self[*decl].kind, TypeDeclKind::Abstract))
        };
        let is_open = |ty: &Type| ty.any(&mut |t| is_unknown(t));
        a == b || is_open(a) || is_open(b)
    }

    /// The type of a field of an object of a class type, inherited or its own.
    pub fn field_type(&self, class: &Type, field: super::FieldId) -> Type {
        let field = &self[field];
        let args = field
            .owner
            .and_then(|owner| Some((owner, self.supertype_args(class, owner)?)));
        args.map_or_else(
            || field.ty.clone(),
            |(owner, args)| field.ty.subst(&self.substitution(owner, &args)),
        )
    }

    /// The declaration that a call of a trait's member runs for values of the declared type `decl`: the nearest that
    /// overrides it, one with a body before one without; of a newtype also one of the newtype that it is made of. The member itself where
    /// nothing overrides it.
    pub fn implementation(&self, decl: TypeId, member: CallableId) -> CallableId {
        let base = std::iter::successors(Some(decl), |&t| match self.newtype_base(t) {
            Some(Type::Named { decl, .. }) => Some(decl),
            _ => None,
        });
        let owners = base
            .take(self.types.len())
            .chain(self.ancestors(decl).into_iter().map(|(t, _)| t));
        let mut found: Vec<CallableId> = Vec::new();
        for owner in owners {
            found.extend(
                self[owner]
                    .callables
                    .iter()
                    .copied()
                    .filter(|&c| c == member || self.overrides(c, member)),
            );
        }
        let own = found.iter().copied().find(|&c| {
            self[c]
                .owner
                .is_some_and(|t| t == decl || !self.is_trait(t))
        });
        let with_body = found
            .iter()
            .copied()
            .find(|&c| !matches!(self[c].body, Body::None));
        own.or(with_body)
            .or(found.first().copied())
            .unwrap_or(member)
    }

    /// Whether `callable` overrides `member`, perhaps by way of others.
    pub fn overrides(&self, callable: CallableId, member: CallableId) -> bool {
        let mut work = self[callable].overrides.clone();
        let mut seen = Vec::new();
        while let Some(o) = work.pop() {
            if o == member {
                return true;
            }
            if !seen.contains(&o) {
                seen.push(o);
                work.extend(self[o].overrides.iter().copied());
            }
        }
        false
    }

    /// The first declaration of a member: the one that overrides no other.
    pub fn first_declaration(&self, callable: CallableId) -> CallableId {
        let mut at = callable;
        let mut seen = vec![at];
        while let Some(&o) = self[at].overrides.iter().find(|o| !seen.contains(o)) {
            at = o;
            seen.push(o);
        }
        at
    }

    /// The declared types that are not traits and extend the trait, in the order of their declarations.
    pub fn implementers(&self, id: TypeId) -> Vec<TypeId> {
        let ids: Vec<TypeId> = self.ids();
        let extends =
            |t: &TypeId| !self.is_trait(*t) && self.ancestors(*t).iter().any(|(a, _)| *a == id);
        ids.into_iter()
            .filter(|t| !self.is_in_abstract_module(self[*t].module))
            .filter(extends)
            .collect()
    }
}
