import Foundation
package import OstiaryContracts
import OstiaryCore
package import OstiaryEngine
package import OstiaryProvider

/// The operator's console at `/admin`: pages for administrators, independent of sockets.
///
/// It decides nothing about accounts: every list and every change is one of ``ServerAdministration``, with the administrator as
/// the actor.
package final class Console: AdminConsole {
    let provider: OpenIDProvider
    let frame: Branding
    let settings: ConsoleSettings
    /// The server's apps and what they share.
    let server: AdministeredServer

    package init(
        provider: OpenIDProvider, frame: Branding, settings: ConsoleSettings, server: AdministeredServer
    ) {
        self.provider = provider
        self.frame = frame
        self.settings = settings
        self.server = server
    }

    /// The age of an authentication that dangerous actions accept, in seconds.
    static let stepUpSeconds = 300

    /// Answers a request at or below ``ConsolePath/base``.
    package func answer(_ request: WireRequest, from caller: Caller) async -> AppServer.Answer {
        if let asset = ConsoleAssets.response(to: request) {
            return AppServer.Answer(asset, operation: "console asset")
        }
        let path = ConsolePath(request.path)
        let page = ConsolePageRequest(request, from: caller, to: self)
        guard ["GET", "HEAD", "POST"].contains(request.method) else {
            var response = page.outcome(page.texts.unknownPage, status: 405)
            response.headers["allow"] = "GET, HEAD, POST"
            return AppServer.Answer(response, operation: "console wrong_method")
        }
        var response: ServerResponse
        do {
            response = try await answer(path, page)
        } catch {
            response = page.failure(error)
        }
        response.headers["cache-control"] = "no-store"
        return AppServer.Answer(response, operation: path?.label ?? "console unknown_path")
    }

    private func answer(_ path: ConsolePath?, _ page: ConsolePageRequest) async throws -> ServerResponse {
        switch path {
        case .callback: return try await finishSignIn(page)
        case .signIn: return try beginSignIn(page, to: .overview, isAnew: page.query["again"] != nil)
        default: break
        }
        guard let token = ConsoleCookie.value(in: page.request, frame: page.frame),
            let session = try await provider.consoleSession(of: token, from: page.caller)
        else {
            // A link from another site comes without the `Strict` cookie: the same page, asked for from here, has it.
            if page.isFromAnotherSite { return page.forward(to: page.target) }
            return try beginSignIn(page, to: path ?? .overview)
        }
        let request = AdministratorRequest(page, session: session, token: token)
        guard session.account.roles.contains(User.adminRole) else {
            return page.outcome(page.texts.noAdministrator, status: 403, link: page.texts.otherAccountLink)
        }
        var response = try await answer(path, request)
        if let renewed = session.renewedToken, response.cookies.isEmpty {
            response.cookies = [ConsoleCookie.setting(renewed, frame: page.frame)]
        }
        return response
    }

    /// Answers the request of an administrator.
    private func answer(_ path: ConsolePath?, _ request: AdministratorRequest) async throws -> ServerResponse {
        guard let path, let page = path.page else {
            return request.response(request.view(request.texts.unknownPage.heading), status: 404)
        }
        do {
            guard request.page.request.method == "POST" else {
                guard try await isRecentEnough(page, request) else { return try stepUp(request, to: path) }
                return try await page.show(request)
            }
            let form = try ConsoleForm(request)
            if path == .signOut { return try await signOut(request) }
            // The form's page is shown again after the sign-in: nothing is done that was not confirmed afterwards.
            guard try await isRecentEnough(page, request) else { return try stepUp(request, to: path) }
            // The events of the change name the administrator.
            return try await ChangeActor.$current.withValue(request.administration.actor.text) {
                try await page.take(form, request)
            }
        } catch let problem as AdministrationProblem {
            return request.response(to: problem)
        } catch let refusal as ConsoleForm.Refusal {
            return request.refusal(of: refusal)
        }
    }

    private func isRecentEnough(_ page: any ConsolePage, _ request: AdministratorRequest) async throws -> Bool {
        guard page.needsStepUp else { return true }
        return try await provider.isConsoleSession(
            request.session, authenticatedWithin: Self.stepUpSeconds, from: request.page.caller)
    }
}
