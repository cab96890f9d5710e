package import Foundation
package import OstiaryEngine

/// The texts of all messages in one language. Each language is one file; `english` is the template for others.
package struct MessageTexts: Sendable {
    /// The language tag, for example `en`. Source: RFC 5646.
    package var language: String
    /// Returns the email for an app's display name. Lines end with `\n`.
    package var email: @Sendable (_ content: MessageContent, _ app: String) -> EmailText
    /// Returns the SMS for an app's display name: one short line. It should be ASCII, where 160 characters are still
    /// one SMS.
    package var sms: @Sendable (_ content: MessageContent, _ app: String) -> String

    package init(
        language: String,
        email: @escaping @Sendable (_ content: MessageContent, _ app: String) -> EmailText,
        sms: @escaping @Sendable (_ content: MessageContent, _ app: String) -> String
    ) {
        self.language = language
        self.email = email
        self.sms = sms
    }
}

package struct EmailText: Hashable, Sendable {
    package var subject: String
    package var body: String

    package init(subject: String, body: String) {
        self.subject = subject
        self.body = body
    }
}

/// The content of a message, independent of language.
package enum MessageContent: Sendable {
    case oneTimeCode(code: String, lifetimeSeconds: Int)
    /// A password reset. An email contains both the link and the token, for users who read it on another device.
    case passwordReset(token: String, link: String, lifetimeSeconds: Int)
    /// The recovery of an account with nothing but passkeys.
    ///
    /// - Parameters:
    ///   - opensAt: The time from which the link adds a passkey.
    ///   - reset: The reset of the password, for an owner who has a recovery code; nil for an account without any.
    case accountRecovery(token: String, link: String, opensAt: Date, reset: Reset?)
    /// A confirmation of a registration, with both link and token as for a reset.
    case registrationConfirmation(token: String, link: String, lifetimeSeconds: Int)
    /// The invitation of a new account's owner to set the first password, with both link and token as for a reset.
    case invitation(token: String, link: String, lifetimeSeconds: Int)
    /// The link by which the account recognizes a device, with both link and token as for a reset.
    case deviceLink(token: String, link: String, lifetimeSeconds: Int)
    case emailChanged
    case passwordChanged
    /// A password that is known from a breach of another service.
    case passwordCompromised
    /// A sign-in that may not be the owner's, with the link that denies it.
    case unusualSignIn(UnusualSignInNotice, link: String)
    /// A change of second factors, with the link that undoes it.
    case factorsChanged(FactorChangeNotice, at: Date, link: String?)
    case refreshTokenReused
    case registrationAttempted
    /// An endpoint for events that was disabled because it failed.
    case eventEndpointDisabled(host: String)

    package struct Reset: Hashable, Sendable {
        package var token: String
        package var link: String
        package var lifetimeSeconds: Int

        package init(token: String, link: String, lifetimeSeconds: Int) {
            self.token = token
            self.link = link
            self.lifetimeSeconds = lifetimeSeconds
        }
    }
}

/// A number of seconds in whole units, rounded down so that no message promises a longer lifetime than there is.
enum RoundedDuration {
    case days(Int), hours(Int), minutes(Int), seconds(Int)

    init(seconds: Int) {
        switch seconds {
        case 172_800... where seconds % 86_400 == 0: self = .days(seconds / 86_400)
        case 3600... where seconds % 3600 == 0: self = .hours(seconds / 3600)
        case 60...: self = .minutes(seconds / 60)
        default: self = .seconds(seconds)
        }
    }
}

extension Date {
    /// The date and the time in UTC: `2026-11-25 10:00:00 UTC`.
    var timeInUTC: String {
        let style = Date.ISO8601FormatStyle(dateTimeSeparator: .space).year().month().day()
            .time(includingFractionalSeconds: false)
        return "\(formatted(style)) UTC"
    }
}
