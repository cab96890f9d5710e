import Foundation
import OstiaryCore

extension BrowserPage.Callback {
    /// Schemes that a browser handles itself instead of returning to the app: it runs them, shows them, or opens a
    /// file.
    private static let unusableSchemes: Set<String> = [
        "about", "blob", "data", "file", "filesystem", "ftp", "javascript", "mailto", "vbscript", "view-source", "ws",
        "wss",
    ]

    /// Determines the callback of a redirect URI.
    ///
    /// - Throws: ``ClientError/invalidRequest(_:)`` if the browser must not be sent there: to a plain HTTP page of
    ///   another machine, to content that is run or shown, or to a URI that parsers could read in two ways.
    init(_ redirectURI: String) throws(ClientError) {
        guard let callback = Self.read(redirectURI) else {
            throw .invalidRequest("a sign-in in the browser cannot end at the redirect URI \(Self.shown(redirectURI))")
        }
        self = callback
    }

    private static func read(_ redirectURI: String) -> Self? {
        guard redirectURI.utf8.count <= BeginBrowserSignIn.maximumRedirectURIBytes,
            redirectURI.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            !redirectURI.utf8.contains(where: { "\\#\"<>^`{|}".utf8.contains($0) }),
            let parts = URLComponents(string: redirectURI), let scheme = parts.scheme?.lowercased(), !scheme.isEmpty,
            parts.user == nil, parts.password == nil
        else { return nil }
        switch scheme {
        case "https":
            guard let host = parts.host?.lowercased(), !host.isEmpty, parts.port == nil else { return nil }
            return .https(host: host, path: parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath)
        case "http":
            // A host name could resolve to another machine; these addresses cannot. Source: RFC 8252 §8.3.
            guard let host = parts.host, ["127.0.0.1", "[::1]", "::1"].contains(host), let port = parts.port,
                (1...65_535).contains(port)
            else { return nil }
            return .loopback(port: port, path: parts.percentEncodedPath)
        default:
            guard !unusableSchemes.contains(scheme), redirectURI.contains("://") else { return nil }
            return .customScheme(scheme)
        }
    }

    /// Returns the text as one printable line of at most 200 bytes.
    private static func shown(_ text: String) -> String {
        String(
            decoding: text.utf8.prefix(200).map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    }
}
