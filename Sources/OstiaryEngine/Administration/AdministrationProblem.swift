/// The reason for refusing an administrator's command, as one line for display.
public struct AdministrationProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The message.
    public var description: String

    /// Creates a problem with its message.
    public init(_ description: String) { self.description = description }
}

/// Validation of role names.
enum Role {
    /// Returns the names without duplicates, sorted.
    ///
    /// - Throws: ``AdministrationProblem`` for a name that is not 1 to 64 letters, digits, `.`, `_`, `:` or `-`: roles
    ///   are sent in a header, separated by commas.
    static func checked(_ names: [String]) throws(AdministrationProblem) -> [String] {
        for name in names {
            let isPlain = name.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
                    || "._:-".utf8.contains($0)
            }
            guard (1...64).contains(name.utf8.count), isPlain else {
                throw AdministrationProblem("a role is 1 to 64 letters, digits, '.', '_', ':' or '-'")
            }
        }
        return Set(names).sorted()
    }
}
