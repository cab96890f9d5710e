import Foundation
import OstiaryCore
import Synchronization

/// Everything the engine keeps, in memory and without a database: for tests, previews and a server inside one process.
///
/// Every call is one transaction under one lock: it is committed as a whole or changes nothing. All calls return at once
/// and can be made synchronously. Gone with the object.
public final class MemoryStore: Store {
    let surroundings: Surroundings
    private let tables = Mutex(MemoryTables())

    /// - Parameter surroundings: Where random ids come from.
    public init(surroundings: Surroundings) { self.surroundings = surroundings }

    /// Thrown where a database reports a violated constraint: an id or a hash that the caller made is another row's.
    public struct DuplicateKey: Error, Hashable, Sendable {
        public init() {}
    }

    /// Runs one transaction. What throws in it throws before it changes anything.
    func transaction<Value: Sendable, Failure: Error>(
        _ body: (inout MemoryTables) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try tables.withLock { tables throws(Failure) in try body(&tables) }
    }

    /// Does nothing: a store in memory holds nothing open, and can be used on.
    public func close() {}
}
