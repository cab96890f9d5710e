import Foundation

/// The number of files, including sockets, that a process may hold open.
package struct OpenFileFacts: Codable, Hashable, Sendable {
    package var limit: Int
    /// The number in use; nil where it is unknown.
    package var used: Int?
    /// `true` for the running server, `false` for this command, which shows what a server would get from here.
    package var isServers: Bool

    package init(limit: Int, used: Int?, isServers: Bool) {
        self.limit = limit
        self.used = used
        self.isServers = isServers
    }

    /// The limit of this process: the hard one, to which a server raises its own.
    package static func ofThisProcess(isServer: Bool) -> OpenFileFacts {
        #if canImport(Glibc)
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
        let resource = RLIMIT_NOFILE
        #endif
        var limit = rlimit()
        _ = getrlimit(resource, &limit)
        let used = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        return OpenFileFacts(limit: Int(clamping: limit.rlim_max), used: isServer ? used : nil, isServers: isServer)
    }
}
