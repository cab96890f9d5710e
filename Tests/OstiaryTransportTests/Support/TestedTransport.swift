import OstiaryContracts
import OstiaryTestSupport

@testable import OstiaryClient

#if NIO
import OstiaryNIO
#endif

/// The transports that the SDK brings along. Each passes every test of this target.
enum TestedTransport: CaseIterable, Sendable {
    case urlSession
    #if NIO
    case nio
    #endif

    static let bodyBytes = 1 << 20

    func made() throws -> any Transport {
        switch self {
        case .urlSession: URLSessionTransport(maximumBodyBytes: Self.bodyBytes, environment: [:])
        #if NIO
        case .nio: try NIOTransport(maximumBodyBytes: Self.bodyBytes)
        #endif
        }
    }
}

extension Transport {
    func send(
        _ request: WireRequest = .sample, to peer: LoopbackPeer, within deadline: Duration = .seconds(20)
    ) async throws -> WireResponse {
        try await send(request, to: BaseURL("http://127.0.0.1:\(peer.port)/base"), within: deadline)
    }
}

extension WireRequest {
    static let sample = WireRequest(
        method: "GET", path: "/me", headers: ["authorization": "Bearer canary", "accept": "application/json"])
}

extension LoopbackPeer.Answer {
    static let ok = LoopbackPeer.Answer.text("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
}
