import OstiaryContracts
public import OstiaryCore

/// The authorization response that a browser delivered to an app's redirect URI: a code to be exchanged for a session.
///
/// Any app and any web page can open such a URL, so its content is untrusted: the state and the device's code verifier
/// show whether it answers the sign-in that this client began.
///
/// Source: RFC 6749 §4.1.2.
public struct BrowserCallback: Hashable, Sendable {
    /// The authorization code.
    public let code: Secret<String>
    /// The state; nil from backends that use none.
    public let state: Secret<String>?

    /// The maximum length of a URL that is read, in bytes.
    public static let maximumBytes = 16_384

    /// The maximum length of an error code that is kept; the defined ones have at most half of it.
    private static let maximumErrorBytes = 64

    /// Parses the URL at which the browser ended.
    ///
    /// - Parameters:
    ///   - redirectURI: The prefix that the URL must have, byte by byte.
    ///   - expected: The state with which the sign-in began, if the client knows it.
    /// - Throws: ``BrowserCallbackProblem``.
    public init(
        _ address: String, for redirectURI: String, state expected: Secret<String>? = nil
    ) throws(BrowserCallbackProblem) {
        guard address.utf8.count <= Self.maximumBytes else { throw .tooLong }
        let query = try Self.query(of: address, after: redirectURI)
        let (code, state, error) = (
            try Self.value("code", in: query), try Self.value("state", in: query), try Self.value("error", in: query)
        )
        if let expected {
            guard let state, state.utf8.elementsEqual(expected.reveal().utf8) else { throw .foreignState }
        }
        switch (code, error) {
        case (let code?, nil):
            self.code = Secret(code)
            self.state = state.map { Secret($0) }
        case (nil, let error?): throw .refused(String(error.prefix(Self.maximumErrorBytes)))
        default: throw .malformed
        }
    }

    private static func query(
        of address: String, after redirectURI: String
    ) throws(BrowserCallbackProblem) -> Substring {
        // Browsers append the fragment of the previous page.
        let bytes = address.utf8.prefix { $0 != UInt8(ascii: "#") }
        guard bytes.starts(with: redirectURI.utf8) else { throw .foreign }
        var rest = bytes.dropFirst(redirectURI.utf8.count)
        let separator = redirectURI.utf8.contains(UInt8(ascii: "?")) ? UInt8(ascii: "&") : UInt8(ascii: "?")
        guard let first = rest.popFirst() else { throw .malformed }
        guard first == separator else { throw .foreign }
        // Characters beyond ASCII are percent-encoded in a URL. Source: RFC 3986 §2.
        guard rest.allSatisfy({ $0 < 0x80 }) else { throw .malformed }
        return Substring(rest)
    }

    /// Returns a parameter; nil if there is none.
    ///
    /// - Throws: ``BrowserCallbackProblem/malformed`` if it occurs twice, is empty or is not printable ASCII.
    private static func value(_ name: String, in query: Substring) throws(BrowserCallbackProblem) -> String? {
        switch ParameterReader(query).single([name]) {
        case .absent: return nil
        case .found(let value) where !value.isEmpty && value.utf8.allSatisfy({ (0x20...0x7E).contains($0) }):
            return value
        case .found, .unreadable: throw .malformed
        }
    }
}

/// The reason why a URL does not complete a sign-in.
public enum BrowserCallbackProblem: Error, Hashable, Sendable {
    /// The URL does not begin with the app's redirect URI. It was not requested, and should be ignored.
    case foreign
    /// The URL answers another sign-in than the one begun by this client.
    case foreignState
    /// The URL has no code, or more than one, or cannot be parsed.
    case malformed
    /// The URL is longer than ``BrowserCallback/maximumBytes``.
    case tooLong
    /// The provider refused, for example with `access_denied`. Source: RFC 6749 §4.1.2.1.
    case refused(String)
}

extension BrowserCallbackProblem: CustomStringConvertible {
    /// A sentence in English, with the provider's error code if there is one.
    public var description: String {
        switch self {
        case .foreign: "That is not the address the app waits for."
        case .foreignState: "That address belongs to another sign-in."
        case .malformed: "That address holds no code, or cannot be read."
        case .tooLong: "That address is longer than \(BrowserCallback.maximumBytes) bytes."
        case .refused("access_denied"): "The sign-in was not allowed, or was given up."
        case .refused(let error): "The identity provider refused: \(error)"
        }
    }
}
