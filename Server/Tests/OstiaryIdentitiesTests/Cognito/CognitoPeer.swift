import Foundation
import OstiaryContracts
import OstiaryIdentities
import OstiaryTestSupport

/// A Python program that simulates Cognito. It ends when this value is released, and when the test process ends.
final class CognitoPeer: Sendable {
    struct Failure: Error {
        var reason: String
    }

    /// The URL that it listens on.
    let url: String
    private let process: ChildProcess

    /// - Parameter script: A file in the folder `Peers`.
    init(_ script: String) async throws {
        process = try ChildProcess(script: "../Peers/\(script)")
        let greeting = await process.nextLine() ?? ""
        guard case .integer(let port)? = try JSON.read(Array(greeting.utf8))["port"] else {
            throw Failure(reason: "\(script) names no port")
        }
        url = "http://127.0.0.1:\(port)"
    }

    /// Sends the peer a request that no client of Cognito could send, and returns its answer.
    func control(_ request: JSON) async throws -> JSON {
        let response = try await Wires.patient.send(UpstreamRequest(.post, "\(url)/control", body: request.bytes))
        guard response.status == 200 else { throw Failure(reason: "control answers \(response.status)") }
        return try JSON.read(response.body)
    }
}

/// Connections to peers on this machine, for all tests.
enum Wires {
    /// Waits for as long as a busy machine may need.
    static let patient = HTTPUpstreamTransport(limits: .init(deadline: .seconds(60)))
    /// For peers that never answer.
    static let hasty = HTTPUpstreamTransport(limits: .init(deadline: .milliseconds(200)))
}

extension JSON {
    var text: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    var elements: [JSON] {
        guard case .array(let elements) = self else { return [] }
        return elements
    }
}
