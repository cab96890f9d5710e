import OstiaryEngine

/// A page with a form that is shown again, with the reason, where it is refused.
protocol ConsoleFormPage: ConsolePage {
    /// Returns the page.
    ///
    /// - Parameters:
    ///   - form: The refused form, whose values the page keeps; nil for the present values.
    ///   - problem: The reason of the refusal.
    func view(
        _ request: AdministratorRequest, form: ConsoleForm?, _ problem: AdministrationProblem?
    ) async throws -> ConsoleView

    /// Performs what the form asks for.
    func perform(_ form: ConsoleForm, _ request: AdministratorRequest) async throws -> ServerResponse
}

extension ConsoleFormPage {
    func show(_ request: AdministratorRequest) async throws -> ServerResponse {
        request.response(try await view(request, form: nil, nil))
    }

    func take(_ form: ConsoleForm, _ request: AdministratorRequest) async throws -> ServerResponse {
        do {
            return try await perform(form, request)
        } catch let problem as AdministrationProblem where problem.reason != .notFound {
            let view = try await view(request, form: form.redisplayed(after: problem), problem)
            return request.redisplay(view, problem)
        }
    }
}
