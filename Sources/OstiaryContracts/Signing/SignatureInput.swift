import OstiaryCore

/// The value of `Signature-Input`: one fixed profile of RFC 9421, with HMAC-SHA256.
///
/// ```
/// ostiary=("@method" "@path" "@query" "content-digest" "authorization");created=1700000000;keyid="…";alg="hmac-sha256";nonce="…"
/// ```
///
/// Two parsers could interpret one header differently, so only this spelling is accepted: no other order, no other
/// parameter, no white space. Source: RFC 9421 §2.3, §4.1.
public struct SignatureInput: Hashable, Sendable {
    /// The time of signing, in seconds since 1970.
    public let created: Int
    /// The identifier of the key: 1 to 64 letters, digits, `-` or `_`.
    public let keyID: String
    /// The nonce: 22 to 64 of the same characters, 128 bits or more that are used once.
    public let nonce: String

    /// The label of a request's only signature, with its equals sign.
    static let label = "ostiary="
    /// The covered components, in this order. `@authority` is not covered because proxies change it: the key belongs to
    /// one session of one app.
    static let covered = "(\"@method\" \"@path\" \"@query\" \"content-digest\" \"authorization\")"
    private static let minimumNonceBytes = 22

    /// Creates the parameters of a signature.
    ///
    /// - Returns: Nil for a negative time and for a malformed key identifier or nonce.
    public init?(created: Int, keyID: String, nonce: String) {
        guard created >= 0, RequestSigningKey.isID(keyID), RequestSigningKey.isID(nonce),
            nonce.utf8.count >= Self.minimumNonceBytes
        else {
            return nil
        }
        self.created = created
        self.keyID = keyID
        self.nonce = nonce
    }

    /// The covered components and the parameters, which are also the last line of the signature base.
    public var parameters: String {
        "\(Self.covered);created=\(created);keyid=\"\(keyID)\";alg=\"hmac-sha256\";nonce=\"\(nonce)\""
    }

    /// The value of the header `Signature-Input`.
    public var header: String { Self.label + parameters }

    /// Parses the value of the header.
    ///
    /// - Returns: Nil for any value that ``header`` does not produce.
    public init?(header: String) {
        guard header.utf8.count <= 512 else { return nil }
        var rest = header.utf8[...]
        func take(_ text: String) -> Bool {
            guard rest.starts(with: text.utf8) else { return false }
            rest = rest.dropFirst(text.utf8.count)
            return true
        }
        func takeUntil(_ end: UInt8) -> String {
            let text = rest.prefix { $0 != end }
            rest = rest.dropFirst(text.count)
            return String(Substring(text))
        }
        guard take("\(Self.label)\(Self.covered);created="), let created = Int(takeUntil(UInt8(ascii: ";"))),
            take(";keyid=\"")
        else { return nil }
        let keyID = takeUntil(UInt8(ascii: "\""))
        guard take("\";alg=\"hmac-sha256\";nonce=\"") else { return nil }
        self.init(created: created, keyID: keyID, nonce: takeUntil(UInt8(ascii: "\"")))
        // Numbers have several spellings: +1, 01.
        guard self.header.utf8.elementsEqual(header.utf8) else { return nil }
    }
}
