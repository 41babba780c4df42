//! Resolution of types: names, synonyms and arguments.

use std::sync::Arc;

use boogie_syntax::ast::{self, TypeKind};
use dafny_source::{Name, Span};
use rustc_hash::FxHashMap;

use crate::checker::Checker;
use crate::typed::{MapType, Type, TypeVar};
use crate::unify::{free_type_vars, substitute};

/// The maximal nesting depth of synonyms.
const MAX_SYNONYMS: usize = 200;

impl<'a> Checker<'a> {
    /// Adds a new type variable to the scope.
    pub(crate) fn add_type_var(&mut self, ident: &ast::Ident) -> TypeVar {
        if self.scopes.type_var(&ident.name).is_some() {
            self.name_error(
                ident.span,
                format!("type variable `{}` is already declared", ident.name),
            );
        }
        let id = TypeVar(self.program.type_vars.len() as u32);
        self.program.type_vars.push(ident.name.clone());
        self.scopes.add_type(ident.name.clone(), id);
        id
    }

    /// Resolves a type.
    pub(crate) fn resolve_type(&mut self, ty: &ast::Type) -> Type {
        stacker::maybe_grow(128 * 1024, 1024 * 1024, || match &ty.kind {
            TypeKind::Bool => Type::Bool,
            TypeKind::Int => Type::Int,
            TypeKind::Real => Type::Real,
            TypeKind::Named(name, args) => self.named_type(name, args, ty.span),
            TypeKind::Map(params, args, result) => self.map_type(params, args, result),
        })
    }

    fn map_type(&mut self, params: &[ast::Ident], args: &[ast::Type], result: &ast::Type) -> Type {
        let mark = self.scopes.mark();
        let ids: Vec<TypeVar> = params.iter().map(|p| self.add_type_var(p)).collect();
        let args: Vec<Type> = args.iter().map(|a| self.resolve_type(a)).collect();
        let result = self.resolve_type(result);
        self.scopes.leave(mark);
        let mut used = Vec::new();
        args.iter().for_each(|a| free_type_vars(a, &mut used));
        free_type_vars(&result, &mut used);
        for (id, param) in ids.iter().zip(params) {
            if !used.contains(id) {
                self.name_error(
                    param.span,
                    format!("type variable `{}` does not occur in the indices or the element type of the map", param.name),
                );
            }
        }
        Type::Map(Arc::new(MapType {
            params: ids,
            args,
            result,
        }))
    }

    fn named_type(&mut self, name: &Name, args: &[ast::Type], span: Span) -> Type {
        // Type variables hide types, which in turn hide synonyms and predefined types.
        if let Some(v) = self.scopes.type_var(name) {
            if !args.is_empty() {
                self.name_error(span, format!("type variable `{name}` takes no arguments"));
            }
            return Type::Var(v);
        }
        if let Some(id) = self.types.get(name).copied() {
            let args: Vec<Type> = args.iter().map(|a| self.resolve_type(a)).collect();
            let arity = self.program.type_decl(id).arity;
            if args.len() != arity {
                self.name_error(
                    span,
                    format!("type `{name}` takes {arity} arguments, not {}", args.len()),
                );
                return Type::Bool;
            }
            return Type::Constructor(id, args);
        }
        if let Some(decl) = self.synonyms.get(name).copied() {
            return self.synonym(decl, args, span);
        }
        if let Some(ty) = built_in(name).filter(|_| args.is_empty()) {
            return ty;
        }
        if let Some(generic) = self.generic_built_in(name, args) {
            return generic;
        }
        self.name_error(span, format!("type `{name}` is not declared"));
        args.iter().for_each(|a| {
            self.resolve_type(a);
        });
        Type::Bool
    }

    /// Returns `Seq T`, the sequence type of recent Boogie, which has no operations here.
    fn generic_built_in(&mut self, name: &Name, args: &[ast::Type]) -> Option<Type> {
        match (&**name, args) {
            ("Seq", [element]) => {
                let element = self.resolve_type(element);
                let id = self.opaque_constructor(name, 1);
                Some(Type::Constructor(id, vec![element]))
            }
            _ => None,
        }
    }

    fn synonym(&mut self, decl: &'a ast::TypeDecl, args: &[ast::Type], span: Span) -> Type {
        let name = &decl.name.name;
        if self.expanding.contains(name) {
            self.name_error(span, format!("type synonym `{name}` depends on itself"));
            return Type::Bool;
        }
        if self.expanding.len() > MAX_SYNONYMS {
            self.name_error(span, "type synonyms are nested too deeply");
            return Type::Bool;
        }
        let args: Vec<Type> = args.iter().map(|a| self.resolve_type(a)).collect();
        if args.len() != decl.params.len() {
            self.name_error(
                span,
                format!(
                    "type `{name}` takes {} arguments, not {}",
                    decl.params.len(),
                    args.len()
                ),
            );
            return Type::Bool;
        }
        let Some(body) = &decl.body else {
            return Type::Bool;
        };
        self.expanding.push(name.clone());
        // The definition of a synonym does not see the scope of its use.
        let outer = std::mem::take(&mut self.scopes);
        let params: Vec<TypeVar> = decl.params.iter().map(|p| self.add_type_var(p)).collect();
        let ty = self.resolve_type(body);
        self.scopes = outer;
        self.expanding.pop();
        let map: FxHashMap<TypeVar, Type> = params.into_iter().zip(args).collect();
        substitute(&ty, &map)
    }
}

/// Returns a predefined type.
fn built_in(name: &str) -> Option<Type> {
    let canonical = |digits: &str| digits == "0" || !digits.starts_with('0');
    if let Some(width) = name
        .strip_prefix("bv")
        .filter(|d| canonical(d))
        .and_then(|d| d.parse().ok())
    {
        return Some(Type::Bv(width));
    }
    if let Some((s, e)) = name
        .strip_prefix("float")
        .and_then(|sizes| sizes.split_once('e'))
        && let (Ok(s), Ok(e)) = (s.parse(), e.parse())
    {
        return Some(Type::Float(s, e));
    }
    matches!(name, "string" | "regex" | "rmode").then(|| Type::Opaque(name.into()))
}
