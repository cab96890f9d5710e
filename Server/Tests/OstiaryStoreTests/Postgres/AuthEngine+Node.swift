import Crypto
import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryEngineTestSupport
import OstiaryTesting

@testable import OstiaryStore

extension AuthEngine {
    /// Creates the engine of one of several nodes, which share a store and a clock.
    init(node store: any Store, _ clock: TestClock, _ change: (inout AppSettings) -> Void = { _ in }) throws {
        var app = AppSettings(
            name: try AppName("vici"), rules: AppRules(identifier: .email, refresh: RefreshRules()))
        change(&app)
        let keys = KeyRing(master: SymmetricKey(data: Data(repeating: 7, count: 32)))
        self.init(
            app: app,
            ports: Ports(
                store: store, inMemoryRateLimiter: InMemoryRateLimiter(),
                notificationSealer: SilentSealer(system: clock.engineSystem), passwords: UnhashedPasswords(),
                accessTokens: OpaqueAccessTokens(), refreshTokens: OpaqueRefreshTokens(app: app.name, keyRing: keys),
                keys: keys, system: clock.engineSystem, report: { "\($0)" }))
    }
}

extension RateLimits {
    /// Limits that no test reaches.
    static let unreachable: RateLimits = {
        let limit = RateLimit(attempts: 1_000_000, perSeconds: 1)
        let all = Dictionary(uniqueKeysWithValues: AttemptKind.allCases.map { ($0, limit) })
        return RateLimits(perAddress: all, perIdentifier: all)
    }()
}

func refusal(of body: () async throws -> Void) async -> AuthError? {
    do {
        try await body()
        return nil
    } catch {
        return error as? AuthError ?? .rejected(status: 0, message: "\(error)")
    }
}

private struct UnhashedPasswords: PasswordHashing {
    func hash(_ password: Secret<String>) async throws(AuthError) -> String { password.reveal() }
    func check(_ password: Secret<String>, against hash: String?) async throws(AuthError) -> PasswordMatch {
        hash?.utf8.elementsEqual(password.reveal().utf8) == true ? .matches : .differs
    }
    func expect(_ hash: String) {}
    func canImport(_ hash: String) -> Bool { true }
}

/// Access tokens that no test reads.
private struct OpaqueAccessTokens: AccessTokens {
    func issue(_ grant: AccessTokenRequest) async throws -> Secret<String> { Secret(grant.session.text) }
    func read(_ token: Secret<String>, at now: Date) async throws -> AccessTokenClaims? { nil }
}

private struct SilentSealer: NotificationSealer {
    let system: SystemDependencies
    func seal(_ notice: NotificationContent, to recipient: Recipient, app: AppName) async throws -> QueuedMessage {
        QueuedMessage(id: system.uuid(), app: app, createdAt: system.now(), sealed: [])
    }
    func describe(_ message: QueuedMessage) throws -> MessageDescription? { nil }
    func wake() {}
}
