public import Foundation

/// Shows a person the pages of a sign-in, and hands over the address at which the browser leaves them.
///
/// On Apple's platforms this is ASWebAuthenticationSession; a program in a terminal has a listener on the loopback address.
public protocol BrowserPresenter: Sendable {
    /// Opens the page, waits until the browser is sent to its callback, closes the browser, and returns that address as it
    /// is, with its query.
    ///
    /// Called by a client for one page at a time. When the task is cancelled, it closes the browser and returns or throws
    /// soon: whoever cancelled waits for that, so that the next page finds no browser open.
    ///
    /// - Throws: ``BrowserPresenterProblem``.
    func address(endingAt page: BrowserPage) async throws(BrowserPresenterProblem) -> String
}

/// What a browser is to open, and where it is expected to end.
public struct BrowserPage: Hashable, Sendable {
    /// HTTPS, or in development HTTP.
    public let url: URL
    /// What the address at the end begins with, to the byte. Whoever asked checks it.
    public let redirectURI: String
    /// The same, as systems want to know it.
    public let callback: Callback
    /// Whether the browser is to know nobody from before, and to remember nobody afterwards.
    public let isEphemeral: Bool

    /// How the system recognises the end.
    public enum Callback: Hashable, Sendable {
        /// In lower case, without `:`.
        case customScheme(String)
        /// A universal link. The path begins with a slash.
        case https(host: String, path: String)
        /// A listener of this process. Source: RFC 8252 §7.3.
        case loopback(port: Int, path: String)
    }

    /// - Throws: ``ClientError/invalidRequest(_:)`` for a redirect URI that no browser should be sent to.
    public init(url: URL, redirectURI: String, isEphemeral: Bool = true) throws(ClientError) {
        self.url = url
        self.redirectURI = redirectURI
        self.isEphemeral = isEphemeral
        callback = try Callback(redirectURI)
    }
}

// The address may hold a state.
extension BrowserPage: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "<page that ends at \(redirectURI)>" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["redirectURI": redirectURI]) }
}

/// Why a browser did not come to its end.
public enum BrowserPresenterProblem: Error, Hashable, Sendable {
    /// The person closed it, or the task was cancelled.
    case cancelled
    /// Nobody came back, and the presenter waits no longer.
    case timedOut
    /// It cannot be opened as the app is set up: no window, a scheme that is not registered; why.
    case misconfigured(String)
}
