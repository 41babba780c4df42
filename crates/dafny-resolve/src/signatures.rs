//! Signatures: resolves parents, bases, fields and parameters of the declarations that
//! [`super::declare`] collected.

mod parents;

use std::sync::Arc;

use crate::typed::{
    Arena, Callable, CallableId, CallableKind, Constrained, CtorId, Field, FieldId, FieldKind,
    Formal, LocalId, Type, TypeDeclKind, TypeId, TypeParamId, Witness,
};
use dafny_source::diagnostic::Diagnostic;
use dafny_source::{Name, Span};
use dafny_syntax::ast;

use super::context::{BodyWork, Context, Member, MissingArgs, SynonymId, SynonymSource, TypeScope};
use super::declare::Pending;
use super::passes::Pass;

use parents::{cyclic_bases, cyclic_traits, parents, reference_traits};

/// Resolves all signatures, and adds bodies and values to [`Context::work`].
pub(super) fn resolve(cx: &mut Context, pending: &[Pending]) {
    cx.diagnostics.enter(Pass::Parents);
    for p in pending {
        parents(cx, p);
    }
    reference_traits(cx);
    cyclic_traits(cx);
    cx.diagnostics.enter(Pass::Signatures);
    super::opaque_synonyms::keep(cx);
    for p in pending {
        if let Pending::Synonym(id, _) = p {
            cx.resolve_synonym(*id);
        }
    }
    // Declarations without type parameters may gain some for omitted type arguments, which other
    // declarations have to know.
    let is_early =
        |p: &Pending| matches!(p, Pending::Iterator(_, ast) if ast.type_params.is_empty());
    for p in pending.iter().filter(|p| is_early(p)) {
        if let Pending::Iterator(id, ast) = p {
            super::iterators::declare(cx, *id, ast);
        }
    }
    for p in pending.iter().filter(|p| !is_early(p)) {
        cx.diagnostics.enter(Pass::TypeBounds);
        bounds(cx, p);
        cx.diagnostics.enter(Pass::Signatures);
        match p {
            Pending::Datatype(id, ast, ctors) => datatype(cx, *id, ast, ctors),
            Pending::Class(..) | Pending::Synonym(..) => {}
            Pending::Newtype(id, ast) => newtype(cx, *id, ast),
            Pending::Type(id, ast) => subset(cx, *id, ast),
            Pending::Iterator(id, ast) => super::iterators::declare(cx, *id, ast),
            Pending::Field(id, ast) => cx.program[*id].ty = field_type(cx, *id, &ast.ty),
            Pending::Const(id, ast) => constant(cx, *id, ast),
            Pending::Function(id, ast) => function(cx, *id, ast),
            Pending::Method(id, ast) => method(cx, *id, ast),
        }
    }
    super::opaque_synonyms::settle(cx);
    cx.diagnostics.enter(Pass::TypeCycles);
    cyclic_bases(cx, pending);
    cx.diagnostics.enter(Pass::Inheritance);
    overrides(cx);
}

/// Omitted type arguments denote a prefix of these parameters.
fn prefix<'a>(params: &[TypeParamId]) -> MissingArgs<'a> {
    MissingArgs::Prefix {
        params: params.to_vec(),
        extend: None,
    }
}

impl Context {
    /// Resolves the right-hand side of a synonym. Reports a cyclic one and returns false.
    pub(super) fn resolve_synonym(&mut self, id: SynonymId) -> bool {
        let Some(synonym) = self.synonyms.get(id).cloned() else {
            return false;
        };
        let Some(slot) = self.synonyms.sources.get_mut(id.0 as usize) else {
            return false;
        };
        match std::mem::replace(slot, SynonymSource::Busy) {
            SynonymSource::Resolved => {
                *slot = SynonymSource::Resolved;
                true
            }
            SynonymSource::Busy => {
                let message = format!("type synonym '{}' depends on itself", synonym.name);
                self.diagnostics.push_in(
                    Pass::TypeCycles,
                    Diagnostic::error("resolve/cyclic-type", synonym.span, message),
                );
                false
            }
            SynonymSource::Written(ty) => {
                let scope = self.type_scope(synonym.module, &synonym.params);
                let rhs = self.keeping_opaque(|cx| {
                    cx.resolve_type_with(&scope, &ty, &mut prefix(&synonym.params))
                });
                if let Some(synonym) = self.synonyms.all.get_mut(id.0 as usize) {
                    synonym.rhs = rhs;
                }
                if let Some(slot) = self.synonyms.sources.get_mut(id.0 as usize) {
                    *slot = SynonymSource::Resolved;
                }
                true
            }
        }
    }
}

