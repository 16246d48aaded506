//! What goes wrong with the artifact store.

/// An artifact store that cannot be used, or does not do what it is asked.
#[derive(Debug, thiserror::Error)]
pub enum ArtifactError {
    /// The place is none that is known.
    #[error(
        "{place:?} is no place for artifacts: {reason}; expected s3://BUCKET/FOLDER or file:///FOLDER, without a name or password in it"
    )]
    Place {
        /// As it was given.
        place: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The store refused, or was not reached.
    #[error("the artifact store {place}: {source}")]
    Store {
        /// Where the store is.
        place: String,
        /// What it said.
        source: object_store::Error,
    },
    /// A file of a recording cannot be read.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: String,
        /// Why.
        source: std::io::Error,
    },
    /// A listing cannot be understood.
    #[error(
        "the artifact store {place}: {object} is damaged: {reason}; move it away, and its host writes it again at its next start"
    )]
    Damaged {
        /// Where the store is.
        place: String,
        /// The object.
        object: String,
        /// What is wrong with it.
        reason: String,
    },
}
