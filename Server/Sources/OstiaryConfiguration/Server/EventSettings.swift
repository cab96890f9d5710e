package import OstiaryEngine

/// The settings of requests to other systems: events and hooks.
package struct EventSettings: Hashable, Sendable {
    /// The URLs and addresses that requests are sent to.
    package var urls: EventURLPolicy

    /// Plain HTTP to this machine is for development.
    init(_ section: Section, mode: Mode) throws(ConfigurationProblem) {
        urls = EventURLPolicy(
            allowsPlainLoopback: mode == .development, allowsPrivate: try section.boolean("allow_private") ?? false)
        try section.finish()
    }
}
