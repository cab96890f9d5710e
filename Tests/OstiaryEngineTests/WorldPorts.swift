import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryTesting
import Synchronization

/// Delays that take no time and run an interruption.
final class Naps: Sendable {
    private struct State {
        var taken: [Duration] = []
        var meanwhile: (@Sendable (Int) async throws -> Void)?
    }

    private let state = Mutex(State())

    /// The requested delays, in order.
    var taken: [Duration] { state.withLock { $0.taken } }
    /// Runs `meanwhile` during every delay; delays are numbered from one.
    func during(_ meanwhile: @escaping @Sendable (Int) async throws -> Void) {
        state.withLock { $0.meanwhile = meanwhile }
    }

    func take(_ duration: Duration) async throws {
        let (number, meanwhile) = state.withLock { state in
            state.taken.append(duration)
            return (state.taken.count, state.meanwhile)
        }
        try await meanwhile?(number)
    }
}

/// A source of random bytes that are the same for the same seed.
final class SeededRandomness: Sendable {
    private let generator: Mutex<SeededRandom>

    init(seed: UInt64) { generator = Mutex(SeededRandom(seed: seed)) }

    func bytes(_ count: Int) -> [UInt8] {
        generator.withLock { generator in (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next()) } }
    }
}

/// A notification sealer that knows the content of the messages in the store.
final class CollectingNotificationSealer: NotificationSealer {
    struct Message: Hashable, Sendable {
        var notice: NotificationContent
        var recipient: Recipient
    }

    private let store: WatchedStore
    private let system: SystemDependencies
    private let sealed = Mutex<[String: Message]>([:])
    private let state = Mutex((isFull: false, queuedWhenWoken: [Int]()))

    init(store: WatchedStore, system: SystemDependencies) {
        self.store = store
        self.system = system
    }

    /// The queued messages, in order, including those that the worker would discard.
    var messages: [Message] { sealed.withLock { sealed in store.queued.compactMap { sealed[$0] } } }

    /// The number of queued messages at each call of ``wake()``.
    var queuedWhenWoken: [Int] { state.withLock { $0.queuedWhenWoken } }

    /// Returns `true` if the message of an id is the notice of an unusual sign-in.
    func isSignInNotice(_ id: String) -> Bool {
        if case .unusualSignIn = sealed.withLock({ $0[id]?.notice }) { true } else { false }
    }

    /// Sets whether every message is refused, as by a full outbox.
    func setFull(_ isFull: Bool) { state.withLock { $0.isFull = isFull } }

    func seal(_ notice: NotificationContent, to recipient: Recipient, app: AppName) async throws -> QueuedMessage {
        if state.withLock({ $0.isFull }) { throw AuthError.busy(retryAfterSeconds: 30) }
        let message = QueuedMessage(id: UUID().uuidString, app: app, createdAt: system.now(), sealed: [])
        sealed.withLock { $0[message.id] = Message(notice: notice, recipient: recipient) }
        return message
    }

    func describe(_ message: QueuedMessage) throws -> MessageDescription? {
        sealed.withLock { $0[message.id] }.flatMap { message in
            guard message.notice != .nothing else { return nil }
            return MessageDescription(
                channel: .email, kind: "sample", recipient: message.recipient.masked, recipientHash: [])
        }
    }

    func wake() {
        let queued = store.queued.count
        state.withLock { $0.queuedWhenWoken.append(queued) }
    }
}

/// A password hasher that computes no hash and counts the hashes it would compute.
final class CountingHasher: PasswordHashing {
    private struct State {
        var hashes = 0
        var checks = 0
        var interruption: (@Sendable () async throws -> Void)?
    }

    private let state = Mutex(State())

    var hashes: Int { state.withLock { $0.hashes } }
    var checks: Int { state.withLock { $0.checks } }

