public import OstiaryCore

/// The headers of a signed request, by lower-case name, and how `Signature` is written.
public enum SignatureHeader {
    public static let digest = "content-digest"
    public static let input = "signature-input"
    public static let signature = "signature"
    /// All of them.
    public static let all = [digest, input, signature]

    static func write(_ signature: [UInt8]) -> String { SignatureInput.label + ByteSequence.write(signature) }

    /// - Returns: The 32 bytes; nil for any other value, another label, or several signatures.
    static func read(_ header: String) -> [UInt8]? {
        guard header.utf8.starts(with: SignatureInput.label.utf8) else { return nil }
        return ByteSequence.read(Substring(header.utf8.dropFirst(SignatureInput.label.utf8.count)), count: 32)
    }
}

/// How an answer says that it was the signature that was refused, and not the token.
public enum SignatureRefusal {
    /// The value of `WWW-Authenticate`.
    public static let challenge = "Bearer error=\"\(AuthError.signatureRefused.code)\""

    /// Whether an answer says so: in its header, or in the contract's error body.
    public static func isMeant(by response: WireResponse) -> Bool {
        guard response.status == 401 else { return false }
        if response.headers["www-authenticate"]?.utf8.elementsEqual(challenge.utf8) == true { return true }
        let code = (try? JSON.read(response.body))?[Codec.Key.code]
        return code == .string(AuthError.signatureRefused.code)
    }
}

extension OperationKind {
    /// Whether the operation is signed where requests are: it is for signed-in people, and does not fetch the key itself.
    ///
    /// Sign-out is not, though it carries a token: ending is the safe side, and succeeds with dead sessions too.
    public var isSigned: Bool { authorization == .required && self != .issueSigningKey }
}
