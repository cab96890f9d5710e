import OstiaryCore
import OstiaryEngine

/// `/admin/roles`: the roles of an app and what each permits.
struct RolesPage: ConsolePage {
    private static let pageSize = 100

    func show(_ request: AdministratorRequest) async throws -> ServerResponse {
        let (texts, query) = (request.texts, request.query)
        var view = request.view(texts.title(of: .roles), in: .roles)
        guard let app = try PeoplePage.app(request) else { return request.response(view) }
        var block = ConsoleView.Block("roles", nil)
        block.filter = ConsoleView.Filter(
            filterAction: ConsolePath.roles.path, filterFields: [request.appField(selected: app.name.text)],
            filterButton: texts.show, resetURL: nil, resetText: texts.reset)
        let (page, next) = try await request.administration.app(app.name.text)
            .roles(after: query["cursor"], limit: Self.pageSize)
        block.table = table(page, app, request)
        block.pager = request.pager(.roles, parameters: ["app"], next: next.map { ("cursor", $0) })
        block.actions = ConsoleView.Actions(
            actionLinks: [
                ConsoleView.ActionLink(
                    actionURL: ConsolePath.task(.newRole).url([("app", app.name.text)]),
                    actionText: texts.name(of: .newRole))
            ])
        view.blocks = [block]
        return request.response(view)
    }

    private func table(
        _ roles: [RoleDefinition], _ app: AdministeredApp, _ request: AdministratorRequest
    ) -> ConsoleView.Table {
        let texts = request.texts
        return ConsoleView.Table(
            texts.title(of: .roles), [texts.role, texts.permissions, texts.source, texts.actionsTitle],
            roles.map { role in
                let tasks: [ConsoleTask] = role.source == .api ? [.editRole, .deleteRole] : []
                return [
                    .link(
                        texts.role, ConsolePath.people.url([("app", app.name.text), ("role", role.name)]), role.name
                    ).asRowHeader,
                    .text(texts.permissions, role.permissions.map(\.text).joined(separator: ", ")),
                    .text(texts.source, texts.name(of: role.source)),
                    .actions(
                        tasks.map { task in
                            ConsoleView.ActionLink(
                                actionURL: ConsolePath.task(task).url([("app", app.name.text), ("role", role.name)]),
                                actionText: texts.name(of: task), actionName: "\(texts.name(of: task)): \(role.name)",
                                isDangerous: task.isDangerous)
                        }),
                ]
            })
    }
}
