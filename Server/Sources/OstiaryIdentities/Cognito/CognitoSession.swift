import OstiaryContracts
import OstiaryCore

/// What is kept of a sign-in at Cognito: enough to ask later whether the person may go on.
struct CognitoSession: Hashable, Sendable {
    /// The pool's own name for the person, which is not always what they typed.
    var username: String
    var refreshToken: Secret<String>
    /// Whether `GetTokensFromRefreshToken` is what renews it, as with app clients that rotate refresh tokens.
    var rotates: Bool

    init(username: String, refreshToken: Secret<String>, rotates: Bool = false) {
        self.username = username
        self.refreshToken = refreshToken
        self.rotates = rotates
    }

    /// Nil for bytes that ``bytes`` did not make.
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
