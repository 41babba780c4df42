//! The options of tests, which travel with those of the resolver.

use std::collections::BTreeMap;

use dafny_resolve::typed::Options;

/// Links from Dafny paths of external declarations to Rust paths.
pub type Links = BTreeMap<String, String>;

/// The tables of [`Options::tables`].
const LINKS: &str = "extern";
const MOCKS: &str = "mock";
const UNSTUBBED: &str = "unstubbed";
const NO_LINKS: &Links = &Links::new();

/// The options of tests.
pub trait TestOptions {
    /// The Rust code that is linked to external declarations.
    fn links(&self) -> &Links;

    /// Sets the links.
    fn set_links(&mut self, links: Links);

    /// The Dafny paths of external declarations that no stub may stand for, in order.
    fn unstubbed(&self) -> Vec<&str>;

    /// Sets the Dafny paths of external declarations that no stub may stand for.
    fn set_unstubbed(&mut self, paths: &[String]);

    /// The Dafny paths of the classes that get builders of mocks, in order. `*`: all classes.
    fn mocks(&self) -> Vec<&str>;

    /// Whether the class with this Dafny path gets a builder of mocks.
    fn is_mocked(&self, class: &str) -> bool;

    /// Sets the Dafny paths of classes that get builders of mocks. `*`: all classes.
    fn set_mocks(&mut self, classes: &[String]);
}

impl TestOptions for Options {
    fn links(&self) -> &Links {
        self.tables.get(LINKS).unwrap_or(NO_LINKS)
    }

    fn set_links(&mut self, links: Links) {
        self.tables.insert(LINKS.to_owned(), links);
    }

    fn unstubbed(&self) -> Vec<&str> {
        let table = self.tables.get(UNSTUBBED).into_iter();
        table.flat_map(|m| m.keys()).map(String::as_str).collect()
    }

    fn set_unstubbed(&mut self, paths: &[String]) {
        // Without such declarations, the options are those of earlier versions.
        if !paths.is_empty() {
            let table = paths.iter().map(|p| (p.clone(), String::new()));
            self.tables.insert(UNSTUBBED.to_owned(), table.collect());
        }
    }

    fn mocks(&self) -> Vec<&str> {
        let table = self.tables.get(MOCKS).into_iter();
        table.flat_map(|m| m.keys()).map(String::as_str).collect()
    }

    fn is_mocked(&self, class: &str) -> bool {
        self.tables
            .get(MOCKS)
            .is_some_and(|m| m.contains_key("*") || m.contains_key(class))
    }

    fn set_mocks(&mut self, classes: &[String]) {
        let table = classes.iter().map(|c| (c.clone(), String::new()));
        self.tables.insert(MOCKS.to_owned(), table.collect());
    }
}

#[cfg(test)]
mod tests {
    use super::{Links, TestOptions as _};
    use dafny_resolve::typed::Options;

    #[test]
    fn a_star_mocks_every_class_and_links_are_kept() {
        let mut options = Options::default();
        assert!(options.links().is_empty() && !options.is_mocked("M.C"));
        options.set_mocks(&["M.C".to_owned()]);
        assert!(options.is_mocked("M.C") && !options.is_mocked("M.D"));
        options.set_mocks(&["*".to_owned()]);
        assert!(options.is_mocked("M.D"));
        let links: Links = [("M.F".to_owned(), "crate::f".to_owned())].into();
        options.set_links(links.clone());
        assert_eq!(options.links(), &links);
    }
}
