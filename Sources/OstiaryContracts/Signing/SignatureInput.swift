import OstiaryCore

/// What a request says about its signature, in `Signature-Input`: one fixed profile of RFC 9421, by HMAC-SHA256.
///
/// ```
/// ostiary=("@method" "@path" "@query" "content-digest" "authorization");created=1700000000;keyid="…";alg="hmac-sha256";nonce="…"
/// ```
///
/// Source: RFC 9421 §2.3, §4.1. Two readers of one header could each see another one in it, so there is no second spelling:
/// no other order, no other parameter, no white space.
public struct SignatureInput: Hashable, Sendable {
    /// When it was signed, in seconds since 1970.
    public let created: Int
    /// Letters, digits, `-` and `_`.
    public let keyID: String
    /// The same letters, 22 to 64 of them: 128 bits or more that come once.
    public let nonce: String

    /// What the only signature of a request is called.
    static let label = "ostiary="
    /// What is covered, in this order. Not `@authority`, which proxies change: the key is of one session of one app.
    static let covered = "(\"@method\" \"@path\" \"@query\" \"content-digest\" \"authorization\")"
    static let maximumBytes = RequestSigningKey.maximumIDBytes
    private static let minimumNonceBytes = 22

    /// - Returns: Nil for a negative time, and for names of another form.
    public init?(created: Int, keyID: String, nonce: String) {
        guard created >= 0, Self.isName(keyID), Self.isName(nonce), nonce.utf8.count >= Self.minimumNonceBytes else {
            return nil
        }
        self.created = created
        self.keyID = keyID
        self.nonce = nonce
    }

    /// What is covered, and the parameters: the last line of the signature base has it too.
    public var parameters: String {
        "\(Self.covered);created=\(created);keyid=\"\(keyID)\";alg=\"hmac-sha256\";nonce=\"\(nonce)\""
    }

    /// The header's value.
    public var header: String { Self.label + parameters }

    /// Reads a header's value.
    ///
    /// - Returns: Nil for everything that ``header`` does not write.
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
        // Numbers have more spellings than one: +1, 01.
        guard self.header.utf8.elementsEqual(header.utf8) else { return nil }
    }

    static func isName(_ text: String) -> Bool {
        (1...maximumBytes).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
            }
    }
}
