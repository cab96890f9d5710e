extension IdentityConfiguration.Cognito {
    init(_ section: Section, mode: Mode) throws(ConfigurationProblem) {
        let region = try section.required("region", "the pool's region, for example us-east-1")
        let pool = try section.required("user_pool_id", "the pool's id, for example us-east-1_AbCdEfGhI")
        // The region becomes part of a host name.
        guard try region.string().utf8.allSatisfy({ $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") }) else {
            throw region.problem("needs a region, for example us-east-1")
        }
        self.region = region.text
        userPoolID = try pool.string()
        clientID = try section.required("client_id", "the app client's id").string()
        let isPublic = try section.boolean("public") ?? false
        if let secret = try section.setting("client_secret") {
            guard !isPublic else { throw secret.problem("needs to be left out: the app client is public") }
            clientSecret = try secret.secret()
        } else if !isPublic {
            throw section.problem("client_secret", "needs the app client's secret, or public: true beside it")
        }
        migrates = try section.boolean("migrate") ?? false
        if let endpoint = try section.setting("endpoint") {
            self.endpoint = try WebURL(endpoint, allowingPlain: mode == .development).text
        }
    }
}
