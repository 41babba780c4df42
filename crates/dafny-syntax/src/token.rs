//! The tokens that the lexer passes to the parser.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use dafny_source::Span;

/// A token: its kind and its span. Its text is in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// The kind of the token.
    pub kind: TokenKind,
    /// The source range.
    pub span: Span,
}

macro_rules! token_kinds {
    (
        classes { $($(#[$class_doc:meta])* $class:ident = $class_text:literal,)* }
        symbols { $($symbol:ident = $symbol_text:literal,)* }
        keywords { $($keyword:ident = $keyword_text:literal,)* }
    ) => {
        /// The kinds of tokens. Symbols and reserved words have one kind each.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[allow(missing_docs, reason = "symbols and keywords are their own documentation")]
        pub enum TokenKind {
            $($(#[$class_doc])* $class,)*
            $($symbol,)*
            $($keyword,)*
        }

        impl TokenKind {
            /// The token as messages name it: `` `:=` ``, `an identifier`.
            pub fn describe(self) -> &'static str {
                match self {
                    $(TokenKind::$class => $class_text,)*
                    $(TokenKind::$symbol => concat!("`", $symbol_text, "`"),)*
                    $(TokenKind::$keyword => concat!("`", $keyword_text, "`"),)*
                }
            }
        }

        static KEYWORDS: LazyLock<FxHashMap<&'static str, TokenKind>> =
            LazyLock::new(|| [$(($keyword_text, TokenKind::$keyword),)*].into_iter().collect());

        /// The texts of all reserved words, and of words with a meaning in some contexts.
        pub const KEYWORD_TEXTS: &[&str] = &[$($keyword_text,)*];
    };
}

token_kinds! {
    classes {
        /// The end of the file.
        Eof = "the end of the file",
        /// An identifier.
        Ident = "an identifier",
        /// A decimal natural number.
        Digits = "a number",
        /// A hexadecimal number `0x1F`.
        HexDigits = "a hexadecimal number",
        /// A real number `1.5`, `1e3` or `.5`.
        Real = "a real number",
        /// A character `'c'`.
        Char = "a character",
        /// A string `"…"`.
        String = "a string",
        /// A verbatim string `@"…"`.
        VerbatimString = "a verbatim string",
        /// A type that is a reserved word, such as `bool`, `int`, `bv8` and `array2?`. It cannot
        /// occur in expressions.
        BuiltinType = "a type",
        /// A text that is no token. The lexer has reported it.
        Bad = "an unknown character",
    }
    symbols {
        LBraceColon = "{:",
        LBrace = "{",
        RBrace = "}",
        LParen = "(",
        RParen = ")",
        LBracket = "[",
        RBracket = "]",
        Comma = ",",
        Semi = ";",
        Colon = ":",
        ColonColon = "::",
        Gets = ":=",
        SuchThat = ":|",
        Elephant = ":-",
        Dot = ".",
        DotDot = "..",
        Ellipsis = "...",
        SingleEq = "=",
        Eq = "==",
        Implies = "==>",
        FatArrow = "=>",
        Lt = "<",
        Le = "<=",
        Explies = "<==",
        Iff = "<==>",
        Gt = ">",
        Ge = ">=",
        Not = "!",
        Ne = "!=",
        NotIn = "!in",
        Plus = "+",
        Minus = "-",
        Star = "*",
        Slash = "/",
        Percent = "%",
        Amp = "&",
        AndAnd = "&&",
        Bar = "|",
        OrOr = "||",
        Caret = "^",
        Tilde = "~",
        Arrow = "->",
        PartialArrow = "-->",
        GeneralArrow = "~>",
        Hash = "#",
        At = "@",
        Backtick = "\u{60}",
    }
    keywords {
        Abstract = "abstract",
        Allocated = "allocated",
        As = "as",
        Assert = "assert",
        Assigned = "assigned",
        Assume = "assume",
        Break = "break",
        By = "by",
        Calc = "calc",
        Case = "case",
        Class = "class",
        Codatatype = "codatatype",
        Colemma = "colemma",
        Const = "const",
        Constructor = "constructor",
        Continue = "continue",
        Copredicate = "copredicate",
        Datatype = "datatype",
        Decreases = "decreases",
        Else = "else",
        Ensures = "ensures",
        Exists = "exists",
        Expect = "expect",
        Export = "export",
        Extends = "extends",
        False = "false",
        For = "for",
        Forall = "forall",
        Fresh = "fresh",
        Function = "function",
        Ghost = "ghost",
        Greatest = "greatest",
        Hide = "hide",
        If = "if",
        Imap = "imap",
        Import = "import",
        In = "in",
        Include = "include",
        Inductive = "inductive",
        Invariant = "invariant",
        Is = "is",
        Iset = "iset",
        Iterator = "iterator",
        Label = "label",
        Least = "least",
        Lemma = "lemma",
        Map = "map",
        Match = "match",
        Method = "method",
        Modifies = "modifies",
        Modify = "modify",
        Module = "module",
        Multiset = "multiset",
        Nameonly = "nameonly",
        New = "new",
        Newtype = "newtype",
        Nonincreases = "nonincreases",
        Null = "null",
        Old = "old",
        Older = "older",
        Opaque = "opaque",
        Opened = "opened",
        Predicate = "predicate",
        Print = "print",
        Provides = "provides",
        Reads = "reads",
        Refines = "refines",
        Replaceable = "replaceable",
        Replaces = "replaces",
        Requires = "requires",
        Return = "return",
        Returns = "returns",
        Reveal = "reveal",
        Reveals = "reveals",
        Seq = "seq",
        Set = "set",
        Static = "static",
        Then = "then",
        This = "this",
        Trait = "trait",
        True = "true",
        Twostate = "twostate",
        Type = "type",
        Unchanged = "unchanged",
        Var = "var",
        While = "while",
        Witness = "witness",
        Yield = "yield",
        Yields = "yields",
    }
}

impl TokenKind {
    /// The kind of a word: a keyword, a type that is a reserved word, or an identifier.
    pub fn of_word(word: &str) -> Self {
        if let Some(&kind) = KEYWORDS.get(word) {
            return kind;
        }
        if is_builtin_type(word) {
            Self::BuiltinType
        } else {
            Self::Ident
        }
    }

    /// Whether the token can be a name: an identifier, or a word that is reserved only in some
    /// contexts.
    pub fn is_name(self) -> bool {
        use TokenKind as T;
        matches!(
            self,
            T::Ident | T::Least | T::Greatest | T::Older | T::Opaque | T::Hide | T::Reveal
        )
    }

    /// Whether the token may end a complete expression, so that a following `.5` is a member and
    /// not a number.
    pub fn may_end_expression(self) -> bool {
        use TokenKind as T;
        let closing = matches!(
            self,
            T::RParen | T::RBracket | T::RBrace | T::This | T::Null | T::True | T::False
        );
        closing
            || self.is_name()
            || matches!(
                self,
                T::Digits | T::HexDigits | T::Real | T::Char | T::String | T::VerbatimString
            )
    }

    /// Whether the token may begin a declaration. Error recovery stops there.
    pub fn begins_declaration(self) -> bool {
        use TokenKind as T;
        self.is_type_declaration_keyword()
            || self.begins_member()
            || matches!(self, T::Module | T::Import | T::Export | T::Include)
    }

    fn is_type_declaration_keyword(self) -> bool {
        use TokenKind as T;
        matches!(
            self,
            T::Class | T::Trait | T::Datatype | T::Codatatype | T::Newtype | T::Type | T::Iterator
        )
    }

    /// Whether the token can only begin a member, or be a modifier before a declaration.
    pub fn begins_member(self) -> bool {
        use TokenKind as T;
        matches!(
            self,
            T::Method
                | T::Function
                | T::Predicate
                | T::Lemma
                | T::Constructor
                | T::Copredicate
                | T::Colemma
                | T::Inductive
                | T::Twostate
                | T::Const
                | T::Static
                | T::Abstract
        )
    }

    /// Whether the token begins a statement and no expression.
    pub fn begins_statement(self) -> bool {
        use TokenKind as T;
        matches!(
            self,
            T::Var
                | T::While
                | T::For
                | T::Return
                | T::Yield
                | T::Print
                | T::Modify
                | T::Label
                | T::Break
                | T::Continue
        ) || matches!(
            self,
            T::If | T::Match | T::Assert | T::Assume | T::Expect | T::Forall | T::Calc | T::Reveal
        )
    }
}

fn is_builtin_type(word: &str) -> bool {
    match word {
        "bool" | "char" | "int" | "nat" | "real" | "ORDINAL" | "object" | "object?" | "string" => {
            true
        }
        "array" | "array?" | "bv0" => true,
        other => {
            let digits = |text: &str, least_two: bool| {
                let plain = !text.is_empty()
                    && text.bytes().all(|b| b.is_ascii_digit())
                    && !text.starts_with('0');
                plain && !(least_two && text == "1")
            };
            other
                .strip_prefix("bv")
                .is_some_and(|rest| digits(rest, false))
                || other
                    .strip_prefix("array")
                    .is_some_and(|rest| digits(rest.strip_suffix('?').unwrap_or(rest), true))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::TokenKind as T;

    #[test]
    fn words_are_keywords_types_or_names() {
        for (word, kind) in [
            ("method", T::Method),
            ("bv8", T::BuiltinType),
            ("bv08", T::Ident),
            ("array2?", T::BuiltinType),
            ("array1", T::Ident),
            ("array", T::BuiltinType),
            ("arrays", T::Ident),
            ("Tree?", T::Ident),
            ("to", T::Ident),
        ] {
            assert_eq!(T::of_word(word), kind, "{word}");
        }
    }
}
