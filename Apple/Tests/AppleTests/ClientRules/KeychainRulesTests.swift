import Foundation
import OstiaryClient
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Security
import Testing

/// The contracts' client rules about the keychain, under the rules' numbers; the others are in OstiaryClientTests.
/// Serialized, because the keychain of an app is found by its name.
@Suite(.serialized) struct KeychainRulesTests {
    /// An app that stores its session in the keychain, as on a device, and its server.
    private struct App {
        let server: TestServer
        let keychain: ShimKeychain
        let client: AuthClient
        static let password = "correct horse 7 battery"

        init(_ contract: Contract) throws {
            server = try TestServer(contract)
            keychain = ShimKeychain.of(service: contract.client.keychain.service ?? "test.rules.\(contract.name)")
            keychain.reset()
            client = try Self.client(of: server)
        }

        static func client(of server: TestServer) throws -> AuthClient {
            // Without a service in the contract it is the app's bundle identifier, which a test does not have.
            var contract = server.contract
            contract.client.keychain.service = contract.client.keychain.service ?? "test.rules.\(contract.name)"
            return try server.client(store: KeychainSessionStore(contract: contract, baseURL: server.baseURL))
        }

        func signIn() async throws {
            switch server.contract.rules.identifier {
            case .email:
                try server.addAccount(email: "jo@example.com", password: Self.password)
                try await client.signIn(email: "jo@example.com", password: Self.password)
            case .phoneNumber:
                try server.addAccount(phoneNumber: "+15551234567", password: Self.password)
                try await client.signIn(phoneNumber: "+15551234567", password: Self.password)
            case .username:
                try server.addAccount(username: "jo", password: Self.password)
                try await client.signIn(username: "jo", password: Self.password)
            case .subject: try await client.signInWithBrowser(using: ScriptedBrowser(server))
            }
            await client.settle()
        }

        func text(_ account: String) -> String? {
            keychain.value(account: account).map { String(decoding: $0, as: UTF8.self) }
        }

        func holds(_ secret: String) -> Bool {
            keychain.accounts.contains { text($0)?.contains(secret) ?? false }
        }
    }

    // MARK: timetracker

    @Test
    func `timetracker R8: token in the keychain: com.timetracker.app, accessToken, when unlocked, this device only`()
        async throws
    {
        let app = try App(.timetracker)
        try await app.signIn()
        #expect(app.text("accessToken") == (try await app.client.accessToken().reveal()))
        #expect(
            app.keychain.protection(account: "accessToken") == kSecAttrAccessibleWhenUnlockedThisDeviceOnly as String)
        for account in app.keychain.accounts where account != "accessToken" {
            #expect(app.text(account)?.contains(try await app.client.accessToken().reveal()) == false)
        }
    }

    @Test func `timetracker R8: cached in memory to spare keychain reads`() async throws {
        let app = try App(.timetracker)
        try await app.signIn()
        app.server.route("GET", "/entries") { _ in .json("[]") }
        let before = app.keychain.calls.count
        for _ in 0..<20 { let _: [String] = try await app.client.get("/entries") }
        #expect(app.keychain.calls.count == before)
    }

    @Test func `timetracker R6: any 401 clears the keychain`() async throws {
        let app = try App(.timetracker)
        try await app.signIn()
        let token = try await app.client.accessToken().reveal()
        app.server.endSessions(of: "jo")
        app.server.route("GET", "/entries") { _ in .json("[]") }
        await #expect(throws: ClientError.self) { let _: [String] = try await app.client.get("/entries") }
        await app.client.settle()
        #expect(app.text("accessToken") == nil && !app.holds(token))
    }

    @Test func `timetracker R9: a token that the app left in the keychain is checked with GET /auth/me at launch`()
        async throws
    {
        let app = try App(.timetracker)
        let earlier = try app.server.client()
        try await earlier.signInWithBrowser(using: ScriptedBrowser(app.server))
        let token = try await earlier.accessToken().reveal()
        let item: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "com.timetracker.app",
            kSecAttrAccount as String: "accessToken", kSecValueData as String: Data(token.utf8),
            kSecUseDataProtectionKeychain as String: true,
        ]
        #expect(SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
        let next = try App.client(of: app.server)
        for await state in next.states { if case .signedIn(_, verified: true) = state { break } }
        #expect(next.currentUser?.email?.text == "jo@example.com")
        app.server.endSessions(of: "jo")
        let last = try App.client(of: app.server)
        for await state in last.states { if case .signedOut = state { break } }
        await last.settle()
        #expect(app.text("accessToken") == nil)
    }

    @Test func `timetracker R10: logout clears the keychain whatever the answer was`() async throws {
        let app = try App(.timetracker)
        try await app.signIn()
        let token = try await app.client.accessToken().reveal()
        app.server.goDown()
        _ = try? await app.client.signOut()
        #expect(app.text("accessToken") == nil)
        // The token is still stored in the pending revocation, until the server has revoked the session.
        app.server.comeBack()
        await app.client.willEnterForeground()
        await app.client.settle()
        #expect(!app.holds(token))
    }

    // MARK: vici

    @Test func `vici R4: if the keychain is unavailable the app still works (memory only) and says so`() async throws {
        let app = try App(.vici)
        app.keychain.hasNoEntitlement = true
        let events = app.client.events
        try app.server.addAccount(email: "jo@example.com", password: App.password)
        try await app.client.signIn(email: "jo@example.com", password: App.password)
        for await event in events { if case .storeUnwritable = event { break } }
        app.server.route("GET", "/notes") { _ in .json("[]") }
        let _: [String] = try await app.client.get("/notes")
        #expect(app.client.isAuthenticated && app.keychain.count == 0)
    }

    // MARK: clarity

    @Test func `clarity R1: tokens in the keychain, accounts access_token and refresh_token`() async throws {
        let app = try App(.clarity)
        try await app.signIn()
        #expect(app.text("access_token") == (try await app.client.accessToken().reveal()))
        #expect(app.text("refresh_token")?.isEmpty == false)
        #expect(app.text("refresh_token") != app.text("access_token"))
        try await app.client.signOut()
        await app.client.settle()
        #expect(app.text("access_token") == nil && app.text("refresh_token") == nil)
    }

    // MARK: barqnet

    @Test func `barqnet R1: keychain service com.barqnet.ios, accounts auth_tokens and current_user, when unlocked`()
        async throws
    {
        let app = try App(.barqnet)
        try await app.signIn()
        #expect(app.text("auth_tokens")?.contains(try await app.client.accessToken().reveal()) == true)
        #expect(app.text("current_user")?.contains("5551234567") == true)
        for account in ["auth_tokens", "current_user"] {
            #expect(app.keychain.protection(account: account) == kSecAttrAccessibleWhenUnlocked as String)
        }
    }

    // MARK: viewvault

    @Test func `viewvault R2: token in the keychain, logout clears`() async throws {
        let app = try App(.viewvault)
        try await app.signIn()
        let token = try await app.client.accessToken().reveal()
        #expect(app.holds(token))
        try await app.client.signOut()
        await app.client.settle()
        #expect(!app.holds(token))
    }
}
