import Foundation
import OstiaryClient
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryStore
import OstiaryTesting

/// The connection between client and server.
enum Link: String, CaseIterable {
    case inProcess, socket
}

/// An app on Jo's device, and the world that it is connected to.
struct AppClient {
    let auth: RemoteAuth
    let app: World.App
    let world: World

    static let password = Secret("correct horse 7 battery")
    static let newPassword = Secret("incorrect horse 8 battery")

    /// Serves one app while `body` runs.
    static func run<Result>(
        _ contract: Contract, over link: Link, adjust: (inout AppSettings) -> Void = { _ in },
        _ body: (AppClient) async throws -> Result
    ) async throws -> Result {
        let world = try await World([contract], adjust: adjust)
        switch link {
        case .inProcess: return try await body(AppClient(contract, in: world))
        case .socket:
            let transport = URLSessionTransport()
            return try await LiveServer.run(world) { server in
                try await body(AppClient(contract, in: world, at: server.origin, over: transport))
            }
        }
    }

    /// - Parameters:
    ///   - origin: The server's origin; ignored without a socket.
    ///   - transport: Nil for the codec alone.
    init(
        _ contract: Contract, in world: World, at origin: String = "http://127.0.0.1",
        over transport: (any Transport)? = nil
    ) throws {
        app = try world.app(contract)
        auth = try RemoteAuth(
            contract: contract, baseURL: BaseURL("\(origin)/\(app.name)"),
            transport: transport ?? InProcessTransport(server: app.server),
            // Hundreds of tests wait for the same two hashing threads at once.
            deadline: .seconds(240))
        self.world = world
    }

    var contract: Contract { app.contract }

    // MARK: Jo

    var identifier: Identifier {
        get throws {
            switch contract.rules.identifier {
            case .email: .email(try Self.email)
            case .phoneNumber: .phoneNumber(try Self.phoneNumber)
            case .username, .subject: .username(try Self.username)
            }
        }
    }

    static var email: EmailAddress { get throws { try EmailAddress("josephine.canary@example.com") } }
    static var phoneNumber: PhoneNumber { get throws { try PhoneNumber("+15558675309") } }
    static var username: Username { get throws { try Username("josephine.canary") } }

    /// Registers Jo, with a code where the contract requires one. For contracts that sign in at an identity provider,
    /// creates Jo as its account.
    func register(password: Secret<String> = Self.password) async throws -> SignedIn {
        guard contract.endpoint(for: .register) != nil else { return try await arriveFromElsewhere() }
        var call = try Register(
            email: Self.email, username: Self.username, phoneNumber: Self.phoneNumber, password: password,
            fullName: PersonName("Jo"))
        if contract.rules.registersWithCode {
            _ = try await auth.perform(RequestCode(phoneNumber: Self.phoneNumber))
            call.code = try world.notificationSealer.code()
        }
        return try await auth.perform(call)
    }

    func signIn(password: Secret<String> = Self.password) async throws -> SignedIn {
        guard contract.endpoint(for: .signIn) != nil else { return try await openSession() }
        return try await auth.perform(SignIn(identifier: identifier, password: password))
    }

    func user(_ signedIn: SignedIn) async throws -> User {
        try await auth.perform(CurrentUser(accessToken: signedIn.tokens.accessToken))
    }

    /// Signs out with every token that the contract can carry.
    func signOut(_ signedIn: SignedIn) async throws {
        _ = try await auth.perform(
            SignOut(
                accessToken: signedIn.tokens.accessToken, refreshToken: signedIn.tokens.refreshToken,
                alsoEnding: signedIn.tokens.accessToken))
    }

    func refresh(_ token: Secret<String>?) async throws -> Tokens {
        guard let token else { throw NoRefreshToken() }
        return try await auth.perform(Refresh(refreshToken: token))
    }

    struct NoRefreshToken: Error {}
}

extension AppClient {
    /// Creates the result of a sign-in at an identity provider: an account with a subject of its own, and a session.
    private func arriveFromElsewhere() async throws -> SignedIn {
        _ = try await world.store.add(
            NewAccount(
                app: app.name, idKind: contract.rules.accountIDs, email: Self.email, username: Self.username,
                provider: "oidc", providerSubject: "subject-of-jo", createdAt: world.clock.now), spending: nil)
        return try await openSession()
    }

    private func openSession() async throws -> SignedIn {
        let now = world.clock.now
        let seconds = contract.rules.accessTokenSeconds
        let ends = now.addingTimeInterval(Double(seconds))
        guard let account = try await account() else { throw World.NoSuchApp() }
        let id = app.engine.ports.system.randomBytes(8).map { String($0, radix: 16) }.joined(separator: "-")
        let session = Session(
            id: try SessionID(id), app: app.name, accountID: account.id, createdAt: now, idleSeconds: seconds,
            endsAt: ends)
        _ = try await world.store.add(session, credentialVersion: account.credentialVersion)
        let token = try await app.engine.ports.accessTokens.issue(
            AccessTokenRequest(
                subject: account.id.text, session: session.id, generation: 0, issuedAt: now, expiresAt: ends))
        var user = account.user
        // The contract's user does not contain its origin.
        user.authProvider = "local"
        return SignedIn(
            tokens: Tokens(accessToken: token, expiresIn: .seconds(seconds), refreshToken: nil), user: user)
    }

    /// Returns Jo's account as it is stored.
    func account() async throws -> Account? {
        try await world.store.account(identifiedBy: identifier, in: app.name)
    }

    /// Changes Jo's account as an administrator does.
    func change(_ change: AccountChange) async throws {
        guard let account = try await account() else { throw World.NoSuchApp() }
        _ = try await world.store.change(account.id, in: app.name, change, at: world.clock.now)
    }
}
