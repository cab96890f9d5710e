import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryStore
import PostgresServer
import Testing

/// The stores that the conformance suite runs on.
enum Backend: String, CaseIterable, CustomTestStringConvertible {
    /// ``MemoryStore``: no database.
    case memory
    case sqliteMemory, sqliteFile, postgres

    /// Without PostgreSQL where it is not installed, which a test reports.
    static var allCases: [Backend] { PostgresServer.isInstalled ? local + [.postgres] : local }
    private static var local: [Backend] { [.memory, .sqliteMemory, .sqliteFile] }

    var testDescription: String { rawValue }

    /// Runs `body` on a new store of this kind, and removes its files and databases.
    func withStore(_ body: (any Store) async throws -> Void) async throws {
        switch self {
        case .memory:
            let store = MemoryStore(system: .system)
            try await body(store)
            store.close()
        case .sqliteMemory:
            let store = try SQLiteStore(inMemoryWith: .system)
            try await body(store)
            try await store.close()
        case .sqliteFile:
            try await withTemporaryDirectory { directory in
                let store = try SQLiteStore(path: directory.database, system: .system)
                try await body(store)
                try await store.close()
            }
        case .postgres:
            try await PostgresServer.shared().withNodes(1) { try await body($0[0]) }
        }
    }
}

extension Backend {
    /// Returns `true` if the error is the one that a store of this kind throws for a row whose key another row has.
    func reportsDuplicate(_ error: any Error) -> Bool {
        switch self {
        case .memory: error is MemoryStore.DuplicateKey
        case .sqliteMemory, .sqliteFile, .postgres: error is StoreError
        }
    }
}

/// A directory for one test.
struct TemporaryDirectory: Sendable {
    let url: URL
    var database: String { url.appendingPathComponent("ostiary.db").path }
}

func withTemporaryDirectory(_ body: (TemporaryDirectory) async throws -> Void) async throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("ostiary-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: url) }
    try await body(TemporaryDirectory(url: url))
}

/// Runs `body` that many times concurrently.
///
/// - Returns: The results, in the order of their numbers.
func inParallel<Value: Sendable>(
    _ count: Int, _ body: @escaping @Sendable (Int) async throws -> Value
) async throws -> [Value] {
    try await withThrowingTaskGroup(of: (index: Int, value: Value).self) { group in
        for index in 0..<count { group.addTask { (index, try await body(index)) } }
        return try await group.reduce(into: []) { $0.append($1) }.sorted { $0.index < $1.index }.map(\.value)
    }
}
