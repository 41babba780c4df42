//! A headless browser, for checking pages as a reader sees them: Chromium, through its DevTools
//! protocol over a pipe.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};

/// Timeout of an answer.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A browser with one page.
pub struct Browser {
    process: Child,
    requests: File,
    answers: Receiver<Value>,
    session: Option<String>,
    last: u64,
    /// Errors of the page: exceptions, errors on its console, failed requests.
    pub complaints: Vec<String>,
    /// Addresses that the page requested.
    pub requested: Vec<String>,
    /// The profile and the pipes; removed on drop.
    _directory: tempfile::TempDir,
}

impl Browser {
    /// Starts a browser; `None`, with a message on standard error, if none is installed.
    pub fn start() -> Option<Self> {
        let names = ["chromium", "chromium-browser", "google-chrome"];
        let is_there = |name: &&&str| {
            Command::new(**name)
                .arg("--version")
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status()
                .is_ok()
        };
        let Some(name) = names.iter().find(is_there) else {
            eprintln!("not run: there is no Chromium here (Debian's package `chromium` has it)");
            return None;
        };
        let directory = tempfile::tempdir().unwrap();
        let (input, output) = (directory.path().join("in"), directory.path().join("out"));
        assert!(
            Command::new("mkfifo")
                .args([&input, &output])
                .status()
                .unwrap()
                .success()
        );
        // The protocol uses the descriptors 3 and 4.
        let script = "exec \"$0\" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run --remote-debugging-pipe \
                      --user-data-dir=\"$3\" about:blank 3<\"$1\" 4>\"$2\"";
        let mut command = Command::new("sh");
        command.args(["-c", script, name]).args([
            &input,
            &output,
            &directory.path().join("profile"),
        ]);
        let process = command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let requests = File::options().write(true).open(&input).unwrap();
        let answers = listen(&output);
        let (complaints, requested) = (Vec::new(), Vec::new());
        let mut browser = Self {
            process,
            requests,
            answers,
            session: None,
            last: 0,
            complaints,
            requested,
            _directory: directory,
        };
        let target = browser.call("Target.createTarget", json!({ "url": "about:blank" }));
        let attached = browser.call(
            "Target.attachToTarget",
            json!({ "targetId": target["targetId"], "flatten": true }),
        );
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        Some(browser)
    }

    /// Calls a method and waits for the answer.
    pub fn call(&mut self, method: &str, params: Value) -> Value {
        self.last += 1;
        let mut request = json!({ "id": self.last, "method": method, "params": params });
        if let Some(session) = &self.session {
            request["sessionId"] = json!(session);
        }
        self.requests
            .write_all(format!("{request}\0").as_bytes())
            .unwrap();
        loop {
            let answer = self
                .answers
                .recv_timeout(TIMEOUT)
                .unwrap_or_else(|e| panic!("{method}: {e}"));
            if answer["id"] == json!(self.last) {
                assert!(answer["error"].is_null(), "{method}: {}", answer["error"]);
                return answer["result"].clone();
            }
            self.event(&answer);
        }
    }

    fn event(&mut self, event: &Value) {
        let params = &event["params"];
        match event["method"].as_str() {
            Some("Runtime.exceptionThrown") => {
                self.complaints.push(params["exceptionDetails"].to_string())
            }
            Some("Runtime.consoleAPICalled") if params["type"] != "log" => {
                self.complaints.push(params["args"].to_string())
            }
            Some("Log.entryAdded") => self.complaints.push(params["entry"]["text"].to_string()),
            Some("Network.loadingFailed") => self.complaints.push(params["errorText"].to_string()),
            Some("Network.requestWillBeSent") => self
                .requested
                .extend(params["request"]["url"].as_str().map(str::to_owned)),
            Some(_) | None => {}
        }
    }

    /// Opens a file and waits until it is loaded.
    pub fn open(&mut self, path: &Path) {
        self.call(
            "Page.navigate",
            json!({ "url": format!("file://{}", path.display()) }),
        );
        while self.evaluate("document.readyState === 'complete' && location.protocol === 'file:'")
            != json!(true)
        {
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Evaluates an expression of JavaScript in the page.
    pub fn evaluate(&mut self, expression: &str) -> Value {
        let result = self.call(
            "Runtime.evaluate",
            json!({ "expression": expression, "returnByValue": true, "awaitObligation": true }),
        );
        assert!(
            result["exceptionDetails"].is_null(),
            "{expression}: {}",
            result["exceptionDetails"]
        );
        result["result"]["value"].clone()
    }

    /// Presses a key, with the text that it writes.
    pub fn press(&mut self, key: &str, text: &str) {
        self.call(
            "Input.dispatchKeyEvent",
            json!({ "type": "keyDown", "key": key, "code": key, "text": text }),
        );
        self.call(
            "Input.dispatchKeyEvent",
            json!({ "type": "keyUp", "key": key, "code": key }),
        );
    }

    /// Sets the size of the window and the preferred colour scheme: `light` or `dark`.
    pub fn look(&mut self, width: u32, scheme: &str) {
        let size =
            json!({ "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false });
        self.call("Emulation.setDeviceMetricsOverride", size);
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        self.call(
            "Emulation.setEmulatedMedia",
            json!({ "features": features }),
        );
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Receives the messages of the browser, which end in NUL.
fn listen(pipe: &Path) -> Receiver<Value> {
    let (send, receive) = channel();
    let mut pipe = BufReader::new(File::open(pipe).unwrap());
    std::thread::spawn(move || {
        let mut message = Vec::new();
        while pipe.read_until(0, &mut message).is_ok_and(|n| n > 0) {
            let value = serde_json::from_slice(message.strip_suffix(b"\0").unwrap_or(&message))
                .unwrap_or(Value::Null);
            if send.send(value).is_err() {
                return;
            }
            message.clear();
        }
    });
    receive
}
