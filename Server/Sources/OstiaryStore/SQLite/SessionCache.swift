import GRDB
import GRDBSQLite
import OstiaryCore
import OstiaryEngine
import Synchronization

/// A cache of recently read sessions, so that checking an access token needs no query.
///
/// Correct only because this process is the database's single writer. Every transaction stamps the rows it changed; entries
/// read before a row's stamp are invalid. So a reader that races with a commit cannot restore what the commit ended.
/// Stamps are indexed by a row's number modulo ``slots``: a collision costs a query, never a wrong answer.
final class SessionCache: Sendable {
    /// A session's state with the data that validates it.
    struct Entry: Sendable {
        var state: SessionState
        /// The rows' numbers in the database.
        var session: Int64
        var account: Int64
        var accountRevision: Int64
    }

    /// The time of a read, counted in commits.
    struct Moment: Sendable { fileprivate let commit: UInt64 }

    private struct Kept {
        let entry: Entry
        let readAt: UInt64
    }

    private enum Change {
        case session(Int64)
        case account(Int64)
    }

    private struct State {
        /// Two generations approximate a least-recently-used order: entries not requested while `young` fills, or for
        /// ``lifetime``, are dropped.
        var young: [SessionID: Kept] = [:]
        var old: [SessionID: Kept] = [:]
        var youngEnds: ContinuousClock.Instant
        var commit: UInt64 = 1
        var sessionStamps = [UInt64](repeating: 0, count: SessionCache.slots)
        var accountStamps = [UInt64](repeating: 0, count: SessionCache.slots)
        /// The rows that the transaction in progress has changed.
        var changed: [Change] = []

        mutating func promote(_ id: SessionID, capacity: Int, at now: ContinuousClock.Instant) -> Kept? {
            guard let kept = old.removeValue(forKey: id) else { return nil }
            insert(kept, for: id, capacity: capacity, at: now)
            return kept
        }

        mutating func insert(_ kept: Kept, for id: SessionID, capacity: Int, at now: ContinuousClock.Instant) {
            if young.count >= max(1, capacity / 2) || now >= youngEnds {
                old = young
                young = [:]
                youngEnds = now + SessionCache.lifetime
            }
            young[id] = kept
        }
    }

    /// Memory is for sessions that are in use: without a limit of time a server would fill the cache within hours.
    static let lifetime = Duration.seconds(300)
    private static let slots = 1 << 17
    private let capacity: Int
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state: Mutex<State>

    init(capacity: Int = 50_000, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.capacity = capacity
        self.now = now
        state = Mutex(State(youngEnds: now() + Self.lifetime))
    }

    /// The current moment. Taken before the query whose result goes to ``keep(_:readAt:)``.
    var moment: Moment { Moment(commit: state.withLock { $0.commit }) }

    /// Returns the state of a session, if it is cached and nothing has changed since it was read.
    func state(of id: SessionID) -> SessionState? {
        state.withLock { state in
            guard let kept = state.young[id] ?? state.promote(id, capacity: capacity, at: now()) else { return nil }
            guard state.sessionStamps[Self.slot(kept.entry.session)] <= kept.readAt,
                state.accountStamps[Self.slot(kept.entry.account)] <= kept.readAt
            else { return nil }
            return kept.entry.state
        }
    }

    /// Returns the session's account at this revision of its row, if it is cached. Only committed data is cached, and a
    /// revision is committed once.
    func account(of id: SessionID, number: Int64, revision: Int64) -> Account? {
        state.withLock { state in
            guard let entry = (state.young[id] ?? state.old[id])?.entry, entry.account == number,
                entry.accountRevision == revision
            else { return nil }
            return entry.state.account
        }
    }

    func keep(_ entry: Entry, readAt moment: Moment) {
        let id = entry.state.session.id
        state.withLock { state in
            if let kept = state.young[id], kept.readAt > moment.commit { return }
            state.insert(Kept(entry: entry, readAt: moment.commit), for: id, capacity: capacity, at: now())
        }
    }

    var count: Int { state.withLock { $0.young.count + $0.old.count } }

    private static func slot(_ number: Int64) -> Int { Int(truncatingIfNeeded: number) & (slots - 1) }

    // MARK: Changes

    /// Observes the changes of the writing connection. The cache must outlive its last transaction.
    func observe(_ db: Database) {
        sqlite3_update_hook(
            db.sqliteConnection,
            { cache, operation, _, table, number in
                // A new row cannot have been read before.
                guard operation != SQLITE_INSERT, let cache, let table else { return }
                Unmanaged<SessionCache>.fromOpaque(cache).takeUnretainedValue().note(String(cString: table), number)
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    private func note(_ table: String, _ number: Int64) {
        switch table {
        case "session": state.withLock { $0.changed.append(.session(number)) }
        case "account": state.withLock { $0.changed.append(.account(number)) }
        default: break
        }
    }

    /// Invalidates what was read before the transaction that has just ended. Called before its callers are resumed. After
    /// a rollback, rows that did not change are read once more.
    func transactionEnded() {
        state.withLock { state in
            guard !state.changed.isEmpty else { return }
            state.commit += 1
            for change in state.changed {
                switch change {
                case .session(let number): state.sessionStamps[Self.slot(number)] = state.commit
                case .account(let number): state.accountStamps[Self.slot(number)] = state.commit
                }
            }
            state.changed.removeAll(keepingCapacity: true)
        }
    }
}
