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
        guard !endpoints.isEmpty else { return request.response(view) }
        var list = ConsoleView.Block("deliveries", texts.deliveries)
        list.filter = filter(request)
        do {
            try await listDeliveries(request, in: &list)
            view.blocks.append(list)
            return request.response(view)
        } catch let problem as AdministrationProblem {
            view.blocks.append(list)
            return request.redisplay(view, problem)
        }
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

    private func filter(_ request: AdministratorRequest) -> ConsoleView.Filter {
        let (texts, state) = (request.texts, request.query["state"])
        return ConsoleView.Filter(
            filterAction: ConsolePath.events.path,
            filterFields: [
                .choice(
                    "state", texts.state, any: texts.any, EventDelivery.State.allCases, selected: state ?? ""
                ) { ($0.rawValue, texts.name(of: $0)) }
            ], filterButton: texts.filter, resetURL: state == nil ? nil : ConsolePath.events.path,
            resetText: texts.reset)
    }

    private func listDeliveries(_ request: AdministratorRequest, in block: inout ConsoleView.Block) async throws {
        let texts = request.texts
        let (page, position) = try await request.events.deliveries(
            state: try request.filter("state") { EventDelivery.State(rawValue: $0) },
            before: try request.filter("cursor") { $0.utf8.count <= 18 ? Int($0) : nil }, limit: Self.pageSize)
        if page.isEmpty { block.empty = texts.noDeliveries } else { block.table = Self.table(page, request) }
        block.pager = request.pager(.events, parameters: ["state"], next: position.map { ("cursor", "\($0)") })
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
