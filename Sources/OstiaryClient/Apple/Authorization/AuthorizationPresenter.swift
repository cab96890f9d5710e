#if canImport(AuthenticationServices) && !os(tvOS) && !os(watchOS)
import AuthenticationServices
import Synchronization

/// The presenter of the system's sheets for Sign in with Apple and for passkeys, one at a time, and of the suggestions above
/// the keyboard, which wait in the meantime.
final class AuthorizationPresenter: Sendable {
    private let window: @MainActor @Sendable () -> ASPresentationAnchor?
    private let tryLock = TryLock()
    /// The request whose credentials the system suggests above the keyboard.
    private let suggested = Mutex<AuthorizationSheet?>(nil)

    init(over window: @escaping @MainActor @Sendable () -> ASPresentationAnchor?) { self.window = window }

    /// Shows the system's sheet for a request and waits for the person's answer. Ends a request of
    /// ``suggestedCredential(for:)``: the system performs one at a time.
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
        await replaceSuggested(with: nil)
        return try await answer(over: try await sheet(), to: request) { $0.performRequests() }
    }

    #if canImport(UIKit) && !targetEnvironment(macCatalyst)
    /// Has the system suggest credentials for a request above the keyboard, and waits until the person chooses one.
    ///
    /// - Throws: The errors of ``credential(for:)``; ``ClientError/cancelled`` once another request begins.
    func suggestedCredential(
        for request: @MainActor @Sendable () -> ASAuthorizationRequest
    ) async throws(ClientError) -> AuthorizedCredential {
        guard !Task.isCancelled else { throw .cancelled }
        let sheet = try await sheet()
        await replaceSuggested(with: sheet)
        defer { suggested.withLock { if $0 === sheet { $0 = nil } } }
        return try await answer(over: sheet, to: request) { $0.performAutoFillAssistedRequests() }
    }
    #endif

    private func sheet() async throws(ClientError) -> AuthorizationSheet {
        guard let window = await window() else { throw .invalidRequest("the app has no window to show the sheet over") }
        return await AuthorizationSheet(over: window)
    }

    private func replaceSuggested(with sheet: AuthorizationSheet?) async {
        let previous = suggested.withLock { suggested in
            defer { suggested = sheet }
            return suggested
        }
        await previous?.close()
    }

    private func answer(
        over sheet: AuthorizationSheet, to request: @MainActor @Sendable () -> ASAuthorizationRequest,
        by perform: @MainActor @Sendable (ASAuthorizationController) -> Void
    ) async throws(ClientError) -> AuthorizedCredential {
        let answer = await withTaskCancellationHandler {
            await sheet.open(request, by: perform)
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