/// Resolves the bounds (`T extends Trait`) of the type parameters of a declaration.
fn bounds(cx: &mut Context, pending: &Pending) {
    let (scope, ids, params, name) = match pending {
        Pending::Datatype(id, ast, _) => (
            cx.type_decl_scope(*id),
            cx.program[*id].type_params.clone(),
            &ast.type_params,
            ast.name.span,
        ),
        Pending::Class(id, ast) => (
            cx.type_decl_scope(*id),
            cx.program[*id].type_params.clone(),
            &ast.type_params,
            ast.name.span,
        ),
        Pending::Newtype(id, ast) => (
            cx.type_decl_scope(*id),
            cx.program[*id].type_params.clone(),
            &ast.type_params,
            ast.name.span,
        ),
        Pending::Type(id, ast) => (
            cx.type_decl_scope(*id),
            cx.program[*id].type_params.clone(),
            &ast.type_params,
            ast.name.span,
        ),
        Pending::Synonym(id, ast) => {
            let Some(synonym) = cx.synonyms.get(*id) else {
                return;
            };
            (
                cx.type_scope(synonym.module, &synonym.params),
                synonym.params.clone(),
                &ast.type_params,
                ast.name.span,
            )
        }
        Pending::Iterator(id, ast) => (
            cx.type_decl_scope(*id),
            cx.program[*id].type_params.clone(),
            &ast.type_params,
            ast.name.span,
        ),
        Pending::Function(id, ast) => (
            cx.callable_scope(*id),
            cx.program[*id].type_params.clone(),
            &ast.type_params,
            ast.name.span,
        ),
        Pending::Method(id, ast) => {
            let name = ast.name.as_ref().map_or(ast.head, |n| n.span);
            (
                cx.callable_scope(*id),
                cx.program[*id].type_params.clone(),
                &ast.type_params,
                name,
            )
        }
        Pending::Field(..) | Pending::Const(..) => return,
    };
    for (id, param) in ids.iter().zip(params) {
        for bound in &param.bounds {
            let bound = cx.resolve_type_with(&scope, bound, &mut prefix(&[]));
            if bound != Type::Error && !is_bound(cx, &bound) {
                let message = format!(
                    "a type parameter can extend only traits, found {}",
                    cx.program.show_type(&bound)
                );
                cx.error("resolve/type-bound", name, message);
                continue;
            }
            cx.program[*id].bounds.push(bound);
        }
    }
}

/// Whether the type may be the bound of a type parameter: a trait, `object`, or a subset type of
/// one.
fn is_bound(cx: &Context, ty: &Type) -> bool {
    let own = cx.program.strip_subset(ty);
    matches!(own, Type::Object { .. })
        || matches!(own, Type::Named { decl, .. } if cx.program.is_trait(decl))
}

fn datatype(cx: &mut Context, id: TypeId, ast: &Arc<ast::DatatypeDecl>, ctors: &[CtorId]) {
    let scope = cx.type_decl_scope(id);
    let params = cx.program[id].type_params.clone();
    for ctor in ctors {
        let ctor_name = cx.program[*ctor].name.clone();
        let Some(decl) = ast.ctors.iter().find(|c| c.name.name == ctor_name) else {
            continue;
        };
        for (i, formal) in decl.formals.iter().enumerate() {
            let ty = cx.resolve_type_with(&scope, &formal.ty, &mut prefix(&params));
            let name = formal
                .name
                .as_ref()
                .map_or_else(|| Name::from(i.to_string()), |n| n.name.clone());
            let span = formal.name.as_ref().map_or(formal.span, |n| n.span);
            cx.declared_with(span, formal.ty.span);
            let field = destructor(cx, id, *ctor, formal, &name, &ty, span);
            let param = cx.add_local(name, ty, formal.ghost, false, span);
            if formal.nameonly {
                cx.variables.nameonly_params.insert(param);
            }
            let ctor = &mut cx.program[*ctor];
            ctor.fields.push(field);
            ctor.params.push(param);
            ctor.defaults.push(None);
            ctor.named.push(formal.name.is_some());
        }
        if decl.formals.iter().any(|f| f.default.is_some()) {
            cx.work.push(BodyWork::CtorDefaults {
                ctor: *ctor,
                ast: Arc::new(decl.clone()),
            });
        }
    }
    if ast.ctors.is_empty() {
        cx.error(
            "resolve/no-constructor",
            ast.name.span,
            format!("datatype '{}' has no constructors", ast.name.name),
        );
    }
}

