// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals, NoLeadingUnderscores, NeverForceUnwrap
@_exported import Foundation
#if canImport(UIKit)
import UIKit
public typealias ASPresentationAnchor = UIWindow
#else
import AppKit
public typealias ASPresentationAnchor = NSWindow
#endif

@MainActor public protocol ASWebAuthenticationPresentationContextProviding: NSObjectProtocol {
    func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor
}

public let ASWebAuthenticationSessionErrorDomain = "com.apple.AuthenticationServices.WebAuthenticationSession"
public struct ASWebAuthenticationSessionError: CustomNSError, Sendable {
    public enum Code: Int, Sendable {
        case canceledLogin = 1, presentationContextNotProvided = 2, presentationContextInvalid = 3
    }
    public let code: Code
    let reason: String?
    /// The real one comes from an NSError, whose userInfo contains the reason.
    public init(_ code: Code, shimReason: String? = nil) { self.code = code; reason = shimReason }
    public static var errorDomain: String { ASWebAuthenticationSessionErrorDomain }
    public var errorCode: Int { code.rawValue }
    public var errorUserInfo: [String: Any] { reason.map { [NSLocalizedFailureReasonErrorKey: $0] } ?? [:] }
    public static var canceledLogin: Code { .canceledLogin }
}

/// The browser of a device and the person who uses it, simulated by one test: bound to the test's tasks, so that tests
/// do not affect each other. Sendable: all mutable state is under its lock.
public final class ShimBrowser: @unchecked Sendable {
    @TaskLocal public static var current: ShimBrowser?

    public typealias Script = @Sendable (ASWebAuthenticationSession.Request) async -> ASWebAuthenticationSession.Outcome

    /// The variations of the system's behaviour that Apple's documentation permits.
    public struct Manners: Sendable {
        /// `true` if cancel() is followed by the completion at once; otherwise the completion is called long after,
        /// with another error.
        public var tellsOfCancel = true
        /// The number of times that the completion is called.
        public var answers = 1
        public var refusesToStart = false
        /// Hosts that vouch for the app: `webcredentials` of its associated domains.
        public var associatedHosts: Set<String> = []
        public init() {}
    }

    private struct State {
        var requests: [ASWebAuthenticationSession.Request] = []
        var isOpen = false
        var dropped = 0
        var cancelled = 0
    }

    public let manners: Manners
    let script: Script
    private let lock = NSLock()
    private var state = State()

    public init(_ manners: Manners = Manners(), _ script: @escaping Script) {
        self.manners = manners
        self.script = script
    }

    /// Every page that was opened.
    public var requests: [ASWebAuthenticationSession.Request] { lock.withLock { state.requests } }
    public var isOpen: Bool { lock.withLock { state.isOpen } }
    /// The number of sessions that the app released while the browser was open; the real sheet closes without a
    /// completion.
    public var dropped: Int { lock.withLock { state.dropped } }
    /// The number of open sessions that the app closed.
    public var cancelled: Int { lock.withLock { state.cancelled } }

    func open(_ request: ASWebAuthenticationSession.Request) -> Bool {
        lock.withLock {
            guard !state.isOpen, !manners.refusesToStart else { return false }
            state.isOpen = true
            state.requests.append(request)
            return true
        }
    }
    func close() { lock.withLock { state.isOpen = false } }
    func noteDropped() { lock.withLock { state.dropped += 1 } }
    func noteCancelled() { lock.withLock { state.cancelled += 1 } }
}

open class ASWebAuthenticationSession: NSObject {
    // The Objective-C block carries no @Sendable and no actor; a literal written in @MainActor code becomes main-actor
    // isolated, and the real framework then calls it on an XPC queue, where Swift 6 traps. So does this one.
    public typealias CompletionHandler = (URL?, (any Error)?) -> Void

    /// A class whose values its class methods alone make.
    public final class Callback: NSObject, Sendable {
        let matches: @Sendable (URL) -> Bool
        let host: String?

        private init(host: String? = nil, matches: @escaping @Sendable (URL) -> Bool) {
            self.matches = matches
            self.host = host
        }

        public class func customScheme(_ scheme: String) -> Callback {
            precondition(
                !["http", "https"].contains(scheme.lowercased()), "the real one raises on a scheme that browsers own")
            return Callback { $0.scheme?.lowercased() == scheme.lowercased() }
        }
        public class func https(host: String, path: String) -> Callback {
            Callback(host: host) { $0.scheme == "https" && $0.host == host && $0.path == path }
        }
        public func matchesURL(_ url: URL) -> Bool { matches(url) }
    }

