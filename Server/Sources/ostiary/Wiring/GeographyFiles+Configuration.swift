import OstiaryConfiguration
import OstiaryGeography

extension GeographyFiles {
    /// Opens the configured files; nil if there are none.
    ///
    /// - Throws: ``ConfigurationProblem`` for a file that is not usable.
    init?(_ settings: GeographySettings) throws(ConfigurationProblem) {
        guard !settings.isEmpty else { return nil }
        do throws(GeographyFileProblem) {
            try self.init(Paths(city: settings.city, systems: settings.asn, anonymous: settings.anonymous))
        } catch {
            throw ConfigurationProblem(place: nil, key: "geoip", need: "needs usable files: \(error)")
        }
    }
}
