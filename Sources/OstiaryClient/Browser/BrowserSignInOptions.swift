/// The options of a sign-in in the browser.
public struct BrowserSignInOptions: Hashable, Sendable {
    /// `true` for a browser session without existing cookies, which are not kept afterwards either; nil for the
    /// contract's default.
    ///
    /// With `false`, the user may be signed in at the provider already, and the system first asks whether the app may
    /// sign them in.
    public var prefersEphemeralWebBrowserSession: Bool?
    /// The account that the user will probably sign in with, for example an email address, sent as `login_hint`.
    ///
    /// Source: OpenID Connect Core 1.0 §3.1.2.1.
    public var loginHint: String?
    /// Additional parameters of the authorization request, for example `prompt` or a provider's own.
    ///
    /// Parameters of the protocol itself, and those that the backend sets, are rejected.
    public var additionalParameters: [String: String]

    /// Creates options from their parts.
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

    /// The parameters that the protocols reserve. Source: RFC 6749 §4.1.1, RFC 7636 §4.3, OpenID Connect Core 1.0
    /// §3.1.2.1, RFC 9101 §5.
    static let protocolParameters: Set<String> = [
        "client_id", "client_secret", "code_challenge", "code_challenge_method", "nonce", "redirect_uri", "request",
        "request_uri", "response_mode", "response_type", "scope", "state",
    ]
}

// A login hint identifies a user and must not appear in logs.
extension BrowserSignInOptions: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A constant text without the options' values.
    public var description: String { "<options of a sign-in in the browser>" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}
