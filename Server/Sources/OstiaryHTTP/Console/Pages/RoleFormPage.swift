import OstiaryCore
import OstiaryEngine

/// `/admin/roles/new`, `/admin/roles/edit` and `/admin/roles/delete`.
struct RoleFormPage: ConsoleFormPage {
    let task: ConsoleTask

    var needsStepUp: Bool { task.needsStepUp }

    func perform(_ form: ConsoleForm, _ request: AdministratorRequest) async throws -> ServerResponse {
        let administration = try request.administration.app(request.query["app"] ?? "")
        let name = request.query["role"] ?? ""
        switch task {
        case .deleteRole: try await administration.deleteRole(name)
        case .editRole:
            _ = try await administration.updateRole(
                name, permissions: form.lines(of: "permissions"), expected: form.shownValues)
        default:
            _ = try await administration.createRole(
                form.value(of: "name") ?? "", permissions: form.lines(of: "permissions"))
        }
        return request.redirect(to: list(request), notice: task.rawValue)
    }

    private func list(_ request: AdministratorRequest) -> String {
        ConsolePath.roles.url([("app", request.query["app"])])
    }

    func view(_ request: AdministratorRequest, form: ConsoleForm?) async throws -> ConsoleView {
        let texts = request.texts
        let administration = try request.administration.app(request.query["app"] ?? "")
        var role: RoleDefinition?
        if task != .newRole { role = try await administration.changeableRole(request.query["role"] ?? "") }
        var view = request.view(texts.name(of: task), in: .roles, above: [request.crumb(.roles)])
        var facts = [ConsoleView.Fact(texts.app, administration.appName.text)]
        if let role { facts.append(ConsoleView.Fact(texts.role, role.name)) }
        var fields: [ConsoleView.Field] = []
        if task == .newRole {
            fields.append(
                .text(
                    "name", texts.nameTitle, value: form?["name"] ?? "", hint: texts.roleNameHint, isRequired: true))
        }
        if task != .deleteRole {
            let now = role?.permissions.map(\.text).joined(separator: "\n") ?? ""
            fields.append(
                .area(
                    "permissions", texts.permissions, value: form.map { $0["permissions"] ?? "" } ?? now, rows: 8,
                    hint: texts.permissionsHint))
        }
        var block = ConsoleView.Block("role", nil, note: texts.consequence(of: task))
        block.isNarrow = true
        block.facts = ConsoleView.Facts(entries: facts)
        block.form = request.form(
            ConsolePath.task(task).url(request.query.values(of: ["app", "role"])), fields,
            shown: task == .editRole ? role.map { EntityTag(permissionsOf: $0) } : nil,
            button: texts.confirmation(of: task), isDangerous: task.isDangerous, cancel: list(request))
        view.blocks = [block]
        return view
    }
}
