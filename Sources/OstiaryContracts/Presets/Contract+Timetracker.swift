import OstiaryCore

extension Contract {
    /// The contract of timetracker: sign-in in the browser, in which the backend is the client of an OpenID Connect
    /// provider.
    public static let timetracker = Contract(
        name: "timetracker",
        summary: "Sign-in in the browser: the backend stands in front of an OpenID Connect provider.",
        rules: AppRules(identifier: .subject),
        naming: .snakeCase,
        names: [.fullName: "fullName", .authorizationCode: "code"],
        failureKey: "error",
        prefix: "/auth",
        user: [.required(.id), .required(.username), .optional(.fullName), .optional(.email)],
        redirectURIs: ["timetracker://oauth/callback"],
        client: ClientRules(
            developmentBaseURL: "http://localhost:3001",
            keychain: KeychainRules(
                service: "com.timetracker.app", items: [.accessToken: "accessToken"], accessible: .whenUnlocked,
                thisDeviceOnly: true)),
        endpoints: [
            .completeBrowserSignIn: .post(
                "/token",
                answers: .fields([
                    .required(.accessToken), .required(.tokenType), .required(.expiresIn), .required(.user),
                ]))
        ])
}
