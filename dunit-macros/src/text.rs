//! Formats expressions as a person writes them: `stringify!` puts spaces between all tokens that
//! went through a macro.

use proc_macro2::{Delimiter, Group, Punct, Spacing, TokenStream, TokenTree};

/// Formats an expression on one line.
pub(crate) fn text(tokens: TokenStream) -> String {
    let mut writer = Writer {
        out: String::new(),
        last: Last::Operator,
        is_first: true,
        in_parameters: false,
        angles: 0,
    };
    for token in tokens {
        match token {
            TokenTree::Group(group) => writer.group(&group),
            TokenTree::Ident(word) => writer.word(&word.to_string()),
            TokenTree::Literal(literal) => writer.literal(&literal.to_string()),
            TokenTree::Punct(punct) => writer.punct(&punct),
        }
        writer.is_first = false;
    }
    writer.out
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

/// Writes tokens with the spaces that a person puts between them.
struct Writer {
    out: String,
    last: Last,
    is_first: bool,
    /// Whether the position is between the bars of a closure.
    in_parameters: bool,
    /// The number of open angle brackets.
    angles: usize,
}

impl Writer {
    /// Writes a space if it is wanted, except before the first token.
    fn space(&mut self, is_wanted: bool) {
        if is_wanted && !self.is_first {
            self.out.push(' ');
        }
    }

    /// Writes a sign without a space after the last token.
    fn push(&mut self, sign: char, last: Last) {
        self.out.push(sign);
        self.last = last;
    }

    fn group(&mut self, group: &Group) {
        let (open, close) = match group.delimiter() {
            Delimiter::Parenthesis => ("(", ")"),
            Delimiter::Bracket => ("[", "]"),
            Delimiter::Brace => ("{ ", " }"),
            Delimiter::None => ("", ""),
        };
        // Arguments and indices follow their operand without a space.
        let belongs = self.last == Last::Operand
            && !matches!(group.delimiter(), Delimiter::Brace | Delimiter::None);
        self.space(!belongs && self.last != Last::Glued);
        let mut inner = text(group.stream());
        if group.delimiter() == Delimiter::Bracket && inner.ends_with(',') {
            inner.pop();
        }
        match (inner.is_empty(), group.delimiter()) {
            (true, Delimiter::Brace) => self.out.push_str("{}"),
            (_, _) => [open, &inner, close]
                .iter()
                .for_each(|part| self.out.push_str(part)),
        }
        self.last = Last::Operand;
    }

    fn word(&mut self, word: &str) {
        self.space(self.last != Last::Glued);
        self.out.push_str(word);
        self.last = if WORDS.contains(&word) {
            Last::Word
        } else {
            Last::Operand
        };
    }

    fn literal(&mut self, literal: &str) {
        self.space(self.last != Last::Glued);
        self.out.push_str(literal);
        self.last = Last::Operand;
    }

    /// Writes a sign. Its meaning depends on what it follows: `<` may open generic arguments, `|`
    /// the parameters of a closure, and `-` may be a prefix.
    fn punct(&mut self, punct: &Punct) {
        let (sign, joint) = (punct.as_char(), punct.spacing() == Spacing::Joint);
        let is_glued = self.last == Last::Glued;
        // A sign that is the second part of an operator.
        let continues = is_glued && self.out.ends_with(|c: char| "=<>&|.:+-*/%^!".contains(c));
        let starts_operand = !continues && self.last != Last::Operand;
        match sign {
            ',' | ';' => self.push(sign, Last::Operator),
            '?' => self.push(sign, Last::Operand),
            '.' => self.push(sign, Last::Glued),
            ':' if joint || self.out.ends_with(':') => self.push(sign, Last::Glued),
            ':' => self.push(sign, Last::Operator),
            // The `!` of a macro call.
            '!' if self.last == Last::Operand && !joint => self.push(sign, Last::Operand),
            '|' if self.in_parameters => {
                self.push(sign, Last::Word);
                self.in_parameters = false;
            }
            '|' if starts_operand => {
                self.space(!is_glued);
                self.push(sign, Last::Glued);
                self.in_parameters = true;
            }
            '-' | '!' | '*' | '&' | '\'' if starts_operand => {
                self.space(!is_glued);
                self.push(sign, Last::Glued);
            }
            // Generic arguments of a path, `Seq::<Int>::new`, or the type at its start,
            // `<Ref<Node>>::null`.
            '<' if self.angles > 0 || self.out.ends_with("::") || starts_operand => {
                self.space(self.angles == 0 && !self.out.ends_with("::") && !is_glued);
                self.push(sign, Last::Glued);
                self.angles += 1;
            }
            '>' if self.angles > 0 && !self.out.ends_with('-') => {
                self.push(sign, Last::Operand);
                self.angles -= 1;
            }
            _ => {
                self.space(!continues);
                self.out.push(sign);
                self.last = if joint || self.out.ends_with("..=") {
                    Last::Glued
                } else {
                    Last::Operator
                };
            }
        }
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
