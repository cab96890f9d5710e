import CProcess
import Foundation

/// The allocator of the C library.
enum Allocator {
    /// Limits the allocator to one arena per core. Each of eight per core, which glibc makes for threads as they come, keeps
    /// memory that no other can use. A value that the operator has set remains. Source: `mallopt(3)`.
    static func limitArenas() {
        #if os(Linux)
        let environment = ProcessInfo.processInfo.environment
        let isSet = environment["GLIBC_TUNABLES"]?.contains("glibc.malloc.arena_max=") ?? false
        guard environment["MALLOC_ARENA_MAX"] == nil, !isSet else { return }
        cprocess_limit_arenas(Int32(clamping: max(2, ProcessInfo.processInfo.activeProcessorCount)))
        #endif
    }
}
