import Foundation
import OstiaryCore
import OstiaryEngine

extension ControlService {
    /// - Parameter app: The app of the command; nil for all.
    func perform(
        _ command: EndpointCommand, app: AppName?, as actor: AdministrationActor
    ) async throws -> ControlReply {
        let events = ServerAdministration(dependencies.administered, actor: actor).events
        switch command {
        case .list: return .endpoints(try await events.endpoints(of: app).map { EndpointRecord($0) })
        case .create(let draft):
            guard let app else { throw AdministrationProblem("an endpoint belongs to one app") }
            let (endpoint, secret) = try await events.create(
                NewEventEndpoint(
                    app: app, url: draft.url, types: draft.types, include: draft.include,
                    description: draft.description, contact: draft.contact))
            return .endpoints([EndpointRecord(endpoint, secret: secret)])
        case .setEnabled(let isEnabled, let id):
            let update = EventEndpointUpdate(state: isEnabled ? .enabled : .disabled)
            return .endpoints([EndpointRecord(try await events.update(Self.endpoint(id), update))])
        case .delete(let id):
            try await events.delete(Self.endpoint(id))
            return .done
        case .rotateSecret(let id):
            let (secret, _) = try await events.rotateSecret(of: Self.endpoint(id))
            return .endpoints([EndpointRecord(try await events.endpoint(Self.endpoint(id)), secret: secret)])
        case .test(let id):
            return .deliveries([DeliveryRecord(try await events.test(Self.endpoint(id)))], position: nil)
        case .deliveries(let id, let failedOnly, let position):
            let (page, next) = try await events.deliveries(
                of: try id.map(Self.endpoint), app: app, state: failedOnly ? .failed : nil, before: position,
                limit: ControlCommand.pageSize)
            return .deliveries(page.map { DeliveryRecord($0) }, position: next)
        case .redeliver(let id):
            return .deliveries([DeliveryRecord(try await events.redeliver(id))], position: nil)
        }
    }

    private static func endpoint(_ text: String) throws(AdministrationProblem) -> EventEndpointID {
        do { return try EventEndpointID(text) } catch { throw .notFound("no event endpoint \(text)") }
    }
}
