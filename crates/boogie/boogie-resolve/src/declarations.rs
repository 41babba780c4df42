//! Resolution of declarations: first all names are declared, then contracts, definitions and bodies
//! are resolved.
//!
//! [`resolve`] is the entry point.

use boogie_syntax::ast::{self, BinOp, Binding, Decl, Spec};
use dafny_source::diagnostic::Diagnostic;
use dafny_source::{Name, Span};
use rustc_hash::FxHashMap;

use crate::checker::{Checker, State};
use crate::typed::{
    Axiom, Clause, Constructor, ConstructorId, Expr, ExprKind, Function, FunctionId,
    Implementation, Procedure, ProcedureId, Program, Type, TypeId, TypeVar, VarId, VarKind,
};
use crate::unify::{free_type_vars, substitute};

/// Resolves and type-checks a program.
///
/// # Errors
///
/// Returns the errors concerning labels; if there are none, those concerning names; else those
/// concerning types.
pub fn resolve(program: &ast::Program) -> Result<Program, Vec<Diagnostic>> {
    let kept = without_externs(program);
    let program = kept.as_ref().unwrap_or(program);
    let mut checker = Checker::default();
    checker.declare_types(program);
    checker.declare_datatypes(program);
    for decl in &program.decls {
        checker.declare(decl);
    }
    for decl in &program.decls {
        checker.define(decl);
    }
    checker.errors()
}

impl<'a> Checker<'a> {
    fn declare_types(&mut self, program: &'a ast::Program) {
        for decl in &program.decls {
            let (name, arity) = match decl {
                Decl::Type(d) if d.body.is_some() => {
                    self.new_type_name(&d.name);
                    self.synonyms.insert(d.name.name.clone(), d);
                    continue;
                }
                Decl::Type(d) => (&d.name, d.params.len()),
                Decl::Datatype(d) => (&d.name, d.params.len()),
                Decl::Const(_)
                | Decl::Function(_)
                | Decl::Axiom(_)
                | Decl::Globals(_)
                | Decl::Procedure(_)
                | Decl::Implementation(_) => {
                    continue;
                }
            };
            // A synonym is resolved at its first use; all names must be known before.
            if self.new_type_name(name) {
                self.opaque_constructor(&name.name, arity);
            }
        }
        // Unused synonyms are checked as well.
        for decl in &program.decls {
            if let Decl::Type(d) = decl
                && d.body.is_some()
            {
                let mark = self.scopes.mark();
                d.params.iter().for_each(|p| {
                    self.add_type_var(p);
                });
                if let Some(body) = &d.body {
                    self.expanding.push(d.name.name.clone());
                    self.resolve_type(body);
                    self.expanding.pop();
                }
                self.scopes.leave(mark);
            }
        }
    }

    fn new_type_name(&mut self, name: &ast::Ident) -> bool {
        let is_new =
            !self.types.contains_key(&name.name) && !self.synonyms.contains_key(&name.name);
        if !is_new {
            self.name_error(
                name.span,
                format!("type `{}` is already declared", name.name),
            );
        }
        is_new
    }

    fn declare_datatypes(&mut self, program: &ast::Program) {
        for decl in &program.decls {
            let Decl::Datatype(d) = decl else { continue };
            let Some(ty) = self.types.get(&d.name.name).copied() else {
                continue;
            };
            for (name, fields) in &d.constructors {
                self.constructor(ty, d, name, fields);
            }
        }
        // Before datatypes had their own syntax, they were declared by attributes.
        for decl in &program.decls {
            let Decl::Function(f) = decl else { continue };
            if !f.attributes.iter().any(|a| &*a.name.name == "constructor") {
                continue;
            }
            self.function(f);
            self.constructor_of_function(f);
        }
    }

    fn constructor(
        &mut self,
        ty: TypeId,
        d: &ast::DatatypeDecl,
        name: &ast::Ident,
        fields: &[Binding],
    ) {
        let mark = self.scopes.mark();
        let type_params: Vec<TypeVar> = d.params.iter().map(|p| self.add_type_var(p)).collect();
        let fields: Vec<(Name, Type)> = fields
            .iter()
            .map(|f| (f.name.name.clone(), self.resolve_type(&f.ty)))
            .collect();
        self.scopes.leave(mark);
        self.add_constructor(ty, type_params, name, fields);
    }

