/// This machine's clock agrees with others, which tokens, one-time passwords and proofs of possession need.
package struct ClockCheck: DoctorCheck {
    package static let name = "clock"

    private static let warningSeconds = 2.0
    /// The step of a time-based one-time password. Source: RFC 6238 §5.2.
    private static let errorSeconds = 30.0

    let readings: Observed<[ClockReading]>

    package init(readings: Observed<[ClockReading]>) { self.readings = readings }

    package func findings() -> [DoctorFinding] {
        switch readings {
        case .unknown(let reason): return [skipped(reason)]
        case .value(let readings) where readings.isEmpty:
            return [skipped("No other clock was reached to compare with.")]
        case .value(let readings): return readings.map(finding)
        }
    }

    private func finding(_ reading: ClockReading) -> DoctorFinding {
        let other =
            switch reading.source {
            case .database: "the database's clock"
            case .host(let name): "the clock of \(name)"
            }
        let size = abs(reading.offsetSeconds)
        let certain = max(0, size - reading.uncertaintySeconds)
        let text =
            "This machine's clock is \(Self.text(size)) s \(reading.offsetSeconds > 0 ? "behind" : "ahead of") \(other)."
        let remedy = "Run a time service such as chrony on both machines."
        if certain > Self.errorSeconds { return error("clock_wrong", text, remedy: remedy) }
        if certain > Self.warningSeconds { return warning("clock_off", text, remedy: remedy) }
        return ok("This machine's clock agrees with \(other).")
    }

    private static func text(_ seconds: Double) -> String { "\((seconds * 10).rounded() / 10)" }
}
