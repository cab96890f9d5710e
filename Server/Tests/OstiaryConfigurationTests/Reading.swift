import OstiaryConfiguration
import OstiaryEngine
import Testing

/// Reads a configuration from the text of `ostiary.yaml`.
func read(
    _ text: String, _ environment: [String: String] = [:], _ overrides: Configuration.Overrides = .init()
) throws -> Configuration {
    try Configuration(
        file: ConfigurationFile(name: "ostiary.yaml", text: text), environment: environment, overrides: overrides)
}

/// Reads a configuration without a file.
func read(_ environment: [String: String], _ overrides: Configuration.Overrides = .init()) throws -> Configuration {
    try Configuration(file: nil, environment: environment, overrides: overrides)
}

/// Returns the line with which a configuration is refused; nil if it is valid.
func refusal(
    _ text: String, _ environment: [String: String] = [:], _ overrides: Configuration.Overrides = .init()
) -> String? {
    do {
        _ = try read(text, environment, overrides)
        return nil
    } catch {
        return String(describing: error)
    }
}

extension Configuration {
    func app(_ name: String) throws -> AppConfiguration {
        try #require(apps.first { $0.name.text == name })
    }
}

/// The minimal configuration that production mode accepts; an app can follow.
let productionHead = """
    mode: production
    public_url: https://auth.example.com
    encryption_key: MDEyMzQ1Njc4OWFiY2RlZmdoaWprbG1ub3BxcnN0dXY=
    email: {kind: smtp, url: "smtps://mail.example.com", from: a@example.com}
    apps:

    """

/// Two secrets of sufficient strength.
let goodSecret = "4f1c0a9be6d2784735fa8c61b0e29d13"
let otherSecret = "b8027ce4915d3fa6c0174e8d29b6f35a"
