//! `cargo dev judge-verdicts`: compares the front end with the official Dafny, by verdict and by
//! first line with an error.
//!
//! `cargo dev judge-verdicts [--seed N] [--programs N] [--options SET]… [--unchanged] [--reduce N]
//! [--filter TEXT] [--save DIR] [--own] DIR…`
//!
//! Every program in DIR is resolved unchanged. Then `--programs` mutants of each DIR's programs are
//! resolved (1,000; `--unchanged`: none), which `--seed` determines. Every program is resolved with
//! each set of options (`default`, `syntax3`, `refresh`). Files that include others are not
//! mutated.
//!
//! The output has, for each DIR and set, the number of equal verdicts and first lines, and the
//! classes of disagreements, largest first, each with its first program, which is reduced for the
//! `--reduce` largest classes (20). `--save` writes these programs, complete and reduced.
//!
//! `--own` (or a call without DIR) checks the programs of the repository: fixtures, blocks in the
//! documentation and test programs that are stated to be accepted have to be accepted by Dafny, and
//! test programs that are stated to be rejected have to be rejected on the same lines.
//!
//! The official tool is `dafny-resolve-many` in `DTEST_DAFNY` (that file, or a folder with it),
//! otherwise in `shared/dafny` beside the checkout.

mod dafny;
mod mutate;
mod own;

use crate::Args;
use crate::support::{self, Job};
use dafny::{Answer, Dafny};
use dtest::cli::args::{DafnyArgs, GeneralTraits};
use dtest_sorted::SortedMap;
use std::path::{Path, PathBuf};

/// A set of options under which programs are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OptionSet {
    Default,
    FunctionSyntax3,
    Refresh,
}

impl OptionSet {
    const ALL: [Self; 3] = [Self::Default, Self::FunctionSyntax3, Self::Refresh];

    fn name(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::FunctionSyntax3 => "syntax3",
            Self::Refresh => "refresh",
        }
    }

    fn settings(self) -> DafnyArgs {
        match self {
            Self::Default => DafnyArgs::default(),
            Self::FunctionSyntax3 => DafnyArgs {
                function_syntax: Some(dafny_syntax::FunctionSyntax::Version3),
                ..DafnyArgs::default()
            },
            Self::Refresh => DafnyArgs {
                type_system_refresh: Some(true),
                general_newtypes: Some(true),
                general_traits: Some(GeneralTraits::Datatype),
                ..DafnyArgs::default()
            },
        }
    }
}

struct Config {
    seed: u64,
    programs: usize,
    sets: Vec<OptionSet>,
    reduced: usize,
    filter: String,
    save: Option<PathBuf>,
}

pub(crate) fn run(mut args: Args) -> Result<(), String> {
    let mut config = Config {
        seed: 1,
        programs: 1_000,
        sets: Vec::new(),
        reduced: 20,
        filter: String::new(),
        save: None,
    };
    let (mut own, mut paths) = (false, Vec::new());
    while let Some(arg) = args.next() {
        let mut number = || {
            args.next()
                .and_then(|v| v.parse::<u64>().ok())
                .ok_or(format!("{arg} expects a number"))
        };
        match arg.as_str() {
            "--seed" => config.seed = number()?,
            "--programs" => config.programs = number()? as usize,
            "--reduce" => config.reduced = number()? as usize,
            "--unchanged" => config.programs = 0,
            "--own" => own = true,
            "--filter" => config.filter = args.next().unwrap_or_default(),
            "--save" => config.save = args.next().map(PathBuf::from),
            "--options" => {
                let name = args.next().unwrap_or_default();
                let set = OptionSet::ALL.into_iter().find(|s| s.name() == name);
                config
                    .sets
                    .push(set.ok_or(format!("{name}: no set of options"))?);
            }
            _ => paths.push(PathBuf::from(arg)),
        }
    }
    if config.sets.is_empty() {
        config.sets = OptionSet::ALL.to_vec();
    }
    // A panic is counted as a result of its program.
    std::panic::set_hook(Box::new(|_| {}));
    let good = if own || paths.is_empty() {
        own::check()?
    } else {
        true
    };
    let mut classes = Classes::default();
    for path in &paths {
        for set in &config.sets {
            compare_corpus(path, *set, &config, &mut classes)?;
        }
    }
    classes.report(&config)?;
    if good {
        Ok(())
    } else {
        Err("Dafny disagrees on programs of the repository".into())
    }
}

/// The figures of one corpus under one set of options.
#[derive(Default)]
struct Figures {
    both_accept: usize,
    both_refuse: usize,
    same_line: usize,
    wrongly_accepted: usize,
    wrongly_refused: usize,
    panics: usize,
    /// The number of programs on which Dafny crashes or returns no verdict, so that there is
    /// nothing to compare.
    no_answer: usize,
}

