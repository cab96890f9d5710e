import Foundation
import OstiaryCore
import OstiaryEngine
@testable import OstiaryStore

/// A point in time in whole milliseconds.
let noon = Date(timeIntervalSince1970: 1_800_000_000)

extension Date {
    func after(_ seconds: Double) -> Date { addingTimeInterval(seconds) }
}

extension AppName {
    static func named(_ text: String = "vici") throws -> AppName { try AppName(text) }
}

extension NewAccount {
    static func local(
        app: String = "vici", email: String? = nil, username: String? = nil, phone: String? = nil,
        ids: AppRules.AccountIDKind = .uuid, id: String? = nil
    ) throws -> NewAccount {
        NewAccount(
            app: try .named(app), idKind: ids, id: try id.map { try AccountID($0) },
            email: try email.map { try EmailAddress($0) }, username: try username.map { try Username($0) },
            phoneNumber: try phone.map { try PhoneNumber($0) }, passwordHash: "$2b$10$hash", createdAt: noon)
    }

    static func social(subject: String, username: String? = nil, email: String? = nil) throws -> NewAccount {
        NewAccount(
            app: try .named(), idKind: .integer, email: try email.map { try EmailAddress($0) },
            username: try username.map { try Username($0) }, provider: "auth0", providerSubject: subject,
            createdAt: noon)
    }
}

extension Store {
    /// Adds an account whose email is `name@example.com`.
    func addAccount(_ name: String = "jo", app: String = "vici") async throws -> Account {
        try await add(.local(app: app, email: "\(name)@example.com"), spending: nil)
    }

    /// Adds a session that expires after one day without use, and after thirty at most.
    @discardableResult
    func addSession(_ id: String, of account: Account, at now: Date = noon, idleSeconds: Int = 86_400) async throws
        -> Session
    {
        let session = Session(
            id: try SessionID(id), app: account.app, accountID: account.id, createdAt: now, idleSeconds: idleSeconds,
            endsAt: now.after(30 * 86_400), device: DeviceInfo(deviceID: "d1", platform: "iOS"), address: "192.0.2.1",
            userAgent: "Example/1")
        guard try await add(session, credentialVersion: account.credentialVersion) else { throw SampleRefused() }
        return session
    }

    /// Stores a message that no rate limit delays, together with its secret.
    func enqueue(_ message: QueuedMessage, keeping secret: PendingSecret? = nil) async throws {
        let bucket = AttemptBucket(key: UUID().uuidString, limit: RateLimit(attempts: 1, perSeconds: 1_000_000))
        guard try await enqueue(message, once: bucket, keeping: secret, at: noon) == nil else { throw SampleRefused() }
    }

    /// Stores a message that one bucket limits.
    ///
    /// - Returns: Nil if it is stored; otherwise the time to wait, in seconds.
    func enqueue(
        _ message: QueuedMessage, once bucket: AttemptBucket, keeping secret: PendingSecret?, at now: Date
    ) async throws -> Int? {
        try await enqueue(message, within: [bucket], keeping: secret, at: now)?.seconds
    }

    /// Forgets the attempts that were counted under these keys.
    func forgive(_ keys: [String]) async throws { try await forgive(CountReversal(forgotten: keys), at: noon) }

    func replace(with token: PendingReset) async throws { try await enqueue(.sample(), keeping: .resetToken(token)) }

    func state(_ id: String, app: String = "vici") async throws -> SessionState? {
        try await session(SessionID(id), in: .named(app))
    }

    func rotate(_ id: String, from generation: Int, at now: Date, forgettingBefore horizon: Date = .distantPast)
        async throws -> Rotation
    {
        try await rotate(
            SessionID(id), in: .named(), from: generation, at: now, address: "192.0.2.2", forgettingBefore: horizon)
    }

    /// Returns when every write requested before is done.
    func settle() async throws {
        try await forgive(["nothing"])
        await (self as? PostgresStore)?.pendingTokenUses.finish()
    }

    /// Returns the first `count` audit events, as soon as they are visible: PostgreSQL waits for every transaction of
    /// the server, including those of other tests.
    func events(_ count: Int) async throws -> [(position: Int, event: AuditEvent)] {
        while true {
            let events = try await events(in: nil, since: nil, after: nil, limit: count)
            if events.count == count { return events }
            await Task.yield()
        }
    }
}

extension QueuedMessage {
    /// Returns a message created that many seconds before ``noon``.
    static func sample(_ id: String = UUID().uuidString, age: Double = 0) throws -> QueuedMessage {
        QueuedMessage(id: id, app: try .named(), createdAt: noon.after(-age), sealed: [1, 2, 3])
    }
}

struct SampleRefused: Error {}

extension PendingCode {
    static func sample(_ id: String, recipient: UInt8 = 1, tries: Int = 5) throws -> PendingCode {
        PendingCode(
            id: id, app: try .named(), recipient: [recipient], codeHash: [7, 8], expiresAt: noon.after(300),
            triesLeft: tries)
    }
}

extension AuthenticationContext {
    static func sample(_ methods: AuthenticationMethod..., at time: Date = noon) -> AuthenticationContext {
        AuthenticationContext(methods.map { Event(method: $0, at: time) })
    }
}

/// Returns the factors of an account.
func enrolled(_ account: Account, _ store: any Store) async throws -> EnrolledFactors {
    try await store.factors(of: account.id, in: account.app)
}

extension FactorEnrolment {
    /// Returns the enrolment of a passkey if there is a credential id, otherwise of a TOTP authenticator.
    static func sample(
        _ id: String, of account: Account, credentialID: [UInt8]? = nil, spending: SingleUseRecordKey? = nil,
        recoveryCodes: [[UInt8]] = [[1], [2], [3]], session: String? = nil,
        authentication: AuthenticationContext = .sample(.password, .totp), notice: QueuedMessage? = nil,
        at now: Date = noon
    ) throws -> FactorEnrolment {
        FactorEnrolment(
            factor: Factor(
                app: account.app, account: account.id, id: try FactorID(id),
                kind: credentialID == nil ? .totp : .passkey, name: "Phone", material: [7, 8],
                credentialID: credentialID, counter: 0, createdAt: now),
            spending: spending, recoveryCodes: recoveryCodes, credentialVersion: account.credentialVersion,
            session: try session.map { try SessionID($0) }, authentication: authentication, notice: notice, at: now)
    }
}

extension PendingReset {
    static func sample(_ hash: UInt8, of account: Account?, recipient: UInt8 = 1) throws -> PendingReset {
        PendingReset(
            hash: [hash], app: try .named(), recipient: [recipient], account: account?.id, expiresAt: noon.after(3600))
    }
}
