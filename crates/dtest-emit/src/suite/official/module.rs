//! The module `official` of a suite: the conversions that its tests need.

use std::fmt::Write as _;

use dafny_resolve::typed::{CtorId, FieldKind, TypeId, TypeParamId};

use crate::rust::ident;
use crate::suite::Writer;
use crate::translation::class;
use crate::translation::convention::Scope;

use super::converts::MAX_WIDTH;
use super::names;

/// The conversions of values of the run-time library.
const VALUES: &str = include_str!("convert.rs.in");
/// The conversions of objects.
const OBJECTS: &str = include_str!("objects.rs.in");
/// The conversions of arrays, which are objects.
const ARRAYS: &str = include_str!("arrays.rs.in");
/// Calls from Dafny's code: of functions, and of mocks.
const CALLS: &str = include_str!("functions.rs.in");
/// The output of Dafny's code.
const PRINTED: &str = include_str!("printed.rs.in");
/// The conversion of `new object`, of which Dafny's code has no class.
const PLAIN: &str = include_str!("plain.rs.in");
/// The conversions of functions; `BOUNDS` stands for the bounds of their types.
const FUNCTIONS: &str = include_str!("arrows.rs.in");
/// The types of functions in `dunit`, with their type parameters.
const ARITIES: [&str; 9] = [
    "Fun0: ;",
    "Fun1: A a;",
    "Fun2: A a, B b;",
    "Fun3: A a, B b, C c;",
    "Fun4: A a, B b, C c, D d;",
    "Fun5: A a, B b, C c, D d, E e;",
    "Fun6: A a, B b, C c, D d, E e, F f;",
    "Fun7: A a, B b, C c, D d, E e, F f, G g;",
    "Fun8: A a, B b, C c, D d, E e, F f, G g, H h;",
];

impl Writer<'_, '_> {
    /// Formats the module `official`: the conversions of what the tests convert. It is empty if
    /// Dafny's translation is not under test.
    pub(in crate::suite) fn official(&self) -> String {
        if self.options.official.is_none() {
            return String::new();
        }
        let types = self.converted.types.borrow();
        let declared =
            !types.datatypes.is_empty() || !types.classes.is_empty() || !types.traits.is_empty();
        // Conversions of declared types name both translations.
        let imports = if declared {
            "use crate::{subject, theirs};\n\n"
        } else {
            ""
        };
        let mut out = format!(
            "{}\n//! Conversions between the values of this suite and those of the crate `dafny-runtime`.\n\n#![allow(dead_code, unreachable_patterns, unused_macros, unused_variables, clippy::all)]\n\nuse dafny_runtime::{{DafnyType, DafnyTypeEq}};\nuse dunit::prelude::*;\n\n{imports}{VALUES}",
            self.options.header
        );
        if !types.widths.is_empty() {
            let all: Vec<String> = types
                .widths
                .iter()
                .map(|n| format!("{n}: u{}", primitive(*n)))
                .collect();
            let _ = write!(out, "\nvectors!({});\n", all.join(", "));
        }
        let has_calls = types.has_functions || !types.traits.is_empty();
        if types.has_objects() || has_calls {
            out.push_str(OBJECTS);
        }
        if has_calls {
            out.push_str(CALLS);
        }
        if types.has_functions {
            let is_sync = self.options.official.as_ref().is_some_and(|o| o.is_sync);
            let bounds = if is_sync { " + Send + Sync" } else { "" };
            out.push_str(&FUNCTIONS.replace("BOUNDS", bounds));
            let _ = writeln!(out, "\nfunctions!(");
            for arity in ARITIES {
                let _ = writeln!(out, "    {arity}");
            }
            out.push_str(");\n");
        }
        if types.has_arrays {
            out.push_str(ARRAYS);
        }
        for &decl in &types.datatypes {
            out.push('\n');
            out.push_str(&self.datatype_conversion(decl));
        }
        for &decl in &types.classes {
            out.push('\n');
            out.push_str(&self.class_conversion(decl));
        }
        if self.converted.has_output.get() {
            out.push_str(PRINTED);
        }
        if types.has_plain_objects() {
            out.push_str(PLAIN);
        }
        // Their order is that of their text, which does not depend on the order of the tests.
        let texts = types.traits.iter().map(|t| self.trait_conversion(t));
        let mut texts: Vec<String> = texts.flatten().collect();
        texts.sort();
        for text in texts {
            out.push('\n');
            out.push_str(&text);
        }
        out
    }

