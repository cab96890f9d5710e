import Foundation
import OstiaryCore
import OstiaryEngine

/// `/admin/service-keys`: the keys of the admin API.
struct ServiceKeysPage: ConsolePage {
    private static let pageSize = 100

    func show(_ request: AdministratorRequest) async throws -> ServerResponse {
        let texts = request.texts
        var view = request.view(texts.title(of: .serviceKeys), in: .serviceKeys)
        var block = ConsoleView.Block("keys", nil, note: texts.serviceKeysNote)
        let (page, position) = try await request.administration.serviceKeys(
            after: request.query[integer: "cursor"], limit: Self.pageSize)
        if page.isEmpty { block.empty = texts.noServiceKeys } else { block.table = table(page, request) }
        block.pager = request.pager(.serviceKeys, parameters: [], next: position.map { ("cursor", "\($0)") })
        block.actions = ConsoleView.Actions(
            actionLinks: [
                ConsoleView.ActionLink(
                    actionURL: ConsolePath.task(.newServiceKey).path, actionText: texts.name(of: .newServiceKey))
            ])
        view.blocks = [block]
        return request.response(view)
    }

    private func table(_ keys: [ServiceKey], _ request: AdministratorRequest) -> ConsoleView.Table {
        let texts = request.texts
        return ConsoleView.Table(
            texts.title(of: .serviceKeys),
            [
                texts.nameTitle, texts.state, texts.scopes, texts.apps, texts.networks, texts.lastUsedAt,
                texts.expiresAt,
                texts.actionsTitle,
            ],
            keys.map { row($0, request) })
    }

    private func row(_ key: ServiceKey, _ request: AdministratorRequest) -> [ConsoleView.Cell] {
        let texts = request.texts
        var state = ConsoleView.Badge(texts.active, .good)
        if !key.isValid(at: request.now) { state = ConsoleView.Badge(texts.expired, .waiting) }
        var links: [ConsoleView.ActionLink] = []
        if key.revokedAt == nil {
            let text = texts.name(of: ConsoleTask.revokeServiceKey)
            links.append(
                ConsoleView.ActionLink(
                    actionURL: ConsolePath.task(.revokeServiceKey).url([("id", key.id.text)]), actionText: text,
                    actionName: "\(text): \(key.name)", isDangerous: true))
        } else {
            state = ConsoleView.Badge(texts.revoked, .bad)
        }
        let apps = key.apps.map(\.text).joined(separator: ", ")
        let networks = key.networks.map { "\($0)" }.joined(separator: ", ")
        return [
            ConsoleView.Cell.text(texts.nameTitle, key.name, note: key.id.text).asRowHeader,
            .badges(texts.state, [state]), .text(texts.scopes, key.scopes.map(\.rawValue).joined(separator: ", ")),
            .text(texts.apps, apps.isEmpty ? texts.everyAppButProvider : apps),
            .text(texts.networks, networks.isEmpty ? texts.any : networks),
            .time(texts.lastUsedAt, key.lastUsedAt), .time(texts.expiresAt, key.expiresAt), .actions(links),
        ]
    }
}
