//! Requests of the client: answered at once, from a thread of their own, or when the program of a
//! document is known.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{CANCELLED, CheckWhen, Event, Program, Server, Waiting};
use crate::lsp::answers::{self, Question};
use crate::lsp::documents::path_of;
use crate::lsp::error::RequestError;
use crate::lsp::programs::Known;
use crate::lsp::runs::Cancel;
use crate::lsp::{actions, commands, worker};
use crossbeam_channel::Sender;
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types as lsp;
use lsp_types::notification::Notification as _;
use lsp_types::request::Request as _;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

impl Server {
    pub(super) fn request(&mut self, request: Request) {
        // The protocol allows nothing but `exit` after `shutdown`.
        if self.is_shut_down {
            return self.refuse(
                request.id,
                ErrorCode::InvalidRequest as i32,
                "the server is shut down",
            );
        }
        match request.method.as_str() {
            lsp::request::Shutdown::METHOD => {
                self.is_shut_down = true;
                self.cancel_all();
                self.send(Response::new_ok(request.id, Value::Null));
            }
            lsp::request::WorkspaceSymbolRequest::METHOD => {
                let query = request
                    .params
                    .get("query")
                    .and_then(Value::as_str)
                    .unwrap_or_default();
                let states: Vec<Arc<Known>> = self
                    .programs
                    .values()
                    .map(|p| p.good.clone().unwrap_or_else(|| p.now.clone()))
                    .collect();
                let found =
                    answers::workspace_symbols(&states, &self.question(PathBuf::new()), query);
                self.send(Response::new_ok(request.id, found));
            }
            lsp::request::ExecuteCommand::METHOD => self.command(request),
            lsp::request::Initialize::METHOD => self.refuse(
                request.id,
                ErrorCode::InvalidRequest as i32,
                "the server is already initialized",
            ),
            _ => match document_of(&request.params) {
                Some(path) => self.when_known(request, path),
                None if request.params.get("textDocument").is_some() => {
                    self.send(Response::new_ok(request.id, Value::Null))
                }
                None => self.refuse(
                    request.id,
                    ErrorCode::MethodNotFound as i32,
                    format!("`{}` is not supported", request.method),
                ),
            },
        }
    }

    /// Answers a request about a document after its program is resolved.
    pub(super) fn when_known(&mut self, request: Request, path: PathBuf) {
        let Some(document) = self.documents.get(&path) else {
            return self.refuse(
                request.id,
                ErrorCode::InvalidParams as i32,
                "the document is not open",
            );
        };
        let program = self
            .owners
            .get(&path)
            .and_then(|key| self.programs.get(key));
        let is_known = program.is_some_and(|p| p.now.revision >= document.changed);
        // These requests need the text alone. Completion resolves the newest text in any case.
        let alone = [
            lsp::request::FoldingRangeRequest::METHOD,
            lsp::request::DocumentSymbolRequest::METHOD,
        ];
        let needs_no_more = alone.contains(&request.method.as_str())
            || (program.is_some_and(|p| p.now.file(&path).is_some())
                && request.method == lsp::request::Completion::METHOD);
        if is_known || needs_no_more {
            self.answer(request, path);
        } else {
            self.waiting.push(Waiting { request, path });
        }
    }

