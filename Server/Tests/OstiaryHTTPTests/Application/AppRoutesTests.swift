import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryServerPaths
import Testing

@testable import OstiaryHTTP

/// The conflicts between the paths of apps, the endpoints beside their contracts and the server's own.
@Suite struct AppRoutesTests {
    private static let providers = ["google", "apple"]

    /// Returns the routes of an app.
    ///
    /// - Parameters:
    ///   - path: The path of the operation that returns the user, with the method PUT.
    ///   - sessionPath: The path of the operation that ends a session.
    private func routes(
        _ name: String = "mine", prefix: String = "/auth", at path: String? = nil, sessionPath: String? = nil,
        base: String = "", hosts: [String] = [], providers: [String] = [],
        adjust: (inout Contract, inout AppSettings) -> Void = { _, _ in }
    ) throws -> AppRoutes {
        var contract = Contract(name: name, rules: AppRules(identifier: .email), prefix: prefix)
        if let path { contract.endpoints[.currentUser] = Endpoint(.put, path) }
        if let sessionPath { contract.endpoints[.endSession] = Endpoint(.delete, sessionPath) }
        return try routes(contract, base: base, hosts: hosts, providers: providers, adjust: adjust)
    }

    private func routes(
        _ contract: Contract, base: String, hosts: [String] = [], providers: [String],
        adjust: (inout Contract, inout AppSettings) -> Void = { _, _ in }
    ) throws -> AppRoutes {
        var contract = contract
        var settings = AppSettings(
            name: try AppName(contract.name), rules: contract.rules, pathPrefix: contract.prefix,
            passkeys: PasskeySettings(
                relyingPartyID: "example.com", relyingPartyName: "Example", origins: ["https://example.com"]))
        adjust(&contract, &settings)
        return AppRoutes(
            base: base, hosts: hosts, baseURL: "https://\(hosts.first ?? "auth.example.com")\(base)",
            codec: try Codec(contract), settings: settings, providers: providers)
    }

    private func conflict(_ app: AppRoutes, _ others: AppRoutes...) -> String? { app.conflict(among: [app] + others) }

    @Test(arguments: Contract.all, ["", "/base"])
    func `accepts every contract of the product and of the examples`(contract: Contract, base: String) throws {
        #expect(conflict(try routes(contract, base: base, providers: Self.providers)) == nil)
    }

    @Test func `accepts all presets beside each other`() throws {
        let apps = try Contract.presets.map { try routes($0, base: "/\($0.name)", providers: Self.providers) }
        for app in apps { #expect(app.conflict(among: apps) == nil) }
    }

    // MARK: The server's own endpoints

    @Test(arguments: ServerPath.allCases)
    func `refuses an operation at a path of the server`(path: ServerPath) throws {
        #expect(
            conflict(try routes(prefix: "", at: path.rawValue))?
                .hasSuffix("collides with \(path.rawValue), which the server itself answers") == true)
    }

