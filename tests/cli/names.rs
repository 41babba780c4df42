//! Declarations whose names the translation, the suite or the run-time library uses for something of its own.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

use super::Package;
use super::suite::cargo_test;

/// Names that Rust, its traits, the translation and the macros give to something.
const RUST: &str = "clone clone_from cmp partial_cmp max min clamp eq ne lt le gt ge fmt into try_into from try_from to_owned to_string borrow
    borrow_mut type_id deref deref_mut as_ref as_mut default drop hash next iter into_iter len push pop get insert remove contains main self_
    allocate phantom builder build create create_ create_as create_if redefined redefined_functions type_parameters on_get set_on_get get_if
    body run fields field constant class_name offer cast other formatter value a0 a1 r result subject spec made answer add sub mul div rem neg
    all_bools all_chars ch ch16 downcast exists_in fmt_constructor forall_in halt instance_of int is_same range range_down
    range_from real shown str str16 such_that suspend to_dafny_string upcast index filter collect sum count any all cycle rev zip fold swap take as_str chars bytes println format panic vec async await dyn gen
    union mod use pub crate super extern mut enum struct fn let std core alloc dunit dmock Allocate New Identity ToString IsNull call";

/// Words of Dafny.
const DAFNY: &str = "abstract allocated as assert assume bool break by calc case char class codatatype const constructor continue
    datatype decreases else ensures exists expect export extends false forall fresh function ghost if imap import in include int
    invariant is iset iterator label lemma map match method modifies modify module multiset nameonly nat new newtype null object
    old opaque opened predicate print provides reads real refines requires return returns reveal reveals seq set static string
    then this trait true twostate type unchanged var while witness yield yields array for to by hide field locals";

/// The names of all functions of the run-time libraries, and those above.
fn names() -> Vec<String> {
    let mut found: BTreeSet<String> = RUST.split_whitespace().map(str::to_owned).collect();
    for library in ["dunit", "dmock"] {
        let sources = super::package::runtime()
            .join("..")
            .join(library)
            .join("src");
        collect(&sources, &mut found);
    }
    let reserved: BTreeSet<&str> = DAFNY.split_whitespace().collect();
    found.retain(|name| !reserved.contains(name.as_str()) && !name.starts_with('_'));
    assert!(found.len() > 150, "{found:?}");
    found.into_iter().collect()
}

fn collect(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, found);
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        for rest in code.split("fn ").skip(1) {
            let is_word = |c: &char| c.is_ascii_lowercase() || c.is_ascii_digit() || *c == '_';
            let name: String = rest.chars().take_while(is_word).collect();
            // What values have as methods, and what is called by its bare name.
            let parameters = rest.split('(').nth(1).unwrap_or_default();
            let is_method = parameters
                .trim_start_matches(['&', ' '])
                .trim_start_matches("mut ")
                .starts_with("self");
            if name.len() > 1 && (is_method || parameters.starts_with("this")) {
                found.insert(name);
            }
        }
    }
}

