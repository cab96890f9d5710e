import Foundation
import OstiaryClient
import OstiaryClientTestSupport
import OstiaryCore
@testable import OstiaryUI
import Testing

@Suite struct TextsTests {
    @Test(arguments: AuthTexts.all) func `has every text in every language`(texts: AuthTexts) {
        for key in TextKey.allCases { #expect(texts.table[key]?.isEmpty == false, "\(key)") }
    }

    @Test func `asks for the same values in every language`() {
        func holes(_ texts: AuthTexts, _ key: TextKey) -> Set<Substring> {
            Set((texts.table[key] ?? "").matches(of: /\{\w+\}/).map(\.output))
        }
        for key in TextKey.allCases { #expect(holes(.english, key) == holes(.german, key), "\(key)") }
    }

    @Test(arguments: AuthError.samples) func `has words of its own for every refusal`(refusal: AuthError) {
        let rejected = AuthTexts.english(.rejected)
        let text = AuthTexts.english.text(of: .refused(refusal), in: .form(.signIn))
        #expect(text != rejected && !text.isEmpty)
    }

    @Test func `says nothing where nothing went wrong`() {
        for failure in [ClientError.cancelled, .cancelledByUser] {
            #expect(AuthTexts.english.text(of: failure, in: .form(.signIn)).isEmpty)
        }
    }

    @Test(
        arguments: [
            (["de-AT", "en"], "de"), (["fr-FR", "de"], "de"), (["EN-gb"], "en"), (["fr"], "en"), ([], "en"),
            (["de_CH"], "de"), (["den"], "en"),
        ] as [([String], String)])
    func `speaks the language that the person likes best of those there are`(languages: [String], language: String) {
        #expect(AuthTexts.matching(languages).language == language)
    }

    @Test(arguments: [
        (0, "one second"), (1, "one second"), (2, "2 seconds"), (99, "99 seconds"), (100, "2 minutes"),
        (3600, "60 minutes"),
    ])
    func `tells a wait in the unit that fits`(seconds: Int, text: String) {
        #expect(AuthTexts.english.wait(.seconds(seconds)) == text)
    }

    @Test func `takes an app's own words`() {
        let texts = AuthTexts.german.replacing([.wrongCredentials: "Nö."])
        #expect(texts.text(of: .refused(.wrongCredentials), in: .form(.signIn)) == "Nö.")
        #expect(texts(.offline) == AuthTexts.german(.offline))
    }

    @Test func `says in English what a language lacks`() {
        #expect(AuthTexts(language: "fr", [:])(.offline) == AuthTexts.english(.offline))
    }

    @Test func `has a text for every strength and every reason`() {
        for texts in AuthTexts.all {
            for reason in PasswordStrength.Reason.allCases { #expect(texts.text(of: reason).contains(" ")) }
            for password in ["password", "donau dampf schiff"] {
                #expect(!texts.text(of: PasswordStrength(of: Secret(password))).isEmpty)
            }
        }
    }

    @Test(
        arguments: [
            .offline, .network(.offline), .network(.connectionLost), .network(.timedOut), .network(.untrusted),
            .certificatePinningFailed, .temporarilyUnavailable, .invalidResponse, .unauthorized, .notSignedIn, .locked,
            .sessionEnded(.refreshTokenReused), .sessionEnded(.accountDisabled), .browserAnswer(.foreign),
            .http(status: 503, message: ""), .refused(.invalid(.password, .tooCommon)),
            .refused(.tooManyAttempts(retryAfterSeconds: 1)), .refused(.tooManyAttempts(retryAfterSeconds: 5)),
            .refused(.tooManyAttempts(retryAfterSeconds: 301)),
        ] as [ClientError])
    func `says in English what the error's own description says`(failure: ClientError) {
        #expect(AuthTexts.english.text(of: failure, in: .form(.signIn)) == failure.description)
    }

    /// Those for which a screen has better words, since it knows what was typed, or whom to ask.
    private static let wordedByTheScreen: Set<String> = [
        "wrong_credentials", "identifier_taken", "challenge_required", "unavailable", "rejected",
    ]

    @Test(arguments: AuthError.samples)
    func `says of a refusal what its description says, where no screen is needed`(refusal: AuthError) {
        if case .invalid = refusal { return }
        guard !Self.wordedByTheScreen.contains(refusal.code) else { return }
        let failure = ClientError.refused(refusal)
        #expect(AuthTexts.english.text(of: failure, in: .form(.signIn)) == failure.description)
    }

    @Test func `cuts what a foreign server says to what a person reads`() {
        let text = AuthTexts.english.text(
            of: .refused(.rejected(status: 400, message: String(repeating: "a", count: 10_000))), in: .form(.signIn))
        #expect(text.count == 500)
    }
}

extension AuthError {
    static let samples: [AuthError] = [
        .invalid(.email, .malformed), .invalid(.fullName, .tooLong(maximum: 200)), .malformedRequest, .wrongCredentials,
        .invalidAccessToken, .sessionRevoked, .accountDisabled, .refreshTokenInvalid, .refreshTokenReused,
        .refreshTokenExpired, .refreshTokenRevoked, .codeRefused, .resetTokenRefused, .authorizationRefused,
        .redirectURIRefused, .identityTokenInvalid,
        .challengeRequired(Challenge(name: "RETINA", token: Secret("t"))), .forbidden, .notFound, .confirmationRequired,
        .registrationTokenRefused, .identifierTaken, .tooManyAttempts(retryAfterSeconds: 5), .deviceLinkRequired,
        .busy(retryAfterSeconds: 5), .notConfigured, .unavailable(incident: "7"), .unavailable(incident: nil),
        .rejected(status: 400, message: "No, not today."),
    ]
}
