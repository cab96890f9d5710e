import Crypto
import Foundation
import OstiaryCore
import OstiaryEngine
import Synchronization

/// The engine with a store in memory, and a clock that the plays advance.
final class SimulatedServer: Sendable {
    private static let start = Date(timeIntervalSince1970: 1_800_000_000)

    let engine: AuthEngine
    let store: MemoryStore
    let hasher: UncostlyHasher
    let messages: MessageLog
    let randomness: Randomness
    private let clock: SimulatedClock

    init(_ rules: AppRules, seed: UInt64) throws {
        let (clock, randomness) = (SimulatedClock(Self.start), Randomness(seed: seed))
        let system = SystemDependencies(
            now: { clock.now }, randomBytes: { randomness.bytes($0) }, sleep: { _ in })
        let keys = KeyRing(master: SymmetricKey(data: Data(repeating: 7, count: 32)))
        var app = AppSettings(name: try AppName("simulated"), rules: rules)
        // The computations are counted, not computed.
        app.stuffing.bits = 0
        store = MemoryStore(system: system)
        hasher = UncostlyHasher()
        messages = MessageLog(system: system)
        engine = AuthEngine(
            app: app,
            ports: Ports(
                store: store, inMemoryRateLimiter: InMemoryRateLimiter(), notificationSealer: messages,
                passwords: hasher, accessTokens: UnreadAccessTokens(),
                refreshTokens: OpaqueRefreshTokens(app: app.name, keyRing: keys), keys: keys, system: system,
                report: { error in
                    FileHandle.standardError.write(Data("the engine failed: \(error)\n".utf8))
                    exit(1)
                }))
        self.clock = clock
        self.randomness = randomness
    }

    var now: Date { clock.now }

    func advance(by seconds: Double) { clock.advance(by: seconds) }

    /// Creates an account.
    func add(_ person: Person) throws {
        _ = try store.add(
            NewAccount(
                app: engine.app.name, idKind: engine.app.rules.accountIDs, email: person.email,
                phoneNumber: person.phoneNumber, passwordHash: person.password, createdAt: now),
            spending: nil)
    }

    /// Tries a password, as a client that solves the computation it is asked for.
    ///
    /// - Parameter solves: `false` for a client that does not know of computations.
    func signIn(
        _ email: EmailAddress, _ password: String, from network: String, device: Secret<String>? = nil,
        solves: Bool = true
    ) async -> Attempt {
        let call = SignIn(identifier: .email(email), password: Secret(password))
        var caller = Caller(address: network, network: network, deviceToken: device)
        let first = await attempt(call, caller)
        guard solves, case .refused(.proofOfWorkRequired(let work, _)) = first else {
            return Attempt(result: first, isChallenged: first.isChallenge)
        }
        caller.proofOfWork = ProofOfWorkSolution(challenge: work.challenge, counter: 0)
        return Attempt(result: await attempt(call, caller), isChallenged: true)
    }

    private func attempt(_ call: SignIn, _ caller: Caller) async -> Attempt.Result {
        do {
            return .signedIn(try await engine.serving(caller).perform(call))
        } catch {
            return .refused(error)
        }
    }

    /// Requests a device link and opens it, as the owner of an account.
    ///
    /// - Returns: The token that the device presents from now on; `nil` if there was no link.
    func deviceToken(of email: EmailAddress, from network: String) async -> Secret<String>? {
        let engine = engine.serving(Caller(address: network, network: network))
        do {
            _ = try await engine.perform(RequestDeviceLink(identifier: .email(email)))
            guard let token = messages.deviceLink(of: .email(email)) else { return nil }
            return try await engine.perform(RedeemDeviceLink(token: token)).deviceToken
        } catch {
            return nil
        }
    }

    /// Requests a one-time code.
    ///
    /// - Returns: `true` if it was sent.
    func requestCode(_ number: PhoneNumber, from network: String) async -> Bool {
        do {
            _ = try await engine.serving(Caller(address: network, network: network)).perform(
                RequestCode(phoneNumber: number))
            return true
        } catch {
            return false
        }
    }
}

/// A clock that stands still until it is advanced.
private final class SimulatedClock: Sendable {
    private let time: Mutex<Date>

    init(_ start: Date) { time = Mutex(start) }

    var now: Date { time.withLock { $0 } }

    func advance(by seconds: Double) { time.withLock { $0 += seconds } }
}
