import Foundation
import OstiaryEngine

/// A source of accounts to import, read in pages.
protocol AccountSource {
    /// Returns the next records in their order; nil after the last.
    ///
    /// - Throws: ``AdministrationProblem`` if nothing more can be read.
    mutating func nextPage() throws -> [SourceRecord]?

    /// The part that has been read, from 0 to 1; nil where the total is unknown.
    var progress: Double? { get }
}

struct SourceRecord: Sendable {
    /// The position in the source for a person, for example `line 17`.
    var place: String
    var record: Result<AccountRecord, AdministrationProblem>
    /// The differences between the source and the record, one line each: values left out or replaced.
    var changes: [String] = []
}

/// The value of `--from`.
enum AccountSourceName {
    private static let viewVaultPrefix = "viewvault:"

    /// - Throws: ``AdministrationProblem`` if the source cannot be read or has another format.
    static func open(_ name: String) throws -> any AccountSource {
        name.hasPrefix(viewVaultPrefix)
            ? try ViewVaultDatabase(path: String(name.dropFirst(viewVaultPrefix.count)))
            : try AccountLines(path: name)
    }

    /// Returns `true` for a file with lines, and `false` for a pipe and for a source without factors.
    static func canBeReadTwice(_ name: String) -> Bool {
        guard !name.hasPrefix(viewVaultPrefix) else { return false }
        let attributes = try? FileManager.default.attributesOfItem(atPath: name)
        let type = attributes?[.type] as? FileAttributeType
        guard type == .typeSymbolicLink else { return type == .typeRegular }
        let target = URL(fileURLWithPath: name).resolvingSymlinksInPath().path
        return (try? FileManager.default.attributesOfItem(atPath: target))?[.type] as? FileAttributeType == .typeRegular
    }
}