    fn add_constructor(
        &mut self,
        ty: TypeId,
        type_params: Vec<TypeVar>,
        name: &ast::Ident,
        fields: Vec<(Name, Type)>,
    ) {
        let id = ConstructorId(self.program.constructors.len() as u32);
        let params = fields
            .iter()
            .map(|(n, t)| self.new_var(n.clone(), t.clone(), VarKind::Bound, name.span))
            .collect();
        let result = Type::Constructor(ty, type_params.iter().map(|v| Type::Var(*v)).collect());
        self.program.constructors.push(Constructor {
            name: name.name.clone(),
            ty,
            type_params: type_params.clone(),
            fields,
        });
        if let Some(decl) = self.program.types.get_mut(ty.0 as usize) {
            decl.constructors.push(id);
        }
        self.constructors
            .entry(name.name.clone())
            .or_default()
            .push(id);
        // In the attribute syntax, the constructor is declared as a function, which may be resolved
        // already.
        if let Some(existing) = self.functions.get(&name.name).copied() {
            match self.program.functions.get_mut(existing.0 as usize) {
                Some(f) if f.constructor.is_none() && f.span == name.span => {
                    f.constructor = Some(id)
                }
                _ => self.name_error(
                    name.span,
                    format!("function `{}` is already declared", name.name),
                ),
            }
            return;
        }
        let function = Function {
            name: name.name.clone(),
            type_params,
            params,
            result,
            body: None,
            builtin: None,
            constructor: Some(id),
            span: name.span,
        };
        self.functions.insert(
            name.name.clone(),
            FunctionId(self.program.functions.len() as u32),
        );
        self.program.functions.push(function);
    }

    fn constructor_of_function(&mut self, f: &ast::FunctionDecl) {
        let Some(id) = self.functions.get(&f.name.name).copied() else {
            return;
        };
        let function = self.program.function(id).clone();
        let Type::Constructor(ty, args) = &function.result else {
            return;
        };
        let params: Option<Vec<TypeVar>> = args
            .iter()
            .map(|a| if let Type::Var(v) = a { Some(*v) } else { None })
            .collect();
        let Some(params) = params else { return };
        let fields = function
            .params
            .iter()
            .map(|p| {
                (
                    self.program.var(*p).name.clone(),
                    self.program.var(*p).ty.clone(),
                )
            })
            .collect();
        self.add_constructor(*ty, params, &f.name, fields);
    }

    fn declare(&mut self, decl: &ast::Decl) {
        match decl {
            Decl::Type(_) | Decl::Datatype(_) | Decl::Axiom(_) | Decl::Implementation(_) => {}
            Decl::Const(d) => {
                let ty = self.resolve_type(&d.ty);
                for name in &d.names {
                    let id = self.global(name, ty.clone(), VarKind::Constant);
                    self.program.constants.push(id);
                    if let Some(var) = self.program.vars.get_mut(id.0 as usize) {
                        var.unique = d.unique;
                    }
                }
            }
            Decl::Globals(d) => {
                for binding in &d.bindings {
                    let ty = self.resolve_type(&binding.ty);
                    let id = self.global(&binding.name, ty, VarKind::Global);
                    self.program.globals.push(id);
                }
            }
            Decl::Function(d) => {
                if !d.attributes.iter().any(|a| &*a.name.name == "constructor") {
                    self.function(d);
                }
            }
            Decl::Procedure(d) => self.procedure(d),
        }
    }

    fn global(&mut self, name: &ast::Ident, ty: Type, kind: VarKind) -> VarId {
        let id = self.new_var(name.name.clone(), ty, kind, name.span);
        if self.globals.insert(name.name.clone(), id).is_some() {
            self.name_error(
                name.span,
                format!("variable or constant `{}` is already declared", name.name),
            );
        }
        id
    }

