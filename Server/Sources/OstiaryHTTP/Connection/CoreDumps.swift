#if canImport(Glibc)
import CProcess
import Glibc
#elseif canImport(Musl)
import CProcess
import Musl
#else
import Darwin
#endif

/// Core dumps of this process. A dump holds every secret that the process has in its memory.
package enum CoreDumps {
    /// Turns them off for this process and for those it starts: none is written, and on Linux no debugger of the same user
    /// reads the memory either.
    ///
    /// - Returns: False where the system refused.
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

    /// Whether a dump could be written.
    package static var areEnabled: Bool {
        var limit = rlimit()
        let isLimited = getrlimit(resource, &limit) == 0 && limit.rlim_max == 0
        #if os(Linux)
        // The kernel asks the limit for files alone; one that hands dumps to a program asks whether it may dump at all.
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
