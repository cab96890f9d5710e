import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryEngineTestSupport
import OstiaryServerTestSupport
import OstiaryTesting
import Synchronization

@testable import OstiaryIdentities

/// A test fixture: one of this server's providers in front of a peer, with a clock that a test sets.
struct ProviderBench: Sendable {
    static let clientSecret = "s3cret of the client: ä+/%"
    static let grant = AuthorizationGrant(
        code: Secret("code-of-the-provider"), codeVerifier: Secret(String(repeating: "v", count: 43)), nonce: "nonce-1",
        redirectURI: "https://app.example.com/auth/callback")
    static let request = AuthorizationRequest(
        state: Secret("state & more"), nonce: "nonce-1", codeChallenge: "challenge-1",
        redirectURI: "https://app.example.com/auth/callback?x=1")

    let peer: ProviderPeer
    let transport: HTTPUpstreamTransport
    let log: CapturedLog
    let clock: TestClock
    let client: UpstreamClient
    let provider: OpenIDConnectProvider

    func behave(_ settings: JSON) async throws { try await peer.behave(settings, over: transport) }
    func requests(_ path: String) async throws -> [JSON] { try await peer.requests(path, over: transport) }
    func identity() async throws -> ProviderIdentity { try await provider.identity(for: Self.grant) }
}

/// Runs `body` with a separate peer.
///
/// - Parameters:
///   - arguments: The peer's arguments.
///   - origins: Origins of other servers that resolve to the peer as well.
///   - isTrusting: `true` if the peer's certificate authority is trusted.
func withProviderBench(
    _ arguments: String..., limits: HTTPUpstreamTransport.Limits = .init(deadline: .seconds(30)),
    operationDeadline: Duration = .seconds(60), origins: [String] = [], isTrusting: Bool = true,
    settings change: (inout OpenIDSettings) -> Void = { _ in }, _ body: (ProviderBench) async throws -> Void
) async throws {
    let peer = try await arguments.isEmpty ? ProviderPeer() : ProviderPeer(arguments.joined(separator: "="))
    let isTLS = peer.base.hasPrefix("https")
    let transport = HTTPUpstreamTransport(authoritiesFile: isTLS && isTrusting ? peer.authority : nil, limits: limits)
    let clock = TestClock.machineTime()
    let base = peer.base
    let routed = InProcessTransport { request in
        var request = request
        for origin in origins where request.url.hasPrefix(origin) {
            request.url = base + request.url.dropFirst(origin.count)
        }
        return try await transport.send(request)
    }
    let log = CapturedLog()
    let client = UpstreamClient(
        transport: routed, system: clock.engineSystem, operationDeadline: operationDeadline, log: log.logger
    )
    var settings = OpenIDSettings(
        name: "oidc", title: "Example", issuer: base, clientID: "client-1",
        clientSecret: Secret(ProviderBench.clientSecret))
    change(&settings)
    let provider = OpenIDConnectProvider(settings, client: client, system: clock.engineSystem)
    let bench = ProviderBench(
        peer: peer, transport: transport, log: log, clock: clock, client: client, provider: provider)
    try await body(bench)
}

extension TestClock {
    /// Returns a clock that begins at the machine's time, in whole seconds.
    static func machineTime() -> TestClock {
        TestClock(now: Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down)))
    }

    /// The wall clock's time in whole seconds since 1970.
    var seconds: Int { Int(now.timeIntervalSince1970) }
}

/// Returns the error that `body` throws.
func problem(of body: () async throws -> some Any) async -> (any Error)? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error
    }
}

extension JSON {
    /// Returns the text at a path of names.
    func text(at names: String...) -> String? {
        guard case .string(let text)? = names.reduce(self as JSON?, { $0?[$1] }) else { return nil }
        return text
    }
}