    fn function(&mut self, d: &ast::FunctionDecl) {
        let mark = self.scopes.mark();
        let type_params: Vec<TypeVar> =
            d.type_params.iter().map(|p| self.add_type_var(p)).collect();
        let mut params = Vec::new();
        let mut names: Vec<Name> = Vec::new();
        for (i, (name, ty)) in d.params.iter().enumerate() {
            let ty = self.resolve_type(ty);
            let (text, span) = name.as_ref().map_or_else(
                || (Name::from(format!("arg{i}")), d.name.span),
                |n| (n.name.clone(), n.span),
            );
            if name.is_some() && names.contains(&text) {
                self.name_error(span, format!("parameter `{text}` is already declared"));
            }
            names.push(text.clone());
            params.push(self.new_var(text, ty, VarKind::Bound, span));
        }
        let result = self.resolve_type(&d.result);
        if let Some(name) = &d.result_name
            && names.contains(&name.name)
        {
            self.name_error(name.span, format!("`{}` is already declared", name.name));
        }
        // A type parameter that does not occur in the signature could not be inferred.
        self.scopes.leave(mark);
        let mut used = Vec::new();
        params
            .iter()
            .for_each(|p| free_type_vars(&self.program.var(*p).ty, &mut used));
        free_type_vars(&result, &mut used);
        self.all_used(&type_params, &used, &d.type_params, "function");
        let builtin = d
            .attributes
            .iter()
            .find(|a| matches!(&*a.name.name, "builtin" | "bvbuiltin"))
            .and_then(|a| match a.args.first() {
                Some(ast::Expr {
                    kind: ast::ExprKind::String(text),
                    ..
                }) => Some(text.clone()),
                Some(_) | None => None,
            });
        let function = Function {
            name: d.name.name.clone(),
            type_params,
            params,
            result,
            body: None,
            builtin,
            constructor: None,
            span: d.name.span,
        };
        let id = FunctionId(self.program.functions.len() as u32);
        self.program.functions.push(function);
        if self.functions.insert(d.name.name.clone(), id).is_some() {
            self.name_error(
                d.name.span,
                format!("function `{}` is already declared", d.name.name),
            );
        }
    }

    fn all_used(
        &mut self,
        params: &[TypeVar],
        used: &[TypeVar],
        idents: &[ast::Ident],
        what: &str,
    ) {
        for (v, ident) in params.iter().zip(idents) {
            if !used.contains(v) {
                self.name_error(
                    ident.span,
                    format!(
                        "type variable `{}` does not occur in the arguments of the {what}",
                        ident.name
                    ),
                );
            }
        }
    }

    /// Declares parameters or local variables; their `where` clauses are resolved later.
    fn formals(&mut self, bindings: &[Binding], kind: VarKind) -> Vec<VarId> {
        let mut out = Vec::new();
        for binding in bindings {
            let ty = self.resolve_type(&binding.ty);
            out.push(self.new_var(binding.name.name.clone(), ty, kind, binding.name.span));
        }
        out
    }

    fn enter(&mut self, vars: &[VarId], taken: &mut Vec<Name>) {
        for v in vars {
            let (name, span) = (self.program.var(*v).name.clone(), self.program.var(*v).span);
            if taken.contains(&name) {
                self.name_error(span, format!("`{name}` is already declared"));
            }
            taken.push(name.clone());
            self.scopes.add_var(name, *v);
        }
    }

    fn procedure(&mut self, d: &ast::ProcedureDecl) {
        let mark = self.scopes.mark();
        let type_params: Vec<TypeVar> =
            d.type_params.iter().map(|p| self.add_type_var(p)).collect();
        let (ins, outs) = (
            self.formals(&d.ins, VarKind::In),
            self.formals(&d.outs, VarKind::Out),
        );
        self.scopes.leave(mark);
        let mut used = Vec::new();
        ins.iter()
            .chain(&outs)
            .for_each(|p| free_type_vars(&self.program.var(*p).ty, &mut used));
        self.all_used(&type_params, &used, &d.type_params, "procedure");
        let id = ProcedureId(self.program.procedures.len() as u32);
        self.program.procedures.push(Procedure {
            name: d.name.name.clone(),
            span: d.name.span,
            type_params,
            ins,
            outs,
            requires: Vec::new(),
            ensures: Vec::new(),
            modifies: Vec::new(),
            implementations: Vec::new(),
        });
        if d.pure {
            self.pure.insert(id);
        }
        if self.procedures.insert(d.name.name.clone(), id).is_some() {
            self.name_error(
                d.name.span,
                format!("procedure `{}` is already declared", d.name.name),
            );
        }
        self.modifies(d, id);
    }

    fn modifies(&mut self, d: &ast::ProcedureDecl, id: ProcedureId) {
        for spec in &d.specs {
            let Spec::Modifies(names) = spec else {
                continue;
            };
            self.later_modifies.push((id, names.clone(), d.pure));
        }
    }

