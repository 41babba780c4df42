//! The main loop of the server: messages of the client and events of other threads, handled one at
//! a time.
//!
//! [`serve`] initializes a [`Server`] and runs it. Notifications change the documents, requests are
//! answered from the known states or wait for the worker, and [`Event`]s bring the results of other
//! threads. No handler blocks.

mod notifications;
mod requests;
mod results;

use std::path::PathBuf;
use std::sync::Arc;

use crate::lsp::documents::{Document, Encoding};
use crate::lsp::error::ServerError;
use crate::lsp::findings::{Finding, Findings, Fix, Scope};
use crate::lsp::programs::{Key, Known};
use crate::lsp::runs::Cancel;
use crate::lsp::worker::{self, Found, Job};
use crate::lsp::{answers, commands};
use crossbeam_channel::{Receiver, Sender, select, unbounded};
use dtest_sorted::{SortedMap, SortedSet};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types as lsp;
use lsp_types::notification::Notification as _;
use serde_json::{Value, json};

/// The protocol's error code for a request that was cancelled or became obsolete.
const CANCELLED: i32 = -32800;

/// The settings of the user.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Settings {
    /// `dtest.diagnostics = "tests-only"`: omits the messages that Dafny's own server also shows.
    pub tests_only: bool,
    /// `dtest.check`: the time of searches for violations and dead blocks.
    pub check: CheckWhen,
    /// Whether the client shows the answers of commands itself.
    pub shows_answers: bool,
}

/// The time of searches for violations and dead blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CheckWhen {
    /// When a document is saved.
    #[default]
    Save,
    /// On a command of the user.
    Manual,
    /// Never; the commands are not offered either.
    Off,
}

impl Settings {
    /// Applies the settings of a JSON object; missing or invalid ones stay unchanged.
    fn with(mut self, given: &Value) -> Self {
        let given = given.get("dtest").unwrap_or(given);
        match given.get("diagnostics").and_then(Value::as_str) {
            Some("all") => self.tests_only = false,
            Some("tests-only") => self.tests_only = true,
            Some(_) | None => {}
        }
        match given.get("check").and_then(Value::as_str) {
            Some("save") => self.check = CheckWhen::Save,
            Some("manual") => self.check = CheckWhen::Manual,
            Some("off") => self.check = CheckWhen::Off,
            Some(_) | None => {}
        }
        if let Some(shows) = given.get("showsAnswers").and_then(Value::as_bool) {
            self.shows_answers = shows;
        }
        self
    }
}

/// A program with open documents.
#[derive(Debug)]
pub struct Program {
    /// The newest state.
    pub now: Arc<Known>,
    /// The last state without syntax errors.
    pub good: Option<Arc<Known>>,
    /// The results of searches.
    pub findings: Findings,
    /// The unit and line of the violation whose values are shown next to the lines, if it is not
    /// the first one.
    pub chosen: Option<(String, usize)>,
    /// The running search.
    search: Option<Cancel>,
}

/// An event from another thread.
#[derive(Debug)]
pub enum Event {
    /// The answer to a request.
    Answer(RequestId, Result<Value, (i32, String)>),
    /// The output of a search, and the texts that it read.
    Searched(Key, Scope, String, SortedMap<PathBuf, Arc<str>>),
    /// A violation, and the clause that fixes it.
    Fixed(Key, Box<Finding>, Fix),
    /// The violation to show: the unit, and the byte offset at or after the violation.
    Chosen(Key, String, usize),
    /// A task has ended; the token of its progress.
    Ended(Option<i32>),
    /// The client's process has ended.
    ClientGone,
}

/// The capabilities of the client.
#[derive(Debug, Clone, Copy, Default)]
struct Abilities {
    configuration: bool,
    progress: bool,
    watched: bool,
    refresh_hints: bool,
    refresh_lenses: bool,
    refresh_tokens: bool,
}

struct Waiting {
    request: Request,
    path: PathBuf,
}

pub(super) struct Server {
    client: Sender<Message>,
    events: Sender<Event>,
    jobs: Sender<Job>,
    encoding: Encoding,
    settings: Settings,
    can: Abilities,
    documents: SortedMap<PathBuf, Document>,
    programs: SortedMap<Key, Program>,
    owners: SortedMap<PathBuf, Key>,
    revision: u64,
    /// Requests that wait for the worker.
    waiting: Vec<Waiting>,
    /// Requests that other threads answer.
    running: SortedMap<String, (RequestId, Cancel)>,
    /// Files with published diagnostics.
    published: SortedSet<PathBuf>,
    /// The number of the last request to the client, and the request for the configuration.
    asked: i32,
    configuration_asked: Option<RequestId>,
    is_shut_down: bool,
    /// The directory for the caches of programs outside of packages, until the server ends.
    scratch: Option<tempfile::TempDir>,
}

