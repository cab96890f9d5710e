public import Foundation

/// A browser that shows the pages of a sign-in, and returns the URL at which the sign-in ends.
///
/// On Apple's platforms this is ASWebAuthenticationSession; a command-line program uses a listener on the loopback
/// address.
public protocol BrowserPresenter: Sendable {
    /// Opens the page, waits until the browser is redirected to the callback, closes the browser, and returns the
    /// complete URL, including its query.
    ///
    /// A client calls it for one page at a time. When the task is cancelled, it closes the browser and returns or
    /// throws promptly: the cancelling code waits for that, so that no browser is open when the next page is shown.
    ///
    /// - Throws: ``BrowserPresenterProblem``.
    func address(endingAt page: BrowserPage) async throws(BrowserPresenterProblem) -> String
}

/// The page that a browser opens, and the redirect URI at which it is expected to end.
public struct BrowserPage: Hashable, Sendable {
    /// The page to open: HTTPS, or in development HTTP.
    public let url: URL
    /// The prefix of the final URL, byte by byte. The client checks it.
    public let redirectURI: String
    /// The redirect URI in the form that system APIs expect.
    public let callback: Callback
    /// `true` for a browser session without existing cookies, which are not kept afterwards either.
    public let isEphemeral: Bool

    /// The form in which the system recognises the final URL.
    public enum Callback: Hashable, Sendable {
        /// A custom URL scheme, in lower case, without `:`.
        case customScheme(String)
        /// A universal link. The path begins with a slash.
        case https(host: String, path: String)
        /// A listener of this process on the loopback address. Source: RFC 8252 §7.3.
        case loopback(port: Int, path: String)
    }

    /// Creates a page from its parts, and determines its callback.
    ///
    /// - Throws: ``ClientError/invalidRequest(_:)`` for a redirect URI that no browser should be sent to.
    public init(url: URL, redirectURI: String, isEphemeral: Bool = true) throws(ClientError) {
        self.url = url
        self.redirectURI = redirectURI
        self.isEphemeral = isEphemeral
        callback = try Callback(redirectURI)
    }
}

// The URL may contain a state.
extension BrowserPage: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The redirect URI, without the page's URL.
    public var description: String { "<page that ends at \(redirectURI)>" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// A mirror of the redirect URI alone.
    public var customMirror: Mirror { Mirror(self, children: ["redirectURI": redirectURI]) }
}

/// The reason why a browser did not return to the redirect URI.
public enum BrowserPresenterProblem: Error, Hashable, Sendable {
    /// The user closed the browser, or the task was cancelled.
    case cancelled
    /// The browser did not return in time, and the presenter has stopped waiting.
    case timedOut
    /// The browser cannot be opened because of the app's configuration, for the given reason: no window, a scheme that
    /// is not registered.
    case misconfigured(String)
}
