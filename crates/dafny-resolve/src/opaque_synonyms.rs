//! Opaque synonyms: type synonyms that an export set `provides` without revealing their definition,
//! so that some modules see only the name.
//!
//! Other synonyms are expanded when a type is resolved. An opaque synonym is represented by an
//! *opaque type*, an abstract type with its name, in the types of all declarations. These types are
//! then expanded to the form that the whole program sees, and [`Context::look_from`] switches them
//! to the form that one module sees. Bodies are resolved with the opaque types of their module. At
//! the end, [`expand`] removes all opaque types, so that no later stage knows of them.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::typed::rewrite::{Rewrite, walk_block, walk_clause, walk_frame};
use crate::typed::{
    Arena, Body, CallableId, CtorId, FieldId, FieldKind, LocalId, ModuleId, Program, Spec, Type,
    TypeDecl, TypeDeclKind, TypeId, TypeParamId, Witness,
};

use super::context::{Context, SynonymId};
use super::types::MAX_SIZE;

/// The opaque synonyms of a program.
#[derive(Debug, Default)]
pub(super) struct OpaqueSynonyms {
    all: Vec<OpaqueSynonym>,
    by_synonym: FxHashMap<SynonymId, usize>,
    by_type: FxHashMap<TypeId, usize>,
    /// The synonyms that are opaque to each module, parallel to [`Program::modules`].
    opaque_in: Vec<FxHashSet<usize>>,
    /// Whether types of declarations are being resolved, which keeps all opaque types.
    keeping: bool,
    /// The declared types that mention opaque types, with all opaque types kept.
    kept: Vec<(Slot, Type)>,
    /// The declared types in each module's view, if that differs from the view of the whole
    /// program.
    seen: FxHashMap<ModuleId, Vec<(Slot, Type)>>,
    /// The program's view of the types that are currently switched to a module's view.
    replaced: Vec<(Slot, Type)>,
}

#[derive(Debug)]
struct OpaqueSynonym {
    synonym: SynonymId,
    ty: TypeId,
    /// The definition with all opaque types kept, once signatures are resolved.
    rhs: Option<Type>,
}

/// The location of a type in a declaration.
#[derive(Debug, Clone, Copy)]
enum Slot {
    Local(LocalId),
    Field(FieldId),
    Parent(TypeId, usize),
    Base(TypeId),
    Bound(TypeParamId, usize),
    Synonym(SynonymId),
}

/// Declares the opaque types. The visibility of names has to be known.
pub(super) fn declare(cx: &mut Context) {
    let modules: Vec<ModuleId> = (0..cx.names.scopes.len())
        .map(|m| ModuleId(m as u32))
        .collect();
    let mut opaque_in = vec![FxHashSet::default(); modules.len()];
    let mut made = OpaqueSynonyms::default();
    for (i, synonym) in cx.synonyms.all.iter().enumerate() {
        // Synonyms of a module without export sets are visible everywhere.
        if cx
            .names
            .scope(synonym.module)
            .is_none_or(|s| s.default_export.is_none())
        {
            continue;
        }
        let hidden: Vec<&ModuleId> = modules
            .iter()
            .filter(|m| !cx.reveals_name(**m, synonym.module, &synonym.name))
            .collect();
        if hidden.is_empty() {
            continue;
        }
        // The opaque type is an abstract type at the end of the arena, so that it can be removed
        // again.
        let (index, synonym_id) = (made.all.len(), SynonymId(i as u32));
        let ty = TypeId(cx.program.types.len() as u32);
        cx.program.types.push(TypeDecl {
            name: synonym.name.clone(),
            module: synonym.module,
            type_params: synonym.params.clone(),
            kind: TypeDeclKind::Abstract,
            fields: Vec::new(),
            callables: Vec::new(),
            parents: Vec::new(),
            ghost: false,
            characteristics: synonym.characteristics,
            attributes: Vec::new(),
            doc: None,
            span: synonym.span,
        });
        cx.names.members.push(FxHashMap::default());
        made.all.push(OpaqueSynonym {
            synonym: synonym_id,
            ty,
            rhs: None,
        });
        made.by_synonym.insert(synonym_id, index);
        made.by_type.insert(ty, index);
        for module in hidden {
            if let Some(opaque) = opaque_in.get_mut(module.0 as usize) {
                opaque.insert(index);
            }
        }
    }
    made.opaque_in = opaque_in;
    cx.synonyms.opaque = made;
}

