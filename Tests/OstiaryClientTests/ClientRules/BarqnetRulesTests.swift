import Foundation
import OstiaryClient
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Synchronization
import Testing

/// barqnet's client rules, numbered in the order in which its contract has them. That a wrong pin ends a connection before the
/// request is written stands in OstiaryNIOTests for Linux and in `Apple/Tests` for URLSession.
@Suite struct BarqnetRulesTests {
    @Test func `R1: keychain service com.barqnet.ios, accounts auth_tokens and current_user, when unlocked`() {
        let keychain = Contract.barqnet.client.keychain
        #expect(keychain.service == "com.barqnet.ios")
        #expect(keychain.items == [.session: "auth_tokens", .user: "current_user"])
        #expect(keychain.accessible == .whenUnlocked && !keychain.thisDeviceOnly)
    }

    @Test func `R1: the time of issuance is kept with the tokens`() async throws {
        let rig = try RuleRig(.barqnet)
        rig.server.clock.advance(by: .seconds(77))
        try await rig.signIn()
        await rig.client.settle()
        #expect(rig.store.saved.currentSession?.issuedAt == rig.server.clock.now)
    }

    @Test func `R2: on coming back from the background an overdue refresh runs at once`() async throws {
        let rig = try RuleRig(.barqnet, skippingSleeps: .zero)
        try await rig.signIn()
        try await rig.server.clock.sleepers(1)
        rig.client.didEnterBackground()
        rig.server.clock.advance(by: .seconds(3400))
        await rig.client.willEnterForeground()
        #expect(rig.server.count(of: .refresh) == 1)
    }

    @Test(arguments: [(3600, 3300), (900, 600), (60, 30)])
    func `R3: refresh is scheduled 5 minutes before expiry, earlier in proportion for a short-lived token`(
        _ lifetime: Int, _ wait: Int
    ) async throws {
        let rig = try RuleRig(.barqnet, rules: .accessTokens(lasting: lifetime), skippingSleeps: .zero)
        try await rig.signIn()
        try await rig.server.clock.sleepers(1)
        rig.server.clock.advance(by: .seconds(wait - 1))
        #expect(rig.server.count(of: .refresh) == 0)
        rig.server.clock.advance(by: .seconds(1))
        try await rig.server.performed(1, .refresh)
    }

    @Test func `R3: a refused refresh clears the tokens and forces login`() async throws {
        let rig = try RuleRig(.barqnet, skippingSleeps: .zero)
        try await rig.signIn()
        try await rig.server.clock.sleepers(1)
        rig.server.endSessions(of: "+15551234567")
        let states = rig.client.states
        rig.server.clock.advance(by: .seconds(3300))
        let state = await states.first { if case .signedOut = $0 { true } else { false } }
        #expect(state == .signedOut(.ended(.refreshTokenRevoked)))
        await rig.client.settle()
        #expect(rig.isCleared)
    }

    @Test func `R3: logout cancels the schedule`() async throws {
        let rig = try RuleRig(.barqnet, skippingSleeps: .zero)
        try await rig.signIn()
        try await rig.server.clock.sleepers(1)
        try await rig.client.signOut()
        #expect(rig.server.clock.sleepers.isEmpty)
    }

    @Test func `R3: hasValidToken can be asked at any time`() async throws {
        let rig = try RuleRig(.barqnet, skippingSleeps: .zero)
        #expect(!rig.client.hasValidToken)
        try await rig.signIn()
        #expect(rig.client.hasValidToken)
        rig.network.on(.any, .offline)
        rig.server.clock.setWall(to: rig.server.clock.now + 3601)
        rig.server.clock.advance(by: .seconds(3601))
        #expect(!rig.client.hasValidToken)
    }

