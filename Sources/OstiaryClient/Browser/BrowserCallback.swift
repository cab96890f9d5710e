import OstiaryContracts
public import OstiaryCore

/// What a browser brought back to an app's redirect URI after a sign-in: a code, to be exchanged for a session.
///
/// Any program and any page can open such an address, so nothing in it is believed: the state and the device's own code
/// verifier tell whether it answers what was begun here.
///
/// Source: RFC 6749 §4.1.2.
public struct BrowserCallback: Hashable, Sendable {
    public let code: Secret<String>
    /// Nil from backends that use none.
    public let state: Secret<String>?

    /// The longest address that is read, in bytes.
    public static let maximumBytes = 16_384

    /// Those that there are have half as many.
    private static let maximumErrorBytes = 64

    /// Reads the address that the browser ended at.
    ///
    /// - Parameter redirectURI: What the address must begin with, to the byte.
    /// - Parameter state: What the sign-in was begun with, where the client knows it.
    /// - Throws: ``BrowserCallbackProblem``.
    public init(
        _ address: String, for redirectURI: String, state expected: Secret<String>? = nil
    ) throws(BrowserCallbackProblem) {
        guard address.utf8.count <= Self.maximumBytes else { throw .tooLong }
        let query = try Self.query(of: address, after: redirectURI)
        let values = try Self.values(query)
        if let expected {
            guard let state = values["state"], state.utf8.elementsEqual(expected.reveal().utf8) else {
                throw .foreignState
            }
        }
        switch (values["code"], values["error"]) {
        case (let code?, nil):
            self.code = Secret(code)
            state = values["state"].map { Secret($0) }
        case (nil, let error?): throw .refused(String(error.prefix(Self.maximumErrorBytes)))
        default: throw .malformed
        }
    }

    private static func query(
        of address: String, after redirectURI: String
    ) throws(BrowserCallbackProblem) -> Substring {
        // Browsers put a fragment of the page before behind it.
        let bytes = address.utf8.prefix { $0 != UInt8(ascii: "#") }
        guard bytes.starts(with: redirectURI.utf8) else { throw .foreign }
        var rest = bytes.dropFirst(redirectURI.utf8.count)
        let separator = redirectURI.utf8.contains(UInt8(ascii: "?")) ? UInt8(ascii: "&") : UInt8(ascii: "?")
        guard let first = rest.popFirst() else { throw .malformed }
        guard first == separator else { throw .foreign }
        return Substring(rest)
    }

    /// What is read of the answer; of everything else it may hold, nothing.
    private static let names: Set<String> = ["code", "state", "error"]

    /// - Throws: ``BrowserCallbackProblem/malformed`` for one that comes twice, is empty or is no printable ASCII.
    private static func values(_ query: Substring) throws(BrowserCallbackProblem) -> [String: String] {
        // What is beyond ASCII stands in an address percent-encoded. Source: RFC 3986 §2.
        guard query.utf8.allSatisfy({ $0 < 0x80 }) else { throw .malformed }
        var values: [String: String] = [:]
        for pair in query.utf8.split(separator: UInt8(ascii: "&")).map({ Substring($0) }) {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentEncoding.decode(parts[0], plusIsSpace: true) else { throw .malformed }
            guard names.contains(name) else { continue }
            guard parts.count == 2, let value = PercentEncoding.decode(parts[1], plusIsSpace: true), !value.isEmpty,
                value.utf8.allSatisfy({ (0x20...0x7E).contains($0) }), values.updateValue(value, forKey: name) == nil
            else { throw .malformed }
        }
        return values
    }
}

/// Why an address is not the end of a sign-in that succeeded.
public enum BrowserCallbackProblem: Error, Hashable, Sendable {
    /// It is not the app's redirect URI. Nobody asked for it: it is best ignored.
    case foreign
    /// It answers another sign-in than the one begun here.
    case foreignState
    /// It has no code, or more than one, or cannot be read.
    case malformed
    case tooLong
    /// The provider refused, for example `access_denied`. Source: RFC 6749 §4.1.2.1.
    case refused(String)
}

extension BrowserCallbackProblem: CustomStringConvertible {
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
