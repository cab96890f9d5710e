extension AuthTexts {
    public static let english = AuthTexts(
        language: "en",
        [
            .malformedRequest: "The app sent something that the server cannot read. Update the app and try again.",
            .wrongCredentials: "The email or the password is not correct. Check both and try again.",
            .wrongCredentialsPhoneNumber: "The phone number or the password is not correct. Check both and try again.",
            .wrongCredentialsUsername: "The username or the password is not correct. Check both and try again.",
            .wrongPassword: "The password is not correct. Try again.",
            .sessionEnded: "Your session has ended. Sign in again.",
            .accountDisabled: "This account is disabled. Ask whoever runs the app.",
            .codeRefused: "The code is not correct or no longer valid. Ask for a new one.",
            .resetTokenRefused:
                "This link was used already or is no longer valid. Ask for a new one in the app; the newest message counts.",
            .authorizationRefused: "This sign-in is over. Sign in again.",
            .redirectURIRefused: "The app's address is not registered here. Ask whoever runs the app.",
            .identityTokenInvalid: "The sign-in service's answer was not valid. Try again.",
            .challengeRequired: "One more step is needed to sign in, which this app cannot take.",
            .forbidden: "Your account is not allowed to do this.",
            .notFound: "There is nothing here.",
            .confirmationRequired: "We have sent you a message. Open the link in it to finish your registration.",
            .registrationTokenRefused:
                "This link was used already or is no longer valid. Register again to get a new one.",
            .identifierTaken: "There is an account with this address already. Sign in, or reset your password.",
            .identifierTakenPhoneNumber:
                "There is an account with this phone number already. Sign in, or reset your password.",
            .identifierTakenUsername:
                "There is an account with this name or address already. Sign in, or choose another name.",
            .tooManyAttempts: "Too many attempts. Try again in {wait}.",
            .busy: "Many people are signing in right now. Try again in a moment.",
            .notConfigured: "This way of signing in is not available here.",
            .unavailable:
                "Something failed on our side. Try again in a moment. If it stays like this, tell the people who run the app this number: {incident}",
            .unavailableWithoutIncident: "Something failed on our side. Try again in a moment.",
            .rejected: "The service refused this. Try again later.",

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
            .tooCommon: "Too many people use this password, so it is guessed first. Choose another.",
            .containsIdentifier:
                "This is your own name or address, which is guessed first. Choose something that nobody connects with you.",

            .offline: "The server cannot be reached. Check your connection and try again.",
            .connectionLost: "The connection broke before the answer came. Try again.",
            .untrusted:
                "The connection is not safe: the server could not prove who it is. Try another network, and type no password until then.",
            .invalidResponse:
                "The answer could not be understood. If this network asks you to sign in first, do so, and try again.",
            .browserFailed: "The browser did not come back with a sign-in. Try again.",
            .store: "This device does not let the app read its saved sign-in. Unlock the device and try again.",
            .locked: "Unlock the app first.",
            .notSignedIn: "Sign in first.",
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
            .confirmationSent: "We have sent you a message. Open the link in it to finish your registration.",
            .resetSent:
                "If there is an account with this address, a message with a link is on its way. The link works once, and not for long.",
            .passwordReset: "You have been signed out everywhere. From now on, sign in with your new password.",

            .oneSecond: "one second",
            .seconds: "{count} seconds",
            .minutes: "{count} minutes",
        ])
}
