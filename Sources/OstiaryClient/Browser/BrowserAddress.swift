import Foundation
import OstiaryContracts
import OstiaryCore

/// A URL that a backend asks the client to open in a browser.
struct BrowserAddress {
    let url: URL
    private let query: Substring

    /// The maximum length of a URL in bytes, a limit that browsers handle.
    private static let maximumBytes = 16_384

    /// Validates a URL.
    ///
    /// - Parameter base: The base URL of the backend. One on plain HTTP, for development, may name plain HTTP URLs.
    /// - Throws: ``ClientError/invalidResponse`` for anything but a web page: a URL that opens another app, runs a
    ///   script, or could be parsed in two ways.
    init(_ text: String, from base: BaseURL) throws(ClientError) {
        let hasPlainForm =
            text.utf8.count <= Self.maximumBytes && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
            && !text.utf8.contains { "\\\"<>^`{|}".utf8.contains($0) }
        guard hasPlainForm, let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
            scheme == "https" || (scheme == "http" && base.isPlainHTTP), parts.host?.isEmpty == false,
            parts.user == nil, parts.password == nil, let url = URL(string: text),
            // The URL that is opened must equal the text, byte by byte.
            url.absoluteString.utf8.elementsEqual(text.utf8)
        else { throw .invalidResponse }
        self.url = url
        let address = text.utf8.prefix { $0 != UInt8(ascii: "#") }
        query = Substring(address.drop { $0 != UInt8(ascii: "?") }.dropFirst())
    }

    /// Returns the URL with additional query parameters.
    ///
    /// - Throws: ``ClientError/invalidRequest(_:)`` for a parameter of the protocol itself, one that the URL has
    ///   already, one without a name or with a name that no reader accepts, or if the result exceeds the maximum
    ///   length.
    func adding(
        _ parameters: [(name: String, value: String)], from base: BaseURL
    ) throws(ClientError) -> BrowserAddress {
        guard !parameters.isEmpty else { return self }
        for (name, value) in parameters {
            guard !name.isEmpty, name.isShortASCII(atMost: ParameterReader.maximumNameBytes),
                value.utf8.count <= Self.maximumBytes,
                !BrowserSignInOptions.protocolParameters.contains(name), try self.value(of: name) == nil
            else { throw .invalidRequest("a parameter that an app may not set in a sign-in") }
        }
        let text = url.absoluteString
        let fragment = text.utf8.firstIndex(of: UInt8(ascii: "#")) ?? text.endIndex
        let address = URLQuery.append(parameters, to: String(text[..<fragment]))
        guard address.utf8.count <= Self.maximumBytes else {
            throw .invalidRequest("parameters that are longer than a browser takes")
        }
        return try BrowserAddress("\(address)\(text[fragment...])", from: base)
    }

    /// Returns a query parameter; nil if there is none.
    ///
    /// - Throws: ``ClientError/invalidResponse`` if it is empty, occurs twice or cannot be decoded.
    func value(of name: String) throws(ClientError) -> String? {
        switch ParameterReader(query).single([name]) {
        case .absent: return nil
        case .found(let value) where !value.isEmpty: return value
        case .found, .unreadable: throw .invalidResponse
        }
    }
}
