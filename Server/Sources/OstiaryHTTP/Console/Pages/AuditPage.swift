import Foundation
import OstiaryCore
import OstiaryEngine

/// `/admin/audit`: the record of what was done, by whom, and with which outcome.
struct AuditPage: ConsolePage {
    private static let pageSize = 100
    private static let filters = ["app", "account", "action", "outcome", "since", "until"]

    func show(_ request: AdministratorRequest) async throws -> ServerResponse {
        let texts = request.texts
        var view = request.view(texts.title(of: .audit), in: .audit)
        var block = ConsoleView.Block("events", nil)
        block.filter = filter(request)
        view.blocks = [block]
        do {
            let (page, position) = try await events(request)
            if page.isEmpty { block.empty = texts.noEvents } else { block.table = Self.table(page, request) }
            block.pager = request.pager(
                .audit, parameters: Self.filters,
                next: position.map { ("cursor", "\($0.at.milliseconds).\($0.number)") })
            view.blocks = [block]
            return request.response(view)
        } catch let problem as AdministrationProblem {
            return request.redisplay(view, problem)
        }
    }

    private func events(
        _ request: AdministratorRequest
    ) async throws -> (page: [RecordedEvent], position: AuditPosition?) {
        try await request.administration.auditEvents(
            app: try request.filteredApp()?.name.text, account: try request.filter("account") { try? AccountID($0) },
            action: try request.filter("action"), outcome: try request.filter("outcome"),
            since: try request.date("since"), until: try request.date("until")?.addingTimeInterval(86_400),
            after: try position(request), limit: Self.pageSize)
    }

    private func position(_ request: AdministratorRequest) throws -> AuditPosition? {
        guard let text = try request.filter("cursor") else { return nil }
        let parts = text.utf8.split(separator: UInt8(ascii: ".")).map { String($0).flatMap { Int64($0) } }
        guard parts.count == 2, let at = parts[0], let number = parts[1] else {
            throw AdministrationProblem.invalid("cursor", "cursor_malformed", "cursor: is not one of this list")
        }
        return AuditPosition(at: Date(milliseconds: at), number: Int(number))
    }

    private func filter(_ request: AdministratorRequest) -> ConsoleView.Filter {
        let (texts, query) = (request.texts, request.query)
        return ConsoleView.Filter(
            filterAction: ConsolePath.audit.path,
            filterFields: [
                request.appField(selected: query["app"] ?? "", all: texts.everyApp),
                .text("account", texts.accountID, value: query["account"] ?? "", hint: texts.needsApp),
                .text("action", texts.action, value: query["action"] ?? ""),
                .text("outcome", texts.outcome, value: query["outcome"] ?? "", hint: texts.outcomeHint),
                .text("since", texts.since, value: query["since"] ?? "", type: "date"),
                .text("until", texts.until, value: query["until"] ?? "", type: "date"),
            ], filterButton: texts.filter,
            resetURL: Self.filters.contains { query[$0] != nil } ? ConsolePath.audit.path : nil,
            resetText: texts.reset)
    }

    static func table(
        _ events: [RecordedEvent], _ request: AdministratorRequest, showsApp: Bool = true
    ) -> ConsoleView.Table {
        let texts = request.texts
        let columns =
            [texts.time, texts.action] + (showsApp ? [texts.app, texts.person] : []) + [texts.address, texts.details]
        return ConsoleView.Table(
            texts.title(of: .audit), columns,
            events.map { record in
                let event = record.event
                let outcome = ConsoleView.Badge(event.outcome, event.outcome == "ok" ? .good : .bad)
                var cells = [
                    ConsoleView.Cell.time(texts.time, event.at).asRowHeader,
                    ConsoleView.Cell(cellLabel: texts.action, cellCode: event.action, cellBadges: [outcome]),
                ]
                if showsApp { cells += [.code(texts.app, event.app.text), person(event, texts)] }
                cells += [
                    .text(
                        texts.address, event.address,
                        note: event.userAgent.map { texts.name(of: UserAgentSummary($0)) }
                    ).asWide,
                    .text(texts.details, details(event), note: event.actor.map(texts.by)).asWide,
                ]
                return cells
            })
    }

    private static func person(_ event: AuditEvent, _ texts: any ConsoleTexts) -> ConsoleView.Cell {
        guard let id = event.account else { return .text(texts.person, event.identifier) }
        let person = ConsolePath.PersonReference(app: event.app.text, id: id.text)
        return .link(texts.person, ConsolePath.person(person).path, id.text, note: event.identifier)
    }

    private static func details(_ event: AuditEvent) -> String? {
        // Lines break after spaces alone.
        let parts = event.details.sorted { $0.key < $1.key }.map { key, value in
            let values = value.utf8.split(separator: UInt8(ascii: ",")).map { String(Substring($0)) }
            return "\(key): \(values.joined(separator: ", "))"
        }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}
