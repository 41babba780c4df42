//! Descriptions of declarations in Dafny syntax, for hovers and completions.

use std::fmt::Write as _;

use dafny_resolve::index::Definition;
use dafny_resolve::typed::{
    CallableId, CallableKind, Field, FieldKind, Formal, ModuleId, Type, TypeDeclKind, TypeParamId,
};
use dafny_source::Span;

use crate::Analysis;

/// The hover text of a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hover {
    /// The name at the queried position.
    pub span: Span,
    /// The declaration in Dafny syntax, with its contract.
    pub code: String,
    /// The module or type that contains the declaration. Empty at top level.
    pub container: String,
    /// The doc comment.
    pub doc: Option<String>,
}

/// The kinds of declarations for which editors have symbols.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A module.
    Module,
    /// A class or iterator.
    Class,
    /// A trait.
    Trait,
    /// A datatype.
    Datatype,
    /// Any other type.
    Type,
    /// A type parameter.
    TypeParam,
    /// A constructor of a datatype.
    Ctor,
    /// A constructor of a class.
    Constructor,
    /// A function or predicate.
    Function,
    /// A method.
    Method,
    /// A lemma.
    Lemma,
    /// A field or destructor.
    Field,
    /// A constant.
    Constant,
    /// A variable.
    Variable,
    /// A reserved word.
    Keyword,
}

impl Analysis {
    /// The hover text of the name at the position.
    pub fn hover(&self, at: u32) -> Option<Hover> {
        let found = self.occurrence(at)?;
        let code = self.code(found.definition);
        let (container, doc) = (
            self.container_of(found.definition),
            self.doc_of(found.definition),
        );
        Some(Hover {
            span: found.span,
            code,
            container,
            doc,
        })
    }

    /// The declaration in Dafny syntax, with its contract.
    pub(crate) fn code(&self, definition: Definition) -> String {
        match definition {
            Definition::Callable(id) => self.signature(id) + &self.contract(id),
            Definition::Module(_)
            | Definition::Type(_)
            | Definition::Synonym(_)
            | Definition::TypeParam(_)
            | Definition::Ctor(_)
            | Definition::Field(_)
            | Definition::Local(_) => self.line(definition),
        }
    }

    /// The declaration on one line.
    pub(crate) fn line(&self, definition: Definition) -> String {
        let p = &self.program;
        match definition {
            Definition::Module(id) => {
                let path = p.module_path(id).join(".");
                format!(
                    "{}module {path}",
                    if p[id].is_abstract { "abstract " } else { "" }
                )
            }
            Definition::Type(id) => {
                let t = &p[id];
                let head = format!("{}{}", t.name, self.type_params(&t.type_params));
                match &t.kind {
                    TypeDeclKind::Datatype { co, ctors } => {
                        let ctors: Vec<String> = ctors
                            .iter()
                            .map(|c| self.line(Definition::Ctor(*c)))
                            .collect();
                        format!(
                            "{}datatype {head} = {}",
                            if *co { "co" } else { "" },
                            ctors.join(" | ")
                        )
                    }
                    TypeDeclKind::Newtype(c) => format!("newtype {head} = {}", self.constrained(c)),
                    TypeDeclKind::Subset(c) => format!("type {head} = {}", self.constrained(c)),
                    TypeDeclKind::Abstract => format!("type {head}"),
                    TypeDeclKind::Class => format!("class {head}{}", self.parents(&t.parents)),
                    TypeDeclKind::Trait { .. } => {
                        format!("trait {head}{}", self.parents(&t.parents))
                    }
                    TypeDeclKind::Iterator(_) => format!("iterator {head}"),
                }
            }
            Definition::Synonym(id) => {
                self.index
                    .synonyms
                    .get(id.0 as usize)
                    .map_or_else(String::new, |s| {
                        format!(
                            "type {}{} = {}",
                            s.name,
                            self.type_params(&s.params),
                            p.show_type(&s.rhs)
                        )
                    })
            }
            Definition::TypeParam(id) => format!("type parameter {}", p[id].name),
            Definition::Ctor(id) => {
                let c = &p[id];
                let args = c.fields.iter().zip(&c.named).map(|(f, named)| {
                    let (name, ty) = (&p[*f].name, p.show_type(&p[*f].ty));
                    if *named { format!("{name}: {ty}") } else { ty }
                });
                let args: Vec<String> = args.collect();
                if args.is_empty() {
                    c.name.to_string()
                } else {
                    format!("{}({})", c.name, args.join(", "))
                }
            }
            Definition::Field(id) => self.field_line(&p[id]),
            Definition::Callable(id) => self.signature(id),
            Definition::Local(id) => {
                let l = &p[id];
                format!(
                    "{}{}: {}",
                    if l.ghost { "ghost " } else { "" },
                    l.name,
                    p.show_type(&l.ty)
                )
            }
        }
    }

