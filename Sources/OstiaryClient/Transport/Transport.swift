public import OstiaryContracts

/// Sends requests to an app's server and returns its answers, regardless of their status.
///
/// A redirect is returned like any other answer and never followed.
public protocol Transport: Sendable {
    /// Sends `request` to the path it names below `baseURL`.
    ///
    /// - Parameter deadline: The time limit for the whole exchange, from the name lookup to the last byte of the
    ///   answer.
    /// - Throws: ``TransportError`` if there is no answer.
    func send(_ request: WireRequest, to baseURL: BaseURL, within deadline: Duration) async throws(TransportError)
        -> WireResponse
    /// Returns `true` if every connection is checked against exactly these pins before a byte of a request is written.
    ///
    /// Where no check is possible, as over plain HTTP, such a transport sends nothing.
    func enforces(_ pins: PinSet) -> Bool
}

extension Transport {
    /// Returns `true` for no pins: by default a transport enforces none.
    public func enforces(_ pins: PinSet) -> Bool { pins.isEmpty }
}

/// The reason why there is no answer.
public enum TransportError: Error, Hashable, Sendable {
    /// No connection was opened: the server has not received the request.
    case offline
    /// The connection broke: the server may have executed the request.
    case connectionLost
    /// The deadline passed: the server may have executed the request.
    case timedOut
    /// The server could not prove its identity, or does not speak TLS. Nothing was sent.
    case untrusted
    /// The server proved its identity, with none of the pinned keys. Nothing was sent.
    case pinMismatch
    /// The answer's body, or its header, exceeds the transport's limit.
    case tooLarge(maximumBytes: Int)
    /// The answer is not HTTP.
    case notHTTP
    /// The request contains bytes that HTTP, or this transport, cannot carry, such as a line break in a header. Nothing
    /// was sent.
    case unsendable
    /// A proxy set by `http_proxy` in the environment would receive the request in the clear. Nothing was sent.
    case wouldBeProxied
    /// The calling task was cancelled.
    case cancelled
}

extension TransportError: CustomStringConvertible {
    /// A sentence in English that can be shown to the user.
    public var description: String {
        switch self {
        case .offline: "The server cannot be reached."
        case .connectionLost: "The connection to the server broke."
        case .timedOut: "The server did not answer in time."
        case .untrusted: "The server could not prove who it is."
        case .pinMismatch: "The server has none of the keys that this app trusts."
        case .tooLarge(let maximum): "The server's answer is longer than \(maximum) bytes."
        case .notHTTP: "The server's answer is not HTTP."
        case .unsendable: "The request holds characters that cannot be sent."
        case .wouldBeProxied: "A proxy would read the request: name the server's host in no_proxy."
        case .cancelled: "The request was cancelled."
        }
    }
}
