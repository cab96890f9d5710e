import Foundation
import OstiaryCore
import OstiaryEngine

/// `/admin/events`: the endpoints that are told of changes, and the deliveries to them.
struct EventsPage: ConsolePage {
    private static let pageSize = 50

    func show(_ request: AdministratorRequest) async throws -> ServerResponse {
        let texts = request.texts
        var view = request.view(texts.title(of: .events), in: .events)
        var block = ConsoleView.Block("endpoints", texts.endpoints)
        let endpoints = try await request.events.endpoints()
        if endpoints.isEmpty { block.empty = texts.noEndpoints } else { block.table = table(endpoints, request) }
        block.actions = ConsoleView.Actions(
            actionLinks: [
                ConsoleView.ActionLink(
                    actionURL: ConsolePath.task(.newEndpoint).path, actionText: texts.name(of: .newEndpoint))
            ])
        view.blocks = [block]
        if !endpoints.isEmpty { view.blocks.append(try await deliveries(request)) }
        return request.response(view)
    }

    private func table(_ endpoints: [EventEndpoint], _ request: AdministratorRequest) -> ConsoleView.Table {
        let texts = request.texts
        return ConsoleView.Table(
            texts.endpoints, [texts.url, texts.app, texts.state, texts.lastSuccessAt, texts.failingSince],
            endpoints.map { endpoint in
                [
                    .link(
                        texts.url, ConsolePath.task(.endpoint).url([("id", endpoint.id.text)]), endpoint.url,
                        note: endpoint.description
                    ).asRowHeader,
                    .text(texts.app, endpoint.app.text), .badges(texts.state, [texts.badge(of: endpoint.state)]),
                    .time(texts.lastSuccessAt, endpoint.lastSuccessAt),
                    .time(texts.failingSince, endpoint.failingSince),
                ]
            })
    }

    private func deliveries(_ request: AdministratorRequest) async throws -> ConsoleView.Block {
        let (texts, query) = (request.texts, request.query)
        let state = query["state"].flatMap(EventDelivery.State.init)
        var block = ConsoleView.Block("deliveries", texts.deliveries)
        block.filter = ConsoleView.Filter(
            filterAction: ConsolePath.events.path,
            filterFields: [
                .choice(
                    "state", texts.state, any: texts.any, EventDelivery.State.allCases, selected: state?.rawValue ?? ""
                ) { ($0.rawValue, texts.name(of: $0)) }
            ], filterButton: texts.filter, resetURL: state == nil ? nil : ConsolePath.events.path,
            resetText: texts.reset)
        let (page, position) = try await request.events.deliveries(
            state: state, before: query[integer: "cursor"], limit: Self.pageSize)
        if page.isEmpty { block.empty = texts.noDeliveries } else { block.table = Self.table(page, request) }
        block.pager = request.pager(.events, parameters: ["state"], next: position.map { ("cursor", "\($0)") })
        return block
    }

    static func table(_ deliveries: [EventDelivery], _ request: AdministratorRequest) -> ConsoleView.Table {
        let texts = request.texts
        return ConsoleView.Table(
            texts.deliveries,
            [
                texts.eventType, texts.app, texts.person, texts.state, texts.attempts, texts.createdAt,
                texts.actionsTitle,
            ],
            numeric: [4],
            deliveries.map { row($0, request) })
    }

    private static func row(_ delivery: EventDelivery, _ request: AdministratorRequest) -> [ConsoleView.Cell] {
        let texts = request.texts
        let last = delivery.attempts.last
        var links: [ConsoleView.ActionLink] = []
        if delivery.state != .pending {
            let text = texts.name(of: ConsoleTask.redeliver)
            links.append(
                ConsoleView.ActionLink(
                    actionURL: ConsolePath.task(.redeliver).url([("id", "\(delivery.id)")]), actionText: text,
                    actionName: "\(text): \(delivery.type) \(delivery.eventID)"))
        }
        return [
            ConsoleView.Cell.text(texts.eventType, delivery.type, note: delivery.eventID).asRowHeader,
            .text(texts.app, delivery.app.text), person(delivery, texts),
            ConsoleView.Cell(
                cellLabel: texts.state, cellBadges: [texts.badge(of: delivery.state)],
                cellNote: last?.error ?? last?.status.map { "HTTP \($0)" }),
            .number(texts.attempts, delivery.attempts.count), .time(texts.createdAt, delivery.createdAt),
            .actions(links),
        ]
    }

    private static func person(_ delivery: EventDelivery, _ texts: any ConsoleTexts) -> ConsoleView.Cell {
        guard let account = delivery.account else { return .text(texts.person, nil) }
        let person = ConsolePath.PersonReference(app: delivery.app.text, id: account.text)
        return .link(texts.person, ConsolePath.person(person).path, account.text)
    }
}
