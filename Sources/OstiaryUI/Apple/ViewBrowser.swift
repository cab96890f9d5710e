#if canImport(SwiftUI) && canImport(AuthenticationServices) && !os(tvOS) && !os(watchOS)
public import AuthenticationServices
public import OstiaryClient
public import SwiftUI

extension EnvironmentValues {
    /// SwiftUI's own `webAuthenticationSession`, as a browser for `signInWithBrowser(using:)`.
    public var signInBrowser: ViewBrowser { ViewBrowser(webAuthenticationSession) }
}

/// Shows the pages of a sign-in by SwiftUI's `webAuthenticationSession`, over the view that asks.
///
/// When its task is cancelled it waits no longer. Whether the browser closes then is the system's affair, which says nothing
/// about it; `WebAuthenticationPresenter` closes it for certain.
///
/// Source: Apple, "webAuthenticationSession".
@MainActor
public struct ViewBrowser: BrowserPresenter {
    private let session: WebAuthenticationSession

    public nonisolated init(_ session: WebAuthenticationSession) { self.session = session }

    public func address(endingAt page: BrowserPage) async throws(BrowserPresenterProblem) -> String {
        guard !Task.isCancelled else { throw .cancelled }
        let callback = try page.callback.ofSystem()
        let answer = FirstAnswer<Result<String, BrowserPresenterProblem>>()
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
