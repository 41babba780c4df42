//! The mutations by name, and the places to which they apply.

use dafny_source::Span;
use dafny_syntax::ast::File;

use crate::driver::Dialect;
use crate::facts::Facts;
use crate::mutations;
use crate::names::Names;
use crate::random::Random;

/// A program with the data that mutations need.
pub(crate) struct Work<'w> {
    pub(crate) file: &'w File,
    pub(crate) facts: &'w Facts<'w>,
    pub(crate) dialect: Dialect,
}

/// A change at a place. Returns `None` if it does not fit there after all.
type Change<'w> = Box<dyn Fn(&mut Random, &mut Names) -> Option<File> + 'w>;

/// A place to which a mutation applies.
pub(crate) struct Place<'w> {
    pub(crate) span: Span,
    pub(crate) apply: Change<'w>,
}

impl<'w> Place<'w> {
    pub(crate) fn new(
        span: Span,
        apply: impl Fn(&mut Random, &mut Names) -> Option<File> + 'w,
    ) -> Self {
        Self {
            span,
            apply: Box::new(apply),
        }
    }
}

macro_rules! mutations {
    ($($(#[$doc:meta])* $variant:ident = $name:literal => $module:ident,)*) => {
        /// A change that preserves the meaning of a program.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Mutation {
            $($(#[$doc])* $variant,)*
        }

        impl Mutation {
            /// All mutations.
            pub const ALL: &'static [Mutation] = &[$(Mutation::$variant,)*];

            /// The name on the command line and in chains.
            pub fn name(self) -> &'static str {
                match self {
                    $(Mutation::$variant => $name,)*
                }
            }

            /// The places to which the mutation applies, in source order.
            pub(crate) fn places<'w>(self, work: &'w Work<'w>) -> Vec<Place<'w>> {
                match self {
                    $(Mutation::$variant => mutations::$module::places(work),)*
                }
            }
        }
    };
}

mutations! {
    /// Converts a `for` loop to a `while` loop (thesis, 7.1.1).
    ForToWhile = "for-to-while" => for_to_while,
    /// Moves the first iteration of a `while` loop before it (thesis, 7.1.2).
    LoopPeel = "loop-peel" => loop_peel,
    /// Stores variables of one type as values of a map (thesis, 7.2.2).
    VarsToMap = "vars-to-map" => vars_to_map,
    /// Stores variables as fields of an object (thesis, 7.2.3).
    VarsToClass = "vars-to-class" => vars_to_class,
    /// Extracts an expression to a function (thesis, 7.3).
    ExprToFunc = "expr-to-func" => expr_to_func,
    /// Stores variables as arguments of a datatype value (thesis, 7.2.5).
    VarsToDatatype = "vars-to-datatype" => vars_to_datatype,
    /// Reorders parameters, or merges them to a tuple (thesis, 7.2.5).
    Parameters = "parameters" => parameters,
    /// Converts a `while` loop to a recursive method.
    WhileToRecursion = "while-to-recursion" => while_to_recursion,
    /// Extracts the value of an assignment to a method with a contract.
    ExtractMethod = "extract-method" => extract_method,
    /// Converts an `if` to a `match`.
    IfToMatch = "if-to-match" => if_to_match,
    /// Renames a local variable.
    Rename = "rename" => rename,
    /// Reorders declarations.
    Reorder = "reorder" => reorder,
    /// Inserts a copy of a statement that is never executed.
    DeadCode = "dead-code" => dead_code,
    /// Saves, changes and restores a variable.
    LiveCode = "live-code" => live_code,
    /// Guards a statement by an `if` with an opaque condition that is always true.
    OpaqueGuard = "opaque-guard" => opaque_guard,
    /// Replaces an expression by another one with the same value.
    Identity = "identity" => identity,
    /// Splits and joins conjunctions.
    Conjunctions = "conjunctions" => conjunctions,
    /// Inlines the call of a function.
    InlineFunction = "inline-function" => inline_function,
    /// Wraps all declarations of a file in a module.
    WrapInModule = "wrap-in-module" => wrap_in_module,
}

impl Mutation {
    /// The mutation with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|m| m.name() == name)
    }
}
