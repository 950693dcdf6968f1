/// What a connection has read of its file, valid until another connection writes to it.
///
/// A rollback forgets it: numbers that the transaction had changed are what they were before.
package struct FileMemory {
    /// The state of the file that the rest belongs to (`SQLiteConnection.stateVersion`); nil where it is not known.
    var stateVersion: UInt32?
    /// Whether the names of the tables are known.
    var hasTables = false
    /// The number of the model.
    package var modelVersion: Int64?
    /// The greatest number that a request has had.
    package var lastRequest: Int64?
}
