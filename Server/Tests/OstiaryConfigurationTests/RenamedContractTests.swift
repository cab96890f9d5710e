import Foundation
import OstiaryConfiguration
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import Testing

/// Runs `body` with a contract file, which is removed when `body` returns.
func withFile<Result>(of contract: Contract, _ body: (_ path: String) throws -> Result) throws -> Result {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(contract.name)-\(UUID().uuidString).json")
    try Data(contract.json().prettyText.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    return try body(file.path)
}

/// A preset that is written to a JSON file under another name configures an app as the preset itself does.
@Suite struct RenamedContractTests {
    /// The values that an app's configuration derives from its contract.
    private struct Derived: Equatable {
        var signing: SigningSettings
        var tokens: TokenSettings
        var rules: AppRules
        var redirectURIs: RedirectURIs
        var pathPrefix: String
        var passwordChangeRenewsTokens: Bool
        var shown: [Substring]
    }

    private enum Outcome: Equatable {
        case derived(Derived)
        case refused(String)
    }

    private static let postgres = """
        mode: development
        encryption_key: MDEyMzQ1Njc4OWFiY2RlZmdoaWprbG1ub3BxcnN0dXY=
        store: "postgres://ostiary@127.0.0.1/ostiary"
        apps:

        """
    private static let heads = ["mode: development\napps:\n", productionHead, postgres]

    private static let sections = [
        "", ", tokens: {access: 60, refresh: 6000}", ", jwt_secret: \(thirdSecret)",
        ", jwt_secret: \(thirdSecret), jwt_refresh_secret: \(fourthSecret)", ", jwt_refresh_secret: \(fourthSecret)",
        ", jwt_secret: \(thirdSecret), jwt_refresh_secret: \(thirdSecret)", ", tokens: {signing: es256}",
        ", tokens: {signing: hs256}",
    ]

    private static let thirdSecret = "0e7a5bd3c94f1682e7d05b3ac1f84962"
    private static let fourthSecret = "91c6f8e04b7d2a35f60e8c1b5d94a7f3"

    private static let variables = [
        "JWT_SECRET": goodSecret, "JWT_REFRESH_SECRET": otherSecret, "JWT_EXPIRES_IN_SECONDS": "120",
        "JWT_REFRESH_EXPIRES_IN_SECONDS": "1200",
    ]
    private static let environments: [[String: String]] = [
        [:], variables, ["JWT_SECRET": goodSecret], ["JWT_SECRET": goodSecret, "JWT_REFRESH_SECRET": goodSecret],
        ["JWT_EXPIRES_IN_SECONDS": "1200", "JWT_REFRESH_EXPIRES_IN_SECONDS": "120"], ["JWT_SECRET": "secret"],
        variables.merging(["OSTIARY_APPS_APP_JWT_SECRET": fourthSecret, "OSTIARY_APPS_APP_TOKENS_ACCESS": "90"]) { $1 },
    ]

    @Test(arguments: Contract.presets, heads)
    func `derives the same secrets, lifetimes and refusals`(preset: Contract, head: String) throws {
        var renamed = preset
        renamed.name = "company"
        try withFile(of: renamed) { path in
            for section in Self.sections {
                for environment in Self.environments {
                    let expected = try outcome(of: preset.name, head, section, environment)
                    let derived = try outcome(of: path, head, section, environment)
                    #expect(derived == expected, "\(section) \(environment.keys.sorted())")
                }
            }
        }
    }

    private func outcome(
        of contract: String, _ head: String, _ section: String, _ environment: [String: String]
    ) throws -> Outcome {
        let configuration: Configuration
        do { configuration = try read("\(head)  app: {contract: \"\(contract)\"\(section)}", environment) } catch {
            return .refused("\(error)")
        }
        let app = try configuration.app("app")
        let settings: AppSettings
        do { settings = try app.settings() } catch { return .refused("\(error)") }
        let shown = configuration.show(rules: [app.name: app.contract.rules]).split(separator: "\n")
        return .derived(
            Derived(
                signing: app.signing, tokens: app.tokens, rules: settings.rules, redirectURIs: settings.redirectURIs,
                pathPrefix: settings.pathPrefix, passwordChangeRenewsTokens: settings.passwordChangeRenewsTokens,
                shown: shown.filter { !$0.contains(" contract: ") }))
    }

    @Test func `compares settings and refusals alike`() throws {
        let outcomes = try Self.sections.flatMap { section in
            try Self.environments.map { try outcome(of: "vici", productionHead, section, $0) }
        }
        let refused = outcomes.filter { if case .refused = $0 { true } else { false } }
        #expect(refused.count > 10 && outcomes.count - refused.count > 10)
    }
}
