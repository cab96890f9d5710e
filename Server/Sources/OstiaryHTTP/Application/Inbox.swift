/// The messages that a development server keeps instead of sending them.
package protocol Inbox: Sendable {
    /// Returns the messages, the newest first; filtered by app or recipient where given.
    func messages(app: String?, to recipient: String?) async -> [InboxMessage]
    func empty() async
}

package struct InboxMessage: Hashable, Sendable {
    package var id: String
    package var app: String
    /// `email` or `sms`.
    package var channel: String
    package var to: String
    package var subject: String?
    package var text: String
    package var code: String?
    package var link: String?
    /// RFC 3339, in UTC.
    package var sentAt: String
    /// The language of subject and text. Source: RFC 5646.
    package var language: String

    package init(
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
