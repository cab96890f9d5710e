import Foundation
import OstiaryCore
import Synchronization

/// A store in memory, without a database: for tests, previews and a server inside one process.
///
/// Every call is one transaction under one lock: it is committed as a whole or changes nothing. All calls return
/// immediately and can be made synchronously. The content is lost with the object.
public final class MemoryStore: Store {
    let system: SystemDependencies
    private let tables = Mutex(MemoryTables())

    /// Creates an empty store.
    ///
    /// - Parameter system: The source of random ids and of the current time.
    public init(system: SystemDependencies) { self.system = system }

    /// An id or a hash that the caller generated is another row's, which a database reports as a violated constraint.
    public struct DuplicateKey: Error, Hashable, Sendable {
        /// Creates the error.
        public init() {}
    }

    /// Runs one transaction. A body that throws does so before it changes anything.
    func transaction<Value: Sendable, Failure: Error>(
        _ body: (inout MemoryTables) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try tables.withLock { tables throws(Failure) in
            guard !tables.eventTables.endpoints.isEmpty else { return try body(&tables) }
            let before = tables
            let value = try body(&tables)
            tables.recordEvents(since: before, actor: ChangeActor.current, system: system)
            return value
        }
    }

    /// Does nothing: a store in memory holds no resources, and remains usable.
    public func close() {}
}
