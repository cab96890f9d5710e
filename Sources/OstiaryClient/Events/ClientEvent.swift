/// What a client did, for counting and for logs. Holds no secret, no address, no name.
public enum ClientEvent: Hashable, Sendable {
    /// How somebody signed in, or tried to; nil for success.
    case signIn(method: SignInMethod, failure: String?)
    case registration(failure: String?)
    /// A refresh has ended, well or with that failure, after that many requests.
    case refresh(failure: String?, requests: Int)
    /// Another process had refreshed; its token is used.
    case adopted
    case signOut(SignedOutReason)
    /// The server has been told of a sign-out, at once or later.
    case signOutTold
    case accountSwitched
    /// The store cannot be written: sessions are kept in memory until it can.
    case storeUnwritable(StoreProblem)
    case storeWritableAgain
    /// One of the app's own requests has ended, with that status, or without an answer for that reason.
    case request(status: Int?, failure: String?)
    /// A 401 was answered with a fresh token and the request repeated.
    case replayed
    /// A request was held back, for that long.
    case heldBack(Duration)
    case pinMismatch

    public enum SignInMethod: String, Hashable, Sendable, CaseIterable {
        case password, code, browser, social, identityToken, challenge
    }
}
