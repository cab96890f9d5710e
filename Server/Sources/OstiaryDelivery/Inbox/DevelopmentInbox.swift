public import Foundation
import OstiaryCore

/// Keeps messages in memory instead of sending them, for a developer to read.
public actor DevelopmentInbox {
    private let capacity: Int
    /// The newest last.
    private var kept: [InboxEntry] = []

    public init(capacity: Int = 500) { self.capacity = capacity }

    /// The newest first.
    ///
    /// - Parameters:
    ///   - app: Only messages of this app.
    ///   - to: Only messages to this address or number, in any spelling that is the same one.
    public func entries(app: String? = nil, to: String? = nil) -> [InboxEntry] {
        let wanted = to.map(Self.canonical)
        return kept.reversed().filter { entry in
            (app == nil || entry.app == app) && (wanted == nil || Self.canonical(entry.to) == wanted)
        }
    }

    public func removeAll() { kept = [] }

    /// A message that comes again replaces the first.
    func keep(_ entry: InboxEntry) {
        kept.removeAll { $0.id == entry.id }
        kept.append(entry)
        kept.removeFirst(max(0, kept.count - capacity))
    }

    private static func canonical(_ recipient: String) -> String {
        // A query's `+` is read as a space by many.
        let text = recipient.hasPrefix(" ") ? "+\(recipient.dropFirst())" : recipient
        if let number = try? PhoneNumber(text) { return number.e164 }
        return (try? EmailAddress(recipient))?.canonical ?? recipient
    }
}

/// A message in the development inbox.
public struct InboxEntry: Hashable, Sendable {
    public var id: String
    public var app: String
    public var channel: Channel
    public var to: String
    /// Nil for an SMS.
    public var subject: String?
    public var text: String
    public var code: String?
    public var link: String?
    public var sentAt: Date
    /// What subject and text are in. Source: RFC 5646.
    public var language: String

    public enum Channel: String, Hashable, Sendable { case email, sms }
}
