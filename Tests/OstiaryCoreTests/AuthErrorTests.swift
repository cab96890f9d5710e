import OstiaryCore
import Testing

@Suite struct AuthErrorTests {
    /// What clients in the field rely on. A line may be added; none may change.
    private static let table: [(AuthError, String)] = [
        (.invalid(.email, .missing), "email_missing"),
        (.invalid(.password, .mistyped), "password_mistyped"),
        (.invalid(.phoneNumber, .malformed), "phone_number_malformed"),
        (.invalid(.newPassword, .tooShort(minimum: 8)), "new_password_too_short"),
        (.invalid(.fullName, .tooLong(maximum: 200)), "full_name_too_long"),
        (.invalid(.password, .tooCommon), "password_too_common"),
        (.invalid(.password, .compromised), "password_compromised"),
        (.invalid(.password, .containsIdentifier), "password_contains_identifier"),
        (.invalid(.phoneNumber, .notSupported), "phone_number_not_supported"),
        (.malformedRequest, "malformed_request"),
        (.wrongCredentials, "wrong_credentials"),
        (.invalidAccessToken, "invalid_access_token"),
        (.sessionRevoked, "session_revoked"),
        (.accountDisabled, "account_disabled"),
        (.refreshTokenInvalid, "refresh_token_invalid"),
        (.refreshTokenReused, "refresh_token_reused"),
        (.refreshTokenExpired, "refresh_token_expired"),
        (.refreshTokenRevoked, "refresh_token_revoked"),
        (.codeRefused, "code_refused"),
        (.resetTokenRefused, "reset_token_refused"),
        (.authorizationRefused, "authorization_refused"),
        (.redirectURIRefused, "redirect_uri_refused"),
        (.identityTokenInvalid, "identity_token_invalid"),
        (.challengeRequired(Challenge(name: "SMS_MFA", token: Secret("t"))), "challenge_required"),
        (.forbidden, "forbidden"), (.missingPermission, "missing_permission"), (.impersonated, "impersonated"),
        (.notFound, "not_found"),
        (.confirmationRequired, "confirmation_required"),
        (.registrationTokenRefused, "registration_token_refused"),
        (.deviceLinkRequired, "device_link_required"),
        (.identifierTaken, "identifier_taken"),
        (.stepUpRequired(StepUpRequirement()), "step_up_required"),
        (.invalidDPoPProof, "invalid_dpop_proof"), (.useDPoPNonce(nonce: "n"), "use_dpop_nonce"),
        (.dpopRequired, "dpop_required"),
        (.challengeRefused, "challenge_refused"),
        (.credentialRefused, "credential_refused"),
        (.factorRequired, "factor_required"),
        (.factorLimitReached, "factor_limit_reached"),
        (.attestationRefused, "attestation_refused"),
        (.appAssertionRequired, "app_assertion_required"),
        (.appAssertionRefused, "app_assertion_refused"),
        (.tooManyAttempts(retryAfterSeconds: 1), "too_many_attempts"),
        (.proofOfWorkRequired(ProofOfWork(challenge: "AA", bits: 1), retryAfterSeconds: 1), "proof_of_work_required"),
        (.busy(retryAfterSeconds: 1), "busy"),
        (.notConfigured, "not_configured"),
        (.unavailable(incident: "i"), "unavailable"),
        (.rejected(status: 418, message: "m"), "rejected"),
    ]

    @Test(arguments: table) func `a code never changes`(error: AuthError, code: String) { #expect(error.code == code) }

    @Test func `no two refusals have one code`() {
        let problems: [FieldProblem] = [
            .missing, .mistyped, .malformed, .tooShort(minimum: 1), .tooLong(maximum: 1), .tooCommon, .compromised,
            .containsIdentifier, .notSupported,
        ]
        let ofFields = Field.allCases.flatMap { field in problems.map { AuthError.invalid(field, $0).code } }
        let others = Self.table.map(\.0).filter { if case .invalid = $0 { false } else { true } }.map(\.code)
        #expect(Set(ofFields + others).count == ofFields.count + others.count)
    }

    @Test(arguments: [
        (Field.id, "id"), (.phoneNumber, "phone_number"), (.deviceId, "device_id"), (.osVersion, "os_version"),
        (.oauthUrl, "oauth_url"), (.lastUsedAt, "last_used_at"),
    ]) func `a field's snake case has an underscore before each part`(field: Field, text: String) {
        #expect(field.snakeCased == text)
    }
}
