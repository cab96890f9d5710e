/// The words of all messages in one language. A language is one file; `english` is the pattern to follow.
package struct MessageTexts: Sendable {
    /// For example `en`. Source: RFC 5646.
    package var language: String
    /// The words for an app of a certain display name, as an email. Lines end with `\n`.
    package var email: @Sendable (_ content: MessageContent, _ app: String) -> EmailText
    /// The same for SMS: one short line. Keep to ASCII, where a message of 160 characters is still one SMS.
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

/// What a message says, before it has words.
package enum MessageContent: Sendable {
    case oneTimeCode(code: String, lifetimeSeconds: Int)
    /// An email carries the link and the token, for people who read it on another device.
    case passwordReset(token: String, link: String, lifetimeSeconds: Int)
    /// The same as for a reset.
    case confirmRegistration(token: String, link: String, lifetimeSeconds: Int)
    case passwordChanged
    case refreshTokenReused
    case registrationAttempted
}

/// A number of seconds in whole units, rounded down so that no message promises more time than there is.
enum RoundedDuration {
    case hours(Int), minutes(Int), seconds(Int)

    init(seconds: Int) {
        switch seconds {
        case 3600... where seconds % 3600 == 0: self = .hours(seconds / 3600)
        case 60...: self = .minutes(seconds / 60)
        default: self = .seconds(seconds)
        }
    }
}
