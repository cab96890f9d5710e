import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Synchronization
import Testing

@testable import OstiaryClient

/// The client's sessions that are bound to a key, against a server in the process.
@Suite struct BoundSessionTests {
    private static let password = "correct horse 7 battery"

    private func server(
        _ binding: TestServerRules.SessionBinding = .required, _ contract: Contract = .vici,
        signing: Bool = false, requiresFactor: Bool = false
    ) throws -> TestServer {
        var rules = TestServerRules()
        rules.requiresSecondFactor = requiresFactor
        rules.sessionBinding = binding
        rules.issuesSigningKeys = signing
        let server = try TestServer(contract, rules: rules)
        try server.addAccount(email: "jo@example.com", username: "jo", password: Self.password)
        server.route("GET", "/x") { _ in .json("{}") }
        return server
    }

    private func client(
        of server: TestServer, store: TestStore = TestStore(), over network: ScriptedTransport? = nil,
        keys: (any SessionKeyProvider)? = nil, binds: Bool = true, signs: Bool = false
    ) throws -> AuthClient {
        try server.client(store: store, over: network) {
            $0.bindsSessions = binds
            $0.sessionKeys = keys ?? SoftwareSessionKeys()
            $0.signsRequests = signs
        }
    }

    @discardableResult
    private func signIn(_ client: AuthClient) async throws -> SessionSnapshot {
        try await client.signIn(email: "jo@example.com", password: Self.password)
    }

    private func get(_ client: AuthClient) async throws(ClientError) {
        let _: EmptyBody = try await client.get("/x")
    }

    // MARK: Binding

    @Test(arguments: [Contract.vici, .clarity]) func `binds a sign-in, and proves the key with every request`(
        contract: Contract
    ) async throws {
        let server = try server(.required, contract)
        let network = ScriptedTransport(server)
        let store = TestStore()
        let client = try client(of: server, store: store, over: network)
        try await signIn(client)
        try await get(client)
        _ = try await client.refreshUser()
        server.clock.advance(by: .seconds(7200))
        try await get(client)
        // The nonce is old by then: the refresh is repeated with another one.
        #expect(server.count(of: .refresh) == 2)
        let calls = network.calls.filter { $0.request.headers["authorization"] != nil }
        #expect(!calls.isEmpty)
        for call in calls {
            #expect(call.request.headers["authorization"]?.hasPrefix("DPoP ") == true)
            let proof = try #require(call.request.headers["dpop"].flatMap { DPoPProof($0) })
            #expect(proof.url == server.baseURL.text + call.request.path)
        }
        let identifiers = network.calls.compactMap { $0.request.headers["dpop"].flatMap { DPoPProof($0) }?.id }
        #expect(Set(identifiers).count == identifiers.count)
        // The next run continues with the stored key.
        try await get(self.client(of: server, store: store))
        // A program without the option continues too.
        try await get(self.client(of: server, store: store, binds: false))
    }

    @Test func `one nonce serves many requests, and an old one costs one repetition`() async throws {
        let server = try server()
        let network = ScriptedTransport(server)
        let client = try client(of: server, over: network)
        try await signIn(client)
        let first = network.calls.count
        #expect(server.count(of: .signIn) == 2)
        for _ in 0..<5 { try await get(client) }
        #expect(network.calls.count == first + 5)
        server.clock.advance(by: .seconds(300))
        try await get(client)
        #expect(network.calls.count == first + 7)
    }

    @Test func `a server that binds no sessions issues bearer tokens`() async throws {
        let server = try server(.off)
        let network = ScriptedTransport(server)
        let store = TestStore()
        let client = try client(of: server, store: store, over: network)
        try await signIn(client)
        try await get(client)
        #expect(network.calls.last?.bearer != nil)
        #expect(store.saved.currentSession?.boundKey == nil)
    }

    @Test func `without the option nothing is proven`() async throws {
        let server = try server(.accepted)
        let network = ScriptedTransport(server)
        let client = try client(of: server, over: network, binds: false)
        try await signIn(client)
        try await get(client)
        #expect(network.calls.allSatisfy { $0.request.headers["dpop"] == nil })
    }

    @Test func `each session has a key of its own`() async throws {
        let server = try server()
        try server.addAccount(email: "eve@example.com", username: "eve", password: Self.password)
        let stores = [TestStore(), TestStore()]
        for (store, email) in zip(stores, ["jo@example.com", "eve@example.com"]) {
            let client = try client(of: server, store: store)
            try await client.signIn(email: email, password: Self.password)
            try await get(client)
            let first = store.saved.currentSession?.boundKey
            try await client.signIn(email: email, password: Self.password)
            try await get(client)
            #expect(first != nil)
            #expect(store.saved.currentSession?.boundKey != first)
        }
    }

