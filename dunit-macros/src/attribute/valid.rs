//! The validation of tests.

use syn::spanned::Spanned;
use syn::{Error, Result, ReturnType};

use super::ast::Test;

/// Rejects functions that cannot be run as a test.
pub(super) fn check(test: &Test) -> Result<()> {
    // The harness calls the function without arguments and has no use for a result. All errors are
    // reported at once.
    let mut errors = Errors(None);
    let signature = &test.function.sig;
    errors.refuse(
        &signature.constness,
        "a #[dunit] function cannot be `const`",
    );
    errors.refuse(
        &signature.asyncness,
        "a #[dunit] function cannot be `async`",
    );
    errors.refuse(&signature.abi, "a #[dunit] function cannot have an ABI");
    if !signature.generics.params.is_empty() {
        errors.add(
            signature.generics.span(),
            "a #[dunit] function cannot be generic",
        );
    }
    if !signature.inputs.is_empty() {
        errors.add(
            signature.inputs.span(),
            "a #[dunit] function cannot have parameters: declare the inputs with `let`",
        );
    }
    if let ReturnType::Type(_, result) = &signature.output {
        errors.add(
            result.span(),
            "a #[dunit] function cannot return a value: check it with `expect!`",
        );
    }
    for attribute in &test.function.attrs {
        if attribute.path().is_ident("test") {
            errors.add(
                attribute.span(),
                "#[dunit] already makes the function a test",
            );
        }
    }
    // Values of the arguments.
    let arguments = &test.arguments;
    if let Some(unit) = arguments
        .unit
        .as_ref()
        .filter(|unit| unit.value().is_empty())
    {
        errors.add(unit.span(), "the name of the unit is empty");
    }
    if let Some(stack) = &arguments.stack {
        if parse_size(&stack.value()).is_none() {
            errors.add(stack.span(), "expected a size such as \"64M\" or \"65536\"");
        }
    }
    if let Some(timeout) = &arguments.timeout {
        if let Err(error) = timeout.base10_parse::<u64>() {
            errors.add(
                timeout.span(),
                &format!("expected a number of seconds: {error}"),
            );
        }
    }
    errors.0.map_or(Ok(()), Err)
}

/// Parses a number of bytes, with an optional suffix `K`, `M` or `G` (powers of 1,024).
pub(super) fn parse_size(text: &str) -> Option<u64> {
    let (digits, shift) = match text.char_indices().next_back()? {
        (at, 'K') => (text.get(..at)?, 10),
        (at, 'M') => (text.get(..at)?, 20),
        (at, 'G') => (text.get(..at)?, 30),
        _ => (text, 0),
    };
    digits.parse::<u64>().ok()?.checked_mul(1 << shift)
}

/// All errors of a test, which are reported together.
struct Errors(Option<Error>);

impl Errors {
    fn add(&mut self, span: proc_macro2::Span, message: &str) {
        let error = Error::new(span, message);
        match &mut self.0 {
            Some(errors) => errors.combine(error),
            None => self.0 = Some(error),
        }
    }

    fn refuse(&mut self, token: &Option<impl Spanned>, message: &str) {
        if let Some(token) = token {
            self.add(token.span(), message);
        }
    }
}
