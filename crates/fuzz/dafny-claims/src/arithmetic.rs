//! False results of operations on numbers, computed here: Euclidean division, bitvectors of many
//! widths, conversions, characters.

use crate::table::{Basis, Options, Stage, Table};

/// Widths of bitvectors: around the limits of native integers, and none of them.
const WIDTHS: &[u32] = &[1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 48, 63, 64, 65, 67];

/// Proofs of a condition `$F`.
const PROOFS: &[(&str, &str)] = &[
    ("lemma", "lemma L() ensures $F { }"),
    ("assert", "method M() { assert $F; }"),
    ("constant", "ghost const c: bool := (assert $F; true)"),
    (
        "function",
        "ghost predicate P() { $F } lemma L() { assert P(); }",
    ),
    (
        "variables",
        "method M() { var z := $F; if !z { assert false; } }",
    ),
];

/// An equation `left == right`, in text, with the true right side and a false one.
struct Equation {
    name: String,
    left: String,
    right: String,
    wrong: String,
}

fn equation(
    name: impl Into<String>,
    left: String,
    right: u128,
    wrong: u128,
    unit: &str,
) -> Equation {
    Equation {
        name: name.into(),
        left,
        right: format!("{right}{unit}"),
        wrong: format!("{wrong}{unit}"),
    }
}

/// Operations of bitvectors of one width.
fn bitvectors(width: u32, equations: &mut Vec<Equation>) {
    let mask = (1u128 << width) - 1;
    // A pattern with both end bits set, one without, and the extremes.
    let patterns = [
        mask,
        1,
        1u128 << (width - 1),
        0x5555_5555_5555_5555_5555 & mask,
        (1u128 << (width - 1)) | 1,
    ];
    for (i, a) in patterns.into_iter().enumerate() {
        let b = patterns.get((i + 1) % patterns.len()).copied().unwrap_or(1);
        let bv = |n: u128| format!("({n} as bv{width})");
        let mut add = |op: &str, left: String, right: u128| {
            let right = right & mask;
            let wrong = (right + 1) & mask;
            equations.push(equation(
                format!("bv{width}-{op}-{i}"),
                left,
                right,
                wrong,
                "",
            ));
        };
        add("add", format!("{} + {}", bv(a), bv(b)), a + b);
        add(
            "subtract",
            format!("{} - {}", bv(a), bv(b)),
            (a + mask + 1) - b,
        );
        add("and", format!("({} & {})", bv(a), bv(b)), a & b);
        add("or", format!("({} | {})", bv(a), bv(b)), a | b);
        add("xor", format!("({} ^ {})", bv(a), bv(b)), a ^ b);
        add("not", format!("(!{})", bv(a)), !a);
        add("negate", format!("(-{})", bv(a)), (mask + 1) - a);
        if b != 0 {
            add("divide", format!("{} / {}", bv(a), bv(b)), a / b);
            add("modulo", format!("{} % {}", bv(a), bv(b)), a % b);
        }
        for shift in [0, 1, width / 2, width - 1, width] {
            add(
                &format!("left-{shift}"),
                format!("({} << {shift})", bv(a)),
                if shift == width { 0 } else { a << shift },
            );
            add(
                &format!("right-{shift}"),
                format!("({} >> {shift})", bv(a)),
                if shift == width { 0 } else { a >> shift },
            );
            let turn = shift % width;
            let rotated = if turn == 0 {
                a
            } else {
                (a << turn) | (a >> (width - turn))
            };
            add(
                &format!("rotate-left-{shift}"),
                format!("{}.RotateLeft({shift})", bv(a)),
                rotated,
            );
            let rotated = if turn == 0 {
                a
            } else {
                (a >> turn) | (a << (width - turn))
            };
            add(
                &format!("rotate-right-{shift}"),
                format!("{}.RotateRight({shift})", bv(a)),
                rotated,
            );
        }
        add("of-int", format!("({a} as bv{width})"), a);
        equations.push(equation(
            format!("bv{width}-to-int-{i}"),
            format!("{} as int", bv(a)),
            a,
            a + 1,
            "",
        ));
        equations.push(equation(
            format!("bv{width}-to-real-{i}"),
            format!("({} as int) as real", bv(a)),
            a,
            a + 1,
            ".0",
        ));
    }
}

