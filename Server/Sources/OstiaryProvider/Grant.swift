import Foundation
import OstiaryCore
import OstiaryEngine

/// What a client may do with a session: kept beside it, sealed, and gone with it.
struct Grant: Codable, Hashable {
    var client: String
    var scopes: [Scope]
    /// Seconds since 1970.
    var authenticatedAt: Int
    /// The browser's session that the person gave it in.
    var session: String

    /// The same for an access token that allows less.
    func narrowed(to scope: String?) -> Grant {
        guard let scope else { return self }
        var grant = self
        let allowed = Scope.read(scope)
        grant.scopes.removeAll { !allowed.contains($0) }
        return grant
    }
}

extension OpenIDProvider {
    func seal(_ grant: Grant, for session: SessionID) throws -> [UInt8] {
        try ports.keys.seal(
            Array(try JSONEncoder().encode(grant)), for: .attachments, context: context(of: session))
    }

    /// What a session was granted for; nil if it is no client's.
    func grant(of session: SessionID) async throws -> Grant? { try await versionedGrant(of: session)?.grant }

    /// The same with what a conditional change of it asks for.
    func versionedGrant(of session: SessionID) async throws -> (grant: Grant, version: Int)? {
        guard let attachment = try await ports.store.attachment(of: session, in: app) else { return nil }
        let plain = try ports.keys.open(attachment.bytes, for: .attachments, context: context(of: session))
        return (try JSONDecoder().decode(Grant.self, from: Data(plain)), attachment.version)
    }

    private func context(of session: SessionID) -> String { "\(app)/\(session.text)" }
}
