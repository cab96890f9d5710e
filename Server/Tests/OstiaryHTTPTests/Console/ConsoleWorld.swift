import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryProvider
import OstiaryStore
import OstiaryTesting

@testable import OstiaryHTTP

/// The console beside the built-in provider, both at one origin, with an administrator who has an authenticator app.
struct ConsoleWorld {
    static let origin = "https://auth.example.com"
    static let administrator = "ada@example.com"

    let provider: ProviderWorld
    let console: Console

    var clock: TestClock { provider.clock }
    var store: SQLiteStore { provider.store }
    var app: AppName { provider.server.provider.engine.app.name }

    init(adjusting adjust: (inout AppSettings) -> Void = { _ in }) async throws {
        provider = try await ProviderWorld(
            { settings in
                var client = ProviderClient(
                    id: ProviderDirectory.consoleClientID, name: "Ostiary", secret: Secret("a secret of the console"),
                    redirectURIs: RedirectURIs([Self.origin + ConsoleSettings.callbackPath]), isFirstParty: true)
                client.isConsole = true
                settings.clients.append(client)
            }, adjusting: adjust)
        let engine = provider.server.provider.engine
        console = Console(
            provider: provider.server.provider,
            frame: Branding(name: "Example", keys: ProviderWorld.keys, isSecure: true, isDevelopment: false),
            settings: ConsoleSettings(
                origins: [Self.origin], providerOrigin: "", version: "0.0.0", configuration: { "mode: production\n" }),
            server: AdministeredServer(
                apps: [AdministeredApp(engine: engine, title: "Accounts", contract: nil, basePath: "/idp")],
                store: engine.ports.store, keys: engine.ports.keys, system: engine.ports.system,
                inMemoryRateLimiter: engine.ports.inMemoryRateLimiter, report: { "incident: \($0)" }))
    }

    func browser() -> Browser {
        let browser = Browser(in: provider)
        browser.console = console
        return browser
    }

    /// Registers a person with an authenticator app, signs them in with both factors in a browser, and gives the account roles.
    func person(
        _ email: String = Self.administrator, name: String = "Ada Lovelace", roles: [String] = [User.adminRole],
        in browser: Browser
    ) async throws -> TestAuthenticator {
        _ = try await browser.registerHere(email, name: name)
        let (authenticator, _) = try await browser.addAuthenticator()
        // A sign-in with both factors, as the console requires.
        _ = try await browser.submit(try await browser.get("/idp/account"), to: "/idp/end-session")
        let challenge = try await browser.signIn(nil, email)
        clock.advance(by: .seconds(30))
        _ = try await browser.submit(challenge, ["code": authenticator.code(at: clock.now)])
        let account = try await account(email)
        let change = AccountChange(addedRoles: try RoleAssignment.read(roles))
        _ = try await store.change(account.id, in: app, change, at: clock.now)
        return authenticator
    }

    func account(_ email: String = Self.administrator) async throws -> Account {
        let account = try await store.account(identifiedBy: .email(EmailAddress(email)), in: app)
        guard let account else { throw Missing() }
        return account
    }

    struct Missing: Error {}

    /// A browser in which the administrator is signed in to the console.
    func signedIn() async throws -> (browser: Browser, authenticator: TestAuthenticator) {
        let browser = browser()
        let authenticator = try await person(in: browser)
        _ = try await browser.openConsole()
        return (browser, authenticator)
    }
}

extension Browser {
    static let consoleCookie = "__Host-ostiary-console"

    /// Opens a page of the console, and follows the redirects and the forwarding page of a sign-in that needs no answer.
    func openConsole(_ path: String = "/admin") async throws -> Page {
        try await settle(try await get(path))
    }

    /// Follows redirects within the origin and the page that leads on at once.
    func settle(_ page: Page) async throws -> Page {
        var page = page
        for _ in 0..<8 {
            if let location = page.location {
                page = try await get(Self.target(location))
            } else if let next = page.html.firstMatch(of: /http-equiv="refresh" content="0;url=([^"]*)"/) {
                page = try await get(String(next.1).replacing("&amp;", with: "&"))
            } else {
                return page
            }
        }
        throw Astray()
    }

    /// Answers the sign-in page and the challenge that a page of the console leads to.
    func signInAgain(_ page: Page, _ authenticator: TestAuthenticator, email: String = Browser.email) async throws
        -> Page
    {
        let challenge = try await submit(page, ["email": email, "password": Browser.password])
        return try await settle(try await submit(challenge, ["code": authenticator.code(at: now)]))
    }

    static func target(_ location: String) -> String {
        location.hasPrefix(ConsoleWorld.origin) ? String(location.dropFirst(ConsoleWorld.origin.count)) : location
    }
}
