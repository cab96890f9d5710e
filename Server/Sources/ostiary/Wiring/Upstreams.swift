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
    /// The clients by their use. Created when the first app needs one.
    private let clients = Mutex<[Use: UpstreamClient]>([:])

    /// The purpose of connections.
    private enum Use: Hashable {
        /// Identity providers, trusting the authorities of a file, or of the system. Those of a replaced file are not used any more.
        case providers(authoritiesFile: String?, FileVersion?)
        case compromisedPasswords
    }

    init(mode: Mode, system: SystemDependencies, log: Logger) {
        allowsPlainHTTP = mode == .development
        self.system = system
        self.log = log
    }

    /// - Parameter authoritiesFile: A PEM file of authorities to trust instead of the system's.
    func client(trusting authoritiesFile: String? = nil) -> UpstreamClient {
        client(
            for: .providers(authoritiesFile: authoritiesFile, authoritiesFile.flatMap { FileVersion(path: $0) }),
            trusting: authoritiesFile, operationDeadline: UpstreamClient.operationDeadline)
    }

    private func client(
        for use: Use, trusting authoritiesFile: String?, operationDeadline: Duration
    ) -> UpstreamClient {
        clients.withLock { clients in
            if let known = clients[use] { return known }
            let transport = HTTPUpstreamTransport(
                authoritiesFile: authoritiesFile, limits: .init(allowsPlainHTTP: allowsPlainHTTP))
            let client = UpstreamClient(
                transport: transport, system: system, operationDeadline: operationDeadline, log: log)
            clients[use] = client
            return client
        }
    }

    /// The client of a range API of compromised passwords, with a time limit of one second for each question.
    var compromisedPasswords: UpstreamClient {
        client(for: .compromisedPasswords, trusting: nil, operationDeadline: .seconds(1))
    }
}
