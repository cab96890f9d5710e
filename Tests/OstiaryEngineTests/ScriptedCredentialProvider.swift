import Foundation
import OstiaryCore
import OstiaryEngine
import Synchronization

/// A scripted external credential provider. The state that it issues for a session is single-use: a renewal replaces
/// it.
final class ScriptedCredentialProvider: ExternalCredentialProvider {
    struct Away: Error {}

    private struct State {
        var passwords: [String: String] = [:]
        var steps: [CredentialProviderStep] = []
        var failure: (any Error)?
        var email: String?
        var live: Set<[UInt8]> = []
        var given = 0
        var signIns: [String] = []
        var answers: [[String: Secret<String>]] = []
        var renewals: [[UInt8]] = []
        var interruption: (@Sendable () async throws -> Void)?
    }

    let kind = "cognito"
    let migratesPasswords: Bool
    private let state = Mutex(State())
    /// The sessions whose end was notified.
    let ended: AsyncStream<[UInt8]>
    private let ending: AsyncStream<[UInt8]>.Continuation

    init(migratesPasswords: Bool = false) {
        self.migratesPasswords = migratesPasswords
        (ended, ending) = AsyncStream.makeStream()
    }

    /// The identifiers of the sign-ins, in order.
    var signIns: [String] { state.withLock { $0.signIns } }
    var answers: [[String: Secret<String>]] { state.withLock { $0.answers } }
    /// The session states presented for renewal, in order.
    var renewals: [[UInt8]] { state.withLock { $0.renewals } }
    /// The session states that can be renewed now.
    var live: Set<[UInt8]> { state.withLock { $0.live } }

    func set(_ password: String, for person: String = ada) { state.withLock { $0.passwords[person] = password } }
    /// Requires these steps, one after the other, before a sign-in succeeds.
    func ask(for steps: CredentialProviderStep...) { state.withLock { $0.steps = steps } }
    /// Makes every call fail with the error; nil ends it.
    func fail(_ error: (any Error)?) { state.withLock { $0.failure = error } }
    /// Returns the address as the email of every person from now on, regardless of their identifier.
    func say(email: String) { state.withLock { $0.email = email } }
    /// Invalidates every session state, so no signed-in person can continue.
    func forgetEverybody() { state.withLock { $0.live = [] } }
    /// Runs `interruption` during the next renewal, before its outcome is decided.
    func whileRenewing(_ interruption: @escaping @Sendable () async throws -> Void) {
        state.withLock { $0.interruption = interruption }
    }

    func signIn(_ identifier: String, password: Secret<String>) async throws -> CredentialProviderAnswer {
        try state.withLock { state in
            state.signIns.append(identifier)
            if let failure = state.failure { throw failure }
            guard state.passwords[identifier] == password.reveal() else { throw CredentialProviderRefusal.refused }
            if let step = state.steps.first { return .step(step) }
            return .accepted(Self.person(identifier, state.email), session: Self.give(&state))
        }
    }

    func answer(_ step: CredentialProviderStep, _ answers: [String: Secret<String>]) async throws
        -> CredentialProviderAnswer
    {
        try state.withLock { state in
            state.answers.append(answers)
            if let failure = state.failure { throw failure }
            guard let index = state.steps.firstIndex(of: step),
                let answer = answers["NEW_PASSWORD"] ?? answers["SOFTWARE_TOKEN_MFA_CODE"],
                answer.reveal() != "wrong"
            else { throw CredentialProviderRefusal.refused }
            if answer.reveal() == "weak" { throw CredentialProviderRefusal.passwordUnacceptable }
            if index + 1 < state.steps.count { return .step(state.steps[index + 1]) }
            return .accepted(Self.person(step.username, state.email), session: Self.give(&state))
        }
    }

    func renew(_ session: [UInt8]) async throws -> [UInt8] {
        let interruption = state.withLock { state in
            state.renewals.append(session)
            defer { state.interruption = nil }
            return state.interruption
        }
        try await interruption?()
        return try state.withLock { state in
            if let failure = state.failure { throw failure }
            guard state.live.remove(session) != nil else { throw CredentialProviderRefusal.refused }
            return Self.give(&state)
        }
    }

    func end(_ session: [UInt8]) async { ending.yield(session) }

    private static func give(_ state: inout State) -> [UInt8] {
        state.given += 1
        let session = Array("theirs-\(state.given)".utf8)
        state.live.insert(session)
        return session
    }

    private static func person(_ name: String, _ email: String?) -> ProviderIdentity {
        ProviderIdentity(
            issuer: "https://cognito.example.com/pool", subject: "sub of \(name)",
            email: try? EmailAddress(email ?? name), isEmailVerified: true)
    }
}

extension World {
    /// Creates a clarity whose passwords the credential provider verifies; Ada has one there.
    static func delegating(
        to credentialProvider: ScriptedCredentialProvider, sharing other: World? = nil, seed: UInt64 = 1,
        _ change: (inout AppSettings) -> Void = { _ in }
    ) throws -> World {
        credentialProvider.set(goodPassword)
        return try World(
            "clarity", .clarity, seed: seed, sharing: other,
            identities: IdentitySources(credentialProvider: credentialProvider),
            change)
    }
}