/// Euclidean division and remainder of integers of both signs.
fn divisions(equations: &mut Vec<Equation>) {
    for a in [-8i64, -7, -3, -1, 0, 1, 3, 7, 8] {
        for b in [-7i64, -3, -2, -1, 1, 2, 3, 7] {
            for (name, symbol, result) in [
                ("divide", "/", a.div_euclid(b)),
                ("modulo", "%", a.rem_euclid(b)),
            ] {
                // A truncating or flooring division is the likely mistake.
                let truncated = if name == "divide" { a / b } else { a % b };
                let wrong = if truncated == result {
                    result + 1
                } else {
                    truncated
                };
                equations.push(Equation {
                    name: format!("int-{name}-{a}-{b}"),
                    left: format!("({a}) {symbol} ({b})"),
                    right: result.to_string(),
                    wrong: wrong.to_string(),
                });
            }
        }
    }
}

/// Roundings and conversions of reals, and characters.
fn others(equations: &mut Vec<Equation>) {
    for (tenths, floor) in [
        (-25, -3),
        (-20, -2),
        (-5, -1),
        (-1, -1),
        (0, 0),
        (5, 0),
        (20, 2),
        (29, 2),
    ] {
        let sign = if tenths < 0 { "-" } else { "" };
        let (whole, rest) = (tenths / 10i64, (tenths % 10i64).abs());
        equations.push(Equation {
            name: format!("floor-{tenths}"),
            left: format!("({sign}{}.{rest}).Floor", whole.abs()),
            right: floor.to_string(),
            wrong: (floor + 1).to_string(),
        });
    }
    for code in [
        0u32, 9, 10, 39, 65, 92, 127, 128, 0xD7FF, 0xE000, 0xFFFF, 0x1_0000, 0x10_FFFF,
    ] {
        equations.push(Equation {
            name: format!("char-{code}"),
            left: format!("('\\U{{{code:X}}}' as int)"),
            right: code.to_string(),
            wrong: (code + 1).to_string(),
        });
        equations.push(Equation {
            name: format!("char-length-{code}"),
            left: format!("|\"a\\U{{{code:X}}}b\"|"),
            right: "3".to_owned(),
            wrong: "4".to_owned(),
        });
        equations.push(Equation {
            name: format!("char-of-{code}"),
            left: format!("(({code} as char) as int)"),
            right: code.to_string(),
            wrong: "1".to_owned(),
        });
    }
}

/// Adds false equations in every kind of proof, by turns.
pub(crate) fn arithmetic(table: &mut Table) {
    let mut equations = Vec::new();
    WIDTHS
        .iter()
        .for_each(|width| bitvectors(*width, &mut equations));
    divisions(&mut equations);
    others(&mut equations);
    for (n, e) in equations.iter().enumerate() {
        let Some((proof, text)) = PROOFS.get(n % PROOFS.len()) else {
            continue;
        };
        if e.right == e.wrong {
            continue;
        }
        let with = |right: &str| text.replace("$F", &format!("({} == {right})", e.left));
        table.add(
            "arithmetic",
            &[&e.name, proof],
            Stage::Verify,
            Basis::Execution,
            Options::Default,
            with(&e.wrong),
            with(&e.right),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all_of(width: u32) -> Vec<Equation> {
        let mut equations = Vec::new();
        bitvectors(width, &mut equations);
        equations
    }

    fn right<'e>(equations: &'e [Equation], left: &str) -> Option<&'e str> {
        let found = equations.iter().find(|e| e.left == left);
        found.map(|e| e.right.as_str())
    }

    #[test]
    fn results_of_bitvectors_stay_within_their_width() {
        let equations = all_of(8);
        assert_eq!(right(&equations, "(255 as bv8) + (1 as bv8)"), Some("0"));
        assert_eq!(right(&equations, "(1 as bv8) - (128 as bv8)"), Some("129"));
        assert_eq!(right(&equations, "(129 as bv8).RotateLeft(1)"), Some("3"));
        assert_eq!(right(&equations, "((255 as bv8) << 8)"), Some("0"));
    }

    #[test]
    fn remainders_are_not_negative() {
        let mut equations = Vec::new();
        divisions(&mut equations);
        assert_eq!(right(&equations, "(-7) % (3)"), Some("2"));
        assert_eq!(right(&equations, "(-7) / (3)"), Some("-3"));
        assert_eq!(right(&equations, "(-7) / (-3)"), Some("3"));
    }
}
