/// What a client did, for counting and for logs. Holds no secret, no address, no name.
public enum ClientEvent: Hashable, Sendable {
    /// How somebody signed in, or tried to; nil for success.
    case signIn(method: SignInMethod, failure: FailureCode?)
    case registration(failure: FailureCode?)
    /// A refresh has ended, well or with that failure, after that many requests.
    case refresh(failure: FailureCode?, requests: Int)
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
    case request(status: Int?, failure: FailureCode?)
    /// A 401 was answered with a fresh token and the request repeated.
    case replayed
    /// A request was held back, for that long.
    case heldBack(Duration)
    case pinMismatch

    // MARK: Offline queue

    /// A request waits in the queue of the signed-in person, which is now that long. So are the depths below.
    case queued(QueuedRequest.ID, depth: Int)
    /// A queued request was done by the server.
    case queueSent(QueuedRequest.ID, depth: Int)
    /// A queued request will never succeed and has been given up, so that those behind it can go.
    case queueDropped(QueuedRequest.ID, failure: FailureCode, depth: Int)
    /// The queue waits: its first request could not be sent, or not be done now.
    case queueHeld(failure: FailureCode, depth: Int)
    /// That many requests went with the session of the person they were for.
    case queueCleared(count: Int)

    public enum SignInMethod: String, Hashable, Sendable, CaseIterable {
        case password, browser, social, identityToken, challenge
    }
}
