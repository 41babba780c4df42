//! A port of `fixtures/expression`, with its test vectors: `cargo run --example expression VECTORS`.

use std::collections::BTreeMap;

use vectors::{Unit, Value, field, from_int, int, items, json, text};

#[derive(Clone, PartialEq)]
enum Expr {
    Lit(i128),
    Var(String),
    Binary(String, Box<Expr>, Box<Expr>),
    IfZero(Box<[Expr; 3]>),
}

use Expr::{Binary, IfZero, Lit, Var};

fn eval(e: &Expr, env: &BTreeMap<String, i128>) -> Option<i128> {
    match e {
        Lit(n) => Some(*n),
        Var(x) => env.get(x).copied(),
        Binary(operator, a, b) => match (operator.as_str(), eval(a, env)?, eval(b, env)?) {
            ("Add", a, b) => Some(a + b),
            ("Mul", a, b) => Some(a * b),
            (_, a, b) => a.checked_div_euclid(b),
        },
        IfZero(parts) => {
            let [cond, zero, other] = &**parts;
            eval(if eval(cond, env)? == 0 { zero } else { other }, env)
        }
    }
}

fn size(e: &Expr) -> i128 {
    match e {
        Lit(_) | Var(_) => 1,
        Binary(_, a, b) => 1 + size(a) + size(b),
        IfZero(parts) => 1 + parts.iter().map(size).sum::<i128>(),
    }
}

fn simplify(e: Expr) -> Expr {
    match &e {
        Binary(operator, a, b) => match (operator.as_str(), &**a, &**b) {
            ("Add", Lit(0), x) | ("Add", x, Lit(0)) | ("Mul", Lit(1), x) | ("Mul", x, Lit(1)) => x.clone(),
            ("Add", Lit(a), Lit(b)) => Lit(a + b),
            ("Mul", Lit(0), Lit(_)) => Lit(0),
            _ => e,
        },
        IfZero(parts) => match &**parts {
            [Lit(n), zero, other] => if *n == 0 { zero } else { other }.clone(),
            _ => e,
        },
        _ => e,
    }
}

fn read(v: &Value) -> Expr {
    let part = |name| read(field(v, name));
    match v["constructor"].as_str() {
        Some("Lit") => Lit(int(field(v, "value"))),
        Some("Var") => Var(text(field(v, "name"))),
        Some("IfZero") => IfZero(Box::new([part("cond"), part("then_"), part("else_")])),
        operator => Binary(operator.expect("a constructor").into(), Box::new(part("left")), Box::new(part("right"))),
    }
}

fn write(e: &Expr) -> Value {
    let (constructor, fields) = match e {
        Lit(n) => ("Lit", json!({"value": from_int(*n)})),
        Var(x) => ("Var", json!({"name": {"chars": x.chars().map(|c| c as u32).collect::<Vec<_>>()}})),
        Binary(operator, a, b) => (operator.as_str(), json!({"left": write(a), "right": write(b)})),
        IfZero(parts) => {
            let [cond, zero, other] = parts.each_ref().map(write);
            ("IfZero", json!({"cond": cond, "then_": zero, "else_": other}))
        }
    };
    json!({"constructor": constructor, "datatype": "Expression.Expr", "fields": fields})
}

fn option(v: Option<i128>) -> Value {
    let (constructor, fields) = match v {
        None => ("None", json!({})),
        Some(n) => ("Some", json!({"value": from_int(n)})),
    };
    json!({"constructor": constructor, "datatype": "Expression.Option", "fields": fields})
}

fn main() {
    let units: [(&str, Unit); 3] = [
        ("Expression.Eval", |args, _| {
            let env = items(&args[1]).iter().map(|pair| (text(&pair[0]), int(&pair[1]))).collect();
            vec![option(eval(&read(&args[0]), &env))]
        }),
        ("Expression.Size", |args, _| vec![from_int(size(&read(&args[0])))]),
        ("Expression.Simplify", |args, _| vec![write(&simplify(read(&args[0])))]),
    ];
    let passed = vectors::run(std::env::args().skip(1), &units);
    std::process::exit(i32::from(!passed));
}
