import Foundation
import OstiaryCore

/// What a secret of ours must be like: a key that signs or encrypts, not a password that another service gave out.
enum SecretStrength {
    static let shortest = 32
    private static let wellKnown: Set<String> = [
        "secret", "changeme", "change-me", "change_me", "password", "default", "test", "example", "jwt_secret",
        "jwtsecret",
        "your-secret-key", "your_jwt_secret", "supersecret", "s3cret", "letmein", "admin",
    ]

    /// Refuses well-known and repetitive secrets always, short ones unless in development.
    static func check(_ setting: Setting, mode: Mode = .production) throws(ConfigurationProblem) -> Secret<String> {
        let secret = try setting.secret()
        let text = secret.reveal()
        guard !wellKnown.contains(text.lowercased()), !isRepetition(Array(text.utf8)) else {
            throw setting.problem("needs a secret nobody can guess, at least \(shortest) bytes from a random source")
        }
        guard mode == .development || text.utf8.count >= shortest else {
            throw setting.problem("needs at least \(shortest) bytes")
        }
        return secret
    }

    /// 32 bytes, base64.
    static func encryptionKey(_ setting: Setting) throws(ConfigurationProblem) -> Secret<[UInt8]> {
        guard let data = Data(base64Encoded: try setting.string()), data.count == 32 else {
            throw setting.problem("needs 32 bytes in base64, for example from: openssl rand -base64 32")
        }
        guard !isRepetition(Array(data)) else { throw setting.problem("needs 32 random bytes") }
        return Secret(Array(data))
    }

    /// Whether it is one byte or a short word again and again.
    private static func isRepetition(_ bytes: [UInt8]) -> Bool {
        (1...8).contains { period in
            bytes.count > period && bytes.indices.allSatisfy { bytes[$0] == bytes[$0 % period] }
        }
    }
}
