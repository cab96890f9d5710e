import OstiaryCore

extension Contract {
    /// The contract of barqnet: phone number, SMS code and password; every answer is in an envelope.
    public static let barqnet = Contract(
        name: "barqnet",
        summary: "Phone number, SMS code and password.",
        rules: AppRules(identifier: .phoneNumber, registersWithCode: true, refresh: RefreshRules(seconds: 2_592_000)),
        naming: .snakeCase,
        names: [.code: "otp", .codeSession: "session_id"],
        envelope: Envelope(successKey: "success", dataKey: "data"),
        failureKey: "error",
        prefix: "/v1/auth",
        client: ClientRules(
            refreshLeadSeconds: 300, refreshesAhead: true, developmentBaseURL: "http://localhost:8080",
            productionBaseURL: "https://api.barqnet.com",
            keychain: KeychainRules(
                service: "com.barqnet.ios", items: [.session: "auth_tokens", .user: "current_user"],
                accessible: .whenUnlocked, thisDeviceOnly: false)),
        endpoints: [
            .requestCode: .post("/send-otp"),
            .verifyCode: .post("/verify-otp"),
            .refresh: .post("/refresh", names: [.refreshToken: "token"]),
            .signOut: .post("/logout", takes: [.required(.alsoEnding)], names: [.alsoEnding: "token"]),
        ])
}
