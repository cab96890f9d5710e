/// The keys of the texts on the screens, the same for every language. The raw values are the keys of string catalogues.
public enum TextKey: String, Hashable, Sendable, CaseIterable {
    // MARK: Refusals, by their stable code

    /// The refusal of a request that the server cannot read.
    case malformedRequest = "malformed_request"
    /// The refusal of an email address or its password.
    case wrongCredentials = "wrong_credentials"
    /// The refusal of a phone number or its password.
    case wrongCredentialsPhoneNumber = "wrong_credentials_phone_number"
    /// The refusal of a username or its password.
    case wrongCredentialsUsername = "wrong_credentials_username"
    /// The refusal of the password of a known account.
    case wrongPassword = "wrong_password"
    /// The end of a session without a more specific text.
    case sessionEnded = "session_ended"
    /// The end of a session because an earlier refresh token was presented.
    case refreshTokenReused = "refresh_token_reused"
    /// The end of a session because the account is disabled.
    case accountDisabled = "account_disabled"
    /// The refusal of a one-time code.
    case codeRefused = "code_refused"
    /// The refusal of the link to a new password.
    case resetTokenRefused = "reset_token_refused"
    /// The refusal of a browser sign-in that is used or expired.
    case authorizationRefused = "authorization_refused"
    /// The refusal of the app's redirect URI.
    case redirectURIRefused = "redirect_uri_refused"
    /// The request to sign in again before a sensitive action.
    case stepUpRequired = "step_up_required"
    /// The refusal of an identity provider's token.
    case identityTokenInvalid = "identity_token_invalid"
    /// A challenge that this package does not support.
    case challengeRequired = "challenge_required"
    /// The refusal of the answer to a step that has expired.
    case challengeRefused = "challenge_refused"
    /// The refusal of a passkey's registration.
    case credentialRefused = "credential_refused"
    /// The refusal of an app version that cannot bind its session to a key.
    case dpopRequired = "dpop_required"
    /// The refusal to remove the last second factor.
    case factorRequired = "factor_required"
    /// The refusal of a further second factor.
    case factorLimitReached = "factor_limit_reached"
    /// The refusal of an action that the account's roles do not permit.
    case forbidden
    /// The refusal of a request for an unknown object.
    case notFound = "not_found"
    /// The note that a registration is completed by a mail.
    case confirmationRequired = "confirmation_required"
    /// The refusal of the link that completes a registration.
    case registrationTokenRefused = "registration_token_refused"
    /// The refusal of an email address that has an account.
    case identifierTaken = "identifier_taken"
    /// The refusal of a phone number that has an account.
    case identifierTakenPhoneNumber = "identifier_taken_phone_number"
    /// The refusal of a username or address that has an account.
    case identifierTakenUsername = "identifier_taken_username"
    /// The refusal of too many attempts. Placeholder: `{wait}`, a duration in words.
    case tooManyAttempts = "too_many_attempts"
    /// The refusal of a sign-in on an unrecognized device after too many wrong passwords.
    case deviceLinkRequired = "device_link_required"
    /// The button that requests a device link.
    case requestDeviceLink = "screen_request_device_link"
    /// The note that a device link was sent.
    case deviceLinkSent = "screen_device_link_sent"
    /// The purpose of a device link that opened the app.
    case deviceLinkLead = "screen_device_link_lead"
    /// The button that uses a device link.
    case redeemDeviceLink = "screen_redeem_device_link"
    /// The note that the account recognizes this device.
    case deviceRecognized = "screen_device_recognized"
    /// The refusal by an overloaded server.
    case busy
    /// The refusal of an app that the server could not verify.
    case appNotVerified = "app_not_verified"
    /// The refusal of a way to sign in that the server does not offer.
    case notConfigured = "not_configured"
    /// A failure of the server. Placeholder: `{incident}`, the identifier in the server's log.
    case unavailable
    /// A failure of the server without an identifier.
    case unavailableWithoutIncident = "unavailable_without_incident"
    /// A refusal without a more specific text.
    case rejected

    // MARK: Problems of a field

