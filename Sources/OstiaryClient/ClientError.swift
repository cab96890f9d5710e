public import Foundation
public import OstiaryCore

/// The reason why a call failed: a closed list of all errors of the client.
///
/// Its description can be shown to the user, and contains no secret.
public enum ClientError: Error, Hashable, Sendable {
    // MARK: Usage

    /// The base URL cannot be used.
    case invalidURL(BaseURLProblem)
    /// The request cannot be sent as it is, for the given reason.
    case invalidRequest(String)
    /// The contract has no such operation.
    case unsupported(OperationKind)
    /// No user is signed in.
    case notSignedIn
    /// A user is signed in, and must authenticate on the device first.
    case locked
    /// The queue has reached its limit of requests or bytes.
    case queueFull

    // MARK: The server's answer

    /// The session has ended and has been removed from this device: the user must sign in again.
    case sessionEnded(AuthError)
    /// The server refused an account operation. The session, if there is one, is kept.
    case refused(AuthError)
    /// The browser returned the identity provider's refusal, or an address that does not answer this sign-in.
    case browserAnswer(BrowserCallbackProblem)
    /// The server rejects the session for this request, even with a fresh token.
    case unauthorized
    /// The app's API answered with a status outside 200 to 299, and this message.
    case http(status: Int, message: String)
    /// Too many requests; the server, or this client's own limit, names the time from which the next may be sent.
    case rateLimited(until: Date)
    /// The server cannot answer at the moment (408, 425, 502, 503 or 504, or an account operation that is unavailable).
    /// The session is kept.
    case temporarilyUnavailable
    /// The answer does not have the expected form.
    case invalidResponse
    /// The answer is JSON that does not match the type, at the given coding path.
    case decoding(String)

    // MARK: Network

    /// No connection could be opened. The session is kept.
    case offline
    /// The connection broke, the answer did not arrive in time, or it exceeds the transport's limit: the server may have
    /// executed the request.
    case network(TransportError)
    /// The server's certificate is valid, but has none of the pinned keys. Nothing was sent.
    case certificatePinningFailed

    // MARK: This device

    /// The store cannot be read or written.
    case store(StoreProblem)
    /// The device has a passkey for the account already, and creates no second one.
    case passkeyExists
    /// The user cancelled, in the browser or at the biometric prompt.
    case cancelledByUser
    /// The calling task was cancelled.
    case cancelled
}
