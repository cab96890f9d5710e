import OstiaryEngine

extension MessageTexts {
    package static let english = MessageTexts(language: "en", email: englishEmail, sms: englishSMS)
}

@Sendable private func englishEmail(_ content: MessageContent, app: String) -> EmailText {
    switch content {
    case .oneTimeCode(let code, let lifetimeSeconds):
        EmailText(
            subject: "Your \(app) code",
            body: """
                Your \(app) code is

                \(code)

                It works for \(words(lifetimeSeconds)). Do not share it with anyone.
                If you did not ask for it, you can ignore this message.

                """)
    case .passwordReset(let token, let link, let lifetimeSeconds):
        EmailText(
            subject: "Reset your \(app) password",
            body: """
                Somebody asked to reset the password of your \(app) account.
                To choose a new one, open this link:

                \(link)

                If you are asked for a reset token, it is:

                \(token)

                Both work once and for \(words(lifetimeSeconds)). Do not share them with anyone.
                If you did not ask for this, you can ignore this message: your password
                stays as it is.

                """)
    case .deviceLink(let token, let link, let lifetimeSeconds):
        EmailText(
            subject: "Sign in to \(app) on a new device",
            body: """
                Somebody asked to sign in to your \(app) account on a new device, after
                many wrong passwords were tried. If it was you, open this link on that device,
                then sign in with your password:

                \(link)

                If you are asked for a device token, it is:

                \(token)

                Both work once and for \(words(lifetimeSeconds)). Do not share them with anyone.
                If you did not ask for this, you can ignore this message: nobody gets in
                without your password.

                """)
    case .accountRecovery(let token, let link, let opensAt, let reset):
        EmailText(
            subject: "Recover your \(app) account",
            body: """
                Somebody asked for a way back into your \(app) account, which has a passkey
                and no password.

                \(way(with: reset))If you lost the passkey, you can add another one with this link:

                \(link)

                If you are asked for a recovery token, it is:

                \(token)

                Both work once, from \(opensAt.timeInUTC) on, for \(words(PasskeyRecovery.lifetimeSeconds - PasskeyRecovery.waitSeconds)).
                Do not share them with anyone.

                If you did not ask for this, sign in with your passkey before that time:
                the link is void then. If you cannot sign in, keep others out of your mailbox.

                """)
    case .registrationConfirmation(let token, let link, let lifetimeSeconds):
        EmailText(
            subject: "Finish your \(app) registration",
            body: """
                Somebody, most likely you, registered at \(app) with this address.
                To finish, open this link:

                \(link)

                If you are asked for a registration token, it is:

                \(token)

                Both work for \(words(lifetimeSeconds)). If it was not you, ignore this message:
                no account is created without your confirmation.

                """)
    case .invitation(let token, let link, let lifetimeSeconds):
        EmailText(
            subject: "Your new \(app) account",
            body: """
                An account at \(app) was created for you.
                To choose your password, open this link:

                \(link)

                If you are asked for a reset token, it is:

                \(token)

                Both work once and for \(words(lifetimeSeconds)). Do not share them with anyone.
                If you do not expect an account, you can ignore this message.

                """)
    case .emailChanged:
        EmailText(
            subject: "The email address of your \(app) account was changed",
            body: """
                An administrator of \(app) gave your account another email address, or
                removed this one. This is the last message to this address.

                If you asked for it, there is nothing to do.
                If you did not, contact the support of \(app) now.

                """)
    case .passwordChanged:
        EmailText(
            subject: "Your \(app) password was changed",
            body: """
                The password of your \(app) account was changed.

                If it was you, there is nothing to do.
                If it was not, reset your password in the app now.

                """)
    case .passwordCompromised:
        EmailText(
            subject: "Your \(app) password is known from a breach",
            body: """
                The password that you sign in to \(app) with is in a list of passwords that were
                stolen from other services. \(app) itself is not affected. Attackers try such
                lists on other accounts.

                Change your password in the app now, and everywhere else you use it.

                """)
    case .unusualSignIn(let notice, let link):
        EmailText(
            subject: "An unusual sign-in to your \(app) account",
            body: """
                Somebody signed in to \(app) with your credentials, or tried to: from a device or
                a place that you did not use before.

                When: \(notice.at.timeInUTC)\(notice.address.map { "\nFrom: \($0)" } ?? "")\(notice.country.map { "\nCountry: \($0)" } ?? "")

                If it was you, there is nothing to do.
                If it was not, open this link and press the button there. It signs your account
                out everywhere, makes the password unusable and sends you a link for a new one:

                \(link)

                The link works once and for \(words(UnusualSignInNotice.denialSeconds)).

                """)
    case .factorsChanged(let notice, let time, let link):
        EmailText(
            subject: "The second factors of your \(app) account",
            body: """
                \(sentence(notice, app: app))

                When: \(time.timeInUTC)\(notice.address.map { "\nFrom: \($0)" } ?? "")

                \(advice(link))

                """)
    case .refreshTokenReused:
        EmailText(
            subject: "A device was signed out of your \(app) account",
            body: """
                A sign-in to your \(app) account was used from two places at once. Somebody
                may have a copy of it. For safety we ended it: sign in again on that device.

                If the app was restored from a backup or moved to another device lately,
                there is nothing more to do.
                If not, change your password in the app now.

                """)
    case .registrationAttempted:
        EmailText(
            subject: "Your \(app) account",
            body: """
                Somebody tried to register at \(app) with this address. It has an account
                already, and nothing about that account was changed.

                If it was you, sign in instead, or reset your password if you forgot it.
                If it was not, there is nothing to do.

                """)
    case .eventEndpointDisabled(let host):
        EmailText(
            subject: "Events of \(app) are not sent any more",
            body: """
                An endpoint at \(host) that receives events of \(app) was
                disabled: it refused them, or has not accepted one for five days.

                Enable it again in the administration of the server when it works.
                Changes that happen until then are not sent.

                """)
    }
}