    /// An empty password field.
    case passwordMissing = "password_missing"
    /// An empty email field.
    case emailMissing = "email_missing"
    /// An empty phone number field.
    case phoneNumberMissing = "phone_number_missing"
    /// An empty username field.
    case usernameMissing = "username_missing"
    /// An empty code field.
    case codeMissing = "code_missing"
    /// Any other empty field.
    case missing
    /// An invalid email address.
    case emailMalformed = "email_malformed"
    /// An invalid phone number.
    case phoneNumberMalformed = "phone_number_malformed"
    /// A code with characters other than digits.
    case codeMalformed = "code_malformed"
    /// A code of the wrong length. Placeholder: `{limit}`, the number of digits.
    case codeLength = "code_length"
    /// An invalid value of any other field.
    case malformed
    /// A value that is too short. Placeholder: `{limit}`, the minimum number of characters.
    case tooShort = "too_short"
    /// A value that is too long. Placeholder: `{limit}`, the maximum number of bytes.
    case tooLong = "too_long"
    /// A password from the list of common passwords.
    case tooCommon = "too_common"
    /// A password that is known from a breach.
    case compromised
    /// A password that is the person's own name or address.
    case containsIdentifier = "contains_identifier"
    /// A phone number of a country to which no messages are sent.
    case phoneNumberNotSupported = "phone_number_not_supported"

    // MARK: Network and device

    /// An unreachable server.
    case offline
    /// A connection that broke before the answer.
    case connectionLost = "connection_lost"
    /// A server that could not prove its identity.
    case untrusted
    /// An unreadable answer, for example of a captive portal.
    case invalidResponse = "invalid_response"
    /// A browser that returned without a sign-in.
    case browserFailed = "browser_failed"
    /// A session store that the device does not let the app read.
    case store
    /// An action that requires the app to be unlocked first.
    case locked
    /// An action that requires a session.
    case notSignedIn = "not_signed_in"
    /// A misconfiguration of the app.
    case appMistake = "app_mistake"

    // MARK: Password strength

    /// The rating of a password with score 0, the weakest.
    case strength0 = "strength_0"
    /// The rating of a password with score 1.
    case strength1 = "strength_1"
    /// The rating of a password with score 2.
    case strength2 = "strength_2"
    /// The rating of a password with score 3.
    case strength3 = "strength_3"
    /// The rating of a password with score 4, the strongest.
    case strength4 = "strength_4"
    /// The weakness of a password that contains a common password.
    case strengthCommonWord = "strength_common_word"
    /// The weakness of a password that contains the person's own name or address.
    case strengthOwnName = "strength_own_name"
    /// The weakness of a password that contains ascending or descending characters.
    case strengthRun = "strength_run"
    /// The weakness of a password that contains neighbouring keys.
    case strengthKeyboard = "strength_keyboard"
    /// The weakness of a password that contains repetitions.
    case strengthRepetition = "strength_repetition"
    /// The weakness of a password that contains a year.
    case strengthYear = "strength_year"
    /// The weakness of a short password.
    case strengthShort = "strength_short"

    // MARK: Notices and steps

    /// The notice that the device cannot store the session.
    case memoryOnly = "memory_only"
    /// The notice that the password was changed.
    case passwordChanged = "password_changed"
    /// The notice that the name was saved.
    case profileSaved = "profile_saved"
    /// The note that a code was sent.
    case codeSent = "code_sent"
    /// The note that a mail to complete the registration was sent.
    case confirmationSent = "confirmation_sent"
    /// The note that a mail was sent if the account exists.
    case resetSent = "reset_sent"
    /// The note that the new password was set and all sessions have ended.
    case passwordReset = "password_reset"

    // MARK: Time

    /// A duration of one second.
    case oneSecond = "one_second"
    /// A duration in seconds. Placeholder: `{count}`.
    case seconds
    /// A duration in minutes. Placeholder: `{count}`.
    case minutes

    // MARK: The screens: fields