/// Serves a client until it shuts down or disappears.
///
/// # Errors
/// A client that violates the protocol during initialization, or ends without `shutdown`; threads
/// that cannot be started.
pub fn serve(connection: Connection) -> Result<(), ServerError> {
    let (id, params) = loop {
        let (id, params) = match connection.initialize_start() {
            Ok(begun) => begun,
            Err(e) if e.channel_is_disconnected() => return Ok(()),
            Err(e) => return Err(ServerError::Initialize(e)),
        };
        match serde_json::from_value::<lsp::InitializeParams>(params) {
            Ok(params) => break (id, params),
            // The client may try again.
            Err(e) => {
                let message = format!("the parameters of `initialize` are malformed: {e}");
                let refused = Response::new_err(id, ErrorCode::InvalidParams as i32, message);
                if connection.sender.send(refused.into()).is_err() {
                    return Ok(());
                }
            }
        }
    };
    let (jobs, jobs_in) = unbounded();
    let (found_out, found) = unbounded();
    let (events, events_in) = unbounded();
    worker::start(jobs_in, found_out).map_err(ServerError::Thread)?;
    let mut server = Server::new(&params, connection.sender.clone(), events, jobs);
    let result = json!({
        "capabilities": server.capabilities(),
        "serverInfo": { "name": "cargo dtest", "version": env!("CARGO_PKG_VERSION") },
    });
    server.send(Response::new_ok(id, result));
    server.watch_client(params.process_id);
    server.serve(&connection.receiver, &found, &events_in)
}

impl Server {
    fn new(
        params: &lsp::InitializeParams,
        client: Sender<Message>,
        events: Sender<Event>,
        jobs: Sender<Job>,
    ) -> Self {
        let can = &params.capabilities;
        let workspace = can.workspace.as_ref();
        let abilities = Abilities {
            configuration: workspace.and_then(|w| w.configuration).unwrap_or(false),
            progress: can
                .window
                .as_ref()
                .and_then(|w| w.work_done_progress)
                .unwrap_or(false),
            watched: workspace
                .and_then(|w| w.did_change_watched_files.as_ref())
                .and_then(|d| d.dynamic_registration)
                .unwrap_or(false),
            refresh_hints: workspace
                .and_then(|w| w.inlay_hint.as_ref())
                .and_then(|i| i.refresh_support)
                .unwrap_or(false),
            refresh_lenses: workspace
                .and_then(|w| w.code_lens.as_ref())
                .and_then(|c| c.refresh_support)
                .unwrap_or(false),
            refresh_tokens: workspace
                .and_then(|w| w.semantic_tokens.as_ref())
                .and_then(|s| s.refresh_support)
                .unwrap_or(false),
        };
        let offered = can
            .general
            .as_ref()
            .and_then(|g| g.position_encodings.as_deref());
        let options = params.initialization_options.clone().unwrap_or_default();
        Self {
            client,
            events,
            jobs,
            encoding: Encoding::chosen(offered),
            settings: Settings::default().with(&options),
            can: abilities,
            documents: SortedMap::new(),
            programs: SortedMap::new(),
            owners: SortedMap::new(),
            revision: 0,
            waiting: Vec::new(),
            running: SortedMap::new(),
            published: SortedSet::new(),
            asked: 0,
            configuration_asked: None,
            is_shut_down: false,
            scratch: None,
        }
    }

