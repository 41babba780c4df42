//! Tests of tokens: their kinds, their ends, and the texts that are no token.

use super::*;

/// Returns the tokens of a text, without its end.
fn tokens(text: &str) -> Vec<(Token, &str)> {
    let (tokens, _) = lex(0, text);
    assert_eq!(tokens.last().map(|t| t.0), Some(Token::Eof), "{text}");
    let text_of = |s: Span| text.get(s.start as usize..s.end as usize).unwrap();
    let inner = tokens.iter().take(tokens.len() - 1);
    inner.map(|(t, s)| (*t, text_of(*s))).collect()
}

/// Returns the texts of the tokens.
fn texts(text: &str) -> Vec<&str> {
    tokens(text).into_iter().map(|(_, t)| t).collect()
}

/// Returns the messages, each with the bytes that it marks.
fn errors(text: &str) -> Vec<(String, u32, u32)> {
    let mark = |d: Diagnostic| {
        let span = d.span.unwrap();
        (d.message, span.start, span.end)
    };
    lex(0, text).1.into_iter().map(mark).collect()
}

#[test]
fn names_may_contain_marks_and_digits_but_not_begin_with_a_digit() {
    assert_eq!(
        texts("a1 $x #y a.b x' _z ~t ^u `v ?w"),
        ["a1", "$x", "#y", "a.b", "x'", "_z", "~t", "^u", "`v", "?w"]
    );
    assert_eq!(tokens("1a"), [(Token::Digits, "1"), (Token::Word, "a")]);
}

#[test]
fn a_backslash_makes_a_name_of_a_keyword() {
    assert_eq!(tokens("\\int"), [(Token::Word, "\\int")]);
}

#[test]
fn numbers_have_kinds_by_their_suffixes() {
    for (text, kind) in [
        ("17", Token::Digits),
        ("5bv8", Token::Bv),
        ("1.5", Token::Decimal),
        ("15e-1", Token::Decimal),
        ("1.5e3", Token::Decimal),
        ("0x1.0e3f24e8", Token::Float),
        ("0x1.0e-3f24e8", Token::Float),
        ("0NaN24e8", Token::Float),
        ("0nan24e8", Token::Float),
        ("0+oo24e8", Token::Float),
        ("0-oo24e8", Token::Float),
    ] {
        assert_eq!(tokens(text), [(kind, text)]);
    }
}

#[test]
fn a_number_ends_where_its_suffix_is_incomplete() {
    for (text, parts) in [
        ("1.", vec!["1", "."]),
        ("1e", vec!["1", "e"]),
        ("1e-", vec!["1", "e", "-"]),
        ("5bv", vec!["5", "bv"]),
        ("0x1.0", vec!["0", "x1.0"]),
        ("0+oo", vec!["0", "+", "oo"]),
    ] {
        assert_eq!(texts(text), parts, "{text}");
    }
}

#[test]
fn the_longest_symbol_is_taken() {
    for (text, parts) in [
        ("<==>", vec!["<==>"]),
        ("<==", vec!["<=="]),
        ("<=", vec!["<="]),
        ("<:", vec!["<:"]),
        ("<", vec!["<"]),
        ("===", vec!["==", "="]),
        (":::", vec!["::", ":"]),
        ("a->b", vec!["a", "->", "b"]),
        ("a-b", vec!["a", "-", "b"]),
        ("|{}|", vec!["|{", "}|"]),
        ("***", vec!["**", "*"]),
        ("+++", vec!["++", "+"]),
    ] {
        assert_eq!(texts(text), parts, "{text}");
    }
}

#[test]
fn mathematical_symbols_stand_for_their_ascii_spelling() {
    for (text, ascii) in [
        ("∀", "forall"),
        ("∃", "exists"),
        ("λ", "lambda"),
        ("•", "::"),
        ("⇔", "<==>"),
        ("⇒", "==>"),
        ("⇐", "<=="),
        ("∧", "&&"),
        ("∨", "||"),
        ("¬", "!"),
        ("≠", "!="),
        ("≤", "<="),
        ("≥", ">="),
        ("≔", ":="),
    ] {
        assert_eq!(tokens(text), [(Token::Sym(ascii), text)]);
    }
}

#[test]
fn comments_and_white_space_separate_tokens() {
    assert_eq!(texts("a// b\nc"), ["a", "c"]);
    assert_eq!(texts("a/* b */c"), ["a", "c"]);
    assert_eq!(texts("a // to the end"), ["a"]);
}

#[test]
fn block_comments_nest() {
    assert_eq!(texts("/* a /* b */ c */ d"), ["d"]);
    assert_eq!(
        errors("x /* /* */"),
        [("unterminated comment".into(), 2, 4)]
    );
}

#[test]
fn a_string_may_contain_escaped_quotes_and_ends_on_its_line() {
    assert_eq!(
        tokens(r#""a\"b" c"#),
        [(Token::Str, r#""a\"b""#), (Token::Word, "c")]
    );
    let message = "unterminated string: it must end on the line that it begins on";
    assert_eq!(errors("\"ab\nc"), [(message.into(), 0, 3)]);
    assert_eq!(tokens("\"ab\nc").last(), Some(&(Token::Word, "c")));
}

#[test]
fn an_unknown_character_is_one_bad_token() {
    assert_eq!(
        tokens("a § b"),
        [(Token::Word, "a"), (Token::Bad, "§"), (Token::Word, "b")]
    );
    assert_eq!(errors("a § b"), [("unexpected character".into(), 2, 4)]);
}

#[test]
fn a_byte_order_mark_is_skipped() {
    assert_eq!(texts("\u{feff}a"), ["a"]);
    assert!(errors("\u{feff}a").is_empty());
}

#[test]
fn spans_begin_at_the_base_of_the_file() {
    let (tokens, _) = lex(100, "ab c");
    let spans: Vec<(u32, u32)> = tokens.iter().map(|t| (t.1.start, t.1.end)).collect();
    assert_eq!(spans, [(100, 102), (103, 104), (104, 104)]);
}

#[test]
fn only_the_taken_branch_of_a_directive_is_lexed() {
    assert_eq!(texts("#if FILE_0\na\n#else\nb\n#endif\nc"), ["a", "c"]);
    assert_eq!(texts("#if DEBUG\na\n#else\nb\n#endif\nc"), ["b", "c"]);
    assert_eq!(texts("#if !DEBUG\na\n#endif\nc"), ["a", "c"]);
}

#[test]
fn directives_nest() {
    let text = "#if DEBUG\n#if FILE_0\na\n#else\nb\n#endif\n#else\nc\n#endif";
    assert_eq!(texts(text), ["c"]);
}

#[test]
fn a_directive_needs_a_line_of_its_own() {
    assert_eq!(texts("x #if DEBUG"), ["x", "#if", "DEBUG"]);
}
