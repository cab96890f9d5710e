import Foundation
import OstiaryCore
import OstiaryEngine

/// `/admin/events/new` and `/admin/events/edit`.
struct EndpointFormPage: ConsoleFormPage {
    let task: ConsoleTask

    private static let typePrefix = "type."
    private static let fieldPrefix = "include."

    var needsStepUp: Bool { task.needsStepUp }

    func perform(_ form: ConsoleForm, _ request: AdministratorRequest) async throws -> ServerResponse {
        let types = EventType.subscribable.map(\.rawValue).filter { form.isChecked(Self.typePrefix + $0) }
        let include = EventField.allCases.map(\.rawValue).filter { form.isChecked(Self.fieldPrefix + $0) }
        guard task == .newEndpoint else {
            let endpoint = try await EventTasks.endpoint(request)
            var update = try EventEndpointUpdate(
                url: form.value(of: "url") ?? "", types: types, include: include,
                description: .some(form.value(of: "description")), contact: .some(form.value(of: "contact")))
            let state: EventEndpoint.State = form.isChecked("enabled") ? .enabled : .disabled
            // Only another state: the store does not compare it with the present one.
            if state != endpoint.state { update.state = state }
            update.expected = form.shownValues
            _ = try await request.events.update(endpoint.id, update)
            return request.redirect(to: EventTasks.page(of: endpoint.id), notice: task.rawValue)
        }
        let app = try request.administration.app(form["app"] ?? "").appName
        let (endpoint, secret) = try await request.events.create(
            NewEventEndpoint(
                app: app, url: form.value(of: "url") ?? "", types: types, include: include,
                description: form.value(of: "description"), contact: form.value(of: "contact")))
        return SecretPage.response(
            request, heading: request.texts.endpointCreated, in: .events, name: endpoint.url, secret: secret,
            note: request.texts.shownOnce)
    }

    func view(_ request: AdministratorRequest, form: ConsoleForm?) async throws -> ConsoleView {
        let texts = request.texts
        var endpoint: EventEndpoint?
        if task == .editEndpoint { endpoint = try await EventTasks.endpoint(request) }
        var above = [request.crumb(.events)]
        if let endpoint {
            above.append(
                ConsoleView.Trail.Crumb(crumbURL: EventTasks.page(of: endpoint.id), crumbText: endpoint.url))
        }
        var view = request.view(texts.name(of: task), in: .events, above: above)
        var block = ConsoleView.Block("endpoint", nil, note: texts.consequence(of: task))
        block.isNarrow = true
        block.form = request.form(
            ConsolePath.task(task).url(request.query.values(of: ["id"])), fields(endpoint, request, form),
            shown: endpoint.map { EntityTag(settingsOf: $0) },
            button: texts.confirmation(of: task), cancel: above.last?.crumbURL)
        view.blocks = [block]
        return view
    }

    private func fields(
        _ endpoint: EventEndpoint?, _ request: AdministratorRequest, _ form: ConsoleForm?
    ) -> [ConsoleView.Field] {
        let texts = request.texts
        func text(_ name: String, _ label: String, _ now: String?, hint: String? = nil) -> ConsoleView.Field {
            .text(
                name, label, value: form.map { $0[name] ?? "" } ?? now ?? "", hint: hint, isRequired: name == "url")
        }
        func group(_ name: String, _ label: String, _ prefix: String, _ names: [String], _ now: [String])
            -> ConsoleView.Field
        {
            .group(
                name, label, prefix: prefix, names,
                chosen: { field in form?.isChecked(field) ?? now.contains { prefix + $0 == field } })
        }
        var fields: [ConsoleView.Field] = []
        if endpoint == nil { fields.append(request.appField(selected: form?["app"] ?? "")) }
        fields.append(text("url", texts.url, endpoint?.url, hint: texts.urlHint))
        fields += [
            group(
                "types", texts.eventTypes, Self.typePrefix, EventType.subscribable.map(\.rawValue),
                endpoint?.types.map(\.rawValue) ?? []),
            group(
                "include", texts.includedFields, Self.fieldPrefix, EventField.allCases.map(\.rawValue),
                endpoint?.include.map(\.rawValue) ?? []),
        ]
        fields += [
            text("description", texts.descriptionTitle, endpoint?.description),
            text("contact", texts.contact, endpoint?.contact?.text, hint: texts.contactHint),
        ]
        if let endpoint {
            fields.append(
                .check(
                    "enabled", texts.isEnabled, isChecked: form?.isChecked("enabled") ?? (endpoint.state == .enabled)))
        }
        return fields
    }
}
