//! The main loop of the server: messages of the client and events of other threads, handled one at
//! a time.
//!
//! [`serve`] initializes a [`Server`] and runs it. Notifications change the documents, requests are
//! answered from the known states or wait for the worker, and [`Event`]s bring the results of other
//! threads. No handler blocks.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender, select, unbounded};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types as lsp;
use lsp_types::notification::Notification as _;
use lsp_types::request::Request as _;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::actions::{self, Task};
use super::answers::{self, Question};
use super::documents::{self, Document, Encoding, path_of, uri_of};
use super::error::{RequestError, ServerError};
use super::findings::{Finding, Findings, Fix, Scope};
use super::programs::{Key, Known};
use super::runs::Cancel;
use super::worker::{self, Found, Job};
use dtest_sorted::{SortedMap, SortedSet};

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
                commands: actions::COMMANDS.iter().map(|c| (*c).to_owned()).collect(),
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

    // Notifications.

    fn notification(&mut self, note: Notification) {
        use lsp::notification as n;
        match note.method.as_str() {
            n::Initialized::METHOD => self.initialized(),
            n::DidOpenTextDocument::METHOD => self.with(note, Self::opened),
            n::DidChangeTextDocument::METHOD => self.with(note, Self::changed),
            n::DidCloseTextDocument::METHOD => self.with(note, Self::closed),
            n::DidSaveTextDocument::METHOD => self.with(note, Self::saved),
            n::DidChangeConfiguration::METHOD => self.with(note, Self::configured),
            n::DidChangeWatchedFiles::METHOD => {
                self.look_again(true, self.documents.keys().cloned().collect())
            }
            n::Cancel::METHOD => self.with(note, Self::cancelled),
            n::WorkDoneProgressCancel::METHOD => self
                .programs
                .values()
                .filter_map(|p| p.search.as_ref())
                .for_each(Cancel::cancel),
            _ => {}
        }
    }

    /// Passes the parameters of a notification to `then`. Notifications have no answer, so
    /// malformed parameters are logged.
    fn with<P: DeserializeOwned>(&mut self, note: Notification, then: impl FnOnce(&mut Self, P)) {
        match serde_json::from_value(note.params) {
            Ok(params) => then(self, params),
            Err(e) => self.notify::<lsp::notification::LogMessage>(lsp::LogMessageParams {
                typ: lsp::MessageType::ERROR,
                message: format!("the parameters of `{}` are malformed: {e}", note.method),
            }),
        }
    }

    fn initialized(&mut self) {
        self.ask_for_configuration();
        if self.can.watched {
            let globs = ["**/*.dfy", "**/dfyconfig.toml", "**/dtest.toml"];
            let watchers: Vec<Value> = globs.iter().map(|g| json!({ "globPattern": g })).collect();
            let method = lsp::notification::DidChangeWatchedFiles::METHOD.to_owned();
            let registration = lsp::Registration {
                id: "watched".to_owned(),
                method,
                register_options: Some(json!({ "watchers": watchers })),
            };
            self.ask::<lsp::request::RegisterCapability>(lsp::RegistrationParams {
                registrations: vec![registration],
            });
        }
    }

    fn ask_for_configuration(&mut self) {
        if self.can.configuration {
            let item = lsp::ConfigurationItem {
                scope_uri: None,
                section: Some("dtest".to_owned()),
            };
            let id = self.ask::<lsp::request::WorkspaceConfiguration>(lsp::ConfigurationParams {
                items: vec![item],
            });
            self.configuration_asked = Some(id);
        }
    }

    fn configured(&mut self, params: lsp::DidChangeConfigurationParams) {
        self.set(&params.settings);
        self.ask_for_configuration();
    }

    fn set(&mut self, given: &Value) {
        let settings = self.settings.with(given);
        if settings != self.settings {
            self.settings = settings;
            let keys: Vec<Key> = self.programs.keys().cloned().collect();
            keys.iter().for_each(|key| self.publish(key));
            self.refresh();
        }
    }

    fn response(&mut self, response: Response) {
        if self.configuration_asked.as_ref() == Some(&response.id) {
            self.configuration_asked = None;
            if let Ok(Value::Array(given)) = &response.response_result
                && let Some(given) = given.first()
            {
                self.set(given);
            }
        }
    }

    fn opened(&mut self, params: lsp::DidOpenTextDocumentParams) {
        let lsp::TextDocumentItem {
            uri, version, text, ..
        } = params.text_document;
        let Some(path) = path_of(&uri) else { return };
        let text = text
            .strip_prefix('\u{feff}')
            .map_or(text.as_str(), |t| t)
            .into();
        self.revision += 1;
        self.documents.insert(
            path.clone(),
            Document {
                uri,
                version,
                text,
                changed: self.revision,
            },
        );
        self.look(false, [path].into_iter().collect());
    }

    fn changed(&mut self, params: lsp::DidChangeTextDocumentParams) {
        let Some(path) = path_of(&params.text_document.uri) else {
            return;
        };
        let revision = self.revision + 1;
        let Some(document) = self.documents.get_mut(&path) else {
            return;
        };
        self.revision = revision;
        document.text =
            documents::changed(&document.text, params.content_changes, self.encoding).into();
        document.version = params.text_document.version;
        document.changed = revision;
        // Running searches read the old text, so their results would be obsolete.
        let reading = |p: &&mut Program| p.now.file(&path).is_some();
        for program in self.programs.values_mut().filter(reading) {
            program.search.take().iter().for_each(Cancel::cancel);
        }
        self.look(false, [path].into_iter().collect());
    }

    fn closed(&mut self, params: lsp::DidCloseTextDocumentParams) {
        let Some(path) = path_of(&params.text_document.uri) else {
            return;
        };
        self.documents.remove(&path);
        if let Some(key) = self.owners.remove(&path)
            && !self.owners.values().any(|k| *k == key)
        {
            self.forget_unused();
            self.tell(&path, Vec::new());
        }
        self.refuse_waiting_for(&path);
        self.look_again(false, [path].into_iter().collect());
    }

    fn saved(&mut self, params: lsp::DidSaveTextDocumentParams) {
        let Some(path) = path_of(&params.text_document.uri) else {
            return;
        };
        if path.extension().is_some_and(|x| x == "toml") {
            self.look_again(true, SortedSet::new());
        }
        if self.settings.check == CheckWhen::Save
            && let Some(key) = self.owners.get(&path).cloned()
        {
            self.search(&key);
        }
    }

    fn look_again(&mut self, is_moved: bool, dirty: SortedSet<PathBuf>) {
        self.revision += 1;
        self.look(is_moved, dirty);
    }

    /// Asks the worker to resolve programs.
    fn look(&self, is_moved: bool, dirty: SortedSet<PathBuf>) {
        let open = self
            .documents
            .iter()
            .map(|(p, d)| (p.clone(), d.text.clone()))
            .collect();
        let _ = self.jobs.send(Job {
            revision: self.revision,
            open: Arc::new(open),
            dirty,
            is_moved,
        });
    }

    // Events of other threads.

    fn found(&mut self, found: Found) {
        match found {
            Found::Program(known, documents) => {
                let key = known.key.clone();
                for path in documents {
                    self.owners.insert(path, key.clone());
                }
                let readable = known.is_readable.then(|| known.clone());
                // The old state is dropped after the client has its diagnostics.
                let before = self
                    .programs
                    .get(&key)
                    .map(|p| (p.now.clone(), p.good.clone()));
                match self.programs.get_mut(&key) {
                    Some(program) => {
                        program.now = known;
                        program.good = readable.or(program.good.take());
                    }
                    None => {
                        let program = Program {
                            now: known,
                            good: readable,
                            findings: Findings::default(),
                            chosen: None,
                            search: None,
                        };
                        self.programs.insert(key.clone(), program);
                    }
                }
                self.publish(&key);
                // Dropping a large program takes time, so another thread does it.
                let _ = std::thread::Builder::new()
                    .name("letting go".into())
                    .stack_size(worker::STACK)
                    .spawn(move || drop(before));
            }
            Found::Done(revision) => {
                self.forget_unused();
                self.give_up_up_to(revision);
            }
        }
        let waiting = std::mem::take(&mut self.waiting);
        for Waiting { request, path } in waiting {
            self.when_known(request, path);
        }
    }

    /// Drops programs without open documents, and removes the diagnostics of their files.
    fn forget_unused(&mut self) {
        let used: SortedSet<Key> = self.owners.values().cloned().collect();
        let unused: Vec<Key> = self
            .programs
            .keys()
            .filter(|key| !used.contains(key))
            .cloned()
            .collect();
        for program in unused
            .iter()
            .filter_map(|key| self.programs.remove(key))
            .collect::<Vec<_>>()
        {
            program.search.iter().for_each(Cancel::cancel);
            let is_free = |path: &&PathBuf| !self.owners.contains_key(*path);
            let free: Vec<PathBuf> = program.now.paths.iter().filter(is_free).cloned().collect();
            free.iter().for_each(|path| self.tell(path, Vec::new()));
        }
    }

    /// Answers requests with `null` if their texts were resolved and still no program is known.
    fn give_up_up_to(&mut self, revision: u64) {
        let waiting = std::mem::take(&mut self.waiting);
        let changed = |w: &Waiting| self.documents.get(&w.path).map_or(0, |d| d.changed);
        let is_known = |w: &Waiting| {
            self.program_of(&w.path)
                .is_some_and(|p| p.now.revision >= changed(w))
        };
        let (lost, kept): (Vec<Waiting>, Vec<Waiting>) = waiting
            .into_iter()
            .partition(|w| changed(w) <= revision && !is_known(w));
        self.waiting = kept;
        lost.into_iter()
            .for_each(|w| self.send(Response::new_ok(w.request.id, Value::Null)));
    }

    fn event(&mut self, event: Event) {
        match event {
            Event::Answer(id, result) => {
                // A cancelled request was answered already.
                if self.running.remove(&id.to_string()).is_none() {
                    return;
                }
                match result {
                    Ok(value) => self.send(Response::new_ok(id, value)),
                    Err((code, message)) => self.refuse(id, code, message),
                }
            }
            Event::Searched(key, scope, output, texts) => {
                if let Some(program) = self.programs.get_mut(&key) {
                    program.findings.take(&scope, &output, &key.root, &texts);
                    self.publish(&key);
                    self.refresh();
                }
            }
            Event::Fixed(key, finding, fix) => {
                if let Some(program) = self.programs.get_mut(&key) {
                    program.findings.fixed(&finding, fix);
                }
            }
            Event::Chosen(key, unit, at) => {
                if let Some(program) = self.programs.get_mut(&key) {
                    program.chosen = Some((unit, at));
                    self.refresh();
                }
            }
            Event::Ended(token) => {
                if let Some(token) = token {
                    self.progress(
                        token,
                        lsp::WorkDoneProgress::End(lsp::WorkDoneProgressEnd { message: None }),
                    );
                }
            }
            Event::ClientGone => {}
        }
    }

    fn progress(&self, token: i32, value: lsp::WorkDoneProgress) {
        let value = lsp::ProgressParamsValue::WorkDone(value);
        self.notify::<lsp::notification::Progress>(lsp::ProgressParams {
            token: lsp::NumberOrString::Number(token),
            value,
        });
    }

    /// Starts a progress message; returns its token.
    fn begin(&mut self, title: &str) -> Option<i32> {
        if !self.can.progress {
            return None;
        }
        let token = self.asked + 1;
        let params = lsp::WorkDoneProgressCreateParams {
            token: lsp::NumberOrString::Number(token),
        };
        self.ask::<lsp::request::WorkDoneProgressCreate>(params);
        let begin = lsp::WorkDoneProgressBegin {
            title: title.to_owned(),
            cancellable: Some(true),
            ..lsp::WorkDoneProgressBegin::default()
        };
        self.progress(token, lsp::WorkDoneProgress::Begin(begin));
        Some(token)
    }

    /// Asks the client to refresh inlay hints, lenses and tokens, which it does not do on its own.
    fn refresh(&mut self) {
        if self.can.refresh_hints {
            self.ask::<lsp::request::InlayHintRefreshRequest>(());
        }
        if self.can.refresh_lenses {
            self.ask::<lsp::request::CodeLensRefresh>(());
        }
        if self.can.refresh_tokens {
            self.ask::<lsp::request::SemanticTokensRefresh>(());
        }
    }

    /// Publishes the diagnostics of the files of a program.
    fn publish(&mut self, key: &Key) {
        let Some(program) = self.programs.get(key) else {
            return;
        };
        // Each file belongs to one program; diagnostics of other programs would overwrite these.
        let known = program.now.clone();
        let question = self.question(PathBuf::new());
        let mut to_publish: Vec<(PathBuf, Vec<lsp::Diagnostic>)> = Vec::new();
        for (i, path) in known.paths.iter().enumerate() {
            if self.owners.get(path).is_some_and(|owner| owner != key) {
                continue;
            }
            let mut all = Vec::new();
            if !self.settings.tests_only {
                all = question.diagnostics(&known, dafny_syntax::source::FileId(i as u32));
            }
            all.extend(actions::diagnostics(program, &question, path));
            to_publish.push((path.clone(), all));
        }
        let homeless = if self.settings.tests_only {
            Vec::new()
        } else {
            question.homeless(&known)
        };
        // A file that the program does not contain (any more) shows the messages without a file.
        let lost = self
            .owners
            .iter()
            .filter(|(path, owner)| *owner == key && known.file(path).is_none());
        to_publish.extend(lost.map(|(path, _)| (path.clone(), homeless.clone())));
        for (path, diagnostics) in to_publish {
            self.tell(&path, diagnostics);
        }
    }

    fn tell(&mut self, path: &Path, diagnostics: Vec<lsp::Diagnostic>) {
        let document = self.documents.get(path);
        if diagnostics.is_empty() && document.is_none() && !self.published.contains(path) {
            return;
        }
        let Some(uri) = document.map(|d| d.uri.clone()).or_else(|| uri_of(path)) else {
            return;
        };
        let version = document.map(|d| d.version);
        if diagnostics.is_empty() {
            self.published.remove(path);
        } else {
            self.published.insert(path.to_owned());
        }
        self.notify::<lsp::notification::PublishDiagnostics>(lsp::PublishDiagnosticsParams {
            uri,
            diagnostics,
            version,
        });
    }

    // Requests.

    fn request(&mut self, request: Request) {
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
    fn when_known(&mut self, request: Request, path: PathBuf) {
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

    fn answer(&mut self, request: Request, path: PathBuf) {
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

    fn program_of(&self, path: &Path) -> Option<&Program> {
        self.owners.get(path).and_then(|key| self.programs.get(key))
    }

    fn question(&self, path: PathBuf) -> Question<'_> {
        let states = self.program_of(&path).map(states).unwrap_or_default();
        Question {
            documents: &self.documents,
            states,
            encoding: self.encoding,
            path,
        }
    }

    /// Answers a request immediately.
    fn reply<P: DeserializeOwned, R: Serialize>(
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
    fn reply_later<P: DeserializeOwned, R: Serialize>(
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

    fn cancelled(&mut self, params: lsp::CancelParams) {
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

    fn refuse_waiting_for(&mut self, path: &Path) {
        let (gone, kept): (Vec<Waiting>, Vec<Waiting>) = std::mem::take(&mut self.waiting)
            .into_iter()
            .partition(|w| w.path == path);
        self.waiting = kept;
        gone.into_iter()
            .for_each(|w| self.refuse(w.request.id, CANCELLED, "the document was closed"));
    }

    // Searches and commands.

    /// Starts a search for violations and dead blocks of a program, which replaces the running one.
    fn search(&mut self, key: &Key) {
        let Some(task) = self.task(key, PathBuf::new(), None) else {
            return;
        };
        let token = self.begin("looking for violations and dead code");
        let cancel = Cancel::default();
        if let Some(program) = self.programs.get_mut(key)
            && let Some(before) = program.search.replace(cancel.clone())
        {
            before.cancel();
        }
        let events = self.events.clone();
        let work = move || {
            // Errors are shown for searches that the user starts, not for automatic ones.
            let _ = task.check(&events, &cancel);
            let _ = events.send(Event::Ended(token));
        };
        let _ = std::thread::Builder::new()
            .name("search".into())
            .spawn(work);
    }

    /// Creates the task for a search of a program.
    fn task(&mut self, key: &Key, document: PathBuf, unit: Option<String>) -> Option<Task> {
        let scratch = self.scratch()?;
        let cache = (!key.is_in_package()).then(|| scratch.join("cache"));
        let program = self.programs.get(key)?;
        Some(Task {
            known: program.now.clone(),
            document,
            unit,
            cache,
            scratch,
            encoding: self.encoding,
        })
    }

    /// Returns a temporary directory that exists until the server ends.
    fn scratch(&mut self) -> Option<PathBuf> {
        if self.scratch.is_none() {
            self.scratch = tempfile::Builder::new().prefix("dtest-lsp-").tempdir().ok();
        }
        self.scratch.as_ref().map(|d| d.path().to_owned())
    }

    fn command(&mut self, request: Request) {
        let params: lsp::ExecuteCommandParams = match serde_json::from_value(request.params) {
            Ok(params) => params,
            Err(e) => {
                return self.refuse(request.id, ErrorCode::InvalidParams as i32, e.to_string());
            }
        };
        let asked = match actions::asked(&params) {
            Ok(asked) => asked,
            Err(e) => {
                return self.refuse(request.id, ErrorCode::InvalidParams as i32, e.to_string());
            }
        };
        // Explanations are answered immediately; all other commands run in a thread, on the state
        // of the program at this moment.
        let actions::Asked::Program { path, unit, what } = asked else {
            let actions::Asked::Explanation(text) = asked else {
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

    fn show(&self, text: &str) {
        if !self.settings.shows_answers {
            show(&self.client, text);
        }
    }
}

fn show(client: &Sender<Message>, text: &str) {
    let params = lsp::ShowMessageParams {
        typ: lsp::MessageType::INFO,
        message: text.to_owned(),
    };
    let _ = client
        .send(Notification::new(lsp::notification::ShowMessage::METHOD.to_owned(), params).into());
}

/// Returns the states of a program that can answer questions, the newest first.
fn states(program: &Program) -> Vec<Arc<Known>> {
    let good = program
        .good
        .iter()
        .filter(|g| !Arc::ptr_eq(g, &program.now))
        .cloned();
    [program.now.clone()].into_iter().chain(good).collect()
}

fn answered<P: DeserializeOwned, R: Serialize>(
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
fn document_of(params: &Value) -> Option<PathBuf> {
    let uri = params.get("textDocument")?.get("uri")?.as_str()?;
    path_of(&uri.parse().ok()?)
}