    /// The label of the email field.
    case emailLabel = "screen_email_label"
    /// The label of the phone number field.
    case phoneNumberLabel = "screen_phone_number_label"
    /// The label of the username field.
    case usernameLabel = "screen_username_label"
    /// The label of the field for a username or an email address.
    case usernameOrEmailLabel = "screen_username_or_email_label"
    /// The label of the password field.
    case passwordLabel = "screen_password_label"
    /// The label of the field for a new password.
    case newPasswordLabel = "screen_new_password_label"
    /// The label of the field for the current password.
    case currentPasswordLabel = "screen_current_password_label"
    /// The label of the name field.
    case nameLabel = "screen_name_label"
    /// The label of the code field.
    case codeLabel = "screen_code_label"
    /// The label of the field for the token from a link.
    case resetTokenLabel = "screen_reset_token_label"
    /// The label of the switch for a long session.
    case rememberMeLabel = "screen_remember_me_label"
    /// The label of an optional field. Placeholder: `{label}`.
    case optionalLabel = "screen_optional_label"
    /// An example of an email address.
    case emailPrompt = "screen_email_prompt"
    /// An example of an international phone number.
    case phoneNumberPrompt = "screen_phone_number_prompt"
    /// The label of the picker for the region of a phone number.
    case phoneRegionLabel = "screen_phone_region_label"
    /// The choice of international phone numbers only.
    case phoneRegionInternational = "screen_phone_region_international"
    /// The label of the password strength. Placeholder: `{strength}`, the rating.
    case strengthLabel = "screen_strength_label"
    /// The accessibility label of the button that reveals a password.
    case showPassword = "show_password"
    /// The accessibility label of the button that hides a password.
    case hidePassword = "hide_password"

    // MARK: The screens: everywhere

    /// The label of a progress indicator.
    case loading = "screen_loading"
    /// The button that repeats the failed action.
    case retryButton = "screen_retry_button"
    /// The button above a keypad that moves to the next field.
    case continueButton = "screen_continue_button"
    /// The button that returns to the sign-in.
    case backToSignIn = "screen_back_to_sign_in"

    // MARK: The screens: signing in

    /// The title of the sign-in.
    case signInTitle = "screen_sign_in_title"
    /// The button that signs in.
    case signInButton = "screen_sign_in_button"
    /// The title of that button during the sign-in.
    case signInBusy = "screen_sign_in_busy"
    /// The button that shows the registration.
    case registerLink = "screen_register_link"
    /// The button for a forgotten password.
    case forgotLink = "screen_forgot_link"
    /// The word between the form and the provider buttons.
    case or = "screen_or"
    /// The button for Apple.
    case signInWithApple = "screen_sign_in_with_apple"
    /// The button for Google.
    case signInWithGoogle = "screen_sign_in_with_google"
    /// The button for GitHub.
    case signInWithGitHub = "screen_sign_in_with_github"
    /// The button for any other provider. Placeholder: `{provider}`.
    case signInWithProvider = "screen_sign_in_with_provider"
    /// The button that signs in on the server's page.
    case signInWithBrowser = "screen_sign_in_with_browser"
    /// The title of a button while the browser is open.
    case browserBusy = "screen_browser_busy"
    /// The note below the button that opens the browser.
    case browserHint = "screen_browser_hint"

    // MARK: The screens: registering

    /// The title of the registration.
    case registerTitle = "screen_register_title"
    /// The button that creates the account.
    case registerButton = "screen_register_button"
    /// The title of that button during the registration.
    case registerBusy = "screen_register_busy"
    /// The button that returns to the sign-in.
    case signInLink = "screen_sign_in_link"
    /// The title of the screen for the phone number.
    case codeTitle = "screen_code_title"
    /// The note that a code is sent by text message.
    case codeExplanation = "screen_code_explanation"
    /// The button that sends the code.
    case requestCodeButton = "screen_request_code_button"
    /// The title of that button while the code is being sent.
    case requestCodeBusy = "screen_request_code_busy"
    /// The title of the screen for the code.
    case codeEntryTitle = "screen_code_entry_title"
    /// The note that a code was sent. Placeholder: `{number}`, the phone number.
    case codeSentTo = "screen_code_sent_to"
    /// The button that checks the code.
    case verifyCodeButton = "screen_verify_code_button"
    /// The title of that button during the check.
    case verifyCodeBusy = "screen_verify_code_busy"
    /// The button that sends another code.
    case resendButton = "screen_resend_button"
    /// The time until another code may be requested. Placeholder: `{wait}`, a duration in words.
    case resendWait = "screen_resend_wait"
    /// The button that returns to the phone number.
    case otherNumber = "screen_other_number"
    /// The title of the screen for the password.
    case choosePasswordTitle = "screen_choose_password_title"
    /// The note that the number is confirmed and a password follows.
    case choosePasswordExplanation = "screen_choose_password_explanation"
    /// The title of the screen that completes a registration.
    case finishRegistration = "screen_confirm_registration"
    /// The introduction of that screen.
    case finishRegistrationLead = "screen_confirm_registration_lead"
    /// The button that completes the registration.
    case finishRegistrationButton = "screen_confirm_registration_button"
    /// The title of that button while the registration is being completed.
    case finishRegistrationBusy = "screen_confirm_registration_busy"

