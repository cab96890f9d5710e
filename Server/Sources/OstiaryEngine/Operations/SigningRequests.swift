import Foundation
public import OstiaryCore

/// Tells the key of the bearer's session.
struct IssuingSigningKey: Step {
    let call: IssueSigningKey

    static let action = OperationKind.issueSigningKey
    static let auditing = Auditing.never
    var attempts: Attempts { Attempts(kind: .other, identifier: nil) }

    func perform(in engine: AuthEngine) async throws -> Outcome<RequestSigningKey> {
        guard engine.app.requestSigning != .off else { throw AuthError.notFound }
        let session = try await engine.signedIn(call.accessToken).session
        return Outcome(engine.requestSigningKeys.key(of: session.id))
    }
}

/// What a request showed as its signature.
public struct ShownSignature: Sendable {
    public var keyID: String
    /// In seconds since 1970, by the client's word.
    public var created: Int
    public var nonce: String
    /// What has to be signed.
    public var base: [UInt8]
    public var signature: [UInt8]

    public init(keyID: String, created: Int, nonce: String, base: [UInt8], signature: [UInt8]) {
        self.keyID = keyID
        self.created = created
        self.nonce = nonce
        self.base = base
        self.signature = signature
    }
}

extension AuthEngine {
    /// Whose access token this is, if the token's own session signed the request, now and for the first time.
    ///
    /// - Throws: ``AuthError/signatureRefused``, and what ``bearer(of:)`` throws.
    public func bearer(of accessToken: Secret<String>, signing shown: ShownSignature) async throws(AuthError) -> Bearer
    {
        let bearer = try await bearer(of: accessToken)
        let session = bearer.session.id
        let keys = requestSigningKeys
        let now = ports.surroundings.now()
        guard constantTimeEqual(Array(shown.keyID.utf8), Array(keys.key(of: session).id.utf8)),
            keys.verifies(shown.signature, of: shown.base, by: session),
            SignatureWindow.contains(shown.created, at: Int(now.timeIntervalSince1970.rounded(.down)))
        else { throw .signatureRefused }
        // Last, so that nobody without the key can fill the store.
        let spent = Ticket(
            app: app.name, kind: .requestNonce, hash: keys.hash(shown.nonce, of: session), payload: [],
            expiresAt: Date(timeIntervalSince1970: Double(shown.created + SignatureWindow.memorySeconds)))
        do {
            try await ports.tickets.add(spent)
        } catch StoreRefusal.alreadySpent {
            throw .signatureRefused
        } catch {
            throw refusal(for: error)
        }
        return bearer
    }

    var requestSigningKeys: RequestSigningKeys { RequestSigningKeys(keys: ports.keys, app: app.name) }
}
