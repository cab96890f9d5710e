import AuthenticationServices
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import OstiaryUI
import Synchronization
import Testing

@testable import OstiaryClient

@MainActor
struct AppleSignInTests {
    private let apple = AppleSignIn { TestDevice.window }

    init() { _ = TestDevice.window }

    private func server(_ contract: Contract = .vici) throws -> TestServer {
        var rules = TestServerRules()
        rules.providers = [TestProvider(name: "apple")]
        return try TestServer(contract, rules: rules)
    }

    private var name: PersonNameComponents {
        var name = PersonNameComponents()
        (name.givenName, name.familyName) = ("Ann", "Lee")
        return name
    }

    @Test func `signs in by one call`() async throws {
        let server = try server()
        let (auth, person) = (try server.client(), ShimAuthorizer.apple(server))
        try await person.on { _ = try await auth.signInWithApple() }
        #expect(auth.isAuthenticated && person.shown == 1)
    }

    @Test func `keeps controller and delegate until the answer`() async throws {
        let server = try server()
        let (auth, person) = (try server.client(), ShimAuthorizer.apple(server))
        try await person.on { _ = try await auth.signInWithApple() }
        #expect(person.dropped == 0 && !person.isOpen)
    }

    // MARK: Request

    @Test func `asks with the nonce's hash, and keeps the nonce`() async throws {
        let asked = Mutex<[String]>([])
        let person = ShimAuthorizer { request in
            guard let request = request as? ASAuthorizationAppleIDRequest else { return .failure(.init(.failed)) }
            asked.withLock { $0.append(request.nonce ?? "") }
            #expect(request.requestedScopes == [.fullName, .email])
            return .success(
                ASAuthorizationAppleIDCredential(
                    shimUser: "001.jo", state: request.state, identityToken: Data("token".utf8)))
        }
        let identities = try await person.on { [apple] in [try await apple.identity(), try await apple.identity()] }
        #expect(identities.map { SignInNonce(raw: $0.nonce).hashed } == asked.withLock { $0 })
        #expect(
            Set(identities.map(\.nonce)).count == 2 && !asked.withLock { $0 }.contains(identities[0].nonce.reveal()))
    }

    // Source: FIPS 180-2, appendix B.1.
    @Test func `hashes as the server does: SHA-256 in small hexadecimal digits`() {
        #expect(
            SignInNonce(raw: Secret("abc")).hashed
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }

    @Test(arguments: ["", "state of another", nil])
    func `refuses the answer to another question`(state: String?) async throws {
        let person = ShimAuthorizer { _ in
            .success(
                ASAuthorizationAppleIDCredential(shimUser: "u", state: state, identityToken: Data("token".utf8)))
        }
        await #expect(throws: ClientError.invalidResponse) {
            try await person.on { [apple] in try await apple.identity() }
        }
    }

    @Test func `refuses an answer without a token`() async throws {
        for token in [nil, Data(), Data([0xFF])] {
            let person = ShimAuthorizer { request in
                let state = (request as? ASAuthorizationAppleIDRequest)?.state
                return .success(ASAuthorizationAppleIDCredential(shimUser: "u", state: state, identityToken: token))
            }
            await #expect(throws: ClientError.invalidResponse) {
                try await person.on { [apple] in try await apple.identity() }
            }
        }
    }

    // MARK: Data of the first sign-in only

    @Test func `hands the name on that Apple tells once`() async throws {
        let server = try server()
        let auth = try server.client()
        try await ShimAuthorizer.apple(server, name: name).on { _ = try await auth.signInWithApple() }
        #expect(auth.currentUser?.fullName?.text == "Ann Lee")
    }

    @Test func `a name that the server would refuse turns nobody away`() async throws {
        let server = try server()
        var name = PersonNameComponents()
        name.givenName = String(repeating: "x", count: 300)
        let (auth, person) = (try server.client(), ShimAuthorizer.apple(server, name: name))
        try await person.on { _ = try await auth.signInWithApple() }
        #expect(auth.isAuthenticated && auth.currentUser?.fullName == nil)
    }

    @Test func `an identity can be used again after a failure`() async throws {
        let server = try server()
        let network = ScriptedTransport(server)
        let auth = try server.client(over: network)
        let identity = try await ShimAuthorizer.apple(server, name: name).on { [apple] in try await apple.identity() }
        network.on(.any, .offline)
        await #expect(throws: ClientError.offline) { try await auth.signIn(with: identity) }
        network.removeRules()
        try await auth.signIn(with: identity)
        #expect(auth.currentUser?.fullName?.text == "Ann Lee")
    }

    @Test func `shows nothing of an identity`() async throws {
        let person = ShimAuthorizer.apple(try server(), email: "canary@example.com")
        let identity = try await person.on { [apple] in try await apple.identity() }
        var dumped = ""
        dump(identity, to: &dumped)
        for text in [dumped, "\(identity)", String(reflecting: identity)] {
            #expect(!text.contains("canary") && !text.contains("001.jo"))
        }
    }

    // MARK: Failures

    @Test(arguments: [
        ASAuthorizationError.Code.unknown, .invalidResponse, .notHandled, .failed, .notInteractive,
    ])
    func `a failure is no cancellation`(code: ASAuthorizationError.Code) async throws {
        do {
            _ = try await ShimAuthorizer.failing(code).on { [apple] in try await apple.identity() }
            Issue.record("no failure")
        } catch ClientError.invalidRequest {}
    }

    @Test func `a person who closes the sheet has cancelled`() async throws {
        let auth = try server().client()
        await #expect(throws: ClientError.cancelledByUser) {
            try await ShimAuthorizer.failing(.canceled).on { try await auth.signInWithApple() }
        }
    }

    @Test func `an app without a window asks nobody`() async throws {
        let person = ShimAuthorizer.failing(.canceled)
        await #expect(throws: ClientError.invalidRequest("the app has no window to show the sheet over")) {
            try await person.on { try await AppleSignIn { nil }.identity() }
        }
        #expect(person.shown == 0)
    }

    @Test func `a contract without a place for it asks nobody`() async throws {
        var contract = Contract.vici
        contract.without = [.signInWithIdentityToken]
        let (auth, person) = (try server(contract).client(), ShimAuthorizer.failing(.canceled))
        await #expect(throws: ClientError.unsupported(.signInWithIdentityToken)) {
            try await person.on { try await auth.signInWithApple() }
        }
        #expect(person.shown == 0)
    }

    @Test func `one sign-in at a time, whichever its sheet`() async throws {
        let server = try server(.viewvault)
        let (auth, point) = (try server.client(), HoldingPoint())
        let person = ShimAuthorizer { _ in
            try? await point.hold()
            return .failure(.init(.canceled))
        }
        let first = Task { try await person.on { try await auth.signInWithApple() } }
        try await point.arrival()
        await #expect(throws: ClientError.invalidRequest("another sign-in is under way")) {
            try await person.on { try await auth.signInWithApple() }
        }
        await #expect(throws: ClientError.invalidRequest("another sign-in is under way")) {
            try await ShimBrowser { _ in .cancel }.on { try await auth.signInWithBrowser(provider: "google") }
        }
        point.open()
        await #expect(throws: ClientError.cancelledByUser) { try await first.value }
        #expect(person.shown == 1)
    }

    @Test func `one question at a time`() async throws {
        let point = HoldingPoint()
        let person = ShimAuthorizer { _ in
            try? await point.hold()
            return .failure(.init(.canceled))
        }
        let first = Task { try await person.on { [apple] in try await apple.identity() } }
        try await point.arrival()
        await #expect(throws: ClientError.invalidRequest("another sign-in is under way")) {
            try await person.on { [apple] in try await apple.identity() }
        }
        point.open()
        await #expect(throws: ClientError.cancelledByUser) { try await first.value }
    }

    @Test func `a cancelled task closes the sheet`() async throws {
        let point = HoldingPoint()
        let person = ShimAuthorizer { _ in
            try? await point.hold()
            return .failure(.init(.failed))
        }
        let task = Task { try await person.on { [apple] in try await apple.identity() } }
        try await point.arrival()
        let patience = Task {
            try? await Task.sleep(for: .seconds(10))
            point.open()
        }
        task.cancel()
        await #expect(throws: ClientError.cancelled) { try await task.value }
        #expect(person.cancelled == 1 && !person.isOpen)
        patience.cancel()
        point.open()
    }

    // MARK: Afterwards

    @Test func `only a revoked account is a reason to sign out`() async throws {
        struct Away: Error {}
        for (state, isRevoked) in [
            (ASAuthorizationAppleIDProvider.CredentialState.revoked, true), (.authorized, false), (.notFound, false),
            (.transferred, false),
        ] {
            let answer = try await ASAuthorizationAppleIDProvider.$shimState.withValue({ _ in state }) {
                try await AppleSignIn.isRevoked(userID: "001.jo")
            }
            #expect(answer == isRevoked)
        }
        await #expect(throws: ClientError.temporarilyUnavailable) {
            try await ASAuthorizationAppleIDProvider.$shimState.withValue({ _ in throw Away() }) {
                try await AppleSignIn.isRevoked(userID: "001.jo")
            }
        }
    }

    @Test func `the view model signs in, and says nothing to who gives up`() async throws {
        let server = try server()
        let model = AuthViewModel(try server.client())
        try await ShimAuthorizer.failing(.canceled).on { await model.signInWithApple().value }
        #expect(model.error == nil && !model.isSignedIn)
        try await ShimAuthorizer.apple(server).on { await model.signInWithApple().value }
        #expect(model.error == nil && model.isSignedIn)
    }

    @Test func `trying again asks Apple nothing: the name is told once`() async throws {
        let server = try server()
        let network = ScriptedTransport(server)
        let model = AuthViewModel(try server.client(over: network))
        network.on(.any, .offline)
        let person = ShimAuthorizer.apple(server, name: name)
        try await person.on {
            await model.signInWithApple().value
            network.removeRules()
            await model.retry()?.value
        }
        #expect(model.isSignedIn && model.user?.fullName?.text == "Ann Lee" && person.shown == 1)
    }
}
