public import OstiaryContracts

/// Carries requests to an app's server and brings its answers back, whatever their status.
///
/// A redirect is an answer like any other: it is returned and never followed.
public protocol Transport: Sendable {
    /// Sends `request` to the path it names below `baseURL`.
    ///
    /// - Parameter deadline: For everything, from the name lookup to the last byte of the answer.
    func send(_ request: WireRequest, to baseURL: BaseURL, within deadline: Duration) async throws(TransportError)
        -> WireResponse
    /// Whether every connection is checked against exactly these pins before a byte of a request is written.
    ///
    /// Where nothing can be checked, as over plain HTTP, nothing is sent.
    func enforces(_ pins: PinSet) -> Bool
}

extension Transport {
    public func enforces(_ pins: PinSet) -> Bool { pins.isEmpty }
}

/// Why there is no answer.
public enum TransportError: Error, Hashable, Sendable {
    /// No connection was opened: the server has not seen the request.
    case offline
    /// The connection broke: the server may have done what was asked.
    case connectionLost
    /// The deadline passed: the server may have done what was asked.
    case timedOut
    /// The server could not prove who it is, or speaks no TLS. Nothing was sent.
    case untrusted
    /// The server proved who it is, with none of the keys that the app pins. Nothing was sent.
    case pinMismatch
    /// The answer's body, or its header, is longer than the transport takes.
    case tooLarge(maximumBytes: Int)
    /// The answer is not HTTP.
    case notHTTP
    /// The request holds something that HTTP, or this transport, cannot carry, such as a line break in a header. Nothing was
    /// sent.
    case unsendable
    /// An `http_proxy` of the environment would read the request, which is in the clear. Nothing was sent.
    case wouldBeProxied
    /// The task that asked was cancelled.
    case cancelled
}

extension TransportError: CustomStringConvertible {
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
