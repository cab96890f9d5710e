import Foundation
import OstiaryCore

/// One operation's own part. Everything that operations share is done around it by ``AuthEngine/run(_:)``.
protocol Step: Sendable {
    associatedtype Answer: Sendable
    static var action: OperationKind { get }
    /// What the audit log calls it.
    static var name: String { get }
    /// What attempts are counted against, besides the caller's network.
    var attempts: Attempts { get }
    /// What is written down.
    static var auditing: Auditing { get }
    func perform(in engine: AuthEngine) async throws -> Outcome<Answer>
}

extension Step {
    static var name: String { action.rawValue }
    static var auditing: Auditing { .always }
}

enum Auditing: Hashable, Sendable {
    case always
    /// For what clients do all the time: the session row tells when it happened last.
    case refusals
    /// For reads: nothing happened, and a client with an old token would fill the log.
    case never
}

struct Attempts: Sendable {
    var kind: AttemptKind
    /// Whose account is tried, known or not; nil where the secret presented names no one.
    var identifier: Identifier?
}

/// An answer, and for whom it was.
struct Outcome<Answer: Sendable>: Sendable {
    var answer: Answer
    var account: AccountID?
    var session: SessionID?

    init(_ answer: Answer, account: AccountID? = nil, session: SessionID? = nil) {
        self.answer = answer
        self.account = account
        self.session = session
    }
}

/// A refusal of someone who is known by then, so that the audit log can tell who.
struct Refused: Error {
    var refusal: AuthError
    var account: AccountID?
    var session: SessionID?

    init(_ refusal: AuthError, account: AccountID? = nil, session: SessionID? = nil) {
        self.refusal = refusal
        self.account = account
        self.session = session
    }
}

extension AuthEngine {
    /// Runs an operation: count the attempt, do it, forgive the count on success, write it down.
    ///
    /// The only way to an operation, so that none can forget a step. Second factors will stand between doing and the session
    /// that ``OpeningSession`` opens.
    func run<Asked: Step>(_ step: Asked) async throws(AuthError) -> Asked.Answer {
        let result: Result<Outcome<Asked.Answer>, Refused>
        do {
            try await count(step.attempts)
            let outcome = try await step.perform(in: self)
            try await forgive(step.attempts)
            result = .success(outcome)
        } catch let refused as Refused {
            result = .failure(refused)
        } catch {
            result = .failure(Refused(refusal(for: error)))
        }
        try await audit(result, of: step)
        switch result {
        case .success(let outcome): return outcome.answer
        case .failure(let refused): throw refused.refusal
        }
    }

    /// The one place where an unexpected failure becomes ``AuthError/unavailable(incident:)``, after its cause is reported.
    func refusal(for error: any Error) -> AuthError {
        if let refusal = error as? AuthError { return refusal }
        return .unavailable(incident: ports.report(error))
    }

    private func audit<Asked: Step>(
        _ result: Result<Outcome<Asked.Answer>, Refused>, of step: Asked
    ) async throws(AuthError) {
        guard Asked.auditing != .never else { return }
        var event = AuditEvent(
            at: ports.surroundings.now(), app: app.name, action: Asked.name, outcome: "ok",
            identifier: step.attempts.identifier?.masked, address: caller.address, userAgent: caller.userAgent)
        switch result {
        case .success(let outcome):
            // A sign-out with tokens that are no good did nothing, and anybody can ask for it.
            guard Asked.auditing == .always, Asked.action != .signOut || outcome.account != nil else { return }
            event.account = outcome.account
            event.session = outcome.session
        case .failure(let refused):
            guard !isRepeated(refused, of: step.attempts) else { return }
            event.outcome = refused.refusal.code
            event.account = refused.account
            event.session = refused.session
        }
        do {
            try await ports.audit.append(event)
        } catch {
            // Nobody is told of a success that was not written down; a refusal stays the refusal it is.
            if case .success = result { throw refusal(for: error) }
            _ = ports.report(error)
        }
    }

    /// Whether this network was turned away for the same reason within the last minute, with something that anybody can
    /// make up: a token of no session, or an attempt too many. A flood of those must not fill the log.
    private func isRepeated(_ refused: Refused, of attempts: Attempts) -> Bool {
        switch refused.refusal {
        case .tooManyAttempts, .invalidAccessToken, .refreshTokenInvalid, .refreshTokenRevoked, .refreshTokenExpired,
            .sessionRevoked:
            break
        // A state, a redirect URI and a provider's name are made up just as easily, and a page can do it in any browser.
        default: guard attempts.kind == .browser, refused.account == nil else { return false }
        }
        let what = "audit-\(attempts.kind.rawValue)-\(refused.refusal.code)"
        let who = "\(caller.network ?? "") \(refused.session?.text ?? "")"
        let bucket = AttemptBucket(key: key(.other, what, who), limit: RateLimit(attempts: 1, perSeconds: 60))
        return ports.floods.count([bucket], at: ports.surroundings.now()) != nil
    }

    // MARK: Attempts

    private func count(_ attempts: Attempts) async throws {
        let buckets = buckets(attempts)
        let now = ports.surroundings.now()
        let wait =
            attempts.kind.isDurable
            ? try await ports.attempts.count(buckets, at: now) : ports.floods.count(buckets, at: now)
        if let wait { throw AuthError.tooManyAttempts(retryAfterSeconds: wait) }
    }

