#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The number of files, including sockets, that this process may hold open.
package enum OpenFileLimit {
    /// Raises the limit to the maximum that the system grants this process.
    /// - Returns: The resulting limit.
    package static func raise() -> Int {
        #if canImport(Glibc)
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
        let resource = RLIMIT_NOFILE
        #endif
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return 256 }
        if limit.rlim_cur < limit.rlim_max {
            var raised = limit
            raised.rlim_cur = limit.rlim_max
            if setrlimit(resource, &raised) == 0 { limit = raised }
        }
        return Int(clamping: limit.rlim_cur)
    }
}

extension ConnectionLimits {
    /// Lowers the number of connections to fit into the process's open files. A quarter of these, at most 256, stays
    /// for everything else; otherwise a server at capacity could not even open the database.
    package mutating func fit(openFiles: Int) {
        connections = min(connections, max(openFiles - min(openFiles / 4, 256), 1))
    }
}
