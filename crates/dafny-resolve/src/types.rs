//! Resolution of written types to [`Type`].

use crate::typed::{
    Arena, Characteristics, Item, ModuleId, Program, Substitution, Type, TypeDecl, TypeDeclKind,
    TypeId, TypeParam,
};
use dafny_source::{Name, Span};
use dafny_syntax::ast::{self, TypeKind, TypeSegment};

use super::bodies::is_variable;
use super::context::{
    Context, Entity, LookupError, MissingArgs, ModuleView, NameUse, SynonymId, TypeScope,
};
use super::index::{Candidate, Definition, Sort};
use super::passes::Pass;

/// The name of the implicit class of a module, whose members are the constants, functions and methods
/// that the module declares outside of types. Programs for older Dafny versions mention it.
pub(super) const DEFAULT_CLASS: &str = "_default";

impl Context {
    /// Resolves a written type. `missing` determines omitted type arguments.
    pub fn resolve_type_with(
        &mut self,
        scope: &TypeScope,
        ty: &ast::Type,
        missing: &mut MissingArgs<'_>,
    ) -> Type {
        match &ty.kind {
            TypeKind::Named(segments) => self.resolve_named(scope, segments, ty.span, missing),
            TypeKind::Tuple(components) => Type::Tuple(
                components
                    .iter()
                    .map(|c| (c.ghost, self.resolve_type_with(scope, &c.ty, missing)))
                    .collect(),
            ),
            TypeKind::Arrow {
                kind,
                params,
                result,
            } => Type::Arrow {
                kind: *kind,
                params: params
                    .iter()
                    .map(|p| self.resolve_type_with(scope, p, missing))
                    .collect(),
                result: Box::new(self.resolve_type_with(scope, result, missing)),
            },
        }
    }

    fn resolve_named(
        &mut self,
        scope: &TypeScope,
        segments: &[TypeSegment],
        span: Span,
        missing: &mut MissingArgs<'_>,
    ) -> Type {
        let Some((last, qualifiers)) = segments.split_last() else {
            return Type::Error;
        };
        // An unqualified name may be a type parameter or a built-in type. Both take precedence over
        // declarations.
        if qualifiers.is_empty() {
            if let Some((_, p)) = scope
                .type_params
                .iter()
                .rev()
                .find(|(n, _)| *n == last.name.name)
            {
                let param = Type::Param(*p);
                self.notes.note(last.name.span, Definition::TypeParam(*p));
                self.types.param_uses.push((*p, last.name.span));
                if last.args.as_ref().is_some_and(|a| !a.is_empty()) {
                    self.error(
                        "resolve/type-arguments",
                        span,
                        format!(
                            "type parameter `{}` takes no type arguments",
                            last.name.name
                        ),
                    );
                    return Type::Error;
                }
                return param;
            }
            if let Some(builtin) = Builtin::of(&last.name.name) {
                return self.resolve_builtin(scope, builtin, last, span, missing);
            }
        }
        match self.lookup_type(scope, qualifiers, last) {
            Some((Entity::Type(id), nullable)) => {
                self.named(scope, id, nullable, last, span, missing)
            }
            Some((Entity::Synonym(id), nullable)) => {
                self.synonym(scope, id, nullable, last, span, missing)
            }
            Some((
                Entity::Module(_) | Entity::Const(_) | Entity::Callable(_) | Entity::Ctor(_),
                _,
            )) => {
                self.error(
                    "resolve/not-a-type",
                    last.name.span,
                    format!("`{}` is not a type", last.name.name),
                );
                Type::Error
            }
            None => Type::Error,
        }
    }

