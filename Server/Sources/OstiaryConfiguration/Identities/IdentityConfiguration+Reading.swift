import OstiaryCore

extension IdentityConfiguration {
    /// Reads the key `identity` of an app: one mapping, or a list of them.
    ///
    /// The environment variable is `OSTIARY_APPS_X_IDENTITY_CLIENT_SECRET` for the mapping, and for an entry of the
    /// list it includes the entry's name: `OSTIARY_APPS_X_IDENTITY_GOOGLE_CLIENT_SECRET`.
    ///
    /// - Parameter idp: The built-in provider, if there is one.
    /// - Returns: An empty array where the key is left out.
    static func read(
        _ app: Section, mode: Mode, idp: ProviderConfiguration?
    ) throws(ConfigurationProblem) -> [IdentityConfiguration] {
        let sections = try app.sections("identity", label: ["name", "kind"]) { key, text in
            key == "kind" ? Kind(rawValue: text) != nil : isName(text)
        }
        var identities: [IdentityConfiguration] = []
        for section in sections {
            let identity = try IdentityConfiguration(section, mode: mode, idp: idp)
            if identities.contains(where: { $0.name == identity.name }) {
                throw section.problem("name", "needs to differ from the other entries' names")
            }
            if let need = conflict(of: identity, with: identities) { throw section.problem("kind", need) }
            identities.append(identity)
        }
        return identities
    }

    private init(_ section: Section, mode: Mode, idp: ProviderConfiguration?) throws(ConfigurationProblem) {
        let kind: Kind = try section.required("kind", "one of \(Kind.allCases.map(\.rawValue).joined(separator: ", "))")
            .choice()
        name = kind.rawValue
        if let setting = try section.setting("name") {
            guard Self.isName(setting.text) else {
                throw setting.problem("needs small letters, digits and -, at most 64")
            }
            // Accounts are labelled with the name, and must not pass for those of another source.
            guard Kind(rawValue: setting.text) ?? kind == kind else {
                throw setting.problem("needs another name: this one is a kind's")
            }
            name = setting.text
        }
        let title = try section.setting("title").map { (setting) throws(ConfigurationProblem) in
            try DisplayName.check(setting)
        }
        switch kind {
        case .local: source = .local
        case .builtin:
            guard idp != nil else {
                throw section.problem("kind", "needs idp, the built-in provider's own section, or another kind")
            }
            source = .builtIn
        case .oidc: source = .oidc(Self.isBare(section, OIDC.keys, mode) ? nil : try OIDC(section, mode: mode))
        case .auth0: source = .auth0(Self.isBare(section, Auth0.keys, mode) ? nil : try Auth0(section, mode: mode))
        case .google: source = .google(try Google(section, mode: mode))
        case .apple: source = .apple(try Apple(section, mode: mode))
        case .github: source = .github(try GitHub(section, mode: mode))
        case .cognito: source = .cognito(try Cognito(section, mode: mode))
        }
        self.title = title ?? source.title(idp: idp)
        try section.finish()
    }

    private static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0.isDigit || $0 == UInt8(ascii: "-") }
    }

    /// Returns `true` if the section holds only a kind, which in development selects the built-in provider.
    private static func isBare(_ section: Section, _ keys: [String], _ mode: Mode) -> Bool {
        mode == .development && !keys.contains { section.has($0) }
    }

    /// Returns the conflict between two sources that would check the same password, or be the same provider twice.
    private static func conflict(of identity: Self, with others: [Self]) -> String? {
        let kinds = others.map(\.kind)
        switch identity.kind {
        case .local, .builtin, .auth0, .cognito:
            if kinds.contains(identity.kind) { return "needs to be the only \(identity.kind) of the app" }
        case .oidc, .google, .apple, .github: break
        }
        let pair: [Kind] = [.local, .cognito]
        if pair.contains(identity.kind), kinds.contains(where: pair.contains) {
            return "needs to be either local or cognito: one of them checks passwords"
        }
        return nil
    }
}

extension IdentityConfiguration.Source {
    fileprivate func title(idp: ProviderConfiguration?) -> String {
        switch self {
        case .local: "Password"
        case .builtIn, .oidc(nil): idp?.name ?? ProviderConfiguration.defaultName
        case .oidc(let provider?): URLParts(provider.issuer)?.host ?? provider.issuer
        case .auth0: "Auth0"
        case .google: "Google"
        case .apple: "Apple"
        case .github: "GitHub"
        case .cognito: "Cognito"
        }
    }
}
