package import Foundation

/// The signing key in use of one app.
package struct SigningKeyFacts: Hashable, Sendable {
    package var app: String
    package var createdAt: Date

    package init(app: String, createdAt: Date) {
        self.app = app
        self.createdAt = createdAt
    }
}
