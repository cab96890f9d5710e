/// The browser and the system that a `User-Agent` header names, for a person to recognize a device.
///
/// Only names of this list are shown: the header can contain anything. Source: RFC 9110 §10.1.5.
struct UserAgentSummary: Hashable, Sendable {
    let browser: String?
    let system: String?

    init(_ userAgent: String?) {
        let text = userAgent ?? ""
        func first(_ marks: [(mark: String, name: String)]) -> String? {
            marks.first { text.utf8.contains($0.mark.utf8) }?.name
        }
        browser = first(Self.browsers)
        system = first(Self.systems)
    }

    /// A browser names those that it resembles too: the more specific comes first.
    private static let browsers = [
        ("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser/", "Samsung Internet"), ("Firefox/", "Firefox"),
        ("FxiOS/", "Firefox"), ("CriOS/", "Chrome"), ("Chrome/", "Chrome"), ("Safari/", "Safari"),
    ].map { (mark: $0.0, name: $0.1) }

    private static let systems = [
        ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"), ("CrOS", "ChromeOS"),
        ("Mac OS X", "Mac"), ("Linux", "Linux"),
    ].map { (mark: $0.0, name: $0.1) }
}