    @Test func `signed requests are proven too`() async throws {
        let server = try server(.required, signing: true)
        let client = try client(of: server, signs: true)
        try await signIn(client)
        for _ in 0..<2 { try await get(client) }
        server.clock.advance(by: .seconds(7200))
        try await get(client)
    }

    @Test func `a sign-out proves the key, so that the server ends the session`() async throws {
        let server = try server()
        let client = try client(of: server)
        try await signIn(client)
        #expect(try await client.signOut() == .revoked)
        #expect(server.sessions(of: "jo@example.com") == 0)
    }

    @Test func `a refresh whose time has passed is not repeated with another nonce`() async throws {
        let server = try server()
        let network = ScriptedTransport(server)
        let client = try client(of: server, over: network)
        try await signIn(client)
        let clock = server.clock
        clock.advance(by: .seconds(7200))
        network.on(.refresh(of: .vici), .pass.after { _ in clock.advance(by: .seconds(15)) }, times: 1)
        await #expect(throws: ClientError.network(.timedOut)) { try await get(client) }
        #expect(server.count(of: .refresh) == 1)
        #expect(client.isAuthenticated)
        try await get(client)
    }

    @Test func `a request whose time has passed is not repeated with another nonce`() async throws {
        let server = try server()
        let network = ScriptedTransport(server)
        let client = try client(of: server, over: network)
        try await signIn(client)
        try await get(client)
        let clock = server.clock
        clock.advance(by: .seconds(300))
        network.on(.get("/x"), .pass.after { _ in clock.advance(by: .seconds(60)) }, times: 1)
        await #expect(throws: ClientError.network(.timedOut)) { try await get(client) }
        #expect(network.calls(.get("/x")).count == 2)
        try await get(client)
    }

    // MARK: Challenges

    private func challenge(
        of signIn: () async throws(ClientError) -> SessionSnapshot
    ) async -> Challenge? {
        do throws(ClientError) { _ = try await signIn() } catch {
            if case .refused(.challengeRequired(let challenge)) = error { return challenge }
        }
        return nil
    }