    /// Looks up the entity that a type's path denotes. Returns it, and whether a `?` was removed
    /// from the name. Reports errors.
    fn lookup_type(
        &mut self,
        scope: &TypeScope,
        qualifiers: &[TypeSegment],
        last: &TypeSegment,
    ) -> Option<(Entity, bool)> {
        let view = match qualifiers.split_first() {
            None => None,
            Some((first, rest)) => {
                let mut view = self.expect_module(
                    self.lookup(scope.module, &first.name.name, NameUse::Module),
                    &first.name,
                )?;
                self.notes
                    .note(first.name.span, Definition::Module(view.module));
                self.use_module(scope.module, view, first.name.span);
                for segment in qualifiers {
                    self.module_takes_no_types(segment);
                }
                for segment in rest {
                    view = self.expect_module(
                        self.lookup_in(view, &segment.name.name, NameUse::Module),
                        &segment.name,
                    )?;
                    self.notes
                        .note(segment.name.span, Definition::Module(view.module));
                    self.use_module(scope.module, view, segment.name.span);
                }
                Some(view)
            }
        };
        if self.notes.asks_for(&last.name.name) {
            self.offer_types(scope, view);
        }
        // Two synonyms of one type are not ambiguous.
        if view.is_none()
            && matches!(
                self.lookup(scope.module, &last.name.name, NameUse::Type),
                Err(LookupError::Ambiguous { .. })
            )
        {
            self.resolve_opened_synonyms(scope.module, &last.name.name);
        }
        let ask = |name: &str| match view {
            None => self.lookup(scope.module, name, NameUse::Type),
            Some(view) => self.lookup_in(view, name, NameUse::Type),
        };
        let name = &last.name.name;
        let error = match ask(name) {
            Ok(entity) => {
                self.notes.note(last.name.span, entity.into());
                return Some((entity, false));
            }
            Err(error) => error,
        };
        let error = match name.strip_suffix('?') {
            Some(base) => match ask(base) {
                // A class that is only provided does not have a nullable type in this module.
                Ok(Entity::Type(id))
                    if view.map_or(!self.reveals_type(scope.module, id), |v| {
                        !self.names.reveals(v, base)
                    }) =>
                {
                    error
                }
                Ok(entity) => {
                    self.notes.note(last.name.span, entity.into());
                    return Some((entity, true));
                }
                Err(error) => error,
            },
            None => error,
        };
        // An export set does not list the implicit class, which is there all the same.
        if &**name == DEFAULT_CLASS {
            let module = view.map_or(scope.module, |v| v.module);
            return Some((Entity::Type(self.default_class(module)), false));
        }
        self.report_lookup("type", name, last.name.span, &error);
        None
    }

    /// The type that stands for the implicit class of a module. It is created on demand, has no
    /// values and no members of its own: [`Context::module_of_default_class`] has them.
    fn default_class(&mut self, module: ModuleId) -> TypeId {
        if let Some((id, _)) = self
            .names
            .default_classes
            .iter()
            .find(|(_, m)| *m == module)
        {
            return *id;
        }
        let id = self.program.add(TypeDecl {
            name: Name::from(DEFAULT_CLASS),
            module,
            type_params: Vec::new(),
            kind: TypeDeclKind::Abstract,
            fields: Vec::new(),
            callables: Vec::new(),
            parents: Vec::new(),
            ghost: false,
            characteristics: Characteristics {
                equality: true,
                ..Characteristics::default()
            },
            attributes: Vec::new(),
            doc: None,
            span: Span::default(),
        });
        self.names.members.push(rustc_hash::FxHashMap::default());
        self.program[module].items.push(Item::Type(id));
        self.names.default_classes.push((id, module));
        id
    }

    /// The module of which a type is the implicit class.
    pub(super) fn module_of_default_class(&self, ty: TypeId) -> Option<ModuleId> {
        let found = self.names.default_classes.iter().find(|(id, _)| *id == ty);
        found.map(|(_, module)| *module)
    }

    /// Reports type arguments after the name of a module.
    fn module_takes_no_types(&mut self, segment: &TypeSegment) {
        if segment.args.as_ref().is_some_and(|a| !a.is_empty()) {
            let message = format!("the module `{}` takes no type arguments", segment.name.name);
            self.error("resolve/type-arguments", segment.name.span, message);
        }
    }

    /// Offers the completions of a type: names of types and modules.
    fn offer_types(&mut self, scope: &TypeScope, view: Option<ModuleView>) {
        let mut candidates = match view {
            None => self.candidates_of_scope(scope.module, Sort::Types),
            Some(view) => self.candidates_of_module(view, Sort::Types),
        };
        if view.is_none() {
            let params = scope.type_params.iter();
            candidates.extend(params.map(|(n, p)| Candidate {
                name: n.clone(),
                definition: Some(Definition::TypeParam(*p)),
            }));
        }
        self.notes.offer(candidates);
    }

    fn use_module(&mut self, module: ModuleId, view: ModuleView, span: Span) {
        let pass = self.diagnostics.pass();
        self.report_abstract(pass, module, view, span);
    }

    fn expect_module(
        &mut self,
        found: Result<Entity, LookupError>,
        name: &ast::Ident,
    ) -> Option<ModuleView> {
        match found {
            Ok(Entity::Module(view)) => Some(view),
            Ok(
                Entity::Type(_)
                | Entity::Synonym(_)
                | Entity::Const(_)
                | Entity::Callable(_)
                | Entity::Ctor(_),
            ) => {
                self.error(
                    "resolve/not-a-module",
                    name.span,
                    format!("`{}` is not a module", name.name),
                );
                None
            }
            Err(error) => {
                self.report_lookup("module", &name.name, name.span, &error);
                None
            }
        }
    }

