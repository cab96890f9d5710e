import Foundation
import OstiaryCore
@testable import OstiaryEngine
import OstiaryTesting
import Testing

/// Every way to a session, under every policy for second factors.
@Suite struct WayInTests {
    /// A way by which a person comes to a session.
    enum WayIn: CaseIterable, Sendable {
        case register, confirmRegistration, signIn, signInWithPasskey, completeBrowserSignIn, completeSocialSignIn,
            signInWithIdentityToken, credentialProvider, credentialProviderStep, clientSession, registerWithPasskey,
            confirmRegistrationWithPasskey

        /// The operations of the way. Those that only continue another one, and those that keep a session, are not a way.
        var kind: OperationKind {
            switch self {
            case .register, .registerWithPasskey: .register
            case .confirmRegistration, .confirmRegistrationWithPasskey: .confirmRegistration
            case .signIn, .credentialProvider: .signIn
            case .signInWithPasskey: .signInWithPasskey
            case .completeBrowserSignIn, .clientSession: .completeBrowserSignIn
            case .completeSocialSignIn: .completeSocialSignIn
            case .signInWithIdentityToken: .signInWithIdentityToken
            case .credentialProviderStep: .answerChallenge
            }
        }

        /// `true` for the ways of an identity provider.
        var isFederated: Bool {
            [.completeBrowserSignIn, .completeSocialSignIn, .signInWithIdentityToken, .clientSession].contains(self)
        }

        /// `true` for a way that one account can come only once.
        var isFirstOnly: Bool { [.register, .confirmRegistration].contains(kind) }

        /// `true` for a way whose only credential is a passkey.
        var isByPasskey: Bool {
            [.signInWithPasskey, .registerWithPasskey, .confirmRegistrationWithPasskey].contains(self)
        }
    }

    /// A policy, as an app's settings.
    enum Policy: CaseIterable, Sendable {
        case off, optional, optionalWithoutSocial, requiredForOthers, requiredForRole, required, requiredWithoutSocial

        var requires: Bool { [.requiredForRole, .required, .requiredWithoutSocial].contains(self) }

        func apply(to policy: inout SecondFactorPolicy) {
            switch self {
            case .off: policy.requirement = .off
            case .optional: policy.requirement = .optional
            case .optionalWithoutSocial: policy.asksAfterFederatedSignIn = false
            case .requiredForOthers: policy.requiredRoles = ["admin"]
            case .requiredForRole: policy.requiredRoles = ["member"]
            case .required: policy.requirement = .required
            case .requiredWithoutSocial:
                policy.requirement = .required
                policy.asksAfterFederatedSignIn = false
            }
        }
    }

    @Test func `every operation whose answer opens a session is a way of this table`() {
        let opening = OperationKind.allCases.filter { $0.opensSession }
        #expect(Set(opening) == Set(WayIn.allCases.map(\.kind)))
    }

    @Test(arguments: WayIn.allCases.filter { !$0.isByPasskey }, Policy.allCases)
    func `an account without a factor is asked to add one where it is required`(
        _ way: WayIn, _ policy: Policy
    ) async throws {
        let entrance = try Entrance(way, policy)
        // A role is granted to an account that exists.
        let exists = way == .signIn || (policy == .requiredForRole && !way.isFirstOnly)
        if exists { try await entrance.prepare(adding: policy == .requiredForRole ? ["member"] : []) }
        let outcome = await entrance.enter()
        let isAsked = policy.requires && (policy != .requiredForRole || exists)
        #expect(outcome == (isAsked ? "ENROLL_FACTOR" : "session"))
        let opened = entrance.world.store.calls.contains("addSession")
        #expect(opened == (!isAsked || exists))
    }

    @Test(arguments: WayIn.allCases.filter { $0.isByPasskey && $0.isFirstOnly }, Policy.allCases)
    func `an account that begins with a passkey has what every policy requires`(
        _ way: WayIn, _ policy: Policy
    ) async throws {
        let entrance = try Entrance(way, policy)
        #expect(await entrance.enter() == (policy == .off ? "not_found" : "session"))
        let world = entrance.world
        guard let account = try await world.account() else { return #expect(policy == .off) }
        let sessions = try await world.store.sessions(of: account.id, in: account.app, at: world.clock.now)
        #expect(sessions.map(\.authentication.level) == [.aal2])
    }

    @Test(arguments: WayIn.allCases.filter { !$0.isFirstOnly }, Policy.allCases)
    func `an account with a factor is asked for it`(_ way: WayIn, _ policy: Policy) async throws {
        let entrance = try Entrance(way, policy)
        try await entrance.prepare(adding: policy == .requiredForRole ? ["member"] : [], withFactor: true)
        let outcome = await entrance.enter()
        switch policy {
        case .off: #expect(outcome == (way == .signInWithPasskey ? "not_found" : "session"))
        case _ where way == .signInWithPasskey: #expect(outcome == "session")
        case .optionalWithoutSocial where way.isFederated: #expect(outcome == "session")
        default: #expect(outcome == "SECOND_FACTOR")
        }
    }
}

extension OperationKind {
    /// `true` if the operation's answer is a new session.
    fileprivate var opensSession: Bool {
        func answersWithSession<Call: AuthOperation>(_: Call.Type) -> Bool { Call.Answer.self == SignedIn.self }
        return answersWithSession(operation)
    }
}

/// One way to a session, in an app with one policy.
private struct Entrance {
    let way: WayInTests.WayIn
    /// The app before the policy applies, and with it.
    let before, after: BrowserWorld
    let device = TestPasskeys()
    private let credentialProvider = ScriptedCredentialProvider()
    private static let nonce = Secret("0123456789abcdef")

