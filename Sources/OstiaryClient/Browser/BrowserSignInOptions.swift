/// The app's choices for a sign-in in the browser.
public struct BrowserSignInOptions: Hashable, Sendable {
    /// True for a browser that knows no earlier sign-in and keeps nothing; nil for what the contract says.
    ///
    /// Without it, the browser may be signed in at the provider already, and the system asks the person first whether the app may
    /// sign them in.
    public var prefersEphemeralWebBrowserSession: Bool?
    /// The account that is probably meant, for example an email address, sent as `login_hint`.
    ///
    /// Source: OpenID Connect Core 1.0 §3.1.2.1.
    public var loginHint: String?
    /// Further parameters of the authorization request, for example `prompt` or a provider's own.
    ///
    /// Parameters of the protocol itself, and those that the backend sets, are refused.
    public var additionalParameters: [String: String]

    public init(
        prefersEphemeralWebBrowserSession: Bool? = nil, loginHint: String? = nil,
        additionalParameters: [String: String] = [:]
    ) {
        self.prefersEphemeralWebBrowserSession = prefersEphemeralWebBrowserSession
        self.loginHint = loginHint
        self.additionalParameters = additionalParameters
    }

    /// The parameters that are added to an authorization request, sorted by name.
    var parameters: [(name: String, value: String)] {
        let hint = loginHint.map { ["login_hint": $0] } ?? [:]
        return additionalParameters.merging(hint) { _, hint in hint }
            .sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
    }

    /// Source: RFC 6749 §4.1.1, RFC 7636 §4.3, OpenID Connect Core 1.0 §3.1.2.1, RFC 9101 §5.
    static let protocolParameters: Set<String> = [
        "client_id", "client_secret", "code_challenge", "code_challenge_method", "nonce", "redirect_uri", "request",
        "request_uri", "response_mode", "response_type", "scope", "state",
    ]
}

// A login hint is a person's address.
extension BrowserSignInOptions: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "<options of a sign-in in the browser>" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}
