package import Foundation
import OstiaryCore

/// An in-memory store of messages that are not sent, for a developer to read.
package actor DevelopmentInbox {
    private let capacity: Int
    /// The messages, the newest last.
    private var kept: [InboxEntry] = []

    package init(capacity: Int = 500) { self.capacity = capacity }

    /// Returns the messages, the newest first.
    ///
    /// - Parameters:
    ///   - app: Only messages of this app.
    ///   - to: Only messages to this address or number, in any equivalent spelling.
    package func entries(app: String? = nil, to: String? = nil) -> [InboxEntry] {
        let wanted = to.map(Self.canonical)
        return kept.reversed().filter { entry in
            (app == nil || entry.app == app) && (wanted == nil || Self.canonical(entry.to) == wanted)
        }
    }

    package func removeAll() { kept = [] }

    /// Adds a message; replaces an earlier one with the same id.
    func keep(_ entry: InboxEntry) {
        kept.removeAll { $0.id == entry.id }
        kept.append(entry)
        kept.removeFirst(max(0, kept.count - capacity))
    }

    private static func canonical(_ recipient: String) -> String {
        // Many decoders read a query's `+` as a space.
        let text = recipient.hasPrefix(" ") ? "+\(recipient.dropFirst())" : recipient
        if let number = try? PhoneNumber(text) { return number.e164 }
        return (try? EmailAddress(recipient))?.canonical ?? recipient
    }
}

/// A message in the development inbox.
package struct InboxEntry: Hashable, Sendable {
    package var id: String
    package var app: String
    package var channel: Channel
    package var to: String
    /// Nil for an SMS.
    package var subject: String?
    package var text: String
    package var code: String?
    package var link: String?
    package var sentAt: Date
    /// The language of subject and text. Source: RFC 5646.
    package var language: String

    package enum Channel: String, Hashable, Sendable { case email, sms }
}