/// Returns the destructor of a constructor parameter: a new one, or the one that another
/// constructor declared under this name.
fn destructor(
    cx: &mut Context,
    owner: TypeId,
    ctor: CtorId,
    formal: &ast::Formal,
    name: &Name,
    ty: &Type,
    span: Span,
) -> FieldId {
    // A destructor of the same name in another constructor is shared.
    let existing = match (
        &formal.name,
        cx.names.members_of(owner).and_then(|m| m.get(name)),
    ) {
        (Some(_), Some(Member::Field(f))) => Some(*f),
        (
            _,
            Some(Member::Field(_) | Member::Callable(_) | Member::Ctor(_) | Member::CtorTest(_))
            | None,
        ) => None,
    };
    if let Some(id) = existing {
        let field = &cx.program[id];
        let FieldKind::Destructor(ctors) = &field.kind else {
            let first = field.span;
            member_like_destructor(cx, name, first, span);
            return id;
        };
        if ctors.contains(&ctor) {
            // Dafny reports it at the constructor.
            let first = field.span;
            let d = Diagnostic::error(
                "resolve/duplicate",
                cx.program[ctor].span,
                format!("duplicate use of destructor name in the same constructor: {name}"),
            );
            cx.diagnostics.push_in(
                Pass::Declarations,
                d.with_secondary(first, "first used here")
                    .with_secondary(span, "used again here"),
            );
            return id;
        }
        // Shared destructors have to agree. Compare the types in the view of the whole program,
        // because some of their synonyms may be opaque.
        let is_other = cx.seen_from(None, &field.ty) != cx.seen_from(None, ty);
        if is_other || field.ghost != formal.ghost {
            let pass = if is_other {
                Pass::Inference
            } else {
                Pass::GhostTypes
            };
            let first = field.span;
            let message =
                format!("shared destructors must have the same type and ghostness: {name}");
            let d = Diagnostic::error("resolve/shared-destructor", span, message);
            cx.diagnostics
                .push_in(pass, d.with_secondary(first, "first declared here"));
        }
        if let FieldKind::Destructor(ctors) = &mut cx.program[id].kind {
            ctors.push(ctor);
        }
        return id;
    }
    let id = cx.program.add(Field {
        name: name.clone(),
        kind: FieldKind::Destructor(vec![ctor]),
        owner: Some(owner),
        module: cx.program[owner].module,
        ty: ty.clone(),
        ghost: formal.ghost,
        is_static: false,
        attributes: Vec::new(),
        doc: None,
        span,
    });
    // Unnamed parameters have a destructor that no program can name.
    if formal.name.is_some() {
        let clash = match cx
            .names
            .members_of(owner)
            .and_then(|m| m.get(name))
            .copied()
        {
            Some(Member::Callable(c)) => Some(cx.program[c].span),
            Some(Member::CtorTest(_)) => Some(span),
            Some(Member::Field(_) | Member::Ctor(_)) | None => None,
        };
        if let Some(first) = clash {
            member_like_destructor(cx, name, first, span);
        } else if let Some(members) = cx.names.members.get_mut(owner.0 as usize) {
            members.insert(name.clone(), Member::Field(id));
        }
    }
    id
}

/// Reports a member with the name of a destructor. Destructors claim their names before members.
fn member_like_destructor(cx: &mut Context, name: &Name, member: Span, destructor: Span) {
    let d = Diagnostic::error(
        "resolve/duplicate",
        member,
        format!("the name of this member is already used by a destructor: {name}"),
    );
    cx.diagnostics.push_in(
        Pass::Declarations,
        d.with_secondary(destructor, "the destructor"),
    );
}

