import OstiaryEngine

extension RegistrationCaps {
    /// - Parameter section: A section with other keys too; its reader finishes it.
    init(_ section: Section) throws(ConfigurationProblem) {
        self.init()
        perNetworkDay = try section.integer("per_network_day", in: 1...10_000_000) ?? perNetworkDay
        perServerHour = try section.integer("per_server_hour", in: 1...10_000_000) ?? perServerHour
    }

    func show(in outline: inout Outline) {
        outline.add("per_network_day", perNetworkDay)
        outline.add("per_server_hour", perServerHour)
    }
}