    // MARK: The screens: challenges

    /// The title of the screen for a challenge.
    case challengeTitle = "screen_challenge_title"
    /// The introduction of a challenge for a new password.
    case challengePassword = "screen_challenge_password"
    /// The introduction of a challenge for a code.
    case challengeCode = "screen_challenge_code"
    /// The introduction of a challenge for a recovery code.
    case challengeRecoveryCode = "screen_challenge_recovery_code"
    /// The introduction of a challenge for a passkey.
    case challengePasskey = "screen_challenge_passkey"
    /// The button that answers a challenge with a passkey.
    case passkeyButton = "screen_challenge_passkey_button"
    /// The link to the passkeys.
    case usePasskey = "screen_challenge_use_passkey"
    /// The link to the codes of an authenticator app.
    case useAuthenticator = "screen_challenge_use_authenticator"
    /// The link that sends a code by text message.
    case useTextMessage = "screen_challenge_use_text_message"
    /// The link that sends a code by email.
    case useEmailCode = "screen_challenge_use_email"
    /// The link to the recovery codes.
    case useRecoveryCode = "screen_challenge_use_recovery_code"
    /// The label of the field for a recovery code.
    case recoveryCodeLabel = "screen_recovery_code_label"
    /// The button that signs in with a passkey.
    case signInWithPasskey = "screen_sign_in_passkey"
    /// The button that sends the answer.
    case challengeButton = "screen_challenge_button"
    /// The title of that button during the check.
    case challengeBusy = "screen_challenge_busy"
    /// The label of the switch by which the device is not asked again for a time. Placeholder: `{days}`, 2 or more.
    case rememberDevice = "screen_remember_device"
    /// The label of that switch for one day.
    case rememberDeviceOneDay = "screen_remember_device_one_day"

    // MARK: The screens: step-up

    /// The title of the question to authenticate again.
    case stepUpTitle = "screen_step_up_title"
    /// The reason for the question.
    case stepUpLead = "screen_step_up_lead"
    /// The button that answers with the password.
    case usePassword = "screen_step_up_use_password"
    /// The error after too much time or too many attempts.
    case stepUpExpired = "screen_step_up_expired"

    // MARK: The screens: second factors