    fn capabilities(&self) -> lsp::ServerCapabilities {
        let legend = lsp::SemanticTokensLegend {
            token_types: answers::token_types(),
            token_modifiers: answers::token_modifiers(),
        };
        let tokens = lsp::SemanticTokensOptions {
            legend,
            full: Some(lsp::SemanticTokensFullOptions::Bool(true)),
            ..lsp::SemanticTokensOptions::default()
        };
        let sync = lsp::TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(lsp::TextDocumentSyncKind::INCREMENTAL),
            save: Some(lsp::TextDocumentSyncSaveOptions::Supported(true)),
            ..lsp::TextDocumentSyncOptions::default()
        };
        let kinds = vec![lsp::CodeActionKind::QUICKFIX, lsp::CodeActionKind::EMPTY];
        lsp::ServerCapabilities {
            position_encoding: Some(self.encoding.kind()),
            text_document_sync: Some(lsp::TextDocumentSyncCapability::Options(sync)),
            hover_provider: Some(lsp::HoverProviderCapability::Simple(true)),
            definition_provider: Some(lsp::OneOf::Left(true)),
            references_provider: Some(lsp::OneOf::Left(true)),
            document_highlight_provider: Some(lsp::OneOf::Left(true)),
            document_symbol_provider: Some(lsp::OneOf::Left(true)),
            workspace_symbol_provider: Some(lsp::OneOf::Left(true)),
            folding_range_provider: Some(lsp::FoldingRangeProviderCapability::Simple(true)),
            rename_provider: Some(lsp::OneOf::Right(lsp::RenameOptions {
                prepare_provider: Some(true),
                work_done_progress_options: lsp::WorkDoneProgressOptions::default(),
            })),
            completion_provider: Some(lsp::CompletionOptions {
                trigger_characters: Some(vec![".".to_owned()]),
                ..lsp::CompletionOptions::default()
            }),
            signature_help_provider: Some(lsp::SignatureHelpOptions {
                trigger_characters: Some(vec!["(".to_owned(), ",".to_owned()]),
                ..lsp::SignatureHelpOptions::default()
            }),
            semantic_tokens_provider: Some(
                lsp::SemanticTokensServerCapabilities::SemanticTokensOptions(tokens),
            ),
            inlay_hint_provider: Some(lsp::OneOf::Left(true)),
            code_lens_provider: Some(lsp::CodeLensOptions {
                resolve_provider: Some(false),
            }),
            code_action_provider: Some(lsp::CodeActionProviderCapability::Options(
                lsp::CodeActionOptions {
                    code_action_kinds: Some(kinds),
                    ..lsp::CodeActionOptions::default()
                },
            )),
            execute_command_provider: Some(lsp::ExecuteCommandOptions {
                commands: commands::COMMANDS.iter().map(|c| (*c).to_owned()).collect(),
                ..lsp::ExecuteCommandOptions::default()
            }),
            ..lsp::ServerCapabilities::default()
        }
    }

    /// Ends the server when the client's process ends. The end of the input is not enough: a killed
    /// client may leave its end of the pipe to its children.
    #[cfg(unix)]
    fn watch_client(&self, process: Option<u32>) {
        use nix::unistd::Pid;
        const PERIOD: std::time::Duration = std::time::Duration::from_secs(2);
        let Some(id) = process.and_then(|p| i32::try_from(p).ok()) else {
            return;
        };
        let events = self.events.clone();
        let watch = move || {
            while nix::sys::signal::kill(Pid::from_raw(id), None) != Err(nix::errno::Errno::ESRCH) {
                std::thread::sleep(PERIOD);
            }
            let _ = events.send(Event::ClientGone);
        };
        // Without the thread, only the end of the input ends the server.
        let _ = std::thread::Builder::new()
            .name("client".into())
            .spawn(watch);
    }

    /// Does nothing: the end of the input ends the server.
    #[cfg(not(unix))]
    fn watch_client(&self, _: Option<u32>) {}

    fn serve(
        &mut self,
        client: &Receiver<Message>,
        found: &Receiver<Found>,
        events: &Receiver<Event>,
    ) -> Result<(), ServerError> {
        loop {
            select! {
                recv(client) -> message => match message {
                    Ok(Message::Request(request)) => self.request(request),
                    Ok(Message::Response(response)) => self.response(response),
                    Ok(Message::Notification(note)) if note.method == lsp::notification::Exit::METHOD => {
                        self.cancel_all();
                        return if self.is_shut_down { Ok(()) } else { Err(ServerError::ExitWithoutShutdown) };
                    }
                    Ok(Message::Notification(note)) => self.notification(note),
                    Err(_) => {
                        self.cancel_all();
                        return Ok(());
                    }
                },
                recv(found) -> found => match found {
                    Ok(found) => self.found(found),
                    Err(_) => return Err(ServerError::ResolverEnded),
                },
                recv(events) -> event => match event {
                    Ok(Event::ClientGone) | Err(_) => {
                        self.cancel_all();
                        return Ok(());
                    }
                    Ok(event) => self.event(event),
                },
            }
        }
    }

    /// Cancels all running requests and searches.
    fn cancel_all(&mut self) {
        self.running.values().for_each(|(_, c)| c.cancel());
        self.programs
            .values()
            .filter_map(|p| p.search.as_ref())
            .for_each(Cancel::cancel);
    }

    fn send(&self, message: impl Into<Message>) {
        // If the client is gone, the end of the input ends the loop.
        let _ = self.client.send(message.into());
    }

    fn notify<N: lsp::notification::Notification>(&self, params: N::Params) {
        self.send(Notification::new(N::METHOD.to_owned(), params));
    }

    /// Sends a request to the client.
    fn ask<R: lsp::request::Request>(&mut self, params: R::Params) -> RequestId {
        self.asked += 1;
        let id = RequestId::from(self.asked);
        self.send(Request::new(id.clone(), R::METHOD.to_owned(), params));
        id
    }

    fn refuse(&self, id: RequestId, code: i32, message: impl Into<String>) {
        self.send(Response::new_err(id, code, message.into()));
    }
}
