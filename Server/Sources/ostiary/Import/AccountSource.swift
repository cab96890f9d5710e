import OstiaryEngine

/// Accounts that are to be imported, read in pages.
protocol AccountSource {
    /// The next records in their order; nil after the last.
    ///
    /// - Throws: ``AdministrationProblem`` if nothing more can be read.
    mutating func nextPage() throws -> [SourceRecord]?

    /// How much has been read, from 0 to 1; nil where nobody knows.
    var progress: Double? { get }
}

struct SourceRecord: Sendable {
    /// What a person finds it by, for example `line 17`.
    var place: String
    var record: Result<AccountRecord, AdministrationProblem>
    /// What the record leaves out of the source or has otherwise. One line for each difference.
    var changes: [String] = []
}

/// What `--from` names.
enum AccountSourceName {
    private static let viewVaultPrefix = "viewvault:"

    /// - Throws: ``AdministrationProblem`` if it cannot be read or is not what it should be.
    static func open(_ name: String) throws -> any AccountSource {
        name.hasPrefix(viewVaultPrefix)
            ? try ViewVaultDatabase(path: String(name.dropFirst(viewVaultPrefix.count)))
            : try AccountLines(path: name)
    }
}
