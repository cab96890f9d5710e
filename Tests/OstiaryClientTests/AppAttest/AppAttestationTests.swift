import Foundation
import OstiaryClient
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Synchronization
import Testing

/// The client of an app with App Attest.
@Suite(.timeLimit(.minutes(5))) struct AppAttestationTests {
    private static let email = "jo@example.com"
    private static let password = "a passphrase of mine"

    private let clock = TestClock(skippingSleeps: .seconds(10))
    private let device: SoftwareAppAttestService
    private let store = TestStore()

    init() {
        let clock = clock
        device = SoftwareAppAttestService(now: { clock.now })
    }

    private func server(_ contract: Contract = .vici, _ verification: TestAppAttest? = nil) throws -> TestServer {
        var rules = TestServerRules()
        rules.appAttest = verification ?? .required(device)
        return try TestServer(contract, rules: rules, clock: clock)
    }

    private func client(of server: TestServer, over network: (any Transport)? = nil) throws -> AuthClient {
        try server.client(store: store, over: network) { [device] in $0.appAttest = device }
    }

    @Test(arguments: [Contract.vici, .clarity])
    func `an app attests a key once, and signs its requests with it`(contract: Contract) async throws {
        let server = try server(contract)
        let network = ScriptedTransport(server)
        let client = try client(of: server, over: network)
        try await client.register(email: Self.email, password: Self.password)
        try await client.signOut()
        try await client.signIn(email: Self.email, password: Self.password)
        clock.advance(by: .seconds(contract.rules.accessTokenSeconds + 60))
        _ = try await client.accessToken()
        #expect(server.count(of: .refresh) == 1)
        #expect(device.attestationCount == 1)
        #expect(server.count(of: .attestKey) == 1)
        let signed = network.calls.filter { $0.request.headers[AppAssertionHeader.name] != nil }
        #expect(signed.count == 3)
    }

    @Test func `the key is kept with the sessions, through a sign-out`() async throws {
        let server = try server()
        try await client(of: server).register(email: Self.email, password: Self.password)
        let next = try client(of: server)
        try await next.signOut()
        try await client(of: server).signIn(email: Self.email, password: Self.password)
        #expect(device.attestationCount == 1)
    }

    @Test func `requests at the same time are sent one after the other, and all are accepted`() async throws {
        let server = try server()
        try server.addAccount(email: Self.email, password: Self.password)
        let clients = try [client(of: server)]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { _ = try await clients[0].signIn(email: Self.email, password: Self.password) }
            }
            try await group.waitForAll()
        }
        #expect(device.attestationCount == 1)
        #expect(server.count(of: .signIn) == 8)
    }

    @Test func `a key that the device has lost is replaced`() async throws {
        let server = try server()
        try server.addAccount(email: Self.email, password: Self.password)
        try await client(of: server).signIn(email: Self.email, password: Self.password)
        device.removeKeys()
        try await client(of: server).signIn(email: Self.email, password: Self.password)
        #expect(device.attestationCount == 2)
    }

    @Test func `a key that the server has forgotten is replaced`() async throws {
        let (first, second) = (try server(), try server())
        for server in [first, second] { try server.addAccount(email: Self.email, password: Self.password) }
        try await client(of: first).signIn(email: Self.email, password: Self.password)
        let client = try client(of: second)
        try await client.signIn(email: Self.email, password: Self.password)
        #expect(device.attestationCount == 2)
        try await client.signIn(email: Self.email, password: Self.password)
        #expect(device.attestationCount == 2)
    }

    @Test func `a refused assertion ends no session, and replaces no key of the same run`() async throws {
        let server = try server()
        try server.addAccount(email: Self.email, password: Self.password)
        try await client(of: server).signIn(email: Self.email, password: Self.password)
        // The session belongs to the key that is lost.
        device.removeKeys()
        let client = try client(of: server)
        for _ in 0..<3 {
            clock.advance(by: .seconds(7 * 86_400))
            await #expect(throws: ClientError.refused(.appAssertionRefused)) { _ = try await client.accessToken() }
            #expect(client.isAuthenticated)
        }
        #expect(device.attestationCount == 2)
        try await client.signIn(email: Self.email, password: Self.password)
        #expect(client.isAuthenticated)
    }

    @Test func `a client without the service is refused and keeps its session`() async throws {
        let server = try server()
        let client = try server.client(store: store)
        await #expect(throws: ClientError.refused(.appAssertionRequired)) {
            try await client.register(email: Self.email, password: Self.password)
        }
    }

    @Test func `an app with another root is refused by a server that requires its own`() async throws {
        let server = try server(.vici, .required(SoftwareAppAttestService(now: { [clock] in clock.now })))
        let client = try client(of: server)
        await #expect(throws: ClientError.refused(.appAssertionRequired)) {
            try await client.register(email: Self.email, password: Self.password)
        }
    }

    @Test(arguments: [AppAttestFailure.unsupported, .unavailable, .failed, .invalidKey])
    func `a device that cannot attest passes a server that monitors`(failure: AppAttestFailure) async throws {
        let server = try server(.vici, .monitor(device))
        device.fail(with: failure)
        let client = try client(of: server)
        try await client.register(email: Self.email, password: Self.password)
        #expect(client.isAuthenticated)
        device.fail(with: nil)
        try await client.signOut()
        try await client.signIn(email: Self.email, password: Self.password)
        #expect(device.attestationCount == 1)
    }

    @Test func `a server without App Attest is asked once`() async throws {
        let server = try server(.vici, .off)
        try server.addAccount(email: Self.email, password: Self.password)
        let network = ScriptedTransport(server)
        let client = try client(of: server, over: network)
        for _ in 0..<3 { try await client.signIn(email: Self.email, password: Self.password) }
        #expect(device.attestationCount == 0)
        #expect(network.calls.filter { $0.request.path.hasSuffix("/attest/challenge") }.count == 1)
        #expect(network.calls.allSatisfy { $0.request.headers[AppAssertionHeader.name] == nil })
    }

    /// A service whose assertions take a time that the test sets.
    private final class SlowService: AppAttestService {
        private let service: SoftwareAppAttestService
        private let clock: TestClock
        let pause = Mutex(Duration.zero)

        init(_ service: SoftwareAppAttestService, _ clock: TestClock) {
            self.service = service
            self.clock = clock
        }

        var isSupported: Bool { service.isSupported }
        func generateKey() async throws(AppAttestFailure) -> [UInt8] { try await service.generateKey() }
        func attestKey(_ keyID: [UInt8], clientDataHash: [UInt8]) async throws(AppAttestFailure) -> [UInt8] {
            try await service.attestKey(keyID, clientDataHash: clientDataHash)
        }
        func generateAssertion(_ keyID: [UInt8], clientDataHash: [UInt8]) async throws(AppAttestFailure) -> [UInt8] {
            clock.advance(by: pause.withLock { $0 })
            return try await service.generateAssertion(keyID, clientDataHash: clientDataHash)
        }
    }

    @Test func `a refresh whose time passes during an assertion is not sent`() async throws {
        let server = try server()
        let service = SlowService(device, clock)
        let client = try server.client(store: store) { $0.appAttest = service }
        try await client.register(email: Self.email, password: Self.password)
        clock.advance(by: .seconds(Contract.vici.rules.accessTokenSeconds + 60))
        service.pause.withLock { $0 = .seconds(20) }
        await #expect(throws: ClientError.network(.timedOut)) { _ = try await client.accessToken() }
        #expect(server.count(of: .refresh) == 0)
        service.pause.withLock { $0 = .zero }
        _ = try await client.accessToken()
        #expect(server.count(of: .refresh) == 1)
    }

    // MARK: Attestations that take long

    /// A service whose attestations, like the system's, ignore cancellation. They wait until the test advances ``time``.
    private final class StalledService: AppAttestService {
        private let service: SoftwareAppAttestService
        let time = TestClock()
        let isStalled = Mutex(true)

        init(_ service: SoftwareAppAttestService) { self.service = service }

        var isSupported: Bool { service.isSupported }
        func generateKey() async throws(AppAttestFailure) -> [UInt8] { try await service.generateKey() }
        func attestKey(_ keyID: [UInt8], clientDataHash: [UInt8]) async throws(AppAttestFailure) -> [UInt8] {
            if isStalled.withLock({ $0 }) {
                await Task { [time] in _ = try? await time.sleep(for: .seconds(1)) }.value
            }
            return try await service.attestKey(keyID, clientDataHash: clientDataHash)
        }
        func generateAssertion(_ keyID: [UInt8], clientDataHash: [UInt8]) async throws(AppAttestFailure) -> [UInt8] {
            try await service.generateAssertion(keyID, clientDataHash: clientDataHash)
        }
    }

    private static func signIn(_ client: AuthClient) -> Task<ClientError?, Never> {
        Task {
            do throws(ClientError) {
                try await client.signIn(email: email, password: password)
                return nil
            } catch { return error }
        }
    }

    /// Begins a sign-in, and returns when its attestation waits.
    private func stalledSignIn(
        _ verification: TestAppAttest? = nil, deadline: Duration? = nil
    ) async throws -> (service: StalledService, client: AuthClient, signIn: Task<ClientError?, Never>) {
        let server = try server(.vici, verification)
        try server.addAccount(email: Self.email, password: Self.password)
        let service = StalledService(device)
        let client = try server.client(store: store) {
            $0.appAttest = service
            if let deadline { $0.deadline = deadline }
        }
        let signIn = Self.signIn(client)
        try await service.time.sleepers(1)
        return (service, client, signIn)
    }

    @Test func `a request that waits for an attestation is cancelled at once`() async throws {
        let (service, client, first) = try await stalledSignIn()
        let second = Self.signIn(client)
        // The time limits of the attestation and of both requests.
        try await clock.sleepers(3)
        second.cancel()
        #expect(await second.value == .cancelled)
        service.isStalled.withLock { $0 = false }
        service.time.advance(by: .seconds(1))
        #expect(await first.value == nil)
        #expect(await Self.signIn(client).value == nil)
        #expect(device.attestationCount == 1)
    }

    @Test func `a request that attests ends at its time limit, and the next one uses its attestation`() async throws {
        let (service, client, first) = try await stalledSignIn(deadline: .seconds(15))
        let end = HoldingPoint()
        Task {
            _ = await first.value
            try await end.hold()
        }
        // A request that does not end is not waited for.
        for _ in 0..<100_000 where clock.sleepers.count < 2 { await Task.yield() }
        clock.advance(by: .seconds(15))
        for _ in 0..<100_000 where end.arrivals == 0 { await Task.yield() }
        #expect(end.arrivals == 1)
        end.open()
        service.isStalled.withLock { $0 = false }
        service.time.advance(by: .seconds(1))
        #expect(await first.value == .network(.timedOut))
        #expect(await Self.signIn(client).value == nil)
        #expect(device.attestationCount == 1)
    }

    @Test func `a request that waits for an attestation ends at its time limit`() async throws {
        let (service, client, first) = try await stalledSignIn(deadline: .seconds(15))
        let second = Self.signIn(client)
        try await clock.sleepers(3)
        clock.advance(by: .seconds(15))
        #expect(await second.value == .network(.timedOut))
        service.isStalled.withLock { $0 = false }
        service.time.advance(by: .seconds(1))
        #expect(await first.value == .network(.timedOut))
        #expect(await Self.signIn(client).value == nil)
        #expect(device.attestationCount == 1)
    }

    @Test func `an attestation that the system never answers fails at its time limit`() async throws {
        let (service, client, first) = try await stalledSignIn(.monitor(device), deadline: .seconds(60))
        try await clock.sleepers(2)
        clock.advance(by: .seconds(30))
        #expect(await first.value == nil)
        service.isStalled.withLock { $0 = false }
        #expect(await Self.signIn(client).value == nil)
        #expect(device.attestationCount == 1)
        service.time.advance(by: .seconds(1))
    }

    @Test func `a request that is cancelled during its attestation lets the next one attest`() async throws {
        let (service, client, first) = try await stalledSignIn()
        first.cancel()
        #expect(await first.value != nil)
        service.isStalled.withLock { $0 = false }
        #expect(await Self.signIn(client).value == nil)
        #expect(device.attestationCount == 1)
        service.time.advance(by: .seconds(1))
    }

    // MARK: The header

    @Test func `the header holds a key id and an assertion`() throws {
        let value = AppAssertionHeader.write(keyID: [1, 2, 3], assertion: [255, 254])
        #expect(value == "AQID.__4")
        let read = try #require(AppAssertionHeader.read(value))
        #expect(read.keyID == [1, 2, 3] && read.assertion == [255, 254])
    }

    @Test(arguments: [
        "", ".", "AQID", "AQID.", ".AQID", "AQID.AQID.AQID", "AQID AQID", "AQID.AQ=", "AQ\u{e9}D.AQID",
        "AQID." + String(repeating: "A", count: 2048),
    ])
    func `a header of another form is not read`(value: String) {
        #expect(AppAssertionHeader.read(value) == nil)
    }

    @Test func `the client data is the method, the path and the hash of the body`() {
        let data = AppAssertionHeader.clientData(method: "POST", path: "/vici/auth/login", bodySHA256: [0x0A, 0xFF])
        #expect(String(decoding: data, as: UTF8.self) == "POST\n/vici/auth/login\n0aff")
    }
}
