//! A real client: headless Neovim opens a file, adds and fixes an error, and sends requests through
//! its own client of the protocol.

use std::process::{Command, Stdio};

use serde_json::Value;

use super::Package;

const PROGRAM: &str = "/** Twice as much. */
function Twice(x: int): int { x + x }

method Use(n: int) returns (m: int)
  ensures m > n
{
  m := Twice(n);
}
";

/// The script for Neovim. It writes the received answers as JSON to `$OUT`.
const SCRIPT: &str = include_str!("lsp_neovim.lua");

#[test]
fn neovim_breaks_mends_and_asks() {
    if Command::new("nvim")
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_err()
    {
        eprintln!("not run: there is no Neovim here (Debian's package `neovim` has it)");
        return;
    }
    let package = Package::new(&[("src/lib.dfy", PROGRAM), ("script.lua", SCRIPT)]);
    let out = package.root().join("out.json");
    let status = package_command(&package)
        .env("OUT", &out)
        .stdout(Stdio::null())
        .status()
        .unwrap();
    assert!(status.success());
    let got: Value = serde_json::from_str(&std::fs::read_to_string(&out).unwrap()).unwrap();

    assert_eq!(got["opened"], serde_json::json!([]));
    assert!(got["broken"].as_u64().unwrap() >= 1, "{got}");
    // While the text has syntax errors, the last good state is used.
    assert_eq!(
        got["while_broken"]["range"]["start"],
        serde_json::json!({ "line": 1, "character": 9 })
    );
    assert_eq!(got["mended"], serde_json::json!([]));
    let hover = got["hover"]["contents"]["value"].as_str().unwrap();
    assert!(
        hover.contains("function Twice(x: int): int") && hover.contains("Twice as much."),
        "{hover}"
    );
    assert_eq!(got["definition"]["range"]["start"]["line"], 1);
    let text = got["renamed"].as_str().unwrap();
    assert_eq!(text, PROGRAM.replace("Twice(", "Double("));
    let lenses: Vec<&str> = got["lenses"]
        .as_array()
        .unwrap()
        .iter()
        .map(|l| l["command"]["title"].as_str().unwrap())
        .collect();
    assert_eq!(
        lenses,
        [
            "tests · run",
            "check",
            "mutants",
            "tests · run",
            "check",
            "mutants"
        ]
    );
    // A code action finds an execution for another server's error.
    assert_eq!(
        got["actions"][0]["title"],
        "Find an execution for this error"
    );
    let execution = got["execution"].as_str().unwrap();
    assert!(
        execution.contains("check/postcondition") && execution.contains("n = 0"),
        "{execution}"
    );
}

fn package_command(package: &Package) -> Command {
    let tool = package.command(&[]);
    let mut nvim = Command::new("nvim");
    nvim.args([
        "--headless",
        "-u",
        "NONE",
        "-n",
        "src/lib.dfy",
        "-c",
        "luafile script.lua",
    ])
    .current_dir(package.root());
    nvim.env("TOOL", tool.get_program())
        .env("HOME", package.root())
        .env("XDG_STATE_HOME", package.root());
    nvim
}
