package import OstiaryCore

/// The delivery of email.
package enum EmailSettings: Hashable, Sendable {
    /// The URL holds user and password: `smtps://user:password@mail.example.com:465`, or `smtp://` for STARTTLS.
    case smtp(url: Secret<String>, from: String)
    /// The development inbox.
    case inbox

    private enum Kind: String, CaseIterable { case smtp, inbox }

    /// - Returns: Nil where it is left out in production; in development the inbox is the default.
    static func read(_ section: Section, mode: Mode) throws(ConfigurationProblem) -> EmailSettings? {
        guard section.isPresent else { return mode == .development ? .inbox : nil }
        let kind = try section.required("kind", "smtp or inbox")
        let delivery: EmailSettings
        switch try kind.choice(of: Kind.self) {
        case .inbox:
            guard mode == .development else { throw kind.problem("needs smtp: the inbox is for development") }
            delivery = .inbox
        case .smtp:
            let url = try section.required("url", "smtps://user:password@host:465")
            guard let parts = URLParts(try url.string()), ["smtp", "smtps"].contains(parts.scheme),
                ["", "/"].contains(parts.rest)
            else {
                throw url.problem("needs smtps://user:password@host:465, with %XX for special characters")
            }
            delivery = .smtp(url: try url.secret(), from: try sender(section.required("from", "a sender address")))
        }
        try section.finish()
        return delivery
    }

    /// Reads an address, or a name and an address in angle brackets.
    private static func sender(_ setting: Setting) throws(ConfigurationProblem) -> String {
        let text = try setting.string()
        var address = text[...]
        if let open = text.lastIndex(of: "<"), text.hasSuffix(">") {
            address = text[open...].dropFirst().dropLast()
        }
        guard (try? EmailAddress(String(address))) != nil else {
            throw setting.problem("needs an address: no-reply@example.com or \"Example <no-reply@example.com>\"")
        }
        return text
    }
}
