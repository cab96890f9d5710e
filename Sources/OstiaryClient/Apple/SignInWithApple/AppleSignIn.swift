#if canImport(AuthenticationServices) && !os(tvOS) && !os(watchOS)
public import AuthenticationServices

/// Asks the person, in the system's own sheet, to sign in with their Apple Account.
///
/// The app needs the capability "Sign in with Apple"; the server, the app's bundle id among the audiences it accepts. One
/// question at a time.
public final class AppleSignIn: Sendable {
    private let presenter: AuthorizationPresenter

    /// Over the window that the person has in front of them.
    public convenience init() { self.init { PresentationWindow.current } }

    /// - Parameter window: What the sheet is shown over; asked each time.
    public init(over window: @escaping @MainActor @Sendable () -> ASPresentationAnchor?) {
        presenter = AuthorizationPresenter(over: window)
    }

    /// Asks.
    ///
    /// - Throws: ``ClientError/cancelledByUser`` if the person closed the sheet, ``ClientError/cancelled`` if the task was
    ///   cancelled, which closes it; ``ClientError/invalidRequest(_:)`` if the system cannot ask as the app is set up;
    ///   ``ClientError/invalidResponse`` for an answer to another question.
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

    /// Whether the person has taken back that the app may use their Apple Account: a reason to sign them out.
    ///
    /// To be asked at start, and when the system posts `ASAuthorizationAppleIDProvider.credentialRevokedNotification`. False
    /// for an account that this device does not know: its owner may have signed in elsewhere, with another one.
    ///
    /// - Parameter userID: ``AppleIdentity/userID``.
    /// - Throws: ``ClientError/temporarilyUnavailable`` if the system cannot tell now. That is no reason to sign anybody out.
    public static func isRevoked(userID: String) async throws(ClientError) -> Bool {
        do {
            return try await ASAuthorizationAppleIDProvider().credentialState(forUserID: userID) == .revoked
        } catch {
            throw .temporarilyUnavailable
        }
    }
}
#endif
