import Foundation
import OstiaryConfiguration
import OstiaryContracts
import OstiaryCore
import OstiaryEngine

/// The configuration of a new server in production: a YAML file, and a file of variables with its secrets.
struct FirstConfiguration: Sendable {
    /// The name of the host that apps and browsers connect to.
    var domain: String
    var apps: [NewApp]
    /// The value of `store`.
    var store: String
    /// The URL of the mail server, with its user and password; nil for none.
    var mail: String?
    /// The sender of mails; nil for `no-reply` of the domain.
    var sender: String?

    /// The URL to which text messages are posted; nil for none.
    var textMessages: String?

    /// An app of the configuration.
    struct NewApp: Hashable, Sendable {
        let name: AppName
        /// The contract: a preset's name, or the path of a JSON file.
        let contract: String

        /// Reads `NAME=CONTRACT`, or the name of a preset alone.
        init?(_ text: String) {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let first = parts.first, let last = parts.last, let name = try? AppName(String(first)) else {
                return nil
            }
            self.name = name
            contract = String(last)
        }

        /// The contract as the configuration names it: a relative path would be one in the configuration's directory there, and
        /// is one in the working directory here.
        fileprivate var reference: String {
            Contract.preset(contract) == nil ? URL(fileURLWithPath: contract).path : contract
        }

        /// `true` for an app whose accounts are a provider's.
        fileprivate var usesProvider: Bool { get throws { try rules.identifier == .subject } }

        /// - Throws: ``AdministrationProblem`` if there is no such contract.
        fileprivate var rules: AppRules {
            get throws {
                if let preset = Contract.preset(contract) { return preset.rules }
                do { return try Contract.read(file: contract).rules } catch {
                    throw AdministrationProblem(
                        "--app \(name)=\(contract): this is no preset, and as the path of a JSON file: \(error)")
                }
            }
        }
    }

    /// The text of the YAML file. It has variables in the place of secrets.
    func text() throws -> String {
        let isStoreSecret = hasPassword(store)
        var lines = [
            "# `ostiary config show` prints the effective values. The variables are in the file `environment` beside this one.",
            "mode: production",
            "listen: 127.0.0.1:3001",
            "public_url: \(Outline.scalar("https://\(domain)"))",
            "# The proxy that ends TLS.",
            "trusted_proxies: [127.0.0.1/32, \"::1/128\"]",
            "store: \(isStoreSecret ? "\"${\(Self.storeVariable)}\"" : Outline.scalar(store))",
            "encryption_key: \"${\(Self.encryptionKeyVariable)}\"",
            "signing_key_days: 90",
        ]
        if mail != nil {
            let from = Outline.scalar(sender ?? "no-reply@\(domain)")
            lines.append("email: {kind: smtp, url: \"${\(Self.mailVariable)}\", from: \(from)}")
        }
        if let textMessages {
            let secret = "\"${\(Self.textMessageSecretVariable)}\""
            lines.append("sms: {kind: webhook, url: \(Outline.scalar(textMessages)), secret: \(secret)}")
        }
        if try apps.contains(where: { try $0.usesProvider }) {
            lines += ["# The built-in OpenID provider, at /idp.", "idp:", "  name: \(Outline.scalar(domain))"]
        }
        lines.append("apps:")
        for app in apps {
            lines += ["  \(app.name):", "    contract: \(Outline.scalar(app.reference))"]
            if try app.usesProvider { lines.append("    identity: {kind: builtin}") }
            lines += try secretKeys(of: app).map { "    \($0): \"${\(variable($0, of: app))}\"" }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns the secrets by the variables that hold them.
    func variables(_ system: SystemDependencies) throws -> [(name: String, value: Secret<String>)] {
        func secret() -> Secret<String> { Secret(Data(system.randomBytes(32)).base64EncodedString()) }
        var variables = [(name: Self.encryptionKeyVariable, value: secret())]
        if hasPassword(store) { variables.append((Self.storeVariable, Secret(store))) }
        if let mail { variables.append((Self.mailVariable, Secret(mail))) }
        if textMessages != nil { variables.append((Self.textMessageSecretVariable, secret())) }
        for app in apps { variables += try secretKeys(of: app).map { (variable($0, of: app), secret()) } }
        return variables
    }

    private static let encryptionKeyVariable = "ENCRYPTION_KEY"
    private static let storeVariable = "STORE_URL"
    private static let mailVariable = "MAIL_URL"
    private static let textMessageSecretVariable = "SMS_SECRET"

    private func variable(_ key: String, of app: NewApp) -> String {
        "\(app.name.text.uppercased().replacing("-", with: "_"))_\(key.uppercased())"
    }

    /// Returns the keys of an app that need a secret in production: those of the contract's signatures.
    private func secretKeys(of app: NewApp) throws -> [String] {
        let rules = try app.rules
        var keys: [String] = []
        if rules.accessTokenSigning == .hs256 { keys.append("jwt_secret") }
        if rules.refresh?.form == .jwt { keys.append("jwt_refresh_secret") }
        return keys
    }

    private func hasPassword(_ url: String) -> Bool { URLComponents(string: url)?.password != nil }
}
