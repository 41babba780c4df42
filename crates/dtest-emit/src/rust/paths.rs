//! Walks over the paths of items, at any depth.

use super::walk::AsVisitMut;
use super::{
    Bound, Fields, FnItem, Function, GenericParam, Head, Impl, Item, Member, NameId, Path,
    Signature, Stmt, Type, VisitMut,
};
use dtest_sorted::SortedSet;

/// Calls a function on each path of items. In arguments of macros, only paths in expressions are
/// visited.
pub(crate) fn each_path(items: &mut [Item<Function>], f: &mut dyn FnMut(&mut Path)) {
    let mut walk = Walk {
        path: f,
        param: &mut |_| {},
    };
    items.iter_mut().for_each(|i| walk.item(i));
}

/// Returns the names of all type parameters.
pub(crate) fn type_params(items: &mut [Item<Function>]) -> SortedSet<String> {
    let mut found = SortedSet::new();
    let mut walk = Walk {
        path: &mut |_| {},
        param: &mut |p| found.extend([p.name.clone()]),
    };
    items.iter_mut().for_each(|i| walk.item(i));
    found
}

struct Walk<'f> {
    path: &'f mut dyn FnMut(&mut Path),
    param: &'f mut dyn FnMut(&GenericParam),
}

impl Walk<'_> {
    fn item(&mut self, item: &mut Item<Function>) {
        match item {
            Item::Struct(s) => {
                self.head(&mut s.head);
                let (Fields::Tuple(fields) | Fields::Named(fields)) = &mut s.fields;
                fields.iter_mut().for_each(|f| self.ty(&mut f.ty));
            }
            Item::Enum(e) => {
                self.head(&mut e.head);
                e.variants
                    .iter_mut()
                    .flat_map(|v| &mut v.fields)
                    .for_each(|f| self.ty(&mut f.ty));
            }
            Item::Trait(t) => {
                self.head(&mut t.head);
                self.bounds(&mut t.supertraits);
                t.members.iter_mut().for_each(|m| self.member(m));
            }
            Item::Impl(Impl {
                generics,
                of_trait,
                ty,
                members,
                ..
            }) => {
                self.generic_params(generics);
                of_trait.iter_mut().for_each(|t| self.ty(t));
                self.ty(ty);
                members.iter_mut().for_each(|m| self.member(m));
            }
            Item::Mod(m) => m.items.iter_mut().for_each(|i| self.item(i)),
            Item::Alias(a) => {
                self.head(&mut a.head);
                self.ty(&mut a.ty);
            }
            Item::Fn(f) => self.function(f),
            Item::Use(_) | Item::Kept(_) => {}
        }
    }

    fn member(&mut self, member: &mut Member<Function>) {
        match member {
            Member::Fn(f) => self.function(f),
            Member::Declared(signature) => self.signature(signature),
        }
    }

    fn function(&mut self, f: &mut Function) {
        self.signature(&mut f.signature);
        self.block(&mut f.body);
    }

    fn signature<N>(&mut self, s: &mut Signature<N>) {
        self.head(&mut s.head);
        s.params
            .iter_mut()
            .map(|(_, ty)| ty)
            .chain(&mut s.result)
            .for_each(|t| self.ty(t));
    }

    fn head(&mut self, head: &mut Head) {
        self.generic_params(&mut head.generics);
    }

    fn generic_params(&mut self, params: &mut [GenericParam]) {
        for p in params {
            (self.param)(p);
            self.bounds(&mut p.bounds);
        }
    }

    fn bounds(&mut self, bounds: &mut [Bound]) {
        for b in bounds {
            match b {
                Bound::Trait(p) => self.path(p),
                Bound::Lifetime(_) => {}
            }
        }
    }
}

impl VisitMut for Walk<'_> {
    fn stmt(&mut self, s: &mut Stmt<NameId>) {
        match s {
            Stmt::Fn(f) => {
                let FnItem { signature, body } = &mut **f;
                self.signature(signature);
                self.block(body);
            }
            Stmt::Let(_) | Stmt::Run(_) | Stmt::Value(_) | Stmt::Space => self.inside_stmt(s),
        }
    }

    fn ty(&mut self, ty: &mut Type) {
        match ty {
            Type::Path(p) => self.path(p),
            Type::Reference { of, .. } | Type::Array(of, _) | Type::Slice(of) => self.ty(of),
            Type::Tuple(all) => all.iter_mut().for_each(|t| self.ty(t)),
            Type::Dyn(bounds) => self.bounds(bounds),
            Type::Infer => {}
        }
    }

    fn path(&mut self, p: &mut Path) {
        (self.path)(p);
        if let Some(q) = &mut p.qself {
            self.ty(&mut q.ty);
        }
        p.segments
            .iter_mut()
            .for_each(|s| self.as_visit_mut().parts_generics(&mut s.generics));
    }
}
