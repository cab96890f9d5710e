#if canImport(AuthenticationServices) && !os(tvOS) && !os(watchOS)
import AuthenticationServices

/// One page in the system's sheet, from its opening to its only answer.
@MainActor
final class WebAuthenticationSheet: NSObject {
    nonisolated let answer = OneShot<Result<String, BrowserPresenterProblem>>()
    private let window: ASPresentationAnchor
    private var session: ASWebAuthenticationSession?
    private var isClosed = false

    init(over window: ASPresentationAnchor) { self.window = window }

    func open(_ page: BrowserPage, until callback: ASWebAuthenticationSession.Callback) {
        guard !isClosed else { return }
        // `@Sendable` makes the closure nonisolated: the system calls it on a queue of its own, where a main-actor
        // closure traps.
        let session = ASWebAuthenticationSession(url: page.url, callback: callback) { @Sendable [answer] url, error in
            answer.end(url.map { .success($0.absoluteString) } ?? .failure(BrowserPresenterProblem(error)))
        }
        session.presentationContextProvider = self
        session.prefersEphemeralWebBrowserSession = page.isEphemeral
        self.session = session
        if !session.start() { answer.end(.failure(.misconfigured("the system did not open it"))) }
    }

    /// Closes the sheet of a cancelled task. Ends the wait itself, as the system may not report the cancellation.
    func close() {
        isClosed = true
        session?.cancel()
        answer.end(.failure(.cancelled))
    }

    func release() { session = nil }
}

extension WebAuthenticationSheet: ASWebAuthenticationPresentationContextProviding {
    func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor { window }
}

extension BrowserPresenterProblem {
    /// Maps the system's error for a page that did not reach its callback.
    package init(_ error: (any Error)?) {
        guard let error = error as? ASWebAuthenticationSessionError else {
            self = .misconfigured("the system ended it for a reason that is not known")
            return
        }
        switch error.code {
        case .canceledLogin:
            // The system uses this code also if the host does not list the app. It adds a failure reason only in that
            // case, not when the person cancels.
            let reason = error.errorUserInfo[NSLocalizedFailureReasonErrorKey] as? String
            self = reason.map { .misconfigured($0) } ?? .cancelled
        case .presentationContextNotProvided: self = .misconfigured("the app has no window to show it over")
        case .presentationContextInvalid: self = .misconfigured("the window to show it over is not in front")
        @unknown default: self = .misconfigured("the system ended it with code \(error.errorCode)")
        }
    }
}
#endif