    pub(super) fn answer(&mut self, request: Request, path: PathBuf) {
        use lsp::request as r;
        let Request { id, method, params } = request;
        // `reply` answers immediately; `reply_later` uses a separate thread, because the program is
        // resolved again.
        match method.as_str() {
            r::GotoDefinition::METHOD => {
                self.reply(id, params, path, |q, p: lsp::TextDocumentPositionParams| {
                    Ok(q.definition(p.position))
                })
            }
            r::References::METHOD => self.reply(id, params, path, |q, p: lsp::ReferenceParams| {
                Ok(q.references(
                    p.text_document_position.position,
                    p.context.include_declaration,
                ))
            }),
            r::DocumentHighlightRequest::METHOD => {
                self.reply(id, params, path, |q, p: lsp::TextDocumentPositionParams| {
                    Ok(q.highlights(p.position))
                });
            }
            r::HoverRequest::METHOD => {
                self.reply(id, params, path, |q, p: lsp::TextDocumentPositionParams| {
                    Ok(q.hover(p.position))
                })
            }
            r::DocumentSymbolRequest::METHOD => {
                self.reply(id, params, path, |q, _: Value| Ok(q.symbols()))
            }
            r::FoldingRangeRequest::METHOD => {
                self.reply(id, params, path, |q, _: Value| Ok(q.folds()))
            }
            r::SemanticTokensFullRequest::METHOD => {
                self.reply(id, params, path, |q, _: Value| Ok(q.tokens()))
            }
            r::PrepareRenameRequest::METHOD => {
                self.reply(id, params, path, |q, p: lsp::TextDocumentPositionParams| {
                    q.renamable(p.position)
                });
            }
            r::InlayHintRequest::METHOD => {
                let hints = self
                    .program_of(&path)
                    .map(|p| actions::hints(p, &self.question(path.clone()), &params));
                self.send(Response::new_ok(id, hints.unwrap_or_default()));
            }
            r::CodeLensRequest::METHOD => {
                let wanted = self.settings.check != CheckWhen::Off;
                let lenses = self
                    .program_of(&path)
                    .filter(|_| wanted)
                    .map(|p| actions::lenses(p, &self.question(path.clone())));
                self.send(Response::new_ok(id, lenses.unwrap_or_default()));
            }
            r::CodeActionRequest::METHOD => {
                let found = match serde_json::from_value::<lsp::CodeActionParams>(params) {
                    Ok(params) => actions::actions(
                        self.program_of(&path),
                        &self.question(path.clone()),
                        &params,
                    ),
                    Err(e) => {
                        return self.refuse(id, ErrorCode::InvalidParams as i32, e.to_string());
                    }
                };
                self.send(Response::new_ok(id, found));
            }
            r::Completion::METHOD => {
                self.reply_later(id, params, path, |q, p: lsp::CompletionParams| {
                    Ok(q.completion(p.text_document_position.position))
                });
            }
            r::SignatureHelpRequest::METHOD => {
                self.reply_later(id, params, path, |q, p: lsp::SignatureHelpParams| {
                    Ok(q.signature(p.text_document_position_params.position))
                });
            }
            r::Rename::METHOD => {
                self.reply_later(id, params, path, |q, p: lsp::RenameParams| {
                    q.rename(p.text_document_position.position, &p.new_name)
                });
            }
            _ => self.refuse(
                id,
                ErrorCode::MethodNotFound as i32,
                format!("`{method}` is not supported"),
            ),
        }
    }

    pub(super) fn program_of(&self, path: &Path) -> Option<&Program> {
        self.owners.get(path).and_then(|key| self.programs.get(key))
    }

