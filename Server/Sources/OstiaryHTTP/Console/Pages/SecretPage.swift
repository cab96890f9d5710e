import OstiaryCore

/// The answer to a form that made a secret, which is shown this once.
enum SecretPage {
    static func response(
        _ request: AdministratorRequest, heading: String, in section: ConsolePath, name: String,
        secret: Secret<String>, note: String
    ) -> ServerResponse {
        var view = request.view(heading, in: section, above: [request.crumb(section)])
        var block = ConsoleView.Block("secret", nil, note: note)
        block.isNarrow = true
        block.source = ConsoleView.Source(sourceText: secret.reveal(), sourceName: name)
        block.actions = ConsoleView.Actions(
            actionLinks: [
                ConsoleView.ActionLink(
                    actionURL: section.path, actionText: request.texts.title(of: section), isPrimary: true)
            ])
        view.blocks = [block]
        return request.response(view)
    }
}
