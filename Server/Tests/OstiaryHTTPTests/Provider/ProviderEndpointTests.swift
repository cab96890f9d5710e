import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryProvider
import Testing

@testable import OstiaryHTTP

/// The endpoints that programs call.
@Suite(.timeLimit(.minutes(5))) struct ProviderEndpointTests {
    @Test func `discovery and keys are public documents that may be kept for a while`() async throws {
        let world = try await ProviderWorld()
        let document = await world.ask("GET", "/.well-known/openid-configuration")
        #expect(document.status == 200 && document.headers["content-type"] == "application/json")
        #expect(document.headers["cache-control"] == "public, max-age=300")
        #expect(try JSON.read(document.body)["issuer"] == .string(ProviderWorld.issuer))
        let keys = await world.ask("GET", "/.well-known/jwks.json")
        #expect(keys.status == 200 && keys.headers["cache-control"] == "public, max-age=300")
        #expect(await world.ask("HEAD", "/.well-known/openid-configuration").status == 200)
    }

    @Test(arguments: [
        ("GET", "/oauth/token", "POST"), ("GET", "/oauth/revoke", "POST"), ("PUT", "/oauth/introspect", "POST"),
        ("DELETE", "/userinfo", "GET, POST"), ("POST", "/.well-known/jwks.json", "GET, HEAD"),
        ("HEAD", "/authorize", "GET, POST"), ("PUT", "/end-session", "GET, POST"), ("GET", "/consent", "POST"),
        ("PATCH", "/sign-in", "GET, HEAD, POST"), ("POST", "/", "GET, HEAD"),
    ])
    func `a wrong method is told the right ones`(method: String, path: String, allowed: String) async throws {
        let answer = await (try await ProviderWorld()).ask(method, path)
        #expect(answer.status == 405 && answer.headers["allow"] == allowed)
    }

    @Test(arguments: ["/nothing", "/authorize/", "//authorize", "/AUTHORIZE", "/oauth", "/%61uthorize", "/stand-in"])
    func `an unknown path is not found, and not repeated in the logs`(path: String) async throws {
        let world = try await ProviderWorld()
        let answer = await world.server.answer(WireRequest(method: "GET", path: path), from: .init())
        #expect(answer.response.status == 404 && answer.operation == "idp unknown_path")
        #expect(answer.response.headers["cache-control"] == "no-store")
    }

    @Test(arguments: ["/nothing", "/authorize/", "/stand-in"])
    func `an unknown path is a page for a browser and JSON for other callers`(path: String) async throws {
        let world = try await ProviderWorld()
        let accept = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
        let page = await world.ask("GET", path, headers: ["accept": accept, "accept-language": "de"])
        #expect(page.status == 404 && page.headers["content-type"] == "text/html; charset=utf-8")
        #expect(page.headers["cache-control"] == "no-store" && page.cookies.isEmpty)
        let html = String(decoding: page.body, as: UTF8.self)
        #expect(html.contains(GermanTexts().text(of: .notFound)) && !html.contains("<form"))
        for accept in [nil, "*/*", "application/json", "text/html;q=0.5, application/json"] {
            let answer = await world.ask("GET", path, headers: accept.map { ["accept": $0] } ?? [:])
            #expect(answer.status == 404 && answer.headers["content-type"] == "application/json")
            #expect(try JSON.read(answer.body)["error"] == "not_found")
        }
    }

    @Test func `a client that fails to authenticate hears invalid_client, and no challenge`() async throws {
        let world = try await ProviderWorld()
        for path in ["/oauth/token", "/oauth/revoke", "/oauth/introspect"] {
            let header = "Basic \(Data("house:wrong".utf8).base64EncodedString())"
            let answer = await world.ask(
                "POST", path, headers: ["authorization": header], form: "grant_type=authorization_code&token=x")
            #expect(answer.status == 401)
            #expect(answer.headers["www-authenticate"] == nil)
            #expect(answer.headers["cache-control"] == "no-store")
            #expect(try JSON.read(answer.body)["error"] == "invalid_client")
        }
    }

    @Test func `credentials in the header are as good as in the body`() async throws {
        let world = try await ProviderWorld()
        let code = try #require(parameter("code", of: try await Browser(in: world).register().location))
        let header = "Basic \(Data("house:the+secret+of+the+house".utf8).base64EncodedString())"
        let form = ProviderWorld.form([
            "grant_type": "authorization_code", "code": code, "code_verifier": ProviderWorld.verifier,
            "redirect_uri": "https://house.example.com/callback",
        ])
        let answer = await world.ask("POST", "/oauth/token", headers: ["authorization": header], form: form)
        #expect(answer.status == 200)
    }

    @Test func `parameters come in a form, each once, and not in the query`() async throws {
        let world = try await ProviderWorld()
        let code = try #require(parameter("code", of: try await Browser(in: world).register().location))
        let form = ProviderWorld.form([
            "grant_type": "authorization_code", "code": code, "code_verifier": ProviderWorld.verifier,
            "redirect_uri": "https://house.example.com/callback", "client_id": "house",
            "client_secret": ProviderWorld.secret,
        ])
        let refused = [
            await world.ask("POST", "/oauth/token", form: form + "&code=\(code)"),
            await world.ask("POST", "/oauth/token", form: form + "&grant_type=refresh_token"),
            await world.ask("POST", "/oauth/token", form: form + "&x=%zz"),
            await world.ask("POST", "/oauth/token", headers: ["content-type": "application/json"]),
        ]
        for answer in refused {
            #expect(answer.status == 400)
            #expect(try JSON.read(answer.body)["error"] == "invalid_request")
        }
        #expect(await world.ask("POST", "/oauth/token", query: form, form: "").status == 401)
        #expect(await world.ask("POST", "/oauth/token", form: form).status == 200)
    }

    @Test(arguments: ["client_id=house&", "redirect_uri=https%3A%2F%2Fevil.example&", "state=b&", "%zz=1&"])
    func `an authorization request that says something twice, or cannot be read, redirects nobody (OA-02)`(
        more: String
    ) async throws {
        let answer = await (try await ProviderWorld()).ask("GET", "/authorize", query: more + ProviderWorld.query())
        #expect(answer.status == 400 && answer.headers["location"] == nil)
    }

    @Test func `an authorization request in a form is asked again as a query, without a cookie`() async throws {
        let world = try await ProviderWorld()
        let answer = await world.ask("POST", "/authorize", form: ProviderWorld.query())
        #expect(answer.status == 303 && answer.cookies.isEmpty)
        #expect(answer.headers["location"] == "/idp/authorize?\(ProviderWorld.query())")
    }

    @Test func `userinfo takes a token in the header alone, and says what is wrong with it`() async throws {
        let world = try await ProviderWorld()
        let browser = Browser(in: world)
        let code = try #require(parameter("code", of: try await browser.register().location))
        guard case .string(let token)? = try await world.redeem(code).body["access_token"] else {
            Issue.record("no access token")
            return
        }
        for answer in [
            await world.ask("GET", "/userinfo", query: "access_token=\(token)"),
            await world.ask("POST", "/userinfo", form: "access_token=\(token)"),
            await world.ask("GET", "/userinfo", headers: ["cookie": "access_token=\(token)"]),
        ] {
            #expect(answer.status == 401 && answer.headers["www-authenticate"] == "Bearer")
        }
        let cookie = try #require(browser.cookies["__Host-ostiary-idp"])
        for header in ["Bearer \(token)x", "Bearer \(cookie)", "Basic \(token)", "Bearer"] {
            let answer = await world.ask("GET", "/userinfo", headers: ["authorization": header])
            #expect(answer.status == 401)
            #expect(answer.headers["www-authenticate"] == "Bearer error=\"invalid_token\"")
        }
    }

    @Test func `revocation succeeds with nothing to say, and introspection then says so`() async throws {
        let world = try await ProviderWorld()
        let code = try #require(parameter("code", of: try await Browser(in: world).register().location))
        guard case .string(let token)? = try await world.redeem(code).body["access_token"] else {
            Issue.record("no access token")
            return
        }
        let form = ProviderWorld.form(["client_id": "house", "client_secret": ProviderWorld.secret, "token": token])
        let before = await world.ask("POST", "/oauth/introspect", form: form)
        #expect(try JSON.read(before.body)["active"] == true)
        let revoked = await world.ask("POST", "/oauth/revoke", form: form)
        #expect(revoked.status == 200 && revoked.body.isEmpty)
        let after = await world.ask("POST", "/oauth/introspect", form: form)
        #expect(try JSON.read(after.body) == ["active": false])
    }
}