    var world: World { after.world }

    init(_ way: WayInTests.WayIn, _ policy: WayInTests.Policy) throws {
        self.way = way
        let usesCredentialProvider = way == .credentialProvider || way == .credentialProviderStep
        credentialProvider.set(goodPassword)
        let (rules, provider): (AppRules, ScriptedProvider) =
            switch way {
            case .completeBrowserSignIn, .clientSession:
                (.timetracker, .named("oidc", issuer: "https://idp.example.com"))
            case .completeSocialSignIn: (.viewvault, .named("google"))
            case .signInWithIdentityToken: (.viewvault, .named("apple"))
            default: (.clarity, .named("none"))
            }
        func app(
            sharing other: World?, _ credentialProvider: ScriptedCredentialProvider?, _ policy: WayInTests.Policy
        ) throws -> BrowserWorld {
            try BrowserWorld(
                "app", rules, provider: provider, credentialProvider: credentialProvider,
                seed: other == nil ? 1 : 2, sharing: other
            ) {
                $0.registersSafely = way.kind == .confirmRegistration
                $0.passkeys = .example
                policy.apply(to: &$0.secondFactor)
            }
        }
        let credentials = usesCredentialProvider ? credentialProvider : nil
        before = try app(sharing: nil, credentials, .optional)
        after = try app(sharing: before.world, credentials, policy)
    }

    /// Creates the account, by a sign-in before the policy applies.
    func prepare(adding roles: [String], withFactor: Bool = false) async throws {
        let world = before.world
        let tokens: Tokens
        switch way {
        case .signIn, .signInWithPasskey: tokens = try await world.registered().tokens
        default: tokens = try await open(before).tokens
        }
        if !roles.isEmpty {
            let id = try await world.engine.perform(CurrentUser(accessToken: tokens.accessToken)).id
            _ = try await world.administration.changeRoles(id.text, adding: roles, removing: [])
        }
        if withFactor { try await world.addPasskey(to: tokens, on: device) }
    }

    /// Comes in, and returns the challenge's name, `session`, or the code of another refusal.
    func enter() async -> String {
        switch await refusal(of: { try await open(after) }) {
        case nil: "session"
        case .challengeRequired(let challenge)?: challenge.name
        case let refusal?: refusal.code
        }
    }

    private func open(_ scene: BrowserWorld) async throws -> SignedIn {
        let world = scene.world
        switch way {
        case .register: return try await world.registered()
        case .registerWithPasskey: return try await world.register(with: device)
        case .confirmRegistrationWithPasskey:
            let refused = await refusal { try await world.register(with: device) }
            guard refused == .confirmationRequired else { throw refused ?? World.NothingCame() }
            return try await world.confirm(world.registrationToken(), with: device)
        case .confirmRegistration:
            _ = await refusal { try await world.registered() }
            guard case .registrationConfirmation(let token, _)? = world.notificationSealer.messages.last?.notice else {
                throw World.NothingCame()
            }
            return try await world.engine.perform(ConfirmRegistration(token: token, password: Secret(goodPassword)))
        case .signIn, .credentialProvider: return try await world.signIn()
        case .signInWithPasskey: return try await world.signIn(with: device)
        case .completeBrowserSignIn: return try await scene.signIn()
        case .completeSocialSignIn: return try await scene.completeSocial(scene.visitSocial())
        case .signInWithIdentityToken:
            let payload = Base64URL.encode(
                Array("{\"exp\":\(Int(world.clock.now.timeIntervalSince1970) + 300)}".utf8))
            let token = Secret("eyJhbGciOiJFUzI1NiJ9.\(payload).sig\(world.store.calls.count)")
            scene.provider.accept(token, nonce: Self.nonce)
            return try await world.engine.perform(
                SignInWithIdentityToken(provider: "apple", identityToken: token, nonce: Self.nonce))
        case .credentialProviderStep:
            credentialProvider.ask(
                for: CredentialProviderStep(
                    name: "NEW_PASSWORD_REQUIRED", session: "s", username: ada, lifetimeSeconds: 180))
            guard case .challengeRequired(let step)? = await refusal(of: { try await world.signIn() }) else {
                throw World.NothingCame()
            }
            return try await world.engine.perform(
                AnswerChallenge(challengeToken: step.token, answers: ["NEW_PASSWORD": Secret(otherPassword)]))
        case .clientSession:
            guard let account = try await account(in: scene) else { throw World.NothingCame() }
            return try await world.engine.openClientSession(
                of: account, context: world.engine.context(of: .federated), isChallengeAnswered: false,
                recognizesDevice: true, session: world.engine.newSessionID())
        }
    }

    /// The account that the built-in provider has authenticated.
    private func account(in scene: BrowserWorld) async throws -> Account? {
        try await scene.world.engine.account(of: .ada, kind: "oidc").account
    }
}
