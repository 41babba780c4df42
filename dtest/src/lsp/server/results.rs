//! Results of other threads: resolved programs, searches, and what the client is shown of them.

use std::path::{Path, PathBuf};

use super::{Event, Program, Server, Waiting};
use crate::lsp::actions;
use crate::lsp::commands::Task;
use crate::lsp::documents::uri_of;
use crate::lsp::findings::Findings;
use crate::lsp::programs::Key;
use crate::lsp::runs::Cancel;
use crate::lsp::worker::{self, Found};
use dtest_sorted::SortedSet;
use lsp_server::Response;
use lsp_types as lsp;
use serde_json::Value;

impl Server {
    pub(super) fn found(&mut self, found: Found) {
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
    pub(super) fn forget_unused(&mut self) {
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
    pub(super) fn give_up_up_to(&mut self, revision: u64) {
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

    pub(super) fn event(&mut self, event: Event) {
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

    pub(super) fn progress(&self, token: i32, value: lsp::WorkDoneProgress) {
        let value = lsp::ProgressParamsValue::WorkDone(value);
        self.notify::<lsp::notification::Progress>(lsp::ProgressParams {
            token: lsp::NumberOrString::Number(token),
            value,
        });
    }

    /// Starts a progress message; returns its token.
    pub(super) fn begin(&mut self, title: &str) -> Option<i32> {
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
    pub(super) fn refresh(&mut self) {
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
    pub(super) fn publish(&mut self, key: &Key) {
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
                all = question.diagnostics(&known, dafny_source::FileId(i as u32));
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

    pub(super) fn tell(&mut self, path: &Path, diagnostics: Vec<lsp::Diagnostic>) {
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

    // Searches and commands.

    /// Starts a search for violations and dead blocks of a program, which replaces the running one.
    pub(super) fn search(&mut self, key: &Key) {
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
    pub(super) fn task(
        &mut self,
        key: &Key,
        document: PathBuf,
        unit: Option<String>,
    ) -> Option<Task> {
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
    pub(super) fn scratch(&mut self) -> Option<PathBuf> {
        if self.scratch.is_none() {
            self.scratch = tempfile::Builder::new().prefix("dtest-lsp-").tempdir().ok();
        }
        self.scratch.as_ref().map(|d| d.path().to_owned())
    }
}
