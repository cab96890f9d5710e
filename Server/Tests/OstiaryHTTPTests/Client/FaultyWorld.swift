import Foundation
import OstiaryClient
import OstiaryContracts
import OstiaryCore
import OstiaryServerTestSupport
import OstiaryTesting
import Testing

/// The real server on a socket, a fault-injecting proxy in front of it, and apps on devices that connect through the
/// proxy.
struct FaultyWorld: Sendable {
    let world: World
    let proxy: FaultProxy
    let contract: Contract
    /// The devices' log output, at the most verbose level.
    let log: CapturedLines
    /// The devices' clock; the server has its own.
    let clock: TestClock

    static func run<Result>(
        _ contract: Contract, _ body: (FaultyWorld) async throws -> Result
    ) async throws -> Result {
        let world = try await World([contract])
        return try await LiveServer.run(world) { server in
            try await FaultProxy.run(inFrontOf: server.origin) { proxy in
                let log = CapturedLines()
                let result = try await body(
                    FaultyWorld(
                        world: world, proxy: proxy, contract: contract, log: log,
                        clock: TestClock(skippingSleeps: .seconds(10))))
                log.expectNone(of: proxy.secrets)
                return result
            }
        }
    }

    /// Advances the time of server and devices.
    func pass(_ duration: Duration) {
        clock.advance(by: duration)
        world.clock.advance(by: .seconds(duration.components.seconds))
    }

    /// Advances the time of the server alone: its tokens expire, and no device is notified.
    func passOnServer(_ duration: Duration) { world.clock.advance(by: .seconds(duration.components.seconds)) }

    /// Creates an app on a device. Two with one store represent two processes, or two runs.
    func device(
        _ store: any SessionStore = MemorySessionStore(), adjust: (inout ClientOptions) -> Void = { _ in }
    ) throws -> AuthClient {
        var options = ClientOptions(
            store: store, transport: .custom(PatientTransport()), system: clock.system,
            deadline: .seconds(240), verifiesAtStart: false)
        options.requests.deadline = .seconds(240)
        options.requests.limit = nil
        options.log = ClientLog(from: .trace) { log.add("\($0.level) \($0.category) \($0.text)") }
        adjust(&options)
        let url = try #require(URL(string: "\(proxy.origin)/\(contract.name)"))
        return try AuthClient(contract: contract, baseURL: url, options: options)
    }

    // MARK: People

    static let password = "correct horse 7 battery"

    /// Registers an account, which signs in on the device.
    func register(_ name: String = "jo", on device: AuthClient) async throws {
        switch contract.rules.identifier {
        case .phoneNumber:
            let code = try await device.requestCode(for: Self.phone(name))
            _ = try await device.register(
                code: code, digits: world.notificationSealer.code().reveal(), password: Self.password)
        case .username: _ = try await device.register(username: name, email: Self.email(name), password: Self.password)
        case .email, .subject: _ = try await device.register(email: Self.email(name), password: Self.password)
        }
        log.dump(device)
    }

    func signIn(_ name: String = "jo", on device: AuthClient) async throws {
        switch contract.rules.identifier {
        case .phoneNumber: _ = try await device.signIn(phoneNumber: Self.phone(name), password: Self.password)
        case .username: _ = try await device.signIn(username: name, password: Self.password)
        case .email, .subject: _ = try await device.signIn(email: Self.email(name), password: Self.password)
        }
        log.dump(device)
    }

    static func email(_ name: String) -> String { "\(name)@example.com" }

    /// Returns a phone number that is unique to a name.
    static func phone(_ name: String) -> String {
        let digits = name.utf8.reduce(UInt64(5)) { ($0 &* 31 &+ UInt64($1)) % 10_000_000 }
        return "+1555" + String(String(digits + 10_000_000).suffix(7))
    }

    // MARK: Requests

    struct Me: Decodable, Sendable {
        let email: String?
        let phone_number: String?
    }

    /// Sends one of the app's own requests, which requires a token that the server accepts.
    func ask(_ device: AuthClient) async throws -> Me { try await device.get("\(contract.prefix)/me") }

    /// Returns `true` if a device's session is the person's.
    func isSignedIn(_ name: String = "jo", on device: AuthClient) async throws -> Bool {
        let me = try await ask(device)
        return me.email == Self.email(name) || me.phone_number == Self.phone(name)
    }

    /// Sends many requests concurrently.
    ///
    /// - Returns: The number of successful requests.
    func ask(_ device: AuthClient, times count: Int) async -> Int {
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<count { group.addTask { (try? await self.ask(device)) != nil } }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
    }
}
