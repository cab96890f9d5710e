import OstiaryClient

extension AuthTexts {
    /// The English texts, which also replace texts that another language lacks.
    public static let english = AuthTexts(
        language: "en",
        [
            .malformedRequest: PersonText.malformedRequest,
            .wrongCredentials: "The email or the password is not correct. Check both and try again.",
            .wrongCredentialsPhoneNumber: "The phone number or the password is not correct. Check both and try again.",
            .wrongCredentialsUsername: "The username or the password is not correct. Check both and try again.",
            .wrongPassword: "The password is not correct. Try again.",
            .sessionEnded: PersonText.sessionEnded,
            .refreshTokenReused: PersonText.refreshTokenReused,
            .accountDisabled: PersonText.accountDisabled,
            .codeRefused: PersonText.codeRefused,
            .resetTokenRefused: PersonText.resetTokenRefused,
            .authorizationRefused: PersonText.authorizationRefused,
            .redirectURIRefused: PersonText.redirectURIRefused,
            .stepUpRequired: PersonText.stepUpRequired,
            .identityTokenInvalid: PersonText.identityTokenInvalid,
            .challengeRequired: "One more step is needed to sign in, which this app cannot take.",
            .challengeRefused: PersonText.challengeRefused,
            .credentialRefused: PersonText.credentialRefused,
            .dpopRequired: PersonText.dpopRequired,
            .factorRequired: PersonText.factorRequired,
            .factorLimitReached: PersonText.factorLimitReached,
            .forbidden: PersonText.forbidden,
            .notFound: PersonText.notFound,
            .confirmationRequired: PersonText.confirmationRequired,
            .registrationTokenRefused: PersonText.registrationTokenRefused,
            .identifierTaken: "There is an account with this address already. Sign in, or reset your password.",
            .identifierTakenPhoneNumber:
                "There is an account with this phone number already. Sign in, or reset your password.",
            .identifierTakenUsername:
                "There is an account with this name or address already. Sign in, or choose another name.",
            .tooManyAttempts: PersonText.tooManyAttempts,
            .deviceLinkRequired: PersonText.deviceLinkRequired,
            .requestDeviceLink: "Send the link",
            .deviceLinkSent:
                "If there is such an account, a message with a link is on its way. Open the link on this device, then sign in.",
            .deviceLinkLead:
                "Your message's link lets your account recognize this device. Then sign in with your password.",
            .redeemDeviceLink: "Recognize this device",
            .deviceRecognized: "Your account recognizes this device now. Sign in with your password.",
            .busy: PersonText.busy,
            .appNotVerified: PersonText.appNotVerified,
            .notConfigured: PersonText.notConfigured,
            .unavailable:
                "Something failed on our side. Try again in a moment. If it stays like this, tell the people who run the app this number: {incident}",
            .unavailableWithoutIncident: PersonText.unavailableWithoutIncident,
            .rejected: PersonText.rejected,

            .passwordMissing: "Type a password.",
            .emailMissing: "Type your email address.",
            .phoneNumberMissing: "Type your phone number.",
            .usernameMissing: "Type your username.",
            .codeMissing: "Type the code from the message.",
            .missing: "Something is missing here.",
            .emailMalformed: "This is not an email address. It looks like name@example.com.",
            .phoneNumberMalformed:
                "This is not a phone number. It begins with + and the country, like +1 555 123 4567.",
            .codeMalformed: "The code has digits only.",
            .codeLength: "The code has {limit} digits.",
            .malformed: "This cannot be used here. Check it and try again.",
            .tooShort: "Too short: at least {limit} characters are needed.",
            .tooLong:
                "Too long: at most {limit} bytes, which is {limit} plain letters, fewer with accents or emoji.",
            .tooCommon: PersonText.tooCommon,
            .compromised: PersonText.compromised,
            .phoneNumberNotSupported:
                "No messages are sent to phone numbers of this country here. Use another number.",
            .containsIdentifier:
                "This is your own name or address, which is guessed first. Choose something that nobody connects with you.",

            .offline: PersonText.offline,
            .connectionLost: PersonText.connectionLost,
            .untrusted: PersonText.untrusted,
            .invalidResponse: PersonText.invalidResponse,
            .browserFailed: PersonText.browserFailed,
            .store: "This device does not let the app read its saved sign-in. Unlock the device and try again.",
            .locked: PersonText.locked,
            .notSignedIn: PersonText.notSignedIn,
            .appMistake: "This app is not set up for that. Ask whoever runs it.",

            .strength0: "Guessed at once",
            .strength1: "Easy to guess",
            .strength2: "Fair",
            .strength3: "Good",
            .strength4: "Strong",
            .strengthCommonWord: "It holds a password that many people use.",
            .strengthOwnName: "It holds your own name or address.",
            .strengthRun: "Letters or digits that count up or down, like abc or 321, are guessed early.",
            .strengthKeyboard: "Keys that lie next to each other, like qwertz, are guessed early.",
            .strengthRepetition: "The same again and again adds little.",
            .strengthYear: "Years are guessed early.",
            .strengthShort: "Make it longer: a few words that do not belong together are easy to remember.",

            .memoryOnly: "This device cannot keep your sign-in: you will be asked again when the app starts anew.",
            .passwordChanged: "Your password is changed. On other devices you are signed out.",
            .profileSaved: "Saved.",
            .codeSent: "We have sent you a code.",
            .confirmationSent: PersonText.confirmationRequired,
            .resetSent:
                "If there is an account with this address, a message with a link is on its way. The link works once, and not for long.",
            .passwordReset: "You have been signed out everywhere. From now on, sign in with your new password.",

            .oneSecond: PersonText.oneSecond,
            .seconds: PersonText.seconds,
            .minutes: PersonText.minutes,
        ].merging(englishEntry) { text, _ in text }.merging(englishAccount) { text, _ in text }
            .merging(englishFactors) { text, _ in text })
}
