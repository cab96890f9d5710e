import Foundation
import OstiaryAdminAPI
import OstiaryCore
import OstiaryEngine

extension AdminRoutes {
    static let messages = [
        AdminRoute(AdminAPI.listMessages) { request, query, _ in
            let cursors = request.cursors(query)
            let position = try cursors.messagePosition(query.cursor)
            let app = try query.app.map { try request.server.app($0).appName }
            var state: Message.State?
            if let text = query.state?.rawValue {
                guard let known = Message.State(rawValue: text) else {
                    throw AdministrationProblem.invalid("state", "not_supported", "no state of a message")
                }
                state = known
            }
            let found = try await request.server.messages?.messages(
                state, of: app, after: position, limit: query.pageLimit)
            return AdminPage(
                (found?.page ?? []).map { AdminMessage($0) },
                nextCursor: found?.position.map { cursors.cursor($0.text) })
        },
        AdminRoute(AdminAPI.retryMessage) { request, _, _ in
            guard let messages = request.server.messages else { throw AdminRefusal.notFound }
            try await messages.retry(request.value("message"))
            return AdminEmpty()
        },
    ]
}

extension MessagePosition {
    fileprivate var text: String { "\(createdAt.milliseconds)/\(id)" }
}

extension AdminCursors {
    fileprivate func messagePosition(_ cursor: String?) throws(AdminRefusal) -> MessagePosition? {
        guard let position = try position(cursor) else { return nil }
        let parts = position.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 1).map { String(Substring($0)) }
        guard parts.count == 2, let createdAt = Int64(parts[0]) else { throw Self.malformed }
        return MessagePosition(createdAt: Date(milliseconds: createdAt), id: parts[1])
    }
}

extension AdminMessage {
    init(_ message: Message) {
        self.init()
        (id, app) = (message.id, message.app.text)
        (channel, kind, to) = (message.channel?.rawValue, message.kind, message.recipient)
        state = AdminMessageState(rawValue: message.state.rawValue)
        (attempts, lastError, createdAt) = (message.attempts, message.lastError, message.createdAt)
        (nextAttemptAt, sentAt) = (message.nextAttemptAt, message.sentAt)
    }
}
