//! Lowers parsed attributes to [`Attribute`], with one name for both spellings (`{:name}` and
//! `@Name`).

use crate::typed::{Arena, Attribute, AttributeArg, Attributes, CallableId, Program};
use dafny_source::Name;
use dafny_source::diagnostic::Diagnostic;
use dafny_syntax::ast::{self, ExprKind, Literal, UnaryOp};

use super::passes::Findings;

/// Lowers all attributes of a declaration.
pub(super) fn lower(attributes: &[ast::Attribute]) -> Vec<Attribute> {
    let lower = |a: &ast::Attribute| {
        let native = native_type(a);
        let args = match &native {
            Some(native) => native.clone(),
            None => a.args.iter().map(|x| argument(&x.value)).collect(),
        };
        let name = if native.is_some() {
            Name::from("nativeType")
        } else {
            name_of(a)
        };
        Attribute {
            name,
            args,
            span: a.span,
        }
    };
    attributes.iter().map(lower).collect()
}

/// The name of the attribute in `{:name}` spelling; an `@Name` attribute may have a different one.
fn name_of(attribute: &ast::Attribute) -> Name {
    let written = &attribute.name.name;
    if !attribute.at {
        return written.clone();
    }
    Name::from(match &**written {
        "Test" => "test",
        "TestEntry" => "testEntry",
        "TestInline" => "testInline",
        "AssumeCrossModuleTermination" => "AssumeCrossModuleTermination",
        "AutoContracts" => "autocontracts",
        "AutoRequires" => "autoReq",
        "AutoRevealDependencies" | "AutoRevealDependenciesAll" => "autoRevealDependencies",
        "Options" => "options",
        "Axiom" => "axiom",
        "Compile" => "compile",
        "Concurrent" => "concurrent",
        "DisableNonlinearArithmetic" => "disableNonlinearArithmetic",
        "Fuel" => "fuel",
        "IsolateAssertions" => "isolate_assertions",
        "Print" => "print",
        "Priority" => "priority",
        "ResourceLimit" => "resource_limit",
        "Synthesize" => "synthesize",
        "TimeLimit" => "timeLimit",
        "TimeLimitMultiplier" => "timeLimitMultiplier",
        "VcsMaxCost" => "vcs_max_cost",
        "VcsMaxKeepGoingSplits" => "vcs_max_keep_going_splits",
        "VcsMaxSplits" => "vcs_max_splits",
        "VerifyOnly" => "only",
        "TailRecursion" => "tailrecursion",
        "Transparent" => "transparent",
        "Verify" => "verify",
        _ => return written.clone(),
    })
}

/// The arguments of `{:nativeType}` that `@NativeInt32` and its siblings abbreviate.
fn native_type(attribute: &ast::Attribute) -> Option<Vec<AttributeArg>> {
    let name = |n: &str| vec![AttributeArg::String(n.into())];
    Some(match &*attribute.name.name {
        _ if !attribute.at => return None,
        "NativeUInt8" => name("byte"),
        "NativeInt8" => name("sbyte"),
        "NativeUInt16" => name("ushort"),
        "NativeInt16" => name("short"),
        "NativeUInt32" => name("uint"),
        "NativeInt32" => name("int"),
        "NativeInt53" => name("number"),
        "NativeUInt64" => name("ulong"),
        "NativeInt64" => name("long"),
        "NativeUInt128" => name("udoublelong"),
        "NativeInt128" => name("doublelong"),
        "NativeInt" => vec![AttributeArg::Bool(true)],
        "NativeNone" => vec![AttributeArg::Bool(false)],
        "NativeIntOrReal" => Vec::new(),
        _ => return None,
    })
}

fn argument(e: &ast::Expr) -> AttributeArg {
    let e = e.without_parens();
    let other = || AttributeArg::Other(dafny_syntax::expr_to_string(e));
    if let ExprKind::Literal(l) = &e.kind {
        match l {
            Literal::Bool(b) => AttributeArg::Bool(*b),
            Literal::Int(n) => AttributeArg::Int(n.clone()),
            Literal::String { units, .. } => AttributeArg::String(
                units
                    .iter()
                    .map(|u| char::from_u32(*u).unwrap_or(char::REPLACEMENT_CHARACTER))
                    .collect(),
            ),
            Literal::Real { .. } | Literal::Char(_) | Literal::Null => other(),
        }
    } else if let ExprKind::Unary(UnaryOp::Neg, inner) = &e.kind {
        match argument(inner) {
            AttributeArg::Int(n) => AttributeArg::Int(-n),
            other @ (AttributeArg::Bool(_) | AttributeArg::String(_) | AttributeArg::Other(_)) => {
                other
            }
        }
    } else {
        other()
    }
}

/// Warns about `{:testInline}` with an argument other than a positive number (reference manual,
/// 13.6.1.13). The unrolling depth of recursion then ignores the attribute.
pub(super) fn check_inlining(program: &Program, diagnostics: &mut Findings) {
    for id in Arena::<CallableId>::ids(program) {
        for attribute in program[id]
            .attributes()
            .iter()
            .filter(|a| &*a.name == "testInline" && a.unrolling().is_none())
        {
            let message = format!(
                "the argument of `{{:testInline}}` on `{}` is not an unrolling depth",
                program.callable_path(id)
            );
            let help = "give one positive number, the maximum number of nested activations; without an argument it is 1";
            diagnostics.push(
                Diagnostic::warning("resolve/test-inline", attribute.span, message).with_help(help),
            );
        }
    }
}
