import OstiaryEngine

/// A page with a form that is shown again, with the reasons, where it is refused.
protocol ConsoleFormPage: ConsolePage {
    /// Returns the page.
    ///
    /// - Parameter form: The refused form, whose values the page keeps; nil for the present values.
    func view(_ request: AdministratorRequest, form: ConsoleForm?) async throws -> ConsoleView

    /// Performs what the form asks for.
    func perform(_ form: ConsoleForm, _ request: AdministratorRequest) async throws -> ServerResponse
}

extension ConsoleFormPage {
    func show(_ request: AdministratorRequest) async throws -> ServerResponse {
        request.response(try await view(request, form: nil))
    }

    func take(_ form: ConsoleForm, _ request: AdministratorRequest) async throws -> ServerResponse {
        do {
            return try await perform(form, request)
        } catch let problem as AdministrationProblem where problem.reason != .notFound {
            var view = try await view(request, form: problem.isEditConflict ? nil : form)
            for index in view.blocks.indices {
                if problem.isEditConflict {
                    view.blocks[index].form?.keepEntries(of: form, request.texts)
                } else {
                    view.blocks[index].form?.keepShownValues(of: form)
                }
            }
            return request.redisplay(view, problem)
        }
    }
}
