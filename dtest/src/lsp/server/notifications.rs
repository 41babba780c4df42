//! Notifications of the client: its settings and its documents.

use std::path::PathBuf;
use std::sync::Arc;

use super::{CheckWhen, Program, Server};
use crate::lsp::documents::{self, Document, path_of};
use crate::lsp::programs::Key;
use crate::lsp::runs::Cancel;
use crate::lsp::worker::Job;
use dtest_sorted::SortedSet;
use lsp_server::{Notification, Response};
use lsp_types as lsp;
use lsp_types::notification::Notification as _;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

impl Server {
    pub(super) fn notification(&mut self, note: Notification) {
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
    pub(super) fn with<P: DeserializeOwned>(
        &mut self,
        note: Notification,
        then: impl FnOnce(&mut Self, P),
    ) {
        match serde_json::from_value(note.params) {
            Ok(params) => then(self, params),
            Err(e) => self.notify::<lsp::notification::LogMessage>(lsp::LogMessageParams {
                typ: lsp::MessageType::ERROR,
                message: format!("the parameters of `{}` are malformed: {e}", note.method),
            }),
        }
    }

    pub(super) fn initialized(&mut self) {
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

    pub(super) fn ask_for_configuration(&mut self) {
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

    pub(super) fn configured(&mut self, params: lsp::DidChangeConfigurationParams) {
        self.set(&params.settings);
        self.ask_for_configuration();
    }

    pub(super) fn set(&mut self, given: &Value) {
        let settings = self.settings.with(given);
        if settings != self.settings {
            self.settings = settings;
            let keys: Vec<Key> = self.programs.keys().cloned().collect();
            keys.iter().for_each(|key| self.publish(key));
            self.refresh();
        }
    }

    pub(super) fn response(&mut self, response: Response) {
        if self.configuration_asked.as_ref() == Some(&response.id) {
            self.configuration_asked = None;
            if let Ok(Value::Array(given)) = &response.response_result
                && let Some(given) = given.first()
            {
                self.set(given);
            }
        }
    }

    pub(super) fn opened(&mut self, params: lsp::DidOpenTextDocumentParams) {
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

    pub(super) fn changed(&mut self, params: lsp::DidChangeTextDocumentParams) {
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

    pub(super) fn closed(&mut self, params: lsp::DidCloseTextDocumentParams) {
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

    pub(super) fn saved(&mut self, params: lsp::DidSaveTextDocumentParams) {
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

    pub(super) fn look_again(&mut self, is_moved: bool, dirty: SortedSet<PathBuf>) {
        self.revision += 1;
        self.look(is_moved, dirty);
    }

    /// Asks the worker to resolve programs.
    pub(super) fn look(&self, is_moved: bool, dirty: SortedSet<PathBuf>) {
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
}
