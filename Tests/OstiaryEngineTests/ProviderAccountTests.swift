import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryTesting
import Testing

/// The account that a sign-in from a provider reaches: issuer and subject alone decide.
@Suite struct ProviderAccountTests {
    private let scene: BrowserWorld
    init() throws { scene = try BrowserWorld() }

    private func id(of person: ProviderIdentity) async throws -> AccountID? {
        try await scene.signIn(as: person).user?.id
    }

    @Test func `gives the same person the same account, whatever else changed`() async throws {
        let first = try await id(of: .ada)
        let other = try await scene.signIn(
            as: .ada {
                $0.email = try? EmailAddress("countess@example.com")
                $0.preferredUsername = "countess"
                $0.fullName = try? PersonName("Countess of Lovelace")
            })
        #expect(other.user?.id == first)
        #expect(other.user?.email?.text == "countess@example.com")
        #expect(other.user?.username?.text == "countess")
        #expect(other.user?.fullName?.text == "Countess of Lovelace")
    }

    @Test(arguments: [true, false])
    func `does not know people by their email`(isVerified: Bool) async throws {
        let first = try await id(of: .ada)
        let other = try await id(
            of: .ada {
                $0.subject = "somebody-else"
                $0.isEmailVerified = isVerified
            })
        #expect(other != first)
    }

    @Test func `does not take one issuer's subject for another's`() async throws {
        #expect(try await id(of: .ada) != id(of: .ada { $0.issuer = "https://other.example.com" }))
    }

    @Test(arguments: [("ada", "ADA"), ("é", "e\u{301}"), ("ada", "ada "), ("7", "07")])
    func `tells subjects apart by their bytes`(one: String, other: String) async throws {
        #expect(try await id(of: .ada { $0.subject = one }) != id(of: .ada { $0.subject = other }))
    }

    @Test func `makes an account without an email where the provider has none`() async throws {
        let user = try await scene.signIn(as: .ada { $0.email = nil }).user
        #expect(user?.email == nil)
        #expect(user?.username?.text == "ada.l")
    }

    /// The claims of a provider, and the username that results from them.
    @Test(arguments: [
        ("ada.l", ada, "ada-1", "ada.l"), (nil, ada, "ada-1", ada), (nil, nil, "ada-1", "ada-1"),
        ("", ada, "ada-1", ada), ("a\u{0}b", nil, "ada-1", "ada-1"), ("  ", nil, "ada-1", "ada-1"),
        (String(repeating: "a", count: 255), ada, "ada-1", ada),
    ])
    func `calls people what the provider prefers, else by email, else by subject`(
        preferred: String?, email: String?, subject: String, name: String
    ) async throws {
        let user = try await scene.signIn(
            as: .ada {
                $0.preferredUsername = preferred
                $0.email = email.flatMap { try? EmailAddress($0) }
                $0.subject = subject
            }
        ).user
        #expect(user?.username?.text == name)
    }

    @Test func `makes up a name where the provider gives none that can be used`() async throws {
        let person = ProviderIdentity.ada {
            $0.preferredUsername = nil
            $0.email = nil
            $0.subject = String(repeating: "s", count: 255)
        }
        let name = try #require(try await scene.signIn(as: person).user?.username?.text)
        #expect(name.wholeMatch(of: /user-[0-9a-f]{20}/) != nil)
        #expect(try await scene.signIn(as: person).user?.username?.text == name)
    }

    @Test func `lets two people be called the same where a name is a label`() async throws {
        let first = try await scene.signIn().user
        let other = try await scene.signIn(as: .ada { $0.subject = "ada-2" }).user
        #expect(first?.username == other?.username)
        #expect(first?.id != other?.id)
    }

    private func visit(_ name: String, as person: ProviderIdentity) async throws -> User? {
        let request = try await scene.begin()
        let code = scene.provider.code(for: request, as: person)
        try await scene.goBack(request.state, code: code, name: PersonName(name))
        return try await scene.complete(BrowserWorld.Ready(code: code, state: request.state)).user
    }

    @Test func `believes the browser about a new account's name where the provider does not tell, and only then`()
        async throws
    {
        let nameless = ProviderIdentity.ada { $0.fullName = nil }
        #expect(try await visit("Told Once", as: nameless)?.fullName?.text == "Told Once")
        #expect(try await visit("Told Again", as: nameless)?.fullName?.text == "Told Once")
        let other = ProviderIdentity.ada { $0.subject = "ada-2" }
        #expect(try await visit("Made Up", as: other)?.fullName?.text == "Ada Lovelace")
    }

    @Test func `renames nobody to their subject when the provider says less`() async throws {
        _ = try await scene.signIn()
        let said = try await scene.signIn(
            as: .ada {
                $0.preferredUsername = nil
                $0.email = nil
            }
        ).user
        #expect(said?.username?.text == "ada.l")
    }

