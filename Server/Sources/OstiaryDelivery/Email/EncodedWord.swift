import Foundation

/// The encoding of text for a header: unchanged where that is safe, otherwise as encoded words.
///
/// Source: RFC 2047 §2 and §4.1.
enum EncodedWord {
    /// Encodes text for an unstructured header, such as the subject.
    static func unstructured(_ text: String) -> String {
        let isPlain =
            text.utf8.allSatisfy { (0x20...0x7E).contains($0) } && !text.contains("=?") && text.utf8.count <= 120
        return isPlain ? text : encode(text)
    }

    /// Encodes the display name before an address.
    static func phrase(_ text: String) -> String {
        let atoms = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!#$%&'*+-/=?^_`{|}~ ".utf8)
        return text.utf8.allSatisfy(atoms.contains) && !text.contains("=?") ? text : encode(text)
    }

    /// Encodes as words of at most 64 characters, each of whole Unicode scalars, one per line: no line exceeds 76
    /// characters.
    private static func encode(_ text: String) -> String {
        var words: [[UInt8]] = [[]]
        for scalar in text.unicodeScalars {
            let bytes = Array(String(scalar).utf8)
            if words[words.count - 1].count + bytes.count > 39 { words.append([]) }
            words[words.count - 1] += bytes
        }
        return words.map { "=?utf-8?B?\(Data($0).base64EncodedString())?=" }.joined(separator: "\r\n ")
    }
}
