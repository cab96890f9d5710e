import Foundation
import GRDB
import OstiaryEngine
import Synchronization

/// The outcome of the last writes to an SQLite database, which tells whether the next one will succeed.
///
/// Reads of a database on a full or failing disk still succeed, so that only writes show its state. A database whose
/// writes fail is probed until one succeeds; an idle one is probed rarely, so that probes do not wear the disk.
final class WriteHealth: Sendable {
    /// The time without a commit after which a probe is due, in seconds.
    static let idleSeconds = 60.0
    /// The least time between two probes while writes fail, in seconds.
    static let retrySeconds = 5.0
    /// The size of a probe: that of some usual writes together.
    static let probeBytes = 16_384

    private struct State {
        /// The error of the last write; nil if it succeeded.
        var failure: (any Error)?
        /// The time of the last commit or probe.
        var checkedAt: Date
    }

    private let state: Mutex<State>

    /// - Parameter now: The time at which the database was opened, which writes to it.
    init(openedAt now: Date) { state = Mutex(State(checkedAt: now)) }

    /// The error of the last write; nil if it succeeded.
    var failure: (any Error)? { state.withLock { $0.failure } }

    func noteCommit(at now: Date) {
        state.withLock { $0 = State(checkedAt: now) }
    }

    func note(_ failure: any Error) {
        state.withLock { $0.failure = failure }
    }

    /// Returns `true` if a probe is due; the caller then makes it, and no other caller does meanwhile.
    func beginProbe(at now: Date) -> Bool {
        state.withLock { state in
            let age = now.timeIntervalSince(state.checkedAt)
            // A negative age is that of a clock that was set back.
            guard age < 0 || age >= (state.failure == nil ? Self.idleSeconds : Self.retrySeconds) else { return false }
            state.checkedAt = now
            return true
        }
    }

    /// Returns `true` for an error of the disk or the file rather than of one statement.
    static func isStorageFailure(_ error: any Error) -> Bool {
        if case StoreError.fileGone = error { return true }
        guard let error = error as? DatabaseError else { return false }
        return switch error.resultCode {
        case .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_NOMEM,
            .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL:
            true
        default: false
        }
    }
}

extension SQLiteStore {
    /// Checks that writes succeed, by the outcome of the last one or by a probe.
    ///
    /// - Throws: The error of the last write.
    func checkWrites() async throws {
        if health.beginProbe(at: system.now()) {
            try await write { db in
                // The rows are gone with the commit; their pages were allocated and are written.
                try db.run(
                    """
                    INSERT INTO ticket (app, kind, hash, payload, expires_at)
                    VALUES ('', 'write_probe', x'', zeroblob(?1), 0)
                    """, [WriteHealth.probeBytes])
                try db.run("DELETE FROM ticket WHERE app = '' AND kind = 'write_probe'")
            }
        }
        if let failure = health.failure { throw StoreError.translating(failure) }
    }
}
