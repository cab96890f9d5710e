#if canImport(Glibc)
import CProcess
import Glibc
#elseif canImport(Musl)
import CProcess
import Musl
#else
import Darwin
#endif

/// Core dumps of this process. A dump holds every secret in the process's memory.
package enum CoreDumps {
    /// Disables them for this process and its children: none is written, and on Linux a debugger of the same user
    /// cannot read the memory either.
    ///
    /// - Returns: `false` where the system refused.
    @discardableResult package static func disable() -> Bool {
        var none = rlimit()
        none.rlim_cur = 0
        none.rlim_max = 0
        let isLimited = setrlimit(resource, &none) == 0
        #if os(Linux)
        return cprocess_forbid_dumps() == 0 && isLimited
        #else
        return isLimited
        #endif
    }

    /// `true` if a core dump could be written.
    package static var areEnabled: Bool {
        var limit = rlimit()
        let isLimited = getrlimit(resource, &limit) == 0 && limit.rlim_max == 0
        #if os(Linux)
        // The kernel applies the limit to dump files only; with a pipe handler it checks the dumpable flag instead.
        return !isLimited || cprocess_allows_dumps() == 1
        #else
        return !isLimited
        #endif
    }

    #if canImport(Glibc)
    private static var resource: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_CORE.rawValue) }
    #else
    private static var resource: Int32 { RLIMIT_CORE }
    #endif
}