/// Starts the resolution of declared types, which keeps all opaque types.
pub(super) fn keep(cx: &mut Context) {
    cx.synonyms.opaque.keeping = true;
}

/// Ends the resolution of declared types, and switches them to the view of the whole program.
pub(super) fn settle(cx: &mut Context) {
    cx.synonyms.opaque.keeping = false;
    if cx.synonyms.opaque.all.is_empty() {
        return;
    }
    limit_sizes(cx);
    for i in 0..cx.synonyms.opaque.all.len() {
        let rhs = cx
            .synonyms
            .opaque
            .all
            .get(i)
            .and_then(|v| cx.synonyms.get(v.synonym))
            .map(|s| s.rhs.clone());
        if let Some(opaque) = cx.synonyms.opaque.all.get_mut(i) {
            opaque.rhs = rhs;
        }
    }
    for slot in slots(cx) {
        cx.expand_slot(slot);
    }
}

/// Reports opaque synonyms whose expansion exceeds the maximum size of a type.
fn limit_sizes(cx: &mut Context) {
    let mut sizes: FxHashMap<usize, usize> = FxHashMap::default();
    for i in 0..cx.synonyms.opaque.all.len() {
        let Some(id) = cx.synonyms.opaque.all.get(i).map(|v| v.synonym) else {
            continue;
        };
        if synonym_size(cx, i, &mut sizes) > MAX_SIZE
            && let Some(synonym) = cx.synonyms.all.get_mut(id.0 as usize)
        {
            synonym.rhs = Type::Error;
            let (name, span) = (synonym.name.clone(), synonym.span);
            cx.error(
                "resolve/type-too-large",
                span,
                format!("type `{name}` is too large when its synonyms are expanded"),
            );
            sizes.insert(i, 1);
        }
    }
}

fn synonym_size(cx: &Context, opaque: usize, sizes: &mut FxHashMap<usize, usize>) -> usize {
    if let Some(size) = sizes.get(&opaque) {
        return *size;
    }
    sizes.insert(opaque, 1);
    let rhs = cx
        .synonyms
        .opaque
        .all
        .get(opaque)
        .and_then(|v| cx.synonyms.get(v.synonym))
        .map(|s| &s.rhs);
    let size = rhs.map_or(1, |ty| expanded_size(cx, ty, sizes));
    sizes.insert(opaque, size);
    size
}

fn expanded_size(cx: &Context, ty: &Type, sizes: &mut FxHashMap<usize, usize>) -> usize {
    let parts: Vec<usize> = ty.parts().map(|p| expanded_size(cx, p, sizes)).collect();
    match cx.synonyms.opaque.index(ty) {
        Some(opaque) => {
            synonym_size(cx, opaque, sizes).saturating_mul(parts.into_iter().max().unwrap_or(1))
        }
        None => parts.into_iter().fold(1, usize::saturating_add),
    }
}

/// Replaces all opaque types by their definitions.
pub(super) fn expand(cx: &mut Context) {
    let Some(first) = cx.synonyms.opaque.all.first().map(|v| v.ty.0 as usize) else {
        return;
    };
    let whole = |v: &OpaqueSynonym| {
        (
            v.ty,
            cx.program[v.ty].type_params.clone(),
            cx.seen_from(None, v.rhs.as_ref().unwrap_or(&Type::Error)),
        )
    };
    let all = cx
        .synonyms
        .opaque
        .all
        .iter()
        .map(whole)
        .map(|(id, params, ty)| (id, (params, ty)));
    let mut expand = Expand(all.collect());
    let program = &mut cx.program;
    for id in Arena::<LocalId>::ids(program) {
        expand.ty(&mut program[id].ty);
    }
    for id in Arena::<FieldId>::ids(program) {
        expand.ty(&mut program[id].ty);
    }
    expand_bodies(program, &cx.synonyms.opaque.opaque_in, &mut expand);
    program.types.truncate(first);
    cx.names.members.truncate(first);
}

