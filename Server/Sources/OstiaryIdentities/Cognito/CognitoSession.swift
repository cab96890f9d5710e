import OstiaryContracts
import OstiaryCore

/// The stored part of a sign-in at Cognito: enough to check later that the account may continue.
struct CognitoSession: Hashable, Sendable {
    /// The pool's own username, which may differ from the identifier that the user entered.
    var username: String
    var refreshToken: Secret<String>
    /// `true` if `GetTokensFromRefreshToken` renews the session, as with app clients that rotate refresh tokens.
    var rotates: Bool

    init(username: String, refreshToken: Secret<String>, rotates: Bool = false) {
        self.username = username
        self.refreshToken = refreshToken
        self.rotates = rotates
    }

    /// Creates a session from its stored form; nil for bytes that ``bytes`` did not produce.
    init?(_ bytes: [UInt8]) {
        guard let json = try? JSON.read(bytes), case .string(let username)? = json["username"],
            case .string(let token)? = json["refresh_token"], case .boolean(let rotates)? = json["rotates"]
        else { return nil }
        self.init(username: username, refreshToken: Secret(token), rotates: rotates)
    }

    var bytes: [UInt8] {
        let json: JSON = [
            "username": .string(username), "refresh_token": .string(refreshToken.reveal()),
            "rotates": .boolean(rotates),
        ]
        return json.bytes
    }
}
