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
    public init(_ code: Code) { self.code = code }
    public static var errorDomain: String { ASWebAuthenticationSessionErrorDomain }
    public var errorCode: Int { code.rawValue }
    public static var canceledLogin: Code { .canceledLogin }
}

open class ASWebAuthenticationSession: NSObject {
    // The Objective-C block carries no @Sendable and no actor; a literal written in @MainActor code becomes main-actor
    // isolated, and the real framework then calls it on an XPC queue, where Swift 6 traps. So does this one.
    public typealias CompletionHandler = (URL?, (any Error)?) -> Void

    public struct Callback: Sendable {
        let matches: @Sendable (URL) -> Bool
        public static func customScheme(_ scheme: String) -> Callback {
            Callback { $0.scheme?.lowercased() == scheme.lowercased() }
        }
        public static func https(host: String, path: String) -> Callback {
            Callback { $0.scheme == "https" && $0.host == host && $0.path == path }
        }
        public func matchesURL(_ url: URL) -> Bool { matches(url) }
    }

    /// The browser, as the test plays it: what the user and server do with the authorization URL.
    public enum Outcome: Sendable { case redirect(URL), cancel, never }
    public struct Request: Sendable {
        public var url: URL; public var ephemeral: Bool; public var headers: [String: String]?
    }
    public nonisolated(unsafe) static var shimBrowser: @Sendable (Request) async -> Outcome = { _ in .cancel }
    /// Sessions that the app let go of while the browser was open; the real sheet closes and nobody hears of it.
    public nonisolated(unsafe) static var shimDropped = 0

    public let shimURL: URL
    private let callback: Callback?
    private let handler: CompletionHandler
    private let lock = NSLock()
    private var state = 0  // 0 new, 1 started, 2 done

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
        // Nothing but the app keeps a session alive.
        let request = Request(
            url: shimURL, ephemeral: prefersEphemeralWebBrowserSession, headers: additionalHeaderFields)
        Task { [weak self] in
            switch await Self.shimBrowser(request) {
            case .redirect(let url):
                guard let self, callback?.matchesURL(url) == true else { return }
                finish(url, nil)
            case .cancel: self?.finish(nil, ASWebAuthenticationSessionError(.canceledLogin))
            case .never: break
            }
        }
        return true
    }

    open func cancel() { finish(nil, ASWebAuthenticationSessionError(.canceledLogin)) }

    deinit {
        if lock.withLock({ state == 1 }) {
            Self.shimDropped += 1; finish(nil, ASWebAuthenticationSessionError(.canceledLogin))
        }
    }

    private func finish(_ url: URL?, _ error: ASWebAuthenticationSessionError?) {
        guard lock.withLock({ if state == 2 { return false } else { state = 2; return true } }) else { return }
        nonisolated(unsafe) let handler = handler
        DispatchQueue.global().async { handler(url, error) }
    }
}
