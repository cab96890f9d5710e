public import Foundation
public import OstiaryCore

/// Why something did not succeed: the one closed list that an app has to know.
///
/// Its description is fit for a person, and holds no secret.
public enum ClientError: Error, Hashable, Sendable {
    // MARK: The app's own doing

    /// The base URL cannot be used.
    case invalidURL(BaseURLProblem)
    /// The request cannot be sent as it is; why.
    case invalidRequest(String)
    /// The contract has no such operation.
    case unsupported(OperationKind)
    /// Nobody is signed in.
    case notSignedIn
    /// Somebody is signed in, and must first show who is holding the device.
    case locked
    /// So many requests wait to be sent, or so many bytes, that no other is taken.
    case queueFull

    // MARK: The server's answer

    /// The session is over and has been cleared: signing in again helps.
    case sessionEnded(AuthError)
    /// The server refused an account operation. The session, if there is one, is kept.
    case refused(AuthError)
    /// The browser came back with the identity provider's refusal, or with what is no answer to this sign-in.
    case browserAnswer(BrowserCallbackProblem)
    /// The server does not accept the session for this request, not even with a fresh token.
    case unauthorized
    /// The app's own API answered with a status outside 200 to 299, and this text.
    case http(status: Int, message: String)
    /// Too many requests; the server, or this client sparing it, says when the next may go.
    case rateLimited(until: Date)
    /// The server cannot answer at the moment. The session is kept.
    case temporarilyUnavailable
    /// The answer is not of the form that was asked for.
    case invalidResponse
    /// The answer is JSON and does not hold what the type asks for; where.
    case decoding(String)

    // MARK: The way there

    /// No connection could be opened. The session is kept.
    case offline
    /// The connection broke, or the answer did not come in time: the server may have done what was asked.
    case network(TransportError)
    /// The server has a good certificate, and none of the keys that the app trusts. Nothing was sent.
    case certificatePinningFailed

    // MARK: This device

    /// The store cannot be read.
    case store(StoreProblem)
    /// The person gave up, in the browser or at the biometric prompt.
    case cancelledByUser
    /// The task that asked was cancelled.
    case cancelled
}
