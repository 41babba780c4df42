//! Checks of built-in attributes in `@Name(args)` syntax: the declarations that each one is allowed
//! on, and its parameters.
//!
//! An unknown name is an error here. Its arguments are still resolved as expressions
//! (`bodies/attributes.rs`). Dafny has no user-defined attributes yet.

use dafny_source::diagnostic::Diagnostic;
use dafny_source::{Name, Span};
use dafny_syntax::ast::{
    self, Attribute, ExprKind, FunctionKind, Literal, Member, MethodKind, Modifiers, TopDecl,
};

use super::spelling;

/// The type of a parameter.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Bool,
    Int,
    String,
}

/// A parameter: its name (an unnamed parameter has a number as its name), its type, and whether it
/// is optional.
struct Param(&'static str, Kind, bool);

/// The kind of declaration that carries an attribute.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Host {
    Module,
    Class,
    Trait,
    Iterator,
    Datatype,
    Newtype,
    AbstractType,
    /// Synonyms and subset types.
    Synonym,
    Const,
    Function,
    Method,
    Constructor,
}

impl Host {
    fn is_callable(self) -> bool {
        matches!(self, Host::Function | Host::Method | Host::Constructor)
    }

    /// Whether Dafny generates proof obligations for declarations of this kind.
    fn is_verified(self) -> bool {
        self.is_callable()
            || matches!(
                self,
                Host::Iterator | Host::Newtype | Host::Synonym | Host::Const
            )
    }

    fn word(self) -> &'static str {
        match self {
            Host::Module => "a module",
            Host::Class => "a class",
            Host::Trait => "a trait",
            Host::Iterator => "an iterator",
            Host::Datatype => "a datatype",
            Host::Newtype => "a newtype",
            Host::AbstractType => "an abstract type",
            Host::Synonym => "a type synonym",
            Host::Const => "a constant",
            Host::Function => "a function",
            Host::Method => "a method",
            Host::Constructor => "a constructor",
        }
    }
}

/// A built-in attribute.
struct BuiltIn {
    name: &'static str,
    params: &'static [Param],
    fits: fn(Host) -> bool,
    /// The allowed declarations as text, for the error message.
    place: &'static str,
}

const fn built_in(
    name: &'static str,
    params: &'static [Param],
    fits: fn(Host) -> bool,
    place: &'static str,
) -> BuiltIn {
    BuiltIn {
        name,
        params,
        fits,
        place,
    }
}

const fn callable(name: &'static str, params: &'static [Param]) -> BuiltIn {
    built_in(name, params, Host::is_callable, "methods and functions")
}

const fn function(name: &'static str) -> BuiltIn {
    built_in(name, &[], |h| h == Host::Function, "functions")
}

const fn method(name: &'static str) -> BuiltIn {
    built_in(name, &[], |h| h == Host::Method, "methods")
}

const fn newtype(name: &'static str) -> BuiltIn {
    built_in(name, &[], |h| h == Host::Newtype, "newtypes")
}

const fn verified(name: &'static str, params: &'static [Param]) -> BuiltIn {
    built_in(
        name,
        params,
        Host::is_verified,
        "declarations that are verified: methods, functions, constants, iterators, newtypes and subset types",
    )
}

