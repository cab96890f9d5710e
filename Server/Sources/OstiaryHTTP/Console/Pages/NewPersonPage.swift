import OstiaryCore
import OstiaryEngine

/// `/admin/people/new`: creates an account, whose owner is invited by mail or gets a password from the administrator.
struct NewPersonPage: ConsolePage {
    func show(_ request: AdministratorRequest) async throws -> ServerResponse {
        request.response(view(request, form: nil))
    }

    func take(_ form: ConsoleForm, _ request: AdministratorRequest) async throws -> ServerResponse {
        do {
            let administration = try request.administration.app(form["app"] ?? "")
            let invites = form.isChecked("invite")
            var new = AccountCreation()
            (new.email, new.username) = (try form.value(of: "email"), try form.value(of: "username"))
            new.phoneNumber = try form.value(of: "phone_number")
            (new.fullName, new.invites) = (try form.value(of: "full_name"), invites)
            new.password = try form.value(of: "password").map { Secret($0) }
            let details = try await administration.create(new)
            return request.redirect(
                to: ConsolePath.person(ConsolePath.PersonReference(details.account)).path,
                notice: invites ? "invite" : "created")
        } catch let problem as AdministrationProblem {
            return request.redisplay(view(request, form: form), problem)
        }
    }

    private func view(_ request: AdministratorRequest, form: ConsoleForm?) -> ConsoleView {
        let texts = request.texts
        var view = request.view(texts.newPerson, in: .people, above: [request.crumb(.people)])
        func text(_ name: String, _ label: String, type: String = "text", hint: String? = nil) -> ConsoleView.Field {
            .text(name, label, value: type == "password" ? "" : form?[name] ?? "", type: type, hint: hint)
        }
        var block = ConsoleView.Block("new", nil, note: texts.newPersonNote)
        block.isNarrow = true
        block.form = request.form(
            ConsolePath.newPerson.path,
            [
                request.appField(selected: form?["app"] ?? request.query["app"] ?? ""),
                text("full_name", texts.fullName), text("email", texts.email, type: "email"),
                text("username", texts.username), text("phone_number", texts.phoneNumber, type: "tel"),
                text("password", texts.password, type: "password", hint: texts.newPersonPasswordHint),
                .check(
                    "invite", texts.sendInvitation, isChecked: form?.isChecked("invite") ?? true,
                    hint: texts.sendInvitationHint),
            ], button: texts.create, cancel: ConsolePath.people.url([("app", request.query["app"])]))
        view.blocks = [block]
        return view
    }
}
