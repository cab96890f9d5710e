import OstiaryCore

/// The outcome of one sign-in.
struct Attempt {
    enum Result {
        case signedIn(SignedIn)
        case refused(AuthError)

        var isChallenge: Bool {
            if case .refused(.proofOfWorkRequired) = self { true } else { false }
        }
    }

    var result: Result
    /// `true` if the client was asked for a computation.
    var isChallenged: Bool

    var signedIn: SignedIn? { if case .signedIn(let signedIn) = result { signedIn } else { nil } }
    /// `true` if a password was compared, or seemed to be.
    var isJudged: Bool {
        switch result {
        case .signedIn, .refused(.wrongCredentials): true
        case .refused: false
        }
    }
}
