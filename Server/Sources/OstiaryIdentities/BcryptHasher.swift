package import OstiaryCore
package import OstiaryEngine
import Synchronization

/// Hashes an app's passwords with bcrypt, as `$2b$`.
///
/// Every check takes the same time: that of one hash at the app's cost, or at the highest cost of a stored hash. A
/// stored hash that is damaged, or whose cost would take seconds, is a mismatch.
package struct BcryptHasher: PasswordHashing {
    /// The costs that an app can configure.
    package static let costs = 10...16
    /// The cost up to which hashes can be imported whatever the app's cost is: four times the time of the default. Beyond, the
    /// operator decides, because an import raises the time of every sign-in.
    static let importableCost = 12

    private let pool: BcryptPool
    private let cost: Int
    private let randomBytes: @Sendable (Int) -> [UInt8]
    private let onDamagedHash: @Sendable () -> Void
    /// The cost of every check: the configured cost, or the highest cost of a stored hash.
    let commonCost: CommonCost

    /// - Parameters:
    ///   - cost: The base-2 logarithm of the number of rounds, one of ``costs``.
    ///   - onDamagedHash: Called for every stored hash that cannot be checked, which the operator should look into.
    /// - Throws: ``BcryptCostOutOfRange`` for a cost outside of ``costs``.
    package init(
        pool: BcryptPool, cost: Int, randomBytes: @escaping @Sendable (Int) -> [UInt8],
        onDamagedHash: @escaping @Sendable () -> Void = {}
    ) throws(BcryptCostOutOfRange) {
        guard Self.costs.contains(cost) else { throw BcryptCostOutOfRange() }
        self.pool = pool
        self.cost = cost
        self.randomBytes = randomBytes
        self.onDamagedHash = onDamagedHash
        commonCost = CommonCost(cost)
    }

    package func expect(_ hash: String) {
        guard let stored = BcryptHash(hash) else { return }
        commonCost.raise(to: stored.cost)
    }

    package func canImport(_ hash: String) -> Bool {
        guard let hash = BcryptHash(hash) else { return false }
        return hash.cost <= max(cost, Self.importableCost)
    }

    /// - Throws: ``AuthError/invalid(_:_:)`` immediately for a password with a NUL or of more than 72 bytes;
    ///   ``AuthError/busy(retryAfterSeconds:)`` if it would wait too long, or did; ``AuthError/unavailable(incident:)`` if libcrypt
    ///   refuses.
    package func hash(_ password: Secret<String>) async throws(AuthError) -> String {
        if let problem = problem(with: password) { throw .invalid(.password, problem) }
        guard let setting = Bcrypt.setting(cost: cost, salt: randomBytes(16)),
            let hash = try await compute(password, setting: setting)
        else {
            // The pool has tested libcrypt, so this is not a refusal that a caller could do something about.
            throw .unavailable(incident: "bcrypt")
        }
        return hash.text
    }

    package func check(_ password: Secret<String>, against hash: String?) async throws(AuthError) -> PasswordMatch {
        let stored = hash.flatMap(BcryptHash.init)
        if hash != nil, stored == nil { onDamagedHash() }
        let spent = commonCost.value
        // A password that cannot have been stored, or has no hash to be compared with, takes as long as all others.
        guard let stored, problem(with: password) == nil else {
            _ = try await compute(Secret(""), setting: BcryptWorker.setting(cost: spent))
            return .differs
        }
        let computed = try await compute(
            password, setting: stored.text, padding: Self.padding(from: stored.cost, to: spent))
        guard let computed, computed.equals(stored) else { return .differs }
        return stored.cost < cost ? .matchesOutdatedHash : .matches
    }

    /// Returns the costs of the padding of a cheaper hash: 2^c for the hash itself and 2^c + 2^(c+1) + … + 2^(C−1) more
    /// make 2^C.
    static func padding(from cost: Int, to spent: Int) -> Range<Int> { cost..<max(cost, spent) }

    private func problem(with password: Secret<String>) -> FieldProblem? {
        let bytes = password.reveal().utf8
        if bytes.count > BcryptHash.maximumPasswordBytes {
            return .tooLong(maximum: BcryptHash.maximumPasswordBytes)
        }
        return bytes.contains(0) ? .malformed : nil
    }

    /// Computes a hash on the pool; nil if the setting is refused. The hash of a cancelled caller is computed to its end.
    private func compute(
        _ password: Secret<String>, setting: String, padding: Range<Int> = 0..<0
    ) async throws(AuthError) -> BcryptHash? {
        let start = ContinuousClock.now
        let begun = BeginningOfHash()
        let outcome: BcryptHash?? = await RequestTrace.span("hash password") {
            await withCheckedContinuation { continuation in
                let job = BcryptJob(
                    password: password, setting: setting, padding: padding,
                    completion: { continuation.resume(returning: .some($0)) },
                    refusal: { continuation.resume(returning: nil) }, onBegin: { begun.note() })
                if !pool.add(job) { continuation.resume(returning: nil) }
            }
        }
        guard let outcome else { throw .busy(retryAfterSeconds: 1) }
        let duration = start.duration(to: .now)
        pool.durations.add(duration)
        if let trace = RequestTrace.current {
            let waited = begun.time.map { start.duration(to: $0) } ?? .zero
            trace.add(waited, to: .queue)
            trace.add(duration - waited, to: .hashing)
        }
        return outcome
    }
}

/// The time at which a thread begins a hash.
private final class BeginningOfHash: Sendable {
    private let noted = Mutex<ContinuousClock.Instant?>(nil)

    var time: ContinuousClock.Instant? { noted.withLock { $0 } }

    func note() { noted.withLock { $0 = .now } }
}

/// The cost is not one of ``BcryptHasher/costs``.
package struct BcryptCostOutOfRange: Error, CustomStringConvertible {
    package var description: String {
        "the bcrypt cost must be \(BcryptHasher.costs.lowerBound) to \(BcryptHasher.costs.upperBound)"
    }
}

/// A cost that never decreases.
final class CommonCost: Sendable {
    private let cost: Atomic<Int>

    init(_ cost: Int) { self.cost = Atomic(cost) }

    var value: Int { cost.load(ordering: .relaxed) }

    func raise(to other: Int) { cost.max(other, ordering: .relaxed) }
}
