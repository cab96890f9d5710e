#if canImport(AuthenticationServices) && !os(tvOS) && !os(watchOS)
import AuthenticationServices

/// One request to the system, in its sheet or above the keyboard, from its start to its only answer.
@MainActor
final class AuthorizationSheet: NSObject {
    nonisolated let answer = OneShot<Result<AuthorizedCredential, ClientError>>()
    private let window: ASPresentationAnchor
    private var controller: ASAuthorizationController?
    private var isClosed = false

    init(over window: ASPresentationAnchor) { self.window = window }

    /// - Parameter perform: Starts the requests of the controller.
    func open(
        _ request: @MainActor () -> ASAuthorizationRequest, by perform: @MainActor (ASAuthorizationController) -> Void
    ) {
        guard !isClosed else { return }
        let controller = ASAuthorizationController(authorizationRequests: [request()])
        controller.delegate = self
        controller.presentationContextProvider = self
        self.controller = controller
        perform(controller)
    }

    /// Closes the sheet of a cancelled task. Ends the wait itself, as the system may not report the cancellation.
    func close() {
        isClosed = true
        controller?.cancel()
        answer.end(.failure(.cancelled))
    }

    func release() { controller = nil }
}

extension AuthorizationSheet: ASAuthorizationControllerDelegate {
    func authorizationController(
        controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization
    ) {
        answer.end(AuthorizedCredential(authorization.credential).map { .success($0) } ?? .failure(.invalidResponse))
    }

    func authorizationController(controller: ASAuthorizationController, didCompleteWithError error: any Error) {
        answer.end(.failure(ClientError(authorization: error)))
    }
}

extension AuthorizationSheet: ASAuthorizationControllerPresentationContextProviding {
    func presentationAnchor(for controller: ASAuthorizationController) -> ASPresentationAnchor { window }
}

extension ClientError {
    /// Maps the system's error for a missing credential.
    init(authorization error: any Error) {
        guard let error = error as? ASAuthorizationError else {
            self = .invalidRequest("the system gave no reason")
            return
        }
        self =
            switch error.code {
            case .canceled: .cancelledByUser
            // The code for a missing entitlement, and for a device that is not signed in to an Apple Account.
            case .unknown:
                .invalidRequest("the system did not ask: has the app the entitlement, and the device an Apple Account?")
            case .matchedExcludedCredential: .passkeyExists
            case .notInteractive: .invalidRequest("the app was not in front")
            default: .invalidRequest("the system could not finish it (\(error.errorCode))")
            }
    }
}
#endif
