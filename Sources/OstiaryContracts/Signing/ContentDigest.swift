/// The `Content-Digest` of a signed request: the SHA-256 of its body, which for no body is that of no bytes.
///
/// Source: RFC 9530 §2. One algorithm and one spelling; anything else is no digest.
public enum ContentDigest {
    private static let label = "sha-256="

    public static func write(sha256: [UInt8]) -> String { label + ByteSequence.write(sha256) }

    /// - Returns: The 32 bytes; nil for any other header.
    public static func read(_ header: String) -> [UInt8]? {
        guard header.utf8.starts(with: label.utf8) else { return nil }
        return ByteSequence.read(Substring(header.utf8.dropFirst(label.utf8.count)), count: 32)
    }
}