    @Test func `a challenge is answered with its own key after another sign-in of the client`() async throws {
        let server = try server()
        try server.addAccount(email: "eve@example.com", username: "eve", password: Self.password)
        let store = TestStore()
        let client = try client(of: server, store: store)
        try await signIn(client)
        let pending = try await client.addTOTP()
        let authenticator = try #require(TestAuthenticator(uri: pending.uri.reveal()))
        _ = try await client.confirmTOTP(pending, code: authenticator.code(at: server.clock.now))
        try await client.signOut()
        server.clock.advance(by: .seconds(30))
        let first = try #require(
            await challenge { () throws(ClientError) in
                try await client.signIn(email: "jo@example.com", password: Self.password)
            })
        try await client.signIn(email: "eve@example.com", password: Self.password)
        let eves = store.saved.currentSession
        let code = authenticator.code(at: server.clock.now)
        try await client.answer(first, with: [ChallengeMethod.totp.rawValue: code])
        try await get(client)
        let jos = store.saved.currentSession
        #expect(jos?.id != eves?.id)
        #expect(jos?.boundKey != nil && jos?.boundKey != eves?.boundKey)
    }

    @Test func `of two sign-ins that must add a factor the first completes after the second`() async throws {
        let server = try server(requiresFactor: true)
        try server.addAccount(email: "eve@example.com", username: "eve", password: Self.password)
        let client = try client(of: server)
        var challenges: [Challenge] = []
        for email in ["jo@example.com", "eve@example.com"] {
            challenges.append(
                try #require(
                    await challenge { () throws(ClientError) in
                        try await client.signIn(email: email, password: Self.password)
                    }))
        }
        for challenge in challenges.reversed() {
            let pending = try await client.addTOTP(for: challenge)
            let authenticator = try #require(TestAuthenticator(uri: pending.uri.reveal()))
            try await client.confirmTOTP(
                pending, code: authenticator.code(at: server.clock.now), for: challenge)
            try await get(client)
        }
    }

    // MARK: Refusals

    @Test(arguments: [AuthError.invalidDPoPProof, .useDPoPNonce(nonce: "another")])
    func `a refused proof signs out nobody`(refusal: AuthError) async throws {
        let server = try server()
        let client = try client(of: server)
        try await signIn(client)
        try await get(client)
        server.refuse(.operation(.refresh, of: .vici), with: refusal)
        server.clock.advance(by: .seconds(7200))
        await #expect(throws: ClientError.refused(refusal)) { try await get(client) }
        #expect(client.isAuthenticated)
        server.comeBack()
        try await get(client)
        server.refuse(.get("/x"), with: refusal)
        await #expect(throws: ClientError.refused(refusal)) { try await get(client) }
        #expect(client.isAuthenticated)
    }

    @Test func `a session that the server no longer refreshes without a key ends`() async throws {
        let server = try server(.accepted)
        let client = try client(of: server, binds: false)
        try await signIn(client)
        server.refuse(.operation(.refresh, of: .vici), with: .dpopRequired)
        server.clock.advance(by: .seconds(7200))
        await #expect(throws: ClientError.sessionEnded(.dpopRequired)) { try await get(client) }
        #expect(client.state == .signedOut(.ended(.dpopRequired)))
    }

    @Test func `an app that cannot prove a key cannot sign in where it is required`() async throws {
        let server = try server()
        let client = try client(of: server, binds: false)
        await #expect(throws: ClientError.refused(.dpopRequired)) { try await signIn(client) }
    }

    // MARK: The key

    /// Keys that can be lost, as those of another device's Secure Enclave.
    private final class FragileKeys: SessionKeyProvider {
        private let software = SoftwareSessionKeys()
        let problem = Mutex<SessionKeyProblem?>(nil)

        func makeKey() throws(SessionKeyProblem) -> SessionKey { try software.makeKey() }
        func signature(of bytes: [UInt8], by key: SessionKey) throws(SessionKeyProblem) -> [UInt8] {
            if let problem = problem.withLock({ $0 }) { throw problem }
            return try software.signature(of: bytes, by: key)
        }
    }

    @Test func `a key that cannot be used now keeps the session, and a lost one ends it at the next refresh`()
        async throws
    {
        let server = try server()
        let keys = FragileKeys()
        let client = try client(of: server, keys: keys)
        try await signIn(client)
        keys.problem.withLock { $0 = .unavailable }
        await #expect(throws: ClientError.refused(.invalidDPoPProof)) { try await get(client) }
        server.clock.advance(by: .seconds(7200))
        await #expect(throws: ClientError.refused(.invalidDPoPProof)) { try await get(client) }
        #expect(client.isAuthenticated)
        keys.problem.withLock { $0 = nil }
        try await get(client)
        keys.problem.withLock { $0 = .lost }
        server.clock.advance(by: .seconds(7200))
        await #expect(throws: ClientError.sessionEnded(.dpopRequired)) { try await get(client) }
    }

    @Test func `a session that another program stored without its key ends at its next refresh`() async throws {
        let server = try server()
        let store = TestStore()
        try await signIn(client(of: server, store: store))
        var saved = store.saved
        for index in saved.sessions.indices { saved.sessions[index].boundKey = nil }
        store.saved = saved
        let client = try client(of: server, store: store)
        server.clock.advance(by: .seconds(7200))
        await #expect(throws: ClientError.sessionEnded(.dpopRequired)) { try await get(client) }
        #expect(server.count(of: .refresh) == 0)
    }

    @Test func `a clock that is wrong is corrected once`() async throws {
        let server = try server()
        let dated = DatedTransport(server)
        var options = ClientOptions(store: TestStore(), transport: .custom(dated), system: server.clock.system)
        options.bindsSessions = true
        options.sessionKeys = SoftwareSessionKeys()
        let clock = server.clock
        options.system.now = { clock.now + 3600 }
        let client = try AuthClient(contract: .vici, baseURL: server.url, options: options)
        try await signIn(client)
        try await get(client)
    }

    /// A transport whose answers have the server's time.
    private struct DatedTransport: Transport {
        let server: TestServer

        init(_ server: TestServer) { self.server = server }

        func send(
            _ request: WireRequest, to baseURL: BaseURL, within deadline: Duration
        ) async throws(TransportError) -> WireResponse {
            var response = try await server.send(request, to: baseURL, within: deadline)
            let formatter = DateFormatter()
            formatter.locale = Locale(identifier: "en_US_POSIX")
            formatter.timeZone = TimeZone(secondsFromGMT: 0)
            formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
            response.headers["date"] = formatter.string(from: server.clock.now)
            return response
        }
    }
}
