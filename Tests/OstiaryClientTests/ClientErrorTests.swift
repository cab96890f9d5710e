import Foundation
import OstiaryCore
import Testing

@testable import OstiaryClient

struct ClientErrorTests {
    private static let canary = "canary"

    static let refusals: [AuthError] =
        Field.allCases.flatMap { field in
            [
                .missing, .mistyped, .malformed, .tooShort(minimum: 8), .tooLong(maximum: 72), .tooCommon, .compromised,
                .containsIdentifier, .notSupported,
            ].map { AuthError.invalid(field, $0) }
        } + [
            .malformedRequest, .wrongCredentials, .invalidAccessToken, .sessionRevoked, .accountDisabled,
            .refreshTokenInvalid, .refreshTokenReused, .refreshTokenExpired, .refreshTokenRevoked, .codeRefused,
            .resetTokenRefused, .authorizationRefused, .redirectURIRefused, .identityTokenInvalid,
            .challengeRequired(Challenge(name: "NEW_PASSWORD_REQUIRED", token: Secret(canary))), .forbidden, .notFound,
            .confirmationRequired, .registrationTokenRefused, .identifierTaken, .tooManyAttempts(retryAfterSeconds: 1),
            .deviceLinkRequired,
            .proofOfWorkRequired(ProofOfWork(challenge: canary, bits: 18), retryAfterSeconds: 60),
            .busy(retryAfterSeconds: 5), .notConfigured, .unavailable(incident: "i"),
            .attestationRefused, .appAssertionRequired, .appAssertionRefused,
            .rejected(status: 418, message: "I am a teapot."), .rejected(status: 400, message: ""),
            .rejected(status: 502, message: "<html>\(canary)</html>"),
        ]

    static let all: [ClientError] =
        [
            .invalidURL(.malformed), .invalidURL(.plainHTTP), .invalidURL(.holdsCredentials),
            .invalidURL(.unsupportedScheme), .invalidRequest("the path must begin with a slash"),
            .unsupported(.requestCode), .notSignedIn, .locked, .unauthorized, .http(status: 409, message: "Taken."),
            .http(status: 500, message: ""), .http(status: 404, message: "<html>\(canary)</html>"),
            .http(status: 299, message: ""), .http(status: 302, message: ""), .http(status: 400, message: ""),
            .http(status: 403, message: ""), .http(status: 405, message: ""), .http(status: 413, message: ""),
            .http(status: 418, message: ""), .rateLimited(until: .distantFuture), .temporarilyUnavailable,
            .invalidResponse, .decoding("projects[3].name"), .offline, .certificatePinningFailed, .store(.busy),
            .store(.newerVersion), .store(.damaged(setAside: "/x")), .store(.notPrivate(path: "/x")),
            .store(.system(path: "/x", code: 13)), .passkeyExists, .cancelledByUser, .cancelled,
        ] + refusals.flatMap { [.refused($0), .sessionEnded($0)] }
        + [
            TransportError.offline, .connectionLost, .timedOut, .untrusted, .pinMismatch, .tooLarge(maximumBytes: 1),
            .notHTTP, .unsendable, .wouldBeProxied, .cancelled,
        ].flatMap { [.network($0), ClientError($0)] }

    @Test(arguments: all)
    func `has a sentence for a person`(_ error: ClientError) {
        let text = error.description
        #expect(text.first?.isUppercase == true && text.hasSuffix(".") && text.contains(where: \.isLowercase))
        #expect(error.errorDescription == text && error.localizedDescription == text && "\(error)" == text)
        for stranger in ["Error", "Optional", "rawValue", "<", ".."] {
            #expect(!text.contains(stranger), "\(text)")
        }
    }

    @Test(arguments: all)
    func `holds no secret`(_ error: ClientError) {
        #expect(!error.description.contains(Self.canary) && !error.name.contains(Self.canary))
    }

    @Test func `shows the server's own words, where a person can be shown them`() {
        #expect(ClientError.http(status: 409, message: "Taken.").description == "Taken.")
        #expect(ClientError.refused(.rejected(status: 418, message: "I am a teapot.")).description == "I am a teapot.")
    }

    @Test(arguments: [
        ClientError.rateLimited(until: .distantPast), .temporarilyUnavailable, .offline, .network(.connectionLost),
        .network(.timedOut), .store(.busy), .http(status: 500, message: ""), .refused(.busy(retryAfterSeconds: 1)),
        .refused(.tooManyAttempts(retryAfterSeconds: 1)), .refused(.unavailable(incident: nil)),
    ])
    func `says when the same may succeed later`(_ error: ClientError) {
        #expect(error.isRetryable)
    }

    @Test(arguments: [
        ClientError.invalidURL(.malformed), .invalidRequest(""), .unsupported(.signIn), .notSignedIn, .locked,
        .sessionEnded(.refreshTokenExpired), .refused(.wrongCredentials), .unauthorized,
        .http(status: 404, message: ""),
        .invalidResponse, .decoding(""), .network(.untrusted), .certificatePinningFailed, .store(.newerVersion),
        .passkeyExists, .cancelledByUser, .cancelled,
    ])
    func `says when it will not`(_ error: ClientError) {
        #expect(!error.isRetryable)
    }
}