fn newtype(cx: &mut Context, id: TypeId, ast: &Arc<ast::NewtypeDecl>) {
    let Some(definition) = &ast.definition else {
        return;
    };
    let constrained = constrained(cx, id, definition);
    cx.program[id].kind = TypeDeclKind::Newtype(constrained);
}

fn subset(cx: &mut Context, id: TypeId, ast: &Arc<ast::TypeDecl>) {
    let Some(definition) = &ast.definition else {
        return;
    };
    let constrained = constrained(cx, id, definition);
    cx.program[id].kind = TypeDeclKind::Subset(constrained);
}

fn constrained(cx: &mut Context, id: TypeId, ast: &ast::Constrained) -> Constrained {
    let scope = cx.type_decl_scope(id);
    let params = cx.program[id].type_params.clone();
    let base = match &ast.base {
        Some(base) => cx.resolve_type_with(&scope, base, &mut prefix(&params)),
        None => Type::Error,
    };
    let var = ast
        .var
        .as_ref()
        .map(|v| cx.add_local(v.name.clone(), base.clone(), false, false, v.span));
    if ast.constraint.is_some()
        || matches!(
            ast.witness,
            ast::Witness::Compiled(_) | ast::Witness::Ghost(_)
        )
    {
        cx.work.push(BodyWork::Constraint {
            ty: id,
            ast: Arc::new(ast.clone()),
            infer_base: ast.base.is_none(),
        });
    }
    let witness = match &ast.witness {
        ast::Witness::Star => Witness::Opt,
        // Written witnesses are filled in by `bodies`.
        ast::Witness::Default | ast::Witness::Compiled(_) | ast::Witness::Ghost(_) => {
            Witness::Default
        }
    };
    Constrained {
        base,
        var,
        constraint: None,
        witness,
        range: None,
        native: None,
    }
}

fn field_type(cx: &mut Context, id: FieldId, ty: &ast::Type) -> Type {
    let field = &cx.program[id];
    let params = field
        .owner
        .map_or_else(Vec::new, |o| cx.program[o].type_params.clone());
    let scope = cx.type_scope(field.module, &params);
    let name = field.span;
    // All type arguments of a field's type have to be written.
    let resolved = cx.resolve_type_with(&scope, ty, &mut prefix(&[]));
    cx.declared_with(name, ty.span);
    resolved
}

fn constant(cx: &mut Context, id: FieldId, ast: &Arc<ast::ConstDecl>) {
    match &ast.ty {
        Some(ty) => cx.program[id].ty = field_type(cx, id, ty),
        None if ast.value.is_some() => {
            cx.types.untyped_consts.insert(id);
        }
        None => cx.error(
            "resolve/untyped-const",
            ast.name.span,
            format!("constant '{}' must have a type or a value", ast.name.name),
        ),
    }
    if let Some(value) = &ast.value {
        cx.work.push(BodyWork::ConstValue {
            field: id,
            ast: Arc::new(value.clone()),
            untyped: ast.ty.is_none(),
        });
    }
}

/// The state of resolving a signature. Types in a signature without type parameters may introduce
/// new ones.
struct Signature {
    scope: TypeScope,
    params: Vec<TypeParamId>,
    extends: bool,
    fresh: Vec<TypeParamId>,
}

impl Signature {
    fn of(cx: &Context, id: CallableId) -> Self {
        let params = cx.program[id].type_params.clone();
        Self {
            scope: cx.callable_scope(id),
            extends: params.is_empty(),
            params,
            fresh: Vec::new(),
        }
    }

    fn resolve(&mut self, cx: &mut Context, ty: &ast::Type) -> Type {
        let mut params = self.params.clone();
        params.extend(&self.fresh);
        let extend = self.extends.then_some(&mut self.fresh);
        cx.resolve_type_with(&self.scope, ty, &mut MissingArgs::Prefix { params, extend })
    }