/// Expands the types in bodies. Only modules with opaque synonyms have any.
fn expand_bodies(program: &mut Program, opaque_in: &[FxHashSet<usize>], expand: &mut Expand) {
    for id in Arena::<CallableId>::ids(program) {
        let callable = &mut program[id];
        if opaque_in
            .get(callable.module.0 as usize)
            .is_none_or(FxHashSet::is_empty)
        {
            continue;
        }
        callable
            .ins
            .iter_mut()
            .filter_map(|f| f.default.as_mut())
            .for_each(|e| expand.expr(e));
        expand.spec(&mut callable.spec);
        match &mut callable.body {
            Body::None => {}
            Body::Expr(e) => expand.expr(e),
            Body::Block(b) => walk_block(expand, b),
            Body::ByMethod(e, b) => {
                expand.expr(e);
                walk_block(expand, b);
            }
        }
    }
    for id in Arena::<FieldId>::ids(program) {
        if let FieldKind::Const(Some(e)) = &mut program[id].kind {
            expand.expr(e);
        }
    }
    for id in Arena::<CtorId>::ids(program) {
        program[id]
            .defaults
            .iter_mut()
            .flatten()
            .for_each(|e| expand.expr(e));
    }
    for id in Arena::<TypeId>::ids(program) {
        match &mut program[id].kind {
            TypeDeclKind::Newtype(c) | TypeDeclKind::Subset(c) => {
                expand.ty(&mut c.base);
                c.constraint.iter_mut().for_each(|e| expand.expr(e));
                match &mut c.witness {
                    Witness::Compiled(e) | Witness::Ghost(e) => expand.expr(e),
                    Witness::Default | Witness::Opt => {}
                }
            }
            TypeDeclKind::Iterator(parts) => {
                expand.spec(&mut parts.spec);
                parts
                    .yield_requires
                    .iter_mut()
                    .chain(&mut parts.yield_ensures)
                    .for_each(|c| walk_clause(expand, c));
                parts.body.iter_mut().for_each(|b| walk_block(expand, b));
            }
            TypeDeclKind::Datatype { .. }
            | TypeDeclKind::Abstract
            | TypeDeclKind::Class
            | TypeDeclKind::Trait { .. } => {}
        }
    }
}

/// Replaces opaque types by definitions. The map has the parameters and the definition of each
/// opaque type.
struct Expand(FxHashMap<TypeId, (Vec<TypeParamId>, Type)>);

impl Expand {
    fn spec(&mut self, spec: &mut Spec) {
        spec.requires
            .iter_mut()
            .chain(&mut spec.ensures)
            .for_each(|c| walk_clause(self, c));
        spec.reads
            .iter_mut()
            .chain(&mut spec.modifies)
            .for_each(|f| walk_frame(self, f));
        spec.decreases.iter_mut().for_each(|e| self.expr(e));
    }

    fn expanded(&self, ty: &Type) -> Type {
        let ty = ty.map_parts(&mut |t| self.expanded(t));
        let Type::Named { decl, args, .. } = &ty else {
            return ty;
        };
        let Some((params, rhs)) = self.0.get(decl) else {
            return ty;
        };
        rhs.subst(&params.iter().copied().zip(args.iter().cloned()).collect())
    }
}

impl Rewrite for Expand {
    fn ty(&mut self, ty: &mut Type) {
        if ty.any(&mut |t| matches!(t, Type::Named { decl, .. } if self.0.contains_key(decl))) {
            *ty = self.expanded(ty);
        }
    }
}

