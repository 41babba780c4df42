//! Tests of the printer.
