package import Foundation

/// A recent backup exists.
package struct BackupAgeCheck: DoctorCheck {
    package static let name = "backups"

    /// A day, and the time that a daily backup of a large store takes.
    private static let oldSeconds: TimeInterval = 26 * 3600

    /// Nil where no directory was named; no backup is a value of nil.
    let newest: Observed<BackupFacts?>?
    let directory: String
    let now: Date

    package init(newest: Observed<BackupFacts?>?, directory: String, now: Date) {
        self.newest = newest
        self.directory = directory
        self.now = now
    }

    package func findings() -> [DoctorFinding] {
        switch newest {
        case nil:
            return [
                skipped(
                    "No directory of backups was named.",
                    remedy: "Pass --backups DIR, the directory that ostiary store backup --to writes to.")
            ]
        case .unknown(let reason):
            return [error("backups_unreadable", reason, subject: directory, remedy: "Name the directory of backups.")]
        case .value(nil):
            return [
                error(
                    "backup_missing", "The directory has no backup.", subject: directory,
                    remedy: "Run ostiary store backup --to \(directory) --keep 14, every day by a timer.")
            ]
        case .value(let backup?): return [finding(backup)]
        }
    }

    private func finding(_ backup: BackupFacts) -> DoctorFinding {
        let age = now.timeIntervalSince(backup.takenAt)
        let hours = Int(age / 3600)
        let text = "The newest backup is \(hours.counting("hour")) old and has \(DiskSpaceCheck.size(backup.bytes))."
        guard age > Self.oldSeconds else { return ok(text, subject: backup.path) }
        return warning(
            "backup_old", text, subject: backup.path,
            remedy: "Look at the log of the timer that runs ostiary store backup, and run it once by hand.")
    }
}
