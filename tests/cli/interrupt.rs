//! Runs that are ended by a signal: launcher and engine end at once, and the next run gives the
//! result of an uninterrupted one.

use std::collections::BTreeMap;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::Package;

/// The first unit is fast; the solver is busy with the second for seconds.
const PROGRAM: &str =
    "method Sign(x: int) returns (r: int) { if x < 0 { r := -1; } else { r := 1; } }

method Mix(x: bv64, y: bv64) returns (r: int)
{
  var h := (x * 0x9E3779B97F4A7C15) ^ (y * 0xC2B2AE3D27D4EB4F);
  if h * h * x == 0x77777777 && y * h * x == 0x33333331 { r := 1; } else { r := 2; }
}
";

/// Longer than ending takes, shorter than the solver is busy.
const AT_ONCE: Duration = Duration::from_millis(2_500);

fn package() -> Package {
    Package::new(&[("src/lib.dfy", PROGRAM)])
}

/// Starts a run in a separate process group and waits until the solver is busy with the second
/// unit. Returns the launcher, and the id of the engine.
fn busy(package: &Package) -> (Child, String) {
    let mut command = package.command(&["gen", "--jobs", "2"]);
    let child = command
        .process_group(0)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let kept = package.root().join("target/dtest/cache/units");
    let start = Instant::now();
    while std::fs::read_dir(&kept).map_or(0, Iterator::count) == 0 {
        assert!(
            start.elapsed() < Duration::from_secs(60),
            "the first unit is never done"
        );
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(300));
    let engine = String::from_utf8(
        Command::new("pgrep")
            .args(["-P", &child.id().to_string()])
            .output()
            .unwrap()
            .stdout,
    )
    .unwrap();
    (child, engine.trim().to_owned())
}

fn kill(signal: &str, whom: &str) {
    assert!(
        Command::new("kill")
            .args([signal, "--", whom])
            .status()
            .unwrap()
            .success()
    );
}

/// Waits for the launcher and returns the signal that ended it.
fn end(mut child: Child, engine: &str) -> Option<i32> {
    let start = Instant::now();
    let status = child.wait().unwrap();
    assert!(start.elapsed() < AT_ONCE, "{:?}", start.elapsed());
    while is_alive(engine) {
        assert!(start.elapsed() < AT_ONCE, "the engine runs on");
        std::thread::sleep(Duration::from_millis(5));
    }
    status.signal()
}

fn is_alive(id: &str) -> bool {
    // A zombie that its adoptive parent has not collected yet does nothing any more.
    let stat =
        std::fs::read_to_string(Path::new("/proc").join(id).join("stat")).unwrap_or_default();
    stat.rsplit_once(") ")
        .is_some_and(|(_, state)| !state.starts_with(['Z', 'X']))
}

fn files(package: &Package) -> BTreeMap<String, String> {
    package
        .files()
        .into_iter()
        .filter(|(path, _)| path.as_str() != "Cargo.lock")
        .collect()
}

#[test]
fn an_interrupted_run_ends_immediately_and_the_next_one_gives_the_result_of_an_uninterrupted_run() {
    let undisturbed = package();
    assert_eq!(undisturbed.run(&["gen", "--jobs", "2"]).code, 0);

    let package = package();
    let before = files(&package);
    let (child, engine) = busy(&package);
    kill("-INT", &format!("-{}", child.id()));
    assert_eq!(
        end(child, &engine),
        Some(2),
        "shells know an interrupted program by this"
    );
    assert_eq!(files(&package), before);
    assert_eq!(package.run(&["gen", "--jobs", "2"]).code, 0);
    assert_eq!(files(&package), files(&undisturbed));
}

#[test]
fn a_signal_for_the_launcher_alone_ends_the_engine_too() {
    let package = package();
    let before = files(&package);
    for (signal, number) in [("-INT", 2), ("-TERM", 15), ("-HUP", 1), ("-KILL", 9)] {
        let (child, engine) = busy(&package);
        kill(signal, &child.id().to_string());
        assert_eq!(end(child, &engine), Some(number), "{signal}");
        assert_eq!(files(&package), before, "{signal}");
    }
}

#[test]
fn signals_that_a_shell_had_us_ignore_stay_ignored() {
    let package = package();
    let tool = env!("CARGO_BIN_EXE_cargo-dtest");
    let script =
        format!("trap '' INT HUP; {tool} list & sleep 0.02; kill -INT $!; kill -HUP $!; wait $!");
    let status = Command::new("sh")
        .args(["-c", &script])
        .current_dir(package.root())
        .stdout(Stdio::null())
        .status()
        .unwrap();
    assert_eq!(status.code(), Some(0));
}
