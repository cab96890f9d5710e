import Foundation

/// A commit is fast enough that sign-ins do not queue.
package struct CommitLatencyCheck: DoctorCheck {
    package static let name = "commits"

    private static let slow = 100.0
    private static let tooSlow = 1000.0

    let durations: Observed<CommitDurations>

    package init(durations: Observed<CommitDurations>) { self.durations = durations }

    package func findings() -> [DoctorFinding] {
        let measured: CommitDurations
        switch durations {
        case .unknown(let reason): return [skipped(reason)]
        case .value(let value): measured = value
        }
        guard let worst = measured.percentile(0.99), let middle = measured.percentile(0.5) else {
            return [skipped("No commit was measured.")]
        }
        let unit = measured.method == .commits ? "commits" : "flushes of a file beside the database"
        let text =
            "Of \(measured.milliseconds.count) \(unit), half took \(Self.text(middle)) ms at most and 99 % \(Self.text(worst)) ms."
        let remedy = "Use a disk with a lower flush latency, and look for other programs that write to it."
        if worst >= Self.tooSlow { return [error("commits_too_slow", text, remedy: remedy)] }
        return [worst >= Self.slow ? warning("commits_slow", text, remedy: remedy) : ok(text)]
    }

    private static func text(_ milliseconds: Double) -> String {
        milliseconds < 10 ? "\((milliseconds * 10).rounded() / 10)" : "\(Int(milliseconds.rounded()))"
    }
}