    /// The end of a page in the simulated browser: the result of the authorization URL at user and server.
    public enum Outcome: Sendable { case redirect(URL), cancel, fail(ASWebAuthenticationSessionError), never }
    public struct Request: Sendable {
        public var url: URL; public var ephemeral: Bool; public var headers: [String: String]?
    }

    public let shimURL: URL
    private let callback: Callback?
    private let handler: CompletionHandler
    private let lock = NSLock()
    private var state = 0  // 0 new, 1 started, 2 done
    private var browser: ShimBrowser?

    public weak var presentationContextProvider: (any ASWebAuthenticationPresentationContextProviding)?
    public var prefersEphemeralWebBrowserSession = false
    public var additionalHeaderFields: [String: String]?
    public var canStart: Bool { lock.withLock { state == 0 } }

    public init(url URL: URL, callbackURLScheme: String?, completionHandler: @escaping CompletionHandler) {
        shimURL = URL
        callback = callbackURLScheme.map { .customScheme($0) }
        handler = completionHandler
    }
    public init(url URL: URL, callback: Callback, completionHandler: @escaping CompletionHandler) {
        shimURL = URL
        self.callback = callback
        handler = completionHandler
    }

    @MainActor @discardableResult open func start() -> Bool {
        guard lock.withLock({ if state == 0 { state = 1; return true } else { return false } }) else { return false }
        precondition(
            ["http", "https"].contains(shimURL.scheme ?? ""), "the real session raises on a URL that is not http(s)")
        guard let provider = presentationContextProvider else {
            finish(nil, ASWebAuthenticationSessionError(.presentationContextNotProvided))
            return false
        }
        _ = provider.presentationAnchor(for: self)
        let browser = ShimBrowser.current ?? ShimBrowser(.init()) { _ in .cancel }
        let request = Request(
            url: shimURL, ephemeral: prefersEphemeralWebBrowserSession, headers: additionalHeaderFields)
        guard browser.open(request) else {
            lock.withLock { state = 2 }
            return false
        }
        self.browser = browser
        if let host = callback?.host, !browser.manners.associatedHosts.contains(host) {
            let reason =
                "Using HTTPS callbacks requires Associated Domains using the `webcredentials` service type for \(host)."
            finish(nil, ASWebAuthenticationSessionError(.canceledLogin, shimReason: reason))
            return true
        }
        // Only the app retains a session. (The documentation says that since iOS 13 the session retains itself.)
        Task { [weak self] in
            switch await browser.script(request) {
            case .redirect(let url):
                guard let self else { return }
                if callback?.matchesURL(url) == true {
                    finish(url, nil)
                } else {
                    // On a page that does not exist, the person closes the browser.
                    finish(nil, ASWebAuthenticationSessionError(.canceledLogin))
                }
            case .cancel: self?.finish(nil, ASWebAuthenticationSessionError(.canceledLogin))
            case .fail(let error): self?.finish(nil, error)
            case .never: break
            }
        }
        return true
    }

    open func cancel() {
        let isOpen = lock.withLock { state == 1 }
        if isOpen { browser?.noteCancelled() }
        if browser?.manners.tellsOfCancel != false {
            finish(nil, ASWebAuthenticationSessionError(.canceledLogin))
        } else {
            lock.withLock { state = 2 }
            browser?.close()
            // Called once: `state` is done from here on.
            nonisolated(unsafe) let handler = handler
            DispatchQueue.global().asyncAfter(deadline: .now() + 10) {
                handler(nil, ASWebAuthenticationSessionError(.presentationContextInvalid))
            }
        }
    }

    deinit {
        if lock.withLock({ state == 1 }) {
            browser?.noteDropped()
            finish(nil, ASWebAuthenticationSessionError(.canceledLogin))
        }
    }

    private func finish(_ url: URL?, _ error: ASWebAuthenticationSessionError?) {
        guard lock.withLock({ if state == 2 { return false } else { state = 2; return true } }) else { return }
        browser?.close()
        // Called once: `state` is done from here on.
        nonisolated(unsafe) let handler = handler
        let answers = browser?.manners.answers ?? 1
        DispatchQueue.global().async { for _ in 0..<answers { handler(url, error) } }
    }
}
