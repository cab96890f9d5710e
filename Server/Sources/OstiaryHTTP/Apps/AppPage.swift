import OstiaryContracts
import OstiaryEngine

/// A page for a person at a path of an app, which is not a part of its contract.
protocol AppPage: Sendable {
    func answer(_ request: WireRequest, app: AppServer, from caller: Caller) async -> ServerResponse
}

extension AppServer {
    /// Returns the page at a path; nil where the app has none.
    func page(at path: String) -> (any AppPage)? {
        if let page = linkPage(at: path) { return page }
        if let page = noticeLinkPage(at: path) { return page }
        if let page = deviceLinkPage(at: path) { return page }
        return passkeyRecoveryPage(at: path)
    }
}
