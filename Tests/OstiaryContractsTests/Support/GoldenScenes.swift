import OstiaryContracts
import OstiaryCore
import Testing

/// A golden file's name and what its request and answer mean.
struct GoldenScene: Sendable, CustomTestStringConvertible {
    var name: String
    var scene: Scene

    var testDescription: String { name }

    func contract() throws -> Contract {
        let name = String(name.prefix { $0 != "/" })
        return try #require(Tested.contracts.first { $0.name == name })
    }
}

enum GoldenScenes {
    /// Empty if one of the values in it is no good, which the test of the files' names finds.
    static func all() -> [GoldenScene] {
        let tables = [timetracker, vici, clarity, barqnet, viewvault, orchard]
        return tables.flatMap { (try? $0()) ?? [] }.map { GoldenScene(name: $0, scene: $1) }
    }

    private typealias Table = [(String, Scene)]

    private static let access = Secret("eyJhY2Nlc3M")
    private static let password = Secret("correct horse")
    private static let uuid = "3f2504e0-4f89-11d3-9a0c-0305e82c3301"

    private static let passkey = PasskeyResponse(
        token: Secret("cGFzc2tleQ"),
        credential: #"{"id":"AQ","type":"public-key","response":{"clientDataJSON":"e30","attestationObject":"oA"}}"#)
    private static let passkeyOptions = PasskeyOptions(
        token: passkey.token, publicKey: #"{"challenge":"AQ","rp":{"id":"example.com","name":"Example"}}"#)

    private static func tokens(_ access: String, _ refresh: String?, seconds: Int?) -> Tokens {
        Tokens(
            accessToken: Secret(access), expiresIn: seconds.map { .seconds($0) },
            refreshToken: refresh.map { Secret($0) })
    }

    @Sendable private static func timetracker() throws -> Table {
        let redirect = "timetracker://oauth/callback"
        let begin = BeginBrowserSignIn(redirectURI: redirect)
        let stranger = BeginBrowserSignIn(redirectURI: "timetracker://oauth/other")
        let code = Secret("SplxlOBeZQQYbYS6WxSbIA")
        let exchange = CompleteBrowserSignIn(
            authorizationCode: code, state: Secret("af0ifjsldkj"), redirectURI: redirect)
        let spent = CompleteBrowserSignIn(authorizationCode: code, state: Secret("spent"), redirectURI: redirect)
        var user = User(
            id: try AccountID(uuid), email: try EmailAddress("john@example.com"), username: try Username("johndoe"),
            fullName: try PersonName("John Doe"))
        let idp = BrowserDestination(url: "https://idp.example.com/authorize?client_id=timetracker&state=af0ifjsldkj")
        let tokens = tokens("eyJhY2Nlc3M", nil, seconds: 3600)
        let named = user
        user.email = nil
        user.fullName = nil
        return [
            ("timetracker/login", Scene(begin, answers: idp)),
            ("timetracker/login-unregistered", Scene(stranger, refusedWith: .redirectURIRefused)),
            ("timetracker/token", Scene(exchange, answers: SignedIn(tokens: tokens, user: named))),
            ("timetracker/token-nulls", Scene(exchange, answers: SignedIn(tokens: tokens, user: user))),
            ("timetracker/token-refused", Scene(spent, refusedWith: .authorizationRefused)),
            ("timetracker/me", Scene(CurrentUser(accessToken: access), answers: named)),
            ("timetracker/me-refused", Scene(CurrentUser(accessToken: access), refusedWith: .invalidAccessToken)),
            ("timetracker/logout", Scene(SignOut(accessToken: access), answers: Done())),
        ]
    }

    @Sendable private static func vici() throws -> Table {
        let email = try EmailAddress("john@example.com")
        let name = try PersonName("John Doe")
        let user = User(id: try AccountID(uuid), email: email, fullName: name)
        let nameless = User(id: try AccountID(uuid), email: email)
        let tokens = tokens("eyJhY2Nlc3M", "eyJyZWZyZXNo", seconds: nil)
        let next = Self.tokens("eyJhY2Nlc3My", "eyJyZWZyZXNoMg", seconds: nil)
        let register = Register(email: email, password: password, fullName: name)
        let signIn = SignIn(identifier: .email(email), password: password)
        let refresh = Refresh(refreshToken: Secret("eyJyZWZyZXNo"))
        let reset = ResetPassword(proof: .token(Secret("cmVzZXQ")), password: password)
        return [
            ("vici/register", Scene(register, answers: SignedIn(tokens: tokens, user: user))),
            (
                "vici/register-without-name",
                Scene(Register(email: email, password: password), answers: SignedIn(tokens: tokens, user: nameless))
            ),
            (
                "vici/register-passkey-options",
                Scene(BeginPasskeyAccount(identifier: .email(email)), answers: passkeyOptions)
            ),
            (
                "vici/register-with-passkey",
                Scene(
                    Register(email: email, passkey: passkey, fullName: name),
                    answers: SignedIn(tokens: tokens, user: user))
            ),
            (
                "vici/register-passkey-refused",
                Scene(Register(email: email, passkey: passkey), refusedWith: .credentialRefused)
            ),
            ("vici/register-taken", Scene(register, refusedWith: .identifierTaken)),
            ("vici/login", Scene(signIn, answers: SignedIn(tokens: tokens, user: user))),
            ("vici/login-refused", Scene(signIn, refusedWith: .wrongCredentials)),
            ("vici/refresh-token", Scene(refresh, answers: next)),
            ("vici/refresh-token-reused", Scene(refresh, refusedWith: .refreshTokenReused)),
            ("vici/forgot-password", Scene(RequestPasswordReset(email: email), answers: Done())),
            ("vici/reset-password", Scene(reset, answers: Done())),
            ("vici/reset-password-refused", Scene(reset, refusedWith: .resetTokenRefused)),
            ("vici/logout", Scene(SignOut(refreshToken: Secret("eyJyZWZyZXNo")), answers: Done())),
            ("vici/me", Scene(CurrentUser(accessToken: access), answers: user)),
            ("vici/update-profile", Scene(UpdateProfile(accessToken: access, fullName: name), answers: user)),
            ("vici/update-profile-empty", Scene(UpdateProfile(accessToken: access), answers: user)),
        ]
    }

    @Sendable private static func clarity() throws -> Table {
        let email = try EmailAddress("user@example.com")
        let name = try PersonName("Ada")
        let user = User(id: try AccountID(uuid), email: email, fullName: name)
        let tokens = tokens("eyJhY2Nlc3M", "cmVmcmVzaA", seconds: 3600)
        let next = Self.tokens("eyJhY2Nlc3My", "cmVmcmVzaDI", seconds: 3600)
        let device = DeviceInfo(deviceID: "8E6F", platform: "iOS", osVersion: "18.0", appVersion: "1.0.0")
        let signedIn = SignedIn(tokens: tokens, user: user)
        let signIn = SignIn(identifier: .email(email), password: password, rememberMe: true)
        let challenge = Challenge(name: "NEW_PASSWORD_REQUIRED", token: Secret("Y2hhbGxlbmdl"))
        let answer = AnswerChallenge(challengeToken: challenge.token, answers: ["NEW_PASSWORD": password])
        return [
            (
                "clarity/login",
                Scene(SignIn(identifier: .email(email), password: password, device: device), answers: signedIn)
            ),
            ("clarity/login-user-null", Scene(signIn, answers: SignedIn(tokens: tokens, user: nil))),
            ("clarity/login-challenge", Scene(signIn, refusedWith: .challengeRequired(challenge))),
            ("clarity/login-away", Scene(signIn, refusedWith: .unavailable(incident: "7f3a"))),
            ("clarity/login-throttled", Scene(signIn, refusedWith: .tooManyAttempts(retryAfterSeconds: 42))),
            ("clarity/challenge", Scene(answer, answers: signedIn)),
            ("clarity/register", Scene(Register(email: email, password: password, fullName: name), answers: signedIn)),
            (
                "clarity/register-passkey-options",
                Scene(BeginPasskeyAccount(identifier: .email(email)), answers: passkeyOptions)
            ),
            (
                "clarity/register-with-passkey",
                Scene(Register(email: email, passkey: passkey, fullName: name, rememberMe: true), answers: signedIn)
            ),
            ("clarity/refresh", Scene(Refresh(refreshToken: Secret("cmVmcmVzaA")), answers: next)),
            ("clarity/logout", Scene(SignOut(refreshToken: Secret("cmVmcmVzaA")), answers: Done())),
            ("clarity/logout-bearer", Scene(SignOut(accessToken: access), answers: Done())),
            ("clarity/me", Scene(CurrentUser(accessToken: access), answers: user)),
        ]
    }

    @Sendable private static func barqnet() throws -> Table {
        let number = try PhoneNumber("+1234567890")
        let code = try OneTimeCode("123456")
        let user = User(id: try AccountID(uuid), phoneNumber: number)
        let signedIn = SignedIn(tokens: tokens("eyJhY2Nlc3M", "cmVmcmVzaA", seconds: 3600), user: user)
        let next = tokens("eyJhY2Nlc3My", "cmVmcmVzaDI", seconds: 3600)
        let send = RequestCode(phoneNumber: number)
        let verify = VerifyCode(phoneNumber: number, code: code, codeSession: "b3Rw")
        let signIn = SignIn(identifier: .phoneNumber(number), password: password)
        return [
            ("barqnet/send-otp", Scene(send, answers: CodeRequested(codeSession: "b3Rw"))),
            ("barqnet/send-otp-too-soon", Scene(send, refusedWith: .tooManyAttempts(retryAfterSeconds: 60))),
            ("barqnet/verify-otp", Scene(verify, answers: CodeVerified(verificationToken: Secret("dmVyaWZpZWQ")))),
            ("barqnet/verify-otp-refused", Scene(verify, refusedWith: .codeRefused)),
            (
                "barqnet/register",
                Scene(Register(phoneNumber: number, password: password, code: code), answers: signedIn)
            ),
            (
                "barqnet/register-passkey-options",
                Scene(BeginPasskeyAccount(identifier: .phoneNumber(number)), answers: passkeyOptions)
            ),
            (
                "barqnet/register-with-passkey",
                Scene(Register(phoneNumber: number, passkey: passkey, code: code), answers: signedIn)
            ),
            ("barqnet/login", Scene(signIn, answers: signedIn)),
            ("barqnet/login-refused", Scene(signIn, refusedWith: .wrongCredentials)),
            ("barqnet/refresh", Scene(Refresh(refreshToken: Secret("cmVmcmVzaA")), answers: next)),
            ("barqnet/logout", Scene(SignOut(accessToken: access), answers: Done())),
            (
                "barqnet/logout-another",
                Scene(SignOut(accessToken: access, alsoEnding: Secret("eyJvdGhlcg")), answers: Done())
            ),
        ]
    }

    @Sendable private static func viewvault() throws -> Table {
        let email = try EmailAddress("user@example.com")
        let username = try Username("user@example.com")
        let name = try PersonName("User Name")
        let local = User(id: try AccountID("123"), email: email, username: username, fullName: name)
        let social = User(
            id: try AccountID("124"), email: email, username: username, fullName: name, authProvider: "auth0")
        let admin = User(id: try AccountID("1"), username: try Username("root"), roles: [User.adminRole])
        let tokens = tokens("eyJhY2Nlc3M", nil, seconds: 3600)
        let configuration = SocialConfiguration(
            domain: "tenant.auth0.com", clientID: "8x1", audience: "https://api.viewvault.app")
        let authorize = "https://tenant.auth0.com/authorize?connection="
        let google = BrowserDestination(url: "\(authorize)google-oauth2&state=af0ifjsldkj")
        let github = BrowserDestination(url: "\(authorize)github&state=af0ifjsldkj")
        let code = Secret("SplxlOBeZQQYbYS6WxSbIA")
        let callback = CompleteSocialSignIn(authorizationCode: code, state: Secret("af0ifjsldkj"))
        let signIn = SignIn(identifier: .username(username), password: password)
        let register = Register(email: email, username: username, password: password, fullName: name)
        let nameless = Register(email: email, username: username, password: password)
        return [
            ("viewvault/auth0-config", Scene(GetSocialConfiguration(), answers: configuration)),
            ("viewvault/auth0-config-missing", Scene(GetSocialConfiguration(), refusedWith: .notConfigured)),
            ("viewvault/oauth-google", Scene(BeginSocialSignIn(provider: "google"), answers: google)),
            ("viewvault/oauth-github", Scene(BeginSocialSignIn(provider: "github"), answers: github)),
            ("viewvault/callback", Scene(callback, answers: SignedIn(tokens: tokens, user: social))),
            (
                "viewvault/callback-without-state",
                Scene(CompleteSocialSignIn(authorizationCode: code), refusedWith: .authorizationRefused)
            ),
            ("viewvault/callback-bad-token", Scene(callback, refusedWith: .identityTokenInvalid)),
            ("viewvault/login", Scene(signIn, answers: SignedIn(tokens: tokens, user: local))),
            ("viewvault/login-refused", Scene(signIn, refusedWith: .wrongCredentials)),
            ("viewvault/register", Scene(register, answers: SignedIn(tokens: tokens, user: local))),
            (
                "viewvault/register-passkey-options",
                Scene(BeginPasskeyAccount(identifier: .username(username)), answers: passkeyOptions)
            ),
            (
                "viewvault/register-with-passkey",
                Scene(
                    Register(email: email, username: username, passkey: passkey, fullName: name),
                    answers: SignedIn(tokens: tokens, user: local))
            ),
            ("viewvault/register-taken", Scene(nameless, refusedWith: .identifierTaken)),
            ("viewvault/me", Scene(CurrentUser(accessToken: access), answers: local)),
            ("viewvault/me-admin", Scene(CurrentUser(accessToken: access), answers: admin)),
            ("viewvault/logout", Scene(SignOut(accessToken: access), answers: Done())),
        ]
    }

    @Sendable private static func orchard() throws -> Table {
        let number = try PhoneNumber("+491701234567")
        let code = try OneTimeCode("0421")
        let name = try PersonName("Rosa")
        let user = User(id: try AccountID("7"), phoneNumber: number, fullName: name, roles: ["pruner"])
        let signedIn = SignedIn(tokens: tokens("eyJhY2Nlc3M", "cmVuZXc", seconds: 900), user: user)
        let next = tokens("eyJhY2Nlc3M", "cmVuZXcy", seconds: nil)
        let identifier = Identifier.phoneNumber(number)
        let remembered = SignIn(identifier: identifier, password: password, rememberMe: true)
        return [
            (
                "orchard/request-code",
                Scene(RequestCode(phoneNumber: number), answers: CodeRequested(codeSession: "dGlja2V0"))
            ),
            (
                "orchard/verify-code",
                Scene(
                    VerifyCode(phoneNumber: number, code: code, codeSession: "dGlja2V0"),
                    answers: CodeVerified(verificationToken: Secret("dmVyaWZpZWQ")))
            ),
            (
                "orchard/register",
                Scene(
                    Register(phoneNumber: number, password: password, fullName: name, code: code), answers: signedIn)
            ),
            ("orchard/login", Scene(remembered, answers: signedIn)),
            (
                "orchard/login-refused",
                Scene(SignIn(identifier: identifier, password: password), refusedWith: .wrongCredentials)
            ),
            ("orchard/refresh", Scene(Refresh(refreshToken: Secret("cmVuZXc")), answers: next)),
            ("orchard/logout", Scene(SignOut(accessToken: access), answers: Done())),
            ("orchard/me", Scene(CurrentUser(accessToken: access), answers: user)),
            (
                "orchard/end-session",
                Scene(EndSession(accessToken: access, sessionID: try SessionID("c2Vzc2lvbg")), answers: Done())
            ),
            (
                "orchard/signing-key",
                Scene(
                    IssueSigningKey(accessToken: access, refreshToken: Secret("cmVuZXc")),
                    answers: RequestSigningKey(
                        id: "a2V5", secret: Secret(Array("32 bytes, as it were, of a key..".utf8))))
            ),
        ]
    }
}