const BUILT_IN: &[BuiltIn] = &[
    built_in(
        "AssumeCrossModuleTermination",
        &[],
        |h| matches!(h, Host::Class | Host::Iterator | Host::Trait),
        "classes and traits",
    ),
    built_in(
        "AutoContracts",
        &[],
        |h| matches!(h, Host::Class | Host::Iterator),
        "classes",
    ),
    function("AutoRequires"),
    callable("AutoRevealDependenciesAll", &[Param("0", Kind::Bool, true)]),
    callable(
        "AutoRevealDependencies",
        &[Param("level", Kind::Int, false)],
    ),
    callable("Axiom", &[]),
    built_in(
        "Compile",
        &[Param("0", Kind::Bool, true)],
        |_| true,
        "declarations",
    ),
    callable("Concurrent", &[]),
    built_in(
        "DisableNonlinearArithmetic",
        &[Param("disable", Kind::Bool, true)],
        |h| h == Host::Module,
        "modules",
    ),
    callable(
        "Fuel",
        &[
            Param("low", Kind::Int, true),
            Param("high", Kind::Int, true),
            Param("functionName", Kind::String, true),
        ],
    ),
    verified("IsolateAssertions", &[]),
    newtype("NativeUInt8"),
    newtype("NativeInt8"),
    newtype("NativeUInt16"),
    newtype("NativeInt16"),
    newtype("NativeUInt32"),
    newtype("NativeInt32"),
    newtype("NativeInt53"),
    newtype("NativeUInt64"),
    newtype("NativeInt64"),
    newtype("NativeUInt128"),
    newtype("NativeInt128"),
    newtype("NativeInt"),
    newtype("NativeNone"),
    newtype("NativeIntOrReal"),
    built_in(
        "Options",
        &[Param("0", Kind::String, false)],
        |h| h == Host::Module,
        "modules",
    ),
    method("Print"),
    verified("Priority", &[Param("0", Kind::Int, false)]),
    verified("ResourceLimit", &[Param("0", Kind::String, false)]),
    method("Synthesize"),
    verified("TimeLimit", &[Param("0", Kind::Int, false)]),
    verified("TimeLimitMultiplier", &[Param("0", Kind::Int, false)]),
    callable("TailRecursion", &[]),
    callable("Test", &[]),
    callable("TestEntry", &[]),
    callable("TestInline", &[Param("level", Kind::Int, true)]),
    function("Transparent"),
    verified("VcsMaxCost", &[Param("0", Kind::Int, false)]),
    verified("VcsMaxKeepGoingSplits", &[Param("0", Kind::Int, false)]),
    verified("VcsMaxSplits", &[Param("0", Kind::Int, false)]),
    verified("Verify", &[]),
    verified("VerifyOnly", &[]),
];

/// Whether a built-in attribute `@name` exists.
pub(super) fn is_built_in(name: &str) -> bool {
    BUILT_IN.iter().any(|b| b.name == name)
}

/// Returns the built-in attribute with the most similar spelling.
pub(super) fn closest(name: &str) -> Option<Name> {
    let names: Vec<Name> = BUILT_IN.iter().map(|b| Name::from(b.name)).collect();
    let same = names.iter().find(|n| n.eq_ignore_ascii_case(name)).cloned();
    same.or_else(|| spelling::closest(name, names.iter()))
}

/// Checks every `@Name(args)` attribute of the parsed files.
pub(super) fn check(files: &[ast::File]) -> Vec<Diagnostic> {
    let mut checker = Checker { found: Vec::new() };
    for file in files {
        checker.decls(&file.decls);
    }
    checker.found
}

struct Checker {
    found: Vec<Diagnostic>,
}

impl Checker {
    fn decls(&mut self, decls: &[TopDecl]) {
        for decl in decls {
            match decl {
                TopDecl::Module(m) => {
                    self.host(&m.modifiers, Host::Module);
                    self.decls(&m.decls);
                }
                TopDecl::Class(c) => self.with_members(
                    &c.modifiers,
                    if c.is_trait { Host::Trait } else { Host::Class },
                    &c.members,
                ),
                TopDecl::Datatype(d) => self.with_members(&d.modifiers, Host::Datatype, &d.members),
                TopDecl::Newtype(n) => self.with_members(&n.modifiers, Host::Newtype, &n.members),
                TopDecl::Type(t) => {
                    let host = if t.definition.is_some() {
                        Host::Synonym
                    } else {
                        Host::AbstractType
                    };
                    self.with_members(&t.modifiers, host, &t.members);
                }
                TopDecl::Iterator(i) => self.host(&i.modifiers, Host::Iterator),
                TopDecl::Member(m) => self.member(m),
                // Dafny drops attributes of imports and export sets.
                TopDecl::Import(_) | TopDecl::Export(_) => {}
            }
        }
    }

    fn with_members(&mut self, modifiers: &Modifiers, host: Host, members: &[Member]) {
        self.host(modifiers, host);
        members.iter().for_each(|m| self.member(m));
    }

