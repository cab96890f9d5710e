/// The English texts for users: in the description of an error, and on the screens of `OstiaryUI`, which has the other
/// languages. `{name}` is a placeholder for a value.
///
/// Contains only texts that do not depend on the screen: next to a field another wording is needed than away from it.
extension PersonText {
    // MARK: Refusals

    package static let malformedRequest =
        "The app sent something that the server cannot read. Update the app and try again."
    package static let sessionEnded = "Your session has ended. Sign in again."
    package static let refreshTokenReused = "For safety you were signed out. Sign in again."
    package static let accountDisabled = "This account is disabled. Ask whoever runs the app."
    package static let codeRefused = "The code is not correct or no longer valid. Ask for a new one."
    package static let resetTokenRefused =
        "This link was used already or is no longer valid. Ask for a new one in the app; the newest message counts."
    package static let authorizationRefused = "This sign-in is over. Sign in again."
    package static let redirectURIRefused = "The app's address is not registered here. Ask whoever runs the app."
    package static let identityTokenInvalid = "The sign-in service's answer was not valid. Try again."
    package static let forbidden = "Your account is not allowed to do this."
    package static let challengeRefused = "This step has expired. Sign in again."
    package static let credentialRefused = "The passkey could not be verified. Try again."
    package static let dpopRequired = "This version of the app can no longer sign in. Update the app."
    package static let factorRequired = "The account needs this second factor."
    package static let factorLimitReached = "The account has as many second factors as possible. Remove one first."
    package static let stepUpRequired = "To confirm that it is you, sign in again, then do it within five minutes."
    package static let notFound = "There is nothing here."
    package static let confirmationRequired =
        "We have sent you a message. Open the link in it to finish your registration."
    package static let registrationTokenRefused =
        "This link was used already or is no longer valid. Register again to get a new one."
    /// {wait}
    package static let tooManyAttempts = "Too many attempts. Try again in {wait}."
    package static let deviceLinkRequired =
        "Somebody tried many passwords for this account. To sign in on this device, have a link sent to you and open it here."
    package static let busy = "Many people are signing in right now. Try again in a moment."
    package static let appNotVerified = "The app on this device could not be verified. Update the app and try again."
    package static let notConfigured = "This way of signing in is not available here."
    package static let unavailableWithoutIncident = "Something failed on our side. Try again in a moment."
    package static let rejected = "The service refused this. Try again later."

    // MARK: Invalid values

    package static let tooCommon = "Too many people use this password, so it is guessed first. Choose another."
    package static let compromised = "This password is known from a breach of another service. Choose another."

    // MARK: Network and device

    package static let offline = "The server cannot be reached. Check your connection and try again."
    package static let connectionLost = "The connection broke before the answer came. Try again."
    package static let untrusted =
        "The connection is not safe: the server could not prove who it is. Try another network, and type no password until then."
    package static let invalidResponse =
        "The answer could not be understood. If this network asks you to sign in first, do so, and try again."
    package static let browserFailed = "The browser did not come back with a sign-in. Try again."
    package static let passkeyExists = "This device has a passkey for your account already."
    package static let locked = "Unlock the app first."
    package static let notSignedIn = "Sign in first."

    // MARK: Time

    package static let oneSecond = "one second"
    /// {count}
    package static let seconds = "{count} seconds"
    /// {count}
    package static let minutes = "{count} minutes"
}
