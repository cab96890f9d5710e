import OstiaryContracts
import OstiaryCore
import OstiaryEngine

/// A page for a person at a path of an app, which is not a part of its contract.
protocol AppPage: Sendable {
    func answer(_ request: WireRequest, app: AppServer, from caller: Caller) async -> ServerResponse
}

extension AppServer {
    /// Returns the pages of an app, by their paths below its base.
    static func pages(of codec: Codec, _ app: AppSettings) -> [String: any AppPage] {
        var pages: [String: any AppPage] = [:]
        for page in LinkPage.allCases where page.exists(in: app, of: codec) { pages[page.rawValue] = page }
        for link in NoticeLink.allCases where link.exists(in: app) { pages[link.rawValue] = NoticeLinkPage(link: link) }
        if codec.endpoint(for: .redeemDeviceLink) != nil { pages[DeviceLinkPage.path] = DeviceLinkPage() }
        for page in PasskeyRecoveryPage.allCases where PasskeyRecoveryPage.exist(in: app) {
            pages[page.rawValue] = page
        }
        return pages
    }
}
