/// The limit of open files admits the connections that are configured.
package struct OpenFilesCheck: DoctorCheck {
    package static let name = "open_files"

    let facts: OpenFileFacts
    /// The configured number of concurrent connections.
    let connections: Int

    package init(facts: OpenFileFacts, connections: Int) {
        self.facts = facts
        self.connections = connections
    }

    package func findings() -> [DoctorFinding] {
        let (limit, whose) = (facts.limit, facts.isServers ? "The server" : "A server that starts here")
        // The same reserve as `ConnectionLimits.fit(openFiles:)`.
        let available = limit - min(limit / 4, 256)
        if let used = facts.used, used > limit - limit / 10 {
            return [
                error(
                    "open_files_exhausted", "The server holds \(used) of \(limit) files open.",
                    remedy: "Raise LimitNOFILE of the service, and look for clients that keep connections open.")
            ]
        }
        guard available >= connections else {
            return [
                warning(
                    "open_files_low",
                    "\(whose) may open \(limit.counting("file")), and serves \(max(1, available).counting("connection")) instead of \(connections).",
                    remedy: "Raise LimitNOFILE of the service (or ulimit -n), or lower limits.connections.")
            ]
        }
        return [ok("\(whose) may open \(limit.counting("file")), enough for \(connections.counting("connection")).")]
    }
}
