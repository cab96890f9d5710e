import OstiaryAdminAPI
import OstiaryCore
import OstiaryEngine

/// The cursors of one list with its filters: a position, authenticated, so that no other list and no other filters
/// accept it.
struct AdminCursors: Sendable {
    let keys: KeyRing
    /// The scope of the cursors: the path, and the filters.
    let binding: [String]

    private static let tagBytes = 16
    private static let maximumPositionBytes = 512

    func cursor(_ position: String) -> String { Base64URL.encode(tag(of: position) + Array(position.utf8)) }

    /// Returns the position of a cursor; nil for none.
    ///
    /// - Throws: ``AdminRefusal`` for a cursor of another list, and for text that is none.
    func position(_ cursor: String?) throws(AdminRefusal) -> String? {
        guard let cursor else { return nil }
        guard let bytes = Base64URL.decode(cursor.utf8), bytes.count > Self.tagBytes,
            bytes.count <= Self.tagBytes + Self.maximumPositionBytes
        else { throw Self.malformed }
        let position = String(decoding: bytes.dropFirst(Self.tagBytes), as: UTF8.self)
        guard constantTimeEqual(Array(bytes.prefix(Self.tagBytes)), tag(of: position)) else { throw Self.malformed }
        return position
    }

    /// Returns a position that is a number.
    func integer(_ position: String) throws(AdminRefusal) -> Int {
        guard let integer = Int(position) else { throw Self.malformed }
        return integer
    }

    static let malformed = AdminRefusal(
        400, "invalid_request", errors: [AdminFieldError(pointer: "/cursor", code: "malformed")])

    private func tag(of position: String) -> [UInt8] {
        Array(keys.digest(["cursor", position] + binding, for: .cursors, app: nil).prefix(Self.tagBytes))
    }
}
