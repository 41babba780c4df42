//! Lookahead: predicates that select an alternative of the grammar where the next token does not.
//!
//! Each one inspects a bounded number of tokens and consumes none. The hard part is `<`, which may
//! begin type arguments or be a comparison ([`Parser::is_generic_instantiation`]).

use super::super::token::TokenKind as T;
use super::{Mode, Parser};

/// The maximum nesting of a type list that lookahead scans.
const MAX_TYPE_NESTING: u32 = 200;

/// The reason why a scan found no types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoTypes {
    /// Another token stands where the grammar of types needs one of its own.
    Token,
    /// The text was like types up to [`MAX_TYPE_NESTING`].
    TooDeep,
}

/// The place after the scanned types.
type Scan = Result<usize, NoTypes>;

impl Parser<'_> {
    /// Whether the next tokens are `a:`, the label of an assertion or precondition.
    pub(super) fn is_label(&self) -> bool {
        (self.at_name() || self.at(T::Digits)) && self.nth(1) == T::Colon
    }

    /// Whether the next tokens are `x :=`, the start of a named argument.
    pub(super) fn is_binding(&self) -> bool {
        (self.at_name() || self.at(T::Digits)) && self.nth(1) == T::Gets
    }

    /// Whether the next tokens are `case` or `{ case`, the start of guarded alternatives.
    pub(super) fn is_alternative(&self) -> bool {
        self.at(T::Case) || (self.at(T::LBrace) && self.nth(1) == T::Case)
    }

    /// Whether the next tokens are `(a b x:`, the start of a function's named result.
    pub(super) fn is_paren_idents_colon(&self) -> bool {
        if !self.at(T::LParen) {
            return false;
        }
        let mut ahead = 1;
        while self.nth(ahead).is_name() || self.nth(ahead) == T::Ghost {
            ahead += 1;
        }
        (ahead > 1 && self.nth(ahead) == T::Colon) || self.nth(1) == T::LBraceColon
    }

    /// Whether a binding guard begins here: `x :|`, `x: T`, `x, y` or `x {:attribute}`.
    pub(super) fn is_binding_guard(&self) -> bool {
        self.at_name()
            && matches!(
                self.nth(1),
                T::Colon | T::Comma | T::SuchThat | T::LBraceColon
            )
    }

    /// Whether the next token is `invariant`, `decreases` or `modifies`.
    pub(super) fn is_loop_spec(&self) -> bool {
        matches!(self.kind(), T::Invariant | T::Decreases | T::Modifies)
    }

    /// Whether the next tokens are `witness` or `ghost witness`.
    pub(super) fn is_witness(&self) -> bool {
        self.at(T::Witness) || (self.at(T::Ghost) && self.nth(1) == T::Witness)
    }

    /// Whether the next tokens are `x:` or `x |`, the variable of a subset type or newtype.
    pub(super) fn is_ident_colon_or_bar(&self) -> bool {
        self.at_name() && matches!(self.nth(1), T::Colon | T::Bar)
    }

    /// Whether the next tokens are `C(`.
    pub(super) fn is_ident_paren(&self) -> bool {
        self.at_name() && self.nth(1) == T::LParen
    }

    /// Whether a declaration of local variables has a pattern here.
    pub(super) fn is_pattern_decl(&self) -> bool {
        self.at(T::LParen) || self.is_ident_paren()
    }

    /// Whether the next tokens are `(*)`.
    pub(super) fn is_paren_star(&self) -> bool {
        self.at(T::LParen) && self.nth(1) == T::Star && self.nth(2) == T::RParen
    }

    /// Whether the next tokens are `<-` without a space, before the domain of a quantified
    /// variable.
    pub(super) fn is_from_arrow(&self) -> bool {
        self.at(T::Lt)
            && self.nth(1) == T::Minus
            && self.token(0).span.end == self.token(1).span.start
    }

    /// Whether the next tokens are `<<` or `>>` without a space.
    pub(super) fn is_shift_op(&self) -> bool {
        matches!(self.kind(), T::Lt | T::Gt)
            && self.nth(1) == self.kind()
            && self.token(0).span.end == self.token(1).span.start
    }

    /// Whether the next tokens are `decreases to` or `nonincreases to`.
    pub(super) fn is_decreases_to(&self) -> bool {
        matches!(self.kind(), T::Decreases | T::Nonincreases)
            && self.nth(1) == T::Ident
            && self.text_at(self.token(1).span) == "to"
    }

    /// Whether the next token is `reveal`, or `hide` as a statement.
    pub(super) fn is_reveal(&self) -> bool {
        self.at(T::Reveal) || (self.at(T::Hide) && matches!(self.nth(1), T::Star | T::Ident))
    }

    /// Whether the next tokens are `opaque {` or `opaque ensures …`, an opaque block.
    pub(super) fn is_opaque_block(&self) -> bool {
        self.at(T::Opaque) && matches!(self.nth(1), T::LBrace | T::Ensures | T::Modifies)
    }

    /// Whether `@` directly follows the previous token: a two-state call and not an attribute.
    pub(super) fn is_at_call(&self) -> bool {
        self.at(T::At) && self.adjacent()
    }

    /// Whether a lambda begins here: `x =>`, `(x, y) reads` or `(x: T`.
    pub(super) fn is_lambda(&self, mode: Mode) -> bool {
        if !mode.lambda {
            return false;
        }
        let mut ahead = 1;
        if self.at(T::LParen) {
            let mut first = true;
            while self.nth(ahead) != T::RParen {
                if !first {
                    if self.nth(ahead) != T::Comma {
                        return false;
                    }
                    ahead += 1;
                }
                if !self.nth(ahead).is_name() {
                    return false;
                }
                first = false;
                ahead += 1;
                if self.nth(ahead) == T::Colon {
                    return true;
                }
            }
            ahead += 1;
        } else if !self.at_name() {
            return false;
        }
        matches!(self.nth(ahead), T::FatArrow | T::Reads | T::Requires)
    }

    /// Whether `<A, B>` has to be type arguments. In an expression, the token after `>` has to
    /// exclude a comparison.
    pub(super) fn is_generic_instantiation(&mut self, in_expression: bool) -> bool {
        let after = match self.type_list(0, 0) {
            Ok(after) => after,
            // In a type, `<` can be nothing else. The parser has its own limit of depth, with a
            // message.
            Err(NoTypes::TooDeep) => return !in_expression,
            Err(NoTypes::Token) => return false,
        };
        if !in_expression {
            return true;
        }
        // In an expression, `<` and `>` may be comparisons, but not before these tokens.
        let follower = self.nth(after);
        follower.begins_declaration()
            || matches!(
                follower,
                T::Iff
                    | T::Implies
                    | T::Explies
                    | T::AndAnd
                    | T::OrOr
                    | T::Dot
                    | T::LParen
                    | T::LBracket
                    | T::LBrace
                    | T::At
            )
            || matches!(
                follower,
                T::RParen
                    | T::RBracket
                    | T::RBrace
                    | T::Comma
                    | T::Semi
                    | T::Then
                    | T::Else
                    | T::Case
            )
            || matches!(
                follower,
                T::Eq
                    | T::Ne
                    | T::As
                    | T::Is
                    | T::FatArrow
                    | T::By
                    | T::In
                    | T::Lt
                    | T::Gt
                    | T::Eof
            )
            || matches!(
                follower,
                T::Decreases
                    | T::Modifies
                    | T::Reads
                    | T::Requires
                    | T::Ensures
                    | T::Invariant
                    | T::Witness
            )
            || matches!(follower, T::Least | T::Greatest | T::Ghost | T::Var)
    }

    /// Scans `< Type, … >` at offset `ahead`. Returns the offset after it. Results are cached, so
    /// that all lookahead together is linear in the length of the text.
    fn type_list(&mut self, ahead: usize, depth: u32) -> Scan {
        if self.nth(ahead) != T::Lt {
            return Err(NoTypes::Token);
        }
        let place = self.at + ahead;
        if let Some(&known) = self.type_lists.get(&place) {
            return known.map(|end| end.saturating_sub(self.at));
        }
        if depth > MAX_TYPE_NESTING {
            return Err(NoTypes::TooDeep);
        }
        let after = self.type_sequence(ahead + 1, T::Gt, depth);
        // Inner lists of one that is too deep count as too deep themselves. Scanning each of them
        // again would cost the limit for every `<` of a long chain of comparisons.
        self.type_lists.insert(place, after.map(|a| a + self.at));
        after
    }

    fn type_sequence(&mut self, mut ahead: usize, end: T, depth: u32) -> Scan {
        loop {
            if self.nth(ahead) == T::Ghost {
                ahead += 1;
            }
            ahead = self.type_ahead(ahead, depth)?;
            match self.nth(ahead) {
                T::Comma => ahead += 1,
                kind if kind == end => return Ok(ahead + 1),
                _ => return Err(NoTypes::Token),
            }
        }
    }

    fn type_ahead(&mut self, ahead: usize, depth: u32) -> Scan {
        let mut ahead = self.non_arrow_type(ahead, depth)?;
        while matches!(
            self.nth(ahead),
            T::Arrow | T::PartialArrow | T::GeneralArrow
        ) {
            ahead = self.non_arrow_type(ahead + 1, depth)?;
        }
        Ok(ahead)
    }

    fn non_arrow_type(&mut self, ahead: usize, depth: u32) -> Scan {
        match self.nth(ahead) {
            T::BuiltinType | T::Set | T::Iset | T::Multiset | T::Seq | T::Map | T::Imap => {
                self.after_arguments(ahead + 1, depth)
            }
            T::LParen if depth > MAX_TYPE_NESTING => Err(NoTypes::TooDeep),
            T::LParen if self.nth(ahead + 1) == T::RParen => Ok(ahead + 2),
            T::LParen => self.type_sequence(ahead + 1, T::RParen, depth + 1),
            kind if kind.is_name() => {
                let mut ahead = self.after_arguments(ahead + 1, depth)?;
                while self.nth(ahead) == T::Dot {
                    if !self.nth(ahead + 1).is_name() {
                        return Err(NoTypes::Token);
                    }
                    ahead = self.after_arguments(ahead + 2, depth)?;
                }
                Ok(ahead)
            }
            _ => Err(NoTypes::Token),
        }
    }

    fn after_arguments(&mut self, ahead: usize, depth: u32) -> Scan {
        if self.nth(ahead) == T::Lt {
            self.type_list(ahead, depth + 1)
        } else {
            Ok(ahead)
        }
    }
}
