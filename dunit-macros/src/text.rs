//! Formats expressions as a person writes them: `stringify!` puts spaces between all tokens that
//! went through a macro.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};

/// Formats an expression on one line.
pub(crate) fn text(tokens: TokenStream) -> String {
    let mut out = String::new();
    write(tokens, &mut out);
    out
}

/// The kind of the last token, which determines whether a space follows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    /// Nothing yet, or an operator that expects an operand: a following `-`, `*`, `&` or `!` is a
    /// prefix.
    Operator,
    /// A name, literal or bracket: an operand, or the end of one.
    Operand,
    /// A prefix, `.`, `::`, or the first part of an operator: no space follows.
    Glued,
    /// A keyword such as `as` or `if`: an operand follows, after a space.
    Word,
}

const WORDS: [&str; 11] = [
    "as", "if", "else", "match", "in", "return", "move", "mut", "let", "ref", "for",
];

fn write(tokens: TokenStream, out: &mut String) {
    let mut last = Last::Operator;
    let mut first = true;
    // Whether the position is between the bars of a closure.
    let mut parameters = false;
    // The number of open angle brackets.
    let mut angles = 0usize;
    for token in tokens {
        let space = |out: &mut String, wanted: bool| {
            if wanted && !first {
                out.push(' ');
            }
        };
        match token {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::Brace => ("{ ", " }"),
                    Delimiter::None => ("", ""),
                };
                // Arguments and indices follow their operand without a space.
                let belongs = last == Last::Operand
                    && !matches!(group.delimiter(), Delimiter::Brace | Delimiter::None);
                space(out, !belongs && last != Last::Glued);
                let mut inner = text(group.stream());
                if group.delimiter() == Delimiter::Bracket && inner.ends_with(',') {
                    inner.pop();
                }
                match (inner.is_empty(), group.delimiter()) {
                    (true, Delimiter::Brace) => out.push_str("{}"),
                    (_, _) => [open, &inner, close]
                        .iter()
                        .for_each(|part| out.push_str(part)),
                }
                last = Last::Operand;
            }
            TokenTree::Ident(word) => {
                let word = word.to_string();
                space(out, last != Last::Glued);
                out.push_str(&word);
                last = if WORDS.contains(&word.as_str()) {
                    Last::Word
                } else {
                    Last::Operand
                };
            }
            TokenTree::Literal(literal) => {
                space(out, last != Last::Glued);
                out.push_str(&literal.to_string());
                last = Last::Operand;
            }
            TokenTree::Punct(punct) => {
                let (sign, joint) = (punct.as_char(), punct.spacing() == Spacing::Joint);
                let continues =
                    last == Last::Glued && out.ends_with(|c: char| "=<>&|.:+-*/%^!".contains(c));
                match sign {
                    ',' | ';' | '?' => {
                        out.push(sign);
                        last = if sign == '?' {
                            Last::Operand
                        } else {
                            Last::Operator
                        };
                    }
                    '.' => {
                        out.push(sign);
                        last = Last::Glued;
                    }
                    ':' if joint || out.ends_with(':') => {
                        out.push(sign);
                        last = Last::Glued;
                    }
                    ':' => {
                        out.push(sign);
                        last = Last::Operator;
                    }
                    // The `!` of a macro call.
                    '!' if last == Last::Operand && !joint => out.push(sign),
                    '|' if parameters => {
                        out.push(sign);
                        parameters = false;
                        last = Last::Word;
                    }
                    '|' if !continues && last != Last::Operand => {
                        space(out, last != Last::Glued);
                        out.push(sign);
                        parameters = true;
                        last = Last::Glued;
                    }
                    '-' | '!' | '*' | '&' | '\'' if !continues && last != Last::Operand => {
                        space(out, last != Last::Glued);
                        out.push(sign);
                        last = Last::Glued;
                    }
                    // Generic arguments of a path, `Seq::<Int>::new`, or the type at its start,
                    // `<Ref<Node>>::null`.
                    '<' if angles > 0
                        || out.ends_with("::")
                        || (!continues && last != Last::Operand) =>
                    {
                        space(
                            out,
                            angles == 0 && !out.ends_with("::") && last != Last::Glued,
                        );
                        out.push(sign);
                        angles += 1;
                        last = Last::Glued;
                    }
                    '>' if angles > 0 && !out.ends_with('-') => {
                        out.push(sign);
                        angles -= 1;
                        last = Last::Operand;
                    }
                    _ => {
                        space(out, !continues);
                        out.push(sign);
                        last = if joint || out.ends_with("..=") {
                            Last::Glued
                        } else {
                            Last::Operator
                        };
                    }
                }
            }
        }
        first = false;
    }
}

#[cfg(test)]
mod tests {
    use super::text;

    #[test]
    fn expressions_are_as_they_are_written() {
        let written = [
            "int(-1)",
            "a + b * (c - 1)",
            "!result || (n == x.len() || n != y.len())",
            "x.at(&int(2))[0]",
            "seq![3u8, 2, 7]",
            "format!(\"{e:?}\")",
            "*this.head() == -x",
            "a as i32 <= -1 && !b",
            "Seq::<Int>::new().len() >= 1",
            "forall_in(0, s.len() - 1, |i| s[i] <= s[i + 1])",
            "if a { b } else { -c }",
            "Shape::Dot { x: int(1), y: &z }",
            "(a, -b, 'c')",
            "map![int(0) => str(\"a\")]",
            "f()? == g::<u8>(&mut h)",
            "1..=n",
            "seq![<Ref<Item>>::null(), x.clone()]",
            "<Seq<Map<Int, Ref<Item>>> as DafnyDefault>::dafny_default() == y",
            "upcast::<dyn Priced, _>(&item) < a",
            "a || f(|| b | c, move |d: &Int| d.clone())",
        ];
        for expression in written {
            assert_eq!(text(expression.parse().unwrap()), expression);
        }
        assert_eq!(
            text("seq![\n    f(a),\n    (b,),\n]".parse().unwrap()),
            "seq![f(a), (b,)]"
        );
    }
}
