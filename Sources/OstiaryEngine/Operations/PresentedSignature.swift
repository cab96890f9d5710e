import Foundation
public import OstiaryCore

/// The signature that a request presented, with its parameters.
public struct PresentedSignature: Sendable {
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
    /// - Parameter requiringProof: `false` for a check beside an operation that requires the proof of the session's key
    ///   itself: a proof is accepted once.
    /// - Throws: `AuthError.signatureRefused`, and the errors of ``bearer(of:)``.
    public func bearer(
        of accessToken: Secret<String>, signing shown: PresentedSignature, requiringProof: Bool = true
    ) async throws(AuthError) -> AuthenticatedSession {
        let bearer: AuthenticatedSession
        do { bearer = try await provenBearer(of: accessToken, requiringProof: false) } catch {
            throw refusal(for: error)
        }
        let session = bearer.session.id
        let keys = requestSigningKeys
        let now = ports.system.now()
        guard constantTimeEqual(Array(shown.keyID.utf8), Array(keys.key(of: session).id.utf8)),
            keys.verifies(shown.signature, of: shown.base, by: session),
            SignatureWindow.contains(shown.created, at: Int(now.timeIntervalSince1970.rounded(.down)))
        else { throw .signatureRefused }
        // Checked last, so that a caller without the key cannot fill the store.
        let spent = SingleUseRecord(
            app: app.name, kind: .requestNonce, hash: keys.hash(shown.nonce, of: session), payload: [],
            expiresAt: Date(timeIntervalSince1970: Double(shown.created + SignatureWindow.memorySeconds)))
        do {
            try await ports.store.add(spent)
        } catch StoreRefusal.alreadySpent {
            throw .signatureRefused
        } catch {
            throw refusal(for: error)
        }
        // After the signature: a client repeats a request whose signature is refused, and a proof is accepted once.
        if requiringProof { try requireProof(of: bearer.session, for: accessToken) }
        return bearer
    }

    var requestSigningKeys: RequestSigningKeys { RequestSigningKeys(keys: ports.keys, app: app.name) }
}