impl Figures {
    fn line(&self, name: &str) -> String {
        let percent = |n: usize, of: usize| 100.0 * n as f64 / of.max(1) as f64;
        let agree = self.both_accept + self.both_refuse;
        let all = agree + self.wrongly_accepted + self.wrongly_refused + self.panics;
        format!(
            "{name:40} {all:6} programs, verdict {agree} ({:.2} %): {} wrongly accepted, {} wrongly refused, {} panics; first line {} of {} ({:.2} %); {} without an answer",
            percent(agree, all),
            self.wrongly_accepted,
            self.wrongly_refused,
            self.panics,
            self.same_line,
            self.both_refuse,
            percent(self.same_line, self.both_refuse),
            self.no_answer
        )
    }
}

fn compare_corpus(
    path: &Path,
    set: OptionSet,
    config: &Config,
    classes: &mut Classes,
) -> Result<(), String> {
    let mut dafny = Dafny::start(&dafny::options_of(&set.settings()))?;
    let files: Vec<PathBuf> = support::dafny_files(path)
        .into_iter()
        .filter(|f| f.to_string_lossy().contains(&config.filter))
        .collect();
    let name = format!(
        "{} {}",
        path.file_name().unwrap_or_default().to_string_lossy(),
        set.name()
    );
    let mut figures = Figures::default();
    compare(&files, set, &mut dafny, &mut figures, classes)?;
    println!("{}", figures.line(&name));
    if config.programs == 0 {
        return Ok(());
    }
    let texts: Vec<String> = files
        .iter()
        .filter_map(|f| std::fs::read_to_string(f).ok())
        .filter(|t| !t.lines().any(|l| l.trim_start().starts_with("include ")))
        .collect();
    let folder = Scratch::new("mutants")?;
    let mut figures = Figures::default();
    let mut random = dafny_rewrite::Random::new(config.seed);
    let mut made = 0;
    while made < config.programs && !texts.is_empty() {
        let mut batch = Vec::new();
        while batch.len() < 500 && made + batch.len() < config.programs {
            let text = &texts[random.below(texts.len())];
            batch.push(mutate::mutant(text, &mut random));
        }
        made += batch.len();
        let files = folder.write(&batch)?;
        compare(&files, set, &mut dafny, &mut figures, classes)?;
    }
    println!("{}", figures.line(&format!("{name} mutants")));
    Ok(())
}

fn compare(
    files: &[PathBuf],
    set: OptionSet,
    dafny: &mut Dafny,
    figures: &mut Figures,
    classes: &mut Classes,
) -> Result<(), String> {
    let answers = dafny.ask(files)?;
    for (file, answer) in files.iter().zip(&answers) {
        let Some(comparison) = Comparison::new(file, set, answer) else {
            figures.no_answer += 1;
            continue;
        };
        match comparison.kind {
            Kind::Accepted => figures.both_accept += 1,
            Kind::SameLine => figures.same_line += 1,
            Kind::OtherLine => {}
            Kind::WronglyAccepted => figures.wrongly_accepted += 1,
            Kind::WronglyRefused => figures.wrongly_refused += 1,
            Kind::Panic => figures.panics += 1,
        }
        if matches!(comparison.kind, Kind::SameLine | Kind::OtherLine) {
            figures.both_refuse += 1;
        }
        if !matches!(comparison.kind, Kind::Accepted | Kind::SameLine) {
            classes.add(file, set, comparison);
        }
    }
    Ok(())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Accepted,
    SameLine,
    Panic,
    WronglyRefused,
    WronglyAccepted,
    OtherLine,
}

/// The two verdicts on a program.
struct Comparison {
    kind: Kind,
    /// The class of the disagreement: both first messages, without program-specific parts.
    class: String,
    /// Both first errors, for display.
    shown: String,
}

impl Comparison {
    /// Compares the verdicts. Returns `None` if Dafny has none.
    fn new(file: &Path, set: OptionSet, answer: &Answer) -> Option<Self> {
        if !matches!(answer.code, 0 | 2) {
            return None;
        }
        let job = Job {
            files: vec![file.to_path_buf()],
            settings: set.settings(),
            expect: None,
        };
        let ours = std::panic::catch_unwind(|| support::errors_of(&job));
        let theirs = answer.errors.first();
        let official = theirs.map_or("accepts".to_owned(), |e| {
            format!("{}: {}", e.line, e.message)
        });
        let Ok(ours) = ours else {
            return Some(Self {
                kind: Kind::Panic,
                class: "panic".into(),
                shown: official,
            });
        };
        let first = ours.first();
        let own = first.map_or("accepts".to_owned(), |(_, line, message, id)| {
            format!("{line}: {message} [{id}]")
        });
        let our_id = first.map_or("-", |(.., id)| id);
        let their_kind = theirs.map_or_else(|| "-".to_owned(), |e| support::kind_of(&e.message));
        let kind = match (first, theirs) {
            (None, None) if answer.code == 0 => Kind::Accepted,
            (None, _) => Kind::WronglyAccepted,
            (Some(_), None) if answer.code == 0 => Kind::WronglyRefused,
            (Some(_), None) => Kind::SameLine,
            (Some((file, line, ..)), Some(e)) => {
                if *line == e.line && (e.file.is_empty() || e.file == *file) {
                    Kind::SameLine
                } else {
                    Kind::OtherLine
                }
            }
        };
        let elsewhere = match (kind, theirs) {
            (Kind::OtherLine, Some(e)) if ours.iter().any(|(_, line, ..)| *line == e.line) => {
                " (among ours)"
            }
            _ => "",
        };
        Some(Self {
            kind,
            class: format!("{kind:?}{elsewhere} [{our_id}] | {their_kind}"),
            shown: format!("Dafny {official}\n    ours  {own}"),
        })
    }
}