    pub(super) fn question(&self, path: PathBuf) -> Question<'_> {
        let states = self.program_of(&path).map(states).unwrap_or_default();
        Question {
            documents: &self.documents,
            states,
            encoding: self.encoding,
            path,
        }
    }

    /// Answers a request immediately.
    pub(super) fn reply<P: DeserializeOwned, R: Serialize>(
        &self,
        id: RequestId,
        params: Value,
        path: PathBuf,
        ask: impl FnOnce(&Question<'_>, P) -> Result<R, RequestError>,
    ) {
        match answered(&self.question(path), params, ask) {
            Ok(value) => self.send(Response::new_ok(id, value)),
            Err((code, message)) => self.refuse(id, code, message),
        }
    }

    /// Answers a request in a separate thread, because the program is resolved again.
    pub(super) fn reply_later<P: DeserializeOwned, R: Serialize>(
        &mut self,
        id: RequestId,
        params: Value,
        path: PathBuf,
        ask: impl FnOnce(&Question<'_>, P) -> Result<R, RequestError> + Send + 'static,
    ) {
        let (documents, encoding) = (self.documents.clone(), self.encoding);
        let states = self.program_of(&path).map(states).unwrap_or_default();
        let work = move |_: &Cancel| {
            let question = Question {
                documents: &documents,
                states,
                encoding,
                path,
            };
            answered(&question, params, ask)
        };
        self.in_thread(id, work);
    }

    /// Runs work in a separate thread, whose result answers a request.
    pub(super) fn in_thread(
        &mut self,
        id: RequestId,
        work: impl FnOnce(&Cancel) -> Result<Value, (i32, String)> + Send + 'static,
    ) {
        let cancel = Cancel::default();
        self.running
            .insert(id.to_string(), (id.clone(), cancel.clone()));
        let (events, own) = (self.events.clone(), id.clone());
        let thread = move || {
            let result = catch_unwind(AssertUnwindSafe(|| work(&cancel)));
            let failed = || Err((ErrorCode::InternalError as i32, "internal error".to_owned()));
            let _ = events.send(Event::Answer(own, result.unwrap_or_else(|_| failed())));
        };
        if let Err(e) = std::thread::Builder::new()
            .name("answer".into())
            .stack_size(worker::STACK)
            .spawn(thread)
        {
            self.running.remove(&id.to_string());
            self.refuse(
                id,
                ErrorCode::InternalError as i32,
                format!("cannot start a thread: {e}"),
            );
        }
    }

    pub(super) fn cancelled(&mut self, params: lsp::CancelParams) {
        let id = match params.id {
            lsp::NumberOrString::Number(n) => RequestId::from(n),
            lsp::NumberOrString::String(s) => RequestId::from(s),
        };
        let before = self.waiting.len();
        self.waiting.retain(|w| w.request.id != id);
        let was_waiting = self.waiting.len() < before;
        let running = self.running.remove(&id.to_string());
        if let Some((_, cancel)) = &running {
            cancel.cancel();
        }
        if was_waiting || running.is_some() {
            self.refuse(id, CANCELLED, "cancelled");
        }
    }

    pub(super) fn refuse_waiting_for(&mut self, path: &Path) {
        let (gone, kept): (Vec<Waiting>, Vec<Waiting>) = std::mem::take(&mut self.waiting)
            .into_iter()
            .partition(|w| w.path == path);
        self.waiting = kept;
        gone.into_iter()
            .for_each(|w| self.refuse(w.request.id, CANCELLED, "the document was closed"));
    }

    pub(super) fn command(&mut self, request: Request) {
        let params: lsp::ExecuteCommandParams = match serde_json::from_value(request.params) {
            Ok(params) => params,
            Err(e) => {
                return self.refuse(request.id, ErrorCode::InvalidParams as i32, e.to_string());
            }
        };
        let asked = match commands::asked(&params) {
            Ok(asked) => asked,
            Err(e) => {
                return self.refuse(request.id, ErrorCode::InvalidParams as i32, e.to_string());
            }
        };
        // Explanations are answered immediately; all other commands run in a thread, on the state
        // of the program at this moment.
        let commands::Asked::Program { path, unit, what } = asked else {
            let commands::Asked::Explanation(text) = asked else {
                return;
            };
            self.show(&text);
            return self.send(Response::new_ok(request.id, text));
        };
        let key = self.owners.get(&path).cloned();
        let task = key.and_then(|key| self.task(&key, path, unit));
        let Some(task) = task else {
            return self.refuse(
                request.id,
                ErrorCode::InvalidParams as i32,
                "the document is not open, or its program is not resolved yet",
            );
        };
        let token = self.begin(what.title());
        let (events, shows) = (self.events.clone(), self.settings.shows_answers);
        let client = self.client.clone();
        self.in_thread(request.id, move |cancel| {
            let result = task.run(&what, &events, cancel);
            let _ = events.send(Event::Ended(token));
            if let (Ok(text), false) = (&result, shows || cancel.is_cancelled()) {
                show(&client, text);
            }
            result
                .map(Value::String)
                .map_err(|e| (ErrorCode::RequestFailed as i32, e.to_string()))
        });
    }

    pub(super) fn show(&self, text: &str) {
        if !self.settings.shows_answers {
            show(&self.client, text);
        }
    }
}

pub(super) fn show(client: &Sender<Message>, text: &str) {
    let params = lsp::ShowMessageParams {
        typ: lsp::MessageType::INFO,
        message: text.to_owned(),
    };
    let _ = client
        .send(Notification::new(lsp::notification::ShowMessage::METHOD.to_owned(), params).into());
}

/// Returns the states of a program that can answer questions, the newest first.
pub(super) fn states(program: &Program) -> Vec<Arc<Known>> {
    let good = program
        .good
        .iter()
        .filter(|g| !Arc::ptr_eq(g, &program.now))
        .cloned();
    [program.now.clone()].into_iter().chain(good).collect()
}

pub(super) fn answered<P: DeserializeOwned, R: Serialize>(
    question: &Question<'_>,
    params: Value,
    ask: impl FnOnce(&Question<'_>, P) -> Result<R, RequestError>,
) -> Result<Value, (i32, String)> {
    let params = serde_json::from_value(params)
        .map_err(|e| (ErrorCode::InvalidParams as i32, e.to_string()))?;
    let answer =
        ask(question, params).map_err(|e| (ErrorCode::RequestFailed as i32, e.to_string()))?;
    serde_json::to_value(answer).map_err(|e| (ErrorCode::InternalError as i32, e.to_string()))
}

/// Returns the document that a request is about.
pub(super) fn document_of(params: &Value) -> Option<PathBuf> {
    let uri = params.get("textDocument")?.get("uri")?.as_str()?;
    path_of(&uri.parse().ok()?)
}