    private func buckets(_ attempts: Attempts) -> [AttemptBucket] {
        var buckets: [AttemptBucket] = []
        if let network = caller.network, let limit = app.limits.perAddress[attempts.kind] {
            buckets.append(AttemptBucket(key: key(attempts.kind, "address", network), limit: limit))
        }
        if let identifier = attempts.identifier, let limit = app.limits.perIdentifier[attempts.kind] {
            buckets += identifierBuckets(attempts.kind, identifier, limit)
        }
        return buckets
    }

    /// At sign-in the limit holds for an identifier from one network, and ten times as much from all: a stranger who uses
    /// up an owner's attempts uses up those from the stranger's own network.
    private func identifierBuckets(
        _ kind: AttemptKind, _ identifier: Identifier, _ limit: RateLimit
    ) -> [AttemptBucket] {
        let name = identifier.canonical
        guard kind == .signIn, let network = caller.network else {
            return [AttemptBucket(key: key(kind, "identifier", name), limit: limit)]
        }
        let wide = RateLimit(attempts: limit.attempts * 10, perSeconds: limit.seconds)
        return [
            AttemptBucket(key: key(kind, "identifier-at-\(network)", name), limit: limit),
            AttemptBucket(key: key(kind, "identifier", name), limit: wide),
        ]
    }

    /// Counts one attempt against an account that became known only while doing, for example by its access token.
    func count(_ kind: AttemptKind, against account: Account) async throws {
        try await count(kind, "account", account.id.text)
    }

    /// Counts what only guards against floods against an account or a session, in memory.
    func countFlood(_ kind: AttemptKind, _ whose: String, _ name: String) throws(AuthError) {
        guard let limit = app.limits.perIdentifier[kind] else { return }
        let bucket = AttemptBucket(key: key(kind, whose, name), limit: limit)
        if let wait = ports.floods.count([bucket], at: ports.surroundings.now()) {
            throw .tooManyAttempts(retryAfterSeconds: wait)
        }
    }

    /// Counts a guess that an operation of another kind takes along, so that guessing there has no budget of its own.
    func count(_ kind: AttemptKind, against identifier: Identifier) async throws {
        try await count(kind, "identifier", identifier.canonical)
    }

    /// Counts a step of a sign-in against whoever it is for, where that shows only while doing. The caller's network was
    /// counted before.
    func countSignIn(as identifier: Identifier) async throws {
        guard let limit = app.limits.perIdentifier[.signIn] else { return }
        let buckets = identifierBuckets(.signIn, identifier, limit)
        if let wait = try await ports.attempts.count(buckets, at: ports.surroundings.now()) {
            throw AuthError.tooManyAttempts(retryAfterSeconds: wait)
        }
    }

    private func count(_ kind: AttemptKind, _ whose: String, _ name: String) async throws {
        guard let limit = app.limits.perIdentifier[kind] else { return }
        let bucket = AttemptBucket(key: key(kind, whose, name), limit: limit)
        if let wait = try await ports.attempts.count([bucket], at: ports.surroundings.now()) {
            throw AuthError.tooManyAttempts(retryAfterSeconds: wait)
        }
    }

    /// Success shows that the tries before it were the owner's. The network's count stays: a thief has an account too.
    func forgive(_ attempts: Attempts) async throws {
        guard attempts.kind == .signIn, let identifier = attempts.identifier else { return }
        let buckets = identifierBuckets(attempts.kind, identifier, RateLimit(attempts: 1, perSeconds: 1))
        try await ports.attempts.forgive(buckets.map(\.key))
    }

    /// Sends a message if `bucket` allows it, and keeps the secret that it brings.
    ///
    /// - Returns: Nil if it goes out; else how long to wait, in seconds.
    func send(
        _ notice: Notice, to recipient: Recipient, once bucket: AttemptBucket, keeping secret: PendingSecret? = nil
    ) async throws -> Int? {
        let message = try await ports.courier.seal(notice, to: recipient, app: app.name)
        let wait = try await ports.outbox.enqueue(message, once: bucket, keeping: secret, at: ports.surroundings.now())
        if wait == nil { ports.courier.wake() }
        return wait
    }

    /// For what goes to one recipient at most once in so many seconds.
    func cooldown(_ name: String, _ recipient: String, seconds: Int) -> AttemptBucket {
        AttemptBucket(
            key: key(.other, "cooldown-\(name)", recipient), limit: RateLimit(attempts: 1, perSeconds: seconds))
    }

    private func key(_ kind: AttemptKind, _ whose: String, _ name: String) -> String {
        // Kinds counted in memory need no disguise: nothing of them is stored.
        guard kind.isDurable || whose.hasPrefix("cooldown") else {
            return "\(app.name)/\(kind.rawValue)/\(whose)/\(name)"
        }
        let digest = ports.keys.digest([kind.rawValue, whose, name], for: .attempts, app: app.name)
        return Data(digest.prefix(18)).base64EncodedString()
    }
}

extension Identifier {
    /// For the audit log.
    var masked: String {
        switch self {
        case .email(let email): email.masked
        case .phoneNumber(let number): number.masked
        case .username(let username): username.masked
        }
    }
}
