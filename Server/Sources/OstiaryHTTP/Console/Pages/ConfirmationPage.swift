import Foundation
import OstiaryCore
import OstiaryEngine

/// A task that needs nothing but a confirmation, which names what it concerns.
struct ConfirmationPage: ConsolePage {
    let task: ConsoleTask

    var needsStepUp: Bool { task.needsStepUp }

    func show(_ request: AdministratorRequest) async throws -> ServerResponse {
        request.response(try await view(request))
    }

    func take(_ form: ConsoleForm, _ request: AdministratorRequest) async throws -> ServerResponse {
        let administration = request.administration
        let id = request.query["id"] ?? ""
        do {
            switch task {
            case .revokeServiceKey: _ = try await administration.revokeServiceKey(id)
            case .rotateSigningKeys:
                _ = try await administration.app(request.query["app"] ?? "").rotateSigningKeys()
            case .retryMessage: try await request.messages?.retry(id)
            default: return try await EventTasks(task: task).take(request)
            }
        } catch let problem as AdministrationProblem where problem.reason != .notFound {
            return request.redisplay(try await view(request), problem)
        }
        return request.redirect(to: section.path, notice: task.rawValue)
    }

    private var section: ConsolePath { ConsolePath.task(task).section }

    private func view(_ request: AdministratorRequest) async throws -> ConsoleView {
        let texts = request.texts
        var view = request.view(texts.name(of: task), in: section, above: [request.crumb(section)])
        var block = ConsoleView.Block("task", nil, note: texts.consequence(of: task))
        block.isNarrow = true
        block.facts = ConsoleView.Facts(entries: try await facts(request))
        block.form = request.form(
            ConsolePath.task(task).url(request.query.values(of: ["id", "app"])), button: texts.confirmation(of: task),
            isDangerous: task.isDangerous, cancel: section.path)
        view.blocks = [block]
        return view
    }

    private func facts(_ request: AdministratorRequest) async throws -> [ConsoleView.Fact] {
        let texts = request.texts
        let id = request.query["id"] ?? ""
        switch task {
        case .revokeServiceKey:
            guard let keyID = try? ServiceKeyID(id),
                let key = try await request.administration.server.store.serviceKey(keyID)
            else { throw AdministrationProblem.notFound("no such service key") }
            return [
                ConsoleView.Fact(texts.nameTitle, key.name), ConsoleView.Fact(texts.keyID, .code("", key.id.text)),
                ConsoleView.Fact(texts.lastUsedAt, .time("", key.lastUsedAt)),
            ]
        case .rotateSigningKeys:
            return [
                ConsoleView.Fact(texts.app, try request.administration.app(request.query["app"] ?? "").appName.text)
            ]
        case .retryMessage:
            return [ConsoleView.Fact(texts.message, .code("", id))]
        default: return try await EventTasks(task: task).facts(request)
        }
    }
}