    fn late_modifies(&mut self) {
        for (id, names, pure) in std::mem::take(&mut self.later_modifies) {
            for name in names {
                match self.globals.get(&name.name).copied() {
                    Some(_) if pure => self.name_error(
                        self.program.procedure(id).span,
                        "a pure procedure cannot modify anything",
                    ),
                    Some(v) if self.program.var(v).kind == VarKind::Global => {
                        if let Some(p) = self.program.procedures.get_mut(id.0 as usize) {
                            p.modifies.push(v);
                        }
                    }
                    Some(_) => self.type_error(
                        name.span,
                        format!("constant `{}` cannot be modified", name.name),
                    ),
                    None => self.name_error(name.span, format!("`{}` is not declared", name.name)),
                }
            }
        }
    }

    fn define(&mut self, decl: &ast::Decl) {
        self.late_modifies();
        self.inference.clear();
        match decl {
            Decl::Type(d) => self.attribute_expressions(&d.attributes),
            Decl::Datatype(_) => {}
            Decl::Const(d) => {
                self.state = Some(State::None);
                self.attribute_expressions(&d.attributes);
                self.state = None;
                d.uses.iter().for_each(|a| self.axiom(a));
                self.order(d);
            }
            Decl::Globals(d) => self.globals_defined(d),
            Decl::Function(d) => self.function_defined(d),
            Decl::Axiom(d) => self.axiom(d),
            Decl::Procedure(d) => self.procedure_defined(d),
            Decl::Implementation(d) => self.implementation_defined(d),
        }
    }

    fn axiom(&mut self, d: &ast::AxiomDecl) {
        self.state = Some(State::None);
        self.attribute_expressions(&d.attributes);
        let expr = self.condition(&d.expr, "this axiom");
        self.state = None;
        self.program.axioms.push(Axiom { expr, span: d.span });
    }

    /// Adds the axioms of the partial order: `const a: T extends b` means `a <: b`.
    fn order(&mut self, d: &ast::ConstDecl) {
        for parent in d.parents.iter().flatten() {
            for name in &d.names {
                let ident = |i: &ast::Ident| {
                    Box::new(ast::Expr {
                        kind: ast::ExprKind::Ident(i.name.clone()),
                        span: i.span,
                    })
                };
                let kind =
                    ast::ExprKind::Binary(BinOp::Below, ident(name), ident(parent), parent.span);
                let axiom = ast::AxiomDecl {
                    expr: ast::Expr {
                        kind,
                        span: parent.span,
                    },
                    span: name.span,
                    attributes: Vec::new(),
                };
                self.axiom(&axiom);
            }
        }
    }

    fn globals_defined(&mut self, d: &ast::VarsDecl) {
        self.state = Some(State::One);
        for binding in &d.bindings {
            self.attribute_expressions(&binding.attributes);
            if let Some(id) = self.globals.get(&binding.name.name).copied() {
                self.where_clause(id, binding);
            }
        }
        self.state = None;
    }

    fn where_clause(&mut self, id: VarId, binding: &Binding) {
        let Some(clause) = &binding.where_clause else {
            return;
        };
        let clause = self.condition(clause, "this `where` clause");
        if let Some(var) = self.program.vars.get_mut(id.0 as usize) {
            var.where_clause = Some(clause);
        }
    }

    fn function_defined(&mut self, d: &ast::FunctionDecl) {
        self.state = Some(State::None);
        self.attribute_expressions(&d.attributes);
        if let Some(id) = self.functions.get(&d.name.name).copied()
            && let Some(body) = &d.body
        {
            let function = self.program.function(id).clone();
            let mark = self.scopes.mark();
            for (v, ident) in function.type_params.iter().zip(&d.type_params) {
                self.scopes.add_type(ident.name.clone(), *v);
            }
            for p in &function.params {
                let name = self.program.var(*p).name.clone();
                self.scopes.add_var(name, *p);
            }
            let body = self.whole(body, Some(&function.result), "the definition");
            self.scopes.leave(mark);
            if let Some(f) = self.program.functions.get_mut(id.0 as usize) {
                f.body = Some(body);
            }
        }
        self.state = None;
        d.uses.iter().for_each(|a| self.axiom(a));
    }

