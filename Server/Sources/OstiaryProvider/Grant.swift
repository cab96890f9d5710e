import Foundation
import OstiaryCore
import OstiaryEngine

/// A client's grant for a session: stored with the session, sealed, and deleted with it.
struct Grant: Codable, Hashable {
    var client: String
    var scopes: [Scope]
    /// Seconds since 1970.
    var authenticatedAt: Int
    /// Nil in a grant of an earlier version.
    var acr: String?
    var amr: [String]?
    /// The browser's session in which the user gave the grant.
    var session: String

    /// Returns the grant reduced to an access token's scope; unchanged for nil.
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

    /// Returns the grant of a session; nil if the session is not a client's.
    func grant(of session: SessionID) async throws -> Grant? { try await versionedGrant(of: session)?.grant }

    /// Returns the grant with the version that a compare-and-set of it requires.
    func versionedGrant(of session: SessionID) async throws -> (grant: Grant, version: Int)? {
        guard let attachment = try await ports.store.attachment(of: session, in: app) else { return nil }
        let plain = try ports.keys.open(attachment.bytes, for: .attachments, context: context(of: session))
        return (try JSONDecoder().decode(Grant.self, from: Data(plain)), attachment.version)
    }

    private func context(of session: SessionID) -> String {
        SealedValue.Kind.sessionAttachment.context(app.text, session.text)
    }
}