    @Test func `R4: pins are sha256/ and base64, several; on a transport that cannot check them nothing starts`() throws
    {
        let pins = try PinSet(
            (1...3).map { "sha256/" + Data(repeating: $0, count: 32).base64EncodedString() })
        #expect(pins.pins.count == 3)
        #expect(throws: PinProblem.self) {
            try PinSet(["sha1/AAAA", "sha256/" + Data(count: 32).base64EncodedString()])
        }
        let url = try #require(URL(string: "https://api.barqnet.com"))
        #expect(throws: ClientError.self) {
            try AuthClient(
                contract: .barqnet, baseURL: url, pins: pins,
                options: ClientOptions(
                    store: MemorySessionStore(), transport: .custom(Unpinned()), verifiesAtStart: false))
        }
    }

    @Test func `R4: a wrong pin fails the call with its own error`() async throws {
        let rig = try RuleRig(.barqnet)
        rig.network.on(.any, .failure(.pinMismatch))
        await #expect(throws: ClientError.certificatePinningFailed) {
            try await rig.client.requestCode(for: "+15551234567")
        }
    }

    @Test func `R5: http://localhost:8080 in debug, https://api.barqnet.com in release`() throws {
        for (isDevelopment, url) in [(true, "http://localhost:8080"), (false, "https://api.barqnet.com")] {
            let client = try AuthClient(
                contract: .barqnet,
                options: ClientOptions(
                    store: MemorySessionStore(), isDevelopment: isDevelopment, verifiesAtStart: false))
            #expect(client.baseURL.text == url)
        }
    }

    @Test func `R5: release refuses plain HTTP; the base URL can be changed at run time`() throws {
        let options = ClientOptions(store: MemorySessionStore(), isDevelopment: false, verifiesAtStart: false)
        let plain = try #require(URL(string: "http://api.barqnet.com"))
        #expect(throws: ClientError.invalidURL(.plainHTTP)) {
            try AuthClient(contract: .barqnet, baseURL: plain, options: options)
        }
        let other = try #require(URL(string: "https://staging.barqnet.com"))
        #expect(
            try AuthClient(contract: .barqnet, baseURL: other, options: options).baseURL.text
                == "https://staging.barqnet.com")
    }

    @Test func `R6: errors are one enum: each of the contract's has its case, and a description fit for a person`() {
        let errors: [ClientError] = [
            .invalidURL(.malformed), .network(.connectionLost), .offline, .invalidResponse,
            .http(status: 500, message: ""), .decoding("name"), .unauthorized, .certificatePinningFailed,
            .invalidRequest("the body is too long"),
        ]
        for error in errors {
            let text = error.description
            #expect(text.hasSuffix(".") && text.contains(" ") && text.first?.isUppercase == true, "\(text)")
            #expect(error.localizedDescription == text)
        }
    }

    @Test func `R7: logs by category, phone numbers masked to ***1234, no password, code or token ever`() async throws {
        let number = try PhoneNumber("+15551231234")
        #expect(("\(number)" as LogMessage).text == "***1234")
        let lines = Mutex<[ClientLog.Line]>([])
        let log = ClientLog(from: .trace) { line in lines.withLock { $0.append(line) } }
        let rig = try RuleRig(.barqnet) { $0.log = log }
        let code = try await rig.client.requestCode(for: "+15551234567")
        let digits = try #require(rig.server.code(for: "+15551234567"))
        try await rig.client.verify(code, digits: digits)
        try await rig.client.register(code: code, digits: digits, password: RuleRig.password)
        let session = try #require(await rig.savedSession())
        rig.server.clock.advance(by: .seconds(3590))
        _ = try await rig.client.accessToken()
        try await rig.client.signOut()
        let written = lines.withLock { $0 }
        #expect(!written.isEmpty && written.allSatisfy { ClientLog.Category.allCases.contains($0.category) })
        let text = written.map(\.text).joined(separator: "\n")
        for secret in [
            digits, RuleRig.password, "+15551234567", "5551234567", session.accessToken.reveal(),
            session.refreshToken?.reveal() ?? "-",
        ] { #expect(!text.contains(secret)) }
    }

    @Test func `R8: sensitive data is dropped from memory after use`() async throws {
        let rig = try RuleRig(.barqnet)
        try await rig.signIn()
        let token = try await rig.client.accessToken().reveal()
        try await rig.client.signOut()
        #expect(rig.isCleared)
        await #expect(throws: ClientError.notSignedIn) { try await rig.client.accessToken() }
        var dumped = ""
        dump(rig.client, to: &dumped)
        #expect(!dumped.contains(token) && !dumped.contains(RuleRig.password))
    }

    @MainActor
    @Test
    func
        `R9: send code, verify code, create account, login, logout by completion handler; isAuthenticated; currentUser`()
        async throws
    {
        let rig = try RuleRig(.barqnet)
        let (auth, number) = (rig.client, "+15551234567")
        let code = try await called { auth.requestCode(for: number, completion: $0) }.get()
        let digits = try #require(rig.server.code(for: number))
        try await called { auth.verify(code, digits: digits, completion: $0) }.get()
        _ = try await called { auth.register(code: code, digits: digits, password: RuleRig.password, completion: $0) }
            .get()
        #expect(auth.isAuthenticated && auth.currentUser?.phoneNumber?.e164 == number)
        _ = try await called { auth.signOut(completion: $0) }.get()
        #expect(!auth.isAuthenticated && auth.currentUser == nil)
        _ = try await called { auth.signIn(phoneNumber: number, password: RuleRig.password, completion: $0) }.get()
        #expect(auth.isAuthenticated)
    }

    /// What a call with a completion handler ends with.
    @MainActor
    private func called<Value: Sendable>(
        _ call: (@escaping AuthClient.Completion<Value>) -> RunningCall
    ) async -> Result<Value, ClientError> {
        await withCheckedContinuation { continuation in _ = call { continuation.resume(returning: $0) } }
    }
}

extension RuleRig {
    fileprivate func savedSession() async -> ClientSession? {
        await client.settle()
        return store.saved.currentSession
    }
}

/// One that looks at no certificate.
private struct Unpinned: Transport {
    func send(
        _ request: WireRequest, to baseURL: BaseURL, within deadline: Duration
    ) async throws(TransportError) -> WireResponse { throw .offline }
}
