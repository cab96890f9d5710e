import OstiaryContracts
import OstiaryCore

/// The client data that an authenticator signed the hash of. Source: WebAuthn Level 3 §5.8.1.
struct CollectedClientData: Sendable {
    /// The ceremony, by the value of the member `type`.
    enum Ceremony: String, Sendable {
        case create = "webauthn.create"
        case get = "webauthn.get"
    }

    /// The minimum length of a challenge, in bytes. Source: WebAuthn Level 3 §13.4.3.
    static let minimumChallengeBytes = 16

    private let members: JSON

    /// Parses client data: a JSON object, which may have unknown members.
    ///
    /// A byte order mark, which §7.1 step 5 strips, is refused: no client writes one.
    init(_ bytes: [UInt8]) throws(WebAuthnProblem) {
        do { members = try JSON.read(bytes) } catch { throw .clientData }
        guard case .object = members else { throw .clientData }
    }

    /// The challenge; nil if it is missing or not strict base64url.
    var challenge: [UInt8]? {
        guard case .string(let text)? = members["challenge"] else { return nil }
        return Base64URL.decode(text.utf8)
    }

    /// Verifies type, challenge, origin and frames: steps 7 to 11 of §7.1 and 10 to 14 of §7.2.
    ///
    /// - Throws: ``WebAuthnProblem/ceremonyType``, ``WebAuthnProblem/challenge``, ``WebAuthnProblem/origin``,
    ///   ``WebAuthnProblem/crossOrigin``, ``WebAuthnProblem/topOrigin``.
    func verify(_ ceremony: Ceremony, challenge: [UInt8], origins: [String]) throws(WebAuthnProblem) {
        // §7.1 step 7, §7.2 step 10.
        guard case .string(let type)? = members["type"], type.utf8.elementsEqual(ceremony.rawValue.utf8) else {
            throw .ceremonyType
        }
        // §7.1 step 8, §7.2 step 11. Strict base64url has one encoding of the challenge, so the bytes are compared.
        guard challenge.count >= Self.minimumChallengeBytes, let presented = self.challenge,
            ConstantTime.isEqual(presented, challenge)
        else { throw .challenge }
        // §7.1 step 9, §7.2 step 12.
        guard case .string(let origin)? = members["origin"],
            origins.contains(where: { $0.utf8.elementsEqual(origin.utf8) })
        else { throw .origin }
        // §7.1 step 10, §7.2 step 13: no frame is expected.
        switch members["crossOrigin"] {
        case nil, .boolean(false)?: break
        default: throw .crossOrigin
        }
        // §7.1 step 11, §7.2 step 14: no frame is expected.
        guard members["topOrigin"] == nil else { throw .topOrigin }
    }
}
