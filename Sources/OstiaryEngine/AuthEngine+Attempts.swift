import Foundation
import OstiaryCore

/// An attempt that was counted and has not succeeded yet.
struct CountedAttempt: Sendable {
    /// The bucket of the caller's network.
    var address: AttemptBucket?
    /// Every bucket it was counted against.
    var buckets: [AttemptBucket] = []
    /// What a success takes back.
    var forgiveness = Forgiveness()
}

extension AuthEngine {
    /// Counts an attempt, in one commit, before anything is looked at.
    ///
    /// - Throws: ``AuthError/tooManyAttempts(retryAfterSeconds:)``.
    func count(_ attempts: Attempts) async throws -> CountedAttempt {
        let address = addressBucket(attempts.kind)
        if attempts.kind == .signIn, let identifier = attempts.identifier {
            return try await countGuess(at: guessSubject(of: identifier), alsoAgainst: address)
        }
        var buckets = [address].compactMap(\.self)
        // Guesses at codes are counted where it shows which code they are at.
        if attempts.kind != .codeCheck, let identifier = attempts.identifier {
            buckets += identifierBuckets(attempts.kind, identifier.canonical)
        }
        if attempts.kind.isDurable {
            try await count(buckets)
        } else if let wait = ports.floods.count(buckets, at: ports.surroundings.now()) {
            throw AuthError.tooManyAttempts(retryAfterSeconds: wait)
        }
        var counted = CountedAttempt(address: address, buckets: buckets)
        // Only failures use up a network's sign-ins and code checks: many people share one. Every other kind costs
        // something when it succeeds too.
        if let address, attempts.kind.isGuess { counted.forgiveness.refunded = [address] }
        return counted
    }

    /// Takes back what an attempt counted that failed without being judged wrong.
    func refund(_ counted: CountedAttempt, after error: any Error) async {
        // Any other error becomes this one: see ``refusal(for:)``.
        let refusal = error as? AuthError ?? (error as? Refused)?.refusal ?? .unavailable(incident: "")
        await refund(counted, refusedWith: refusal)
    }

    /// Takes back what an attempt counted that was refused without being judged wrong.
    func refund(_ counted: CountedAttempt, refusedWith refusal: AuthError) async {
        let buckets: [AttemptBucket]
        switch refusal {
        // Nothing was judged: the server or the upstream provider was too busy or away.
        case .busy, .unavailable: buckets = counted.buckets
        // The password was right. What it counted against the account stays until the next step is answered, so that a
        // known password buys no guesses at the second factor.
        case .challengeRequired: buckets = [counted.address].compactMap(\.self)
        default: return
        }
        // A store that fails here has failed before, and that was reported; the count then stays.
        try? await forgive(Forgiveness(refunded: buckets))
    }

    /// Counts against buckets of the store.
    func count(_ buckets: [AttemptBucket]) async throws {
        guard !buckets.isEmpty else { return }
        if let wait = try await ports.store.count(buckets, at: ports.surroundings.now()) {
            throw AuthError.tooManyAttempts(retryAfterSeconds: wait)
        }
    }

    func forgive(_ forgiveness: Forgiveness) async throws {
        guard !forgiveness.isEmpty else { return }
        try await ports.store.forgive(forgiveness, at: ports.surroundings.now())
    }

    func addressBucket(_ kind: AttemptKind) -> AttemptBucket? {
        guard let network = caller.network, let limit = app.limits.perAddress[kind] else { return nil }
        return AttemptBucket(key: key(kind, "address", network), limit: limit)
    }

    /// The limit holds for an identifier from one network, and ten times as much from all: a caller who uses up an
    /// owner's attempts uses up those from one network.
    func identifierBuckets(_ kind: AttemptKind, _ name: String, as whose: String = "identifier") -> [AttemptBucket] {
        guard let limit = app.limits.perIdentifier[kind] else { return [] }
        guard kind.isDurable, let network = caller.network else {
            return [AttemptBucket(key: key(kind, whose, name), limit: limit)]
        }
        let wide = RateLimit(attempts: limit.attempts * 10, perSeconds: limit.seconds)
        return [
            AttemptBucket(key: key(kind, "\(whose)-at-\(network)", name), limit: limit),
            AttemptBucket(key: key(kind, whose, name), limit: wide),
        ]
    }

    /// Counts what only guards against floods against an account or a session, in memory.
    func countFlood(_ kind: AttemptKind, _ whose: String, _ name: String) throws(AuthError) {
        guard let limit = app.limits.perIdentifier[kind] else { return }
        let bucket = AttemptBucket(key: key(kind, whose, name), limit: limit)
        if let wait = ports.floods.count([bucket], at: ports.surroundings.now()) {
            throw .tooManyAttempts(retryAfterSeconds: wait)
        }
    }

    /// Allows one message to a recipient in so many seconds; nil for a cooldown of none.
    func cooldown(_ name: String, _ recipient: String, seconds: Int) -> AttemptBucket? {
        guard seconds > 0 else { return nil }
        return AttemptBucket(
            key: key(.other, "cooldown-\(name)", recipient), limit: RateLimit(attempts: 1, perSeconds: seconds))
    }

    func key(_ kind: AttemptKind, _ whose: String, _ name: String) -> String {
        // Kinds counted in memory need no disguise: nothing of them is stored.
        guard kind.isDurable || whose.hasPrefix("cooldown") else {
            return "\(app.name)/\(kind.rawValue)/\(whose)/\(name)"
        }
        return storedKey([kind.rawValue, whose, name], app: app.name)
    }

    /// The key of a bucket that all apps of the server share.
    func sharedKey(_ whose: String, _ name: String) -> String { storedKey(["shared", whose, name], app: nil) }

    private func storedKey(_ parts: [String], app: AppName?) -> String {
        Data(ports.keys.digest(parts, for: .attempts, app: app).prefix(18)).base64EncodedString()
    }
}
