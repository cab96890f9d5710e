import Foundation
import OstiaryCore
import OstiaryEngine

/// `/admin/service-keys/new`: creates a key of the admin API, and shows it once.
struct NewServiceKeyPage: ConsolePage {
    var needsStepUp: Bool { true }

    private static let lifetimes = [30, 90, 365]
    private static let scopePrefix = "scope."

    func show(_ request: AdministratorRequest) async throws -> ServerResponse {
        request.response(view(request, form: nil))
    }

    func take(_ form: ConsoleForm, _ request: AdministratorRequest) async throws -> ServerResponse {
        let scopes = AdministrationScope.allCases.map(\.rawValue).filter { form.isChecked(Self.scopePrefix + $0) }
        do {
            let days = try Self.lifetime(in: form)
            let new = try NewServiceKey(
                name: form.value(of: "name") ?? "", scopes: scopes, apps: form.lines(of: "apps"),
                networks: form.lines(of: "networks"),
                expiresAt: days.map { request.now.addingTimeInterval(Double($0) * 86_400) })
            let (key, text) = try await request.administration.createServiceKey(new)
            let texts = request.texts
            return SecretPage.response(
                request, heading: texts.serviceKeyCreated, in: .serviceKeys, name: key.name, secret: text,
                note: texts.shownOnce)
        } catch let problem as AdministrationProblem {
            return request.redisplay(view(request, form: form), problem)
        }
    }

    private func view(_ request: AdministratorRequest, form: ConsoleForm?) -> ConsoleView {
        let texts = request.texts
        var view = request.view(texts.name(of: .newServiceKey), in: .serviceKeys, above: [request.crumb(.serviceKeys)])
        var fields = [
            ConsoleView.Field.text("name", texts.nameTitle, value: form?["name"] ?? "", isRequired: true)
        ]
        fields.append(
            .group(
                "scopes", texts.scopes, prefix: Self.scopePrefix, AdministrationScope.allCases.map(\.rawValue),
                chosen: { form?.isChecked($0) ?? false }))
        fields += [
            .area("apps", texts.apps, value: form?["apps"] ?? "", rows: 3, hint: texts.serviceKeyAppsHint),
            .area("networks", texts.networks, value: form?["networks"] ?? "", rows: 3, hint: texts.networksHint),
            .choice("days", texts.expiresAt, Self.days(texts), selected: form.map { $0["days"] ?? "" } ?? "90"),
        ]
        var block = ConsoleView.Block("key", nil, note: texts.newServiceKeyNote)
        block.isNarrow = true
        block.form = request.form(
            ConsolePath.task(.newServiceKey).path, fields, button: texts.create, cancel: ConsolePath.serviceKeys.path)
        view.blocks = [block]
        return view
    }

    /// Returns the days for which the key is valid; nil for a key that does not expire.
    private static func lifetime(in form: ConsoleForm) throws -> Int? {
        guard let text = try form.value(of: "days") else { return nil }
        guard let days = lifetimes.first(where: { String($0).utf8.elementsEqual(text.utf8) }) else {
            throw AdministrationProblem.invalid("days", "malformed", "days: malformed")
        }
        return days
    }

    private static func days(_ texts: any ConsoleTexts) -> [(value: String, text: String)] {
        var days: [(value: String, text: String)] = []
        for count in lifetimes { days.append(("\(count)", texts.days(count))) }
        days.append(("", texts.never))
        return days
    }
}