    fn formals(
        &mut self,
        cx: &mut Context,
        ast: &[ast::Formal],
        ghost: bool,
        mutable: bool,
        taken: &mut Vec<(Name, Span)>,
    ) -> Vec<Formal> {
        let mut formals = Vec::new();
        for f in ast {
            let (name, span) = f
                .name
                .as_ref()
                .map_or_else(|| (Name::from("_"), f.span), |n| (n.name.clone(), n.span));
            taken_once(cx, taken, &name, span);
            let ty = self.resolve(cx, &f.ty);
            cx.declared_with(span, f.ty.span);
            let local = cx.add_local(name, ty, f.ghost || ghost, mutable, span);
            if f.older {
                cx.variables.older.insert(local);
            }
            if f.is_new {
                cx.variables.new_params.insert(local);
            }
            if is_synonym(cx, &f.ty, local) {
                cx.variables.synonym_params.insert(local);
            }
            formals.push(Formal {
                local,
                default: None,
                nameonly: f.nameonly,
                unnamed: f.name.is_none(),
                is_new: f.is_new,
                older: f.older,
            });
        }
        formals
    }
}

/// Whether the written type of a variable is a synonym: its name differs from that of the resolved
/// type.
fn is_synonym(cx: &Context, written: &ast::Type, local: LocalId) -> bool {
    let ast::TypeKind::Named(segments) = &written.kind else {
        return false;
    };
    match (&cx.program[local].ty, segments.last()) {
        (&Type::Named { decl, .. }, Some(last)) => {
            let name = last.name.name.trim_end_matches('?');
            cx.program[decl].name.trim_end_matches('?') != name
        }
        (Type::Seq(_), Some(last)) => !matches!(&*last.name.name, "seq" | "string"),
        (Type::Set { .. }, Some(last)) => !matches!(&*last.name.name, "set" | "iset"),
        (Type::Multiset(_), Some(last)) => &*last.name.name != "multiset",
        (Type::Map { .. }, Some(last)) => !matches!(&*last.name.name, "map" | "imap"),
        (Type::Tuple(_) | Type::Arrow { .. }, Some(_)) => true,
        (_, _) => false,
    }
}

/// Reports a parameter or result with a duplicate name.
fn taken_once(cx: &mut Context, taken: &mut Vec<(Name, Span)>, name: &Name, span: Span) {
    if let Some((_, first)) = taken.iter().find(|(n, _)| n == name && &**name != "_") {
        let d = Diagnostic::error(
            "resolve/duplicate",
            span,
            format!("duplicate name of parameter: {name}"),
        );
        cx.diagnostics
            .push(d.with_secondary(*first, "first declared here"));
    }
    taken.push((name.clone(), span));
}

fn function(cx: &mut Context, id: CallableId, ast: &Arc<ast::FunctionDecl>) {
    let ghost = cx.program[id].ghost;
    let mut signature = Signature::of(cx, id);
    let mut taken = Vec::new();
    let ins = signature.formals(cx, &ast.ins, ghost, false, &mut taken);
    // The result and the parameters share a scope.
    if let Some(name) = &ast.result_name {
        taken_once(cx, &mut taken, &name.name, name.span);
    }
    let result = match &ast.result {
        Some(ty) => signature.resolve(cx, ty),
        None => Type::Bool,
    };
    let (name, span) = ast.result_name.as_ref().map_or_else(
        || (Name::from("_result"), ast.name.span),
        |n| (n.name.clone(), n.span),
    );
    ast.result
        .iter()
        .for_each(|ty| cx.declared_with(span, ty.span));
    let local = cx.add_local(name, result, ghost, false, span);
    let out = Formal {
        local,
        default: None,
        nameonly: false,
        unnamed: ast.result_name.is_none(),
        is_new: false,
        older: false,
    };
    let callable = &mut cx.program[id];
    callable.ins = ins;
    callable.outs = vec![out];
    callable.type_params.extend(signature.fresh);
    if matches!(
        callable.kind,
        CallableKind::LeastPredicate | CallableKind::GreatestPredicate
    ) {
        prefix_callable(cx, id, ast.k_type.as_ref());
    }
    cx.work.push(BodyWork::Function {
        id,
        ast: Arc::clone(ast),
    });
}

