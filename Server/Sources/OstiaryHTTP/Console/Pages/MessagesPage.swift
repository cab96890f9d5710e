import Foundation
import OstiaryCore
import OstiaryEngine

/// `/admin/messages`: the messages that wait, were sent, or could not be delivered. Without their texts.
struct MessagesPage: ConsolePage {
    private static let pageSize = 50
    private static let listedFailures = 5

    func show(_ request: AdministratorRequest) async throws -> ServerResponse {
        let (texts, query) = (request.texts, request.query)
        var view = request.view(texts.title(of: .messages), in: .messages)
        var block = ConsoleView.Block("messages", nil)
        block.filter = ConsoleView.Filter(
            filterAction: ConsolePath.messages.path,
            filterFields: [
                request.appField(selected: query["app"] ?? "", all: texts.everyApp),
                .choice("state", texts.state, any: texts.any, Message.State.allCases, selected: query["state"] ?? "") {
                    ($0.rawValue, texts.name(of: $0))
                },
            ], filterButton: texts.filter,
            resetURL: (query["app"] ?? query["state"]) == nil ? nil : ConsolePath.messages.path, resetText: texts.reset)
        view.blocks = [block]
        do {
            let listed = try await request.messages?.messages(
                try request.filter("state") { Message.State(rawValue: $0) }, of: try request.filteredApp()?.name,
                after: try position(request), limit: Self.pageSize)
            let (page, position) = listed ?? ([], nil)
            if page.isEmpty { block.empty = texts.noMessages } else { block.table = Self.table(page, request) }
            block.pager = request.pager(
                .messages, parameters: ["app", "state"],
                next: position.map { ("cursor", "\($0.createdAt.milliseconds).\($0.id)") })
            view.blocks = [block]
            return request.response(view)
        } catch let problem as AdministrationProblem {
            return request.redisplay(view, problem)
        }
    }

    private func position(_ request: AdministratorRequest) throws -> MessagePosition? {
        try request.filter("cursor") { text in
            let parts = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1)
            guard parts.count == 2, let time = String(parts[0]).flatMap({ Int64($0) }), let id = String(parts[1]) else {
                return nil
            }
            return MessagePosition(createdAt: Date(milliseconds: time), id: id)
        }
    }

    /// Returns the part of another page that lists the last messages that could not be delivered.
    static func failures(_ id: String, _ request: AdministratorRequest) async throws -> ConsoleView.Block {
        let texts = request.texts
        var block = ConsoleView.Block(id, texts.failingMessages)
        let page = try await request.messages?.messages(.failed, limit: listedFailures).page ?? []
        if page.isEmpty { block.empty = texts.noFailingMessages } else { block.table = table(page, request) }
        return block
    }

    private static func table(_ messages: [Message], _ request: AdministratorRequest) -> ConsoleView.Table {
        let texts = request.texts
        return ConsoleView.Table(
            texts.title(of: .messages),
            [texts.recipient, texts.kind, texts.app, texts.state, texts.attempts, texts.createdAt, texts.actionsTitle],
            numeric: [4],
            messages.map { row($0, request) })
    }

    private static func row(_ message: Message, _ request: AdministratorRequest) -> [ConsoleView.Cell] {
        let texts = request.texts
        var links: [ConsoleView.ActionLink] = []
        if message.state == .failed {
            let text = texts.name(of: ConsoleTask.retryMessage)
            links.append(
                ConsoleView.ActionLink(
                    actionURL: ConsolePath.task(.retryMessage).url([("id", message.id)]), actionText: text,
                    actionName: message.recipient.map { "\(text): \($0)" }))
        }
        return [
            ConsoleView.Cell.text(texts.recipient, message.recipient, note: message.channel?.rawValue).asRowHeader,
            .text(texts.kind, message.kind), .text(texts.app, message.app.text),
            ConsoleView.Cell(
                cellLabel: texts.state, cellBadges: [texts.badge(of: message.state)], cellNote: message.lastError),
            .number(texts.attempts, message.attempts), .time(texts.createdAt, message.createdAt), .actions(links),
        ]
    }
}