/// All locations of declared types that mention opaque types.
fn slots(cx: &Context) -> Vec<Slot> {
    let mentions = |ty: &Type| cx.synonyms.opaque.mentioned_in(ty);
    let program = &cx.program;
    let mut found: Vec<Slot> = Vec::new();
    found.extend(
        Arena::<LocalId>::ids(program)
            .into_iter()
            .filter(|id| mentions(&program[*id].ty))
            .map(Slot::Local),
    );
    found.extend(
        Arena::<FieldId>::ids(program)
            .into_iter()
            .filter(|id| mentions(&program[*id].ty))
            .map(Slot::Field),
    );
    for id in Arena::<TypeId>::ids(program) {
        let decl = &program[id];
        found.extend(
            decl.parents
                .iter()
                .enumerate()
                .filter(|(_, p)| mentions(p))
                .map(|(i, _)| Slot::Parent(id, i)),
        );
        if matches!(&decl.kind, TypeDeclKind::Newtype(c) | TypeDeclKind::Subset(c) if mentions(&c.base))
        {
            found.push(Slot::Base(id));
        }
    }
    for id in Arena::<TypeParamId>::ids(program) {
        found.extend(
            program[id]
                .bounds
                .iter()
                .enumerate()
                .filter(|(_, b)| mentions(b))
                .map(|(i, _)| Slot::Bound(id, i)),
        );
    }
    let synonyms = cx
        .synonyms
        .all
        .iter()
        .enumerate()
        .filter(|(_, s)| mentions(&s.rhs));
    found.extend(synonyms.map(|(i, _)| Slot::Synonym(SynonymId(i as u32))));
    found
}

impl OpaqueSynonyms {
    fn index(&self, ty: &Type) -> Option<usize> {
        if let Type::Named { decl, .. } = ty {
            self.by_type.get(decl).copied()
        } else {
            None
        }
    }

    fn mentioned_in(&self, ty: &Type) -> bool {
        !self.all.is_empty() && ty.any(&mut |t| self.index(t).is_some())
    }

    fn hides(&self, module: ModuleId, opaque: usize) -> bool {
        self.opaque_in
            .get(module.0 as usize)
            .is_some_and(|all| all.contains(&opaque))
    }

    /// Whether some synonym is opaque to the module.
    pub(super) fn hide_from(&self, module: ModuleId) -> bool {
        self.opaque_in
            .get(module.0 as usize)
            .is_some_and(|all| !all.is_empty())
    }
}

impl Context {
    /// The opaque type of a synonym written in a module. `None` if the module sees the definition.
    pub(super) fn opaque_type_of(&self, module: ModuleId, synonym: SynonymId) -> Option<TypeId> {
        let opaque = *self.synonyms.opaque.by_synonym.get(&synonym)?;
        // While declared types are resolved, every module keeps the opaque type.
        let is_hidden = self.synonyms.opaque.keeping || self.synonyms.opaque.hides(module, opaque);
        self.synonyms
            .opaque
            .all
            .get(opaque)
            .filter(|_| is_hidden)
            .map(|v| v.ty)
    }

    /// Whether the synonym is opaque to the module.
    pub(super) fn opaque_in(&self, module: ModuleId, synonym: SynonymId) -> bool {
        let opaque = self.synonyms.opaque.by_synonym.get(&synonym);
        opaque.is_some_and(|o| self.synonyms.opaque.hides(module, *o))
    }

