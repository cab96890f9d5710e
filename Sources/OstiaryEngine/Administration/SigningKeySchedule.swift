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

    /// Creates the keys that are due.
    ///
    /// - Returns: The keys that this run created.
    @discardableResult
    public func run() async throws -> [StoredSigningKey] {
        var created: [StoredSigningKey] = []
        for engine in engines {
            let administration = Administration(engine: engine, actor: .schedule)
            created += try await administration.rotateSigningKeys(after: lifetime)
        }
        return created
    }
}
