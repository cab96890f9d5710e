import OstiaryConfiguration
import OstiaryCore
import OstiaryEngine
import OstiaryIdentities

/// The dependencies of an app's identity providers.
struct IdentityDependencies {
    /// Returns a client for an external provider, trusting the authorities of a file instead of the system's.
    var upstream: (_ authoritiesFile: String?) -> UpstreamClient
    /// The built-in provider as this app's; nil where there is none.
    var builtIn: BuiltIn?
    var system: SystemDependencies

    /// Dependencies that reach no provider, for checking that providers can be created.
    static var none: IdentityDependencies {
        IdentityDependencies(
            upstream: { _ in
                UpstreamClient(transport: InProcessTransport { _ in throw Unreachable() }, system: .system)
            },
            builtIn: nil, system: .system)
    }

    private struct Unreachable: Error {}

    struct BuiltIn {
        var issuer: String
        var client: UpstreamClient
        var clientID: String
        var clientSecret: Secret<String>
        /// `true` if it assesses the risk of sign-ins.
        var isAssessed: Bool
    }
}

extension IdentitySources {
    /// Creates the identity providers of an app.
    ///
    /// - Throws: ``ConfigurationProblem`` for values that only the provider itself can check, for example a key.
    init(of app: ResolvedConfiguration.App, with dependencies: IdentityDependencies) throws(ConfigurationProblem) {
        self.init()
        for identity in app.identities {
            do throws(InvalidProviderSetting) {
                try add(identity, with: dependencies)
            } catch {
                throw ConfigurationProblem(
                    place: nil, key: "apps.\(app.settings.name).identity", need: "\(identity.name): \(error.need)")
            }
        }
    }

    private mutating func add(
        _ identity: IdentityConfiguration, with dependencies: IdentityDependencies
    ) throws(InvalidProviderSetting) {
        let (name, title, system) = (identity.name, identity.title, dependencies.system)
        switch identity.source {
        case .local: break
        case .oidc(let settings?):
            if let file = settings.caFile { try HTTPUpstreamTransport.check(authoritiesFile: file) }
            providers.append(
                OpenIDConnectProvider(
                    OpenIDSettings(
                        name: name, title: title, kind: name, issuer: settings.issuer, clientID: settings.clientID,
                        clientSecret: settings.clientSecret, scope: settings.scopes.joined(separator: " "),
                        endpointHosts: settings.endpointHosts, authentication: settings.authentication),
                    client: dependencies.upstream(settings.caFile), system: system))
        case .builtIn, .oidc(nil):
            guard let builtIn = dependencies.builtIn else { return }
            providers.append(
                OpenIDConnectProvider(
                    OpenIDSettings(
                        name: name, title: title, kind: name, issuer: builtIn.issuer, clientID: builtIn.clientID,
                        clientSecret: builtIn.clientSecret, isAssessed: builtIn.isAssessed), client: builtIn.client,
                    system: system))
        case .auth0(let settings?):
            let auth0 = Auth0Settings(
                name: name, title: title, domain: settings.domain, clientID: settings.clientID,
                clientSecret: settings.clientSecret, audience: settings.audience)
            providers.append(try Auth0Provider(auth0, client: dependencies.upstream(nil), system: system))
            socialConfiguration = SocialConfiguration(
                domain: settings.domain, clientID: settings.clientID, audience: settings.audience)
        case .auth0(nil):
            guard let builtIn = dependencies.builtIn else { return }
            let standIn = Auth0Settings(
                name: name, title: title, baseURL: builtIn.issuer, issuer: builtIn.issuer, clientID: builtIn.clientID,
                clientSecret: builtIn.clientSecret, isAssessed: builtIn.isAssessed)
            providers.append(try Auth0Provider(standIn, client: builtIn.client, system: system))
            socialConfiguration = SocialConfiguration(
                domain: builtIn.issuer, clientID: builtIn.clientID, audience: builtIn.issuer)
        case .google(let settings):
            var google = GoogleSettings(
                name: name, clientID: settings.clientID, clientSecret: settings.clientSecret,
                nativeClientIDs: settings.nativeClientIDs)
            google.issuer = settings.issuer ?? google.issuer
            providers.append(
                GoogleProvider(google, client: dependencies.upstream(nil), system: system))
        case .apple(let settings):
            var apple = AppleSettings(
                name: name, clientID: settings.clientID, teamID: settings.teamID, keyID: settings.keyID,
                privateKey: settings.privateKey, nativeClientIDs: settings.nativeClientIDs)
            apple.issuer = settings.issuer ?? apple.issuer
            providers.append(try AppleProvider(apple, client: dependencies.upstream(nil), system: system))
        case .github(let settings):
            var github = GitHubSettings(
                name: name, clientID: settings.clientID, clientSecret: settings.clientSecret)
            if let endpoint = settings.endpoint { (github.baseURL, github.apiURL) = (endpoint, endpoint) }
            providers.append(try GitHubProvider(github, client: dependencies.upstream(nil), system: system))
        case .cognito(let settings):
            credentialProvider = CognitoCredentialProvider(
                CognitoSettings(
                    region: settings.region, userPoolID: settings.userPoolID, clientID: settings.clientID,
                    clientSecret: settings.clientSecret, endpoint: settings.endpoint,
                    migratesPasswords: settings.migrates),
                client: dependencies.upstream(nil), system: system)
        }
    }
}

extension IdentityConfiguration.OIDC {
    fileprivate var authentication: ClientAuthentication? {
        switch clientAuthentication {
        case .basic: .basic
        case .post: .post
        case nil: nil
        }
    }
}
