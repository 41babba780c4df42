//! The import of declarations from an old version of a program into the new one.
//!
//! Declarations that both versions have in common are replaced by those of the new program. All
//! others become new declarations, with everything that they refer to. They belong to no module's
//! or type's list of members, so that they are no units and cannot be confused with those of the
//! new program.

use std::collections::BTreeMap;

use dafny_resolve::typed::rewrite::Rewrite as _;
use dafny_resolve::typed::{
    Arena, Body, Callable, CallableId, Clause, Constrained, Ctor, CtorId, Expr, Field, FieldId,
    FieldKind, Formal, Frame, Item, IteratorFrames, IteratorMembers, IteratorParts, Local, LocalId,
    Module, ModuleId, Program, Spec, Type, TypeDecl, TypeDeclKind, TypeId, TypeParam, TypeParamId,
    Witness,
};

use crate::ids::{Ids, Renamed};
use crate::same::Same;

/// An import in progress.
pub(crate) struct Import<'o> {
    old: &'o Program,
    /// The new program, with the imported declarations.
    pub(crate) program: Program,
    modules: BTreeMap<ModuleId, ModuleId>,
    types: BTreeMap<TypeId, TypeId>,
    type_params: BTreeMap<TypeParamId, TypeParamId>,
    ctors: BTreeMap<CtorId, CtorId>,
    fields: BTreeMap<FieldId, FieldId>,
    callables: BTreeMap<CallableId, CallableId>,
    locals: BTreeMap<LocalId, LocalId>,
    /// Declarations that still have the content of the old program.
    pending: Vec<Pending>,
}

#[derive(Clone, Copy)]
enum Pending {
    Type(TypeId),
    TypeParam(TypeParamId),
    Ctor(CtorId),
    Field(FieldId),
    Callable(CallableId),
}

impl<'o> Import<'o> {
    pub(crate) fn new(old: &'o Program, new: Program, same: &Same) -> Self {
        Self {
            old,
            program: new,
            modules: BTreeMap::new(),
            types: same.types.clone(),
            type_params: same.type_params.clone(),
            ctors: same.ctors.clone(),
            fields: same.fields.clone(),
            callables: same.callables.clone(),
            locals: BTreeMap::new(),
            pending: Vec::new(),
        }
    }

    /// Replaces references to a variable of the old program by one of the new program.
    pub(crate) fn bind(&mut self, old: LocalId, new: LocalId) {
        self.locals.insert(old, new);
    }

    /// Imports a clause.
    pub(crate) fn imported_clause(&mut self, clause: &Clause) -> Clause {
        let mut clause = clause.clone();
        Renamed(self).clause(&mut clause);
        self.finish();
        clause
    }

    /// Imports a part of a frame.
    pub(crate) fn imported_frame(&mut self, frame: &Frame) -> Frame {
        let mut frame = frame.clone();
        Renamed(self).frame(&mut frame);
        self.finish();
        frame
    }

    /// Imports a callable.
    pub(crate) fn imported_callable(&mut self, id: CallableId) -> CallableId {
        let mut id = id;
        self.callable(&mut id);
        self.finish();
        id
    }

    /// Replaces the references of all declarations that were added.
    fn finish(&mut self) {
        while let Some(next) = self.pending.pop() {
            match next {
                Pending::Type(id) => {
                    let decl = self.program[id].clone();
                    self.program[id] = self.type_decl(decl);
                }
                Pending::TypeParam(id) => {
                    let param = self.program[id].clone();
                    self.program[id] = self.type_param(param);
                }
                Pending::Ctor(id) => {
                    let ctor = self.program[id].clone();
                    self.program[id] = self.constructor(ctor);
                }
                Pending::Field(id) => {
                    let field = self.program[id].clone();
                    self.program[id] = self.field_decl(field);
                }
                Pending::Callable(id) => {
                    let callable = self.program[id].clone();
                    self.program[id] = self.callable_decl(callable);
                }
            }
        }
    }

