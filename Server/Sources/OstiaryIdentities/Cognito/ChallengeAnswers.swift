import OstiaryContracts
import OstiaryCore

/// The answers to a challenge that may be forwarded to Cognito.
struct ChallengeAnswers {
    static let maximumCount = 32
    static let maximumNameBytes = 64
    /// The length limit of a value, in bytes. The longest expected value is a passkey's assertion.
    static let maximumValueBytes = 8192

    let members: [JSON.Member]

    /// Creates the answers without `USERNAME` and `SECRET_HASH`, which this server sets itself.
    ///
    /// Nil for names that Cognito does not use, and for too many or too long answers.
    init?(_ answers: [String: Secret<String>]) {
        guard answers.count <= Self.maximumCount,
            answers.allSatisfy({ Self.isName($0) && $1.reveal().utf8.count <= Self.maximumValueBytes })
        else { return nil }
        members = answers.filter { $0.key != "USERNAME" && $0.key != "SECRET_HASH" }
            .sorted { $0.key < $1.key }
            .map { JSON.Member($0.key, .string($0.value.reveal())) }
    }

    /// Returns `true` for letters, digits, `_`, and the separators in `userAttributes.custom:name`.
    private static func isName(_ text: String) -> Bool {
        let others = Set("_.:".utf8)
        return (1...maximumNameBytes).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0.isAlphanumeric || others.contains($0) }
    }
}
