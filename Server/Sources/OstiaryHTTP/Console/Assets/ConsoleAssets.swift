import OstiaryContracts

/// The files that the console's pages load. Its listener serves them itself: the main one may be at another origin.
enum ConsoleAssets {
    static let styleSheetPath = base + "console.css"
    static let scriptPath = base + "ostiary.js"
    static let iconPath = base + "ostiary.svg"

    private static let base = "/admin/assets/"

    /// - Returns: Nil for a path that is no asset's.
    static func response(to request: WireRequest) -> ServerResponse? {
        guard request.path.utf8.starts(with: base.utf8) else { return nil }
        guard request.method == "GET" || request.method == "HEAD" else {
            return ServerResponse(status: 405, headers: ["allow": "GET, HEAD"])
        }
        if request.path == styleSheetPath {
            return PageAssets.response(ConsoleStyleSheet.text, type: "text/css; charset=utf-8", to: request)
        }
        guard request.path == scriptPath || request.path == iconPath else { return ServerResponse(status: 404) }
        var request = request
        request.path = PageAssets.base + request.path.dropFirst(base.count)
        return PageAssets.response(to: request)
    }
}
