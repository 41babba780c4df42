//! `cargo xtask bench --editor`: the latency of the language server's diagnostics after a
//! keystroke, and its memory.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::{demo, root};

/// Number of measured keystrokes in each program.
const KEYSTROKES: usize = 1000;
/// The typed text, which is repeated: each letter is a keystroke, and so is each deletion.
const TYPED: &str = "  print 1234567;";

/// Prints the table for generated programs and for the directories of real ones.
pub fn run(tool: Option<&Path>, directories: &[PathBuf]) -> Result<(), String> {
    let tool = match tool {
        Some(tool) => std::path::absolute(tool).map_err(|e| e.to_string())?,
        None => demo::build(true)?,
    };
    println!(
        "{:<34}{:>8}{:>11}{:>10}{:>10}{:>10}{:>8}",
        "program", "lines", "median ms", "99 % ms", "CPU ms", "first ms", "MiB"
    );
    let small = generated("small", 1, 2_000)?;
    let large = generated("large", 232, 200)?;
    measure(&tool, "one file", &small.join("src/m0.dfy"), &small)?;
    measure(
        &tool,
        "232 files, the last one edited",
        &large.join("src/m231.dfy"),
        &large,
    )?;
    measure(
        &tool,
        "232 files, the first one edited",
        &large.join("src/m0.dfy"),
        &large,
    )?;
    for directory in directories {
        let directory = std::path::absolute(directory).map_err(|e| e.to_string())?;
        let name = directory
            .file_name()
            .map_or_else(String::new, |n| n.to_string_lossy().into_owned());
        let (copy, file) = copied(&directory, &name)?;
        measure(&tool, &name, &file, &copy)?;
    }
    Ok(())
}

/// Creates a package of modules with `lines` lines each, of which each imports the previous one.
fn generated(name: &str, modules: usize, lines: usize) -> Result<PathBuf, String> {
    let package = fresh(name)?;
    for i in 0..modules {
        write(&package.join(format!("src/m{i}.dfy")), &module(i, lines))?;
    }
    Ok(package)
}

fn module(number: usize, lines: usize) -> String {
    let mut text = format!("module M{number} {{\n");
    if let Some(before) = number.checked_sub(1) {
        let _ = writeln!(text, "  import P = M{before}");
    }
    text.push_str(
        "  datatype Tree = Leaf | Node(left: Tree, value: int, right: Tree)\n\n  function Size(t: Tree): nat {\n    match t\n    case Leaf => 0\n    \
         case Node(l, _, r) => Size(l) + 1 + Size(r)\n  }\n",
    );
    for k in 0.. {
        if text.lines().count() + 30 > lines {
            break;
        }
        let _ = write!(
            text,
            "\n  /** Adds what is above a bound. */\n  method Sum{k}(s: seq<int>, bound: int) returns (total: int)\n    requires |s| > 0\n    \
             ensures total >= bound || total < bound\n  {{\n    total := 0;\n    var i := 0;\n    while i < |s|\n      invariant 0 <= i <= |s|\n    {{\n      \
             if s[i] > bound {{\n        total := total + s[i];\n      }}\n      i := i + 1;\n    }}\n  }}\n\n  \
             function Count{k}(s: seq<int>, x: int): nat {{\n    if |s| == 0 then 0\n    else (if s[0] == x then 1 else 0) + Count{k}(s[1..], x)\n  }}\n\n  \
             lemma Bound{k}(s: seq<int>, x: int)\n    ensures Count{k}(s, x) <= |s|\n  {{\n  }}\n"
        );
    }
    text.push_str("  method Last() {\n\n  }\n}\n");
    text
}

