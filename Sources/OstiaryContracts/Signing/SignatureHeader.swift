public import OstiaryCore

/// The headers of a signed request, by lower-case name, and the format of `Signature`.
public enum SignatureHeader {
    /// The header with the digest of the body. Source: RFC 9530 §2.
    public static let digest = "content-digest"
    /// The header with the covered components and the parameters. Source: RFC 9421 §4.1.
    public static let input = "signature-input"
    /// The header with the signature. Source: RFC 9421 §4.2.
    public static let signature = "signature"
    /// All three headers.
    public static let all = [digest, input, signature]

    static func write(_ signature: [UInt8]) -> String { SignatureInput.label + ByteSequence.write(signature) }

    /// Parses the value of `Signature`.
    ///
    /// - Returns: The 32 bytes; nil for any other value, another label, or several signatures.
    static func read(_ header: String) -> [UInt8]? {
        guard header.utf8.starts(with: SignatureInput.label.utf8) else { return nil }
        return ByteSequence.read(Substring(header.utf8.dropFirst(SignatureInput.label.utf8.count)), count: 32)
    }
}

/// The form in which an answer reports that the signature was rejected, and not the access token.
public enum SignatureRefusal {
    /// The value of `WWW-Authenticate`.
    public static let challenge = "Bearer error=\"\(AuthError.signatureRefused.code)\""

    /// Returns `true` if an answer reports a rejected signature: in its header, or in the contract's error body.
    public static func isRequested(by response: WireResponse) -> Bool {
        guard response.status == 401 else { return false }
        if response.headers["www-authenticate"]?.utf8.elementsEqual(challenge.utf8) == true { return true }
        let code = (try? JSON.read(response.body))?[Codec.Key.code]
        return code == .string(AuthError.signatureRefused.code)
    }
}

extension OperationKind {
    /// `true` if requests of this operation are signed in apps with request signing: it requires an access token and
    /// does not issue the key itself.
    ///
    /// Sign-out is not signed although it carries a token: ending a session is the safe outcome, and it succeeds for
    /// revoked sessions too.
    public var isSigned: Bool { description.authorization == .required && self != .issueSigningKey }
}
