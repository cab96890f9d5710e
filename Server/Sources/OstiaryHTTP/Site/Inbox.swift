/// The messages that a development server sent instead of sending them.
public protocol Inbox: Sendable {
    /// The newest first; those of one app or to one recipient where that is asked for.
    func messages(app: String?, to recipient: String?) async -> [InboxMessage]
    func empty() async
}

public struct InboxMessage: Hashable, Sendable {
    public var id: String
    public var app: String
    /// `email` or `sms`.
    public var channel: String
    public var to: String
    public var subject: String?
    public var text: String
    public var code: String?
    public var link: String?
    /// RFC 3339, in UTC.
    public var sentAt: String
    /// What subject and text are in. Source: RFC 5646.
    public var language: String

    public init(
        id: String, app: String, channel: String, to: String, subject: String?, text: String, code: String?,
        link: String?, sentAt: String, language: String = "en"
    ) {
        self.id = id
        self.app = app
        self.channel = channel
        self.to = to
        self.subject = subject
        self.text = text
        self.code = code
        self.link = link
        self.sentAt = sentAt
        self.language = language
    }
}