/// Creates a package with a copy of a directory's Dafny files. Returns it with the largest file.
fn copied(directory: &Path, name: &str) -> Result<(PathBuf, PathBuf), String> {
    let package = fresh(name)?;
    let mut largest: Option<(u64, PathBuf)> = None;
    for entry in walkdir::WalkDir::new(directory).into_iter().flatten() {
        let path = entry.path();
        if path.extension().is_none_or(|x| x != "dfy") {
            continue;
        }
        let to = package
            .join("src")
            .join(path.strip_prefix(directory).unwrap_or(path));
        let bytes =
            std::fs::read(path).map_err(|e| format!("cannot read {}: {e}", path.display()))?;
        let size = bytes.len() as u64;
        std::fs::create_dir_all(to.parent().unwrap_or(&package))
            .and_then(|()| std::fs::write(&to, bytes))
            .map_err(|e| e.to_string())?;
        if largest.as_ref().is_none_or(|(most, _)| *most < size) {
            largest = Some((size, to));
        }
    }
    let (_, file) =
        largest.ok_or_else(|| format!("`{}` holds no Dafny files", directory.display()))?;
    Ok((package, file))
}

fn fresh(name: &str) -> Result<PathBuf, String> {
    let package = root().join("target/editor").join(name);
    if package.is_dir() {
        std::fs::remove_dir_all(&package)
            .map_err(|e| format!("cannot remove {}: {e}", package.display()))?;
    }
    write(
        &package.join("Cargo.toml"),
        "[package]\nname = \"editor\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n",
    )?;
    Ok(package)
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    let folder = path.parent().unwrap_or(path);
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(path, text))
        .map_err(|e| format!("cannot write {}: {e}", path.display()))
}

/// Types in a file of a package, and prints a line of the table.
fn measure(tool: &Path, name: &str, file: &Path, package: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(file)
        .map_err(|e| format!("cannot read {}: {e}", file.display()))?;
    let lines: usize = walkdir::WalkDir::new(package.join("src"))
        .into_iter()
        .flatten()
        .filter(|e| e.file_type().is_file())
        .map(|e| std::fs::read_to_string(e.path()).map_or(0, |t| t.lines().count()))
        .sum();
    let mut client = Client::start(tool, package)?;
    let uri = format!("file://{}", file.display());
    let first = Instant::now();
    client.tell("textDocument/didOpen", json!({ "textDocument": { "uri": uri, "languageId": "dafny", "version": 1, "text": text } }))?;
    client.published(&uri, 1)?;
    let first = first.elapsed();
    // The text is typed on the empty line of the last method; in other programs in a comment at the
    // end.
    let last = text.lines().count();
    let (line, before) = match text
        .lines()
        .rev()
        .position(str::is_empty)
        .filter(|_| name.contains("file"))
    {
        Some(from_end) => (last - 1 - from_end, ""),
        None => (last, "\n//"),
    };
    let mut version = 1;
    let mut column = before.lines().last().unwrap_or_default().len();
    let edit = |client: &mut Client,
                version: i32,
                from: (usize, usize),
                to: (usize, usize),
                text: &str|
     -> Result<Duration, String> {
        let at =
            |(line, character): (usize, usize)| json!({ "line": line, "character": character });
        let change = json!({ "range": { "start": at(from), "end": at(to) }, "text": text });
        let start = Instant::now();
        client.tell("textDocument/didChange", json!({ "textDocument": { "uri": uri, "version": version }, "contentChanges": [change] }))?;
        client.published(&uri, version)?;
        Ok(start.elapsed())
    };
    let line = if before.is_empty() {
        line
    } else {
        version += 1;
        edit(&mut client, version, (line, 0), (line, 0), before)?;
        line + 1
    };
    let mut times = Vec::with_capacity(KEYSTROKES);
    let mut typed = 0;
    let before = client.processor_time();
    while times.len() < KEYSTROKES {
        version += 1;
        let letter = TYPED.get(typed..typed + 1);
        let time = match letter {
            Some(letter) => {
                let time = edit(&mut client, version, (line, column), (line, column), letter)?;
                (typed, column) = (typed + 1, column + 1);
                time
            }
            None => {
                let time = edit(
                    &mut client,
                    version,
                    (line, column - typed),
                    (line, column),
                    "",
                )?;
                (column, typed) = (column - typed, 0);
                time
            }
        };
        times.push(time.as_secs_f64() * 1e3);
    }
    let processor = before
        .zip(client.processor_time())
        .map(|(a, b)| (b - a) / KEYSTROKES as f64);
    times.sort_by(f64::total_cmp);
    let quantile = |q: f64| {
        times
            .get(((times.len() - 1) as f64 * q) as usize)
            .copied()
            .unwrap_or(0.0)
    };
    let memory = client
        .peak_memory()
        .map_or_else(|| "?".to_owned(), |m| m.to_string());
    let processor = processor.map_or_else(|| "?".to_owned(), |ms| format!("{ms:.1}"));
    println!(
        "{name:<34}{lines:>8}{:>11.1}{:>10.1}{processor:>10}{:>10.0}{memory:>8}",
        quantile(0.5),
        quantile(0.99),
        first.as_secs_f64() * 1e3
    );
    Ok(())
}

