import OstiaryContracts
import OstiaryCore

/// What a person answers to a challenge, as far as it may go to Cognito.
struct ChallengeAnswers {
    static let maximumCount = 32
    static let maximumNameBytes = 64
    /// The longest that is asked for is the answer of a passkey.
    static let maximumValueBytes = 8192

    let members: [JSON.Member]

    /// Leaves out who signs in and our proof of the secret, which are ours to say.
    ///
    /// Nil for names that Cognito has no use for, and for too much of anything.
    init?(_ answers: [String: Secret<String>]) {
        guard answers.count <= Self.maximumCount,
            answers.allSatisfy({ Self.isName($0) && $1.reveal().utf8.count <= Self.maximumValueBytes })
        else { return nil }
        members = answers.filter { $0.key != "USERNAME" && $0.key != "SECRET_HASH" }
            .sorted { $0.key < $1.key }
            .map { JSON.Member($0.key, .string($0.value.reveal())) }
    }

    /// Letters, digits, `_`, and what joins the parts of `userAttributes.custom:name`.
    private static func isName(_ text: String) -> Bool {
        let others = Set("_.:".utf8)
        return (1...maximumNameBytes).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0.isAlphanumeric || others.contains($0) }
    }
}
