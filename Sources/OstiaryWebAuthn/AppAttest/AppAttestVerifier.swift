#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// Verifies attestations and assertions of App Attest, without access to time, randomness or storage.
///
/// Source: Apple, "Validating apps that connect to your server". Receipts are not evaluated.
package struct AppAttestVerifier: Sendable {
    /// The maximum length of an attestation object, in bytes; Apple's have about 6,000.
    package static let maximumAttestationBytes = 16_384
    /// The maximum length of an assertion, in bytes; Apple's have at most some 200.
    package static let maximumAssertionBytes = 1024
    /// The length of a key id in bytes: a SHA-256 hash.
    package static let keyIDBytes = 32

    /// The accepted App IDs: the team's id, a full stop, and a bundle id.
    package let appIDs: [String]
    /// The accepted environment.
    package let environment: AppAttestEnvironment
    private let root: X509Certificate

    /// Creates a verifier that trusts a root certificate, which ``X509Certificate/isTrustAnchor``.
    package init(appIDs: [String], environment: AppAttestEnvironment, root: X509Certificate) {
        self.appIDs = appIDs
        self.environment = environment
        self.root = root
    }

    /// Verifies the attestation of a new key.
    ///
    /// - Parameters:
    ///   - keyID: The key id that the app reports.
    ///   - clientDataHash: The hash of the challenge, which the caller redeems before the call.
    ///   - now: The seconds since 1970.
    /// - Throws: ``AppAttestProblem`` with the first step that failed.
    package func verifyAttestation(
        _ attestation: [UInt8], keyID: [UInt8], clientDataHash: [UInt8], at now: Int64
    ) throws(AppAttestProblem) -> AttestedAppKey {
        guard attestation.count <= Self.maximumAttestationBytes else { throw .attestationObject }
        let object: AttestationObject
        do { object = try AttestationObject(attestation) } catch { throw .attestationObject }
        guard object.format.utf8.elementsEqual("apple-appattest".utf8) else { throw .attestationFormat }
        // Step 1.
        let leaf = try verifiedLeaf(of: object.statement, at: now)
        // Steps 2 to 4.
        let nonce = Self.nonce(object.authenticatorData, clientDataHash)
        guard let certified = Self.nonce(in: leaf), ConstantTime.isEqual(certified, nonce) else { throw .nonce }
        // Step 5.
        guard case .p256(let key) = leaf.publicKey else { throw .publicKey }
        let point = Array(key.x963Representation)
        guard Array(SHA256.hash(data: point)) == keyID else { throw .keyID }
        let (header, credential) = try AppAttestAuthenticatorData.attestation(object.authenticatorData)
        // Step 6.
        guard let appID = appIDs.first(where: { Self.hash(of: $0) == header.appIDHash }) else { throw .appID }
        // Step 7.
        guard header.counter == 0 else { throw .counter }
        // Step 8.
        guard credential.aaguid == environment.aaguid else { throw .environment }
        // Step 9.
        guard credential.credentialID == keyID else { throw .credentialID }
        // The key stands in the authenticator data too.
        guard credential.publicKeyBytes == Self.coseKey(of: point) else { throw .publicKey }
        return AttestedAppKey(keyID: keyID, publicKey: point, appID: appID)
    }

    /// Verifies an assertion of an attested key.
    ///
    /// - Parameters:
    ///   - clientDataHash: The hash of the request that the assertion is for.
    ///   - counter: The counter of the last accepted assertion.
    /// - Returns: The counter to store, by compare-and-set with a lesser one.
    /// - Throws: ``AppAttestProblem`` with the first step that failed.
    package func verifyAssertion(
        _ assertion: [UInt8], of key: AttestedAppKey, clientDataHash: [UInt8], after counter: UInt32
    ) throws(AppAttestProblem) -> UInt32 {
        guard assertion.count <= Self.maximumAssertionBytes, let value = try? CBOR.decode(assertion),
            case .bytes(let signature)? = value["signature"],
            case .bytes(let authenticatorData)? = value["authenticatorData"]
        else { throw .assertion }
        let header = try AppAttestAuthenticatorData(assertion: authenticatorData)
        guard let publicKey = try? P256.Signing.PublicKey(x963Representation: key.publicKey) else {
            throw .storedPublicKey
        }
        // Steps 1 to 3. The nonce is the message, which the signature scheme hashes once more.
        let nonce = Self.nonce(authenticatorData, clientDataHash)
        guard let signature = try? P256.Signing.ECDSASignature(derRepresentation: signature),
            publicKey.isValidSignature(signature, for: nonce)
        else { throw .signature }
        // Step 4. The app's list may have changed since the attestation.
        guard appIDs.contains(where: { $0.utf8.elementsEqual(key.appID.utf8) }),
            header.appIDHash == Self.hash(of: key.appID)
        else { throw .appID }
        // Step 5. Step 6, the challenge, is left out: the assertion is for one request, and the counter is its nonce.
        guard header.counter > counter else { throw .counter }
        return header.counter
    }

    private func verifiedLeaf(of statement: CBOR, at now: Int64) throws(AppAttestProblem) -> X509Certificate {
        guard case .array(let chain)? = statement["x5c"], chain.count == 2, case .bytes(let leaf) = chain[0],
            case .bytes(let intermediate) = chain[1]
        else { throw .certificateCount }
        let certificate = try X509Certificate(leaf)
        try X509Certificate.verifyPath(to: certificate, by: try X509Certificate(intermediate), from: root, at: now)
        return certificate
    }

    /// Returns the nonce of the extension 1.2.840.113635.100.8.2: an octet string, tagged 1, in a sequence.
    private static func nonce(in certificate: X509Certificate) -> [UInt8]? {
        guard let value = certificate.value(ofExtension: nonceExtension),
            let sequence = DERReader.only(DERElement.Tag.sequence, in: value),
            let tagged = DERReader.only(DERElement.Tag.context(1), in: sequence.content),
            let nonce = DERReader.only(DERElement.Tag.octetString, in: tagged.content)
        else { return nil }
        return Array(nonce.content)
    }

    private static let nonceExtension: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x63, 0x64, 0x08, 0x02]

    private static func nonce(_ authenticatorData: [UInt8], _ clientDataHash: [UInt8]) -> [UInt8] {
        Array(SHA256.hash(data: authenticatorData + clientDataHash))
    }

    private static func hash(of appID: String) -> [UInt8] { Array(SHA256.hash(data: Array(appID.utf8))) }

    /// Returns the one encoding of a public key as a COSE key for ES256. Source: RFC 9053 §7.1.1.
    private static func coseKey(of point: [UInt8]) -> [UInt8] {
        let coordinates = point.dropFirst()
        return [0xA5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20] + coordinates.prefix(32)
            + [0x22, 0x58, 0x20] + coordinates.suffix(32)
    }
}
