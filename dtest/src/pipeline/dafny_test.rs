//! A violation as a Dafny `{:test}` method, which users can add to the program to see it fail with
//! Dafny's own tools.

use std::fmt::{self, Write as _};

use dafny_resolve::typed::{CallableKind, Type, TypeDeclKind};
use dafny_source::{SourceMap, Span};
use dtest_interp::FailureKind;
use dtest_ir as ir;
use dtest_lower::units::Unit;
use dtest_search::check::Violation;
use dtest_value::{Contents, Value, show};

/// Writes the method.
///
/// # Errors
/// The reason why there is no method: the inputs cannot be written as expressions, or the method
/// does not fit the program.
pub fn method(
    program: &ir::Program,
    sources: &SourceMap,
    unit: &Unit,
    violation: &Violation,
) -> Result<String, NoMethod> {
    let (_, file) = sources
        .file_at(program.typed[unit.callable].span.start)
        .ok_or(NoMethod::NoFile)?;
    for how in [How::Asked, How::Called] {
        let text = write(program, sources, unit, violation, how)?;
        // The method must resolve as a part of the program.
        if super::edited(
            &program.typed,
            sources,
            file.base,
            &format!("{}\n{text}", file.text),
        )
        .is_some()
        {
            return Ok(text);
        }
    }
    Err(NoMethod::Unresolved)
}

/// The reason why there is no test of a violation in Dafny.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoMethod {
    /// The unit is declared in no file.
    NoFile,
    /// The unit has no contract.
    NoContract,
    /// A parameter has no declaration.
    NoParameter,
    /// The method does not resolve as a part of the program.
    Unresolved,
    /// An input is an object or a function, which no expression denotes.
    Identity,
    /// An input is an object with state.
    Object,
    /// An input refers to an object that is not in its heap.
    NoObject,
    /// An input is an array with an element that has no value.
    Unassigned,
}

impl fmt::Display for NoMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoFile => "its file is not known",
            Self::NoContract => "it has no contract",
            Self::NoParameter => "a parameter without a declaration",
            Self::Unresolved => "its inputs cannot be written as Dafny",
            Self::Identity => "objects and functions among its inputs cannot be written as Dafny",
            Self::Object => "objects among its inputs cannot be written as Dafny",
            Self::NoObject => "a missing object",
            Self::Unassigned => "an array with unassigned elements",
        })
    }
}

impl std::error::Error for NoMethod {}

/// The use of the unit in the method.
#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    /// The method calls the unit and checks the violated postcondition.
    Asked,
    /// The method calls the unit.
    Called,
}

fn write(
    program: &ir::Program,
    sources: &SourceMap,
    unit: &Unit,
    violation: &Violation,
    how: How,
) -> Result<String, NoMethod> {
    let typed = &program.typed;
    let callable = &typed[unit.callable];
    let contract = program
        .contracts
        .get(&unit.callable)
        .ok_or(NoMethod::NoContract)?;
    let map = contract
        .type_params
        .iter()
        .copied()
        .zip(violation.inputs.type_args.iter().cloned())
        .collect();
    let place = sources.line_column(violation.failure.span.start);
    let (line, column) = place.map_or((0, 0), |at| (at.line, at.column));
    // One variable per input, named like the parameter.
    let mut body = String::new();
    let mut names = Vec::new();
    for (param, value) in contract.params.iter().zip(&violation.inputs.args) {
        let info = contract
            .vars
            .get(param.0 as usize)
            .ok_or(NoMethod::NoParameter)?;
        let ty = info.ty.subst(&map);
        let name = if &*info.name == "this" {
            "receiver".to_owned()
        } else {
            info.name.to_string()
        };
        let _ = writeln!(
            body,
            "  var {name}: {} := {};",
            typed.show_type(&ty),
            expression(program, violation, value, &ty)?
        );
        names.push(name);
    }
    // The call: the first input of an instance method is the receiver.
    let is_instance = callable.owner.is_some() && !callable.is_static;
    let (callee, args) = match names.split_first() {
        Some((receiver, rest)) if is_instance => (format!("{receiver}.{}", callable.name), rest),
        Some(_) | None => (unit.path.clone(), names.as_slice()),
    };
    // Type arguments of the owner come first; only those of the callable itself are written.
    let own = callable.type_params.len();
    let own_types: Vec<String> = violation
        .inputs
        .type_args
        .iter()
        .rev()
        .take(own)
        .rev()
        .map(|t| typed.show_type(t).to_string())
        .collect();
    let types = if own_types.is_empty() {
        String::new()
    } else {
        format!("<{}>", own_types.join(", "))
    };
    let call = format!("{callee}{types}({})", args.join(", "));
    // The results, and the violated postcondition as `expect`.
    let outs: Vec<&str> = callable
        .outs
        .iter()
        .map(|f| {
            if f.unnamed {
                "result"
            } else {
                &*typed[f.local].name
            }
        })
        .collect();
    let targets = if outs.is_empty() || callable.kind == CallableKind::Lemma {
        String::new()
    } else {
        format!("var {} := ", outs.join(", "))
    };
    let _ = writeln!(body, "  {targets}{call};");
    if let Some(clause) = clause(sources, violation, &outs).filter(|_| how == How::Asked) {
        let _ = writeln!(body, "  expect {clause};");
    }
    let name = format!(
        "{}_breaks_{line}_{column}",
        unit.path.replace(['.', '#', '?', '\''], "_")
    );
    let place = sources.locate(violation.failure.span);
    Ok(format!(
        "// breaks {place}: {}\nmethod {{:test}} {name}() {{\n{body}}}\n",
        violation.failure.message
    ))
}

