#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// A relying party, which verifies registrations and authentications without access to time, randomness or storage.
///
/// The step numbers in its methods are those of WebAuthn Level 3. Steps 1 and 2 of both ceremonies, the choice of
/// options and the call of the client, precede them.
package struct RelyingParty: Sendable {
    /// The RP ID: a domain.
    package let id: String
    /// The accepted origins, compared by bytes. Source: WebAuthn Level 3 §13.4.9.
    package let origins: [String]
    private let idHash: [UInt8]

    package init(id: String, origins: [String]) {
        self.id = id
        self.origins = origins
        idHash = Array(SHA256.hash(data: Array(id.utf8)))
    }

    /// Returns the challenge in the client data of a response, so that the caller can spend it before the verification.
    ///
    /// - Throws: ``WebAuthnProblem/clientData``; ``WebAuthnProblem/challenge`` if there is none in strict base64url.
    package static func challenge(in clientDataJSON: [UInt8]) throws(WebAuthnProblem) -> [UInt8] {
        guard let challenge = try CollectedClientData(clientDataJSON).challenge else { throw .challenge }
        return challenge
    }

    /// Verifies the RP ID hash and the flags UP and UV: steps 14 to 16 of §7.1 and 15 to 17 of §7.2.
    func verify(_ data: AuthenticatorData) throws(WebAuthnProblem) {
        // §7.1 step 14, §7.2 step 15.
        guard data.relyingPartyIDHash == idHash else { throw .relyingPartyID }
        // §7.1 step 15, §7.2 step 16. Conditional registration is no exception.
        guard data.flags.contains(.userPresent) else { throw .userPresence }
        // §7.1 step 16, §7.2 step 17.
        guard data.flags.contains(.userVerified) else { throw .userVerification }
    }
}
