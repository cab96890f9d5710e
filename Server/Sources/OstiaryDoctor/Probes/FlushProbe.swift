import Foundation

/// Measures what a commit costs on the disk of a database that no process has open.
package enum FlushProbe {
    /// Appends pages to a file in the directory, each flushed, and removes the file.
    ///
    /// Blocks the thread meanwhile, for about `budget` at most.
    package static func durations(in directory: String, count: Int, budget: Duration) -> Observed<CommitDurations> {
        let path = "\(directory)/.doctor-\(ProcessInfo.processInfo.processIdentifier)"
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            return .unknown("No file can be created beside the database: \(String(cString: strerror(errno))).")
        }
        unlink(path)
        defer { close(descriptor) }
        let page = [UInt8](repeating: 0, count: 4096)
        var milliseconds: [Double] = []
        let end = ContinuousClock.now + budget
        while milliseconds.count < count, ContinuousClock.now < end {
            let start = ContinuousClock.now
            guard write(descriptor, page, page.count) == page.count, fsync(descriptor) == 0 else {
                return .unknown("A file beside the database cannot be flushed: \(String(cString: strerror(errno))).")
            }
            milliseconds.append((ContinuousClock.now - start) / .milliseconds(1))
        }
        return .value(CommitDurations(method: .flushes, milliseconds: milliseconds))
    }
}
