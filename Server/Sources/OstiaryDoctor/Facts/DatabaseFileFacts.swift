/// The file of an SQLite database, as it is without opening it.
package struct DatabaseFileFacts: Hashable, Sendable {
    package enum FileSystem: Hashable, Sendable {
        case network(String)
        case memory
        /// A layer of a container, which is deleted with it.
        case overlay
        case other
    }

    package enum Content: Hashable, Sendable { case missing, unreadable, notSQLite, sqlite(hasWriteAheadLog: Bool) }

    package var path: String
    package var content: Content
    package var fileSystem: FileSystem
    package var logBytes: Int
    /// The setting `synchronous` of the connection that writes: 2 is FULL. Nil where no server runs.
    package var synchronous: Int?

    package init(path: String, content: Content, fileSystem: FileSystem, logBytes: Int, synchronous: Int? = nil) {
        self.path = path
        self.content = content
        self.fileSystem = fileSystem
        self.logBytes = logBytes
        self.synchronous = synchronous
    }
}
