extension Contract {
    /// The contracts of the five existing apps.
    public static let presets: [Contract] = [.timetracker, .vici, .clarity, .barqnet, .viewvault]

    /// Returns the preset with that name; nil if there is none.
    public static func preset(_ name: String) -> Contract? { presets.first { $0.name == name } }
}
