package import OstiaryEngine

/// The settings of distributed traces.
package struct TracingSettings: Hashable, Sendable {
    package var accept = Acceptance.trustedProxies
    package var propagate = TracePropagation.all

    /// The clients whose traces are continued.
    package enum Acceptance: String, CaseIterable, Sendable {
        /// The addresses of `trusted_proxies`.
        case trustedProxies = "trusted_proxies"
        case all, none
    }

    package init() {}

    init(_ section: Section) throws(ConfigurationProblem) {
        accept = try section.choice("accept") ?? accept
        propagate = try section.choice("propagate") ?? propagate
        try section.finish()
    }
}