/// The classes of disagreements, each with its first program.
#[derive(Default)]
struct Classes {
    found: SortedMap<String, Class>,
}

struct Class {
    count: usize,
    set: OptionSet,
    text: String,
    file: PathBuf,
    shown: String,
}

impl Classes {
    fn add(&mut self, file: &Path, set: OptionSet, comparison: Comparison) {
        let class = self.found.entry(comparison.class).or_insert_with(|| Class {
            count: 0,
            set,
            text: std::fs::read_to_string(file).unwrap_or_default(),
            file: file.to_path_buf(),
            shown: comparison.shown,
        });
        class.count += 1;
    }

    fn report(&self, config: &Config) -> Result<(), String> {
        let mut rows: Vec<(&String, &Class)> = self.found.iter().collect();
        rows.sort_by_key(|(_, c)| std::cmp::Reverse(c.count));
        for (number, (key, class)) in rows.iter().enumerate() {
            println!(
                "\n{:5} {key} (options {})\n    {}\n    {}",
                class.count,
                class.set.name(),
                class.file.display(),
                class.shown
            );
            let small = (number < config.reduced)
                .then(|| reduced(key, class))
                .transpose()?;
            if let Some(small) = &small {
                small.lines().for_each(|l| println!("    | {l}"));
            }
            if let Some(folder) = &config.save {
                let write = |suffix: &str, text: &str| {
                    let path = folder.join(format!("{number:03}-{}{suffix}.dfy", class.set.name()));
                    std::fs::create_dir_all(folder)
                        .and_then(|()| std::fs::write(&path, format!("// {key}\n{text}")))
                        .map_err(|e| format!("{}: {e}", path.display()))
                };
                write("", &class.text)?;
                if let Some(small) = &small {
                    write("-small", small)?;
                }
            }
        }
        Ok(())
    }
}

/// Reduces a program, keeping a disagreement of the same class.
fn reduced(key: &str, class: &Class) -> Result<String, String> {
    // Sufficient for all but the largest programs.
    const MAX_QUESTIONS: usize = 3_000;
    let folder = Scratch::new("reduced")?;
    let mut dafny = Dafny::start(&dafny::options_of(&class.set.settings()))?;
    let mut asked = 0;
    let mut shows = |texts: &[String]| -> Vec<bool> {
        asked += texts.len();
        if asked > MAX_QUESTIONS {
            return vec![false; texts.len()];
        }
        let Ok(files) = folder.write(texts) else {
            return vec![false; texts.len()];
        };
        let Ok(answers) = dafny.ask(&files) else {
            return vec![false; texts.len()];
        };
        let same = |(file, answer): (&PathBuf, &Answer)| {
            Comparison::new(file, class.set, answer).is_some_and(|c| c.class == key)
        };
        files.iter().zip(&answers).map(same).collect()
    };
    if class.text.contains("include ") {
        return Ok(class.text.clone());
    }
    let small = dafny_random::reduce(&class.text, &mut shows);
    let options = dafny_syntax::Options::default();
    Ok(dafny_random::reduce_tree(&small, options, &mut |text| {
        shows(&[text.to_owned()]).first() == Some(&true)
    }))
}

/// A temporary folder for the programs passed to Dafny. It is deleted when dropped.
struct Scratch {
    folder: PathBuf,
}

impl Scratch {
    fn new(name: &str) -> Result<Self, String> {
        let folder =
            std::env::temp_dir().join(format!("judge-verdicts-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        Ok(Self { folder })
    }

    /// Replaces the contents of the folder by these texts.
    fn write(&self, texts: &[String]) -> Result<Vec<PathBuf>, String> {
        let write = |(i, text): (usize, &String)| {
            let path = self.folder.join(format!("{i}.dfy"));
            std::fs::write(&path, text)
                .map(|()| path.clone())
                .map_err(|e| format!("{}: {e}", path.display()))
        };
        texts.iter().enumerate().map(write).collect()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
