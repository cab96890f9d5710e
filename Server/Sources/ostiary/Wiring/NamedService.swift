import Logging
import ServiceLifecycle

/// A service with a name. The service group logs its services, and would otherwise log a service with all its contents,
/// keys and configuration included.
struct NamedService: Service, CustomStringConvertible {
    let description: String
    let service: any Service

    init(_ name: String, _ service: any Service) {
        description = name
        self.service = service
    }

    func run() async throws { try await service.run() }
}

extension Logger {
    /// The same log without levels below notice.
    var quietened: Logger {
        var log = self
        log.logLevel = max(log.logLevel, .notice)
        return log
    }
}