    fn procedure_defined(&mut self, d: &ast::ProcedureDecl) {
        let Some(id) = self.procedures.get(&d.name.name).copied() else {
            return;
        };
        let procedure = self.program.procedure(id).clone();
        if procedure.span != d.name.span {
            return;
        }
        let mark = self.scopes.mark();
        for (v, ident) in procedure.type_params.iter().zip(&d.type_params) {
            self.scopes.add_type(ident.name.clone(), *v);
        }
        let mut taken = Vec::new();
        // A pure procedure must not refer to the state at all.
        let pure_state = if d.pure { State::None } else { State::One };
        self.state = Some(pure_state);
        // Preconditions may not mention the results, so these enter the scope later.
        self.enter(&procedure.ins, &mut taken);
        for (v, binding) in procedure.ins.iter().zip(&d.ins) {
            self.where_clause(*v, binding);
        }
        let mut requires = Vec::new();
        for spec in &d.specs {
            if let Spec::Requires(clause) = spec {
                requires.push(self.clause(clause, "this precondition"));
            }
        }
        self.enter(&procedure.outs, &mut taken);
        self.attribute_expressions(&d.attributes);
        for (v, binding) in procedure.outs.iter().zip(&d.outs) {
            self.where_clause(*v, binding);
        }
        if d.specs
            .iter()
            .filter(|s| matches!(s, Spec::Measure(_)))
            .count()
            > 1
        {
            self.type_error(
                d.name.span,
                "a procedure can have at most one `measure` clause",
            );
        }
        self.state = Some(if d.pure { State::None } else { State::Two });
        let mut ensures = Vec::new();
        for spec in &d.specs {
            match spec {
                Spec::Ensures(clause) => ensures.push(self.clause(clause, "this postcondition")),
                Spec::Measure(es) => es.iter().for_each(|e| {
                    self.whole(e, None, "");
                }),
                Spec::Requires(_) | Spec::Modifies(_) => {}
            }
        }
        self.state = None;
        if let Some(p) = self.program.procedures.get_mut(id.0 as usize) {
            p.requires = requires;
            p.ensures = ensures;
        }
        // A body in the declaration is an implementation with the variables of the procedure.
        if let Some(body) = &d.body {
            let implementation = Implementation {
                span: d.name.span,
                type_params: procedure.type_params.clone(),
                ins: procedure.ins.clone(),
                outs: procedure.outs.clone(),
                locals: Vec::new(),
                blocks: Vec::new(),
                free_ensures: false,
            };
            let how = BodyOf {
                pure: d.pure,
                is_selective: is_selective(d),
            };
            self.body(id, implementation, body, how, &mut taken);
        }
        self.scopes.leave(mark);
    }

    fn clause(&mut self, clause: &ast::Clause, what: &str) -> Clause {
        self.attribute_expressions(&clause.attributes);
        Clause {
            expr: self.condition(&clause.expr, what),
            free: clause.free,
            span: clause.span,
        }
    }

    fn implementation_defined(&mut self, d: &ast::ProcedureDecl) {
        let Some(id) = self.procedures.get(&d.name.name).copied() else {
            self.name_error(
                d.name.span,
                format!("procedure `{}` is not declared", d.name.name),
            );
            return;
        };
        let mark = self.scopes.mark();
        let type_params: Vec<TypeVar> =
            d.type_params.iter().map(|p| self.add_type_var(p)).collect();
        let (ins, outs) = (
            self.formals(&d.ins, VarKind::In),
            self.formals(&d.outs, VarKind::Out),
        );
        let mut taken = Vec::new();
        self.enter(&ins, &mut taken);
        self.enter(&outs, &mut taken);
        // An implementation has its own variables, whose types must match those of the procedure.
        self.attribute_expressions(&d.attributes);
        let procedure = self.program.procedure(id).clone();
        self.same_signature(d, &procedure, &type_params, &ins, &outs);
        self.inherit_wheres(&procedure, &ins, &outs);
        if let Some(body) = &d.body {
            let implementation = Implementation {
                span: d.name.span,
                type_params,
                ins,
                outs,
                locals: Vec::new(),
                blocks: Vec::new(),
                free_ensures: false,
            };
            let how = BodyOf {
                pure: self.pure.contains(&id),
                is_selective: is_selective(d),
            };
            self.body(id, implementation, body, how, &mut taken);
        }
        self.scopes.leave(mark);
    }

