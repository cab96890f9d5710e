import Foundation
import OstiaryDoctor
import Testing

/// The judgements of stores and clocks.
@Suite struct StoreChecksTests {
    private static func sqlite(
        _ content: DatabaseFileFacts.Content = .sqlite(hasWriteAheadLog: true),
        on fileSystem: DatabaseFileFacts.FileSystem = .other, logBytes: Int = 0, synchronous: Int? = 2
    ) -> [String] {
        DatabaseFileCheck(
            facts: DatabaseFileFacts(
                path: "/d", content: content, fileSystem: fileSystem, logBytes: logBytes, synchronous: synchronous)
        ).summary
    }

    @Test func `a database file needs a write-ahead log, flushed commits and a local disk`() {
        #expect(Self.sqlite() == ["ok ok"])
        #expect(Self.sqlite(synchronous: nil) == ["ok ok"])
        #expect(Self.sqlite(.sqlite(hasWriteAheadLog: false)) == ["error sqlite_journal_mode"])
        #expect(Self.sqlite(synchronous: 1) == ["error sqlite_synchronous"])
        #expect(Self.sqlite(on: .network("NFS")) == ["error sqlite_network_file_system"])
        #expect(Self.sqlite(on: .memory) == ["error sqlite_in_memory"])
        #expect(Self.sqlite(on: .overlay) == ["warning sqlite_in_container"])
        #expect(Self.sqlite(logBytes: (1 << 30) + 1) == ["warning sqlite_log_large"])
    }

    @Test func `a database that is missing or closed to this user is skipped, and another file an error`() {
        #expect(Self.sqlite(.missing) == ["skipped skipped"])
        #expect(Self.sqlite(.unreadable) == ["skipped skipped"])
        #expect(Self.sqlite(.notSQLite) == ["error sqlite_damaged"])
    }

    private static func postgres(_ change: (inout PostgresFacts) -> Void = { _ in }) -> [String] {
        var facts = PostgresFacts(
            fsync: true, fullPageWrites: true, synchronousCommit: "on", synchronousStandbyNames: "", standbys: 0,
            isStandby: false)
        change(&facts)
        return PostgresCheck(facts: .value(facts)).summary
    }

    @Test func `a PostgreSQL server has to keep acknowledged writes`() {
        #expect(Self.postgres() == ["ok ok"])
        #expect(Self.postgres { $0.fsync = false } == ["error postgres_fsync"])
        #expect(Self.postgres { $0.fullPageWrites = false } == ["error postgres_full_page_writes"])
        #expect(Self.postgres { $0.synchronousCommit = "off" } == ["error postgres_synchronous_commit"])
        #expect(Self.postgres { $0.isStandby = true } == ["error postgres_read_only"])
        #expect(PostgresCheck(facts: .unknown("No host answers.")).summary == ["error postgres_unreachable"])
    }

    @Test func `a synchronous standby has to be connected, and commits have to wait for it`() {
        #expect(Self.postgres { $0.synchronousStandbyNames = "*" } == ["error postgres_standby_missing"])
        #expect(
            Self.postgres { ($0.synchronousStandbyNames, $0.standbys) = ("*", 1) } == ["ok ok"])
        #expect(
            Self.postgres {
                ($0.synchronousStandbyNames, $0.standbys, $0.synchronousCommit) = ("*", 1, "local")
            } == ["warning postgres_commit_local"])
        #expect(Self.postgres { $0.synchronousCommit = "local" } == ["ok ok"])
    }

    @Test func `the slowest hundredth of the commits decides`() {
        func check(_ milliseconds: [Double]) -> [String] {
            CommitLatencyCheck(durations: .value(CommitDurations(method: .commits, milliseconds: milliseconds)))
                .summary
        }
        let fast = [Double](repeating: 1, count: 99)
        #expect(check(fast + [5000]) == ["ok ok"])
        #expect(check(fast.dropLast() + [100, 100]) == ["warning commits_slow"])
        #expect(check(fast.dropLast() + [1000, 1000]) == ["error commits_too_slow"])
        #expect(check([]) == ["skipped skipped"])
        #expect(CommitLatencyCheck(durations: .unknown("There is no database yet.")).summary == ["skipped skipped"])
    }

    @Test func `a percentile is the value of the nearest rank`() {
        let durations = CommitDurations(method: .flushes, milliseconds: [4, 1, 3, 2])
        #expect(durations.percentile(0.5) == 2)
        #expect(durations.percentile(0.99) == 4)
        #expect(durations.percentile(0) == 1)
        #expect(CommitDurations(method: .flushes, milliseconds: []).percentile(0.5) == nil)
    }

    @Test func `a clock is wrong by what the measurement cannot explain`() {
        func check(_ offset: Double, _ uncertainty: Double = 0) -> [String] {
            ClockCheck(
                readings: .value([
                    ClockReading(source: .database, offsetSeconds: offset, uncertaintySeconds: uncertainty)
                ])
            ).summary
        }
        #expect(check(2) == ["ok ok"])
        #expect(check(-2.1) == ["warning clock_off"])
        #expect(check(-2.1, 0.5) == ["ok ok"])
        #expect(check(30.1) == ["error clock_wrong"])
        #expect(ClockCheck(readings: .value([])).summary == ["skipped skipped"])
    }

    @Test func `a database file is judged by its header`() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "doctor-\(UUID().uuidString).db").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(DatabaseFileProbe.facts(path: path).content == .missing)
        var header = [UInt8]("SQLite format 3\0".utf8) + [UInt8](repeating: 0, count: 84)
        try Data(header).write(to: URL(filePath: path))
        #expect(DatabaseFileProbe.facts(path: path).content == .sqlite(hasWriteAheadLog: false))
        (header[18], header[19]) = (2, 2)
        try Data(header).write(to: URL(filePath: path))
        #expect(DatabaseFileProbe.facts(path: path).content == .sqlite(hasWriteAheadLog: true))
        try Data("text".utf8).write(to: URL(filePath: path))
        #expect(DatabaseFileProbe.facts(path: path).content == .notSQLite)
    }
}
