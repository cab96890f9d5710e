/// The `Content-Digest` header of a signed request: the SHA-256 digest of its body; without a body, of zero bytes.
///
/// Source: RFC 9530 §2. Only one algorithm and one spelling are accepted.
public enum ContentDigest {
    private static let label = "sha-256="

    /// Returns the value of the header for the 32 bytes of a digest.
    public static func write(sha256: [UInt8]) -> String { label + ByteSequence.write(sha256) }

    /// Parses the value of the header.
    ///
    /// - Returns: The 32 bytes; nil for any other value.
    public static func read(_ header: String) -> [UInt8]? {
        guard header.utf8.starts(with: label.utf8) else { return nil }
        return ByteSequence.read(Substring(header.utf8.dropFirst(label.utf8.count)), count: 32)
    }
}
