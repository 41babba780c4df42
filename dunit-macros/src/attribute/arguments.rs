//! The keys of `#[dunit(..)]`.

use syn::parse::{Parse, ParseStream};
use syn::{Error, Ident, LitBool, LitInt, LitStr, Result, Token};

/// The arguments in the brackets; every key at most once.
#[derive(Default)]
pub(super) struct Arguments {
    pub(super) unit: Option<LitStr>,
    pub(super) stack: Option<LitStr>,
    pub(super) timeout: Option<LitInt>,
    pub(super) record: Option<LitBool>,
}

impl Parse for Arguments {
    fn parse(input: ParseStream<'_>) -> Result<Arguments> {
        let mut arguments = Arguments::default();
        while !input.is_empty() {
            let key: Ident = input.parse()?;
            input.parse::<Token![=]>()?;
            match key.to_string().as_str() {
                "unit" => once(&key, &mut arguments.unit, input)?,
                "stack" => once(&key, &mut arguments.stack, input)?,
                "timeout" => once(&key, &mut arguments.timeout, input)?,
                "record" => once(&key, &mut arguments.record, input)?,
                _ => {
                    return Err(Error::new(
                        key.span(),
                        "expected `unit`, `stack`, `timeout` or `record`",
                    ));
                }
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(arguments)
    }
}

fn once<T: Parse>(key: &Ident, slot: &mut Option<T>, input: ParseStream<'_>) -> Result<()> {
    if slot.is_some() {
        return Err(Error::new(key.span(), format!("`{key}` is given twice")));
    }
    *slot = Some(input.parse()?);
    Ok(())
}
