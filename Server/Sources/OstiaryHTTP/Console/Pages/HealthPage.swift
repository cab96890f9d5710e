import Foundation
import OstiaryEngine

/// `/admin/health`: the parts of the server that can fail, asked now.
struct HealthPage: ConsolePage {
    func show(_ request: AdministratorRequest) async throws -> ServerResponse {
        let texts = request.texts
        var view = request.view(texts.title(of: .health), in: .health)
        let started = ContinuousClock.now
        var problem: String?
        do { try await request.administration.server.store.checkReadiness() } catch {
            problem = request.administration.server.report(error)
        }
        let elapsed = started.duration(to: .now).seconds
        var block = ConsoleView.Block("server", texts.server)
        block.facts = ConsoleView.Facts(
            entries: [
                ConsoleView.Fact(texts.version, request.page.console.settings.version),
                ConsoleView.Fact(texts.time, .time("", request.now)),
                ConsoleView.Fact(
                    texts.store,
                    ConsoleView.Cell(
                        cellBadges: [
                            problem == nil
                                ? ConsoleView.Badge(texts.available, .good)
                                : ConsoleView.Badge(texts.unavailableBadge, .bad)
                        ],
                        cellNote: problem.map(texts.incident) ?? texts.answeredIn(milliseconds: Int(elapsed * 1000)))),
            ])
        view.blocks = [block]
        if problem == nil { view.blocks.append(try await MessagesPage.failures("messages", request)) }
        return request.response(view)
    }
}
