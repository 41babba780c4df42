//! Traits and the types that extend them.

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

    /// The traits that a declared type extends, nearest first and without duplicates, with
    /// arguments over the type's own parameters.
    pub fn ancestors(&self, id: TypeId) -> Vec<(TypeId, Vec<Type>)> {
        let mut found: Vec<(TypeId, Vec<Type>)> = Vec::new();
        let mut work: std::collections::VecDeque<Type> = self[id].parents.iter().cloned().collect();
        while let Some(ty) = work.pop_front() {
            let Type::Named { decl, args, .. } = ty else {
                continue;
            };
            // Several paths may lead to a trait, and cyclic declarations must not loop.
            if decl == id || found.iter().any(|(t, _)| *t == decl) {
                continue;
            }
            let map = self.substitution(decl, &args);
            work.extend(self[decl].parents.iter().map(|p| p.subst(&map)));
            found.push((decl, args));
        }
        found
    }

    /// The newtype on which a newtype is based, with arguments over its own parameters. It inherits
    /// the members of that newtype.
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

    /// The class types that extend a trait with these arguments, in source order. Type parameters
    /// that the trait's arguments leave open become `int`. Classes with other bounds on them are
    /// omitted.
    pub fn implementing_classes(&self, of: TypeId, args: &[Type]) -> Vec<Type> {
        self.implementing(of, args, |kind| matches!(kind, TypeDeclKind::Class))
    }

    /// Like [`Self::implementing_classes`], for datatypes.
    pub fn implementing_datatypes(&self, of: TypeId, args: &[Type]) -> Vec<Type> {
        self.implementing(of, args, |kind| {
            matches!(kind, TypeDeclKind::Datatype { .. })
        })
    }

    /// Like [`Self::implementing_classes`], for newtypes.
    pub fn implementing_newtypes(&self, of: TypeId, args: &[Type]) -> Vec<Type> {
        self.implementing(of, args, |kind| matches!(kind, TypeDeclKind::Newtype(_)))
    }

    fn implementing(
        &self,
        of: TypeId,
        args: &[Type],
        is_wanted: impl Fn(&TypeDeclKind) -> bool,
    ) -> Vec<Type> {
        // Programs have no values of types in abstract modules, only of those that refine them.
        let is_abstract = |t: TypeId| self.is_in_abstract_module(self[t].module);
        let fits = |class: TypeId| {
            if !is_wanted(&self[class].kind) || is_abstract(class) && !is_abstract(of) {
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
            // The class may extend the trait with other arguments.
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

    /// The type arguments of `decl` if a value of type `ty` also has the type `decl`: the type
    /// itself, a trait that it extends, or a bound of a type parameter.
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

    /// The type arguments of `owner`, one of whose members is a member of values of type `ty`.
    /// `owner` is a supertype or, for a newtype, one of its bases.
    pub fn member_args(&self, ty: &Type, owner: TypeId) -> Option<Vec<Type>> {
        let mut ty = ty.clone();
        // The number of types limits a cyclic chain of bases.
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

    /// Whether objects of type `own` may have the reference type `ty`. Classes, traits and arrays
    /// are invariant: an object keeps the type arguments with which it was created, and a `G<nat>`
    /// is no `G<int>`.
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

    /// Whether two types may be equal: they differ at most in unknown types.
    fn agree(&self, a: &Type, b: &Type) -> bool {
        let is_unknown = |t: &Type| {
            matches!(t, Type::Param(_) | Type::Error)
                || matches!(t, Type::Named { decl, .. } if matches!(self[*decl].kind, TypeDeclKind::Abstract))
        };
        let is_open = |ty: &Type| ty.any(&mut |t| is_unknown(t));
        a == b || is_open(a) || is_open(b)
    }

    /// The type of an inherited or own field in an object of a class type.
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

    /// The declaration that a call of a trait member executes for values of the declared type
    /// `decl`: the nearest override, preferring one with a body. For a newtype, also an override in
    /// one of its bases. Returns the member itself if nothing overrides it.
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
        // Declarations of the type and its bases precede those of traits.
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

    /// Whether `callable` overrides `member`, directly or indirectly.
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

    /// The first declaration of a member, which overrides no other.
    pub fn first_declaration(&self, callable: CallableId) -> CallableId {
        let mut at = callable;
        let mut seen = vec![at];
        while let Some(&o) = self[at].overrides.iter().find(|o| !seen.contains(o)) {
            at = o;
            seen.push(o);
        }
        at
    }

    /// The declared types that extend the trait and are not traits, in declaration order.
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

#[cfg(test)]
mod tests {
    use super::super::{Arena, Options, TypeId};
    use crate::resolve_text;

    /// The classes that extend the trait `T`, by their paths.
    fn implementing(source: &str) -> Vec<String> {
        let (_, program, diagnostics) = resolve_text("t.dfy", source, Options::default());
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        let ids: Vec<TypeId> = program.ids();
        let of = ids
            .into_iter()
            .find(|t| &*program[*t].name == "T")
            .expect("a trait");
        let classes = program.implementing_classes(of, &[]);
        let path = |c| program.show_type_with_modules(c);
        classes.iter().map(path).collect()
    }

    #[test]
    fn classes_of_abstract_modules_have_no_objects() {
        let found = implementing(
            "module Types { trait {:termination false} T {} }
             abstract module AbstractService { import Types class C extends Types.T {} }
             module Service refines AbstractService {}",
        );
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found.iter().all(|c| !c.contains("Abstract")), "{found:?}");
    }

    #[test]
    fn classes_of_abstract_modules_implement_the_traits_there() {
        let found =
            implementing("abstract module AbstractService { trait T {} class C extends T {} }");
        assert_eq!(found.len(), 1, "{found:?}");
    }
}