    fn same_signature(
        &mut self,
        d: &ast::ProcedureDecl,
        p: &Procedure,
        types: &[TypeVar],
        ins: &[VarId],
        outs: &[VarId],
    ) {
        if types.len() != p.type_params.len() {
            self.type_error(
                d.name.span,
                format!(
                    "the procedure has {} type parameters, not {}",
                    p.type_params.len(),
                    types.len()
                ),
            );
            return;
        }
        // The type parameters of both declarations correspond by position.
        let map: FxHashMap<TypeVar, Type> = p
            .type_params
            .iter()
            .copied()
            .zip(types.iter().map(|t| Type::Var(*t)))
            .collect();
        for (mine, theirs, what) in [(ins, &p.ins, "parameters"), (outs, &p.outs, "results")] {
            if mine.len() != theirs.len() {
                self.type_error(
                    d.name.span,
                    format!(
                        "the procedure has {} {what}, not {}",
                        theirs.len(),
                        mine.len()
                    ),
                );
                continue;
            }
            for (m, t) in mine.iter().zip(theirs) {
                let expected = substitute(&self.program.var(*t).ty.clone(), &map);
                let found = self.program.var(*m).ty.clone();
                if !self.inference.unify(&found, &expected) {
                    let (found, expected) = (self.text(&found), self.text(&expected));
                    self.type_error(d.name.span, format!("one of the {what} has type `{found}`, but type `{expected}` in the procedure"));
                }
            }
        }
    }

    /// Copies the `where` clauses of a procedure to the parameters of an implementation, with
    /// renamed variables.
    fn inherit_wheres(&mut self, p: &Procedure, ins: &[VarId], outs: &[VarId]) {
        let pairs: Vec<(VarId, VarId)> = p
            .ins
            .iter()
            .chain(&p.outs)
            .copied()
            .zip(ins.iter().chain(outs).copied())
            .collect();
        for (theirs, mine) in &pairs {
            let Some(mut clause) = self.program.var(*theirs).where_clause.clone() else {
                continue;
            };
            rename(&mut clause, &pairs);
            if let Some(var) = self.program.vars.get_mut(mine.0 as usize) {
                var.where_clause = Some(clause);
            }
        }
    }

    fn body(
        &mut self,
        id: ProcedureId,
        mut implementation: Implementation,
        body: &ast::Body,
        how: BodyOf,
        taken: &mut Vec<Name>,
    ) {
        let mark = self.scopes.mark();
        let locals = self.formals(&body.locals, VarKind::Local);
        self.enter(&locals, taken);
        // `where` clauses of local variables refer to the current state only.
        self.state = Some(State::One);
        for (v, binding) in locals.iter().zip(&body.locals) {
            self.attribute_expressions(&binding.attributes);
            self.where_clause(*v, binding);
            if binding
                .attributes
                .iter()
                .any(|a| &*a.name.name == "assumption")
            {
                self.assumption_variable(*v, binding);
            }
        }
        let modifies = self.program.procedure(id).modifies.clone();
        implementation.locals = locals;
        let (blocks, starts) = self.blocks(body, &modifies, how.pure);
        implementation.blocks = blocks;
        // Selective checking turns the checks before the marked statements into assumptions.
        if how.is_selective {
            crate::selective::assume_unchecked(&mut implementation, &starts);
        }
        self.state = None;
        self.scopes.leave(mark);
        if let Some(p) = self.program.procedures.get_mut(id.0 as usize) {
            p.implementations.push(implementation);
        }
    }

    fn assumption_variable(&mut self, v: VarId, binding: &Binding) {
        self.assumption_vars.insert(v);
        if let Some(var) = self.program.vars.get_mut(v.0 as usize) {
            var.assumption = true;
        }
        let span: Span = binding.name.span;
        if binding.where_clause.is_some() {
            self.name_error(span, "an assumption variable cannot have a `where` clause");
        }
        if self.program.var(v).ty != Type::Bool {
            self.name_error(span, "an assumption variable must be of type `bool`");
        }
    }
}

/// The properties of the declaration to which a body belongs.
#[derive(Clone, Copy)]
struct BodyOf {
    /// Whether the procedure is pure.
    pure: bool,
    /// Whether only a part of the body is checked.
    is_selective: bool,
}

/// Whether a procedure is selectively checked (`{:selective_checking}`, unless its argument is
/// false).
fn is_selective(d: &ast::ProcedureDecl) -> bool {
    let is_false = |e: &ast::Expr| matches!(e.kind, ast::ExprKind::Bool(false));
    d.attributes
        .iter()
        .filter(|a| &*a.name.name == "selective_checking")
        .any(|a| !a.args.first().is_some_and(is_false))
}

