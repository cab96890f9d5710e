import Foundation
import OstiaryCore
import OstiaryEngine

/// `/admin/events/endpoint`: one endpoint with its last deliveries, and what can be done to it.
struct EndpointPage: ConsolePage {
    private static let listedDeliveries = 20

    func show(_ request: AdministratorRequest) async throws -> ServerResponse {
        let texts = request.texts
        let endpoint = try await EventTasks.endpoint(request)
        var view = request.view(endpoint.url, in: .events, above: [request.crumb(.events)])
        view.subject = ConsoleView.Subject(
            subjectLead: Phrase(before: texts.endpointOf, name: endpoint.app.text),
            subjectBadges: [texts.badge(of: endpoint.state)])
        var block = ConsoleView.Block("endpoint", texts.endpoint)
        block.facts = ConsoleView.Facts(
            entries: [
                ConsoleView.Fact(texts.endpointID, .code("", endpoint.id.text)),
                ConsoleView.Fact(
                    texts.eventTypes,
                    endpoint.types.isEmpty
                        ? texts.everyType : endpoint.types.map(\.rawValue).joined(separator: ", ")),
                ConsoleView.Fact(texts.includedFields, endpoint.include.map(\.rawValue).joined(separator: ", ")),
                ConsoleView.Fact(texts.descriptionTitle, endpoint.description),
                ConsoleView.Fact(texts.contact, endpoint.contact?.text),
                ConsoleView.Fact(texts.createdAt, .time("", endpoint.createdAt)),
                ConsoleView.Fact(texts.lastSuccessAt, .time("", endpoint.lastSuccessAt)),
                ConsoleView.Fact(texts.failingSince, .time("", endpoint.failingSince)),
            ])
        block.actions = ConsoleView.Actions(
            actionLinks: [ConsoleTask.editEndpoint, .testEndpoint, .rotateEndpointSecret, .deleteEndpoint].map { task in
                ConsoleView.ActionLink(
                    actionURL: ConsolePath.task(task).url([("id", endpoint.id.text)]), actionText: texts.name(of: task),
                    isDangerous: task.isDangerous)
            })
        var deliveries = ConsoleView.Block("deliveries", texts.deliveries)
        let (page, _) = try await request.events.deliveries(
            of: endpoint.id, limit: Self.listedDeliveries)
        if page.isEmpty {
            deliveries.empty = texts.noDeliveries
        } else {
            deliveries.table = EventsPage.table(page, request)
        }
        view.blocks = [block, deliveries]
        return request.response(view)
    }
}
