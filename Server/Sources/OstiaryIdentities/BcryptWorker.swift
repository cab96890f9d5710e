import OstiaryCore

/// A password to hash.
struct BcryptJob: Sendable {
    let password: Secret<String>
    /// The prefix of a hash (version, cost, salt), or a whole hash.
    let setting: String
    /// The costs of hashes that only take time, after this one.
    var padding: Range<Int> = 0..<0
    /// Called on the hashing thread, with nil if the implementation refuses the setting.
    let completion: @Sendable (BcryptHash?) -> Void
    /// Called instead of the completion, if the job has waited too long.
    var refusal: @Sendable () -> Void = {}

    /// The rounds of the hash and its padding, which the duration is proportional to.
    var rounds: Int {
        let cost = setting.utf8.dropFirst(4).prefix(2).reduce(0) { $0 * 10 + Int($1) - Int(UInt8(ascii: "0")) }
        let own = setting.utf8.count > 6 && BcryptHash.costs.contains(cost) ? 1 << cost : 0
        return padding.reduce(own) { $0 + 1 << $1 }
    }
    /// Called on the hashing thread, before the hash.
    var onBegin: @Sendable () -> Void = {}
}

/// Computes jobs on the calling thread, several at once if the plan says so. Others can join them after each step.
final class BcryptWorker {
    /// The maximum number of jobs in progress.
    let capacity: Int
    /// The number of jobs in progress.
    var count: Int { running.count }

    private struct Running {
        let job: BcryptJob
        var padding: Range<Int>
        var isPadding = false
        var hash: BcryptHash?
    }

    private let plan: BcryptPlan
    private let onEnd: (BcryptJob) -> Void
    private let library = Bcrypt()
    /// Nil if libcrypt computes all.
    private let group: BcryptGroup?
    private var running: [Int32: Running] = [:]
    private var nextNumber: Int32 = 0

    /// The rounds of one step, which take 0.3 ms: at cost 10, a 256th of a hash.
    private static let roundsPerStep = 4

    /// - Parameter onEnd: Called after the completion of each job.
    init(plan: BcryptPlan, onEnd: @escaping (BcryptJob) -> Void) {
        group = plan.lanes > 0 ? BcryptGroup() : nil
        self.plan = group == nil ? .libcrypt : plan
        self.onEnd = onEnd
        capacity = group == nil ? 1 : min(plan.lanes, BcryptGroup.maximumCount)
    }

    /// Begins jobs, of which the worker has the capacity.
    func begin(_ jobs: [BcryptJob]) {
        for job in jobs { job.onBegin() }
        if let job = jobs.first, jobs.count == 1, running.isEmpty, plan.isAloneWithLibcrypt {
            let hash = library.hash(job.password.reveal(), setting: job.setting)
            for cost in job.padding { _ = library.hash("", setting: Self.setting(cost: cost)) }
            end(job, with: hash)
            return
        }
        for job in jobs {
            start(Running(job: job, padding: job.padding), password: job.password.reveal(), setting: job.setting)
        }
    }

    /// Computes a step of the jobs in progress.
    func advance() {
        guard let group, !running.isEmpty else { return }
        group.advance(rounds: Self.roundsPerStep)
        while let (number, hash) = group.takeComplete() {
            guard var next = running.removeValue(forKey: number) else { continue }
            if !next.isPadding { next.hash = hash }
            next.isPadding = true
            if let cost = next.padding.popFirst() {
                start(next, password: "", setting: Self.setting(cost: cost))
            } else {
                end(next.job, with: next.hash)
            }
        }
    }

    /// Returns a setting for a hash that only takes time.
    static func setting(cost: Int) -> String { "$2b$\(cost < 10 ? "0" : "")\(cost)$CCCCCCCCCCCCCCCCCCCCC." }

    /// Adds a hash to the group; ends its job if it is refused.
    private func start(_ next: Running, password: String, setting: String) {
        nextNumber &+= 1
        if let group, group.start(password, setting: setting, number: nextNumber) {
            running[nextNumber] = next
        } else {
            end(next.job, with: next.hash)
        }
    }

    private func end(_ job: BcryptJob, with hash: BcryptHash?) {
        job.completion(hash)
        onEnd(job)
    }
}