/// The program: each name is a method or function of a class, a field, a member of a trait, a constructor, destructor and
/// function of datatypes, a function of a newtype, a parameter, and a declaration of a module.
fn program(names: &[String]) -> String {
    let mut text = String::new();
    let numbered = || names.iter().enumerate();
    let line = |text: &mut String, line: String| writeln!(text, "{line}").unwrap();
    let method = |i: usize, n: &str| {
        format!("method {n}(x: int) returns (r: int) ensures r == x + {i} {{ r := x + {i}; }}")
    };
    let function = |i: usize, n: &str| format!("function {n}(x: int): int {{ x + {i} }}");

    line(
        &mut text,
        "module Classes {\nclass Box<T> { var phantom: int".to_owned(),
    );
    for (i, n) in numbered().filter(|(_, n)| *n != "phantom") {
        let member = if i % 2 == 0 {
            method(i, n)
        } else {
            function(i, n)
        };
        line(&mut text, member);
    }
    line(&mut text, "}\nclass Fields {".to_owned());
    names
        .iter()
        .for_each(|n| line(&mut text, format!("var {n}: int")));
    line(
        &mut text,
        "constructor (x: int) ensures phantom == x { phantom := x; }
        method Up() modifies this ensures eq == old(eq) + 1 { eq := eq + 1; } }
        class Plain { var allocate: int var create: int }
        iterator Both<T>(phantom: int, body: int, run: int) yields (fields: int, allocate: int) { yield phantom, body + run; }
        method Make(x: int) returns (b: Box<bool>, p: Plain, r: int) {
          b := new Box<bool>; b.phantom := x; p := new Plain; p.allocate := x; r := 0;
          var i := new Both<bool>(1, 2, x); var m := i.MoveNext(); if m { r := i.fields + i.allocate; }
          if x > 3 { r := b.phantom; }
        }
        method MakeFields(x: int) returns (f: Fields) { f := new Fields(x); f.Up(); f.allocate := f.phantom + f.body; }
        }"
        .to_owned(),
    );

    line(
        &mut text,
        "module Traits {\ntrait T extends object {".to_owned(),
    );
    for (i, n) in numbered() {
        let member = match i % 3 {
            0 => format!("function {n}(x: int): int"),
            1 => format!("var {n}: int"),
            _ => format!("method {n}(x: int) returns (r: int) ensures r == x + {i}"),
        };
        line(&mut text, member);
    }
    line(
        &mut text,
        "}\nclass C extends T { constructor () {}".to_owned(),
    );
    for (i, n) in numbered() {
        match i % 3 {
            0 => line(&mut text, function(i, n)),
            1 => {}
            _ => line(&mut text, method(i, n)),
        }
    }
    line(&mut text, "}".to_owned());
    for (i, n) in numbered() {
        match i % 3 {
            0 => line(
                &mut text,
                format!("method Use{i}(t: T, x: int) returns (b: bool) {{ b := t.{n}(x) > 0; }}"),
            ),
            1 => line(
                &mut text,
                format!("method Use{i}(t: T) returns (b: bool) {{ b := t.{n} > 7; }}"),
            ),
            _ => {}
        }
    }

    line(&mut text, "}\nmodule Datatypes {\ndatatype D<T> = phantom_(phantom: int) | B(head: int, tail: D<T>) {".to_owned());
    for (i, n) in numbered().filter(|(_, n)| *n != "phantom") {
        line(&mut text, function(i, n));
    }
    let calls: String = names
        .iter()
        .filter(|n| *n != "phantom")
        .map(|n| format!(" + d.{n}(1)"))
        .collect();
    let ctors: Vec<String> = names.iter().map(|n| format!("{n}({n}_v: int)")).collect();
    let fields: Vec<String> = names.iter().map(|n| format!("{n}: int")).collect();
    line(
        &mut text,
        format!(
            "}}
            function UseD(d: D<bool>): int {{ 0{calls} + (if d.B? && d.tail.B? then d.tail.tail.clone(1) else 0) }}
            datatype E = {}
            function UseE(e: E): int {{ if e.clone? then e.clone_v else 0 }}
            datatype F = F({}) | G(eq: int)
            function UseF(f: F): int {{ f.eq + (if f.F? then f.clone + f.hash else 0) }}
            method Show(f: F) {{ print f, \"\\n\"; }}
            codatatype Co<T> = Co(v: T, rest: Co<T>) {{",
            ctors.join(" | "),
            fields.join(", ")
        ),
    );
    numbered().for_each(|(i, n)| line(&mut text, function(i, n)));
    line(
        &mut text,
        "}\nfunction UseCo(c: Co<int>): int { c.clone(1) + c.rest.to_string(2) }\nnewtype N = x | 0 <= x < 10 {".to_owned(),
    );
    numbered().for_each(|(i, n)| line(&mut text, function(i, n)));
    line(
        &mut text,
        "}\nfunction UseN(n: N): int { n.clone(1) + n.eq(2) + n.into(3) } }\nmodule Variables {"
            .to_owned(),
    );
    for (i, group) in names.chunks(8).enumerate() {
        let (ins, outs) = group.split_at(group.len().min(4));
        let typed =
            |names: &[String]| -> String { names.iter().map(|n| format!("{n}: int, ")).collect() };
        let assigned: String = outs
            .iter()
            .zip(ins)
            .map(|(o, i)| format!("{o} := {i} + 1; "))
            .collect();
        line(
            &mut text,
            format!(
                "method V{i}({}last: seq<int>) returns ({}found: set<int>) {{ {assigned}found := set e | e in last && e > {};
                if found != {{}} && (forall e | e in found :: e > 3) {{ print {}, last; }} }}",
                typed(ins),
                typed(outs),
                ins[0],
                ins[0]
            ),
        );
    }
    line(&mut text, "}".to_owned());
    for (i, n) in numbered() {
        match i % 3 {
            0 => line(&mut text, function(i, n)),
            1 => line(&mut text, method(i, n)),
            _ => line(&mut text, format!("const {n}: int := {i}")),
        }
    }
    text
}

#[test]
fn every_name_of_ours_may_be_a_name_of_the_program() {
    let source = program(&names());
    let package = Package::new(&[("src/lib.dfy", &source)]);
    std::fs::copy(
        super::package::runtime().join("../Cargo.lock"),
        package.root().join("Cargo.lock"),
    )
    .unwrap();
    let run = package.run(&["gen", "--strength", "coverage"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    let (passed, text) = cargo_test(&package, "names");
    assert!(passed, "{text}");
}
