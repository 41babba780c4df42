// tests/dtest/config.rs

use dunit::prelude::*;

use crate::subject::class_constant::Config;

/// An object of the class at src/class_constant.dfy:1:7: printed form, changes of fields, the view through its traits, constants.
#[dunit(unit = "Config")]
fn object() {
    let config = Ref::new(Config { limit: int(10) });

    expect_eq!(
        to_dafny_string(&config),
        "_module.Config",
        "src/class_constant.dfy:1:7: Config, printed",
    );
    expect_eq!(
        constant_names(&config),
        ["limit"],
        "src/class_constant.dfy:1:7: Config, constants",
    );

    expect_eq!(
        Config::name(),
        str("config"),
        "src/class_constant.dfy:3:16: Config.name",
    );
}

// tests/dtest/config_half.rs

use dunit::prelude::*;

use crate::subject::class_constant::Config;

/// Reaches src/class_constant.dfy:6:5: the body is entered (block 1 of 1).
/// Created field by field (no calls were found that create it): this.
#[dunit(unit = "Config.Half")]
fn runs() {
    let this = Ref::new(Config { limit: int(10) });

    let result = Config::half(&this);

    expect_eq!(
        result,
        int(5),
        "src/class_constant.dfy:5:12: Half by Dafny's semantics",
    );
}
