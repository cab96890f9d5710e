#if canImport(SwiftUI) && canImport(AuthenticationServices) && !os(tvOS) && !os(watchOS)
public import AuthenticationServices
public import OstiaryClient
public import SwiftUI

extension EnvironmentValues {
    /// SwiftUI's `webAuthenticationSession` as a browser for `signInWithBrowser(using:)`.
    public var signInBrowser: ViewBrowser { ViewBrowser(webAuthenticationSession) }
}

/// A browser that shows the pages of a sign-in with SwiftUI's `webAuthenticationSession`, over the current view.
///
/// When its task is cancelled, it stops waiting. The system does not document that the browser closes then;
/// `WebAuthenticationPresenter` closes it in every case.
///
/// Source: Apple, "webAuthenticationSession".
@MainActor
public struct ViewBrowser: BrowserPresenter {
    private let session: WebAuthenticationSession

    /// Creates a browser from the environment's session.
    public nonisolated init(_ session: WebAuthenticationSession) { self.session = session }

    /// Shows the page and returns the callback address.
    ///
    /// - Throws: `BrowserPresenterProblem`: `cancelled` if the person closes the page or the task is cancelled.
    public func address(endingAt page: BrowserPage) async throws(BrowserPresenterProblem) -> String {
        guard !Task.isCancelled else { throw .cancelled }
        let callback = try page.callback.ofSystem()
        let answer = OneShot<Result<String, BrowserPresenterProblem>>()
        let asking = Task {
            do {
                let url = try await session.authenticate(
                    using: page.url, callback: callback,
                    preferredBrowserSession: page.isEphemeral ? .ephemeral : .shared, additionalHeaderFields: [:])
                answer.end(.success(url.absoluteString))
            } catch {
                answer.end(.failure(BrowserPresenterProblem(error)))
            }
        }
        return try await withTaskCancellationHandler {
            await withCheckedContinuation { answer.begin($0) }
        } onCancel: {
            asking.cancel()
            answer.end(.failure(.cancelled))
        }.get()
    }
}
#endif
