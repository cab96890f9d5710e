import OstiaryCore

extension Contract {
    /// The contract of vici: email and password, access and refresh tokens, roles.
    public static let vici = Contract(
        name: "vici",
        summary: "Email and password, with access and refresh tokens and roles.",
        rules: AppRules(
            identifier: .email, refresh: RefreshRules(seconds: 604_800, form: .jwt), accessTokenSigning: .hs256,
            environment: EnvironmentRules(overridesFile: true)),
        naming: .camelCase,
        names: [.fullName: "name", .resetToken: "token"],
        failureKey: "error",
        prefix: "/api/auth",
        endpoints: [
            .register: .post("/register", answers: signedIn),
            .signIn: .post("/login", answers: signedIn),
            .refresh: .post("/refresh-token", answers: .fields([.required(.accessToken), .required(.refreshToken)])),
            .signOut: .post("/logout", takes: [.required(.refreshToken)], answers: .message("Logout successful")),
        ])

    private static let signedIn = AnswerShape.fields([
        .required(.user), .required(.accessToken), .required(.refreshToken),
    ])
}
