import OstiaryAdminAPI
package import OstiaryContracts
package import OstiaryEngine
import OstiaryServerPaths

/// The services below `/admin`: the admin API, and the console.
package struct AdminServer: Sendable {
    let api: AdminAPIServer
    let hosts: AdminHosts
    /// Pages below `/admin` that are not the API; nil where there are none.
    let console: (any AdminConsole)?

    package init(api: AdminAPIServer, hosts: AdminHosts, console: (any AdminConsole)? = nil) {
        self.api = api
        self.hosts = hosts
        self.console = console
    }

    /// Returns `true` for a path that this server answers.
    static func serves(_ path: String) -> Bool { ServerPath.administration.remainder(of: path) != nil }

    func answer(_ request: WireRequest, from caller: Caller) async -> AppServer.Answer {
        guard hosts.accepts(authority: request.headers["host"]) else {
            return AppServer.Answer(AdminRefusal(421, "misdirected_request").response, .misdirected)
        }
        if let path = ServerPath.remainder(of: request.path, below: AdminAPI.basePath) {
            var request = request
            request.path = path
            return await api.answer(request, from: caller)
        }
        if let console { return await console.answer(request, from: caller) }
        return AppServer.Answer(AdminRefusal(404, "not_found").response, .unknownPath)
    }

    /// Returns the response to a request that is refused before its body is read.
    static func refusal(_ status: Int, _ label: RequestLabel) -> AppServer.Answer {
        AppServer.Answer(AdminRefusal(status, label.rawValue).response, label)
    }
}

/// The pages for administrators.
package protocol AdminConsole: Sendable {
    /// - Parameter request: Its path is that of the request: `/admin` or below it.
    func answer(_ request: WireRequest, from caller: Caller) async -> AppServer.Answer
}
