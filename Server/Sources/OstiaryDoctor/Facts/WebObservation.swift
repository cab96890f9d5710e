package import Foundation

/// The outcome of a request to a URL.
package enum WebObservation: Sendable {
    case answered(WebAnswer)
    /// The name does not exist, or nothing answers there: one sentence.
    case unreachable(String)
    /// The server could not prove its identity.
    case untrusted
    /// This machine has no network or no resolver: one sentence.
    case offline(String)
}

/// The answer of a web server.
package struct WebAnswer: Sendable {
    package var status: Int
    /// The names are in lower case.
    package var headers: [(name: String, value: String)]
    /// The beginning of the body.
    package var body: Data
    /// The time of the `Date` header in comparison with this machine's; nil without one.
    package var clock: ClockReading?

    package init(status: Int, headers: [(name: String, value: String)], body: Data, clock: ClockReading? = nil) {
        self.status = status
        self.headers = headers
        self.body = body
        self.clock = clock
    }

    package func values(of name: String) -> [String] { headers.filter { $0.name == name }.map(\.value) }
}
