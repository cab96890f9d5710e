import Foundation
import OstiaryCore
import OstiaryEngine

/// `/admin/signing-keys`: the keys of every app that signs tokens with one.
struct SigningKeysPage: ConsolePage {
    func show(_ request: AdministratorRequest) async throws -> ServerResponse {
        let texts = request.texts
        var view = request.view(texts.title(of: .signingKeys), in: .signingKeys)
        for app in request.administration.apps {
            let keys = try await request.administration.app(app.name.text).signingKeys()
            var block = ConsoleView.Block("app-\(app.name)", app.title)
            if keys.isEmpty {
                block.empty = texts.sharedSecret
            } else {
                block.table = table(keys, app, texts, at: request.administration.server.system.now())
                block.actions = ConsoleView.Actions(
                    actionLinks: [
                        ConsoleView.ActionLink(
                            actionURL: ConsolePath.task(.rotateSigningKeys).url([("app", app.name.text)]),
                            actionText: texts.name(of: .rotateSigningKeys),
                            actionName: "\(texts.name(of: .rotateSigningKeys)): \(app.title)", isDangerous: true)
                    ])
            }
            view.blocks.append(block)
        }
        return request.response(view)
    }

    private func table(
        _ keys: [StoredSigningKey], _ app: AdministeredApp, _ texts: any ConsoleTexts, at now: Date
    ) -> ConsoleView.Table {
        ConsoleView.Table(
            "\(texts.title(of: .signingKeys)): \(app.title)",
            [texts.keyID, texts.algorithm, texts.state, texts.createdAt, texts.acceptedUntil],
            keys.map { key in
                let state =
                    switch key.state(at: now, among: keys) {
                    case .current: ConsoleView.Badge(texts.signs, .good)
                    case .next: ConsoleView.Badge(texts.signsLater)
                    case .accepted: ConsoleView.Badge(texts.isAccepted)
                    }
                return [
                    ConsoleView.Cell.code(texts.keyID, key.kid).asRowHeader, .text(texts.algorithm, key.algorithm),
                    .badges(texts.state, [state]), .time(texts.createdAt, key.createdAt),
                    .time(texts.acceptedUntil, key.retiresAt),
                ]
            })
    }
}
