package import OstiaryCore
import OstiaryEngine

/// The delivery of text messages.
package enum SMSSettings: Hashable, Sendable {
    case twilio(accountSID: String, authToken: Secret<String>, from: String)
    /// Posts `{"to","text"}`, signed with the secret. The URL may hold a token, so it is treated as a secret.
    case webhook(url: Secret<String>, secret: Secret<String>)
    /// The development inbox.
    case inbox

    private enum Kind: String, CaseIterable { case twilio, webhook, inbox }

    /// - Returns: Nil where it is left out in production; in development the inbox is the default.
    static func read(_ section: Section, mode: Mode) throws(ConfigurationProblem) -> SMSSettings? {
        guard section.isPresent else { return mode == .development ? .inbox : nil }
        let kind = try section.required("kind", "twilio, webhook or inbox")
        let delivery: SMSSettings
        switch try kind.choice(of: Kind.self) {
        case .inbox:
            guard mode == .development else {
                throw kind.problem("needs twilio or webhook: the inbox is for development")
            }
            delivery = .inbox
        case .twilio:
            delivery = .twilio(
                accountSID: try section.required("account_sid", "Twilio's account SID").string(),
                authToken: try section.required("auth_token", "Twilio's auth token").secret(),
                from: try section.required("from", "a sender number or name").string())
        case .webhook:
            let url = try section.required("url", "a URL that begins with https://")
            guard let parts = URLParts(try url.string()), ["http", "https"].contains(parts.scheme),
                parts.userinfo == nil, !parts.rest.contains("#")
            else { throw url.problem("needs a URL that begins with https://, without user and fragment") }
            guard parts.scheme == "https" || IPAddress.isLoopback(host: parts.host) else {
                throw url.problem("needs https (plain http is for loopback addresses)")
            }
            let secret = try section.required("secret", "the secret that signs the requests")
            delivery = .webhook(url: try url.secret(), secret: try SecretStrength.check(secret))
        }
        try section.finish()
        return delivery
    }
}
