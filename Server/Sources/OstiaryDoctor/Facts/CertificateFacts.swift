package import Foundation

/// The certificates that a host presents.
package struct CertificateFacts: Hashable, Sendable {
    /// The expiry of each certificate of the chain, the host's own first.
    package var expiries: [Date]
    /// The reason that the chain does not prove the host's identity; nil if it does.
    package var problem: String?

    package init(expiries: [Date], problem: String?) {
        self.expiries = expiries
        self.problem = problem
    }
}
