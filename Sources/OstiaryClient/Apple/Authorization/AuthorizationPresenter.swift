#if canImport(AuthenticationServices) && !os(tvOS) && !os(watchOS)
import AuthenticationServices

/// The presenter of the system's sheets for Sign in with Apple and for passkeys, one at a time.
final class AuthorizationPresenter: Sendable {
    private let window: @MainActor @Sendable () -> ASPresentationAnchor?
    private let tryLock = TryLock()

    init(over window: @escaping @MainActor @Sendable () -> ASPresentationAnchor?) { self.window = window }

    /// Shows the system's sheet for a request and waits for the person's answer.
    ///
    /// - Throws: ``ClientError/cancelledByUser``; ``ClientError/cancelled``; ``ClientError/invalidRequest(_:)`` with
    ///   the reason for which the system could not show the sheet; ``ClientError/invalidResponse`` for a credential of
    ///   an unknown kind.
    func credential(
        for request: @MainActor @Sendable () -> ASAuthorizationRequest
    ) async throws(ClientError) -> AuthorizedCredential {
        guard !Task.isCancelled else { throw .cancelled }
        guard tryLock.take() else { throw .invalidRequest("another sign-in is under way") }
        defer { tryLock.giveBack() }
        guard let window = await window() else { throw .invalidRequest("the app has no window to show the sheet over") }
        let sheet = await AuthorizationSheet(over: window)
        let answer = await withTaskCancellationHandler {
            await sheet.open(request)
            return await withCheckedContinuation { sheet.answer.begin($0) }
        } onCancel: {
            Task { @MainActor in sheet.close() }
        }
        // The last use of the sheet, which keeps it and its controller alive until here.
        await sheet.release()
        return try answer.get()
    }
}

/// The system's credential as a `Sendable` value.
enum AuthorizedCredential: Sendable {
    case apple(AppleCredential)
    case registration(PasskeyRegistration)
    case assertion(PasskeyAssertion)

    /// Converts the system's credential; `nil` for a kind that was not requested, or one that lacks a required part.
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
