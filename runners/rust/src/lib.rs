//! Runs the test vectors of `cargo dtest gen --emit vectors` on a port in Rust.
//!
//! Values are JSON as in the file: Rust's types cannot be made from it without a conversion, and a port has its own.
//! [`int`], [`text`], [`items`] and [`field`] read them. Objects are in a [`Heap`]: a unit reads the fields or elements
//! of its inputs there, and writes them back.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};

pub use serde_json::{Value, json};

/// Objects by their ids, as in the file: `{"class": …, "fields": {…}}` or `{"array": […], "elements": […]}`.
pub type Heap = BTreeMap<u64, Value>;

/// A unit: its inputs and the objects, to its results in order. A panic is a halt.
pub type Unit = fn(&[Value], &mut Heap) -> Vec<Value>;

/// Returns an integer: a number, or a string of digits.
pub fn int(v: &Value) -> i128 {
    let digits = v.as_str().map_or_else(|| v.to_string(), str::to_owned);
    digits.parse().unwrap_or_else(|_| panic!("{v} is no integer of 128 bits"))
}

/// Converts an integer.
pub fn from_int(n: i128) -> Value {
    if n.unsigned_abs() < 1 << 53 { json!(n as i64) } else { json!(n.to_string()) }
}

/// Returns a `seq<char>`.
pub fn text(v: &Value) -> String {
    items(v).iter().filter_map(|c| char::from_u32(int(c) as u32)).collect()
}

/// Returns the elements of a collection or tuple, or the pairs of a map.
pub fn items(v: &Value) -> &[Value] {
    v.as_object().and_then(|o| o.values().find_map(Value::as_array)).expect("a collection")
}

/// Returns a field of a datatype value or of an object.
pub fn field<'v>(v: &'v Value, name: &str) -> &'v Value {
    &v["fields"][name]
}

/// Returns the id of an object.
pub fn id(v: &Value) -> u64 {
    v["ref"].as_u64().expect("a reference")
}

/// Runs the tests of files. Returns whether all tests passed that the port has a unit for.
pub fn run(files: impl Iterator<Item = String>, units: &[(&str, Unit)]) -> bool {
    let mut counts = [0; 3];
    std::panic::set_hook(Box::new(|_| {}));
    for path in files {
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| exit(&format!("{path}: {e}")));
        let mut lines = text.lines().map(|l| serde_json::from_str::<Value>(l).unwrap_or_else(|e| exit(&format!("{path}: {e}"))));
        if lines.next().is_none_or(|header| header["schema"] != 1) {
            exit(&format!("{path}: this runner reads schema 1"));
        }
        for test in lines {
            let unit = units.iter().find(|(path, _)| test["unit"] == *path || *path == "*");
            let (verdict, reason) = match unit {
                Some((_, unit)) if test["answers"] == json!([]) => match Run::new(&test).run(*unit) {
                    Ok(()) => (0, String::new()),
                    Err(wrong) => (1, format!(" ({wrong})")),
                },
                Some(_) => (2, " (it needs the answers of external code or of a mock)".into()),
                None => (2, format!(" (the port has no unit {})", test["unit"])),
            };
            counts[verdict] += 1;
            println!("{}: {}{reason}", test["test"].as_str().unwrap_or_default(), ["passed", "FAILED", "not run"][verdict]);
        }
    }
    println!("{} passed, {} failed, {} not run", counts[0], counts[1], counts[2]);
    counts[0] > 0 && counts[1] == 0
}

fn exit(message: &str) -> ! {
    eprintln!("{message}");
    std::process::exit(2)
}

struct Run<'t> {
    test: &'t Value,
    heap: Heap,
    /// The ids of the file to those of the heap: new objects have the ids that the port chose.
    ids: BTreeMap<u64, u64>,
    compared: BTreeSet<u64>,
}

impl<'t> Run<'t> {
    fn new(test: &'t Value) -> Self {
        let objects = test["objects"].as_array().into_iter().flatten();
        let heap: Heap = objects.filter_map(|o| Some((o["id"].as_u64()?, o.clone()))).collect();
        Self { test, ids: heap.keys().map(|id| (*id, *id)).collect(), heap, compared: BTreeSet::new() }
    }

    fn run(mut self, unit: Unit) -> Result<(), String> {
        let inputs: Vec<Value> = self.test["inputs"].as_array().into_iter().flatten().map(|i| i["value"].clone()).collect();
        let got = catch_unwind(AssertUnwindSafe(|| unit(&inputs, &mut self.heap)));
        let got = match (got, self.test["outcome"].as_str()) {
            (Ok(_), Some("halts")) => return Err(format!("it returns, but the expectation at {} fails", self.test["halts_at"])),
            (Ok(got), _) => got,
            (Err(_), Some("returns")) => return Err("it panics".into()),
            (Err(_), _) => return Ok(()),
        };
        for (i, want) in self.test["results"].as_array().into_iter().flatten().enumerate() {
            self.compare(&want["value"], got.get(i).unwrap_or(&Value::Null), &want["name"].to_string())?;
        }
        for object in self.test["objects_after"].as_array().into_iter().flatten() {
            self.state(object["id"].as_u64().unwrap_or_default())?;
        }
        Ok(())
    }

    fn compare(&mut self, want: &Value, got: &Value, place: &str) -> Result<(), String> {
        let wrong = || Err(format!("{place}: {got} instead of {want}"));
        match (want, got) {
            (Value::Object(w), _) if w.contains_key("any") || w.contains_key("function") => Ok(()),
            (Value::Object(w), Value::Object(g)) if w.contains_key("ref") && g.contains_key("ref") => {
                let known = *self.ids.entry(id(want)).or_insert(id(got));
                if known != id(got) || self.ids.values().filter(|i| **i == known).count() > 1 { wrong() } else { self.state(id(want)) }
            }
            // The order of sets, multisets and maps has no meaning.
            (Value::Object(w), Value::Object(_)) if ["set", "multiset", "map"].iter().any(|kind| w.contains_key(*kind) && got.get(kind).is_some()) => {
                let sorted = |v: &Value| { let mut all = items(v).to_vec(); all.sort_by_key(Value::to_string); all };
                self.compare(&json!(sorted(want)), &json!(sorted(got)), place)
            }
            (Value::Object(w), Value::Object(g)) if w.keys().eq(g.keys()) => {
                w.iter().try_for_each(|(k, v)| self.compare(v, &g[k], &format!("{place}.{k}")))
            }
            (Value::Array(w), Value::Array(g)) if w.len() == g.len() => {
                w.iter().zip(g).enumerate().try_for_each(|(i, (v, g))| self.compare(v, g, &format!("{place}[{i}]")))
            }
            (Value::Object(_) | Value::Array(_), _) => wrong(),
            _ => if want == got { Ok(()) } else { wrong() },
        }
    }

    fn state(&mut self, id: u64) -> Result<(), String> {
        let after = self.test["objects_after"].as_array().into_iter().flatten();
        let want = after.filter(|o| o["id"] == id).find_map(|o| Some((o, self.heap.get(self.ids.get(&id)?)?.clone())));
        let Some((want, got)) = want.filter(|_| self.compared.insert(id)) else { return Ok(()) };
        let part = if want.get("elements").is_some() { "elements" } else { "fields" };
        self.compare(&want[part], &got[part], &format!("object {id}"))
    }
}
