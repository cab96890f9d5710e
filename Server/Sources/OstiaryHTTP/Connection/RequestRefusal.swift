/// The refusal of a request before any route sees it. It ends the connection.
package struct RequestRefusal: Error, Hashable, Sendable {
    package enum Kind: String, CaseIterable, Hashable, Sendable {
        case malformed
        case timedOut = "timed_out"
        case bodyTooLarge = "body_too_large"
        case targetTooLong = "target_too_long"
        case expectationFailed = "expectation_failed"
        case headerTooLarge = "header_too_large"
    }

    package let kind: Kind
    /// The reason for the log. It never holds a byte of the request.
    package let reason: String
    /// The request's host, and its path without the query, as far as its head had arrived.
    package internal(set) var host: String?
    package internal(set) var path: String?

    init(kind: Kind, reason: String) {
        self.kind = kind
        self.reason = reason
    }

    static func malformed(_ reason: String) -> Self { Self(kind: .malformed, reason: reason) }
    static func timedOut(_ reason: String) -> Self { Self(kind: .timedOut, reason: reason) }
    static let bodyTooLarge = Self(kind: .bodyTooLarge, reason: "body too large")
    static let targetTooLong = Self(kind: .targetTooLong, reason: "target too long")
    static let expectationFailed = Self(kind: .expectationFailed, reason: "unknown expectation")
    static func headerTooLarge(_ reason: String) -> Self { Self(kind: .headerTooLarge, reason: reason) }

    package var status: Int {
        switch kind {
        case .malformed: 400
        case .timedOut: 408
        case .bodyTooLarge: 413
        case .targetTooLong: 414
        case .expectationFailed: 417
        case .headerTooLarge: 431
        }
    }
}

/// The error of an answer that cannot be written any more, because the connection ends.
package struct ConnectionEnded: Error, Hashable, Sendable {}