    /// Runs `interruption` while the next password is hashed or checked.
    func whileHashing(_ interruption: @escaping @Sendable () async throws -> Void) {
        state.withLock { $0.interruption = interruption }
    }

    func hash(_ password: Secret<String>) async throws(AuthError) -> String {
        state.withLock { $0.hashes += 1 }
        try await interrupt()
        return "current:\(password.reveal())"
    }

    func check(_ password: Secret<String>, against hash: String?) async throws(AuthError) -> PasswordMatch {
        state.withLock { $0.checks += 1 }
        try await interrupt()
        let text = password.reveal()
        guard text.utf8.count <= 72, !text.utf8.contains(0) else { return .differs }
        // Compares bytes, because strings are equal regardless of their normalisation.
        let stored = hash.map { Array($0.utf8) }
        if stored == Array("current:\(text)".utf8) { return .matches }
        return stored == Array("outdated:\(text)".utf8) ? .matchesOutdatedHash : .differs
    }

    func expect(_ hash: String) {}
    func canImport(_ hash: String) -> Bool { hash.hasPrefix("current:") || hash.hasPrefix("outdated:") }

    private func interrupt() async throws(AuthError) {
        let interruption = state.withLock { state in
            defer { state.interruption = nil }
            return state.interruption
        }
        do {
            try await interruption?()
        } catch {
            throw error as? AuthError ?? .rejected(status: 0, message: "the interruption failed: \(error)")
        }
    }
}

/// Access tokens that are indices of a list of requests.
final class ListedAccessTokens: AccessTokens {
    private let grants = Mutex<[AccessTokenRequest]>([])

    func issue(_ grant: AccessTokenRequest) async throws -> Secret<String> {
        grants.withLock { grants in
            grants.append(grant)
            return Secret("access-\(grants.count - 1)")
        }
    }

    func read(_ token: Secret<String>, at now: Date) async throws -> AccessTokenClaims? {
        tokenClaims(token).flatMap { now < $0.expiresAt ? $0 : nil }
    }

    func tokenClaims(_ token: Secret<String>) -> AccessTokenClaims? {
        grant(token).map {
            AccessTokenClaims(
                subject: $0.subject, session: $0.session, generation: $0.generation, expiresAt: $0.expiresAt,
                boundKey: $0.boundKey)
        }
    }

    func grant(_ token: Secret<String>) -> AccessTokenRequest? {
        guard let number = Int(token.reveal().dropFirst("access-".count)) else { return nil }
        return grants.withLock { $0.indices.contains(number) ? $0[number] : nil }
    }
}

/// Refresh tokens that contain every claim in plain text, so that any difference in the claims is one in the token.
struct PlainRefreshTokens: RefreshTokens {
    func write(_ tokenClaims: RefreshTokenClaims) -> Secret<String> {
        let times = [tokenClaims.issuedAt, tokenClaims.expiresAt].map { "\($0.timeIntervalSince1970)" }
        let parts =
            ["refresh", tokenClaims.session.text, "\(tokenClaims.generation)", tokenClaims.account.text] + times
            + [tokenClaims.boundKey].compactMap(\.self)
        return Secret(parts.joined(separator: "/"))
    }

    func read(_ token: Secret<String>) -> RefreshTokenContent? {
        let parts = token.reveal().split(separator: "/")
        guard (6...7).contains(parts.count), parts[0] == "refresh", let session = try? SessionID(String(parts[1])),
            let generation = Int(parts[2])
        else { return nil }
        return RefreshTokenContent(
            session: session, generation: generation, boundKey: parts.count == 7 ? String(parts[6]) : nil)
    }
}

/// A log that keeps each reported error under the number of its incident.
final class FailureLog: Sendable {
    private let errors = Mutex<[any Error]>([])

    var reported: [any Error] { errors.withLock { $0 } }

    func add(_ error: any Error) -> String {
        errors.withLock { errors in
            errors.append(error)
            return "incident-\(errors.count)"
        }
    }
}
