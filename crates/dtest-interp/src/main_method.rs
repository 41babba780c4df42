//! Execution of the program's `Main` method.

use std::rc::Rc;

use crate::Interp;
use crate::api::{MainResult, Outcome};
use crate::code::CodeKey;
use crate::heap::{self, State};
use crate::machine::Machine;
use crate::word::Word;
use dafny_resolve::typed::{CallableId, Type};
use dtest_ir::reason::NoValue;
use dtest_value::{Contents, Heap, Object, ObjectId, Value};

impl Interp<'_> {
    /// Runs the program's `Main` with command-line arguments. Output is passed to `sink` as it is
    /// printed. The exit status is Dafny's: 0, or 1 if the program halted.
    pub fn run_main(&self, args: &[String], sink: &mut dyn FnMut(&str)) -> MainResult {
        let stop = |outcome| MainResult {
            status: 1,
            outcome,
            deterministic: false,
        };
        let Some(main) = self.program.typed.main else {
            return stop(Outcome::Unsupported(NoValue::Main.into()));
        };
        let Some(code) = self.code(&CodeKey::Procedure(main)) else {
            return stop(Outcome::Unsupported(NoValue::MainBody.into()));
        };
        // A generic `Main` is run at `int`.
        let type_args = vec![Type::Int; self.program.typed.all_type_params(main).len()];
        let Some((state, words)) = self.main_arguments(main, args, &type_args) else {
            return stop(Outcome::Unsupported(NoValue::MainObject.into()));
        };
        let mut machine = Machine::new(self, state, self.limits.steps);
        machine.print_to(sink);
        match machine.execute(code, words, Rc::from(type_args), None) {
            Ok(_) => MainResult {
                status: 0,
                outcome: Outcome::Returned(Vec::new()),
                deterministic: machine.deterministic,
            },
            Err(outcome) => MainResult {
                status: 1,
                outcome: *outcome,
                deterministic: machine.deterministic,
            },
        }
    }

    /// Returns the arguments of `Main` (reference manual, "Main method"): a default receiver and
    /// the command-line arguments. Ghost parameters are unknown.
    fn main_arguments(
        &self,
        main: CallableId,
        args: &[String],
        type_args: &[Type],
    ) -> Option<(State, Vec<Word>)> {
        let program = &self.program.typed;
        let method = &program[main];
        let mut heap = Heap::default();
        let mut words = Vec::new();
        // A `Main` method of a class runs on a new object or value.
        if let Some(owner) = method.owner.filter(|_| !method.is_static) {
            let ty = Type::named(
                owner,
                type_args
                    .iter()
                    .take(program[owner].type_params.len())
                    .cloned()
                    .collect(),
            );
            if program.is_reference(&ty) {
                words.push(Word::Ref(ObjectId(0)));
                heap.objects
                    .push(Object::new(ty, Contents::Fields(Default::default())));
            } else {
                words.push(Word::of(self.default_value(&ty)?));
            }
        }
        for formal in &method.ins {
            words.push(if program[formal.local].ghost {
                Word::unknown(NoValue::GhostArgument)
            } else {
                // The first argument is the name of the program, as in compiled Dafny.
                let name = [String::from("dafny")];
                Word::of(Value::seq(
                    name.iter()
                        .chain(args)
                        .map(|a| text(a, program.options.unicode_char)),
                ))
            });
        }
        Some((heap::read_in(&heap), words))
    }
}

/// Creates a string value, in code points or code units.
fn text(s: &str, unicode: bool) -> Value {
    if unicode {
        Value::string(s)
    } else {
        Value::seq(s.encode_utf16().map(|u| Value::Char(u.into())))
    }
}
