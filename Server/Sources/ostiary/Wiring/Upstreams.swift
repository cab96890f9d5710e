import Logging
import OstiaryConfiguration
import OstiaryEngine
import OstiaryIdentities
import Synchronization

/// The connections to identity providers, which apps share.
final class Upstreams: Sendable {
    private let allowsPlainHTTP: Bool
    private let system: SystemDependencies
    private let log: Logger
    /// The connections by their use: the file of authorities that they trust, or a name. Created when the first app needs one.
    private let connections = Mutex<[String?: (transport: HTTPUpstreamTransport, client: UpstreamClient)]>([:])

    init(mode: Mode, system: SystemDependencies, log: Logger) {
        allowsPlainHTTP = mode == .development
        self.system = system
        self.log = log
    }

    /// - Parameter authoritiesFile: A PEM file of authorities to trust instead of the system's.
    func client(trusting authoritiesFile: String? = nil) -> UpstreamClient {
        client(named: authoritiesFile, trusting: authoritiesFile, operationDeadline: UpstreamClient.operationDeadline)
    }

    private func client(
        named name: String?, trusting authoritiesFile: String?, operationDeadline: Duration
    ) -> UpstreamClient {
        connections.withLock { connections in
            if let known = connections[name] { return known.client }
            let transport = HTTPUpstreamTransport(
                authoritiesFile: authoritiesFile, limits: .init(allowsPlainHTTP: allowsPlainHTTP))
            let client = UpstreamClient(
                transport: transport, system: system, operationDeadline: operationDeadline, log: log)
            connections[name] = (transport, client)
            return client
        }
    }

    /// The client of a range API of compromised passwords, with a time limit of one second for each question.
    var compromisedPasswords: UpstreamClient {
        client(named: "compromised passwords", trusting: nil, operationDeadline: .seconds(1))
    }

    /// Closes every connection. Called once no service sends requests any more.
    func shutdown() async throws {
        let transports = connections.withLock { connections in
            defer { connections = [:] }
            return connections.values.map(\.transport)
        }
        for transport in transports { try await transport.shutdown() }
    }
}
