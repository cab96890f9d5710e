import OstiaryCore

extension Contract {
    /// The contract of clarity: email and password, checked by AWS Cognito through the backend, or locally.
    public static let clarity = Contract(
        name: "clarity",
        summary: "Email and password, checked by AWS Cognito or locally.",
        rules: AppRules(identifier: .email, refresh: RefreshRules(seconds: 2_592_000, shortSeconds: 86_400)),
        naming: .snakeCase,
        names: [.fullName: "name"],
        failureKey: "detail",
        prefix: "/api/v1/auth",
        client: ClientRules(
            refreshLeadSeconds: 60,
            keychain: KeychainRules(items: [.accessToken: "access_token", .refreshToken: "refresh_token"])),
        endpoints: [
            .signOut: .post("/logout", answers: .message("Logged out successfully")),
            .answerChallenge: .post("/challenge"),
        ])
}