    fn field_line(&self, f: &Field) -> String {
        let ty = self.program.show_type(&f.ty);
        let ghost = if f.ghost { "ghost " } else { "" };
        match &f.kind {
            FieldKind::Mutable => format!("{ghost}var {}: {ty}", f.name),
            FieldKind::Const(value) => {
                let value = value
                    .as_ref()
                    .map(|v| self.sources.text(v.span))
                    .filter(|v| !v.is_empty() && !v.contains('\n'));
                format!(
                    "{ghost}const {}: {ty}{}",
                    f.name,
                    value.map_or_else(String::new, |v| format!(" := {v}"))
                )
            }
            FieldKind::Destructor(_) => format!("{ghost}{}: {ty}", f.name),
        }
    }

    fn constrained(&self, c: &dafny_resolve::typed::Constrained) -> String {
        let base = self.program.show_type(&c.base);
        match (c.var, &c.constraint) {
            (Some(var), Some(constraint)) => format!(
                "{}: {base} | {}",
                self.program[var].name,
                self.sources.text(constraint.span)
            ),
            (None, _) | (_, None) => base,
        }
    }

    fn parents(&self, parents: &[Type]) -> String {
        let shown: Vec<String> = parents.iter().map(|t| self.program.show_type(t)).collect();
        if shown.is_empty() {
            String::new()
        } else {
            format!(" extends {}", shown.join(", "))
        }
    }

    fn type_params(&self, ids: &[TypeParamId]) -> String {
        let names: Vec<&str> = ids.iter().map(|id| &*self.program[*id].name).collect();
        if names.is_empty() {
            String::new()
        } else {
            format!("<{}>", names.join(", "))
        }
    }

    /// The parameters of a callable, as written in its head.
    pub(crate) fn formals(&self, formals: &[Formal]) -> Vec<String> {
        let one = |f: &Formal| {
            let l = &self.program[f.local];
            let default = f
                .default
                .as_ref()
                .map(|d| self.sources.text(d.span))
                .filter(|t| !t.is_empty());
            let default = default.map_or_else(String::new, |d| format!(" := {d}"));
            format!(
                "{}{}: {}{default}",
                if f.nameonly { "nameonly " } else { "" },
                l.name,
                self.program.show_type(&l.ty)
            )
        };
        formals.iter().map(one).collect()
    }

    /// The head of a callable on one line.
    pub(crate) fn signature(&self, id: CallableId) -> String {
        let c = &self.program[id];
        let ghost = if c.ghost && c.kind != CallableKind::Lemma {
            "ghost "
        } else {
            ""
        };
        let is_static = if c.is_static && c.owner.is_some() {
            "static "
        } else {
            ""
        };
        let word = match c.kind {
            CallableKind::Function if c.is_predicate => "predicate",
            CallableKind::Function => "function",
            CallableKind::TwostateFunction if c.is_predicate => "twostate predicate",
            CallableKind::TwostateFunction => "twostate function",
            CallableKind::LeastPredicate => "least predicate",
            CallableKind::GreatestPredicate => "greatest predicate",
            CallableKind::Method => "method",
            CallableKind::Constructor => "constructor",
            CallableKind::Lemma if c.is_two_state => "twostate lemma",
            CallableKind::Lemma => "lemma",
        };
        let name = if &*c.name == "_ctor" {
            String::new()
        } else {
            format!(" {}", c.name)
        };
        let mut line = format!(
            "{ghost}{is_static}{word}{name}{}({})",
            self.type_params(&c.type_params),
            self.formals(&c.ins).join(", ")
        );
        match (c.kind.is_function(), c.outs.as_slice()) {
            (true, [result, ..]) if !c.is_predicate => {
                let l = &self.program[result.local];
                let ty = self.program.show_type(&l.ty);
                let _ = if result.unnamed {
                    write!(line, ": {ty}")
                } else {
                    write!(line, ": ({}: {ty})", l.name)
                };
            }
            (true, _) | (false, []) => {}
            (false, outs) => {
                let _ = write!(line, " returns ({})", self.formals(outs).join(", "));
            }
        }
        line
    }

