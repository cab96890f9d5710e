/// `/admin/configuration`: the effective configuration, read-only, with masked secrets.
struct ConfigurationPage: ConsolePage {
    func show(_ request: AdministratorRequest) async throws -> ServerResponse {
        let texts = request.texts
        var view = request.view(texts.title(of: .configuration), in: .configuration)
        var block = ConsoleView.Block("configuration", nil, note: texts.configurationNote)
        block.source = ConsoleView.Source(
            sourceText: request.page.console.settings.configuration(), sourceName: texts.title(of: .configuration))
        view.blocks = [block]
        return request.response(view)
    }
}
