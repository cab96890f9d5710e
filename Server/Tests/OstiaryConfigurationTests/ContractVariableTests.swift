import OstiaryConfiguration
import OstiaryContracts
import OstiaryCore
import Testing

/// An app's own contract, whose rules require secrets and variables.
@Suite struct ContractVariableTests {
    private static let variables = EnvironmentRules(
        accessTokenSecret: "COMPANY_SECRET", refreshTokenSecret: "COMPANY_REFRESH_SECRET",
        accessTokenSeconds: "COMPANY_SECONDS", refreshTokenSeconds: "COMPANY_REFRESH_SECONDS")
    private static let environment = [
        "COMPANY_SECRET": goodSecret, "COMPANY_REFRESH_SECRET": otherSecret, "COMPANY_SECONDS": "120",
        "COMPANY_REFRESH_SECONDS": "1200",
        // The variables of another contract.
        "JWT_SECRET": "secret", "JWT_EXPIRES_IN_SECONDS": "-1",
    ]

    private func contract(
        _ signing: AppRules.AccessTokenSigning, _ form: RefreshRules.Form, overridesFile: Bool = false
    ) -> Contract {
        var environment = Self.variables
        environment.overridesFile = overridesFile
        let rules = AppRules(
            identifier: .email, refresh: RefreshRules(form: form), accessTokenSigning: signing,
            environment: environment)
        return Contract(name: "company", rules: rules, prefix: "/auth")
    }

    private func app(
        _ contract: Contract, _ section: String = "", _ environment: [String: String] = environment,
        head: String = productionHead
    ) throws -> AppConfiguration {
        try withFile(of: contract) { path in
            try read("\(head)  app: {contract: \"\(path)\"\(section)}", environment).app("app")
        }
    }

    private func refusal(
        _ contract: Contract, _ section: String = "", _ environment: [String: String] = environment,
        head: String = productionHead
    ) -> String? {
        do {
            _ = try app(contract, section, environment, head: head)
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test func `signs with the variables that the contract names`() throws {
        let app = try app(contract(.hs256, .jwt))
        #expect(app.signing.algorithm == .hs256)
        #expect(app.signing.secret?.reveal() == goodSecret && app.signing.refreshSecret?.reveal() == otherSecret)
        #expect(app.tokens.access == 120 && app.tokens.refresh == 1200)
    }

    @Test func `puts the variables before the file or after it, as the contract says`() throws {
        let section = ", tokens: {access: 60, refresh: 600}"
        #expect(try app(contract(.hs256, .jwt), section).tokens.access == 60)
        #expect(try app(contract(.hs256, .jwt, overridesFile: true), section).tokens.access == 120)
        let own = Self.environment.merging(["OSTIARY_APPS_APP_TOKENS_ACCESS": "90"]) { $1 }
        #expect(try app(contract(.hs256, .jwt, overridesFile: true), section, own).tokens.access == 90)
    }

    @Test func `names the contract's variable where a secret is missing`() {
        #expect(
            refusal(contract(.hs256, .jwt), "", [:])?.hasSuffix(
                "jwt_secret: needs a secret of at least 32 bytes in production, here or as COMPANY_SECRET") == true)
        #expect(
            refusal(contract(.es256, .jwt), "", [:])?.hasSuffix(
                "jwt_refresh_secret: needs a secret of at least 32 bytes in production, here or as COMPANY_REFRESH_SECRET"
            )
                == true)
    }

    @Test func `needs one secret with opaque refresh tokens`() throws {
        let app = try app(contract(.hs256, .opaque), "", ["COMPANY_SECRET": goodSecret])
        #expect(app.signing.secret?.reveal() == goodSecret && app.signing.refreshSecret == nil)
    }

    @Test func `signs refresh tokens with a secret beside the server's own keys for access tokens`() throws {
        let signing = try app(contract(.es256, .jwt)).signing
        #expect(signing.algorithm == .es256 && signing.secret == nil && signing.refreshSecret?.reveal() == otherSecret)
        let own = try app(contract(.es256, .jwt), ", jwt_refresh_secret: \(goodSecret)").signing
        #expect(own.algorithm == .es256 && own.refreshSecret?.reveal() == goodSecret)
    }

    @Test func `leaves the server's own keys alone where a variable gives a secret`() throws {
        #expect(try app(contract(.es256, .opaque)).signing == SigningSettings())
    }

    @Test func `lets no configuration take a shared secret's place`() {
        #expect(
            refusal(contract(.hs256, .opaque), ", tokens: {signing: es256}")?.hasSuffix(
                "app.tokens.signing: needs hs256: the contract signs with a shared secret") == true)
    }

    @Test func `needs the secrets of JWTs on every node`() {
        let head = """
            mode: development
            encryption_key: MDEyMzQ1Njc4OWFiY2RlZmdoaWprbG1ub3BxcnN0dXY=
            store: "postgres://ostiary@127.0.0.1/ostiary"
            apps:

            """
        #expect(
            refusal(contract(.es256, .jwt), "", [:], head: head)
                == "apps.app.jwt_refresh_secret: needs a secret in every mode with PostgreSQL: the nodes share it")
    }

    @Test func `tells what is wrong with a contract's file`() {
        var contract = contract(.hs256, .jwt)
        contract.rules.environment.refreshTokenSecret = "COMPANY_SECRET"
        #expect(
            refusal(contract)?.hasSuffix(
                "json: apps.app.contract: rules.environment.refreshTokenSecret: COMPANY_SECRET is also the variable of accessTokenSecret"
            ) == true)
    }
}
