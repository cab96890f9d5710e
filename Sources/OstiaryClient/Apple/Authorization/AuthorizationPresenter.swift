#if canImport(AuthenticationServices) && !os(tvOS) && !os(watchOS)
import AuthenticationServices

/// Shows the system's own sheets for Sign in with Apple and for passkeys, one at a time.
final class AuthorizationPresenter: Sendable {
    private let window: @MainActor @Sendable () -> ASPresentationAnchor?
    private let turn = Turn()

    init(over window: @escaping @MainActor @Sendable () -> ASPresentationAnchor?) { self.window = window }

    /// Asks the system, and so the person, and waits for what they say.
    ///
    /// - Throws: ``ClientError/cancelledByUser``, ``ClientError/cancelled``, and ``ClientError/invalidRequest(_:)`` with the
    ///   reason why the system could not ask.
    func credential(
        for request: @MainActor @Sendable () -> ASAuthorizationRequest
    ) async throws(ClientError) -> AuthorizedCredential {
        guard !Task.isCancelled else { throw .cancelled }
        guard turn.take() else { throw .invalidRequest("another sign-in is under way") }
        defer { turn.giveBack() }
        guard let window = await window() else { throw .invalidRequest("the app has no window to show the sheet over") }
        let sheet = await AuthorizationSheet(over: window)
        let answer = await withTaskCancellationHandler {
            await sheet.open(request)
            return await withCheckedContinuation { sheet.answer.begin($0) }
        } onCancel: {
            Task { @MainActor in sheet.close() }
        }
        // Only until here the sheet is held by anybody; and with it the controller.
        await sheet.letGo()
        return try answer.get()
    }
}

/// What the system gave, as values that may go anywhere.
enum AuthorizedCredential: Sendable {
    case apple(AppleCredential)
    case registration(PasskeyRegistration)
    case assertion(PasskeyAssertion)

    /// Nil for one that nobody asked for, or that lacks what it must have.
    init?(_ credential: any ASAuthorizationCredential) {
        switch credential {
        case let credential as ASAuthorizationAppleIDCredential:
            self = .apple(AppleCredential(credential))
        case let credential as ASAuthorizationPlatformPublicKeyCredentialRegistration:
            guard let attestation = credential.rawAttestationObject else { return nil }
            self = .registration(
                PasskeyRegistration(
                    credentialID: credential.credentialID, clientDataJSON: credential.rawClientDataJSON,
                    attestationObject: attestation))
        case let credential as ASAuthorizationPlatformPublicKeyCredentialAssertion:
            guard let authenticatorData: Data = credential.rawAuthenticatorData,
                let signature: Data = credential.signature
            else { return nil }
            self = .assertion(
                PasskeyAssertion(
                    credentialID: credential.credentialID, clientDataJSON: credential.rawClientDataJSON,
                    authenticatorData: authenticatorData, signature: signature, userHandle: credential.userID))
        default: return nil
        }
    }
}
#endif