    /// The module of the new program with the path of an old one, or a new one.
    fn module(&mut self, id: ModuleId) -> ModuleId {
        if let Some(known) = self.modules.get(&id) {
            return *known;
        }
        let path = self.old.module_path(id);
        let new = &self.program;
        let namesake = |m: &ModuleId| new.module_path(*m) == path;
        let found = Arena::<ModuleId>::ids(new).into_iter().find(namesake);
        let module = found.unwrap_or_else(|| {
            let Module {
                name,
                parent,
                is_abstract,
                items: _,
                attributes,
                doc,
                span,
            } = self.old[id].clone();
            let parent = parent.map(|p| self.module(p));
            let items: Vec<Item> = Vec::new();
            self.program.add(Module {
                name,
                parent,
                is_abstract,
                items,
                attributes,
                doc,
                span,
            })
        });
        self.modules.insert(id, module);
        module
    }

    fn type_param_id(&mut self, id: TypeParamId) -> TypeParamId {
        if let Some(known) = self.type_params.get(&id) {
            return *known;
        }
        let new = self.program.add(self.old[id].clone());
        self.type_params.insert(id, new);
        self.pending.push(Pending::TypeParam(new));
        new
    }

    fn type_id(&mut self, id: TypeId) -> TypeId {
        if let Some(known) = self.types.get(&id) {
            return *known;
        }
        let new = self.program.add(self.old[id].clone());
        self.types.insert(id, new);
        self.pending.push(Pending::Type(new));
        new
    }

    fn mapped_ty(&mut self, ty: &Type) -> Type {
        let mut ty = ty.clone();
        self.ty(&mut ty);
        ty
    }

    fn mapped_expr(&mut self, mut e: Expr) -> Expr {
        Renamed(self).expr(&mut e);
        e
    }

    fn type_param(&mut self, param: TypeParam) -> TypeParam {
        let TypeParam {
            name,
            variance,
            characteristics,
            bounds,
            span,
        } = param;
        TypeParam {
            name,
            variance,
            characteristics,
            bounds: bounds.iter().map(|t| self.mapped_ty(t)).collect(),
            span,
        }
    }

    fn type_decl(&mut self, decl: TypeDecl) -> TypeDecl {
        let TypeDecl {
            name,
            module,
            type_params,
            kind,
            fields,
            callables,
            parents,
            ghost,
            characteristics,
            attributes,
            doc,
            span,
        } = decl;
        TypeDecl {
            name,
            module: self.module(module),
            type_params: type_params
                .into_iter()
                .map(|p| self.type_param_id(p))
                .collect(),
            kind: self.type_kind(kind),
            fields: self.field_ids(fields),
            callables: callables
                .into_iter()
                .map(|mut c| {
                    self.callable(&mut c);
                    c
                })
                .collect(),
            parents: parents.iter().map(|t| self.mapped_ty(t)).collect(),
            ghost,
            characteristics,
            attributes,
            doc,
            span,
        }
    }

    fn field_ids(&mut self, mut ids: Vec<FieldId>) -> Vec<FieldId> {
        for id in &mut ids {
            self.field(id);
        }
        ids
    }

    fn type_kind(&mut self, kind: TypeDeclKind) -> TypeDeclKind {
        match kind {
            TypeDeclKind::Datatype { co, mut ctors } => {
                for ctor in &mut ctors {
                    self.ctor(ctor);
                }
                TypeDeclKind::Datatype { co, ctors }
            }
            TypeDeclKind::Newtype(c) => TypeDeclKind::Newtype(self.constrained(c)),
            TypeDeclKind::Subset(c) => TypeDeclKind::Subset(self.constrained(c)),
            TypeDeclKind::Abstract => TypeDeclKind::Abstract,
            TypeDeclKind::Class => TypeDeclKind::Class,
            TypeDeclKind::Trait { is_reference } => TypeDeclKind::Trait { is_reference },
            TypeDeclKind::Iterator(parts) => TypeDeclKind::Iterator(self.iterator(parts)),
        }
    }