    /// The title of the section with the second factors.
    case security = "screen_security"
    /// The explanation for an account without a second factor.
    case securityLead = "screen_security_lead"
    /// The explanation for an account with a second factor.
    case securityOn = "screen_security_on"
    /// The explanation for an account that must have a second factor.
    case securityRequired = "screen_security_required"
    /// The instruction at a sign-in that must add a factor.
    case mustAddFactor = "screen_must_add_factor"
    /// The kind of an authenticator app.
    case authenticatorApp = "screen_authenticator_app"
    /// The kind of a passkey.
    case passkey = "screen_passkey"
    /// The kind of any other factor.
    case otherFactor = "screen_other_factor"
    /// The time at which a factor was added. Placeholder: `{date}`, a date and time.
    case factorAddedAt = "screen_factor_added_at"
    /// The remark at a factor that was not used yet.
    case factorNeverUsed = "screen_factor_never_used"
    /// The label of the name of a factor.
    case factorNameLabel = "screen_factor_name_label"
    /// The button that saves the name of a factor.
    case renameFactor = "screen_factor_rename"
    /// The button while the name is being saved.
    case renameFactorBusy = "screen_factor_rename_busy"
    /// The button that removes a factor.
    case removeFactor = "screen_factor_remove"
    /// The button while a factor is being removed.
    case removeFactorBusy = "screen_factor_remove_busy"
    /// The question before a factor is removed. Placeholder: `{factor}`, its name.
    case confirmRemoveFactor = "screen_factor_remove_confirm"
    /// The consequences of the removal.
    case removeFactorLead = "screen_factor_remove_lead"
    /// The consequences of the removal of the last factor.
    case removeLastFactorLead = "screen_factor_remove_last_lead"
    /// The notice after a factor was added.
    case factorAdded = "screen_factor_added"
    /// The notice after a factor was renamed.
    case factorRenamed = "screen_factor_renamed"
    /// The notice after a factor was removed.
    case factorRemoved = "screen_factor_removed"
    /// The error where the server does not let people add a factor of that kind.
    case factorUnavailable = "screen_factor_unavailable"
    /// The error where the device has a passkey of the account.
    case passkeyExists = "screen_passkey_exists"
    /// The button that adds a passkey.
    case addPasskey = "screen_add_passkey"
    /// The button while a passkey is being added.
    case addPasskeyBusy = "screen_add_passkey_busy"
    /// The button and the title of the screen that adds an authenticator app.
    case addAuthenticator = "screen_add_authenticator"
    /// The instruction to scan the QR code.
    case authenticatorScan = "screen_authenticator_scan"
    /// The label of the QR code.
    case authenticatorQRCode = "screen_authenticator_qr_code"
    /// The button that opens an authenticator app on this device.
    case openAuthenticator = "screen_authenticator_open"
    /// The remark after the button had no effect.
    case noAuthenticator = "screen_authenticator_none"
    /// The label of the key in text.
    case authenticatorKey = "screen_authenticator_key"
    /// The instruction to type the code.
    case authenticatorCodeLead = "screen_authenticator_code_lead"
    /// The button that confirms the code.
    case confirmAuthenticator = "screen_authenticator_confirm"
    /// The error for a wrong code.
    case authenticatorCodeRefused = "screen_authenticator_code_refused"
    /// The error for a key that is over.
    case authenticatorExpired = "screen_authenticator_expired"
    /// The button that begins with a new key.
    case renewAuthenticator = "screen_authenticator_renew"
    /// The title of recovery codes.
    case recoveryCodesTitle = "screen_recovery_codes"
    /// The explanation of recovery codes.
    case recoveryCodesLead = "screen_recovery_codes_lead"
    /// The remark that each code works once.
    case recoveryCodesEachOnce = "screen_recovery_codes_each_once"
    /// The label of the list of codes.
    case recoveryCodesList = "screen_recovery_codes_list"
    /// The number of unused codes. Placeholder: `{count}`, 2 or more.
    case recoveryCodesLeft = "screen_recovery_codes_left"
    /// The remark that only one code is left.
    case recoveryCodesOneLeft = "screen_recovery_codes_one_left"
    /// The remark that no code is left.
    case recoveryCodesNoneLeft = "screen_recovery_codes_none_left"
    /// The advice to replace the codes while some are left.
    case recoveryCodesFew = "screen_recovery_codes_few"
    /// The button that replaces the codes.
    case replaceRecoveryCodes = "screen_recovery_codes_replace"
    /// The button while the codes are being replaced.
    case replaceRecoveryCodesBusy = "screen_recovery_codes_replace_busy"
    /// The question before the codes are replaced.
    case confirmReplaceRecoveryCodes = "screen_recovery_codes_replace_confirm"
    /// The consequence of the replacement.
    case replaceRecoveryCodesLead = "screen_recovery_codes_replace_lead"
    /// The button that prints the codes.
    case printCodes = "screen_recovery_codes_print"
    /// The button that shares the codes.
    case shareCodes = "screen_recovery_codes_share"
    /// The button after which the codes are not shown again.
    case savedRecoveryCodes = "screen_recovery_codes_saved"
    /// The button that copies a text.
    case copy = "screen_copy"
    /// The remark that a text was copied.
    case copied = "screen_copied"

    // MARK: Forgotten passwords

    /// The title of the screen that requests a link or a code.
    case resetRequest = "reset_request"
    /// The introduction of the request for a link.
    case resetRequestLead = "reset_request_lead"
    /// The introduction of the request for a code.
    case resetByCodeLead = "reset_by_code_lead"
    /// The button that sends the link.
    case sendLink = "send_link"
    /// The title of that button while the link is being sent.
    case sendLinkBusy = "send_link_busy"
    /// The title of the screen for the new password.
    case resetPassword = "reset_password"
    /// The note that all sessions end.
    case resetPasswordNote = "reset_password_note"
    /// The button that saves the new password.
    case savePassword = "save_password"
    /// The title of that button while the password is being saved.
    case savePasswordBusy = "save_password_busy"
    /// The title after the request for a link.
    case checkMail = "check_mail"
    /// The advice in case no mail arrives.
    case noMail = "no_mail"
    /// The title for a refused link.
    case linkOver = "link_over"
    /// The button that requests another link.
    case renewLink = "renew_link"
    /// The title after the new password was set.
    case passwordSet = "password_set"

    // MARK: The account

