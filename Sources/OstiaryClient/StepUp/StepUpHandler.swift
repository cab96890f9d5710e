public import OstiaryCore

/// Asks the person to authenticate again where the server requires a more recent or a stronger authentication.
///
/// The client calls it for a request that was refused with `AuthError.stepUpRequired`, and afterwards repeats that request
/// once. Requests that are refused in the meantime wait for the same answer. Requests of the offline queue do not ask.
///
/// ```swift
/// struct AskForCode: StepUpHandler {
///     func stepUp(_ requirement: StepUpRequirement, with client: AuthClient) async throws(ClientError) {
///         guard let challenge = requirement.challenge, let code = await codeField() else { throw .cancelledByUser }
///         try await client.answerStepUp(challenge, with: [.totp: code])
///     }
/// }
/// ```
public protocol StepUpHandler: Sendable {
    /// Returns once the session has been raised with `answerStepUp`. Its task is cancelled when the tasks of all requests that
    /// wait for it are.
    ///
    /// If an answer was right and does not suffice, let the error through: it is called again with the next challenge.
    /// Requests that it sends itself are not handled again.
    ///
    /// - Parameter requirement: It always has a challenge.
    /// - Throws: The error that the refused requests end with; ``ClientError/cancelledByUser`` if the person declines.
    func stepUp(_ requirement: StepUpRequirement, with client: AuthClient) async throws(ClientError)
}
