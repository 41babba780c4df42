//! The mutations by name, and the places where they apply.

use dafny_syntax::ast::File;
use dafny_syntax::source::Span;

use crate::driver::Dialect;
use crate::facts::Facts;
use crate::mutations;
use crate::names::Names;
use crate::random::Random;

/// A program with what mutations ask of it.
pub(crate) struct Work<'w> {
    pub(crate) file: &'w File,
    pub(crate) facts: &'w Facts<'w>,
    pub(crate) dialect: Dialect,
}

/// What changes a program at a place; `None`: it does not fit there after all.
type Change<'w> = Box<dyn Fn(&mut Random, &mut Names) -> Option<File> + 'w>;

/// A place where a mutation applies.
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
        /// A change that keeps the meaning of a program.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Mutation {
            $($(#[$doc])* $variant,)*
        }

        impl Mutation {
            /// All of them.
            pub const ALL: &'static [Mutation] = &[$(Mutation::$variant,)*];

            /// The name on the command line and in chains.
            pub fn name(self) -> &'static str {
                match self {
                    $(Mutation::$variant => $name,)*
                }
            }

            /// Where it applies, in the order of the text.
            pub(crate) fn places<'w>(self, work: &'w Work<'w>) -> Vec<Place<'w>> {
                match self {
                    $(Mutation::$variant => mutations::$module::places(work),)*
                }
            }
        }
    };
}

mutations! {
    /// A `for` loop becomes a `while` loop (thesis, 7.1.1).
    ForToWhile = "for-to-while" => for_to_while,
    /// The first iteration of a `while` loop stands before it (thesis, 7.1.2).
    LoopPeel = "loop-peel" => loop_peel,
    /// Variables of a type become values of a map (thesis, 7.2.2).
    VarsToMap = "vars-to-map" => vars_to_map,
    /// Variables become fields of an object (thesis, 7.2.3).
    VarsToClass = "vars-to-class" => vars_to_class,
    /// An expression becomes the body of a function (thesis, 7.3).
    ExprToFunc = "expr-to-func" => expr_to_func,
    /// Variables become arguments of a datatype's value (thesis, 7.2.5).
    VarsToDatatype = "vars-to-datatype" => vars_to_datatype,
    /// Parameters stand in another order, or become a tuple (thesis, 7.2.5).
    Parameters = "parameters" => parameters,
    /// A `while` loop becomes a method that calls itself.
    WhileToRecursion = "while-to-recursion" => while_to_recursion,
    /// The value of an assignment becomes the result of a method with a contract.
    ExtractMethod = "extract-method" => extract_method,
    /// An `if` becomes a `match`.
    IfToMatch = "if-to-match" => if_to_match,
    /// A local variable gets another name.
    Rename = "rename" => rename,
    /// Declarations stand in another order.
    Reorder = "reorder" => reorder,
    /// A copy of a statement that nothing executes stands before it.
    DeadCode = "dead-code" => dead_code,
    /// A variable is saved, changed and restored.
    LiveCode = "live-code" => live_code,
    /// A statement stands in an `if` whose condition always holds, which nobody sees.
    OpaqueGuard = "opaque-guard" => opaque_guard,
    /// An expression becomes another one of the same value.
    Identity = "identity" => identity,
    /// Conjunctions are split and joined.
    Conjunctions = "conjunctions" => conjunctions,
    /// A call of a function becomes its body.
    InlineFunction = "inline-function" => inline_function,
    /// All declarations of a file stand in a module.
    WrapInModule = "wrap-in-module" => wrap_in_module,
}

impl Mutation {
    /// The mutation of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|m| m.name() == name)
    }
}
