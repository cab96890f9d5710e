import Foundation

/// The job that replaces the signing keys of apps when they have signed for long enough.
///
/// Any number of nodes may run it: the store lets one of them add a successor.
public struct SigningKeySchedule: Sendable {
    private let engines: [AuthEngine]
    private let lifetime: TimeInterval

    /// Creates the job.
    ///
    /// - Parameters:
    ///   - engines: The engines of the apps.
    ///   - days: The time for which a key signs.
    public init(engines: [AuthEngine], days: Int) {
        self.engines = engines
        lifetime = Double(days) * 86_400
    }

    /// The outcome of a run.
    public struct Outcome: Sendable {
        /// The keys that the run created.
        public var created: [StoredSigningKey] = []
        /// The errors that left an app without the keys that were due.
        public var failures: [(app: AppName, error: any Error)] = []
    }

    /// Creates the keys that are due. A failure of one app or algorithm does not affect the others.
    public func run() async -> Outcome {
        var outcome = Outcome()
        for engine in engines {
            let administration = Administration(engine: engine, actor: .schedule)
            for keys in engine.ports.signingKeys {
                do {
                    guard let key = try await administration.rotate(keys, after: lifetime) else { continue }
                    outcome.created.append(key)
                } catch {
                    outcome.failures.append((engine.app.name, error))
                }
            }
        }
        return outcome
    }
}
