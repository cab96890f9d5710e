import Foundation
import OstiaryPostgres
import OstiaryTestSupport
import Synchronization

/// A separate server that is killed on demand, behind a network that fails on demand: `Peers/stage.py`.
final class Stage: Sendable {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private struct Greeting: Decodable {
        let port: Int
        let network: Int
        let authority: String
    }

    private struct Answer: Decodable {
        let problem: String?
        let number: Int?

        enum CodingKeys: CodingKey { case problem, answer }

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            problem = try fields.decodeIfPresent(String.self, forKey: .problem)
            // Answers that are rows are ignored.
            number = try? fields.decode(Int.self, forKey: .answer)
        }
    }

    static let shared = Task { try await Stage() }

    /// The server's port, and the port of the network in front of it.
    let port: Int
    let network: Int
    /// The file of the authority that issued its certificate.
    let authority: String
    private let process: ChildProcess
    /// The latest command: one runs at a time.
    private let last = Mutex<Task<Int?, any Error>?>(nil)

    private init() async throws {
        process = try ChildProcess(script: "Peers/stage.py")
        let greeting = try JSONDecoder().decode(Greeting.self, from: Self.line(await process.nextLine()))
        (port, network, authority) = (greeting.port, greeting.network, greeting.authority)
        try await order("sql CREATE ROLE actor LOGIN PASSWORD 'words'")
    }

    /// - Returns: The number in the answer, if there is one.
    @discardableResult
    func order(_ words: String) async throws -> Int? {
        let order = last.withLock { last in
            let order = Task { [process, earlier = last] in
                _ = await earlier?.result
                try process.write(words)
                let answer = try JSONDecoder().decode(Answer.self, from: Self.line(await process.nextLine()))
                if let problem = answer.problem { throw Failure(description: problem) }
                return answer.number
            }
            last = order
            return order
        }
        return try await order.value
    }

    private static func line(_ line: String?) throws -> Data {
        guard let line else { throw Failure(description: "the stage ended") }
        return Data(line.utf8)
    }

    /// Runs `body` with a new database and a pool for it, reached through the network.
    func withPool(
        _ parameters: String = "pool_size=4", deadline: Duration = .seconds(30),
        _ body: (PostgresPool, String) async throws -> Void
    ) async throws {
        let name = "stage_\(UInt32.random(in: 0 ... .max))"
        try await order("sql CREATE DATABASE \(name) OWNER actor")
        var settings = try PostgresSettings(url: url(name, parameters))
        settings.deadline = deadline
        let pool = PostgresPool(settings, log: quiet)
        try await body(pool, name)
        await pool.close()
    }

    /// - Parameter port: The port to use instead of the network's, which does not support TLS.
    func url(_ database: String, _ parameters: String = "pool_size=4", port: Int? = nil) -> String {
        let tls = parameters.contains("sslmode=") ? "" : "&sslmode=disable"
        return "postgres://actor:words@127.0.0.1:\(port ?? network)/\(database)?\(parameters)\(tls)"
    }
}
