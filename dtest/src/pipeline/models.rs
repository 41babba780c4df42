//! Models: code in Dafny that stands for external declarations.
//!
//! A model is a file with the declaration again, now with bodies: a class, a method or a function
//! of the same name. [`apply`] moves the bodies to the declaration, which keeps its contract, so
//! that the program has ordinary code from there on. Further members of the class, and further
//! declarations of the file, are added; a ghost field that the model declares as compiled is
//! compiled.

use dafny_syntax::ast::{
    Attribute, ClassDecl, File, FunctionDecl, Ident, Member, MethodDecl, Modifiers, TopDecl,
};

/// The reason why a model cannot be applied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ModelError {
    /// The program has no class, method or function of this name.
    NotDeclared,
    /// The file of the model does not declare the name.
    NotModelled(String),
    /// The member has a body in the program already.
    HasBody(String),
    /// The parameters of the member have other names than in the program.
    Parameters(String),
}

impl std::fmt::Display for ModelError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotDeclared => {
                f.write_str("the program declares no class, method or function of this name")
            }
            Self::NotModelled(name) => write!(f, "the file does not declare `{name}`"),
            Self::HasBody(name) => write!(f, "`{name}` has a body in the program"),
            Self::Parameters(name) => write!(
                f,
                "the parameters of `{name}` do not have the names that they have in the program"
            ),
        }
    }
}

/// Gives a declaration of the program, by its Dafny path, the bodies that a model has for it.
///
/// # Errors
/// The reason why the model does not fit. The program may be changed in part.
pub fn apply(files: &mut [File], path: &str, model: File) -> Result<(), ModelError> {
    let segments: Vec<&str> = path.split('.').collect();
    let mut model = Some(model);
    for file in files {
        if let Some(result) = apply_in(&mut file.decls, &segments, &mut model) {
            return result;
        }
    }
    Err(ModelError::NotDeclared)
}

/// Applies the model if these declarations have the path.
fn apply_in(
    decls: &mut Vec<TopDecl>,
    path: &[&str],
    model: &mut Option<File>,
) -> Option<Result<(), ModelError>> {
    // A module may be declared with several segments at once.
    for decl in decls.iter_mut() {
        if let TopDecl::Module(module) = decl {
            let name = module.name.segments.iter().map(|s| &*s.name);
            if name.clone().eq(path.iter().copied().take(name.count())) {
                let inner = path.get(module.name.segments.len()..).unwrap_or_default();
                if let Some(result) = apply_in(&mut module.decls, inner, model) {
                    return Some(result);
                }
            }
        }
    }
    let declares = |decl: &TopDecl| match (decl, path) {
        (TopDecl::Class(class), [name]) => is_named(&class.name, name),
        (TopDecl::Class(class), [name, member]) => {
            is_named(&class.name, name) && class.members.iter().any(|m| has_name(m, member))
        }
        (TopDecl::Member(member), [name]) => has_name(member, name),
        (_, _) => false,
    };
    let at = decls.iter().position(declares)?;
    let model = model.take()?;
    let target = decls.get_mut(at)?;
    let (result, further) = merge(target, path, model);
    decls.extend(further);
    Some(result)
}

/// Merges the model into a declaration. Returns the further declarations of the file.
fn merge(
    target: &mut TopDecl,
    path: &[&str],
    model: File,
) -> (Result<(), ModelError>, Vec<TopDecl>) {
    let name = path.last().copied().unwrap_or_default();
    let mut further = Vec::new();
    let mut result = Err(ModelError::NotModelled(name.to_owned()));
    for decl in model.decls {
        match (&mut *target, decl) {
            (TopDecl::Class(class), TopDecl::Class(of_model))
                if path.len() == 1 && is_named(&of_model.name, name) =>
            {
                result = merge_class(class, of_model);
            }
            (TopDecl::Class(class), TopDecl::Member(member))
                if path.len() == 2 && has_name(&member, name) =>
            {
                result = merge_member(&mut class.members, member);
            }
            (TopDecl::Member(declared), TopDecl::Member(member)) if has_name(&member, name) => {
                let mut members = vec![declared.clone()];
                result = merge_member(&mut members, member);
                if let Some(merged) = members.into_iter().next() {
                    *declared = merged;
                }
            }
            (_, other) => further.push(other),
        }
    }
    (result, further)
}

fn merge_class(class: &mut ClassDecl, model: ClassDecl) -> Result<(), ModelError> {
    no_longer_external(&mut class.modifiers);
    for member in model.members {
        merge_member(&mut class.members, member)?;
    }
    Ok(())
}

