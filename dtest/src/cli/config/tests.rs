//! Tests of `dtest.toml`: errors at their places, and options that mean what they mean on the
//! command line.

use super::*;

fn refused(text: &str) -> String {
    let refused = parse(text).expect_err("refused");
    let place = refused
        .diagnostic
        .span
        .map(|s| refused.sources.locate(s))
        .unwrap_or_default();
    format!(
        "{place}: {} ({})",
        refused.diagnostic.message,
        refused.diagnostic.help.unwrap_or_default()
    )
}

fn completed(text: &str, line: &[&str]) -> Line {
    let here = std::env::current_dir().expect("a directory");
    parse(text)
        .expect("known")
        .complete([&["cargo-dtest"], line].concat(), &here)
        .map_err(|e| e.to_string())
        .expect("parsed")
}

fn generated(text: &str, line: &[&str]) -> GenArgs {
    match completed(text, &[&["gen"], line].concat()).cli.command {
        Command::Gen(args) => *args,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_template_is_a_valid_file_also_with_its_keys_set() {
    let template = template();
    assert!(parse(&template).is_ok());
    // A number is written as its value name.
    let value = |v: &str| match v.chars().next() {
        Some('"' | '[' | 't' | 'f') => v.to_owned(),
        Some(_) | None => v
            .chars()
            .find(char::is_ascii_digit)
            .map_or("100".into(), |_| "4".into()),
    };
    let set: String = template
        .lines()
        .filter_map(|l| match l.strip_prefix("# ")?.split_once(" = ") {
            Some((key, v)) if !key.contains(' ') => Some(format!("{key} = {}\n", value(v))),
            Some(_) | None => l
                .strip_prefix("# ")
                .filter(|l| l.starts_with('[') && l.ends_with(']') && !l.contains(' '))
                .map(|l| format!("{l}\n")),
        })
        .collect();
    let config = parse(&set)
        .map_err(|r| r.diagnostic.message)
        .expect("every key is known");
    assert_eq!(config.values("max-size"), ["100"]);
    let commands = Cli::command();
    let keys: SortedSet<&str> = options(commands.find_subcommand(GEN).expect("gen"))
        .map(key_of)
        .collect();
    assert_eq!(
        config
            .options
            .iter()
            .map(|k| k.name.as_str())
            .collect::<SortedSet<_>>(),
        keys
    );
    assert!(
        keys.contains("files") && keys.contains("quiet") && !keys.contains("check"),
        "{keys:?}"
    );
}

#[test]
fn the_template_reads_well() {
    insta::assert_snapshot!(template());
}

#[test]
fn keys_are_defaults_of_options() {
    let file = "files = [\"a.dfy\"]\nincluded = true\nunroll = 3\nunicode-char = false\ncoverage = \"branch\"\nfilter = \"X\"\n";
    let args = generated(file, &["--unroll", "5"]);
    assert_eq!(args.program.files, ["a.dfy"]);
    assert!(args.program.included);
    assert_eq!(
        (args.search.limits.unroll, args.program.dafny.unicode_char),
        (Some(5), Some(false))
    );
    assert_eq!(args.search.coverage.len(), 1);
    assert_eq!(args.search.filter.as_deref(), Some("X"));
    let line = completed(file, &["gen", "--unroll", "5"]);
    assert!(line.given.has("unroll") && !line.given.has("filter"));
    assert_eq!(generated(file, &["b.dfy"]).program.files, ["b.dfy"]);
    assert_eq!(
        generated("coverage = [\"block\", \"mcdc\"]", &[])
            .search
            .coverage
            .len(),
        2
    );
}

#[test]
fn libraries_of_file_and_command_line_add_up() {
    let args = generated(
        "library = [\"a\", \"b\"]\nmock = \"C\"",
        &["--library", "c"],
    );
    assert_eq!(args.program.dafny.library.len(), 3);
    assert_eq!(args.program.mock, ["C"]);
}

#[test]
fn a_table_is_for_one_command() {
    let file = "fail-under = 90\nseed = 3\n[mutants]\nfail-under = 80\nseed = 4\n[dead]\nfail-on = \"any\"\nallow = [\"A\"]\n";
    let args = generated(file, &[]);
    assert_eq!(
        (args.fail_under, args.search.limits.seed),
        (Some(90.0), Some(3))
    );
    let Command::Mutants(args) = completed(file, &["mutants"]).cli.command else {
        panic!()
    };
    assert_eq!((args.fail_under, args.limits.seed), (Some(80.0), Some(4)));
    let Command::Mutants(args) = completed("fail-under = 90", &["mutants"]).cli.command else {
        panic!()
    };
    assert_eq!(args.fail_under, None, "another percentage");
    let Command::Dead(args) = completed(file, &["dead"]).cli.command else {
        panic!()
    };
    assert_eq!(args.fail_on, Some(super::super::args::FailOn::Any));
    let allowed = |file: &str, table| parse(file).expect("known").allowed(table).to_vec();
    let key = |key: &str, reason: Option<&str>| Allowance {
        key: key.into(),
        reason: reason.map(str::to_owned),
    };
    assert_eq!(allowed(file, AllowTable::Dead), [key("A", None)]);
    let file = "[dead]\nallow = [\"A\", { key = \"B\", reason = \"why\" }]\n[[violations.allow]]\nkey = \"C\"\nreason = \"R\"\n[mutants]\nallow = []";
    assert_eq!(
        allowed(file, AllowTable::Dead),
        [key("A", None), key("B", Some("why"))]
    );
    assert_eq!(allowed(file, AllowTable::Violations), [key("C", Some("R"))]);
    assert!(allowed(file, AllowTable::Mutants).is_empty());
}

#[test]
fn an_option_that_a_key_sets_means_the_same_in_every_command() {
    let commands = Cli::command();
    let keys: SortedMap<&str, &Arg> = options(commands.find_subcommand(GEN).expect("gen"))
        .map(|a| (a.get_id().as_str(), a))
        .collect();
    for command in commands.get_subcommands() {
        for argument in command.get_arguments() {
            let Some(key) = keys.get(argument.get_id().as_str()) else {
                continue;
            };
            let meaning = |a: &Arg| {
                (
                    a.get_long().map(str::to_owned),
                    a.get_value_parser().type_id(),
                    a.is_required_set(),
                )
            };
            assert_eq!(
                meaning(argument),
                meaning(key),
                "{} of {}",
                argument.get_id(),
                command.get_name()
            );
        }
    }
}

#[test]
fn errors_are_reported_at_their_locations() {
    for (text, said) in [
        (
            "seed = 1\nmax-sice = 3",
            "dtest.toml:2:1: unknown key `max-sice` (did you mean `max-size`?)",
        ),
        (
            "unroll = 0",
            "dtest.toml:1:10: `unroll`: 0 is not in 1..=1000 ()",
        ),
        (
            "unroll = \"4\"",
            "dtest.toml:1:10: `unroll` must be a number, not string ()",
        ),
        (
            "included = 1",
            "dtest.toml:1:12: `included` must be true or false, not integer ()",
        ),
        (
            "strength = \"all\"",
            "dtest.toml:1:12: `strength`: must be one of \"coverage\", \"mutants\" ()",
        ),
        (
            "coverage = []",
            "dtest.toml:1:12: `coverage` must list at least one value ()",
        ),
        (
            "check = true",
            "dtest.toml:1:1: `check` is an option of a single run, and not a key (use it on the command line)",
        ),
        (
            "fail-on = \"any\"",
            "dtest.toml:1:1: unknown key `fail-on` (it is an option of other commands: put it in the table `[dead]` or `[check]` or `[spec]`)",
        ),
        (
            "[chek]\nall = true",
            "dtest.toml:1:2: unknown key `chek` (did you mean `check`?)",
        ),
        (
            "[check]\nal = true",
            "dtest.toml:2:1: unknown key `al` (did you mean `all`?)",
        ),
        (
            "[extern]\nClock = \"no path\"",
            "dtest.toml:2:9: under [extern], \"Clock\" is linked to `no path`, which is not a Rust path (`false` forbids a stub)",
        ),
        (
            "[extern]\nClock = true",
            "dtest.toml:2:9: under [extern], \"Clock\" is linked to `true`, which is not a Rust path (`false` forbids a stub)",
        ),
        (
            "[violations]\nallow = [\n  { key = \"F: index `s[i]`\" },\n]",
            "dtest.toml:3:3: \"F: index `s[i]`\" under [violations] has no reason (write `{ key = \"…\", reason = \"…\" }`; `--show-keys` prints the keys)",
        ),
        (
            "[mutants]\nallow = [\"F\"]",
            "dtest.toml:2:10: \"F\" under [mutants] has no reason (write `{ key = \"…\", reason = \"…\" }`; `--show-keys` prints the keys)",
        ),
        (
            "[mutants]\nallow = [{ key = \"F\", reason = \" \" }]",
            "dtest.toml:2:32: `reason` must not be empty ()",
        ),
        (
            "[[violations.allow]]\nreason = \"R\"",
            "dtest.toml:1:1: an entry under [violations] has no key (write `{ key = \"…\", reason = \"…\" }`; `--show-keys` prints the keys)",
        ),
        (
            "[violations]\nallow = [{ key = \"F\", reason = \"R\", until = 3 }]",
            "dtest.toml:2:37: unknown key `until` (an entry has `key` and `reason`)",
        ),
        (
            "[violations]\nallow = 3",
            "dtest.toml:2:9: `allow` must be a list, not integer ()",
        ),
        (
            "[violations]\nalow = []",
            "dtest.toml:2:1: unknown key `alow` (the table has the list `allow`)",
        ),
        (
            "seed =",
            "dtest.toml:1:7: string values must be quoted, expected literal string ()",
        ),
    ] {
        assert_eq!(refused(text), said);
    }
}
