import Foundation
import OstiaryTestSupport

/// A Python program that simulates the other server. It ends when this value is released, and when the test process
/// ends.
final class Peer: Sendable {
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    let port: Int
    /// The file of the certificate authority, for a peer with TLS.
    let authority: String?
    private let process: ChildProcess

    /// - Parameter script: A file in the folder `Peers`.
    init(_ script: String, _ arguments: String...) async throws {
        process = try ChildProcess(script: "Peers/\(script)", arguments)
        let greeting = try await Self.fields(from: process)
        if let error = greeting["error"] as? String { throw Failure(description: error) }
        guard let port = greeting["port"] as? Int else { throw Failure(description: "\(script) names no port") }
        self.port = port
        authority = greeting["authority"] as? String
    }

    /// Waits for the next report of the peer and returns it.
    func next() async throws -> Report { Report(try await Self.fields(from: process)) }

    /// Returns the next line that is a JSON object.
    private static func fields(from process: ChildProcess) async throws -> [String: Any] {
        while let line = await process.nextLine() {
            if let fields = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] { return fields }
        }
        throw Failure(description: "the peer ended")
    }

    /// One line of the peer's output, as JSON.
    struct Report: @unchecked Sendable {
        // Created by JSONSerialization from immutable Foundation values, and never changed.
        private let fields: [String: Any]

        init(_ fields: [String: Any]) { self.fields = fields }

        func text(_ name: String) -> String { fields[name] as? String ?? "" }
        func flag(_ name: String) -> Bool? { fields[name] as? Bool }
        func number(_ name: String) -> Int? { fields[name] as? Int }
        func list(_ name: String) -> [String] { fields[name] as? [String] ?? [] }
        func table(_ name: String) -> [String: String] { fields[name] as? [String: String] ?? [:] }
        /// Returns the values of one header.
        func header(_ name: String) -> [String] {
            (fields["headers"] as? [[String]] ?? []).filter { $0.first == name }.compactMap(\.last)
        }
        var headerNames: [String] { (fields["headers"] as? [[String]] ?? []).compactMap(\.first) }
    }
}
