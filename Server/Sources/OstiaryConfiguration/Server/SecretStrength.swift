import Foundation
import OstiaryCore

/// The requirements for Ostiary's own secrets: keys that sign or encrypt, not passwords that another service issued.
enum SecretStrength {
    static let shortest = 32
    private static let wellKnown: Set<String> = [
        "secret", "changeme", "change-me", "change_me", "password", "default", "test", "example", "jwt_secret",
        "jwtsecret",
        "your-secret-key", "your_jwt_secret", "supersecret", "s3cret", "letmein", "admin",
    ]

    /// Refuses well-known and repetitive secrets in every mode, short ones except in development.
    static func check(_ setting: Setting, mode: Mode = .production) throws(ConfigurationProblem) -> Secret<String> {
        let secret = try setting.secret()
        let text = secret.reveal()
        guard !wellKnown.contains(text.lowercased()), !isRepetition(Array(text.utf8)) else {
            throw setting.problem(
                "needs a secret that cannot be guessed, at least \(shortest) bytes from a random source")
        }
        guard mode == .development || text.utf8.count >= shortest else {
            throw setting.problem("needs at least \(shortest) bytes")
        }
        return secret
    }

    /// Reads 32 bytes in base64.
    static func encryptionKey(_ setting: Setting) throws(ConfigurationProblem) -> Secret<[UInt8]> {
        guard let data = Data(base64Encoded: try setting.string()), data.count == 32 else {
            throw setting.problem("needs 32 bytes in base64, for example from: openssl rand -base64 32")
        }
        guard !isRepetition(Array(data)) else { throw setting.problem("needs 32 random bytes") }
        return Secret(Array(data))
    }

    /// Returns `true` if the bytes repeat one byte or a sequence of at most 8.
    private static func isRepetition(_ bytes: [UInt8]) -> Bool {
        (1...8).contains { period in
            bytes.count > period && bytes.indices.allSatisfy { bytes[$0] == bytes[$0 % period] }
        }
    }
}
