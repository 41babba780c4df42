//! The Dafny files of a package as they were in a revision of its git repository.
//!
//! [`check_out`] writes them to a temporary directory through an index of its own, so that neither
//! the user's files nor the index of the repository change.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::files;

/// Extensions of the files that a program consists of.
const EXTENSIONS: [&str; 3] = ["dfy", "toml", "doo"];

/// Files of a revision. They are removed when the value is dropped.
pub struct Revision {
    directory: tempfile::TempDir,
    /// The root of the repository.
    repository: PathBuf,
}

/// The reason why a revision is not available.
#[derive(Debug)]
pub enum RevisionError {
    /// Git cannot be run, or a temporary file cannot be written.
    Io(std::io::Error),
    /// Git failed with this message.
    Git(String),
}

impl std::fmt::Display for RevisionError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Io(error) => write!(f, "git cannot be run: {error}"),
            Self::Git(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for RevisionError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            Self::Git(_) => None,
        }
    }
}

impl From<std::io::Error> for RevisionError {
    fn from(error: std::io::Error) -> Self {
        Self::Io(error)
    }
}

impl Revision {
    /// The path in this revision of a file or directory of the repository. Other paths stay.
    pub fn path(&self, path: &Path) -> PathBuf {
        match path.strip_prefix(&self.repository) {
            Ok(below) => self.files().join(below),
            Err(_) => path.to_path_buf(),
        }
    }

    fn files(&self) -> PathBuf {
        self.directory.path().join("files")
    }
}

/// Writes the files of the revision of the repository that contains `root`.
///
/// # Errors
/// Git is not installed, `root` is in no repository, or the revision does not exist.
pub fn check_out(root: &Path, revision: &str) -> Result<Revision, RevisionError> {
    // A relative path: the user's name of the directory may contain symbolic links.
    let up = git(root, &["rev-parse", "--show-cdup"], None, &[])?;
    let up = String::from_utf8_lossy(&up).trim_end().to_owned();
    let repository = files::normalize(&root.join(up));
    let commit = format!("{revision}^{{commit}}");
    let arguments = [
        "rev-parse",
        "--verify",
        "--quiet",
        "--end-of-options",
        &commit,
    ];
    let commit = git(root, &arguments, None, &[]).map_err(|error| match error {
        RevisionError::Git(_) => RevisionError::Git(format!("`{revision}` is not a revision")),
        RevisionError::Io(_) => error,
    })?;
    let commit = String::from_utf8_lossy(&commit).trim_end().to_owned();
    let checked_out = Revision {
        directory: tempfile::tempdir()?,
        repository,
    };
    let index = checked_out.directory.path().join("index");
    let repository = &checked_out.repository;
    git(repository, &["read-tree", &commit], Some(&index), &[])?;
    let listing = ["ls-files", "--cached", "-z"];
    let listed = git(repository, &listing, Some(&index), &[])?;
    let is_wanted = |path: &&[u8]| {
        EXTENSIONS.iter().any(|extension| {
            path.strip_suffix(extension.as_bytes())
                .is_some_and(|stem| stem.ends_with(b"."))
        })
    };
    let wanted: Vec<&[u8]> = listed.split(|b| *b == 0).filter(is_wanted).collect();
    let prefix = format!("--prefix={}/", checked_out.files().display());
    let arguments = ["checkout-index", "-z", "--stdin", &prefix];
    git(repository, &arguments, Some(&index), &wanted.join(&0))?;
    std::fs::create_dir_all(checked_out.files())?;
    Ok(checked_out)
}

/// Runs git in a directory, with an index of its own if one is given, and returns its output.
fn git(
    directory: &Path,
    arguments: &[&str],
    index: Option<&Path>,
    input: &[u8],
) -> Result<Vec<u8>, RevisionError> {
    let mut command = Command::new("git");
    command
        .arg("-C")
        .arg(directory)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    if let Some(index) = index {
        command.env("GIT_INDEX_FILE", index);
    }
    let mut child = command.spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        // A command that does not read its input has failed, or needs none.
        let _ = stdin.write_all(input);
    }
    let output = child.wait_with_output()?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(RevisionError::Git(
        said.lines().next().unwrap_or("git failed").to_owned(),
    ))
}
