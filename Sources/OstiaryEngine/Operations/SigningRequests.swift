import Foundation
public import OstiaryCore

extension IssueSigningKey: EngineOperation {
    var handler: IssuingSigningKey { IssuingSigningKey(call: self) }
}

/// Issues the signing key of the session: the first time for an access token alone, later for the session's current
/// refresh token.
struct IssuingSigningKey: Step {
    let call: IssueSigningKey

    static let action = IssueSigningKey.kind

    func perform(in engine: AuthEngine) async throws -> Outcome<RequestSigningKey> {
        guard engine.app.requestSigning != .off else { throw AuthError.notFound }
        let session = try await engine.signedIn(call.accessToken).session
        let isFirst = try await engine.ports.store.noteSigningKeyIssue(
            of: session.id, in: engine.app.name, at: engine.ports.surroundings.now())
        guard isFirst || isHolder(of: session, in: engine) else {
            throw Refused(.signingKeyAlreadyIssued, account: session.accountID, session: session.id)
        }
        return Outcome(
            engine.requestSigningKeys.key(of: session.id), account: session.accountID, session: session.id)
    }

    /// Returns `true` if the caller presents the current refresh token of the session: an access token is sent with
    /// every request, a refresh token with few.
    private func isHolder(of session: Session, in engine: AuthEngine) -> Bool {
        guard engine.app.rules.refresh != nil, let token = call.refreshToken,
            let (id, generation) = engine.ports.refreshTokens.read(token)
        else { return false }
        return id == session.id && generation == session.generation
    }
}

/// The signature that a request presented, with its parameters.
public struct ShownSignature: Sendable {
    /// The id of the signing key.
    public var keyID: String
    /// The time of signing in seconds since 1970, as claimed by the client.
    public var created: Int
    /// The client's single-use random value.
    public var nonce: String
    /// The bytes that are signed, the signature base.
    public var base: [UInt8]
    /// The signature of ``base``, an HMAC-SHA256.
    public var signature: [UInt8]

    /// Creates a signature from its parts.
    public init(keyID: String, created: Int, nonce: String, base: [UInt8], signature: [UInt8]) {
        self.keyID = keyID
        self.created = created
        self.nonce = nonce
        self.base = base
        self.signature = signature
    }
}

extension AuthEngine {
    /// Authenticates an access token, and checks that its own session signed the request, recently and for the first
    /// time.
    ///
    /// - Throws: `AuthError.signatureRefused`, and the errors of ``bearer(of:)``.
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
        // Checked last, so that a caller without the key cannot fill the store.
        let spent = Ticket(
            app: app.name, kind: .requestNonce, hash: keys.hash(shown.nonce, of: session), payload: [],
            expiresAt: Date(timeIntervalSince1970: Double(shown.created + SignatureWindow.memorySeconds)))
        do {
            try await ports.store.add(spent)
        } catch StoreRefusal.alreadySpent {
            throw .signatureRefused
        } catch {
            throw refusal(for: error)
        }
        return bearer
    }

    var requestSigningKeys: RequestSigningKeys { RequestSigningKeys(keys: ports.keys, app: app.name) }
}
