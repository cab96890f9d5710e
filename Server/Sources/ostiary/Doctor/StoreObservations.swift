import Foundation
import OstiaryConfiguration
import OstiaryDoctor
import OstiaryEngine
import OstiaryStore

/// The facts of a store and of the server that has it open. Gathering them creates nothing and migrates nothing.
struct StoreObservations: Sendable {
    var openFiles = OpenFileFacts.ofThisProcess(isServer: false)
    var commits: Observed<CommitDurations>
    var signingKeys: Observed<[SigningKeyFacts]>
    var encryptionKeys: Observed<EncryptionKeyFacts>
    /// Nil for another store.
    var databaseFile: DatabaseFileFacts?
    /// Nil for another store.
    var postgres: Observed<PostgresFacts>?
    var clock: [ClockReading] = []

    static let commitCount = 100
    static let commitBudget = Duration.seconds(2)
    private static let sealedValueBudget = Duration.seconds(3)

    /// - Parameter reason: The reason that nothing of the store is known.
    init(unknown reason: String) {
        commits = .unknown(reason)
        signingKeys = .unknown(reason)
        encryptionKeys = .unknown(reason)
    }

    /// Returns the facts of the encryption keys. With one key alone no value is examined.
    ///
    /// - Parameter page: Examines the values of a kind after a position; see ``EncryptionKeyRotation``.
    static func encryptionKeys(
        count: Int,
        page: (SealedValue.Kind, SealedValue.Position?) async throws -> (
            EncryptionKeyRotation.Counts, SealedValue.Position?
        )
    ) async throws -> EncryptionKeyFacts {
        var facts = EncryptionKeyFacts(keyCount: count)
        guard count > 1 else { return facts }
        let end = ContinuousClock.now + sealedValueBudget
        for kind in SealedValue.Kind.allCases {
            var position: SealedValue.Position?
            repeat {
                let (counts, next) = try await page(kind, position)
                facts.earlierValues += counts.earlier
                facts.unreadableValues += counts.unreadable
                position = next
                if ContinuousClock.now > end { return facts }
            } while position != nil
        }
        facts.isComplete = true
        return facts
    }

    /// Runs `body`, and returns its error as the reason that the fact is unknown.
    static func observed<Value: Sendable>(
        _ body: () async throws -> Value
    ) async -> Observed<Value> {
        do { return .value(try await body()) } catch { return .unknown(sentence(of: error)) }
    }

    static func sentence(of error: any Error) -> String {
        let text = "\(error)"
        return text.hasSuffix(".") ? text : "\(text)."
    }
}
