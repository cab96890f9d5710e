public import Foundation
import OstiaryCore

/// The token by which `ostiary doctor` shows a server that it has the encryption key. It is valid for a minute, and entitles to
/// nothing but the server's view of the request that carries it.
public enum DiagnosticToken {
    /// The name of the header, in lower case.
    public static let header = "ostiary-diagnosis"

    private static let lifetime: TimeInterval = 60
    private static let context = "request"
    private static let maximumBytes = 128

    /// Creates a token.
    ///
    /// - Throws: If encryption fails.
    public static func make(with keys: KeyRing, at now: Date) throws -> String {
        let text = String(Int64(now.timeIntervalSince1970))
        return Base64URL.encode(try keys.seal(Array(text.utf8), for: .diagnosis, context: context))
    }

    /// Returns `true` for a token that was created within a minute with one of the encryption keys.
    public static func isValid(_ token: String, with keys: KeyRing, at now: Date) -> Bool {
        guard token.utf8.count <= maximumBytes, let sealed = Base64URL.decode(token.utf8),
            let plain = try? keys.open(sealed, for: .diagnosis, context: context),
            let seconds = Int64(String(decoding: plain, as: UTF8.self))
        else { return false }
        return abs(now.timeIntervalSince1970 - TimeInterval(seconds)) <= lifetime
    }
}