    /// Formats the conversion of a datatype.
    fn datatype_conversion(&self, decl: TypeId) -> String {
        let Declared {
            ours,
            theirs,
            generics,
            bounds,
            args,
            their_args,
        } = self.declared_names(decl);
        let (mut to, mut of) = (String::new(), String::new());
        for ctor in self.compiled_ctors(decl) {
            let (our_fields, their_fields) = self.ctor_fields(ctor);
            let pattern = |fields: &[String]| {
                let bound = fields.iter().enumerate().map(|(i, f)| format!("{f}: v{i}"));
                bound.collect::<Vec<_>>().join(", ")
            };
            let built = |fields: &[String], convert: &dyn Fn(usize) -> String| {
                let built = fields
                    .iter()
                    .enumerate()
                    .map(|(i, f)| format!("{f}: {}", convert(i)));
                built.collect::<Vec<_>>().join(", ")
            };
            let our = format!("{ours}::{}", ident(self.ground.names.ctor(ctor)));
            let name = names::escaped(&self.ground.program[ctor].name);
            let their = format!("{theirs}::{name}");
            let _ = writeln!(
                to,
                "            {our} {{ {} }} => {their} {{ {} }},",
                pattern(&our_fields),
                built(&their_fields, &|i| format!("v{i}.to()"))
            );
            let _ = writeln!(
                of,
                "            {their} {{ {} }} => {our} {{ {} }},",
                pattern(&their_fields),
                built(&our_fields, &|i| format!("Official::of(v{i})"))
            );
        }
        let _ = writeln!(
            of,
            "            _ => panic!(\"a value without a constructor of this program\"),"
        );
        format!(
            "impl{generics} Official for {ours}{args}{bounds}{{\n    type Theirs = dafny_runtime::Rc<{theirs}{their_args}>;\n    fn to(&self) -> Self::Theirs {{\n        dafny_runtime::Rc::new(match self {{\n{to}        }})\n    }}\n    fn of(theirs: &Self::Theirs) -> Self {{\n        match &**theirs {{\n{of}        }}\n    }}\n}}\n"
        )
    }

    /// Returns the names of the compiled fields of a constructor, ours and theirs.
    fn ctor_fields(&self, ctor: CtorId) -> (Vec<String>, Vec<String>) {
        let program = self.ground.program;
        let declared = &program[ctor];
        let (mut our_fields, mut their_fields) = (Vec::new(), Vec::new());
        let mut unnamed = 0..;
        for (&f, is_named) in declared.fields.iter().zip(&declared.named) {
            // Dafny numbers the fields without a name, ghost ones included.
            let theirs = match is_named {
                true => names::escaped(&program[f].name),
                false => format!("_h{}", unnamed.next().unwrap_or_default()),
            };
            if !program[f].ghost {
                our_fields.push(ident(self.ground.names.field(f)).to_string());
                their_fields.push(theirs);
            }
        }
        (our_fields, their_fields)
    }

