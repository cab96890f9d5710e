import Foundation
import OstiaryCore
@testable import OstiaryEngine
import OstiaryEngineTestSupport
import OstiaryTesting
import Synchronization

/// Places of the addresses that tests sign in from.
struct ListedLocations: NetworkLocator {
    static let berlin = "203.0.113.1"
    static let newYork = "198.51.100.1"
    static let proxy = "192.0.2.1"

    func location(of address: String) -> NetworkLocation {
        switch address {
        case Self.berlin:
            NetworkLocation(
                country: "DE", systemNumber: 64_500,
                coordinates: Coordinates(latitude: 52.52, longitude: 13.4, radiusKilometers: 20))
        case Self.newYork:
            NetworkLocation(
                country: "US", systemNumber: 64_502,
                coordinates: Coordinates(latitude: 40.71, longitude: -74, radiusKilometers: 50))
        case Self.proxy: NetworkLocation(country: "DE", systemNumber: 64_500, isAnonymizing: true)
        default: NetworkLocation()
        }
    }
}

/// A list of compromised passwords that counts its questions.
final class ListedPasswords: CompromisedPasswords {
    private let asked = Mutex(0)
    private let known: Set<String>

    init(_ known: Set<String>) { self.known = known }

    var questions: Int { asked.withLock { $0 } }

    func contains(_ password: Secret<String>) async -> Bool {
        asked.withLock { $0 += 1 }
        return known.contains(password.reveal())
    }
}

extension World {
    /// A server that knows where its callers are.
    static func risky(
        _ policy: RiskPolicy = RiskPolicy(), compromisedPasswords: (any CompromisedPasswords)? = nil,
        _ change: (inout AppSettings) -> Void = { _ in }
    ) throws -> World {
        try World("clarity", .clarity, compromisedPasswords: compromisedPasswords, networkLocator: ListedLocations()) {
            $0.risk = policy
            $0.limits = .generous
            change(&$0)
        }
    }

    /// The engine for a caller at an address.
    func engine(at address: String) -> AuthEngine {
        engine.serving(Caller(address: address, network: address, userAgent: "Test"))
    }

    /// Registers Ada in Berlin, with a verified address, and signs in there.
    @discardableResult
    func settled() async throws -> SignedIn {
        let home = engine(at: ListedLocations.berlin)
        _ = try await home.perform(
            Register(email: EmailAddress(ada), password: Secret(goodPassword), rememberMe: true))
        let token = try await resetToken()
        _ = try await home.perform(ResetPassword(proof: .token(token), password: Secret(goodPassword)))
        clock.advance(by: .seconds(2 * 86_400))
        return try await signIn(at: ListedLocations.berlin)
    }

    @discardableResult
    func signIn(at address: String, password: String = goodPassword) async throws -> SignedIn {
        try await engine(at: address).perform(
            SignIn(identifier: .email(EmailAddress(ada)), password: Secret(password), rememberMe: true))
    }

    func challenged(at address: String) async throws -> Challenge {
        guard case .challengeRequired(let challenge) = await refusal(of: { try await signIn(at: address) }) else {
            throw NothingCame()
        }
        return challenge
    }

    /// The notices of unusual sign-ins in the queue.
    var signInNotices: [UnusualSignInNotice] {
        notificationSealer.messages.compactMap {
            if case .unusualSignIn(let notice) = $0.notice { notice } else { nil }
        }
    }

    /// The notices that are in the queue now, with the times at which they are sent.
    func queuedNotices(at now: Date) async throws -> [QueuedMessage] {
        let claimed = try await store.claim(at: now, until: now + 1, limit: 1000)
        return claimed.filter { notificationSealer.isSignInNotice($0.id) }
    }

    /// The last event of an action.
    func lastEvent(_ action: String) async throws -> AuditEvent? { try await events().last { $0.action == action } }
}
