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
    /// The connections by the file of authorities that they trust; created when the first app needs one.
    private let connections = Mutex<[String?: (transport: HTTPUpstreamTransport, client: UpstreamClient)]>([:])

    init(mode: Mode, system: SystemDependencies, log: Logger) {
        allowsPlainHTTP = mode == .development
        self.system = system
        self.log = log
    }

    /// - Parameter authoritiesFile: A PEM file of authorities to trust instead of the system's.
    func client(trusting authoritiesFile: String? = nil) -> UpstreamClient {
        connections.withLock { connections in
            if let known = connections[authoritiesFile] { return known.client }
            let transport = HTTPUpstreamTransport(
                authoritiesFile: authoritiesFile, limits: .init(allowsPlainHTTP: allowsPlainHTTP))
            let client = UpstreamClient(transport: transport, system: system, log: log)
            connections[authoritiesFile] = (transport, client)
            return client
        }
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