/// Gives a member the body of its model, or adds the member.
fn merge_member(members: &mut Vec<Member>, model: Member) -> Result<(), ModelError> {
    for declared in members.iter_mut() {
        match (declared, &model) {
            (Member::Method(declared), Member::Method(of_model))
                if name_of_method(declared) == name_of_method(of_model) =>
            {
                return merge_method(declared, of_model);
            }
            (Member::Function(declared), Member::Function(of_model))
                if declared.name.name == of_model.name.name =>
            {
                return merge_function(declared, of_model);
            }
            (Member::Field(declared), Member::Field(of_model))
                if declared.name.name == of_model.name.name =>
            {
                declared.modifiers.ghost &= of_model.modifiers.ghost;
                return Ok(());
            }
            (Member::Const(declared), Member::Const(of_model))
                if declared.name.name == of_model.name.name =>
            {
                no_longer_external(&mut declared.modifiers);
                declared.modifiers.ghost &= of_model.modifiers.ghost;
                if declared.value.is_some() && of_model.value.is_some() {
                    return Err(ModelError::HasBody(declared.name.name.to_string()));
                }
                declared.value = declared.value.take().or_else(|| of_model.value.clone());
                return Ok(());
            }
            (_, _) => {}
        }
    }
    members.push(model);
    Ok(())
}

fn merge_method(declared: &mut MethodDecl, model: &MethodDecl) -> Result<(), ModelError> {
    let name = || name_of_method(declared).unwrap_or("constructor").to_owned();
    // A member without a body in the model stays external.
    let Some(body) = &model.body else {
        return Ok(());
    };
    if declared.body.is_some() {
        return Err(ModelError::HasBody(name()));
    }
    let names = |m: &MethodDecl| {
        let formals = m.ins.iter().chain(&m.outs);
        formals
            .map(|f| f.name.as_ref().map(|n| n.name.clone()))
            .collect::<Vec<_>>()
    };
    if names(declared) != names(model) {
        return Err(ModelError::Parameters(name()));
    }
    no_longer_external(&mut declared.modifiers);
    declared.body = Some(body.clone());
    Ok(())
}

fn merge_function(declared: &mut FunctionDecl, model: &FunctionDecl) -> Result<(), ModelError> {
    let name = || declared.name.name.to_string();
    if model.body.is_none() {
        return Ok(());
    }
    if declared.body.is_some() {
        return Err(ModelError::HasBody(name()));
    }
    let names = |f: &FunctionDecl| {
        let formals = f.ins.iter();
        formals
            .map(|f| f.name.as_ref().map(|n| n.name.clone()))
            .collect::<Vec<_>>()
    };
    if names(declared) != names(model) {
        return Err(ModelError::Parameters(name()));
    }
    no_longer_external(&mut declared.modifiers);
    declared.body.clone_from(&model.body);
    declared.by_method.clone_from(&model.by_method);
    Ok(())
}

/// Removes the attributes of declarations without code.
fn no_longer_external(modifiers: &mut Modifiers) {
    let is_kept = |a: &Attribute| !matches!(&*a.name.name, "extern" | "axiom");
    modifiers.attributes.retain(is_kept);
}

fn is_named(ident: &Ident, name: &str) -> bool {
    &*ident.name == name
}

fn name_of_method(method: &MethodDecl) -> Option<&str> {
    method.name.as_ref().map(|n| &*n.name)
}

fn has_name(member: &Member, name: &str) -> bool {
    match member {
        Member::Field(f) => is_named(&f.name, name),
        Member::Const(c) => is_named(&c.name, name),
        Member::Method(m) => name_of_method(m) == Some(name),
        Member::Function(f) => is_named(&f.name, name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> File {
        let (file, errors) = dafny_syntax::parse_with(0, text, dafny_syntax::Options::default());
        assert!(errors.is_empty(), "{errors:?}");
        file
    }

    fn applied(program: &str, path: &str, model: &str) -> Result<String, ModelError> {
        let mut files = vec![parsed(program)];
        apply(&mut files, path, parsed(model))?;
        Ok(format!("{files:?}"))
    }

    #[test]
    fn bodies_move_to_the_declaration() {
        let program = "module M.N { class {:extern} C { ghost var data: int
             method {:extern} Get() returns (n: int) ensures n == data
             constructor {:extern} (n: int) ensures data == n } ghost function F(x: int): int }";
        let model = "class C { var data: int constructor (n: int) { data := n; }
             method Get() returns (n: int) { n := data; } } function Helper(): int { 3 }";
        let text = applied(program, "M.N.C", model).expect("it fits");
        assert!(
            !text.contains("\"extern\"") && text.contains("\"Helper\""),
            "{text}"
        );
        assert!(applied(program, "M.N.F", "function F(x: int): int { x }").is_ok());
        assert!(
            applied(
                program,
                "M.N.C.Get",
                "method Get() returns (n: int) { n := 0; }"
            )
            .is_ok()
        );
    }

    #[test]
    fn models_that_do_not_fit_are_rejected() {
        let program = "module M { method {:extern} F(x: int) method G(x: int) { } }";
        for (path, model, error) in [
            ("M.H", "method H() {}", ModelError::NotDeclared),
            ("N.F", "method F(x: int) {}", ModelError::NotDeclared),
            ("M.F", "method G() {}", ModelError::NotModelled("F".into())),
            (
                "M.F",
                "method F(y: int) {}",
                ModelError::Parameters("F".into()),
            ),
            (
                "M.G",
                "method G(x: int) {}",
                ModelError::HasBody("G".into()),
            ),
        ] {
            assert_eq!(applied(program, path, model), Err(error), "{path}: {model}");
        }
    }
}
