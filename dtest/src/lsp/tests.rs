//! Conversations with a server in this process. `$` in a text marks the position of a request.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use lsp_server::{Connection, Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};

use super::documents::uri_of;
use super::error::ServerError;
use super::server;

/// Timeout of an answer.
const TIMEOUT: Duration = Duration::from_secs(60);

struct Client {
    connection: Connection,
    server: Option<std::thread::JoinHandle<Result<(), ServerError>>>,
    folder: tempfile::TempDir,
    asked: i32,
    /// Notifications that no test step has consumed yet.
    notifications: Vec<Notification>,
}

impl Client {
    /// Creates a client in a directory with these files, before initialization.
    fn silent(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let (ours, theirs) = Connection::memory();
        let server = std::thread::spawn(move || server::serve(theirs));
        Self {
            connection: ours,
            server: Some(server),
            folder,
            asked: 0,
            notifications: Vec::new(),
        }
    }

    fn with_options(files: &[(&str, &str)], options: Value) -> Self {
        let mut client = Self::silent(files);
        let can = json!({ "general": { "positionEncodings": ["utf-16"] } });
        client
            .ask(
                "initialize",
                json!({ "capabilities": can, "initializationOptions": options }),
            )
            .unwrap();
        client.tell("initialized", json!({}));
        client
    }

    fn new(files: &[(&str, &str)]) -> Self {
        Self::with_options(files, json!({ "check": "manual" }))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(name)
    }

    fn uri(&self, name: &str) -> String {
        uri_of(&self.path(name)).unwrap().as_str().to_owned()
    }

    fn tell(&self, method: &str, params: Value) {
        self.connection
            .sender
            .send(Notification::new(method.to_owned(), params).into())
            .unwrap();
    }

    fn open(&self, name: &str, text: &str) {
        let text = text.replace('$', "");
        self.tell(
            "textDocument/didOpen",
            json!({ "textDocument": { "uri": self.uri(name), "languageId": "dafny", "version": 1, "text": text } }),
        );
    }

    fn change(&self, name: &str, version: i32, text: &str) {
        self.tell(
            "textDocument/didChange",
            json!({ "textDocument": { "uri": self.uri(name), "version": version }, "contentChanges": [{ "text": text }] }),
        );
    }

    fn begin(&mut self, method: &str, params: Value) -> i32 {
        self.asked += 1;
        self.connection
            .sender
            .send(Request::new(RequestId::from(self.asked), method.to_owned(), params).into())
            .unwrap();
        self.asked
    }

    fn next(&mut self) -> Message {
        self.connection
            .receiver
            .recv_timeout(TIMEOUT)
            .expect("the server says something")
    }

    fn end(&mut self, id: i32) -> Result<Value, (i32, String)> {
        loop {
            match self.next() {
                Message::Response(Response {
                    id: of,
                    response_result,
                }) if of == RequestId::from(id) => {
                    return response_result.map_err(|e| (e.code, e.message));
                }
                Message::Notification(note) => self.notifications.push(note),
                Message::Response(_) | Message::Request(_) => {}
            }
        }
    }

    fn ask(&mut self, method: &str, params: Value) -> Result<Value, (i32, String)> {
        let id = self.begin(method, params);
        self.end(id)
    }

    /// Sends a request for the position of the `$` in a text.
    fn ask_at(
        &mut self,
        method: &str,
        name: &str,
        text: &str,
        more: Value,
    ) -> Result<Value, (i32, String)> {
        let mut params = json!({ "textDocument": { "uri": self.uri(name) }, "position": at(text) });
        if let (Value::Object(all), Value::Object(more)) = (&mut params, more) {
            all.extend(more);
        }
        self.ask(method, params)
    }

