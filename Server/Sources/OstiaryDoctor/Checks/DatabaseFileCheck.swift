/// An SQLite database is where an acknowledged write is durable.
package struct DatabaseFileCheck: DoctorCheck {
    package static let name = "sqlite"

    private static let largeLogBytes = 1 << 30
    private static let fullySynchronous = 2

    let facts: DatabaseFileFacts

    package init(facts: DatabaseFileFacts) { self.facts = facts }

    package func findings() -> [DoctorFinding] {
        let problems = [content, synchronous, fileSystem, log].compactMap(\.self)
        guard problems.isEmpty else { return problems }
        let setting = facts.synchronous == nil ? "" : ", and every commit is flushed (synchronous=FULL)"
        return [ok("The database has a write-ahead log\(setting).", subject: facts.path)]
    }

    private var content: DoctorFinding? {
        switch facts.content {
        case .missing:
            skipped(
                "There is no database yet: the first start creates it.", subject: facts.path,
                remedy: "If there was one, --data or --config is missing.")
        case .unreadable:
            skipped(
                "This user may not read the database.", subject: facts.path,
                remedy: "Run the command as the user of the service.")
        case .notSQLite:
            error(
                "sqlite_damaged", "The file is not an SQLite database.", subject: facts.path,
                remedy: "Restore the newest backup: ostiary store restore.")
        case .sqlite(hasWriteAheadLog: false):
            error(
                "sqlite_journal_mode", "The database has a rollback journal instead of a write-ahead log.",
                subject: facts.path,
                remedy: "Let no other program write to the file; the next start of the server sets journal_mode=WAL.")
        case .sqlite(hasWriteAheadLog: true): nil
        }
    }

    private var synchronous: DoctorFinding? {
        guard let setting = facts.synchronous, setting < Self.fullySynchronous else { return nil }
        return error(
            "sqlite_synchronous", "Commits are not flushed to the disk: synchronous is \(setting).",
            subject: facts.path, remedy: "Report this: the server sets synchronous=FULL for itself.")
    }

    private var fileSystem: DoctorFinding? {
        switch facts.fileSystem {
        case .network(let name):
            error(
                "sqlite_network_file_system", "The database is on a network file system (\(name)).",
                subject: facts.path,
                remedy: "Move it to a local disk, or use PostgreSQL: a write-ahead log needs shared memory and locks.")
        case .memory:
            error(
                "sqlite_in_memory", "The database is on a file system in memory.", subject: facts.path,
                remedy: "Move it to a disk: a restart of the machine deletes every account.")
        case .overlay:
            warning(
                "sqlite_in_container", "The database is in a layer of a container, which is deleted with it.",
                subject: facts.path, remedy: "Mount a volume at the data directory.")
        case .other: nil
        }
    }

    private var log: DoctorFinding? {
        guard facts.logBytes > Self.largeLogBytes else { return nil }
        return warning(
            "sqlite_log_large", "The write-ahead log has \(DiskSpaceCheck.size(facts.logBytes)).",
            subject: facts.path,
            remedy: "End commands that read the store for long, such as a backup; the log shrinks afterwards.")
    }
}
