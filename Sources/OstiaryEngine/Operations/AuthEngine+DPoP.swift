import Foundation
public import OstiaryCore

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// Proof of possession of a session's key: see decision 83. Source: RFC 9449.
extension AuthEngine {
    /// The nonce that the next proof of a client should carry.
    public var dpopNonce: String { dpopNonces.current(at: secondsSince1970) }

    /// Returns the thumbprint of the key that the caller proves to have, for a request without an access token; `nil` if the
    /// caller has no proof, or sessions of the app are not bound.
    ///
    /// Has no effect: a proof can be verified again until a session is opened with it.
    ///
    /// - Throws: `AuthError.dpopRequired`, `AuthError.invalidDPoPProof` or `AuthError.useDPoPNonce(nonce:)`.
    public func provenKey() throws(AuthError) -> String? {
        guard app.dpop.requirement != .off else { return nil }
        return try proofOfNewKey()?.thumbprint
    }

    /// Returns the proof of the request that opens a session; `nil` for a session that is not bound.
    ///
    /// - Parameter key: The thumbprint of the key that the proof must be of, because the sign-in began with it; `nil` for any key,
    ///   and for none.
    func proofOfNewKey(continuing key: String? = nil) throws(AuthError) -> VerifiedProof? {
        switch app.dpop.requirement {
        case .off: return nil
        case .accepted where caller.dpopProof?.hasProof != true && key == nil: return nil
        case .required where caller.dpopProof?.hasProof != true: throw .dpopRequired
        case .accepted, .required:
            let proof = try verifiedProof(of: nil)
            guard key.map({ $0.utf8.elementsEqual(proof.thumbprint.utf8) }) ?? true else { throw .invalidDPoPProof }
            return proof
        }
    }

    /// Requires the proof of the key that a session is bound to, made for this request and this access token, and none that
    /// this node has accepted before.
    ///
    /// - Throws: `AuthError.invalidDPoPProof`; `AuthError.useDPoPNonce(nonce:)`; `AuthError.invalidAccessToken` for an
    ///   unbound token that is presented as a bound one.
    func requireProof(of session: Session, for accessToken: Secret<String>) throws(AuthError) {
        guard let key = session.boundKey else {
            guard caller.dpopProof?.hasScheme != true else { throw .invalidAccessToken }
            return
        }
        // A bound token that is presented as a bearer token is refused. Source: RFC 9449 §7.1.
        guard caller.dpopProof?.hasScheme == true else { throw .invalidDPoPProof }
        let proof = try verifiedProof(of: accessToken)
        guard proof.thumbprint.utf8.elementsEqual(key.utf8), use(proof) else { throw .invalidDPoPProof }
    }

    /// Requires the proof of the key that a refresh token is bound to, made for this request, and none that any node has
    /// accepted before.
    func requireProof(ofKey key: String) async throws {
        let proof = try verifiedProof(of: nil)
        guard proof.thumbprint.utf8.elementsEqual(key.utf8) else { throw AuthError.invalidDPoPProof }
        try await spend(proof)
    }

    /// Requires the proof of the key of a session that its holder ends, by its access token or its refresh token.
    func requireProof(ofKey key: String, ending accessToken: Secret<String>?) throws(AuthError) {
        guard accessToken == nil || caller.dpopProof?.hasScheme == true else { throw .invalidDPoPProof }
        let proof = try verifiedProof(of: accessToken)
        guard proof.thumbprint.utf8.elementsEqual(key.utf8), use(proof) else { throw .invalidDPoPProof }
    }

    /// Marks a proof as used at every node.
    ///
    /// - Throws: `AuthError.invalidDPoPProof` if it was used before.
    func spend(_ proof: VerifiedProof) async throws {
        try await spending { try await ports.store.add(usedRecord(of: proof)) }
    }

    /// Runs a write that marks a proof as used.
    ///
    /// - Throws: `AuthError.invalidDPoPProof` if it was used before.
    func spending<Value: Sendable>(_ write: () async throws -> Value) async throws -> Value {
        do { return try await write() } catch StoreRefusal.alreadySpent { throw AuthError.invalidDPoPProof }
    }

    /// Returns the record that marks a proof as used at every node.
    func usedRecord(of proof: VerifiedProof) -> SingleUseRecord {
        SingleUseRecord(
            app: app.name, kind: .dpopProof, hash: hash(of: proof), payload: [],
            expiresAt: Date(timeIntervalSince1970: Double(proof.issuedAt + DPoPProofPolicy.memorySeconds)))
    }

    /// Marks a proof as used at this node.
    ///
    /// - Returns: `false` if it was used here before.
    private func use(_ proof: VerifiedProof) -> Bool { usedProofs.add(hash(of: proof), at: ports.system.now()) }

    private func hash(of proof: VerifiedProof) -> [UInt8] {
        ports.keys.digest(["proof", proof.thumbprint, proof.id], for: .dpop, app: app.name)
    }

    /// Verifies the caller's proof, except that it is used once: the cheap checks first, and the signature last.
    private func verifiedProof(of accessToken: Secret<String>?) throws(AuthError) -> VerifiedProof {
        guard let presented = caller.dpopProof, let proof = presented.proof else { throw .invalidDPoPProof }
        let now = secondsSince1970
        let accessTokenHash = accessToken.map { Array(SHA256.hash(data: Data($0.reveal().utf8))).base64URL }
        guard
            DPoPProofPolicy(origins: app.dpop.origins).accepts(
                proof, method: presented.method, url: presented.url, accessTokenHash: accessTokenHash, at: now)
        else { throw .invalidDPoPProof }
        guard let nonce = proof.nonce, dpopNonces.accepts(nonce, at: now) else {
            throw .useDPoPNonce(nonce: dpopNonces.current(at: now))
        }
        guard let key = try? P256.Signing.PublicKey(rawRepresentation: proof.key.rawRepresentation),
            let signature = try? P256.Signing.ECDSASignature(rawRepresentation: proof.signature),
            key.isValidSignature(signature, for: proof.signingInput)
        else { throw .invalidDPoPProof }
        return VerifiedProof(
            thumbprint: Array(SHA256.hash(data: proof.key.thumbprintInput)).base64URL, id: proof.id,
            issuedAt: proof.issuedAt)
    }

    private var dpopNonces: DPoPNonces { DPoPNonces(keys: ports.keys, app: app.name) }

    private var secondsSince1970: Int { Int(ports.system.now().timeIntervalSince1970.rounded(.down)) }
}

extension PresentedProof {
    /// `true` if the request has a proof, readable or not.
    fileprivate var hasProof: Bool { proof != nil || isUnreadable }
}
