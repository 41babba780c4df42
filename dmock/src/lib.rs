//! Builders for objects from a description of their behaviour.
