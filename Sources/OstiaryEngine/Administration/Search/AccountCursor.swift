import Foundation
import OstiaryCore

/// The position in a search that the next page begins after. Sealed, because it contains an identifier of an account, and
/// bound to the app and the conditions.
struct AccountCursor: Codable {
    /// The index of the list.
    var source: Int
    /// Nil for the beginning of the list.
    var position: Position?

    struct Position: Codable {
        var text: String
        var time: Int64
        var number: Int64
    }

    /// The maximum length of a cursor, in bytes.
    private static let maximumBytes = 2048

    init(source: Int, after position: AccountPosition?) {
        self.source = source
        self.position = position.map { Position(text: $0.text, time: $0.time, number: $0.number) }
    }

    /// Opens a cursor.
    ///
    /// - Throws: ``AdministrationProblem`` for one that this server did not make for this query of this app.
    init(_ text: String, of query: AccountQuery, in engine: AuthEngine) throws(AdministrationProblem) {
        guard text.utf8.count <= Self.maximumBytes, let sealed = Base64URL.decode(text.utf8),
            let plain = try? engine.ports.keys.open(
                sealed, for: .cursors, context: Self.context(of: query, in: engine)),
            let cursor = try? JSONDecoder().decode(Self.self, from: Data(plain))
        else { throw .invalid("cursor", "malformed", "cursor: is of another query") }
        self = cursor
    }

    func sealed(for query: AccountQuery, in engine: AuthEngine) throws -> String {
        try engine.ports.keys.seal(
            Array(JSONEncoder().encode(self)), for: .cursors, context: Self.context(of: query, in: engine)
        ).base64URL
    }

    var accountPosition: AccountPosition? {
        position.map { AccountPosition(text: $0.text, time: $0.time, number: $0.number) }
    }

    private static func context(of query: AccountQuery, in engine: AuthEngine) -> String {
        engine.ports.keys.digest(query.fingerprint, for: .cursors, app: engine.app.name).base64URL
    }
}
