import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryIdentities
import OstiaryTestSupport

/// A Python program that simulates an identity provider and misbehaves as configured. It ends when this value is
/// released, and when the test process ends.
final class ProviderPeer: Sendable {
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    let base: String
    /// The file of the certificate authority, for a peer with TLS.
    let authority: String
    private let process: ChildProcess

    init(_ arguments: String...) async throws {
        process = try ChildProcess(script: "../Peers/provider_peer.py", arguments)
        let greeting = Array((await process.nextLine() ?? "").utf8)
        guard let fields = try? JSON.read(greeting), case .string(let base)? = fields["base"],
            case .string(let authority)? = fields["authority"]
        else { throw Failure(description: "the peer did not start: does its Python have joserfc and cryptography?") }
        self.base = base
        self.authority = authority
    }

    /// Sets the peer's behaviour for all later requests.
    func behave(_ settings: JSON, over transport: HTTPUpstreamTransport) async throws {
        _ = try await transport.send(UpstreamRequest(.post, "\(base)/control", body: settings.bytes))
    }

    /// Returns the requests that the peer has received so far.
    func requests(_ path: String, over transport: HTTPUpstreamTransport) async throws -> [JSON] {
        let answer = try await transport.send(UpstreamRequest(.get, "\(base)/control"))
        guard case .array(let requests)? = try JSON.read(answer.body)["requests"] else { return [] }
        return requests.filter { $0["path"] == .string(path) }
    }
}
