pub mod implementation_from_dafny;
