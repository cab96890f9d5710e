/// An event of a client, for metrics and logs. Contains no secret, no address, no name.
public enum ClientEvent: Hashable, Sendable {
    /// A sign-in attempt by that method has ended; `failure` is nil for success.
    case signIn(method: SignInMethod, failure: FailureCode?)
    /// A registration attempt, or the confirmation of a registration, has ended; `failure` is nil for success.
    case registration(failure: FailureCode?)
    /// A refresh has ended after that many requests; `failure` is nil for success.
    case refresh(failure: FailureCode?, requests: Int)
    /// Another process had refreshed; its token is used.
    case adopted
    /// The session on this device has ended, for that reason.
    case signOut(SignedOutReason)
    /// The server has ended a session after a sign-out, immediately or on a later attempt.
    case revocationSent
    /// Another saved account has become the current one.
    case accountSwitched
    /// The store cannot be written: sessions are kept in memory until it can.
    case storeUnwritable(StoreProblem)
    /// The store can be written again after a failure.
    case storeWritableAgain
    /// One of the app's own requests has ended with that status, or without an answer for that reason.
    case request(status: Int?, failure: FailureCode?)
    /// A request was repeated with a fresh token after a 401.
    case replayed
    /// A request waits for that time, for the rate limit or the server's pause.
    case heldBack(Duration)
    /// A server had none of the pinned keys; the request was not sent.
    case pinMismatch

    // MARK: Offline queue

    /// A request was added to the queue of the signed-in user, whose length is now `depth`; so for the depths below.
    case queued(QueuedRequest.ID, depth: Int)
    /// The server has executed a queued request.
    case queueSent(QueuedRequest.ID, depth: Int)
    /// A queued request can never succeed and was given up, so that those behind it can be sent.
    case queueDropped(QueuedRequest.ID, failure: FailureCode, depth: Int)
    /// The queue waits: its first request could not be sent, or the server could not execute it now.
    case queueHeld(failure: FailureCode, depth: Int)
    /// That many requests were removed because the session of their owner ended.
    case queueCleared(count: Int)

    /// The methods of signing in; the raw value is the name in metrics.
    public enum SignInMethod: String, Hashable, Sendable, CaseIterable {
        /// In this order: by a password; at the backend's page in the browser; at a social provider in the browser;
        /// with a provider's ID token; by the answer to a challenge; with a passkey.
        case password, browser, social, identityToken, challenge, passkey
    }
}