    fn constrained(&mut self, c: Constrained) -> Constrained {
        let Constrained {
            base,
            var,
            constraint,
            witness,
            range,
            native,
        } = c;
        Constrained {
            base: self.mapped_ty(&base),
            var: var.map(|v| self.local_id(v)),
            constraint: constraint.map(|e| self.mapped_expr(e)),
            witness: match witness {
                Witness::Default => Witness::Default,
                Witness::Opt => Witness::Opt,
                Witness::Compiled(e) => Witness::Compiled(Box::new(self.mapped_expr(*e))),
                Witness::Ghost(e) => Witness::Ghost(Box::new(self.mapped_expr(*e))),
            },
            range,
            native,
        }
    }

    fn iterator(&mut self, parts: IteratorParts) -> IteratorParts {
        let IteratorParts {
            ins,
            yields,
            histories,
            frames,
            decreases,
            spec,
            yield_requires,
            yield_ensures,
            body,
            members,
        } = parts;
        let frames = frames.map(|f| {
            let IteratorFrames {
                mut reads,
                mut modifies,
                mut new,
            } = f;
            for field in [&mut reads, &mut modifies, &mut new] {
                self.field(field);
            }
            IteratorFrames {
                reads,
                modifies,
                new,
            }
        });
        let members = members.map(|m| {
            let IteratorMembers {
                mut constructor,
                mut valid,
                mut move_next,
                mut drive,
            } = m;
            for member in [&mut constructor, &mut valid, &mut move_next, &mut drive] {
                self.callable(member);
            }
            IteratorMembers {
                constructor,
                valid,
                move_next,
                drive,
            }
        });
        IteratorParts {
            ins: self.field_ids(ins),
            yields: self.field_ids(yields),
            histories: self.field_ids(histories),
            frames,
            decreases: self.field_ids(decreases),
            spec: self.spec(spec),
            yield_requires: self.clauses(yield_requires),
            yield_ensures: self.clauses(yield_ensures),
            body: body.map(|mut b| {
                Renamed(self).block(&mut b);
                b
            }),
            members,
        }
    }

    fn constructor(&mut self, ctor: Ctor) -> Ctor {
        let Ctor {
            name,
            datatype,
            ghost,
            fields,
            defaults,
            params,
            named,
            doc,
            span,
        } = ctor;
        Ctor {
            name,
            datatype: self.type_id(datatype),
            ghost,
            fields: self.field_ids(fields),
            defaults: defaults
                .into_iter()
                .map(|e| e.map(|e| self.mapped_expr(e)))
                .collect(),
            params: params.into_iter().map(|l| self.local_id(l)).collect(),
            named,
            doc,
            span,
        }
    }

    fn field_decl(&mut self, field: Field) -> Field {
        let Field {
            name,
            kind,
            owner,
            module,
            ty,
            ghost,
            is_static,
            attributes,
            doc,
            span,
        } = field;
        Field {
            name,
            kind: match kind {
                FieldKind::Mutable => FieldKind::Mutable,
                FieldKind::Const(value) => {
                    FieldKind::Const(value.map(|e| Box::new(self.mapped_expr(*e))))
                }
                FieldKind::Destructor(mut ctors) => {
                    for ctor in &mut ctors {
                        self.ctor(ctor);
                    }
                    FieldKind::Destructor(ctors)
                }
            },
            owner: owner.map(|t| self.type_id(t)),
            module: self.module(module),
            ty: self.mapped_ty(&ty),
            ghost,
            is_static,
            attributes,
            doc,
            span,
        }
    }

