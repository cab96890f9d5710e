import Foundation
import OstiaryContracts
import Testing

@testable import OstiaryConfiguration

/// The comparison of a configuration with the one before.
@Suite struct ConfigurationChangesTests {
    private static let base = """
        mode: development
        encryption_key: MDEyMzQ1Njc4OWFiY2RlZmdoaWprbG1ub3BxcnN0dXY=
        email: {kind: smtp, url: "smtps://ada:one-password@mail.example.com", from: a@example.com}
        sms: {kind: webhook, url: "https://sms.example.com/one-path", secret: one-secret-of-the-webhook-0123456789}
        idp: {clients: {web: {secret: one-secret-of-the-client-0123456789, redirect_uris: ["https://a.example.com/b"]}}}
        apps:
          vici: {color: "#112233", jwt_secret: \(goodSecret), jwt_refresh_secret: \(otherSecret)}
          clarity: {identity: [{kind: github, client_id: a, client_secret: one-secret}, {kind: local}]}

        """

    private func changes(_ old: String, _ new: String) throws -> [String] {
        try read(Self.base.replacing(old, with: new)).snapshot.changes(since: read(Self.base).snapshot)
    }

    @Test func `finds no change in the same configuration`() throws {
        #expect(try read(Self.base).snapshot.changes(since: read(Self.base).snapshot) == [])
        let explicit = "vici: {passwords: {bcrypt_cost: \(AppConfiguration.defaultBcryptCost)}, "
        #expect(try changes("vici: {", explicit) == [])
    }

    @Test(arguments: [
        ("#112233", "#445566", ["apps.vici.color"]),
        ("one-password", "other-password", ["email.url"]),
        ("one-path", "other-path", ["sms.url"]),
        ("one-secret-of-the-webhook", "other-secret-of-the-webhook", ["sms.secret"]),
        ("one-secret-of-the-client", "other-secret-of-the-client", ["idp.clients.web.secret"]),
        ("one-secret}", "other-secret}", ["apps.clarity.identity.client_secret"]),
        ("jwt_secret: ", "jwt_secret: x", ["apps.vici.jwt_secret"]),
        (
            "jwt_secret: \(goodSecret)", "jwt_secrets: [\(goodSecret), \(goodSecret)-2]",
            ["apps.vici.jwt_secret", "apps.vici.jwt_secrets"]
        ),
        ("  vici: {", "  demo: {contract: clarity}\n  vici: {", ["apps.demo (added)"]),
        ("  clarity: {", "  other: {contract: clarity, ", ["apps.clarity (removed)", "apps.other (added)"]),
    ]) func `names what differs, and no value`(old: String, new: String, expected: [String]) throws {
        #expect(try changes(old, new) == expected)
    }

    @Test func `a contract's file with another content is a change`() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let file = directory.appending(path: "contract.json")
        let contract = try #require(try read("mode: development\napps: {vici: {}}").apps.first?.contract)
        let text = try String(decoding: contract.json().bytes, as: UTF8.self)
        func settings(_ text: String) throws -> Configuration.Snapshot {
            try Data(text.utf8).write(to: file)
            return try read("mode: development\napps: {demo: {contract: \"\(file.path)\"}}").snapshot
        }
        let one = try settings(text)
        #expect(try settings(text).changes(since: one) == [])
        let renamed = text.replacing("\"name\":\"vici\"", with: "\"name\":\"other\"")
        try #require(renamed != text)
        #expect(try settings(renamed).changes(since: one) == ["apps.demo.contract"])
    }

    @Test(arguments: [
        ("listen: 127.0.0.1:4001\n", ["listen"]),
        ("admin: {listen: 127.0.0.1:4002}\n", ["admin.listen"]),
        ("store: \"sqlite:/tmp/other.db\"\n", ["store"]),
        ("log: {level: debug}\nlimits: {connections: 100}\npublic_url: http://127.0.0.1:3001\n", []),
    ]) func `names what only a restart changes`(text: String, expected: [String]) throws {
        #expect(try read(text + Self.base).settingsThatNeedRestart(after: read(Self.base)) == expected)
        #expect(try read(Self.base).settingsThatNeedRestart(after: read(text + Self.base)) == expected)
    }

    @Test func `the mode, and the password of a database, need a restart`() throws {
        let production = productionHead + "  clarity: {}\n"
        let other = production.replacing("apps:", with: "store: \"postgres://a:one@127.0.0.1/b\"\napps:")
        #expect(try read(other).settingsThatNeedRestart(after: read(production)) == ["store"])
        #expect(
            try read(other.replacing("a:one", with: "a:two")).settingsThatNeedRestart(after: read(other)) == ["store"])
        let development = production.replacing("mode: production", with: "mode: development")
        #expect(
            try read(development).settingsThatNeedRestart(after: read(production)) == ["mode", "admin.listen"])
    }
}
