import Foundation
import OstiaryCore
import OstiaryEngine
import Synchronization

/// Somebody else who checks passwords. What it gives for a session works once: renewing replaces it.
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
    /// The sessions it was told the end of.
    let ended: AsyncStream<[UInt8]>
    private let ending: AsyncStream<[UInt8]>.Continuation

    init(migratesPasswords: Bool = false) {
        self.migratesPasswords = migratesPasswords
        (ended, ending) = AsyncStream.makeStream()
    }

    /// Whom it was asked for, in order.
    var signIns: [String] { state.withLock { $0.signIns } }
    var answers: [[String: Secret<String>]] { state.withLock { $0.answers } }
    /// What it was asked to renew, in order.
    var renewals: [[UInt8]] { state.withLock { $0.renewals } }
    /// What renews something now.
    var live: Set<[UInt8]> { state.withLock { $0.live } }

    func set(_ password: String, for person: String = ada) { state.withLock { $0.passwords[person] = password } }
    /// Asks for something else first, one after the other, from now on.
    func ask(for steps: CredentialProviderStep...) { state.withLock { $0.steps = steps } }
    /// Lets everything fail from now on; nil ends it.
    func fail(_ error: (any Error)?) { state.withLock { $0.failure = error } }
    /// Says that everybody has that address from now on, whatever they sign in with.
    func say(email: String) { state.withLock { $0.email = email } }
    /// Lets nobody go on who is signed in.
    func forgetEverybody() { state.withLock { $0.live = [] } }
    /// What happens during the next renewal, before it is decided.
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
    /// A clarity whose passwords somebody else checks; Ada has one there.
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
