/// The limits for one client. Sizes are bytes, times are seconds.
package struct ServerLimits: Hashable, Sendable {
    package var body = 65536
    package var headers = 16384
    package var connections = 10000
    package var headerTimeout = 10
    package var bodyTimeout = 30
    package var idleTimeout = 60

    package init() {}

    init(_ section: Section) throws(ConfigurationProblem) {
        body = try section.integer("body", in: 1024...16_777_216) ?? body
        headers = try section.integer("headers", in: 1024...1_048_576) ?? headers
        connections = try section.integer("connections", in: 1...1_000_000) ?? connections
        headerTimeout = try section.integer("header_timeout", in: 1...3600) ?? headerTimeout
        bodyTimeout = try section.integer("body_timeout", in: 1...3600) ?? bodyTimeout
        idleTimeout = try section.integer("idle_timeout", in: 1...3600) ?? idleTimeout
        try section.finish()
    }
}
