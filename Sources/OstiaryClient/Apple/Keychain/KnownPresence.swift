#if canImport(Security)
import Synchronization

/// The presence of an item when its store last accessed it. An item that was present then, and is missing beside a damaged one,
/// has been set aside by another store.
final class KnownPresence: Sendable {
    private let state = Mutex(false)

    var isKnown: Bool {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}
#endif
