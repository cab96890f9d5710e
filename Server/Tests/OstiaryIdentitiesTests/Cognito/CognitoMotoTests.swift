import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryIdentities
import Testing

/// Tests with moto, which simulates pools, users and passwords; its peer verifies every secret hash with Python's hmac.
@Suite(.timeLimit(.minutes(5))) struct CognitoMotoTests {
    private let password = "Right-1-word"

    @Test(arguments: [true, false]) func `signs in with the right password`(secret: Bool) async throws {
        let pool = try await MotoPool(secret: secret)
        let user = try await pool.makeUser(password: password)
        let answer = try await pool.credentialProvider().signIn("ada@example.org", password: Secret(password))
        let identity = try #require(answer.identity)
        #expect(identity.issuer == "https://cognito-idp.us-east-1.amazonaws.com/\(pool.name)")
        #expect(identity.subject == user["subject"]?.text)
        #expect(identity.email == (try EmailAddress("ada@example.org")))
        #expect(identity.fullName?.text == "Ada Lovelace")
        #expect(!identity.isEmailVerified)
    }

    @Test func `EN-08 answers alike to a wrong password, nobody, a disabled and an unconfirmed person`() async throws {
        let pool = try await MotoPool()
        for user in ["ada", "disabled", "unconfirmed"] {
            try await pool.makeUser("\(user)@example.org", password: password)
        }
        try await pool.change("disabled@example.org", by: "disable")
        try await pool.change("unconfirmed@example.org", by: "unconfirm")
        let attempts = [
            ("ada", "Wrong-1-word"), ("nobody", password), ("disabled", password), ("unconfirmed", password),
        ]
        for (user, password) in attempts {
            await #expect(throws: CredentialProviderRefusal.refused, "\(user)") {
                try await pool.credentialProvider().signIn("\(user)@example.org", password: Secret(password))
            }
        }
    }

    @Test func `blames the configuration for a wrong client secret, not the password`() async throws {
        let pool = try await MotoPool()
        try await pool.makeUser(password: password)
        let credentialProvider = pool.credentialProvider { $0.clientSecret = Secret("another") }
        await #expect(throws: UpstreamProblem.clientRefused(origin: pool.settings.endpoint ?? "")) {
            try await credentialProvider.signIn("ada@example.org", password: Secret(password))
        }
    }

    @Test func `blames the configuration for an unknown client`() async throws {
        let pool = try await MotoPool()
        let credentialProvider = pool.credentialProvider { $0.clientID = "nobody" }
        await #expect(throws: UpstreamProblem.clientRefused(origin: pool.settings.endpoint ?? "")) {
            try await credentialProvider.signIn("ada@example.org", password: Secret(password))
        }
    }

    /// The secret hash of a renewal is computed over the pool's own username, which one of the two pools generates.
    @Test(arguments: [true, false]) func `renews a session`(email: Bool) async throws {
        let pool = try await MotoPool(email: email)
        try await pool.makeUser(password: password)
        let credentialProvider = pool.credentialProvider()
        let session = try #require(
            await credentialProvider.signIn("ada@example.org", password: Secret(password)).session)
        let renewed = try await credentialProvider.renew(session)
        #expect(try await credentialProvider.renew(renewed) == renewed)
    }

    @Test func `renews no session of a person who was disabled since`() async throws {
        let pool = try await MotoPool()
        try await pool.makeUser(password: password)
        let credentialProvider = pool.credentialProvider()
        let session = try #require(
            await credentialProvider.signIn("ada@example.org", password: Secret(password)).session)
        try await pool.change(by: "disable")
        await #expect(throws: CredentialProviderRefusal.refused) { try await credentialProvider.renew(session) }
    }

    @Test func `UP-07 asks for a new password in place of a temporary one, and signs in with it`() async throws {
        let pool = try await MotoPool()
        try await pool.makeUser(password: "Temporary-1-word", temporary: true)
        let credentialProvider = pool.credentialProvider()
        let step = try #require(
            await credentialProvider.signIn("ada@example.org", password: Secret("Temporary-1-word")).step)
        #expect(step.name == "NEW_PASSWORD_REQUIRED")
        await #expect(throws: CredentialProviderRefusal.passwordUnacceptable) {
            try await credentialProvider.answer(step, ["NEW_PASSWORD": Secret("short")])
        }
        let answer = try await credentialProvider.answer(step, ["NEW_PASSWORD": Secret(password)])
        #expect(answer.identity != nil)
        #expect(try await credentialProvider.signIn("ada@example.org", password: Secret(password)).identity != nil)
    }

    @Test func `renews a session that began with a new password`() async throws {
        let pool = try await MotoPool()
        try await pool.makeUser(password: "Temporary-1-word", temporary: true)
        let credentialProvider = pool.credentialProvider()
        let step = try #require(
            await credentialProvider.signIn("ada@example.org", password: Secret("Temporary-1-word")).step)
        let answer = try await credentialProvider.answer(step, ["NEW_PASSWORD": Secret(password)])
        let session = try #require(answer.session)
        #expect(try await !credentialProvider.renew(session).isEmpty)
    }

    @Test func `UP-07 asks for the code of an authenticator app, and takes only the right one`() async throws {
        let pool = try await MotoPool()
        try await pool.makeUser(password: password)
        try await pool.change(by: "require_code")
        let credentialProvider = pool.credentialProvider()
        let step = try #require(await credentialProvider.signIn("ada@example.org", password: Secret(password)).step)
        #expect(step.name == "SOFTWARE_TOKEN_MFA")
        await #expect(throws: CredentialProviderRefusal.refused) {
            try await credentialProvider.answer(step, ["SOFTWARE_TOKEN_MFA_CODE": Secret("wrong")])
        }
        let answer = try await credentialProvider.answer(step, ["SOFTWARE_TOKEN_MFA_CODE": Secret(pool.code())])
        #expect(answer.identity != nil)
    }
}