    fn named(
        &mut self,
        scope: &TypeScope,
        id: TypeId,
        nullable: bool,
        last: &TypeSegment,
        span: Span,
        missing: &mut MissingArgs<'_>,
    ) -> Type {
        let arity = self.program[id].type_params.len();
        let Some(args) = self.arguments(scope, last, arity, span, missing) else {
            return Type::Error;
        };
        if nullable && !has_nullable(&self.program, id) {
            self.error(
                "resolve/no-nullable",
                span,
                format!(
                    "`{}` is not a reference type, so it has no nullable form",
                    self.program[id].name
                ),
            );
            return Type::Error;
        }
        Type::Named {
            decl: id,
            args,
            nullable,
        }
    }

    fn synonym(
        &mut self,
        scope: &TypeScope,
        id: SynonymId,
        nullable: bool,
        last: &TypeSegment,
        span: Span,
        missing: &mut MissingArgs<'_>,
    ) -> Type {
        let Some(synonym) = self.synonyms.get(id) else {
            return Type::Error;
        };
        let params = synonym.params.clone();
        if !self.resolve_synonym(id) {
            return Type::Error;
        }
        let Some(args) = self.arguments(scope, last, params.len(), span, missing) else {
            return Type::Error;
        };
        // `S?` shows that the definition is visible, because only it says that `S` is a class.
        let opaque = self.opaque_type_of(scope.module, id).filter(|_| !nullable);
        let Some(rhs) = self.synonyms.get(id).map(|s| s.rhs.clone()) else {
            return Type::Error;
        };
        // Nested synonyms may expand to exponential size. Estimate the size before expanding.
        let widest = args.iter().map(size).max().unwrap_or(1);
        if size(&rhs).saturating_mul(widest) > MAX_SIZE {
            self.error(
                "resolve/type-too-large",
                span,
                format!(
                    "type `{}` is too large when its synonyms are expanded",
                    last.name.name
                ),
            );
            return Type::Error;
        }
        // Arguments are checked later against the requirements of the synonym, unless they are
        // inferred.
        let is_open = |t: &Type| t.any(&mut |t| matches!(t, Type::Param(p) if is_variable(*p)));
        if !args.is_empty() && !args.iter().any(is_open) {
            self.synonyms.uses.push((
                span,
                id,
                args.iter()
                    .map(|a| self.seen_from(Some(scope.module), a))
                    .collect(),
            ));
        }
        // In a module that sees only the name, the synonym is an opaque type.
        if let Some(opaque) = opaque {
            return Type::named(opaque, args);
        }
        let map: Substitution = params.into_iter().zip(args).collect();
        // The definition may mention other synonyms that this module does not see.
        let rhs = self.seen_where_written(scope.module, rhs.subst(&map));
        if !nullable {
            return rhs;
        }
        if let Type::Named {
            decl,
            args,
            nullable: false,
        } = &rhs
            && has_nullable(&self.program, *decl)
        {
            return Type::Named {
                decl: *decl,
                args: args.clone(),
                nullable: true,
            };
        }
        self.error(
            "resolve/no-nullable",
            span,
            format!("`{}` has no nullable form", self.program.show_type(&rhs)),
        );
        Type::Error
    }

    fn resolve_builtin(
        &mut self,
        scope: &TypeScope,
        builtin: Builtin,
        last: &TypeSegment,
        span: Span,
        missing: &mut MissingArgs<'_>,
    ) -> Type {
        let arity = match builtin {
            Builtin::Plain(_) | Builtin::Nat => 0,
            Builtin::Seq | Builtin::Set { .. } | Builtin::Multiset | Builtin::Array { .. } => 1,
            Builtin::Map { .. } => 2,
        };
        // The number of arguments of a collection type is part of Dafny's grammar.
        let is_collection = match builtin {
            Builtin::Seq | Builtin::Set { .. } | Builtin::Multiset | Builtin::Map { .. } => true,
            Builtin::Plain(_) | Builtin::Nat | Builtin::Array { .. } => false,
        };
        let is_syntax = is_collection && last.args.as_ref().is_some_and(|a| a.len() != arity);
        let pass = if is_syntax {
            Pass::Parsing
        } else {
            self.diagnostics.pass()
        };
        let args = self.in_pass(pass, |cx| cx.arguments(scope, last, arity, span, missing));
        let Some(mut args) = args else {
            return Type::Error;
        };
        // The number of arguments was checked above.
        let mut next = || {
            Box::new(if args.is_empty() {
                Type::Error
            } else {
                args.remove(0)
            })
        };
        match builtin {
            Builtin::Plain(ty) => ty,
            Builtin::Nat => self
                .program
                .nat
                .map_or(Type::Int, |nat| Type::named(nat, Vec::new())),
            Builtin::Seq => Type::Seq(next()),
            Builtin::Set { finite } => Type::Set {
                finite,
                elem: next(),
            },
            Builtin::Multiset => Type::Multiset(next()),
            Builtin::Map { finite } => Type::Map {
                finite,
                key: next(),
                value: next(),
            },
            Builtin::Array { dims, nullable } => Type::Array {
                dims,
                nullable,
                elem: next(),
            },
        }
    }