    /// The title of the account's screen and of the button that shows it.
    case account
    /// The accessibility label of the person. Placeholder: `{name}`.
    case signedInAs = "signed_in_as"
    /// The button that saves the name.
    case saveName = "save_name"
    /// The title of that button while the name is being saved.
    case saveNameBusy = "save_name_busy"
    /// The title of the password screen, and its button.
    case changePassword = "change_password"
    /// The title of that button while the password is being changed.
    case changePasswordBusy = "change_password_busy"
    /// The note that the other sessions end.
    case changePasswordNote = "change_password_note"
    /// The title of the list of sessions.
    case sessions
    /// The advice for an unknown session.
    case sessionsNote = "sessions_note"
    /// The text of an empty list.
    case noSessions = "no_sessions"
    /// The mark of the current session.
    case thisDevice = "this_device"
    /// The name of a device without one.
    case unknownDevice = "unknown_device"
    /// The last use of a session. Placeholder: `{date}`.
    case lastUsed = "last_used"
    /// The start of a session. Placeholder: `{date}`.
    case signedInSince = "signed_in_since"
    /// The button that ends a session.
    case endSession = "end_session"
    /// The title of that button while the session is being ended.
    case endSessionBusy = "end_session_busy"
    /// The accessibility label of that button. Placeholder: `{device}`.
    case endSessionOf = "end_session_of"
    /// The title of the confirmation before a session is ended.
    case endSessionTitle = "end_session_title"
    /// The message of that confirmation. Placeholder: `{device}`.
    case endSessionNote = "end_session_note"
    /// The message of that confirmation for the current session.
    case endCurrentSessionNote = "end_current_session_note"
    /// The title of the list of recognized devices.
    case devices = "screen_devices"
    /// The purpose of that list.
    case devicesNote = "screen_devices_note"
    /// The text of an empty list.
    case noDevices = "screen_no_devices"
    /// The time until which a device is not asked for a second factor. Placeholder: `{date}`.
    case rememberedUntil = "screen_remembered_until"
    /// The button that forgets a device.
    case forgetDevice = "screen_forget_device"
    /// The title of that button while the device is being forgotten.
    case forgetDeviceBusy = "screen_forget_device_busy"
    /// The accessibility label of that button. Placeholder: `{device}`.
    case forgetDeviceOf = "screen_forget_device_of"
    /// The title of the list of accounts.
    case accounts
    /// The accessibility hint of an account in that list.
    case switchAccountHint = "switch_account_hint"
    /// The button that signs out.
    case signOut = "sign_out"
    /// The title of the confirmation before a sign-out.
    case confirmSignOut = "confirm_sign_out"
    /// The message of that confirmation.
    case confirmSignOutLead = "confirm_sign_out_lead"
    /// The title of the deletion screen, and its button.
    case deleteAccount = "delete_account"
    /// The title of that button during the deletion.
    case deleteAccountBusy = "delete_account_busy"
    /// The consequences of the deletion.
    case deleteAccountNote = "delete_account_note"
    /// The note at the password field of the deletion.
    case deleteAccountPassword = "delete_account_password"
    /// The title of the confirmation before the deletion.
    case confirmDeleteAccount = "confirm_delete_account"
    /// The button of that confirmation.
    case deleteForGood = "delete_for_good"

    // MARK: The lock

    /// The title of the lock screen.
    case lockTitle = "lock_title"
    /// The instruction of the lock screen.
    case lockNote = "lock_note"
    /// The button that unlocks.
    case unlock
    /// The title of that button while the device authenticates the person.
    case unlockBusy = "unlock_busy"
    /// The text of the system's prompt.
    case unlockReason = "unlock_reason"
    /// The instruction after a prompt without success.
    case unlockCancelled = "unlock_cancelled"
    /// The failure of an unlock.
    case unlockFailed = "unlock_failed"

    // MARK: Notices after a session, and common buttons

    /// The notice that the server could not be reached yet to revoke the session.
    case revocationPending = "sign_out_untold"
    /// The notice that the account was deleted.
    case accountDeleted = "account_deleted"
    /// The notice that the enrolled faces or fingers have changed.
    case enrolmentChanged = "enrolment_changed"
    /// The notice that the device has no enrolment.
    case notEnrolled = "nobody_enrolled"
    /// The button that cancels a sheet or a confirmation.
    case cancel
    /// The button that closes a sheet.
    case done
    /// The accessibility label of the button that dismisses a notice.
    case dismissNotice = "dismiss_notice"
}
