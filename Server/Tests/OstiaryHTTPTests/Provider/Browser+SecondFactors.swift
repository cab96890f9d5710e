import Foundation
import OstiaryClient
import OstiaryContracts
import OstiaryCore
import OstiaryTesting

@testable import OstiaryHTTP

extension Browser {
    /// Adds an authenticator app on the pages of the account; returns it with the recovery codes.
    func addAuthenticator() async throws -> (authenticator: TestAuthenticator, codes: [String]) {
        let begun = try await submit(try await get("/idp/account/authenticator"), to: "/idp/account/authenticator")
        guard let uri = begun.hidden["uri"], let authenticator = TestAuthenticator(uri: uri) else { throw Astray() }
        let shown = try await submit(
            begun, to: "/idp/account/authenticator", ["code": authenticator.code(at: now), "name": "Phone"])
        return (authenticator, Self.codes(on: shown))
    }

    static func codes(on page: Page) -> [String] {
        page.html.matches(of: /<li><code>([0-9A-Z]{5}-[0-9A-Z]{5})<\/code>/).map { String($0.1) }
    }

    /// Fills in the form of a page with the password.
    func signIn(_ query: String? = nil, _ email: String = Browser.email) async throws -> Page {
        let page = try await get(query.map { "/idp/authorize?\($0)" } ?? "/idp/sign-in")
        return try await submit(page, ["email": email, "password": Browser.password])
    }

    /// Registers without a client, and ends on the account page.
    func registerHere(_ email: String = Browser.email, name: String = "Ada Lovelace") async throws -> Page {
        try await follow(
            try await submit(
                try await get("/idp/register"), ["email": email, "full_name": name, "password": Browser.password]))
    }

    /// Performs the script's part of a page: fetches the options, asks the device, and submits its response.
    func usePasskey(_ device: TestPasskeys, on page: Page, _ fields: [String: String] = [:]) async throws -> Page {
        guard let ceremony = page.html.firstMatch(of: /action="([^"]*)" data-passkey="(get|create)"/),
            let url = page.html.firstMatch(of: /data-options="([^"]*)"/),
            let form = page.forms.last(where: { $0.action == String(ceremony.1) })
        else { throw Astray() }
        let answer = try await post(String(url.1), form.hidden)
        let options = try JSON.read(answer.response.body)
        guard answer.status == 200, let publicKey = options["public_key"] else { throw Astray() }
        let json = Data(publicKey.bytes)
        let credential =
            ceremony.2 == "create"
            ? try await device.register(PasskeyRegistrationOptions(json: json)).json
            : try await device.assert(PasskeyAssertionOptions(json: json)).json
        var filled = form.hidden.merging(fields) { $1 }
        filled["credential"] = String(decoding: credential, as: UTF8.self)
        if case .string(let token)? = options["passkey_token"] { filled["passkey_token"] = token }
        return try await post(form.action, filled)
    }
}
