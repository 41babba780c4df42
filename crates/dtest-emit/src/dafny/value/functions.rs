//! Converts functions to lambda expressions.

use dafny_resolve::typed::Type;
use dtest_value::{FunctionValue, Template, Value};

use super::super::Written;
use super::Values;

/// Maximum number of rows of a function that are written as conditions; larger tables become maps.
const MAX_CONDITIONS: usize = 8;

impl Values<'_, '_> {
    /// Writes a function as a lambda expression.
    pub(in crate::dafny) fn function(
        &mut self,
        f: &FunctionValue,
        params: &[Type],
        result: &Type,
    ) -> Written<String> {
        let names: Vec<String> = match params.len() {
            1 => vec!["x".into()],
            n => (0..n).map(|i| format!("x{i}")).collect(),
        };
        let mut typed = Vec::new();
        for (n, t) in names.iter().zip(params) {
            typed.push(format!("{n}: {}", self.names.ty(t)?));
        }
        let head = format!("({})", typed.join(", "));
        Ok(match f {
            FunctionValue::Table { entries, default } => {
                let body = self.table(&names, entries, default, params, result)?;
                format!("({head} => {body})")
            }
            FunctionValue::Template(template) => {
                format!("({head} => {})", self.template(template, &names, result)?)
            }
            FunctionValue::Partial {
                function,
                elsewhere,
                exceptions,
            } => {
                let inner = self.function(function, params, result)?;
                let mut tests = Vec::new();
                for args in exceptions {
                    tests.push(format!("({})", self.equals(&names, args, params)?));
                }
                let any = tests.join(" || ");
                let requires = match (tests.is_empty(), elsewhere) {
                    (true, elsewhere) => elsewhere.to_string(),
                    (false, true) => format!("!({any})"),
                    (false, false) => any,
                };
                format!(
                    "({head} requires {requires} => {inner}({}))",
                    names.join(", ")
                )
            }
            FunctionValue::Named {
                callee,
                receiver,
                type_args,
            } => {
                let c = &self.names.program[*callee];
                match receiver {
                    None => self.names.callable(*callee, type_args)?,
                    Some(receiver @ Value::Ref(object)) => {
                        let ty = self
                            .object_type(*object)
                            .ok_or("an object that is not there")?;
                        format!("{}.{}", self.value(receiver, &ty)?, c.name)
                    }
                    Some(_) => return Err("a method with its receiver as an input".into()),
                }
            }
            FunctionValue::Closure { .. } => {
                return Err("a lambda expression of the program as an input".into());
            }
        })
    }

    /// Writes the result of a function that the search tries for any parameter.
    fn template(&self, template: &Template, names: &[String], result: &Type) -> Written<String> {
        Ok(match (template, names) {
            (Template::Identity, [x]) => x.clone(),
            (Template::Less, [x, y]) => format!("{x} < {y}"),
            (Template::AtMost, [x, y]) => format!("{x} <= {y}"),
            (Template::Equal, [x, y]) => format!("{x} == {y}"),
            (Template::Add, [x, y]) => format!("{x} + {y}"),
            (Template::Successor, [x])
                if self.names.program.representation(result) == Type::Real =>
            {
                format!("{x} + 1.0")
            }
            (Template::Successor, [x]) => format!("{x} + 1"),
            (Template::Mix, [x, y]) => format!("{x} + {x} + {y}"),
            (Template::Odd, [x]) => format!("{x} % 2 == 1"),
            (_, _) => return Err("a function of other parameters".into()),
        })
    }

    fn equals(&mut self, names: &[String], args: &[Value], params: &[Type]) -> Written<String> {
        let mut parts = Vec::new();
        for ((name, value), ty) in names.iter().zip(args).zip(params) {
            parts.push(format!("{name} == {}", self.value(value, ty)?));
        }
        Ok(if parts.is_empty() {
            "true".into()
        } else {
            parts.join(" && ")
        })
    }

    /// Writes the result of a table: a chain of conditions, or a map lookup.
    pub(in crate::dafny) fn table(
        &mut self,
        names: &[String],
        entries: &[(Vec<Value>, Value)],
        default: &Value,
        params: &[Type],
        result: &Type,
    ) -> Written<String> {
        let default = self.value(default, result)?;
        // Few entries become a chain of conditionals, many a lookup in a map.
        if entries.len() <= MAX_CONDITIONS {
            let mut out = String::new();
            for (args, value) in entries {
                let condition = self.equals(names, args, params)?;
                let value = self.value(value, result)?;
                out.push_str(&format!("if {condition} then {value} else "));
            }
            return Ok(out + &default);
        }
        let tuple = |texts: Vec<String>| match texts.as_slice() {
            [one] => one.clone(),
            many => format!("({})", many.join(", ")),
        };
        let key_type = match params {
            [one] => one.clone(),
            many => Type::Tuple(many.iter().map(|t| (false, t.clone())).collect()),
        };
        let ty = Type::Map {
            finite: true,
            key: Box::new(key_type),
            value: Box::new(result.clone()),
        };
        let all: Vec<&(Vec<Value>, Value)> = entries.iter().collect();
        let map = self.pieces(&all, ("map[", "]"), &ty, &mut |me, (args, value)| {
            let keys: Written<Vec<String>> = args
                .iter()
                .zip(params)
                .map(|(a, t)| me.value(a, t))
                .collect();
            Ok(format!("{} := {}", tuple(keys?), me.value(value, result)?))
        })?;
        let name = self.fresh("results");
        let text = format!("var {name}: {} := {map};", self.names.ty(&ty)?);
        self.line(text);
        let key = tuple(names.to_vec());
        Ok(format!(
            "if {key} in {name} then {name}[{key}] else {default}"
        ))
    }
}
