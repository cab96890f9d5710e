import Foundation
import OstiaryCore
import OstiaryEngine

/// The tasks of endpoints and deliveries that need a confirmation alone.
struct EventTasks {
    let task: ConsoleTask

    static func page(of id: EventEndpointID) -> String { ConsolePath.task(.endpoint).url([("id", id.text)]) }

    /// Returns the endpoint that a request names.
    static func endpoint(_ request: AdministratorRequest) async throws -> EventEndpoint {
        guard let id = request.query["id"].flatMap({ try? EventEndpointID($0) }) else {
            throw AdministrationProblem.notFound("no such endpoint")
        }
        return try await request.events.endpoint(id)
    }

    func facts(_ request: AdministratorRequest) async throws -> [ConsoleView.Fact] {
        let texts = request.texts
        guard task != .redeliver else {
            return [ConsoleView.Fact(texts.delivery, .code("", request.query["id"] ?? ""))]
        }
        let endpoint = try await Self.endpoint(request)
        return [ConsoleView.Fact(texts.app, endpoint.app.text), ConsoleView.Fact(texts.url, endpoint.url)]
    }

    func take(_ request: AdministratorRequest) async throws -> ServerResponse {
        let events = request.events
        if task == .redeliver {
            guard let id = request.query[integer: "id"] else {
                throw AdministrationProblem.notFound("no such delivery")
            }
            _ = try await events.redeliver(id)
            return request.redirect(to: ConsolePath.events.path, notice: task.rawValue)
        }
        let endpoint = try await Self.endpoint(request)
        switch task {
        case .deleteEndpoint:
            try await events.delete(endpoint.id)
            return request.redirect(to: ConsolePath.events.path, notice: task.rawValue)
        case .rotateEndpointSecret:
            let (secret, _) = try await events.rotateSecret(of: endpoint.id)
            return SecretPage.response(
                request, heading: request.texts.name(of: task), in: .events, name: endpoint.url, secret: secret,
                note: request.texts.newSecretNote)
        default: _ = try await events.test(endpoint.id)
        }
        return request.redirect(to: Self.page(of: endpoint.id), notice: task.rawValue)
    }
}