    /// Resolves the arguments of a path segment, or supplies omitted ones. Reports a wrong number
    /// and returns `None`.
    fn arguments(
        &mut self,
        scope: &TypeScope,
        last: &TypeSegment,
        arity: usize,
        span: Span,
        missing: &mut MissingArgs<'_>,
    ) -> Option<Vec<Type>> {
        match &last.args {
            Some(args) if args.len() == arity => Some(
                args.iter()
                    .map(|a| self.resolve_type_with(scope, a, missing))
                    .collect(),
            ),
            Some(args) => {
                let message = format!(
                    "wrong number of type arguments ({} instead of {arity}) passed to `{}`",
                    args.len(),
                    last.name.name
                );
                self.error("resolve/type-arguments", span, message);
                None
            }
            None => match missing {
                MissingArgs::Infer(infer) => Some((0..arity).map(|_| infer()).collect()),
                // Omitted arguments are the parameters of the enclosing declaration, in order.
                MissingArgs::Prefix { params, extend } => {
                    if let Some(extend) = extend {
                        while params.len() < arity {
                            let name = Name::from(format!("_T{}", extend.len()));
                            let param = self.program.add(TypeParam {
                                name,
                                variance: ast::Variance::Invariant,
                                characteristics: Characteristics::default(),
                                bounds: Vec::new(),
                                span,
                            });
                            extend.push(param);
                            params.push(param);
                        }
                    }
                    if params.len() < arity {
                        let message = format!(
                            "wrong number of type arguments (0 instead of {arity}) passed to `{}`",
                            last.name.name
                        );
                        self.error("resolve/type-arguments", span, message);
                        return None;
                    }
                    Some(params.iter().take(arity).map(|p| Type::Param(*p)).collect())
                }
            },
        }
    }
}

/// The maximum number of parts of an expanded synonym: more than any reasonable program needs, and
/// small enough for memory.
pub(super) const MAX_SIZE: usize = 20_000;

/// The number of parts of a type.
fn size(ty: &Type) -> usize {
    1 + ty.parts().map(size).sum::<usize>()
}

/// Whether the type has a nullable form `C?`.
fn has_nullable(program: &Program, id: TypeId) -> bool {
    match &program[id].kind {
        TypeDeclKind::Class | TypeDeclKind::Iterator(_) => true,
        TypeDeclKind::Trait { is_reference } => *is_reference,
        TypeDeclKind::Datatype { .. }
        | TypeDeclKind::Newtype(_)
        | TypeDeclKind::Subset(_)
        | TypeDeclKind::Abstract => false,
    }
}

/// A type name that the language defines.
enum Builtin {
    /// A type without arguments.
    Plain(Type),
    Nat,
    Seq,
    Set {
        finite: bool,
    },
    Multiset,
    Map {
        finite: bool,
    },
    Array {
        dims: u32,
        nullable: bool,
    },
}

impl Builtin {
    fn of(name: &str) -> Option<Self> {
        Some(match name {
            "bool" => Self::Plain(Type::Bool),
            "char" => Self::Plain(Type::Char),
            "int" => Self::Plain(Type::Int),
            "real" => Self::Plain(Type::Real),
            "ORDINAL" => Self::Plain(Type::Ordinal),
            "string" => Self::Plain(Type::string()),
            "object" => Self::Plain(Type::Object { nullable: false }),
            "object?" => Self::Plain(Type::Object { nullable: true }),
            "nat" => Self::Nat,
            "seq" => Self::Seq,
            "set" => Self::Set { finite: true },
            "iset" => Self::Set { finite: false },
            "multiset" => Self::Multiset,
            "map" => Self::Map { finite: true },
            "imap" => Self::Map { finite: false },
            _ => return Self::numbered(name),
        })
    }

    /// Parses `bvN`, `array` and `arrayN`, the latter two also with `?`.
    fn numbered(name: &str) -> Option<Self> {
        let number = |digits: &str| match digits {
            "0" => Some(0),
            _ if digits.starts_with('0') || digits.starts_with('+') => None,
            // Dafny has no larger ones.
            _ => digits
                .parse::<i32>()
                .ok()
                .and_then(|n| u32::try_from(n).ok()),
        };
        if let Some(digits) = name.strip_prefix("bv") {
            return number(digits).map(|n| Self::Plain(Type::Bv(n)));
        }
        let rest = name.strip_prefix("array")?;
        let (digits, nullable) = rest.strip_suffix('?').map_or((rest, false), |d| (d, true));
        let dims = if digits.is_empty() {
            1
        } else {
            number(digits).filter(|n| *n >= 2)?
        };
        Some(Self::Array { dims, nullable })
    }
}