@Sendable private func englishSMS(_ content: MessageContent, app: String) -> String {
    switch content {
    case .oneTimeCode(let code, let lifetimeSeconds):
        "Your \(app) code is \(code). It works for \(words(lifetimeSeconds)). Do not share it."
    case .passwordReset(_, let link, let lifetimeSeconds):
        "Reset your \(app) password within \(words(lifetimeSeconds)): \(link)"
    case .deviceLink(_, let link, let lifetimeSeconds):
        "To sign in to \(app) on a new device, open this link there within \(words(lifetimeSeconds)): \(link)"
    case .accountRecovery(_, let link, let opensAt, _):
        "Add a passkey to your \(app) account from \(opensAt.timeInUTC) on: \(link)"
    case .registrationConfirmation(_, let link, let lifetimeSeconds):
        "Finish your \(app) registration within \(words(lifetimeSeconds)): \(link)"
    case .invitation(_, let link, let lifetimeSeconds):
        "Choose the password of your new \(app) account within \(words(lifetimeSeconds)): \(link)"
    case .emailChanged:
        "An administrator changed the email address of your \(app) account. If you did not ask for it, contact support."
    case .passwordChanged:
        "Your \(app) password was changed. If it was not you, reset it in the app now."
    case .passwordCompromised:
        "Your \(app) password is in a list of stolen passwords. Choose another one in the app."
    case .unusualSignIn(_, let link):
        "New sign-in to \(app). If it was not you, end it: \(link)"
    case .factorsChanged(let notice, _, let link):
        "\(sentence(notice, app: app)) If it was not you, \(link.map { "undo it: \($0)" } ?? "change your password in the app now.")"
    case .refreshTokenReused:
        "A sign-in to \(app) was used from two places and was ended. If you did not move it, change your password."
    case .registrationAttempted:
        "Somebody tried to register at \(app) with your number. It has an account already; nothing was changed."
    case .eventEndpointDisabled(let host):
        "The endpoint at \(host) for events of \(app) was disabled because it fails."
    }
}

private func way(with reset: MessageContent.Reset?) -> String {
    guard let reset else { return "" }
    return """
        If you have a recovery code, choose a password with this link, then sign in with
        both:

        \(reset.link)

        If you are asked for a reset token, it is:

        \(reset.token)

        Both work once and for \(words(reset.lifetimeSeconds)).


        """
}

private func advice(_ link: String?) -> String {
    guard let link else {
        return """
            If it was you, there is nothing to do.
            If it was not, change your password in the app now, and look at the list of
            second factors there.
            """
    }
    return """
        If it was you, there is nothing to do.
        If it was not, open this link and press the button there. It undoes the change
        and signs your account out everywhere:

        \(link)

        The link works once and for \(words(FactorChangeNotice.undoSeconds)). Then change your password in the app.
        """
}

private func sentence(_ notice: FactorChangeNotice, app: String) -> String {
    switch notice.change {
    case .added: "\(name(notice.kind)) was added to your \(app) account."
    case .removed: "\(name(notice.kind)) was removed from your \(app) account."
    case .reset: "All second factors of your \(app) account were removed."
    case .recoveryCodeUsed: "A recovery code of your \(app) account was used."
    case .recoveryCodesReplaced: "Your \(app) account has new recovery codes."
    case .passkeyRefused: "A passkey of your \(app) account was refused: it may have been copied. Replace it."
    case .undone: "A change of your \(app) account's second factors was undone, and it was signed out everywhere."
    }
}

private func name(_ kind: Factor.Kind?) -> String {
    switch kind {
    case .totp: "An authenticator app"
    case .passkey: "A passkey"
    case nil: "A second factor"
    }
}

private func words(_ seconds: Int) -> String {
    switch RoundedDuration(seconds: seconds) {
    case .days(let count): "\(count) days"
    case .hours(let count): count == 1 ? "1 hour" : "\(count) hours"
    case .minutes(let count): count == 1 ? "1 minute" : "\(count) minutes"
    case .seconds(let count): count == 1 ? "1 second" : "\(count) seconds"
    }
}
