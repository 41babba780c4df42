//! The display of progress, which the command line provides.

/// A progress display.
pub trait Progress: Sync {
    /// Shows the number of units that are done.
    fn set(&self, done: usize);
    /// Removes the display.
    fn finish(&self);
}

/// Starts a progress display with this label, which counts up to the number.
pub type Begin<'b> = &'b dyn Fn(&'static str, usize) -> Box<dyn Progress>;