    @Test(arguments: [("oidc", false), ("other", true)])
    func `gives an imported account only to the one provider of its kind`(kind: String, isClaimed: Bool) async throws {
        let other = ScriptedProvider(ProviderDescription(name: "other", kind: kind, title: "x"))
        let scene = try BrowserWorld(others: [other])
        let imported = try await scene.world.store.add(
            NewAccount(
                app: scene.world.engine.app.name, idKind: AppRules.timetracker.accountIDs, email: nil, username: nil,
                provider: "oidc", providerSubject: "ada-1", createdAt: scene.world.clock.now), spending: nil)
        let request = try await scene.begin(provider: "oidc")
        let code = scene.provider.code(for: request)
        try await scene.goBack(request.state, code: code)
        let user = try await scene.complete(BrowserWorld.Ready(code: code, state: request.state)).user
        #expect((user?.id == imported.id) == isClaimed)
    }

    // MARK: Apps in which a username signs in

    private func google(_ person: ProviderIdentity, in scene: BrowserWorld) async throws -> SignedIn {
        try await scene.completeSocial(scene.visitSocial(as: person))
    }

    @Test func `calls people by their email where that is free`() async throws {
        let scene = try BrowserWorld.google()
        let user = try await google(.ada, in: scene).user
        #expect(user?.username?.text == ada)
        #expect(user?.authProvider == "google")
    }

    @Test func `PT-19: calls people by their subject where the provider has not proven the email`() async throws {
        let scene = try BrowserWorld.google()
        let user = try await google(.ada { $0.isEmailVerified = false }, in: scene).user
        #expect(user?.username?.text == "google|ada-1")
        #expect(user?.email?.text == ada)
        let owner = try await scene.world.engine.perform(
            Register(email: EmailAddress(ada), username: Username(ada), password: Secret(goodPassword)))
        #expect(owner.user?.username?.text == ada)
        let proven = try await google(.ada, in: scene).user
        #expect(proven?.id == user?.id)
        #expect(proven?.username?.text == "google|ada-1")
    }

    @Test func `PT-19: lets unproven labels of timetracker keep no other account out`() async throws {
        let first = try await scene.signIn(as: .ada { $0.isEmailVerified = false }).user
        let owner = try await scene.signIn(as: .ada { $0.subject = "ada-2" }).user
        #expect(owner?.email == first?.email && owner?.username == first?.username)
        #expect(owner?.id != first?.id)
    }

    @Test func `never takes a local account over, and calls its namesake by the subject`() async throws {
        let scene = try BrowserWorld.google()
        let local = try await scene.world.engine.perform(
            Register(email: EmailAddress(ada), username: Username(ada), password: Secret(goodPassword)))
        let user = try await google(.ada, in: scene).user
        #expect(user?.id != local.user?.id)
        #expect(user?.username?.text == "google|ada-1")
        let again = try await scene.world.engine.perform(
            SignIn(identifier: .username(Username(ada)), password: Secret(goodPassword)))
        #expect(again.user?.id == local.user?.id)
    }

    @Test func `lets nobody in with a password by the name of a provider's account`() async throws {
        let scene = try BrowserWorld.google()
        _ = try await google(.ada, in: scene)
        await #expect(throws: AuthError.wrongCredentials) {
            try await scene.world.engine.perform(SignIn(identifier: .username(Username(ada)), password: Secret("")))
        }
    }

    @Test(arguments: [
        ("google", "ada-1", "google|ada-1"), ("auth0", "auth0|7", "auth0|7"),
        ("auth0", "google-oauth2|7", "auth0|google-oauth2|7"),
        ("auth0", "auth0|google-oauth2|7", "auth0|google-oauth2|7"),
    ])
    func `says in the token whose subject it is`(kind: String, subject: String, expected: String) async throws {
        let provider = ScriptedProvider(ProviderDescription(name: "google", kind: kind, title: "x"))
        let scene = try BrowserWorld("viewvault", .viewvault, provider: provider)
        let answer = try await google(.ada { $0.subject = subject }, in: scene)
        let grant = try #require(scene.world.accessTokens.grant(answer.tokens.accessToken))
        #expect(grant.subject == expected)
        #expect(grant.authProvider == kind)
        #expect(grant.email == ada)
        #expect(grant.name == "Ada Lovelace")
    }

    @Test func `leaves a session that somebody else opened before to whom it belongs`() async throws {
        let scene = try BrowserWorld.google()
        let attacker = try await scene.world.engine.perform(
            Register(email: EmailAddress(ada), username: Username("mallory"), password: Secret(goodPassword)))
        let victim = try await google(.ada, in: scene)
        #expect(try await scene.world.use(attacker.tokens).id != victim.user?.id)
    }
}
