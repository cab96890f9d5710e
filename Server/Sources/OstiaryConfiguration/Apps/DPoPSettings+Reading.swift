import OstiaryCore
import OstiaryEngine

extension DPoPSettings {
    /// Reads the keys `dpop` and `dpop_origins` of an app.
    init(reading section: Section) throws(ConfigurationProblem) {
        self.init(requirement: try section.choice("dpop") ?? .off)
        for setting in try section.list("dpop_origins") ?? [] {
            let text = try setting.string()
            // A path, a query or a fragment would suggest that it is compared.
            guard let url = NormalizedURL(text), url.path == "/", !text.utf8.contains(where: { "?#".utf8.contains($0) })
            else { throw setting.problem("needs an origin, such as https://api.example.com") }
            origins.insert(url.origin)
        }
    }

    func show(in outline: inout Outline) {
        outline.add("dpop", requirement.rawValue)
        if !origins.isEmpty { outline.add("dpop_origins", origins.sorted()) }
    }
}
