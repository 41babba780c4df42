//! The models of `[model]` in `dtest.toml`: reads their files, and applies them to a program.

use std::path::Path;
use std::sync::Arc;

use super::files;
use super::load::Loaded;
use crate::message::MessageId;
use crate::pipeline::models::{self, ModelError};
use dafny_source::diagnostic::Diagnostic;
use dafny_source::visible;

/// A model: the Dafny path of a declaration, and the file with its code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Model {
    /// The path of the declaration.
    pub declaration: String,
    /// The file, relative to the package.
    pub file: String,
}

/// Applies the models to a program. Problems become diagnostics of the program. Returns the models
/// whose declaration the program does not have: another program of the run may have it.
pub fn apply(program: &mut Loaded, all: &[Model], root: &Path) -> Vec<String> {
    let mut unused = Vec::new();
    for model in all {
        let path = root.join(&model.file);
        let shown = files::shown(&path, root);
        let wrong = |message: String| {
            let message = format!(
                "the model of `{}` (`{shown}`): {message}",
                model.declaration
            );
            Diagnostic::global(MessageId::LoadModel, message)
        };
        let read = files::read_regular(&path).map_err(|e| e.to_string());
        let text: Arc<str> =
            match read.and_then(|b| String::from_utf8(b).map_err(|e| e.to_string())) {
                Ok(text) => text.into(),
                Err(e) => {
                    program.diagnostics.push(wrong(e));
                    continue;
                }
            };
        let name = visible(&shown, &[]).into_owned();
        let Some(id) = program.sources.add(name, text.clone(), false) else {
            program
                .diagnostics
                .push(wrong("the texts are too large".into()));
            continue;
        };
        let base = program.sources.file(id).map_or(0, |f| f.base);
        let (tree, errors) = dafny_syntax::parse_with(base, &text, program.syntax);
        // Every text has a tree; the declarations of this one move to the program's own.
        let mut rest = tree.clone();
        rest.decls.clear();
        program.diagnostics.extend(errors);
        match models::apply(&mut program.files, &model.declaration, tree) {
            Ok(()) => {}
            Err(ModelError::NotDeclared) => unused.push(model.declaration.clone()),
            Err(error) => program.diagnostics.push(wrong(error.to_string())),
        }
        program.files.push(rest);
        program.paths.push(path);
    }
    unused
}
