// swift-format-ignore-file: NeverForceUnwrap
// SwiftUI's side of AuthenticationServices: in Apple's SDK visible to a file that imports both.
public import Foundation

@MainActor public struct WebAuthenticationSession {
    public struct BrowserSession: Sendable, Hashable {
        let ephemeral: Bool
        public static let ephemeral = BrowserSession(ephemeral: true), shared = BrowserSession(ephemeral: false)
    }
    public nonisolated init(shim: Void) {}

    @MainActor public func authenticate(
        using url: URL, callback: ASWebAuthenticationSession.Callback,
        preferredBrowserSession: BrowserSession? = nil, additionalHeaderFields: [String: String]
    ) async throws -> URL {
        let window = ShimWindow()
        // Apple does not say whether it heeds the cancellation of a task: this one does not.
        return try await withCheckedThrowingContinuation { continuation in
            let session = ASWebAuthenticationSession(url: url, callback: callback) { @Sendable url, error in
                withExtendedLifetime(window) {}
                if let url { continuation.resume(returning: url) } else { continuation.resume(throwing: error!) }
            }
            session.presentationContextProvider = window
            session.prefersEphemeralWebBrowserSession = preferredBrowserSession == .ephemeral
            session.additionalHeaderFields = additionalHeaderFields
            window.session = session
            session.start()
        }
    }
}

/// The window of a session that a view has started; it retains the session.
@MainActor private final class ShimWindow: NSObject, ASWebAuthenticationPresentationContextProviding {
    var session: ASWebAuthenticationSession?
    func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor { ASPresentationAnchor() }
}