    fn member(&mut self, member: &Member) {
        match member {
            // Dafny drops attributes of fields.
            Member::Field(_) => {}
            Member::Const(c) => self.host(&c.modifiers, Host::Const),
            Member::Function(f) => {
                let host = match f.kind {
                    FunctionKind::Function
                    | FunctionKind::Predicate
                    | FunctionKind::FunctionMethod
                    | FunctionKind::PredicateMethod
                    | FunctionKind::TwostateFunction
                    | FunctionKind::TwostatePredicate
                    | FunctionKind::LeastPredicate
                    | FunctionKind::GreatestPredicate => Host::Function,
                };
                self.host(&f.modifiers, host);
            }
            Member::Method(m) => {
                let host = match m.kind {
                    MethodKind::Constructor => Host::Constructor,
                    MethodKind::Method
                    | MethodKind::Lemma
                    | MethodKind::TwostateLemma
                    | MethodKind::LeastLemma
                    | MethodKind::GreatestLemma => Host::Method,
                };
                self.host(&m.modifiers, host);
            }
        }
    }

    fn host(&mut self, modifiers: &Modifiers, host: Host) {
        for attribute in modifiers.attributes.iter().filter(|a| a.at) {
            let name = &*attribute.name.name;
            if name.is_empty() {
                let d = Diagnostic::error(
                    "resolve/attribute",
                    attribute.span,
                    "this is not the name of an attribute",
                );
                self.found
                    .push(d.with_help("write `@Name` or `@Name(arguments)`"));
                continue;
            }
            let Some(known) = BUILT_IN.iter().find(|b| b.name == name) else {
                continue;
            };
            if !(known.fits)(host) {
                let message = format!("`@{name}` cannot be applied to {}", host.word());
                let d = Diagnostic::error("resolve/attribute", attribute.span, message);
                self.found
                    .push(d.with_help(format!("it applies to {}", known.place)));
            }
            self.arguments(attribute, known.params);
        }
    }

    fn arguments(&mut self, attribute: &Attribute, params: &[Param]) {
        let name = &attribute.name.name;
        let mut given = vec![false; params.len()];
        let mut named = false;
        for (i, argument) in attribute.args.iter().enumerate() {
            // As in calls: positional arguments first, then named ones.
            let at = match &argument.name {
                Some(n) => {
                    named = true;
                    let Some(at) = params.iter().position(|p| p.0 == &*n.name) else {
                        self.error(n.span, format!("`@{name}` has no parameter `{}`", n.name));
                        continue;
                    };
                    at
                }
                None if named => {
                    self.error(
                        argument.value.span,
                        "a positional argument cannot follow a named argument".to_owned(),
                    );
                    continue;
                }
                None => i,
            };
            // Surplus arguments are reported once, by the count below.
            let (Some(param), Some(slot)) = (params.get(at), given.get_mut(at)) else {
                continue;
            };
            if std::mem::replace(slot, true) {
                self.error(
                    argument.value.span,
                    format!("the parameter `{}` of `@{name}` is given twice", param.0),
                );
            }
            let (kind, what) = match param.1 {
                Kind::Bool => (Kind::Bool, "`true` or `false`"),
                Kind::Int => (Kind::Int, "a number"),
                Kind::String => (Kind::String, "a string"),
            };
            if literal(&argument.value) != Some(kind) {
                self.error(
                    argument.value.span,
                    format!("this argument of `@{name}` must be {what}"),
                );
            }
        }
        // One error covers both too many arguments and omitted required ones.
        let least = params.iter().filter(|p| !p.2).count();
        let missing = params.iter().zip(&given).any(|(p, given)| !p.2 && !given);
        if attribute.args.len() > params.len() || missing {
            let count = if least == params.len() {
                format!("{least}")
            } else {
                format!("{least} to {}", params.len())
            };
            self.error(
                attribute.span,
                format!(
                    "wrong number of arguments: `@{name}` takes {count}, found {}",
                    attribute.args.len()
                ),
            );
        }
    }

    fn error(&mut self, span: Span, message: String) {
        self.found
            .push(Diagnostic::error("resolve/attribute", span, message));
    }
}

fn literal(e: &ast::Expr) -> Option<Kind> {
    if let ExprKind::Paren(inner) = &e.kind {
        literal(inner)
    } else if matches!(&e.kind, ExprKind::Literal(Literal::Bool(_))) {
        Some(Kind::Bool)
    } else if matches!(&e.kind, ExprKind::Literal(Literal::Int(_))) {
        Some(Kind::Int)
    } else if matches!(&e.kind, ExprKind::Literal(Literal::String { .. })) {
        Some(Kind::String)
    } else {
        None
    }
}
