import OstiaryCore
import OstiaryWebAuthn

/// The one answer that a request gives to a challenge.
enum ChallengeAnswer {
    /// A code that the person typed, for a method.
    case text(ChallengeMethod, Secret<String>)
    /// The response of a passkey.
    case passkey(AuthenticationResponse)

    /// The method of the answer.
    var method: ChallengeMethod {
        switch self {
        case .text(let method, _): method
        case .passkey: .passkey
        }
    }

    /// Reads the answer of a request.
    ///
    /// - Parameter methods: The methods that answer the challenge; answers of others are ignored.
    /// - Throws: ``AuthError/invalid(_:_:)`` unless there is exactly one answer; ``AuthError/challengeRefused`` if the account
    ///   has no method left, since its factors were removed after the challenge.
    init(_ call: AnswerChallenge, by methods: [ChallengeMethod]) throws(AuthError) {
        guard !methods.isEmpty else { throw .challengeRefused }
        let given = methods.filter { call.answers[$0.rawValue] != nil }
        if let credential = call.credential {
            guard given.isEmpty, methods.contains(.passkey) else { throw .invalid(.credential, .malformed) }
            self = .passkey(try AuthenticationResponse(reading: credential))
            return
        }
        guard given.count == 1, let answer = call.answers[given[0].rawValue] else {
            throw .invalid(.answers, given.isEmpty ? .missing : .malformed)
        }
        self = .text(given[0], answer)
    }
}
