import Logging
import OstiaryGeography
import OstiaryHTTP
import ServiceLifecycle
import UnixSignals

/// Reloads the certificate and the files of locations on SIGHUP; an invalid one is refused and the old one stays in use. Without
/// any, SIGHUP has no effect, although its default is to end the process.
struct FileReloader: Service {
    let certificate: TLSCertificate?
    let geography: GeographyFiles?
    let log: Logger

    func run() async throws {
        for await _ in await UnixSignalsSequence(trapping: .sighup).cancelOnGracefulShutdown() {
            if let certificate { reload("the certificate") { try certificate.reload() } }
            if let geography { reload("the files of locations") { try geography.reload() } }
            if certificate == nil, geography == nil { log.notice("there is no file to reload") }
        }
    }

    private func reload(_ name: String, _ body: () throws -> Void) {
        do {
            try body()
            log.notice("reloaded: \(name)")
        } catch {
            log.error("not reloaded, the old one stays in use: \(name)", metadata: ["problem": "\(error)"])
        }
    }
}