/// Returns the violated postcondition as an expression, if it can be checked after the call.
fn clause(sources: &SourceMap, violation: &Violation, outs: &[&str]) -> Option<String> {
    let span: Span = violation.failure.span;
    let text = dtest_search::describe::one_line(sources.text(span));
    let asks_before = ["old(", "fresh(", "unchanged(", "old@", "..."]
        .iter()
        .any(|word| text.contains(word));
    (violation.failure.kind == FailureKind::Postcondition && !outs.is_empty() && !asks_before)
        .then_some(text)
}

/// Formats a value as an expression.
fn expression(
    program: &ir::Program,
    violation: &Violation,
    value: &Value,
    ty: &Type,
) -> Result<String, NoMethod> {
    let typed = &program.typed;
    // Values of value types have a display in Dafny; identities and functions do not.
    let plain = |value: &Value, ty: &Type| {
        if value.within().any(|v| {
            matches!(
                v,
                Value::Ref(_) | Value::Function(_) | Value::Lazy(_) | Value::Ordinal(_)
            )
        }) {
            return Err(NoMethod::Identity);
        }
        Ok(show(typed, &|_| None, value, ty))
    };
    let Value::Ref(id) = value else {
        return plain(value, ty);
    };
    let object = violation
        .inputs
        .heap
        .objects
        .get(id.0 as usize)
        .ok_or(NoMethod::NoObject)?;
    // Two kinds of objects can be created by one expression: arrays, and objects without state.
    match (&object.contents, typed.representation(&object.ty)) {
        (Contents::Elements(elements), Type::Array { elem, .. }) if elements.dims().len() == 1 => {
            let known: Option<Vec<&Value>> = elements.iter().map(Option::as_ref).collect();
            let texts: Result<Vec<String>, NoMethod> = known
                .ok_or(NoMethod::Unassigned)?
                .into_iter()
                .map(|v| plain(v, &elem))
                .collect();
            let (elem, texts) = (typed.show_type(&elem), texts?);
            Ok(if texts.is_empty() {
                format!("new {elem}[0]")
            } else {
                format!("new {elem}[{}] [{}]", texts.len(), texts.join(", "))
            })
        }
        (Contents::Fields(fields), Type::Named { decl, .. })
            if fields.is_empty()
                && matches!(typed[decl].kind, TypeDeclKind::Class)
                && callable_without_state(typed, decl) =>
        {
            Ok(format!("new {}", typed.show_type(&object.ty)))
        }
        (_, _) => Err(NoMethod::Object),
    }
}

/// Whether all objects of a class are alike: it has no constructor and no fields.
fn callable_without_state(
    typed: &dafny_resolve::typed::Program,
    decl: dafny_resolve::typed::TypeId,
) -> bool {
    !typed
        .callables
        .iter()
        .any(|c| c.owner == Some(decl) && c.kind == CallableKind::Constructor)
}