    /// Formats the conversion of the objects of a class.
    fn class_conversion(&self, decl: TypeId) -> String {
        let Declared {
            ours,
            theirs,
            generics,
            bounds,
            args,
            their_args,
        } = self.declared_names(decl);
        let scope = Scope::in_suite(self.ground, false);
        let (mut create, mut to, mut of) = (String::new(), String::new(), String::new());
        for f in class::fields(&scope, decl) {
            let field = &self.ground.program[f];
            let our = ident(self.ground.names.field(f)).to_string();
            let their = names::escaped(&field.name);
            match &field.kind {
                FieldKind::Mutable => {
                    let _ = writeln!(create, "            {our}: Field::unassigned(),");
                    let _ = writeln!(
                        to,
                        "        field!(theirs, is_new, {their}, self.{our}.get());"
                    );
                    let _ = writeln!(
                        of,
                        "        self.{our}.set(Official::of(&dafny_runtime::read_field!(theirs.{their})));"
                    );
                }
                FieldKind::Const(value_of_declaration) => {
                    let _ = writeln!(
                        create,
                        "            {our}: Official::of(&theirs.{their}()),"
                    );
                    // The value of a declaration is computed by Dafny's code.
                    if value_of_declaration.is_none() {
                        let their = names::constant(&field.name);
                        let _ = writeln!(
                            to,
                            "        constant!(theirs, is_new, {their}, self.{our});"
                        );
                    }
                }
                FieldKind::Destructor(_) => {}
            }
        }
        if class::has_phantom(&scope, decl) {
            let phantom = ident(self.ground.names.phantom(decl)).to_string();
            let _ = writeln!(create, "            {phantom}: std::marker::PhantomData,");
        }
        format!(
            "impl{generics} Mirrored for {ours}{args}{bounds}{{\n    type Theirs = {theirs}{their_args};\n    fn allocate() -> dafny_runtime::Object<Self::Theirs> {{\n        Self::Theirs::_allocate_object()\n    }}\n    fn create(theirs: &Self::Theirs) -> Self {{\n        {ours} {{\n{create}        }}\n    }}\n    fn copy_to(&self, theirs: &dafny_runtime::Object<Self::Theirs>, is_new: bool) {{\n{to}    }}\n    fn copy_of(&self, theirs: &Self::Theirs) {{\n{of}    }}\n}}\n"
        )
    }

    /// Returns the names of a declared type in both translations, with its type parameters.
    fn declared_names(&self, decl: TypeId) -> Declared {
        let program = self.ground.program;
        let declared = &program[decl];
        let modules = self.ground.rust_module(declared.module, declared.span);
        let modules: String = modules.iter().map(|m| format!("{}::", ident(m))).collect();
        let ours = format!(
            "subject::{modules}{}",
            ident(self.ground.names.type_name(decl))
        );
        let modules = self.official_modules(declared.module).join("::");
        let theirs = format!("theirs::{modules}::{}", names::type_name(program, decl));
        let params = &declared.type_params;
        let list = |of: &dyn Fn((usize, &TypeParamId)) -> String| -> String {
            let all: Vec<String> = params.iter().enumerate().map(of).collect();
            if all.is_empty() {
                String::new()
            } else {
                format!("<{}>", all.join(", "))
            }
        };
        // The bounds of both declarations.
        let generics = list(&|(n, p)| {
            let declared = &program[*p];
            let default = match declared.characteristics.auto_init {
                true => " + dunit::DafnyDefault",
                false => "",
            };
            let dynamic = match declared.bounds.is_empty() {
                true => "",
                false => " + Dynamic",
            };
            format!("T{n}: Official + dunit::Value{default}{dynamic}")
        });
        let bounds: String = (params.iter().enumerate())
            .map(|(n, p)| {
                let needs = program[*p].characteristics;
                let eq = if needs.equality { "Eq" } else { "" };
                let default = if needs.auto_init { " + Default" } else { "" };
                format!("    T{n}::Theirs: DafnyType{eq}{default},\n")
            })
            .collect();
        Declared {
            ours,
            theirs,
            generics,
            bounds: if bounds.is_empty() {
                " ".to_owned()
            } else {
                format!("\nwhere\n{bounds}")
            },
            args: list(&|(n, _)| format!("T{n}")),
            their_args: list(&|(n, _)| format!("T{n}::Theirs")),
        }
    }
}

/// The names of a declared type, as text.
struct Declared {
    ours: String,
    theirs: String,
    /// The type parameters with their bounds.
    generics: String,
    /// The bounds of the counterparts, up to the brace.
    bounds: String,
    args: String,
    their_args: String,
}

/// Returns the width of the primitive type for bitvectors of a width.
fn primitive(width: u32) -> u32 {
    [8, 16, 32, 64]
        .into_iter()
        .find(|n| width <= *n)
        .unwrap_or(MAX_WIDTH)
}
