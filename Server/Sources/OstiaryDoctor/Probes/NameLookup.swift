import Foundation

/// Looks a host name up as every other program of this machine does.
package enum NameLookup {
    package enum Outcome: Hashable, Sendable {
        case found
        case noSuchName
        /// No resolver answers in time.
        case unanswered
    }

    /// Blocks the thread, for as long as the system's resolver waits.
    package static func outcome(of host: String) -> Outcome {
        var list: UnsafeMutablePointer<addrinfo>?
        var hints = addrinfo()
        #if canImport(Glibc)
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
        hints.ai_socktype = SOCK_STREAM
        #endif
        let code = getaddrinfo(host, nil, &hints, &list)
        if let list { freeaddrinfo(list) }
        switch code {
        case 0: return .found
        case EAI_NONAME: return .noSuchName
        default: return .unanswered
        }
    }
}
