import Foundation
import OstiaryEngine

/// A writing call with an idempotency key, by which its transaction is recognized when an answer was lost and it is
/// repeated.
struct WriteOperation: Sendable {
    let id: String
    let at: Date

    init(_ system: SystemDependencies) {
        id = system.uuid()
        at = system.now()
    }
}

/// The error that rolls back a transaction which has found nothing to do.
struct NothingDone: Error {}