    /// Waits for the diagnostics of a version of a document.
    fn diagnostics(&mut self, name: &str, version: i32) -> Vec<Value> {
        let uri = self.uri(name);
        let start = Instant::now();
        loop {
            assert!(start.elapsed() < TIMEOUT);
            let fits = |n: &Notification| {
                n.method == "textDocument/publishDiagnostics"
                    && n.params["uri"] == json!(uri)
                    && n.params["version"] == json!(version)
            };
            if let Some(i) = self.notifications.iter().position(fits) {
                return self.notifications.remove(i).params["diagnostics"]
                    .as_array()
                    .unwrap()
                    .clone();
            }
            if let Message::Notification(note) = self.next() {
                self.notifications.push(note);
            }
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        if let Some(server) = self.server.take().filter(|_| !std::thread::panicking()) {
            let id = self.begin("shutdown", Value::Null);
            assert_eq!(self.end(id), Ok(Value::Null));
            self.tell("exit", Value::Null);
            server
                .join()
                .unwrap()
                .expect("the server ends without an error");
        }
    }
}

/// Returns the position of the `$` in a text.
fn at(text: &str) -> Value {
    let before = &text[..text.find('$').expect("a `$`")];
    let line = before.matches('\n').count();
    let column = before
        .rsplit('\n')
        .next()
        .unwrap_or_default()
        .encode_utf16()
        .count();
    json!({ "line": line, "character": column })
}

#[test]
fn requests_before_initialize_are_refused() {
    let mut client = Client::silent(&[]);
    let (code, _) = client.ask("textDocument/hover", json!({})).unwrap_err();
    assert_eq!(code, -32002);
    client
        .ask("initialize", json!({ "capabilities": {} }))
        .unwrap();
    assert_eq!(
        client
            .ask("initialize", json!({ "capabilities": {} }))
            .unwrap_err()
            .0,
        -32600
    );
}

#[test]
fn a_client_that_goes_without_a_word_ends_the_server() {
    let mut client = Client::new(&[]);
    let server = client.server.take().unwrap();
    let (other, _) = Connection::memory();
    drop(std::mem::replace(&mut client.connection, other));
    server
        .join()
        .unwrap()
        .expect("the server ends without an error");
}

#[test]
fn errors_come_and_go_as_one_types() {
    let mut client = Client::new(&[]);
    client.open("a.dfy", "method M() {\n  /* é */ var c := cond;\n}\n");
    let wrong = client.diagnostics("a.dfy", 1);
    assert_eq!(wrong.len(), 1);
    assert_eq!(
        wrong[0]["range"],
        json!({ "start": { "line": 1, "character": 19 }, "end": { "line": 1, "character": 23 } })
    );
    assert_eq!(
        (&wrong[0]["code"], &wrong[0]["source"]),
        (&json!("resolve/unknown-name"), &json!("dtest"))
    );
    let edit = json!({ "range": { "start": { "line": 1, "character": 19 }, "end": { "line": 1, "character": 23 } }, "text": "𝄞1" });
    let edit2 = json!({ "range": { "start": { "line": 1, "character": 19 }, "end": { "line": 1, "character": 21 } }, "text": "" });
    client.tell(
        "textDocument/didChange",
        json!({ "textDocument": { "uri": client.uri("a.dfy"), "version": 2 }, "contentChanges": [edit, edit2] }),
    );
    assert_eq!(client.diagnostics("a.dfy", 2), Vec::<Value>::new());
}

#[test]
fn tests_only_omits_messages_of_dafnys_server() {
    let mut client =
        Client::with_options(&[], json!({ "diagnostics": "tests-only", "check": "off" }));
    client.open("a.dfy", "const c: int := true\n");
    assert_eq!(client.diagnostics("a.dfy", 1), Vec::<Value>::new());
    client.tell(
        "workspace/didChangeConfiguration",
        json!({ "settings": { "dtest": { "diagnostics": "all" } } }),
    );
    assert_eq!(client.diagnostics("a.dfy", 1).len(), 1);
}

#[test]
fn the_last_good_state_answers_while_the_text_is_broken() {
    let mut client = Client::new(&[]);
    let good = "function Twice(x: int): int { x + x }\nmethod M() {\n  var y := Twice(3);\n}\n";
    client.open("a.dfy", good);
    client.diagnostics("a.dfy", 1);
    let broken = "function Twice(x: int): int { x + x }\nmethod M() {\n  var z := ;;; (\n  var y := $Twice(3);\n}\n";
    client.change("a.dfy", 2, &broken.replace('$', ""));
    assert!(!client.diagnostics("a.dfy", 2).is_empty());
    let found = client
        .ask_at("textDocument/definition", "a.dfy", broken, json!({}))
        .unwrap();
    assert_eq!(
        found["range"]["start"],
        json!({ "line": 0, "character": 9 })
    );
}

#[test]
fn questions_about_names_are_answered() {
    let mut client = Client::new(&[]);
    let text = "/** Twice as much. */\nfunction Twice(x: int): int\n  requires x > 0\n{\n  x + x\n}\nmethod M() {\n  var y := $Twice(3);\n}\n";
    client.open("a.dfy", text);
    let hover = client
        .ask_at("textDocument/hover", "a.dfy", text, json!({}))
        .unwrap();
    let shown = hover["contents"]["value"].as_str().unwrap();
    assert_eq!(
        shown,
        "```dafny\nfunction Twice(x: int): int\n  requires x > 0\n```\n\n---\n\nTwice as much.\n"
    );
    let found = client
        .ask_at(
            "textDocument/references",
            "a.dfy",
            text,
            json!({ "context": { "includeDeclaration": true } }),
        )
        .unwrap();
    assert_eq!(found.as_array().unwrap().len(), 2);
    let renamed = client
        .ask_at(
            "textDocument/rename",
            "a.dfy",
            text,
            json!({ "newName": "Double" }),
        )
        .unwrap();
    assert_eq!(
        renamed["documentChanges"][0]["edits"]
            .as_array()
            .unwrap()
            .len(),
        2
    );
    let (_, why) = client
        .ask_at(
            "textDocument/rename",
            "a.dfy",
            text,
            json!({ "newName": "M" }),
        )
        .unwrap_err();
    assert!(why.contains("duplicate name"), "{why}");
    let uri = client.uri("a.dfy");
    let symbols = client
        .ask(
            "textDocument/documentSymbol",
            json!({ "textDocument": { "uri": uri } }),
        )
        .unwrap();
    assert_eq!(symbols.as_array().unwrap().len(), 2);
    let all = client
        .ask("workspace/symbol", json!({ "query": "twi" }))
        .unwrap();
    assert_eq!(all[0]["name"], "Twice");
    let folds = client
        .ask(
            "textDocument/foldingRange",
            json!({ "textDocument": { "uri": uri } }),
        )
        .unwrap();
    assert_eq!(folds.as_array().unwrap().len(), 2);
    let tokens = client
        .ask(
            "textDocument/semanticTokens/full",
            json!({ "textDocument": { "uri": uri } }),
        )
        .unwrap();
    assert_eq!(tokens["data"].as_array().unwrap().len() % 5, 0);
    let lenses = client
        .ask(
            "textDocument/codeLens",
            json!({ "textDocument": { "uri": uri } }),
        )
        .unwrap();
    let titles: Vec<_> = lenses
        .as_array()
        .unwrap()
        .iter()
        .map(|l| l["command"]["title"].as_str().unwrap())
        .collect();
    assert_eq!(
        titles,
        [
            "tests · run",
            "check",
            "mutants",
            "tests · run",
            "check",
            "mutants"
        ]
    );
}

#[test]
fn completions_and_signatures_come_while_the_text_is_broken() {
    let mut client = Client::new(&[]);
    let text = "class C { var field: int }\nfunction Add(first: int, second: int): int { first + second }\nmethod M(c: C) {\n  print c.$\n}\n";
    client.open("a.dfy", text);
    let found = client
        .ask_at("textDocument/completion", "a.dfy", text, json!({}))
        .unwrap();
    let names: Vec<_> = found["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|i| i["label"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["field"]);
    let text = text.replace("print c.$", "print Add(1, $");
    client.change("a.dfy", 2, &text.replace('$', ""));
    let help = client
        .ask_at("textDocument/signatureHelp", "a.dfy", &text, json!({}))
        .unwrap();
    assert_eq!(
        (
            &help["activeParameter"],
            &help["signatures"][0]["parameters"][1]["label"]
        ),
        (&json!(1), &json!([25, 36]))
    );
}

#[test]
fn a_program_has_the_files_that_the_command_line_reads() {
    let manifest = "[package]\nname = \"p\"\nversion = \"0.1.0\"\n";
    let files = [
        ("Cargo.toml", manifest),
        ("src/a.dfy", "const one := 1\n"),
        ("src/b.dfy", "const two := one + one\n"),
        ("apart/dfyconfig.toml", "includes = [\"*.dfy\"]\n"),
        ("apart/c.dfy", "const three := 3\n"),
        ("apart/d.dfy", "const four := three + 1\n"),
        (
            "alone.dfy",
            "include \"apart/c.dfy\"\nconst five := three + 2\n",
        ),
    ];
    let mut client = Client::new(&files);
    for (name, text) in files
        .iter()
        .filter(|(n, _)| n.ends_with("b.dfy") || n.ends_with("d.dfy") || n.starts_with("alone"))
    {
        client.open(name, text);
        assert_eq!(client.diagnostics(name, 1), Vec::<Value>::new(), "{name}");
    }
    // The open text counts, not the one on disk.
    client.open("src/a.dfy", "const uno := 1\n");
    client.notifications.clear();
    client.change("src/a.dfy", 2, "const eins := 1\n");
    assert_eq!(client.diagnostics("src/b.dfy", 1).len(), 2);
}

#[test]
fn a_cancelled_request_is_answered_so_and_a_thousand_edits_are_no_burden() {
    let mut client = Client::new(&[]);
    let body: String = (0..400)
        .map(|i| format!("method M{i}(x: int) returns (y: int) {{\n  y := x + {i};\n}}\n"))
        .collect();
    client.open("a.dfy", &format!("\n{body}"));
    let start = Instant::now();
    for i in 0..1000 {
        let at = json!({ "line": 0, "character": 0 });
        let change = json!({ "range": { "start": at, "end": at }, "text": "/" });
        client.tell(
            "textDocument/didChange",
            json!({ "textDocument": { "uri": client.uri("a.dfy"), "version": i + 2 }, "contentChanges": [change] }),
        );
    }
    let uri = client.uri("a.dfy");
    let hover = client.begin(
        "textDocument/hover",
        json!({ "textDocument": { "uri": uri }, "position": { "line": 5, "character": 8 } }),
    );
    client.tell("$/cancelRequest", json!({ "id": hover }));
    let answer = client.end(hover);
    assert!(
        answer.is_ok() || answer == Err((-32800, "cancelled".to_owned())),
        "{answer:?}"
    );
    // The newest text is resolved.
    assert_eq!(client.diagnostics("a.dfy", 1001), Vec::<Value>::new());
    assert!(
        start.elapsed() < Duration::from_secs(20),
        "{:?}",
        start.elapsed()
    );
}

#[test]
fn code_actions_depend_on_the_diagnostic() {
    let mut client = Client::new(&[]);
    client.open(
        "a.dfy",
        "method M(x: int) returns (y: int)\n  ensures y > 0\n{\n  y := x;\n}\n",
    );
    let uri = client.uri("a.dfy");
    let range =
        json!({ "start": { "line": 1, "character": 10 }, "end": { "line": 1, "character": 15 } });
    let foreign = json!({ "range": range, "message": "a postcondition could not be proved on this return path", "source": "Verifier" });
    let ours = json!({ "range": range, "message": "m", "source": "dtest", "code": "check/postcondition", "data": { "unit": "M" } });
    let titles = |client: &mut Client, diagnostic: &Value| -> Vec<String> {
        let params = json!({ "textDocument": { "uri": uri }, "range": range, "context": { "diagnostics": [diagnostic] } });
        let found = client.ask("textDocument/codeAction", params).unwrap();
        found
            .as_array()
            .unwrap()
            .iter()
            .map(|a| a["title"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(
        titles(&mut client, &foreign),
        ["Find an execution for this error"]
    );
    let all = [
        "Find an execution for this error",
        "Write it as a test",
        "Explain check/postcondition",
    ];
    assert_eq!(titles(&mut client, &ours), all);
    let explained = client.ask(
        "workspace/executeCommand",
        json!({ "command": "dtest.explain", "arguments": ["check/postcondition"] }),
    );
    assert!(
        explained
            .unwrap()
            .as_str()
            .unwrap()
            .starts_with("check/postcondition")
    );
    for (command, arguments) in [
        ("dtest.run", json!([uri])),
        ("dtest.explain", json!(["no/such"])),
        ("nothing", json!([uri])),
    ] {
        assert!(
            client
                .ask(
                    "workspace/executeCommand",
                    json!({ "command": command, "arguments": arguments })
                )
                .is_err(),
            "{command}"
        );
    }
}

#[test]
fn documents_that_are_not_open_are_refused() {
    let mut client = Client::new(&[]);
    client
        .tell("textDocument/didOpen", json!({ "textDocument": { "uri": "untitled:x", "languageId": "dafny", "version": 1, "text": "" } }));
    let position = json!({ "line": 0, "character": 0 });
    let hover = |uri: &str| json!({ "textDocument": { "uri": uri }, "position": position });
    assert_eq!(
        client.ask("textDocument/hover", hover("untitled:x")),
        Ok(Value::Null)
    );
    assert!(
        client
            .ask("textDocument/hover", hover("file:///no/such.dfy"))
            .is_err()
    );
    assert_eq!(client.ask("no/such", json!({})).unwrap_err().0, -32601);
    client.tell("textDocument/didChange", json!({ "malformed": true }));
}
