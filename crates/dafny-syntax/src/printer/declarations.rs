//! Printing of files, modules, types and members.

use super::super::ast::{
    ClassDecl, ConstDecl, Constrained, Ctor, DatatypeDecl, Export, ExportId, FieldDecl, File,
    Formal, FunctionDecl, FunctionKind, Import, IteratorDecl, Member, MethodDecl, MethodKind,
    Modifiers, ModuleBase, ModuleDecl, NewtypeDecl, TopDecl, Type, TypeDecl, Witness,
};
use super::{Context, Printer};

impl Printer {
    pub(super) fn file(&mut self, file: &File) {
        for include in &file.includes {
            self.text("include \"");
            for c in include.path.chars() {
                match c {
                    '"' | '\\' => {
                        self.text("\\");
                        self.out.push(c);
                    }
                    '\n' => self.text("\\n"),
                    '\r' => self.text("\\r"),
                    c => self.out.push(c),
                }
            }
            self.text("\"");
            self.line();
        }
        for (i, decl) in file.decls.iter().enumerate() {
            if i > 0 || !file.includes.is_empty() {
                self.line();
            }
            self.top_decl(decl);
            self.line();
        }
    }

    fn top_decl(&mut self, decl: &TopDecl) {
        self.nested(|p| match decl {
            TopDecl::Module(decl) => p.module(decl),
            TopDecl::Import(import) => p.import(import),
            TopDecl::Export(export) => p.export(export),
            TopDecl::Class(decl) => p.class(decl),
            TopDecl::Datatype(decl) => p.datatype(decl),
            TopDecl::Newtype(decl) => p.newtype(decl),
            TopDecl::Type(decl) => p.type_decl(decl),
            TopDecl::Iterator(decl) => p.iterator(decl),
            TopDecl::Member(member) => p.member(member),
        });
    }

    /// Prints documentation, attributes and modifiers, then the keyword and the attributes after
    /// it.
    fn head(&mut self, modifiers: &Modifiers, keyword: &str) {
        let Modifiers {
            attributes,
            is_abstract,
            ghost,
            is_static,
            opaque,
            replaceable,
            doc,
        } = modifiers;
        if let Some(doc) = doc {
            self.text("/**");
            self.text(doc);
            self.text("*/");
            self.line();
        }
        self.at_attributes(attributes);
        let words = [
            (*is_abstract, "abstract "),
            (*replaceable, "replaceable "),
            (*is_static, "static "),
            (*ghost, "ghost "),
            (*opaque, "opaque "),
        ];
        for (_, word) in words.into_iter().filter(|(on, _)| *on) {
            self.text(word);
        }
        self.text(keyword);
        self.attributes(attributes);
        self.text(" ");
    }

    fn module(&mut self, decl: &ModuleDecl) {
        self.head(&decl.modifiers, "module");
        self.qualified_name(&decl.name);
        if let Some((base, name)) = &decl.base {
            self.text(match base {
                ModuleBase::Refines => " refines ",
                ModuleBase::Replaces => " replaces ",
            });
            self.qualified_name(name);
        }
        self.text(" ");
        self.braces(decl.decls.is_empty(), |p| {
            for it in &decl.decls {
                p.line();
                p.top_decl(it);
            }
        });
    }

    fn import(&mut self, import: &Import) {
        self.text(if import.opened {
            "import opened "
        } else {
            "import "
        });
        if let Some(alias) = &import.alias {
            self.text(&alias.name);
            self.text(if import.is_abstract { " : " } else { " = " });
        }
        self.qualified_name(&import.target);
        match import.exports.as_slice() {
            [] => {}
            [only] => {
                self.text("`");
                self.text(&only.name);
            }
            many => {
                self.text("`{");
                self.commas(many, |p, e| p.text(&e.name));
                self.text("}");
            }
        }
    }

    fn export(&mut self, export: &Export) {
        self.text("export");
        if let Some(name) = &export.name {
            self.text(" ");
            self.text(&name.name);
        }
        self.text(if export.is_refining { " ..." } else { "" });
        if !export.extends.is_empty() {
            self.text(" extends ");
            self.commas(&export.extends, |p, e| p.text(&e.name));
        }
        for (word, all, ids) in [
            (" provides ", export.provides_all, &export.provides),
            (" reveals ", export.reveals_all, &export.reveals),
        ] {
            if all {
                self.text(word);
                self.text("*");
            }
            if !ids.is_empty() {
                self.text(word);
                self.commas(ids, |p, ExportId { prefix, name }| {
                    if let Some(prefix) = prefix {
                        p.text(&prefix.name);
                        p.text(".");
                    }
                    p.text(&name.name);
                });
            }
        }
    }

