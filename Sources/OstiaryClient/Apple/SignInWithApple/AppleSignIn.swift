#if canImport(AuthenticationServices) && !os(tvOS) && !os(watchOS)
public import AuthenticationServices

/// A sign-in with the person's Apple Account, in the system's sheet.
///
/// The app needs the capability "Sign in with Apple". The server needs the app's bundle identifier among its accepted
/// audiences. One request at a time.
public final class AppleSignIn: Sendable {
    private let presenter: AuthorizationPresenter

    /// Creates a sign-in that shows its sheet over the app's frontmost window.
    public convenience init() { self.init { PresentationWindow.current } }

    /// Creates a sign-in that shows its sheet over a given window.
    ///
    /// - Parameter window: Returns the window for the sheet; called for each request. `nil` if the app has no window.
    public init(over window: @escaping @MainActor @Sendable () -> ASPresentationAnchor?) {
        presenter = AuthorizationPresenter(over: window)
    }

    /// Shows the sheet and returns the person's identity.
    ///
    /// - Throws: ``ClientError/cancelledByUser`` if the person closed the sheet; ``ClientError/cancelled`` if the task
    ///   was cancelled, which closes the sheet; ``ClientError/invalidRequest(_:)`` if the system cannot show the sheet
    ///   with the app's configuration, or another request is in progress; ``ClientError/invalidResponse`` for the
    ///   response to another request.
    public func identity() async throws(ClientError) -> AppleIdentity {
        let question = AppleSignInRequest()
        let credential = try await presenter.credential {
            let request = ASAuthorizationAppleIDProvider().createRequest()
            question.prepare(request)
            return request
        }
        guard case .apple(let answer) = credential else { throw .invalidResponse }
        return try question.identity(from: answer)
    }

    /// Returns `true` if the person has revoked the app's use of their Apple Account, which is a reason to sign them
    /// out.
    ///
    /// Call it at start, and when the system posts `ASAuthorizationAppleIDProvider.credentialRevokedNotification`. The
    /// result is `false` for an account that this device does not know: its owner may have signed in on another device
    /// or with another account.
    ///
    /// - Parameter userID: The ``AppleIdentity/userID`` of the person.
    /// - Throws: ``ClientError/temporarilyUnavailable`` if the system cannot tell now, which is no reason to sign the
    ///   person out.
    public static func isRevoked(userID: String) async throws(ClientError) -> Bool {
        do {
            return try await ASAuthorizationAppleIDProvider().credentialState(forUserID: userID) == .revoked
        } catch {
            throw .temporarilyUnavailable
        }
    }
}
#endif
