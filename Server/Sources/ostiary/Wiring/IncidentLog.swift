import Foundation
import Logging
import OstiaryEngine
import Synchronization

/// Writes down why something failed unexpectedly, under an id that the caller is told.
///
/// While the store is away that is every request. The first failure of a kind is written, those of the next second share
/// its id and are counted, so that every id that anybody was told stands in the log and an outage does not fill it.
final class IncidentLog: Sendable {
    private let log: Logger
    private let surroundings: Surroundings
    private let failures = Mutex(RepeatedFailures())

    init(log: Logger, surroundings: Surroundings) {
        self.log = log
        self.surroundings = surroundings
    }

    func report(_ error: any Error) -> String {
        let cause = "\(error)"
        let noted = failures.withLock { failures in
            failures.note(cause, of: "\(type(of: error))", at: surroundings.now()) {
                RepeatedFailures.incidentID()
            }
        }
        switch noted.turn {
        case .first:
            log.error("unexpected failure", metadata: ["incident": "\(noted.incident)", "error": "\(cause)"])
        case .firstRepetition:
            Task { [self] in
                try? await Task.sleep(for: .seconds(RepeatedFailures.window))
                tellRepetitions()
            }
        case .later: break
        }
        return noted.incident
    }

    private func tellRepetitions() {
        for failure in failures.withLock({ $0.takeRepeated() }) {
            log.error(
                "the same unexpected failure again",
                metadata: ["incident": "\(failure.incident)", "times": "\(failure.repetitions)"])
        }
    }
}