    fn extends(&mut self, types: &[Type]) {
        if !types.is_empty() {
            self.text(" extends ");
            self.commas(types, Self::ty);
        }
    }

    fn members(&mut self, members: &[Member]) {
        self.braces(members.is_empty(), |p| {
            for member in members {
                p.line();
                p.member(member);
            }
        });
    }

    /// Prints ` { … }` if there are members.
    fn opt_members(&mut self, members: &[Member]) {
        if !members.is_empty() {
            self.text(" ");
            self.members(members);
        }
    }

    fn class(&mut self, decl: &ClassDecl) {
        self.head(
            &decl.modifiers,
            if decl.is_trait { "trait" } else { "class" },
        );
        self.text(&decl.name.name);
        self.type_params(&decl.type_params);
        self.extends(&decl.extends);
        self.text(if decl.is_refining { " ... " } else { " " });
        self.members(&decl.members);
    }

    fn datatype(&mut self, decl: &DatatypeDecl) {
        self.head(
            &decl.modifiers,
            if decl.co { "codatatype" } else { "datatype" },
        );
        self.text(&decl.name.name);
        self.type_params(&decl.type_params);
        self.extends(&decl.extends);
        self.text(if decl.ctors.is_empty() { " ..." } else { " = " });
        self.indent += 1;
        for (i, ctor) in decl.ctors.iter().enumerate() {
            if i > 0 {
                self.line();
                self.text("| ");
            }
            self.ctor(ctor);
        }
        self.indent -= 1;
        self.opt_members(&decl.members);
    }

    fn ctor(&mut self, ctor: &Ctor) {
        let Ctor {
            modifiers,
            name,
            formals,
            span: _,
        } = ctor;
        if let Some(doc) = &modifiers.doc {
            self.text("/**");
            self.text(doc);
            self.text("*/ ");
        }
        let start = self.out.len();
        self.text(if modifiers.ghost { " ghost" } else { "" });
        self.attributes(&modifiers.attributes);
        self.leading_space_to_end(start);
        self.text(&name.name);
        if !formals.is_empty() {
            self.formals(formals);
        }
    }

    fn constrained(&mut self, definition: &Constrained) {
        let Constrained {
            var,
            base,
            constraint,
            witness,
        } = definition;
        if let Some(var) = var {
            self.text(&var.name);
            self.opt_type(base.as_ref());
        } else if let Some(base) = base {
            self.ty(base);
        }
        if let Some(constraint) = constraint {
            self.text(" | ");
            self.expr_in(Context::PLAIN, constraint);
        }
        match witness {
            Witness::Default => {}
            Witness::Star => self.text(" witness *"),
            Witness::Compiled(value) => {
                self.text(" witness ");
                self.expr_in(Context::PLAIN, value);
            }
            Witness::Ghost(value) => {
                self.text(" ghost witness ");
                self.expr_in(Context::PLAIN, value);
            }
        }
    }

    fn newtype(&mut self, decl: &NewtypeDecl) {
        self.head(&decl.modifiers, "newtype");
        self.text(&decl.name.name);
        self.type_params(&decl.type_params);
        self.extends(&decl.extends);
        match &decl.definition {
            Some(definition) => {
                self.text(" = ");
                self.constrained(definition);
            }
            None => self.text(" ..."),
        }
        self.opt_members(&decl.members);
    }

    fn type_decl(&mut self, decl: &TypeDecl) {
        self.head(&decl.modifiers, "type");
        self.text(&decl.name.name);
        self.characteristics(decl.characteristics);
        self.type_params(&decl.type_params);
        self.text(if decl.is_refining { " ..." } else { "" });
        self.extends(&decl.extends);
        if let Some(definition) = &decl.definition {
            self.text(" = ");
            self.constrained(definition);
        }
        self.opt_members(&decl.members);
    }

    fn iterator(&mut self, decl: &IteratorDecl) {
        self.head(&decl.modifiers, "iterator");
        self.text(&decl.name.name);
        if decl.is_refining {
            self.text(" ...");
        } else {
            self.type_params(&decl.type_params);
            self.formals(&decl.ins);
            if !decl.yields.is_empty() {
                self.text(" yields ");
                self.formals(&decl.yields);
            }
        }
        self.clauses(Context::CLAUSE, &decl.spec);
        self.body(&decl.spec, decl.body.as_ref());
    }

