//! The language server as editors start it: the real binary, its child processes, and the end of
//! all of them.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::Package;

/// Timeout of an answer.
const TIMEOUT: Duration = Duration::from_secs(120);

/// A violated postcondition, and an unreachable arm.
const PROGRAM: &str = "method Abs(x: int) returns (y: int)
  ensures y >= 0
{
  if x < -5 {
    y := -x;
  } else {
    y := x;
  }
  if x > 5 && x < 3 {
    y := 7;
  }
}
";

/// A program that keeps the solver busy for seconds.
const HARD: &str = "method Mix(x: bv64, y: bv64) returns (r: int)
  ensures r == 2
{
  var h := (x * 0x9E3779B97F4A7C15) ^ (y * 0xC2B2AE3D27D4EB4F);
  if h * h * x == 0x77777777 && y * h * x == 0x33333331 { r := 1; } else { r := 2; }
}
";

/// A client of a server that runs in a package.
pub struct Client {
    pub server: Child,
    input: Option<ChildStdin>,
    output: Receiver<Value>,
    asked: i32,
    told: Vec<Value>,
    pub package: Package,
}

impl Client {
    fn start(package: Package, options: Value, process: u32) -> Self {
        let mut command = package.command(&["dtest", "lsp", "--stdio"]);
        command.env("CARGO_NET_OFFLINE", "true").env(
            "CARGO_TARGET_DIR",
            Path::new(env!("CARGO_TARGET_TMPDIR")).join("lsp"),
        );
        let mut server = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        let (input, output) = (server.stdin.take(), server.stdout.take().unwrap());
        let (tell, told) = channel();
        std::thread::spawn(move || {
            let mut output = BufReader::new(output);
            while let Some(message) = message(&mut output) {
                if tell.send(message).is_err() {
                    return;
                }
            }
        });
        let mut client = Self {
            server,
            input,
            output: told,
            asked: 0,
            told: Vec::new(),
            package,
        };
        let can = json!({ "window": { "workDoneProgress": true }, "workspace": { "codeLens": { "refreshSupport": true } } });
        client.ask("initialize", json!({ "processId": process, "capabilities": can, "initializationOptions": options })).unwrap();
        client.say(json!({ "method": "initialized", "params": {} }));
        client
    }

    fn new(files: &[(&str, &str)]) -> Self {
        Self::start(
            Package::new(files),
            json!({ "check": "save" }),
            std::process::id(),
        )
    }

