// tests/dtest/file.rs

use dunit::prelude::*;

use crate::subject::class_two_traits::File;

/// An object of the class at src/class_two_traits.dfy:9:7: printed form, changes of fields, the view through its traits, constants.
#[dunit(unit = "File")]
fn object() {
    let file = Ref::new(File {});

    expect_eq!(
        to_dafny_string(&file),
        "_module.File",
        "src/class_two_traits.dfy:9:7: File, printed",
    );
}

// tests/dtest/file_name.rs

use dunit::prelude::*;

use crate::subject::class_two_traits::{File, Named};

/// Reaches src/class_two_traits.dfy:14:5: the body is entered (block 1 of 1).
/// Called as a member of the trait `Named`.
#[dunit(unit = "File.Name")]
fn runs() {
    let this = File::new();

    let result = Named::name(&this);

    expect_eq!(
        result,
        str("file"),
        "src/class_two_traits.dfy:13:12: Name by Dafny's semantics",
    );
}

// tests/dtest/file_new.rs

use dunit::prelude::*;

use crate::subject::class_two_traits::File;

/// Unchecked: no result, no state and no clause is checked; only a panic fails this test.
/// Reaches src/class_two_traits.dfy:10:18: the body is entered (block 1 of 1).
#[dunit(unit = "File._ctor")]
fn runs() {
    let _this = File::new();
}

// tests/dtest/file_size.rs

use dunit::prelude::*;

use crate::subject::class_two_traits::{File, Sized};

/// Reaches src/class_two_traits.dfy:18:5: the body is entered (block 1 of 1).
/// Called as a member of the trait `Sized`.
#[dunit(unit = "File.Size")]
fn runs() {
    let this = File::new();

    let result = Sized::size(&this);

    expect_eq!(
        result,
        int(3),
        "src/class_two_traits.dfy:17:12: Size by Dafny's semantics",
    );
}
