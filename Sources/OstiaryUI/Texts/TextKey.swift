/// What a text of the screens is looked up by, whatever the language.
public enum TextKey: String, Hashable, Sendable, CaseIterable {
    // MARK: Refusals, by their stable code

    case malformedRequest = "malformed_request"
    case wrongCredentials = "wrong_credentials"
    case wrongCredentialsPhoneNumber = "wrong_credentials_phone_number"
    case wrongCredentialsUsername = "wrong_credentials_username"
    case wrongPassword = "wrong_password"
    case sessionEnded = "session_ended"
    case refreshTokenReused = "refresh_token_reused"
    case accountDisabled = "account_disabled"
    case codeRefused = "code_refused"
    case resetTokenRefused = "reset_token_refused"
    case authorizationRefused = "authorization_refused"
    case redirectURIRefused = "redirect_uri_refused"
    case identityTokenInvalid = "identity_token_invalid"
    case challengeRequired = "challenge_required"
    case forbidden
    case notFound = "not_found"
    case confirmationRequired = "confirmation_required"
    case registrationTokenRefused = "registration_token_refused"
    case identifierTaken = "identifier_taken"
    case identifierTakenPhoneNumber = "identifier_taken_phone_number"
    case identifierTakenUsername = "identifier_taken_username"
    /// {wait}
    case tooManyAttempts = "too_many_attempts"
    case busy
    case notConfigured = "not_configured"
    /// {incident}
    case unavailable
    case unavailableWithoutIncident = "unavailable_without_incident"
    case rejected

    // MARK: What is wrong at a field

    case passwordMissing = "password_missing"
    case emailMissing = "email_missing"
    case phoneNumberMissing = "phone_number_missing"
    case usernameMissing = "username_missing"
    case codeMissing = "code_missing"
    case missing
    case emailMalformed = "email_malformed"
    case phoneNumberMalformed = "phone_number_malformed"
    case codeMalformed = "code_malformed"
    /// {limit}
    case codeLength = "code_length"
    case malformed
    /// {limit}
    case tooShort = "too_short"
    /// {limit}
    case tooLong = "too_long"
    case tooCommon = "too_common"
    case containsIdentifier = "contains_identifier"

    // MARK: The way there, and this device

    case offline
    case connectionLost = "connection_lost"
    case untrusted
    case invalidResponse = "invalid_response"
    case browserFailed = "browser_failed"
    case store
    case locked
    case notSignedIn = "not_signed_in"
    case appMistake = "app_mistake"

    // MARK: How strong a password is

    case strength0 = "strength_0"
    case strength1 = "strength_1"
    case strength2 = "strength_2"
    case strength3 = "strength_3"
    case strength4 = "strength_4"
    case strengthCommonWord = "strength_common_word"
    case strengthOwnName = "strength_own_name"
    case strengthRun = "strength_run"
    case strengthKeyboard = "strength_keyboard"
    case strengthRepetition = "strength_repetition"
    case strengthYear = "strength_year"
    case strengthShort = "strength_short"

    // MARK: What else is told

    case memoryOnly = "memory_only"
    case passwordChanged = "password_changed"
    case profileSaved = "profile_saved"
    case codeSent = "code_sent"
    case confirmationSent = "confirmation_sent"
    case resetSent = "reset_sent"
    case passwordReset = "password_reset"

    // MARK: Time

    case oneSecond = "one_second"
    /// {count}
    case seconds
    /// {count}
    case minutes
}