    @Test(arguments: PageAssets.paths)
    func `refuses an operation at the path of a file of pages`(path: String) throws {
        #expect(
            conflict(try routes(prefix: "/assets", at: String(path.dropFirst("/assets".count))))
                == "needs other paths: its currentUser, PUT \(path) collides with \(path), which the server itself answers"
        )
    }

    @Test(arguments: ["/idp", "/admin/v1"])
    func `refuses a prefix below which every path is the server's`(prefix: String) throws {
        let need = conflict(try routes(prefix: prefix))
        #expect(need?.hasPrefix("needs other paths: its ") == true)
        #expect(need?.contains(" \(prefix)/") == true)
    }

    @Test(arguments: ["/dev", "/metrics", "/healthz", "/idps", "/assets", "/.well-known"])
    func `accepts a prefix that shares a segment with the server's paths alone`(prefix: String) throws {
        #expect(conflict(try routes(prefix: prefix)) == nil)
    }

    @Test func `refuses a base path and a prefix that are a path of the server together`() throws {
        #expect(
            conflict(try routes(prefix: "/ostiary.js", at: "/x", base: "/assets")) == nil)
        #expect(
            conflict(try routes(prefix: "", at: "/ostiary.js", base: "/assets"))
                == "needs other paths: its currentUser, PUT /assets/ostiary.js collides with /assets/ostiary.js, which "
                + "the server itself answers")
    }

    // MARK: Endpoints beside the contract

    @Test(arguments: AppServer.Endpoint.allCases.map(\.rawValue), ["", "/base"])
    func `refuses an operation at an endpoint of its app, with any method`(path: String, base: String) throws {
        let app = try routes(prefix: "", at: path, base: base) { contract, _ in contract.without = [.resetPassword] }
        #expect(
            conflict(app)
                == "needs other paths: its currentUser, PUT \(base)\(path) collides with \(base)\(path), which the server "
                + "itself answers")
    }

    @Test func `refuses an operation at a page only where the app has the page`() throws {
        let reset =
            "needs other paths: its resetPassword, POST /reset-password collides with /reset-password, which the "
            + "server itself answers"
        #expect(conflict(try routes(prefix: "")) == reset)
        #expect(conflict(try routes(prefix: "") { contract, _ in contract.without = [.resetPassword] }) == nil)
        let registration = try routes(prefix: "") { contract, settings in
            contract.without = [.resetPassword]
            settings.registersSafely = true
        }
        #expect(conflict(registration)?.contains("confirmRegistration, POST /confirm-registration") == true)
        for (hasPasskeys, isRefused) in [(true, true), (false, false)] {
            let recovery = try routes(prefix: "", at: "/recover-passkey") { contract, settings in
                contract.without = [.resetPassword]
                if !hasPasskeys { settings.passkeys = nil }
            }
            #expect((conflict(recovery) != nil) == isRefused)
        }
    }

    @Test(arguments: ["/callback", "/start", "/choose", "/providers/google/callback"])
    func `refuses an operation at an endpoint of the sign-in in a browser only where the app has one`(path: String)
        throws
    {
        #expect(
            conflict(try routes(at: path, providers: Self.providers))
                == "needs other paths: its currentUser, PUT /auth\(path) collides with /auth\(path), which the server "
                + "itself answers")
        #expect(conflict(try routes(at: path, providers: [])) == nil)
    }

    @Test func `reserves the redirect URI of a provider only where the app has several`() throws {
        #expect(conflict(try routes(at: "/providers/google/callback", providers: ["google"])) == nil)
    }

    @Test func `refuses a path whose parameter can be the name of an endpoint`() throws {
        #expect(
            conflict(try routes(sessionPath: "/{sessionId}", providers: Self.providers))
                == "needs other paths: its endSession, DELETE /auth/{sessionId} collides with /auth/callback, which the "
                + "server itself answers")
        #expect(conflict(try routes(sessionPath: "/{sessionId}", providers: [])) == nil)
        #expect(
            conflict(try routes(prefix: "", sessionPath: "/{sessionId}"))?.contains(
                "/{sessionId} collides with /healthz,") == true)
    }

    // MARK: Other apps

    @Test(arguments: ["/auth", "/auth/logout", "/verify", "/.well-known"])
    func `refuses an app whose paths another one hides`(base: String) throws {
        let need = conflict(try routes(), try routes("other", base: base))
        #expect(need?.hasPrefix("needs another base_path or other hosts: its ") == true)
        #expect(need?.hasSuffix(" collides with the app other at \(base)") == true)
    }

    @Test func `accepts a nested base path that hides no path`() throws {
        let (outer, inner) = (try routes(), try routes("other", base: "/other"))
        #expect(conflict(outer, inner) == nil)
        #expect(conflict(inner, outer) == nil)
    }

    @Test func `refuses an app that another one hides on the host of its base URL`() throws {
        let need = conflict(
            try routes(base: "/mine"), try routes("other", hosts: ["auth.example.com"]))
        #expect(need?.hasSuffix(" collides with the app other at /") == true)
        #expect(conflict(try routes(base: "/mine"), try routes("other", hosts: ["other.example.com"])) == nil)
    }

    @Test func `refuses an app that another one hides on one of its hosts`() throws {
        let app = try routes(hosts: ["a.example.com", "b.example.com"])
        #expect(
            conflict(app, try routes("other", base: "/auth", hosts: ["b.example.com"]))?
                .hasSuffix(" collides with the app other at /auth") == true)
        #expect(conflict(app, try routes("other", base: "/auth", hosts: ["c.example.com"])) == nil)
        #expect(conflict(app, try routes("other", base: "/auth")) == nil)
    }
}