struct Client {
    server: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Client {
    fn start(tool: &Path, package: &Path) -> Result<Self, String> {
        let mut command = Command::new(tool);
        let mut server = command
            .args(["dtest", "lsp"])
            .current_dir(package)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|e| format!("cannot start {}: {e}", tool.display()))?;
        let (Some(input), Some(output)) = (server.stdin.take(), server.stdout.take()) else {
            return Err("no pipes".to_owned());
        };
        let mut client = Self {
            server,
            input,
            output: BufReader::new(output),
        };
        let params = json!({ "processId": null, "capabilities": {}, "initializationOptions": { "check": "off" } });
        client.send(json!({ "id": 1, "method": "initialize", "params": params }))?;
        client.tell("initialized", json!({}))?;
        Ok(client)
    }

    fn tell(&mut self, method: &str, params: Value) -> Result<(), String> {
        self.send(json!({ "method": method, "params": params }))
    }

    fn send(&mut self, mut message: Value) -> Result<(), String> {
        if let Some(object) = message.as_object_mut() {
            object.insert("jsonrpc".to_owned(), json!("2.0"));
        }
        let text = message.to_string();
        let sent = write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len())
            .and_then(|()| self.input.flush());
        sent.map_err(|e| format!("the server does not listen: {e}"))
    }

    /// Waits until the server has published the diagnostics of a version of a file.
    fn published(&mut self, uri: &str, version: i32) -> Result<(), String> {
        loop {
            let message = self.next().ok_or("the server has ended")?;
            let params = message.get("params");
            let says = |key: &str, value: Value| params.and_then(|p| p.get(key)) == Some(&value);
            if message.get("method") == Some(&json!("textDocument/publishDiagnostics"))
                && says("uri", json!(uri))
                && says("version", json!(version))
            {
                return Ok(());
            }
        }
    }

    fn next(&mut self) -> Option<Value> {
        let mut length = 0;
        loop {
            let mut line = String::new();
            self.output.read_line(&mut line).ok().filter(|n| *n > 0)?;
            if line.trim().is_empty() {
                break;
            }
            if let Some(n) = line.strip_prefix("Content-Length:") {
                length = n.trim().parse().ok()?;
            }
        }
        let mut bytes = vec![0; length];
        self.output.read_exact(&mut bytes).ok()?;
        serde_json::from_slice(&bytes).ok()
    }

    /// Returns the process id of the engine, if the system reports it.
    fn engine(&self) -> Option<String> {
        let children =
            std::fs::read_to_string(format!("/proc/{0}/task/{0}/children", self.server.id()))
                .ok()?;
        children.split_whitespace().next().map(str::to_owned)
    }

    /// Returns the processor time of the engine in milliseconds; `None` if the system does not
    /// report it.
    fn processor_time(&self) -> Option<f64> {
        /// Linux counts in hundredths of a second.
        const TICK: f64 = 10.0;
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.engine()?)).ok()?;
        let fields: Vec<&str> = stat.rsplit_once(") ")?.1.split_whitespace().collect();
        let ticks = |i: usize| fields.get(i).and_then(|f| f.parse::<f64>().ok());
        Some((ticks(11)? + ticks(12)?) * TICK)
    }

    /// Returns the peak memory of the engine in MiB; `None` if the system does not report it.
    fn peak_memory(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.engine()?)).ok()?;
        let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"))?;
        line.trim()
            .trim_end_matches("kB")
            .trim()
            .parse::<u64>()
            .ok()
            .map(|kib| kib / 1024)
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}
