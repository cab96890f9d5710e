import OstiaryCore

extension Contract {
    /// The contract of viewvault: Auth0 social sign-in in addition to local accounts.
    public static let viewvault = Contract(
        name: "viewvault",
        summary: "Username or email and password, beside Auth0 social sign-in.",
        rules: AppRules(
            identifier: .username, accountIDs: .integer, claims: ClaimRules(subject: .username, includesProfile: true)),
        naming: .snakeCase,
        names: [.authorizationCode: "code"],
        failureKey: "detail",
        messages: [
            "not_configured": "Authentication not available",
            "identity_token_invalid": "Invalid Auth0 token",
            "identifier_taken": "User already exists",
        ],
        prefix: "/api/auth",
        user: [
            .required(.id), .required(.username), .optional(.email), .optional(.fullName), .required(.authProvider),
            .required(.isAdmin),
        ],
        socialProviders: ["google", "github"],
        redirectURIs: ["viewvault://oauth/callback"],
        client: ClientRules(productionBaseURL: "https://app.viewvault.app"),
        endpoints: [
            .register: .post(
                "/register",
                takes: [
                    .required(.username), .required(.email), .optional(.password), .optional(.passkeyToken),
                    .optional(.credential), .optional(.fullName),
                ]),
            .socialConfiguration: .get("/auth0/config"),
            // As in the original API, whose clients send no challenge.
            .beginSocialSignIn: .post("/auth0/oauth/{provider}", takes: []),
            .completeSocialSignIn: .post("/auth0/callback", takes: [.required(.authorizationCode), .optional(.state)]),
        ])
}
