/// Decides which jobs a pool accepts, by the time that they would wait. Pure: a value of times and counts.
///
/// The wait is the rounds of all accepted jobs divided by the pool's throughput. The throughput is measured while jobs
/// wait, since only then every thread computes as much as it can.
struct BcryptAdmission {
    /// The rounds per second of a thread that are assumed before the first measurement: 16 hashes of cost 10.
    static let assumedRoundsPerSecond = 16_384.0
    /// The shortest time of a measurement.
    static let measurementPeriod = Duration.milliseconds(250)

    private let threads: Int
    private let limit: Int
    private let longestWait: Duration
    /// The number of jobs that wait or run.
    private(set) var count = 0
    /// The rounds of the jobs that wait or run.
    private(set) var rounds = 0
    /// The pool's throughput.
    private(set) var roundsPerSecond: Double
    private var measurement: (since: ContinuousClock.Instant, rounds: Int)?

    /// - Parameters:
    ///   - limit: The maximum number of jobs beyond one per thread.
    ///   - longestWait: The expected wait beyond which a job is refused.
    init(threads: Int, limit: Int, longestWait: Duration) {
        self.threads = threads
        self.limit = limit
        self.longestWait = longestWait
        roundsPerSecond = Double(threads) * Self.assumedRoundsPerSecond
    }

    /// The time until a job that is accepted now would begin, an upper estimate.
    var expectedWait: Duration { .seconds(Double(rounds) / roundsPerSecond) }

    /// Accepts a job if a thread is idle, or if it would not wait too long.
    ///
    /// - Parameter oldest: The time since which the first waiting job waits. One that waits too long shows that the
    ///   measured throughput no longer holds.
    mutating func admit(rounds: Int, oldest: ContinuousClock.Instant?, at now: ContinuousClock.Instant) -> Bool {
        if count >= threads {
            guard count < threads + limit, expectedWait <= longestWait else { return false }
            if let oldest, oldest.duration(to: now) > longestWait { return false }
        }
        count += 1
        self.rounds += rounds
        return true
    }

    /// Notes that a job is not computed.
    mutating func abandon(rounds: Int) {
        count -= 1
        self.rounds -= rounds
    }

    /// Notes the end of a job.
    ///
    /// - Parameter isSaturated: `true` if other jobs wait for a thread.
    mutating func finish(rounds: Int, isSaturated: Bool, at now: ContinuousClock.Instant) {
        count -= 1
        self.rounds -= rounds
        guard isSaturated else { return measurement = nil }
        guard let (since, before) = measurement else { return measurement = (now, 0) }
        let elapsed = since.duration(to: now)
        guard elapsed >= Self.measurementPeriod else { return measurement = (since, before + rounds) }
        let measured = Double(before + rounds) / (elapsed / .seconds(1))
        // Half of it: a single measurement may be of a moment in which others had the cores.
        if measured > 0 { roundsPerSecond = (roundsPerSecond + measured) / 2 }
        measurement = (now, 0)
    }
}
