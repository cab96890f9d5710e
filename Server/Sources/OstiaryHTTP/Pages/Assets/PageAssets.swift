import OstiaryContracts

/// The static files that pages load.
enum PageAssets {
    static let base = "/assets/"

    /// - Returns: Nil if there is no such file.
    static func response(to request: WireRequest) -> ServerResponse? {
        if request.path == StyleSheet.path {
            let color = FormValues(request.query)["color"].flatMap(PageColor.init)
            return response(StyleSheet.text(color: color), type: "text/css; charset=utf-8")
        }
        if request.path == PageScript.path { return response(PageScript.text, type: "text/javascript; charset=utf-8") }
        guard let mark = BrandMark.allCases.first(where: { $0.path == request.path }) else { return nil }
        return response(mark.svg, type: "image/svg+xml")
    }

    private static func response(_ text: String, type: String) -> ServerResponse {
        ServerResponse(
            status: 200,
            headers: [
                "content-type": type, "cache-control": "public, max-age=300",
                "cross-origin-resource-policy": "same-origin",
            ], body: Array(text.utf8))
    }
}
