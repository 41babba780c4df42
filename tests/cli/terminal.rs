//! Interactive features: explanations, expressions, watching.

use std::time::{Duration, Instant};

use super::package::Package;

const FIB: &str =
    "ghost function Fib(n: nat): nat { if n < 2 then n else Fib(n - 1) + Fib(n - 2) }\n";

#[test]
fn expressions_have_values_in_the_scope_of_a_program() {
    let package = Package::new(&[("fib.dfy", FIB)]);
    let eval = |arguments: &[&str]| package.run(&[&["eval"], arguments].concat());
    assert_eq!(eval(&["Fib(10)", "fib.dfy"]).stdout, "55\n");
    assert_eq!(
        eval(&["seq(4, i requires i >= 0 => Fib(i))", "fib.dfy"]).stdout,
        "[0, 1, 1, 2]\n"
    );
    let wrong = eval(&["1 / Fib(0)", "fib.dfy"]);
    assert!(
        wrong.code == 7 && wrong.stderr.contains("division by zero"),
        "{}",
        wrong.stderr
    );
    let endless = eval(&["Fib(60)", "fib.dfy", "--fuel", "100000"]);
    assert!(
        endless.code == 7 && endless.stderr.contains("eval/out-of-fuel"),
        "{}",
        endless.stderr
    );
    let unknown = eval(&["Fob(1)", "fib.dfy"]);
    assert!(
        unknown.code == 2 && unknown.stderr.contains("did you mean `Fib`?"),
        "{}",
        unknown.stderr
    );
}

#[test]
fn the_output_of_a_program_is_a_record_among_lines_of_json() {
    let package = Package::new(&[(
        "main.dfy",
        "method Main() { print 1, \"\\n\"; expect false, \"no\"; }",
    )]);
    let run = package.run(&["run", "main.dfy", "--message-format", "json"]);
    let records: Vec<serde_json::Value> = run
        .stdout
        .lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect();
    let printed: String = records
        .iter()
        .filter(|r| r["kind"] == "output")
        .filter_map(|r| r["text"].as_str())
        .collect();
    assert_eq!(printed, "1\n[Program halted] main.dfy(1,31): no\n");
    assert_eq!(run.code, 7);
    let eval = package.run(&["eval", "2 + 3", "main.dfy", "--message-format", "json"]);
    assert_eq!(eval.stdout, "{\"kind\":\"output\",\"text\":\"5\\n\"}\n");
}

#[test]
fn messages_are_explained() {
    let package = Package::new(&[("fib.dfy", FIB)]);
    let one = package.run(&["explain", "error[check/key]"]);
    assert!(
        one.stdout
            .starts_with("check/key\n  A map is indexed with a key that it does not contain.\n"),
        "{}",
        one.stdout
    );
    assert!(
        package
            .run(&["explain", "eval"])
            .stdout
            .contains("eval/out-of-fuel")
    );
    let unknown = package.run(&["explain", "chek/key"]);
    assert!(
        unknown.code == 1 && unknown.stderr.contains("check/key"),
        "{}",
        unknown.stderr
    );
    let said = package.run(&["eval", "Fob(1)", "fib.dfy", "--explain"]);
    assert!(
        said.stderr
            .contains("What to do: Declare it, or fix the name."),
        "{}",
        said.stderr
    );
}

#[test]
fn every_command_has_a_manual_page() {
    let package = Package::new(&[]);
    let page = package.run(&["man"]).stdout;
    assert!(
        page.contains(".TH cargo-dtest 1") && page.contains("cargo\\-dtest\\-gen(1)"),
        "{page}"
    );
    let run = package.run(&["man", "pages"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    let help = package.run(&["--help"]).stdout;
    let commands = help
        .split_once("Commands:\n")
        .unwrap()
        .1
        .lines()
        .take_while(|l| !l.is_empty());
    let named = commands
        .filter_map(|l| l.strip_prefix("  ")?.split(' ').next())
        .filter(|n| !n.is_empty() && *n != "help");
    for name in named {
        let page =
            std::fs::read_to_string(package.root().join(format!("pages/cargo-dtest-{name}.1")))
                .unwrap();
        assert!(
            page.contains(&format!("cargo dtest {name}").replace('-', "\\-")),
            "{page}"
        );
    }
    assert!(package.root().join("pages/cargo-dtest.1").is_file());
}

#[test]
fn differences_after_a_change_are_shown() {
    let package = Package::new(&[("f.dfy", "method M(x: int) { assert x != 5; }\n")]);
    let mut child = package
        .command(&["watch", "--times", "2", "list", "f.dfy"])
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    // The change must come after the first run has begun: until then nothing is watched.
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() && start.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(1500));
        package.write(
            "f.dfy",
            format!(
                "method M(x: int) {{ if x > {} {{ print x; }} }}\n",
                start.elapsed().as_millis()
            ),
        );
    }
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        text.lines().any(|l| l.starts_with("+ ")) && text.lines().any(|l| l.starts_with("- ")),
        "{text}"
    );
    let refused = package.run(&["watch", "clean"]);
    assert!(
        refused.code == 1 && refused.stderr.contains("watch/command"),
        "{}",
        refused.stderr
    );
}