    fn callable_decl(&mut self, callable: Callable) -> Callable {
        let Callable {
            name,
            kind,
            is_predicate,
            is_two_state,
            module,
            owner,
            is_static,
            ghost,
            opaque,
            type_params,
            ins,
            outs,
            spec,
            body,
            overrides,
            attributes,
            doc,
            span,
            full_span,
        } = callable;
        Callable {
            name,
            kind,
            is_predicate,
            is_two_state,
            module: self.module(module),
            owner: owner.map(|t| self.type_id(t)),
            is_static,
            ghost,
            opaque,
            type_params: type_params
                .into_iter()
                .map(|p| self.type_param_id(p))
                .collect(),
            ins: self.formals(ins),
            outs: self.formals(outs),
            spec: self.spec(spec),
            body: match body {
                Body::None => Body::None,
                Body::Expr(e) => Body::Expr(Box::new(self.mapped_expr(*e))),
                Body::Block(mut block) => {
                    Renamed(self).block(&mut block);
                    Body::Block(block)
                }
                // Contracts know the expression only.
                Body::ByMethod(e, _) => Body::Expr(Box::new(self.mapped_expr(*e))),
            },
            overrides: overrides
                .into_iter()
                .map(|mut c| {
                    self.callable(&mut c);
                    c
                })
                .collect(),
            attributes,
            doc,
            span,
            full_span,
        }
    }

    fn formals(&mut self, formals: Vec<Formal>) -> Vec<Formal> {
        let formal = |f: Formal| {
            let Formal {
                local,
                default,
                nameonly,
                unnamed,
                is_new,
                older,
            } = f;
            Formal {
                local: self.local_id(local),
                default: default.map(|e| self.mapped_expr(e)),
                nameonly,
                unnamed,
                is_new,
                older,
            }
        };
        formals.into_iter().map(formal).collect()
    }

    fn spec(&mut self, spec: Spec) -> Spec {
        let Spec {
            requires,
            ensures,
            reads,
            modifies,
            decreases,
            decreases_star,
        } = spec;
        Spec {
            requires: self.clauses(requires),
            ensures: self.clauses(ensures),
            reads: self.frames(reads),
            modifies: self.frames(modifies),
            decreases: decreases.into_iter().map(|e| self.mapped_expr(e)).collect(),
            decreases_star,
        }
    }

    fn clauses(&mut self, mut clauses: Vec<Clause>) -> Vec<Clause> {
        for clause in &mut clauses {
            Renamed(self).clause(clause);
        }
        clauses
    }

    fn frames(&mut self, mut frames: Vec<Frame>) -> Vec<Frame> {
        for frame in &mut frames {
            Renamed(self).frame(frame);
        }
        frames
    }

    fn local_id(&mut self, id: LocalId) -> LocalId {
        if let Some(known) = self.locals.get(&id) {
            return *known;
        }
        let Local {
            name,
            ty,
            ghost,
            mutable,
            inferred,
            span,
        } = self.old[id].clone();
        let ty = self.mapped_ty(&ty);
        let new = self.program.add(Local {
            name,
            ty,
            ghost,
            mutable,
            inferred,
            span,
        });
        self.locals.insert(id, new);
        new
    }
}

impl Ids for Import<'_> {
    fn ty(&mut self, ty: &mut Type) {
        *ty = ty.map_parts(&mut |part| self.mapped_ty(part));
        if let Type::Named { decl, .. } = ty {
            *decl = self.type_id(*decl);
        } else if let Type::Param(param) = ty {
            *param = self.type_param_id(*param);
        }
    }

    fn local(&mut self, id: &mut LocalId) {
        *id = self.local_id(*id);
    }

    fn field(&mut self, id: &mut FieldId) {
        if let Some(known) = self.fields.get(id) {
            *id = *known;
            return;
        }
        let new = self.program.add(self.old[*id].clone());
        self.fields.insert(*id, new);
        self.pending.push(Pending::Field(new));
        *id = new;
    }

    fn ctor(&mut self, id: &mut CtorId) {
        if let Some(known) = self.ctors.get(id) {
            *id = *known;
            return;
        }
        let new = self.program.add(self.old[*id].clone());
        self.ctors.insert(*id, new);
        self.pending.push(Pending::Ctor(new));
        *id = new;
    }

    fn callable(&mut self, id: &mut CallableId) {
        if let Some(known) = self.callables.get(id) {
            *id = *known;
            return;
        }
        let new = self.program.add(self.old[*id].clone());
        self.callables.insert(*id, new);
        self.pending.push(Pending::Callable(new));
        *id = new;
    }
}