    /// Runs `act` with all opaque types kept in the types that it resolves.
    pub(super) fn keeping_opaque<T>(&mut self, act: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.synonyms.opaque.keeping, true);
        let result = act(self);
        self.synonyms.opaque.keeping = before;
        result
    }

    /// A type in the view of a module. `None`: the view of the whole program, without opaque types.
    pub(super) fn seen_from(&self, module: Option<ModuleId>, ty: &Type) -> Type {
        if !self.synonyms.opaque.mentioned_in(ty) {
            return ty.clone();
        }
        // Arguments first. The definition may mention other opaque types, hence the recursion at
        // the end.
        let ty = ty.map_parts(&mut |t| self.seen_from(module, t));
        let Some(index) = self
            .synonyms
            .opaque
            .index(&ty)
            .filter(|i| module.is_none_or(|m| !self.synonyms.opaque.hides(m, *i)))
        else {
            return ty;
        };
        let (Some(opaque), Type::Named { decl, args, .. }) =
            (self.synonyms.opaque.all.get(index), &ty)
        else {
            return ty;
        };
        let rhs = opaque
            .rhs
            .as_ref()
            .or_else(|| self.synonyms.get(opaque.synonym).map(|s| &s.rhs));
        let rhs = rhs.map_or(Type::Error, |t| {
            t.subst(&self.program.substitution(*decl, args))
        });
        self.seen_from(module, &rhs)
    }

    /// A type in a declaration, outside of bodies, in the view of its module.
    pub(super) fn seen_where_written(&self, module: ModuleId, ty: Type) -> Type {
        if self.synonyms.opaque.keeping {
            ty
        } else {
            self.seen_from(Some(module), &ty)
        }
    }

    /// Records the inferred type of a constant in the view of its module.
    pub(super) fn hide_in_field(&mut self, field: FieldId) {
        if self.synonyms.opaque.mentioned_in(&self.program[field].ty) {
            self.synonyms.opaque.seen.clear();
            let before = self.expand_slot(Slot::Field(field));
            let whole = std::mem::replace(&mut self.program[field].ty, before);
            self.synonyms
                .opaque
                .replaced
                .push((Slot::Field(field), whole));
        }
    }

    /// Switches a declared type to the view of the whole program. Returns the previous type.
    fn expand_slot(&mut self, slot: Slot) -> Type {
        let Some(ty) = self.slot(slot).cloned() else {
            return Type::Error;
        };
        let whole = self.seen_from(None, &ty);
        self.synonyms.opaque.kept.push((slot, ty));
        self.slot(slot)
            .map_or(Type::Error, |place| std::mem::replace(place, whole))
    }

    fn slot(&mut self, slot: Slot) -> Option<&mut Type> {
        match slot {
            Slot::Local(l) => Some(&mut self.program[l].ty),
            Slot::Field(f) => Some(&mut self.program[f].ty),
            Slot::Parent(t, i) => self.program[t].parents.get_mut(i),
            Slot::Base(t) => match &mut self.program[t].kind {
                TypeDeclKind::Newtype(c) | TypeDeclKind::Subset(c) => Some(&mut c.base),
                // Reached through the name of a type that is opaque itself.
                TypeDeclKind::Datatype { .. }
                | TypeDeclKind::Abstract
                | TypeDeclKind::Class
                | TypeDeclKind::Trait { .. }
                | TypeDeclKind::Iterator(_) => None,
            },
            Slot::Bound(p, i) => self.program[p].bounds.get_mut(i),
            Slot::Synonym(s) => self.synonyms.all.get_mut(s.0 as usize).map(|s| &mut s.rhs),
        }
    }

    /// Switches all declared types to the view of the whole program.
    pub(super) fn show_all(&mut self) {
        for (slot, ty) in std::mem::take(&mut self.synonyms.opaque.replaced)
            .into_iter()
            .rev()
        {
            if let Some(place) = self.slot(slot) {
                *place = ty;
            }
        }
    }

    /// Switches all declared types to the view of a module.
    pub(super) fn hide_from_module(&mut self, module: ModuleId) {
        if !self.synonyms.opaque.hide_from(module) {
            return;
        }
        // The view of a module is computed once.
        if !self.synonyms.opaque.seen.contains_key(&module) {
            let is_other = |ty: &Type| {
                ty.any(&mut |t| {
                    self.synonyms
                        .opaque
                        .index(t)
                        .is_some_and(|i| self.synonyms.opaque.hides(module, i))
                })
            };
            let seen = self
                .synonyms
                .opaque
                .kept
                .iter()
                .map(|(slot, ty)| (*slot, self.seen_from(Some(module), ty)));
            let seen: Vec<(Slot, Type)> = seen.filter(|(_, ty)| is_other(ty)).collect();
            self.synonyms.opaque.seen.insert(module, seen);
        }
        // Remember the replaced types for [`Self::show_all`].
        for (slot, ty) in self
            .synonyms
            .opaque
            .seen
            .get(&module)
            .cloned()
            .unwrap_or_default()
        {
            let whole = self.slot(slot).map(|place| std::mem::replace(place, ty));
            self.synonyms
                .opaque
                .replaced
                .extend(whole.map(|ty| (slot, ty)));
        }
    }
}
