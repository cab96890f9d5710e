import OstiaryCore

extension EnglishTexts {
    func outcome(of problem: HostedPage.Problem) -> Outcome {
        switch problem {
        case .signInOver:
            Outcome(
                heading: "This sign-in is over",
                paragraphs: [
                    "It took too long, was finished already, or began in another browser.",
                    "Go back to the app and sign in again.",
                ])
        case .redirectURIRefused:
            Outcome(
                heading: "We cannot take you there",
                paragraphs: [
                    "The app asked us to send you to an address that is not registered for it. To protect you, we stop here.",
                    "If this is your app: register the redirect URI, to the letter, in the server's configuration.",
                ])
        case .unknownClient:
            Outcome(
                heading: "We do not know this app",
                paragraphs: [
                    "The link you followed names an app that is not registered here.",
                    "Go back to the app and try again, or ask whoever runs it.",
                ])
        case .malformedRequest:
            Outcome(
                heading: "We cannot read this request",
                paragraphs: ["The link you followed is incomplete or damaged.", "Go back to the app and try again."])
        case .formExpired:
            Outcome(
                heading: "This form has expired",
                paragraphs: [
                    "It was open for too long, was sent from another page, or your browser keeps no cookies for us.",
                    "Go back, load the page again, and send the form once more.",
                ])
        case .providerAway(let incident, _):
            Outcome(
                heading: "The sign-in service is not available",
                paragraphs: [
                    "We could not reach the service that you want to sign in with. Try again in a few minutes."
                ] + Self.reference(incident))
        case .refused(let error): Outcome(heading: problemHeading, paragraphs: [text(of: error)])
        }
    }

    func text(of error: AuthError) -> String {
        switch error {
        case .invalid(let field, let problem): text(of: problem, in: field)
        // No page has a field for an attribute of the app.
        case .malformedRequest, .signatureRefused, .invalidAttribute, .invalidDPoPProof, .useDPoPNonce:
            "We cannot read this request. Go back and try again."
        case .wrongCredentials: "The email or the password is not correct. Check both and try again."
        case .invalidAccessToken, .sessionRevoked, .refreshTokenInvalid, .refreshTokenReused, .refreshTokenExpired,
            .refreshTokenRevoked, .signingKeyAlreadyIssued:
            "Your session has ended. Sign in again."
        case .dpopRequired: "This version of the app can no longer sign in. Update the app."
        case .stepUpRequired: "To confirm that it is you, sign in again, then do it within five minutes."
        case .accountDisabled: "This account is disabled. Ask whoever runs the app."
        case .codeRefused: "The code is not correct or no longer valid. Ask for a new one."
        case .resetTokenRefused:
            "This link was used already or is no longer valid. Ask for a new one in the app; the newest message counts."
        case .authorizationRefused: "This sign-in is over. Go back to the app and sign in again."
        case .redirectURIRefused: "The app's address is not registered here. Ask whoever runs the app."
        case .identityTokenInvalid: "The sign-in service's answer was not valid. Try again."
        case .challengeRefused: "This step has expired. Sign in again."
        case .appAssertionRequired:
            "This step is possible in the app only. Open the link of the message on a device with the app."
        case .attestationRefused, .appAssertionRefused:
            "The app on this device could not be verified. Update the app and try again."
        case .credentialRefused: "The passkey could not be verified. Try again."
        case .factorRequired: "The account needs this second factor."
        case .factorLimitReached: "The account has as many second factors as possible. Remove one first."
        case .challengeRequired: "One more step is needed to sign in. Go back to the app and go on there."
        case .forbidden, .missingPermission, .impersonated: "Your account is not allowed to do this."
        case .notFound: "There is nothing here. The link may be incomplete."
        case .confirmationRequired: Self.confirmationSent
        case .registrationTokenRefused:
            "This link was used already or is no longer valid. Register again to get a new one."
        case .identifierTaken: "There is an account with this address already. Sign in, or reset your password."
        case .tooManyAttempts(let seconds): "Too many attempts. Try again in \(duration(seconds))."
        case .deviceLinkRequired:
            "Somebody tried many passwords for this account. To sign in on this device, have a link sent to you and open it here."
        case .proofOfWorkRequired(_, let seconds):
            "Many sign-ins from your network failed. Enter your password once more: your browser computes a proof first. Without JavaScript, try again in \(duration(seconds))."
        case .busy: "Many people are signing in right now. Try again in a moment."
        case .notConfigured: "This way of signing in is not available here."
        case .unavailable(let incident):
            (["Something failed on our side. Try again in a moment."] + Self.reference(incident)).joined(separator: " ")
        case .rejected: "The service refused this. Try again later."
        }
    }

    private func text(of problem: FieldProblem, in field: Field) -> String {
        switch (field, problem) {
        case (.password, .missing), (.newPassword, .missing): "Type a password."
        case (.email, .missing): "Type your email address."
        case (.email, _): "This is not an email address. It looks like name@example.com."
        case (_, .missing): "Something is missing here."
        case (.phoneNumber, .notSupported):
            "No messages are sent to phone numbers of this country here. Use another number."
        case (_, .mistyped), (_, .malformed), (_, .notSupported), (_, .tooMany), (_, .readOnly), (_, .unknown):
            "This cannot be used here. Check it and try again."
        case (_, .tooShort(let minimum)): "Too short: at least \(minimum) characters are needed."
        case (_, .tooLong(let maximum)):
            "Too long: at most \(maximum) bytes, which is \(maximum) plain letters, fewer with accents or emoji."
        case (_, .compromised): "This password is known from a breach of another service. Choose another."
        case (_, .tooCommon): "Too many people use this password, so it is guessed first. Choose another."
        case (_, .containsIdentifier):
            "This is your own name or address, which is guessed first. Choose something that nobody connects with you."
        }
    }

    private static func reference(_ incident: String?) -> [String] {
        guard let incident else { return [] }
        return ["If it stays like this, tell the people who run the app this number: \(incident)"]
    }

    private func duration(_ seconds: Int) -> String {
        if seconds < 100 { return seconds == 1 ? "one second" : "\(seconds) seconds" }
        return "\((seconds + 59) / 60) minutes"
    }
}
