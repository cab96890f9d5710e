import OstiaryMaxMindDB

/// A mapped file in the MaxMind DB format. Immutable: it may be replaced by another name, not changed in place.
///
/// Safe to share: the pointer is a constant, and libmaxminddb is thread-safe (libmaxminddb(3)).
final class MaxMindFile: @unchecked Sendable {
    private let file: OpaquePointer

    /// Opens a file.
    ///
    /// - Throws: ``GeographyFileProblem`` for a file that is unreadable or damaged.
    init(path: String) throws(GeographyFileProblem) {
        var text: UnsafePointer<CChar>?
        guard let file = ostiary_maxmind_open(path, &text) else {
            throw GeographyFileProblem(path: path, text: text.map { String(cString: $0) } ?? "is not readable")
        }
        self.file = file
        // The library checks the metadata when it opens a file, and the search tree and the values as it reads them.
        for address in Self.probes {
            var record = ostiary_maxmind_record()
            guard ostiary_maxmind_read(file, address, &record) else {
                throw GeographyFileProblem(path: path, text: "the database is damaged")
            }
        }
    }

    deinit { ostiary_maxmind_close(file) }

    /// Adds the values of an address's network to a record.
    func read(_ address: String, into record: inout ostiary_maxmind_record) {
        _ = ostiary_maxmind_read(file, address, &record)
    }

    /// Addresses in all parts of the search tree.
    private static let probes =
        stride(from: 1, to: 224, by: 8).map { "\($0).1.1.1" } + (0...15).map { "2\(String($0, radix: 16))00::1" }
}

/// The reason why a file of locations is not usable.
package struct GeographyFileProblem: Error, Hashable, CustomStringConvertible {
    package var path: String
    package var text: String

    package var description: String { "\(path): \(text)" }
}