/// Returns the program without the declarations marked `{:extern}` for which there is another
/// declaration; `None` if nothing is marked.
fn without_externs(program: &ast::Program) -> Option<ast::Program> {
    let is_extern = |decl: &Decl| {
        attributes_of(decl)
            .iter()
            .any(|a| &*a.name.name == "extern")
    };
    if !program.decls.iter().any(is_extern) {
        return None;
    }
    let mut owners: FxHashMap<(u8, Name), bool> = FxHashMap::default();
    for decl in &program.decls {
        for key in keys(decl) {
            *owners.entry(key).or_insert(true) &= is_extern(decl);
        }
    }
    let mut seen: Vec<(u8, Name)> = Vec::new();
    let mut is_kept = |decl: &Decl| {
        let names = keys(decl);
        let is_first = !names.iter().any(|k| seen.contains(k));
        let is_kept = !is_extern(decl)
            || (is_first && names.iter().all(|k| owners.get(k).copied().unwrap_or(true)));
        seen.extend(names);
        is_kept
    };
    Some(ast::Program {
        decls: program
            .decls
            .iter()
            .filter(|d| is_kept(d))
            .cloned()
            .collect(),
    })
}

fn attributes_of(decl: &Decl) -> &[ast::Attribute] {
    match decl {
        Decl::Type(d) => &d.attributes,
        Decl::Const(d) => &d.attributes,
        Decl::Function(d) => &d.attributes,
        Decl::Procedure(d) => &d.attributes,
        Decl::Globals(d) => d.bindings.first().map_or(&[], |b| &b.attributes),
        Decl::Datatype(_) | Decl::Axiom(_) | Decl::Implementation(_) => &[],
    }
}

/// Returns the names that a declaration introduces, each with the number of its name space.
fn keys(decl: &Decl) -> Vec<(u8, Name)> {
    match decl {
        Decl::Type(d) => vec![(0, d.name.name.clone())],
        Decl::Datatype(d) => vec![(0, d.name.name.clone())],
        Decl::Const(d) => d.names.iter().map(|n| (1, n.name.clone())).collect(),
        Decl::Globals(d) => d
            .bindings
            .iter()
            .map(|b| (1, b.name.name.clone()))
            .collect(),
        Decl::Function(d) => vec![(2, d.name.name.clone())],
        Decl::Procedure(d) => vec![(3, d.name.name.clone())],
        Decl::Axiom(_) | Decl::Implementation(_) => Vec::new(),
    }
}

/// Replaces variables in an expression.
fn rename(e: &mut Expr, pairs: &[(VarId, VarId)]) {
    match &mut e.kind {
        ExprKind::Var(v) => {
            if let Some((_, new)) = pairs.iter().find(|(old, _)| old == v) {
                *v = *new;
            }
        }
        ExprKind::Literal(_) | ExprKind::Code => {}
        ExprKind::Call(_, _, args) => args.iter_mut().for_each(|a| rename(a, pairs)),
        ExprKind::Old(a)
        | ExprKind::ToInt(a)
        | ExprKind::ToReal(a)
        | ExprKind::Not(a)
        | ExprKind::Neg(a)
        | ExprKind::Extract(a, ..)
        | ExprKind::Field(a, _)
        | ExprKind::Is(a, _) => rename(a, pairs),
        ExprKind::Quantifier(q) => rename(&mut q.body, pairs),
        ExprKind::Let(_, values, body) => {
            values.iter_mut().for_each(|v| rename(v, pairs));
            rename(body, pairs);
        }
        ExprKind::If(a, b, c) => [a, b, c].into_iter().for_each(|x| rename(x, pairs)),
        ExprKind::Binary(_, a, b) | ExprKind::FieldUpdate(a, _, b) => {
            [a, b].into_iter().for_each(|x| rename(x, pairs))
        }
        ExprKind::Select(m, _, args) => {
            rename(m, pairs);
            args.iter_mut().for_each(|a| rename(a, pairs));
        }
        ExprKind::Store(m, _, args, value) => {
            rename(m, pairs);
            args.iter_mut().for_each(|a| rename(a, pairs));
            rename(value, pairs);
        }
    }
}
