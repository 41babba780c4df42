//! The expansion to a test for libtest.

use proc_macro2::TokenStream;
use quote::quote;

use super::ast::{Step, Test, Variable};
use super::valid::parse_size;

/// Writes a `#[test]` that passes the body to the harness.
pub(super) fn expand(test: &Test) -> TokenStream {
    let function = &test.function;
    let (attributes, visibility, name) = (&function.attrs, &function.vis, &function.sig.ident);
    let arguments = &test.arguments;
    // By default, a test has the name of its function as unit, and the limits of the harness.
    let unit = match &arguments.unit {
        Some(unit) => quote!(#unit),
        None => quote!(::core::stringify!(#name)),
    };
    let stack = optional(
        arguments
            .stack
            .as_ref()
            .and_then(|stack| parse_size(&stack.value()))
            .map(|bytes| quote!(#bytes as usize)),
    );
    let timeout = optional(
        arguments
            .timeout
            .as_ref()
            .and_then(|timeout| timeout.base10_parse::<u64>().ok())
            .map(|seconds| quote!(#seconds)),
    );
    let record = arguments.record.as_ref().is_none_or(|record| record.value);
    let body = test
        .steps()
        .into_iter()
        .map(|step| expand_step(&step, record));
    quote! {
        #(#attributes)*
        #[::core::prelude::v1::test]
        #visibility fn #name() {
            ::dunit::harness::run(
                &::dunit::harness::Case {
                    unit: #unit,
                    file: ::core::file!(),
                    line: ::core::line!(),
                    stack: #stack,
                    timeout: #timeout,
                },
                || {
                    #[allow(unused_imports)]
                    use ::dunit::harness::{RecordNothing as _, RecordPrinted as _, RecordValue as _};
                    #(#body)*
                },
            );
        }
    }
}

fn expand_step(step: &Step<'_>, record: bool) -> TokenStream {
    let statement = step.statement;
    if !record {
        return quote!(#statement);
    }
    let made = step
        .ends_inputs
        .then(|| quote!(::dunit::harness::inputs_made();));
    let shown = step.variable.as_ref().map(|Variable { name, is_input }| {
        quote! {
            #[allow(clippy::needless_borrow)]
            (&&&::dunit::harness::Probe(&#name)).record(::core::stringify!(#name), #is_input);
        }
    });
    quote!(#made #statement #shown)
}

fn optional(value: Option<TokenStream>) -> TokenStream {
    match value {
        Some(value) => quote!(::core::option::Option::Some(#value)),
        None => quote!(::core::option::Option::None),
    }
}