    fn member(&mut self, member: &Member) {
        match member {
            Member::Field(FieldDecl {
                modifiers,
                name,
                ty,
                span: _,
            }) => {
                self.head(modifiers, "var");
                self.text(&name.name);
                self.opt_type(Some(ty));
            }
            Member::Const(decl) => self.constant(decl),
            Member::Method(decl) => self.method(decl),
            Member::Function(decl) => self.function(decl),
        }
    }

    fn constant(&mut self, decl: &ConstDecl) {
        self.head(&decl.modifiers, "const");
        self.text(&decl.name.name);
        self.opt_type(decl.ty.as_ref());
        self.text(if decl.is_refining { " ..." } else { "" });
        if let Some(value) = &decl.value {
            self.text(" := ");
            self.expr_in(Context::PLAIN, value);
        }
    }

    fn k_type(&mut self, k_type: Option<&Type>) {
        if let Some(ty) = k_type {
            self.text("[");
            self.ty(ty);
            self.text("]");
        }
    }

    fn method(&mut self, decl: &MethodDecl) {
        let keyword = match decl.kind {
            MethodKind::Method => "method",
            MethodKind::Constructor => "constructor",
            MethodKind::Lemma => "lemma",
            MethodKind::TwostateLemma => "twostate lemma",
            MethodKind::LeastLemma => "least lemma",
            MethodKind::GreatestLemma => "greatest lemma",
        };
        self.head(&decl.modifiers, keyword);
        if let Some(name) = &decl.name {
            self.text(&name.name);
        }
        if decl.is_refining {
            self.text(" ...");
        } else {
            self.type_params(&decl.type_params);
            self.k_type(decl.k_type.as_ref());
            self.formals(&decl.ins);
            if !decl.outs.is_empty() {
                self.text(" returns ");
                self.formals(&decl.outs);
            }
        }
        self.clauses(Context::CLAUSE, &decl.spec);
        self.body(&decl.spec, decl.body.as_ref());
    }

    fn function(&mut self, decl: &FunctionDecl) {
        let keyword = match decl.kind {
            FunctionKind::Function => "function",
            FunctionKind::FunctionMethod => "function method",
            FunctionKind::Predicate => "predicate",
            FunctionKind::PredicateMethod => "predicate method",
            FunctionKind::TwostateFunction => "twostate function",
            FunctionKind::TwostatePredicate => "twostate predicate",
            FunctionKind::LeastPredicate => "least predicate",
            FunctionKind::GreatestPredicate => "greatest predicate",
        };
        self.head(&decl.modifiers, keyword);
        self.text(&decl.name.name);
        if decl.is_refining {
            self.text(" ...");
        } else {
            self.type_params(&decl.type_params);
            self.k_type(decl.k_type.as_ref());
            self.formals(&decl.ins);
            match (&decl.result_name, &decl.result) {
                (Some(name), Some(ty)) => {
                    self.text(": (");
                    self.text(&name.name);
                    self.opt_type(Some(ty));
                    self.text(")");
                }
                (_, ty) => self.opt_type(ty.as_ref()),
            }
        }
        self.clauses(Context::CLAUSE, &decl.spec);
        if let Some(body) = &decl.body {
            self.before_body(&decl.spec);
            self.braces(false, |p| {
                p.line();
                p.expr(body);
            });
        }
        if let Some(block) = &decl.by_method {
            self.text(" by method ");
            self.block(block);
        }
    }

    fn formals(&mut self, formals: &[Formal]) {
        self.text("(");
        self.commas(formals, |p, formal| {
            let Formal {
                attributes,
                name,
                ty,
                ghost,
                is_new,
                older,
                nameonly,
                default,
                span: _,
            } = formal;
            let start = p.out.len();
            p.attributes(attributes);
            p.leading_space_to_end(start);
            let words = [
                (*ghost, "ghost "),
                (*is_new, "new "),
                (*nameonly, "nameonly "),
                (*older, "older "),
            ];
            for (_, word) in words.into_iter().filter(|(on, _)| *on) {
                p.text(word);
            }
            match name {
                Some(name) => {
                    p.text(&name.name);
                    p.opt_type(Some(ty));
                }
                None => p.ty(ty),
            }
            if let Some(default) = default {
                p.text(" := ");
                p.expr(default);
            }
        });
        self.text(")");
    }
}
