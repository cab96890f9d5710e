public import OstiaryContracts
public import OstiaryEngine
public import OstiaryProvider

/// The built-in OpenID provider on the wire, below `/idp`: its protocol and its pages. Knows no socket.
public final class ProviderServer: Sendable {
    public let provider: OpenIDProvider
    let frame: PageFrame

    /// Below which all its paths are.
    public static let base = "/idp"

    public init(provider: OpenIDProvider, frame: PageFrame) {
        self.provider = provider
        self.frame = frame
    }

    /// Answers one request.
    ///
    /// - Parameter request: Its path is below ``base``.
    public func answer(_ request: WireRequest, from caller: Caller) async -> AppServer.Answer {
        AppServer.Answer(WireResponse(status: 404), operation: "idp")
    }
}