    fn say(&mut self, mut message: Value) {
        message["jsonrpc"] = json!("2.0");
        let text = message.to_string();
        let input = self.input.as_mut().unwrap();
        write!(input, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
        input.flush().unwrap();
    }

    fn uri(&self, name: &str) -> String {
        format!(
            "file://{}",
            self.package
                .root()
                .canonicalize()
                .unwrap()
                .join(name)
                .display()
        )
    }

    fn open(&mut self, name: &str) {
        let text = std::fs::read_to_string(self.package.root().join(name)).unwrap();
        let document =
            json!({ "uri": self.uri(name), "languageId": "dafny", "version": 1, "text": text });
        self.say(
            json!({ "method": "textDocument/didOpen", "params": { "textDocument": document } }),
        );
    }

    fn save(&mut self, name: &str) {
        let uri = self.uri(name);
        self.say(json!({ "method": "textDocument/didSave", "params": { "textDocument": { "uri": uri } } }));
    }

    fn next(&mut self) -> Value {
        let message = self
            .output
            .recv_timeout(TIMEOUT)
            .expect("the server says something");
        // The server's own requests need an answer.
        if let (Some(id), Some(_)) = (message.get("id"), message.get("method")) {
            self.say(json!({ "id": id, "result": null }));
        }
        message
    }

    fn ask(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        self.asked += 1;
        let id = self.asked;
        self.say(json!({ "id": id, "method": method, "params": params }));
        loop {
            let message = self.next();
            if message["id"] == json!(id) && message.get("method").is_none() {
                return message
                    .get("error")
                    .map_or_else(|| Ok(message["result"].clone()), |e| Err(e.clone()));
            }
            self.told.push(message);
        }
    }

    /// Waits for diagnostics that satisfy a predicate.
    fn diagnostics(&mut self, wanted: impl Fn(&[Value]) -> bool) -> Vec<Value> {
        let start = Instant::now();
        loop {
            assert!(start.elapsed() < TIMEOUT);
            let next = if self.told.is_empty() {
                self.next()
            } else {
                self.told.remove(0)
            };
            if next["method"] == json!("textDocument/publishDiagnostics") {
                let all = next["params"]["diagnostics"].as_array().unwrap().clone();
                if wanted(&all) {
                    return all;
                }
            }
        }
    }

    /// Returns the engine, and the searches that it has started.
    fn processes(&self) -> (String, Vec<String>) {
        let engine = children(&self.server.id().to_string());
        let engine = engine.first().cloned().expect("an engine");
        let searches = children(&engine);
        (engine, searches)
    }

    /// Waits until a search is running.
    fn searching(&self) -> (String, String) {
        let start = Instant::now();
        loop {
            assert!(start.elapsed() < TIMEOUT, "no search is started");
            let (engine, searches) = self.processes();
            if let Some(search) = searches.first() {
                return (engine, search.clone());
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    fn end(mut self) {
        self.ask("shutdown", Value::Null).unwrap();
        self.say(json!({ "method": "exit", "params": null }));
        assert!(self.server.wait().unwrap().success());
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

fn message(output: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        output.read_line(&mut line).ok().filter(|n| *n > 0)?;
        if line.trim().is_empty() {
            break;
        }
        if let Some(n) = line.strip_prefix("Content-Length:") {
            length = n.trim().parse().ok()?;
        }
    }
    let mut bytes = vec![0; length];
    output.read_exact(&mut bytes).ok()?;
    serde_json::from_slice(&bytes).ok()
}

fn children(id: &str) -> Vec<String> {
    let output = Command::new("pgrep").args(["-P", id]).output().unwrap();
    String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(str::to_owned)
        .collect()
}

fn is_alive(id: &str) -> bool {
    // A zombie does nothing any more.
    let stat =
        std::fs::read_to_string(Path::new("/proc").join(id).join("stat")).unwrap_or_default();
    stat.rsplit_once(") ")
        .is_some_and(|(_, state)| !state.starts_with(['Z', 'X']))
}

#[track_caller]
fn gone(ids: &[&str], within: Duration) {
    let start = Instant::now();
    while let Some(id) = ids.iter().find(|id| is_alive(id)) {
        assert!(start.elapsed() < within, "process {id} runs on");
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn code(d: &Value) -> &str {
    d["code"].as_str().unwrap_or_default()
}

#[test]
fn saving_shows_violations_with_their_execution_and_fades_dead_code() {
    let mut client = Client::new(&[("src/lib.dfy", PROGRAM)]);
    client.open("src/lib.dfy");
    assert!(client.diagnostics(|_| true).is_empty());
    client.save("src/lib.dfy");
    let found = client.diagnostics(|all| all.iter().any(|d| code(d).starts_with("dead/")));
    let violation = found
        .iter()
        .find(|d| code(d) == "check/postcondition")
        .expect("a violation");
    assert_eq!(
        (&violation["severity"], &violation["range"]["start"]["line"]),
        (&json!(1), &json!(1))
    );
    assert!(
        violation["message"]
            .as_str()
            .unwrap()
            .contains("in `Abs` with x = -1"),
        "{violation}"
    );
    let steps: Vec<&str> = violation["relatedInformation"]
        .as_array()
        .unwrap()
        .iter()
        .map(|r| r["message"].as_str().unwrap())
        .collect();
    assert_eq!(steps.first(), Some(&"x < -5  [x = -1]"));
    let dead = found
        .iter()
        .find(|d| code(d) == "dead/proved")
        .expect("a dead block");
    assert_eq!(
        (
            &dead["severity"],
            &dead["tags"],
            &dead["range"]["start"]["line"]
        ),
        (&json!(4), &json!([1]), &json!(8))
    );

    let uri = client.uri("src/lib.dfy");
    let document = json!({ "uri": uri });
    let everything =
        json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
    let hints = client
        .ask(
            "textDocument/inlayHint",
            json!({ "textDocument": document, "range": everything }),
        )
        .unwrap();
    let hints: Vec<_> = hints
        .as_array()
        .unwrap()
        .iter()
        .map(|h| {
            (
                h["position"]["line"].as_i64().unwrap(),
                h["label"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(hints, [(1, "y = -1"), (3, "x = -1"), (8, "y = -1")]);
    let lenses = client
        .ask("textDocument/codeLens", json!({ "textDocument": document }))
        .unwrap();
    assert!(
        lenses.to_string().contains("check · 1 violation"),
        "{lenses}"
    );

    let name =
        json!({ "start": { "line": 0, "character": 8 }, "end": { "line": 0, "character": 8 } });
    let actions = client.ask(
        "textDocument/codeAction",
        json!({ "textDocument": document, "range": name, "context": { "diagnostics": [] } }),
    );
    let asked = &actions.unwrap()[0]["command"];
    assert_eq!(asked["title"], "Show the executions of `Abs`");
    let asked = json!({ "command": asked["command"], "arguments": [uri, "Abs", "depth", 10] });
    let answer = client.ask("workspace/executeCommand", asked).unwrap();
    assert!(
        answer.as_str().unwrap().contains("depth first")
            && answer.as_str().unwrap().contains("violates an obligation"),
        "{answer}"
    );

    // Dafny's verifier reports it at the end of the body, with the postcondition as a related
    // location.
    let more = json!([[1, 10]]);
    let asked = json!({ "command": "dtest.executionAt", "arguments": [uri, 2, 0, more] });
    let answer = client.ask("workspace/executeCommand", asked).unwrap();
    assert!(answer.as_str().unwrap().contains("x = -1"), "{answer}");
    let answer = client
        .ask(
            "workspace/executeCommand",
            json!({ "command": "dtest.mutants", "arguments": [uri, "Abs"] }),
        )
        .unwrap();
    assert!(answer.as_str().unwrap().starts_with("mutants:"), "{answer}");
    let survived = client.diagnostics(|all| all.iter().any(|d| code(d) == "mutants/survived"));
    assert!(
        survived
            .iter()
            .all(|d| code(d) != "mutants/survived" || d["severity"] == json!(4))
    );
    client.end();
}

#[test]
fn a_clause_is_offered_where_it_is_known_to_mend() {
    let program = "class C { var f: int }\n\nmethod Set(c: C, d: C)\n{\n  d.f := 3;\n}\n\nfunction Up(lo: int, hi: int): int\n{\n  if lo < hi then 1 + Up(lo + 1, hi) else 0\n}\n";
    let mut client = Client::new(&[("src/lib.dfy", program)]);
    client.open("src/lib.dfy");
    client.diagnostics(|_| true);
    client.save("src/lib.dfy");
    let found = client.diagnostics(|all| all.iter().any(|d| code(d) == "check/decreases"));
    let uri = client.uri("src/lib.dfy");
    let start = Instant::now();
    for (id, clause) in [
        ("check/frame", "modifies d"),
        ("check/decreases", "decreases hi - lo"),
    ] {
        let wrong = found.iter().find(|d| code(d) == id).expect("a violation");
        let params = json!({ "textDocument": { "uri": uri }, "range": wrong["range"], "context": { "diagnostics": [wrong] } });
        // It is tried after the reported one.
        loop {
            let actions = client
                .ask("textDocument/codeAction", params.clone())
                .unwrap();
            let first = &actions[0];
            if first["title"]
                .as_str()
                .unwrap()
                .starts_with(&format!("Add `{clause}`"))
            {
                let edit = &first["edit"]["documentChanges"][0]["edits"][0];
                assert_eq!(edit["newText"], json!(format!("  {clause}\n")));
                break;
            }
            assert!(start.elapsed() < TIMEOUT, "{actions}");
            std::thread::sleep(Duration::from_millis(100));
        }
    }
    client.end();
}

#[test]
fn tests_are_written_run_and_counted() {
    let package = Package::new(&[("src/lib.dfy", PROGRAM)]);
    std::fs::copy(
        super::package::runtime().join("../Cargo.lock"),
        package.root().join("Cargo.lock"),
    )
    .unwrap();
    let mut client = Client::start(
        package,
        json!({ "check": "manual", "showsAnswers": true }),
        std::process::id(),
    );
    client.open("src/lib.dfy");
    client.diagnostics(|_| true);
    let uri = client.uri("src/lib.dfy");
    let asked = json!({ "command": "dtest.run", "arguments": [uri, "Abs"] });
    let answer = client.ask("workspace/executeCommand", asked).unwrap();
    assert!(
        answer
            .as_str()
            .unwrap()
            .contains("test result: ok. 3 passed"),
        "{answer}"
    );
    let lenses = client
        .ask(
            "textDocument/codeLens",
            json!({ "textDocument": { "uri": uri } }),
        )
        .unwrap();
    assert_eq!(lenses[0]["command"]["title"], "3 tests · run");
    let asked = json!({ "command": "dtest.writeTest", "arguments": [uri, "Abs"] });
    let answer = client.ask("workspace/executeCommand", asked).unwrap();
    assert!(
        answer.as_str().unwrap().contains("tests/violations/abs.rs"),
        "{answer}"
    );
    assert!(
        client
            .package
            .root()
            .join("tests/violations/abs.rs")
            .is_file()
    );
    client.end();
}

#[test]
fn an_edit_cancels_the_search_of_the_old_text() {
    let mut client = Client::new(&[("src/lib.dfy", HARD)]);
    client.open("src/lib.dfy");
    client.diagnostics(|_| true);
    client.save("src/lib.dfy");
    let (engine, search) = client.searching();
    let uri = client.uri("src/lib.dfy");
    let changes = json!([{ "text": PROGRAM }]);
    client.say(json!({ "method": "textDocument/didChange", "params": { "textDocument": { "uri": uri, "version": 2 }, "contentChanges": changes } }));
    gone(&[&search], Duration::from_secs(5));
    assert!(is_alive(&engine));
    client.package.write("src/lib.dfy", PROGRAM);
    client.save("src/lib.dfy");
    client.diagnostics(|all| all.iter().any(|d| code(d) == "check/postcondition"));
    client.end();
}

#[test]
fn no_process_is_left_when_the_client_dies() {
    // It closes its end of the pipe.
    let mut client = Client::new(&[("src/lib.dfy", HARD)]);
    client.open("src/lib.dfy");
    client.diagnostics(|_| true);
    client.save("src/lib.dfy");
    let (engine, search) = client.searching();
    client.input = None;
    gone(&[&engine, &search], Duration::from_secs(5));
    client.server.wait().unwrap();

    // Its process is gone, but another process holds the pipe open.
    let mut other = Command::new("sleep").arg("1000").spawn().unwrap();
    let mut client = Client::start(
        Package::new(&[("src/lib.dfy", HARD)]),
        json!({}),
        other.id(),
    );
    client.open("src/lib.dfy");
    client.diagnostics(|_| true);
    client.save("src/lib.dfy");
    let (engine, search) = client.searching();
    other.kill().unwrap();
    other.wait().unwrap();
    gone(&[&engine, &search], Duration::from_secs(10));

    // The launcher is killed.
    let mut client = Client::new(&[("src/lib.dfy", HARD)]);
    client.open("src/lib.dfy");
    client.diagnostics(|_| true);
    client.save("src/lib.dfy");
    let (engine, search) = client.searching();
    client.server.kill().unwrap();
    gone(&[&engine, &search], Duration::from_secs(10));
}
