import Foundation
import Logging
import OstiaryEngine
import Synchronization

/// Logs the cause of an unexpected failure under an incident id that the caller receives.
///
/// While the store is unavailable, every request fails. The first failure of a kind is logged; those of the next second
/// share its id and are counted, so that every id given to a caller is in the log and an outage does not flood it.
final class IncidentLog: Sendable {
    private let log: Logger
    private let system: SystemDependencies
    private let failures = Mutex(RepeatedFailures())

    init(log: Logger, system: SystemDependencies) {
        self.log = log
        self.system = system
    }

    func report(_ error: any Error) -> String {
        let cause = "\(error)"
        let noted = failures.withLock { failures in
            failures.note(cause, of: "\(type(of: error))", at: system.now()) {
                RepeatedFailures.incidentID()
            }
        }
        switch noted.position {
        case .first:
            log.error("unexpected failure", metadata: ["incident": "\(noted.incident)", "error": "\(cause)"])
        case .firstRepetition:
            Task { [self] in
                try? await Task.sleep(for: .seconds(RepeatedFailures.window))
                logRepetitions()
            }
        case .later: break
        }
        return noted.incident
    }

    private func logRepetitions() {
        for failure in failures.withLock({ $0.takeRepeated() }) {
            log.error(
                "the same unexpected failure again",
                metadata: ["incident": "\(failure.incident)", "times": "\(failure.repetitions)"])
        }
    }
}