fn method(cx: &mut Context, id: CallableId, ast: &Arc<ast::MethodDecl>) {
    let ghost = cx.program[id].ghost;
    let mut signature = Signature::of(cx, id);
    let mut taken = Vec::new();
    let ins = signature.formals(cx, &ast.ins, ghost, false, &mut taken);
    let outs = signature.formals(cx, &ast.outs, ghost, true, &mut taken);
    let callable = &mut cx.program[id];
    callable.ins = ins;
    callable.outs = outs;
    callable.type_params.extend(signature.fresh);
    if ast.kind == ast::MethodKind::TwostateLemma {
        cx.callables.two_state_lemmas.insert(id);
    }
    if matches!(
        ast.kind,
        ast::MethodKind::LeastLemma | ast::MethodKind::GreatestLemma
    ) {
        cx.callables
            .extreme_lemmas
            .insert(id, ast.kind == ast::MethodKind::LeastLemma);
        prefix_callable(cx, id, ast.k_type.as_ref());
    }
    cx.work.push(BodyWork::Method {
        id,
        ast: Arc::clone(ast),
    });
}

/// Declares the prefix predicate or lemma `P#[k](…)` of an extreme predicate or lemma.
fn prefix_callable(cx: &mut Context, id: CallableId, k_type: Option<&ast::Type>) {
    let scope = cx.callable_scope(id);
    let k = match k_type {
        Some(ty) => cx.resolve_type_with(&scope, ty, &mut prefix(&[])),
        None => Type::Ordinal,
    };
    let extreme = cx.program[id].clone();
    let span = extreme.span;
    let local = cx.add_local(Name::from("_k"), k, true, false, span);
    let mut ins = vec![Formal::new(local)];
    // The prefix callable has variables of its own.
    let copy = |cx: &mut Context, f: &Formal| {
        let local = cx.program[f.local].clone();
        let local = cx.program.add(local);
        Formal { local, ..f.clone() }
    };
    for f in &extreme.ins {
        let f = copy(cx, f);
        ins.push(f);
    }
    let mut outs = Vec::new();
    for f in &extreme.outs {
        let f = copy(cx, f);
        outs.push(f);
    }
    let kind = if extreme.kind.is_function() {
        CallableKind::Function
    } else {
        CallableKind::Lemma
    };
    let prefix = cx.program.add(Callable {
        name: Name::from(format!("{}#", extreme.name)),
        kind,
        ins,
        outs,
        attributes: Vec::new(),
        ..extreme
    });
    cx.callables.prefixes.insert(id, prefix);
}

impl Context {
    /// Reports a subset type or newtype whose base mentions the type itself, and cuts the cycle:
    /// the base becomes an error type. `bodies` calls this when it infers a base.
    pub(super) fn cut_base_cycle(&mut self, id: TypeId) {
        if !self.base_cycle(id).is_empty() {
            self.cut_cycle(id, self.program[id].span);
        }
    }
}

/// Links members to those with the same name in parent traits.
fn overrides(cx: &mut Context) {
    let ids: Vec<TypeId> = cx.program.ids();
    for id in ids {
        if cx.program[id].parents.is_empty() {
            continue;
        }
        let ancestors = cx.ancestors(id);
        for callable in cx.program[id].callables.clone() {
            let name = cx.program[callable].name.clone();
            if cx.program[callable].kind == CallableKind::Constructor {
                continue;
            }
            let inherited = |(t, _): &(TypeId, Vec<Type>)| match cx
                .names
                .members_of(*t)
                .and_then(|m| m.get(&name))
            {
                Some(Member::Callable(c)) if *t != id => Some(*c),
                Some(
                    Member::Callable(_) | Member::Field(_) | Member::Ctor(_) | Member::CtorTest(_),
                )
                | None => None,
            };
            let overrides: Vec<CallableId> = ancestors.iter().filter_map(inherited).collect();
            if let Some(other) = overrides
                .iter()
                .find(|o| cx.program[**o].ins.len() != cx.program[callable].ins.len())
            {
                let (message, first) = (
                    format!(
                        "method or function '{name}' overrides one with a different number of parameters"
                    ),
                    cx.program[*other].span,
                );
                let d = Diagnostic::error("resolve/override", cx.program[callable].span, message);
                cx.diagnostics
                    .push(d.with_secondary(first, "the overridden declaration"));
            }
            cx.program[callable].overrides = overrides;
        }
    }
}
