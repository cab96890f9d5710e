#if canImport(AuthenticationServices) && !os(tvOS) && !os(watchOS)
import AuthenticationServices

/// One page in the system's sheet, from its opening to its one answer.
@MainActor
final class WebAuthenticationSheet: NSObject {
    nonisolated let answer = FirstAnswer<Result<String, BrowserPresenterProblem>>()
    private let window: ASPresentationAnchor
    private var session: ASWebAuthenticationSession?
    private var isClosed = false

    init(over window: ASPresentationAnchor) { self.window = window }

    func open(_ page: BrowserPage, until callback: ASWebAuthenticationSession.Callback) {
        guard !isClosed else { return }
        // Of no actor, which is what Sendable says: the system calls it on a queue of its own, where a main actor's traps.
        let session = ASWebAuthenticationSession(url: page.url, callback: callback) { @Sendable [answer] url, error in
            answer.end(url.map { .success($0.absoluteString) } ?? .failure(BrowserPresenterProblem(error)))
        }
        session.presentationContextProvider = self
        session.prefersEphemeralWebBrowserSession = page.isEphemeral
        self.session = session
        if !session.start() { answer.end(.failure(.misconfigured("the system did not open it"))) }
    }

    /// For whoever waits no longer. The system is not trusted to tell of it.
    func close() {
        isClosed = true
        session?.cancel()
        answer.end(.failure(.cancelled))
    }

    func letGo() { session = nil }
}

extension WebAuthenticationSheet: ASWebAuthenticationPresentationContextProviding {
    func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor { window }
}

extension BrowserPresenterProblem {
    /// What the system's reason for not coming back means.
    package init(_ error: (any Error)?) {
        guard let error = error as? ASWebAuthenticationSessionError else {
            self = .misconfigured("the system ended it for a reason that is not known")
            return
        }
        switch error.code {
        case .canceledLogin:
            // The same code tells of a host that does not vouch for the app; then there is a reason, which no person gives.
            let reason = error.errorUserInfo[NSLocalizedFailureReasonErrorKey] as? String
            self = reason.map { .misconfigured($0) } ?? .cancelled
        case .presentationContextNotProvided: self = .misconfigured("the app has no window to show it over")
        case .presentationContextInvalid: self = .misconfigured("the window to show it over is not in front")
        @unknown default: self = .misconfigured("the system ended it with code \(error.errorCode)")
        }
    }
}
#endif
