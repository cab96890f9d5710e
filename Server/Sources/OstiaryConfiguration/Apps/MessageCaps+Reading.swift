import OstiaryEngine

extension MessageCaps {
    private static let range = 1...10_000_000

    init(_ section: Section) throws(ConfigurationProblem) {
        self.init()
        perRecipientDay = try section.integer("per_recipient_day", in: Self.range) ?? perRecipientDay
        perPrefixHour = try section.integer("per_prefix_hour", in: Self.range) ?? perPrefixHour
        perNetworkHour = try section.integer("per_network_hour", in: Self.range) ?? perNetworkHour
        perServerHour = try section.integer("per_server_hour", in: Self.range) ?? perServerHour
        try section.finish()
    }

    func show(in outline: inout Outline) {
        outline.add("per_recipient_day", perRecipientDay)
        outline.add("per_prefix_hour", perPrefixHour)
        outline.add("per_network_hour", perNetworkHour)
        outline.add("per_server_hour", perServerHour)
    }
}