    /// The clauses of a callable as written, one per line.
    fn contract(&self, id: CallableId) -> String {
        let spec = &self.program[id].spec;
        let mut lines = String::new();
        let mut add = |word: &str, text: &str| {
            if !text.is_empty() {
                let _ = write!(lines, "\n  {word} {text}");
            }
        };
        spec.requires
            .iter()
            .for_each(|c| add("requires", self.sources.text(c.span)));
        spec.reads
            .iter()
            .for_each(|f| add("reads", self.sources.text(f.span)));
        spec.modifies
            .iter()
            .for_each(|f| add("modifies", self.sources.text(f.span)));
        spec.ensures
            .iter()
            .for_each(|c| add("ensures", self.sources.text(c.span)));
        let measure: Vec<&str> = spec
            .decreases
            .iter()
            .map(|e| self.sources.text(e.span))
            .filter(|t| !t.is_empty())
            .collect();
        add("decreases", &measure.join(", "));
        add("decreases", if spec.decreases_star { "*" } else { "" });
        lines
    }

    /// The full name of the module or type that contains the declaration.
    pub fn container_of(&self, definition: Definition) -> String {
        let p = &self.program;
        let module = |id: ModuleId| p.module_path(id).join(".");
        let owner = |owner: Option<dafny_resolve::typed::TypeId>, id: ModuleId| {
            owner.map_or_else(|| module(id), |t| p.type_path(t))
        };
        match definition {
            Definition::Module(id) => p[id].parent.map_or_else(String::new, module),
            Definition::Type(id) => module(p[id].module),
            Definition::Synonym(id) => self
                .index
                .synonyms
                .get(id.0 as usize)
                .map_or_else(String::new, |s| module(s.module)),
            Definition::Ctor(id) => p.type_path(p[id].datatype),
            Definition::Field(id) => owner(p[id].owner, p[id].module),
            Definition::Callable(id) => owner(p[id].owner, p[id].module),
            Definition::TypeParam(_) | Definition::Local(_) => String::new(),
        }
    }

    /// The kind of the declaration.
    pub fn kind(&self, definition: Definition) -> Kind {
        let p = &self.program;
        match definition {
            Definition::Module(_) => Kind::Module,
            Definition::Type(id) => match &p[id].kind {
                TypeDeclKind::Datatype { .. } => Kind::Datatype,
                TypeDeclKind::Class | TypeDeclKind::Iterator(_) => Kind::Class,
                TypeDeclKind::Trait { .. } => Kind::Trait,
                TypeDeclKind::Newtype(_) | TypeDeclKind::Subset(_) | TypeDeclKind::Abstract => {
                    Kind::Type
                }
            },
            Definition::Synonym(_) => Kind::Type,
            Definition::TypeParam(_) => Kind::TypeParam,
            Definition::Ctor(_) => Kind::Ctor,
            Definition::Field(id) => match &p[id].kind {
                FieldKind::Const(_) => Kind::Constant,
                FieldKind::Mutable | FieldKind::Destructor(_) => Kind::Field,
            },
            Definition::Callable(id) => match p[id].kind {
                CallableKind::Method => Kind::Method,
                CallableKind::Constructor => Kind::Constructor,
                CallableKind::Lemma => Kind::Lemma,
                CallableKind::Function
                | CallableKind::TwostateFunction
                | CallableKind::LeastPredicate
                | CallableKind::GreatestPredicate => Kind::Function,
            },
            Definition::Local(_) => Kind::Variable,
        }
    }
}

/// The text of a doc comment without the stars at the starts of lines.
pub(crate) fn tidy(doc: &str) -> String {
    let lines = doc.lines().map(|l| {
        let l = l.trim();
        l.strip_prefix('*').map_or(l, str::trim_start)
    });
    lines.collect::<Vec<_>>().join("\n").trim().to_owned()
}
