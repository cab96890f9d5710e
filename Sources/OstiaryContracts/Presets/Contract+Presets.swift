extension Contract {
    /// The contracts of the five apps that exist.
    public static let presets: [Contract] = [.timetracker, .vici, .clarity, .barqnet, .viewvault]

    /// The preset of that name; nil if there is none.
    public static func preset(_ name: String) -> Contract? { presets.first { $0.name == name } }
}
