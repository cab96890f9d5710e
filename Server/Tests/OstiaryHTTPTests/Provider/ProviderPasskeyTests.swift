import Foundation
import OstiaryClient
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryTesting
import Testing

@testable import OstiaryHTTP

/// Passkeys on the pages, with a device that signs as an authenticator does.
@Suite(.timeLimit(.minutes(5))) struct ProviderPasskeyTests {
    private let device = TestPasskeys(origin: "https://auth.example.com")

    /// A person with a passkey, who is signed out; returns the recovery codes.
    @discardableResult
    private func person(in world: ProviderWorld) async throws -> [String] {
        let browser = Browser(in: world)
        _ = try await browser.registerHere()
        let page = try await browser.get("/idp/account/passkey")
        return Browser.codes(on: try await browser.usePasskey(device, on: page, ["name": "Laptop"]))
    }

    @Test func `a passkey is added on the account's page, and signs in alone`() async throws {
        let world = try await ProviderWorld()
        #expect(try await person(in: world).count == 10)
        let browser = Browser(in: world)
        let page = try await browser.get("/idp/authorize?\(ProviderWorld.query(["acr_values": "aal2"]))")
        #expect(page.html.contains("autocomplete=\"username webauthn\"") && page.html.contains("data-autofill"))
        #expect(page.html.contains("<script src=\"/assets/passkeys.js\" defer></script>"))
        #expect(page.response.headers["content-security-policy"]?.contains("connect-src 'self'") == true)
        let answer = try await browser.usePasskey(device, on: page)
        #expect(answer.status == 303)
        let end = try await browser.follow(answer)
        #expect(parameter("code", of: end.location) != nil)
        #expect(try await browser.get("/idp/account").html.contains("Laptop"))
    }

    @Test func `a passkey answers the challenge after the password`() async throws {
        let world = try await ProviderWorld()
        try await person(in: world)
        let browser = Browser(in: world)
        let page = try await browser.signIn()
        #expect(page.html.contains("Use a passkey") && page.html.contains("Passkeys need JavaScript"))
        // Without a script there is another method.
        #expect(page.html.contains("name=\"switch\" value=\"recovery_code\""))
        #expect(page.html.contains("hidden>Use a passkey</button>"))
        let answer = try await browser.usePasskey(device, on: page)
        #expect(answer.status == 303 && answer.location == "/idp/account")
        let again = try await browser.post("/idp/challenge", page.forms[0].hidden.merging(["credential": "{}"]) { $1 })
        #expect(again.status == 400)
    }

    @Test(arguments: ["", "{}", "x", "[]", "{\"id\":\"AAAA\"}", String(repeating: "[", count: 20_000)])
    func `a response that is none is refused with words on the page`(credential: String) async throws {
        let world = try await ProviderWorld()
        try await person(in: world)
        let browser = Browser(in: world)
        let signIn = try await browser.get("/idp/sign-in")
        let options = try JSON.read(
            try await browser.post("/idp/passkey/options", signIn.hidden).response.body)
        guard case .string(let token)? = options["passkey_token"] else {
            Issue.record("no token")
            return
        }
        let refused = try await browser.submit(
            signIn, to: "/idp/passkey", ["passkey_token": token, "credential": credential])
        #expect(refused.status == 400 && refused.html.contains("The passkey is not known here"))
        #expect(refused.action == "/idp/sign-in")
        let challenge = try await browser.signIn()
        let wrong = try await browser.submit(challenge, to: "/idp/challenge", ["credential": credential])
        #expect(wrong.status == 400 && wrong.html.contains("could not be verified"))
    }

    @Test func `a passkey of nobody, and a token that is over, are refused with words`() async throws {
        let world = try await ProviderWorld()
        try await person(in: world)
        let other = try await ProviderWorld()
        try await person(in: other)
        let browser = Browser(in: other)
        let page = try await browser.get("/idp/sign-in")
        let stranger = TestPasskeys(origin: "https://auth.example.com")
        _ = try await Browser(in: world).registerHere("eve@example.com", name: "Eve")
        let eve = Browser(in: world)
        _ = try await eve.signIn(nil, "eve@example.com")
        _ = try await eve.usePasskey(stranger, on: try await eve.get("/idp/account/passkey"), ["name": "x"])
        let refused = try await browser.usePasskey(stranger, on: page)
        #expect(refused.status == 403 && refused.html.contains("The passkey is not known here"))
        let expired = try await browser.submit(page, to: "/idp/passkey", ["passkey_token": "x", "credential": "{}"])
        #expect(expired.status == 400 && expired.html.contains("took too long"))
    }

    @Test func `one person's passkey does not answer another's challenge`() async throws {
        let world = try await ProviderWorld()
        try await person(in: world)
        let eve = Browser(in: world), eves = TestPasskeys(origin: "https://auth.example.com")
        _ = try await eve.registerHere("eve@example.com", name: "Eve")
        _ = try await eve.usePasskey(eves, on: try await eve.get("/idp/account/passkey"), ["name": "x"])
        let attacker = Browser(in: world)
        let challenge = try await attacker.signIn()
        // The device is made to sign the challenge of Ada's account with Eve's passkey.
        let answer = try await attacker.post("/idp/challenge/passkey", challenge.forms[0].hidden)
        let publicKey = try #require(try JSON.read(answer.response.body)["public_key"])
        var options = try PasskeyAssertionOptions(json: Data(publicKey.bytes))
        options.allowedCredentials = []
        let credential = String(decoding: try await eves.assert(options).json, as: UTF8.self)
        let refused = try await attacker.submit(challenge, to: "/idp/challenge", ["credential": credential])
        #expect(refused.status == 400 && attacker.cookies["__Host-ostiary-idp"] == nil)
    }

    @Test func `where a passkey belongs to another address the page offers none`() async throws {
        let world = try await ProviderWorld(adjusting: {
            $0.passkeys = PasskeySettings(
                relyingPartyID: "example.org", relyingPartyName: "x", origins: ["https://example.org"])
        })
        let browser = Browser(in: world)
        _ = try await browser.registerHere()
        let signIn = try await browser.get("/idp/sign-in")
        #expect(!signIn.html.contains("data-passkey") && signIn.html.contains("autocomplete=\"username\""))
        #expect(signIn.response.headers["content-security-policy"]?.contains("connect-src") == false)
        #expect(!(try await browser.get("/idp/account").html.contains("/idp/account/passkey")))
        #expect(try await browser.get("/idp/account/passkey").html.contains("do not work at this address"))
    }

    @Test func `a challenge at another address begins with a method that works there`() async throws {
        // Without a configured origin the page's address is that of the request.
        let world = try await ProviderWorld(origin: nil)
        try await person(in: world)
        let browser = Browser(in: world)
        browser.host = "other.example.com"
        let page = try await browser.signIn()
        #expect(page.html.contains("Type one of the recovery codes") && !page.html.contains("data-passkey"))
        let unavailable = try await browser.submit(page, to: "/idp/challenge", ["switch": "passkey"])
        #expect(unavailable.html.contains("do not work at this address"))
    }

    @Test func `options name no account before the password`() async throws {
        let world = try await ProviderWorld()
        try await person(in: world)
        let browser = Browser(in: world)
        let form = try await browser.get("/idp/sign-in").hidden
        let options = try JSON.read(try await browser.post("/idp/passkey/options", form).response.body)
        #expect(options["public_key"]?["allowCredentials"] == [])
        for path in ["/idp/challenge/passkey", "/idp/account/passkey/options"] {
            let refused = try await browser.post(path, form)
            #expect(refused.status == 400 && refused.html.contains("\"error\":"))
            #expect(!refused.html.contains("public_key"))
        }
    }
}
