import Foundation
import OstiaryConfiguration
import OstiaryCore
import OstiaryEngine
import Testing

/// The configuration example of the documentation, with its placeholders filled in.
@Suite struct ConfigurationExampleTests {
    private let example = """
        mode: production                       # development | production
        listen: 127.0.0.1:3001
        public_url: https://auth.example.com   # what links and redirects are built from, never the Host header
        trusted_proxies: [127.0.0.1/32]
        store: sqlite:./data/ostiary.db        # or postgres://user:password@host1,host2/dbname?…
        encryption_key: ${OSTIARY_ENCRYPTION_KEY}
        email: {kind: smtp, url: "smtps://user:password@mail.example.com:465", from: "Example <no-reply@example.com>"}   # or {kind: inbox}
        sms: {kind: twilio, account_sid: AC0, auth_token: t0ken, from: "+15555550123"}
        apps:
          timetracker:
            contract: timetracker              # a preset, or a path to a JSON file
            base_path: /timetracker            # or hosts: [api.example.com]
            redirect_uris: ["timetracker://oauth/callback"]
            identity: {kind: oidc, issuer: "https://idp.example.com", client_id: tt, client_secret: s}
          vici:
            contract: vici
            base_path: /vici
            identity: {kind: local}
          clarity:
            contract: clarity
            base_path: /clarity
            identity: {kind: cognito, region: us-east-1, user_pool_id: p, client_id: c, client_secret: s, endpoint: "http://127.0.0.1:5000"}
          barqnet:
            contract: barqnet
            base_path: /barqnet
            identity: {kind: local}
          viewvault:
            contract: viewvault
            base_path: /viewvault
            redirect_uris: ["viewvault://oauth/callback"]
            identity: {kind: auth0, domain: tenant.auth0.com, client_id: c, client_secret: s, audience: a}

        """

    @Test func `reads`() throws {
        let configuration = try read(
            example,
            [
                "OSTIARY_ENCRYPTION_KEY": "MDEyMzQ1Njc4OWFiY2RlZmdoaWprbG1ub3BxcnN0dXY=",
                "JWT_SECRET": goodSecret, "JWT_REFRESH_SECRET": otherSecret,
                "OSTIARY_APPS_CLARITY_IDENTITY_CLIENT_SECRET": "from-the-environment",
            ])
        #expect(configuration.mode == .production && configuration.store == .sqlite(path: "./data/ostiary.db"))
        #expect(configuration.encryptionKeys.first?.reveal() == Array("0123456789abcdefghijklmnopqrstuv".utf8))
        #expect(configuration.apps.map(\.name.text) == ["timetracker", "vici", "clarity", "barqnet", "viewvault"])
        #expect(try configuration.app("timetracker").redirectURIs == ["timetracker://oauth/callback"])
        guard case .cognito(let pool) = try configuration.app("clarity").identities.first?.source,
            case .auth0(let auth0?) = try configuration.app("viewvault").identities.first?.source,
            case .oidc(let oidc?) = try configuration.app("timetracker").identities.first?.source
        else { throw Missing() }
        #expect(pool.clientSecret?.reveal() == "from-the-environment" && pool.endpoint == "http://127.0.0.1:5000")
        #expect(auth0.domain == "tenant.auth0.com" && oidc.issuer == "https://idp.example.com")
        #expect(try configuration.app("vici").signing.secret?.reveal() == goodSecret)
    }

    @Test func `finds the file that is named, and says which one it cannot read`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "ostiary-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "o.yaml").path
        try Data("mode: development\ntls: {certificate: c.pem, key: k.pem}".utf8).write(to: URL(fileURLWithPath: path))
        for name in ["c.pem", "k.pem"] { try Data().write(to: folder.appending(path: name)) }

        let file = try ConfigurationFile.find(option: path, environment: ["OSTIARY_CONFIG": "elsewhere"])
        let tls = try Configuration(file: file, environment: [:]).tls
        #expect(tls == TLSFiles(certificate: folder.path + "/c.pem", key: folder.path + "/k.pem"))
        #expect(
            throws: ConfigurationProblem(
                place: .variable("OSTIARY_CONFIG"), key: "/nowhere/o.yaml",
                need: "needs to exist: there is no such file, or a folder of its path cannot be entered")
        ) {
            try ConfigurationFile.find(option: nil, environment: ["OSTIARY_CONFIG": "/nowhere/o.yaml"])
        }
    }

    @Test func `PT-32: the refusal of a file says which one and why`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "ostiary-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func refusal(_ path: String) -> String? {
            do {
                let file = try ConfigurationFile.find(option: path, environment: [:])
                _ = try Configuration(file: file, environment: [:])
                return nil
            } catch {
                return "\(error)"
            }
        }
        let bad = folder.appending(path: "bad.yaml").path
        try Data([0x6D, 0xFF]).write(to: URL(fileURLWithPath: bad))
        #expect(
            refusal("\(folder.path)/none.yaml")?.hasPrefix("--config: \(folder.path)/none.yaml: needs to exist") == true
        )
        #expect(refusal(folder.path) == "--config: \(folder.path): needs to be a file: it is a directory")
        #expect(refusal("/dev/zero") == "--config: /dev/zero: needs to be a regular file: it is a pipe or a device")
        #expect(refusal(bad) == "\(bad): needs UTF-8")
        // The root user can read every file.
        guard geteuid() != 0 else { return }
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: bad)
        #expect(refusal(bad) == "--config: \(bad): needs to be readable: this user may not open it")
    }

    @Test(arguments: [(0o600, false), (0o400, false), (0o604, true), (0o644, true), (0o660, true), (0o602, true)])
    func `PT-24: a private key that others can read or change is exposed`(mode: Int, isExposed: Bool) throws {
        let key = FileManager.default.temporaryDirectory.appending(path: "ostiary-\(UUID()).pem")
        try Data().write(to: key)
        defer { try? FileManager.default.removeItem(at: key) }
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: key.path)
        #expect(TLSFiles(certificate: key.path, key: key.path).isKeyExposed == isExposed)
    }
}
