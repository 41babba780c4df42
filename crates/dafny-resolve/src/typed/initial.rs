//! Values of constants and witnesses as code of their own: what they promise is looked at like the rest.

use super::{
    Arena, Block, Body, Callable, CallableKind, Constrained, Expr, FieldId, FieldKind, Local, LocalId, ModuleId, Name, Program, Rhs, Span,
    Spec, Stmt, StmtKind, Target, TypeDeclKind, TypeId, TypeParamId, Witness,
};

impl Program {
    /// The same program with a method for the value of every static constant, which assigns it to a variable of the constant's type, and
    /// for every witness, which asserts the constraint of it. They have the names of what they belong to.
    #[must_use]
    pub(super) fn with_initial_values(mut self) -> Self {
        for id in Arena::<FieldId>::ids(&self) {
            self.constant_as_code(id);
        }
        // The witness of `nat` is nobody's.
        let nat = self.nat;
        for id in Arena::<TypeId>::ids(&self).into_iter().filter(|id| Some(*id) != nat) {
            self.witness_as_code(id);
        }
        self
    }

    fn constant_as_code(&mut self, id: FieldId) {
        let field = &self[id];
        let FieldKind::Const(Some(value)) = &field.kind else { return };
        if !field.is_static {
            return;
        }
        let (value, name, module, span) = ((**value).clone(), field.name.clone(), field.module, field.span);
        let type_params = field.owner.map_or_else(Vec::new, |t| self[t].type_params.clone());
        let local = Local { name: name.clone(), ty: field.ty.clone(), ghost: false, mutable: true, span: value.span };
        self.locals.push(local);
        let local = LocalId(self.locals.len() as u32 - 1);
        self.add_code(name, module, type_params, span, vec![assign(local, value)]);
    }

    fn witness_as_code(&mut self, id: TypeId) {
        let decl = &self[id];
        let (TypeDeclKind::Newtype(c) | TypeDeclKind::Subset(c)) = &decl.kind else { return };
        let Constrained { var: Some(var), constraint: Some(constraint), witness, .. } = c else { return };
        let (Witness::Compiled(value) | Witness::Ghost(value)) = witness else { return };
        let (var, value) = (*var, (**value).clone());
        let (name, module, span, type_params) = (decl.name.clone(), decl.module, decl.span, decl.type_params.clone());
        // What is wrong is the witness.
        let cond = Expr { span: value.span, ..constraint.clone() };
        let check = Stmt { span: value.span, kind: StmtKind::Assert { cond, label: None, by: None }, labels: Vec::new(), ghost: false };
        self.add_code(name, module, type_params, span, vec![assign(var, value), check]);
    }

    fn add_code(&mut self, name: Name, module: ModuleId, type_params: Vec<TypeParamId>, span: Span, stmts: Vec<Stmt>) {
        let body = Block { divided_at: None, span, stmts };
        self.callables.push(Callable {
            name,
            kind: CallableKind::Method,
            is_predicate: false,
            module,
            owner: None,
            is_static: true,
            ghost: false,
            opaque: false,
            type_params,
            ins: Vec::new(),
            outs: Vec::new(),
            spec: Spec::default(),
            body: Body::Block(body),
            overrides: Vec::new(),
            attributes: Vec::new(),
            doc: None,
            span,
            full_span: span,
        });
    }
}

/// `var x := value;`
fn assign(local: LocalId, value: Expr) -> Stmt {
    let span = value.span;
    let kind = StmtKind::Assign { declares: vec![local], pairs: vec![(Target::Local(local), Rhs::Expr(value))] };
    Stmt { kind, labels: Vec::new(), ghost: false, span }
}
