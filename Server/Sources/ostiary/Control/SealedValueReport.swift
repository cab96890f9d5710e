import OstiaryEngine

/// The numbers of sealed values of each kind, by the key that opens them.
struct SealedValueReport: Sendable {
    private(set) var lines: [Line] = []

    struct Line: Codable, Sendable {
        var kind: String
        var current: Int
        var earlier: Int
        var unreadable: Int
        var resealed: Int
    }

    var earlier: Int { lines.reduce(0) { $0 + $1.earlier } }
    var unreadable: Int { lines.reduce(0) { $0 + $1.unreadable } }
    var resealed: Int { lines.reduce(0) { $0 + $1.resealed } }

    /// Examines every sealed value of a store, page by page.
    ///
    /// - Parameter reseals: `true` to seal values of earlier keys again.
    init(of control: any Control, reseals: Bool) async throws {
        for kind in SealedValue.Kind.allCases {
            var counts = EncryptionKeyRotation.Counts()
            var position: SealedValue.Position?
            repeat {
                try Task.checkCancellation()
                let command = ControlCommand.sealedValues(kind, after: position, reseals: reseals)
                guard case .sealedValues(let page, let next) = try await control.perform(command, app: nil) else {
                    throw ControlReply.unexpected
                }
                counts += page
                position = next
            } while position != nil
            lines.append(
                Line(
                    kind: kind.rawValue, current: counts.current, earlier: counts.earlier,
                    unreadable: counts.unreadable, resealed: counts.resealed))
        }
    }
}
