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
    case stepUpRequired = "step_up_required"
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
    case phoneNumberNotSupported = "phone_number_not_supported"

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

    // MARK: The screens: fields

    case emailLabel = "screen_email_label"
    case phoneNumberLabel = "screen_phone_number_label"
    case usernameLabel = "screen_username_label"
    case usernameOrEmailLabel = "screen_username_or_email_label"
    case passwordLabel = "screen_password_label"
    case newPasswordLabel = "screen_new_password_label"
    case currentPasswordLabel = "screen_current_password_label"
    case nameLabel = "screen_name_label"
    case codeLabel = "screen_code_label"
    case resetTokenLabel = "screen_reset_token_label"
    case rememberMeLabel = "screen_remember_me_label"
    /// {label}
    case optionalLabel = "screen_optional_label"
    case emailPrompt = "screen_email_prompt"
    case phoneNumberPrompt = "screen_phone_number_prompt"
    case phoneRegionLabel = "screen_phone_region_label"
    case phoneRegionInternational = "screen_phone_region_international"
    /// {strength}
    case strengthLabel = "screen_strength_label"
    case showPassword = "show_password"
    case hidePassword = "hide_password"

    // MARK: The screens: everywhere

    case loading = "screen_loading"
    case retryButton = "screen_retry_button"
    case continueButton = "screen_continue_button"
    case backToSignIn = "screen_back_to_sign_in"

    // MARK: The screens: signing in

    case signInTitle = "screen_sign_in_title"
    case signInButton = "screen_sign_in_button"
    case signInBusy = "screen_sign_in_busy"
    case registerLink = "screen_register_link"
    case forgotLink = "screen_forgot_link"
    case or = "screen_or"
    case signInWithApple = "screen_sign_in_with_apple"
    case signInWithGoogle = "screen_sign_in_with_google"
    case signInWithGitHub = "screen_sign_in_with_github"
    /// {provider}
    case signInWithProvider = "screen_sign_in_with_provider"
    case signInWithBrowser = "screen_sign_in_with_browser"
    case browserBusy = "screen_browser_busy"
    case browserHint = "screen_browser_hint"

    // MARK: The screens: making an account

    case registerTitle = "screen_register_title"
    case registerButton = "screen_register_button"
    case registerBusy = "screen_register_busy"
    case signInLink = "screen_sign_in_link"
    case codeTitle = "screen_code_title"
    case codeExplanation = "screen_code_explanation"
    case requestCodeButton = "screen_request_code_button"
    case requestCodeBusy = "screen_request_code_busy"
    case codeEntryTitle = "screen_code_entry_title"
    /// {number}
    case codeSentTo = "screen_code_sent_to"
    case verifyCodeButton = "screen_verify_code_button"
    case verifyCodeBusy = "screen_verify_code_busy"
    case resendButton = "screen_resend_button"
    /// {wait}
    case resendWait = "screen_resend_wait"
    case otherNumber = "screen_other_number"
    case choosePasswordTitle = "screen_choose_password_title"
    case choosePasswordExplanation = "screen_choose_password_explanation"
    case confirmRegistration = "screen_confirm_registration"
    case confirmRegistrationLead = "screen_confirm_registration_lead"
    case confirmRegistrationButton = "screen_confirm_registration_button"
    case confirmRegistrationBusy = "screen_confirm_registration_busy"

    // MARK: The screens: one more step

    case challengeTitle = "screen_challenge_title"
    case challengePassword = "screen_challenge_password"
    case challengeCode = "screen_challenge_code"
    case challengeButton = "screen_challenge_button"
    case challengeBusy = "screen_challenge_busy"

    // MARK: Forgotten passwords

    case resetRequest = "reset_request"
    case resetRequestLead = "reset_request_lead"
    case resetByCodeLead = "reset_by_code_lead"
    case sendLink = "send_link"
    case sendLinkBusy = "send_link_busy"
    case resetPassword = "reset_password"
    case resetPasswordNote = "reset_password_note"
    case savePassword = "save_password"
    case savePasswordBusy = "save_password_busy"
    case checkMail = "check_mail"
    case noMail = "no_mail"
    case linkOver = "link_over"
    case renewLink = "renew_link"
    case passwordSet = "password_set"

    // MARK: The account

    case account
    /// {name}
    case signedInAs = "signed_in_as"
    case saveName = "save_name"
    case saveNameBusy = "save_name_busy"
    case changePassword = "change_password"
    case changePasswordBusy = "change_password_busy"
    case changePasswordNote = "change_password_note"
    case sessions
    case sessionsNote = "sessions_note"
    case noSessions = "no_sessions"
    case thisDevice = "this_device"
    case unknownDevice = "unknown_device"
    /// {date}
    case lastUsed = "last_used"
    /// {date}
    case signedInSince = "signed_in_since"
    case endSession = "end_session"
    case endSessionBusy = "end_session_busy"
    /// {device}
    case endSessionOf = "end_session_of"
    case endSessionTitle = "end_session_title"
    /// {device}
    case endSessionNote = "end_session_note"
    case endCurrentSessionNote = "end_current_session_note"
    case accounts
    case switchAccountHint = "switch_account_hint"
    case signOut = "sign_out"
    case confirmSignOut = "confirm_sign_out"
    case confirmSignOutLead = "confirm_sign_out_lead"
    case deleteAccount = "delete_account"
    case deleteAccountBusy = "delete_account_busy"
    case deleteAccountNote = "delete_account_note"
    case deleteAccountPassword = "delete_account_password"
    case confirmDeleteAccount = "confirm_delete_account"
    case deleteForGood = "delete_for_good"

    // MARK: The lock

    case lockTitle = "lock_title"
    case lockNote = "lock_note"
    case unlock
    case unlockBusy = "unlock_busy"
    case unlockReason = "unlock_reason"
    case unlockCancelled = "unlock_cancelled"
    case unlockFailed = "unlock_failed"

    // MARK: What is told after a session

    case signOutUntold = "sign_out_untold"
    case accountDeleted = "account_deleted"
    case enrolmentChanged = "enrolment_changed"
    case nobodyEnrolled = "nobody_enrolled"
    case cancel
    case done
    case dismissNotice = "dismiss_notice"
}
