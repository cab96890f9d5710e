import Synchronization

/// A value that is known only after those who will use it are made. Set it to nil at the end: they hold one another.
final class Reference<Value: Sendable>: Sendable {
    private let stored = Mutex<Value?>(nil)

    var value: Value? {
        get { stored.withLock { $0 } }
        set { stored.withLock { $0 = newValue } }
    }
}
