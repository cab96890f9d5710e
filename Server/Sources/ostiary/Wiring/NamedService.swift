import Logging
import ServiceLifecycle

/// A service with a name. What runs services writes them into the log, and without this a service would be written down
/// with everything in it, keys and configuration included.
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
    /// The same log without what is below a notice.
    var quietened: Logger {
        var log = self
        log.logLevel = max(log.logLevel, .notice)
        return log
    }
}
