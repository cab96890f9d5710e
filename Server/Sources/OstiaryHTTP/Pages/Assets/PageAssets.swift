import Crypto
import Foundation
import OstiaryContracts
import OstiaryCore

/// The static files that pages load.
enum PageAssets {
    static let base = "/assets/"

    /// The paths of all files.
    static var paths: [String] { files.keys.sorted() }

    private enum File {
        case styleSheet
        case script(String)
        case image(BrandMark)
    }

    private static let files: [String: File] = {
        var files: [String: File] = [
            StyleSheet.path: .styleSheet, PageScript.path: .script(PageScript.text),
            PasskeyScript.path: .script(PasskeyScript.text), ProofOfWorkScript.path: .script(ProofOfWorkScript.text),
        ]
        for mark in BrandMark.allCases { files[mark.path] = .image(mark) }
        return files
    }()

    /// - Returns: Nil if there is no such file.
    static func response(to request: WireRequest) -> ServerResponse? {
        switch files[request.path] {
        case .styleSheet:
            let color = FormValues(request.query)["color"].flatMap(PageColor.init)
            return response(StyleSheet.text(color: color), type: "text/css; charset=utf-8", to: request)
        case .script(let text): return response(text, type: "text/javascript; charset=utf-8", to: request)
        case .image(let mark): return response(mark.svg, type: "image/svg+xml", to: request)
        case nil: return nil
        }
    }

    /// Returns the file, or 304 to a browser that has it. Source: RFC 9110 §13.1.2 (If-None-Match).
    static func response(_ text: String, type: String, to request: WireRequest) -> ServerResponse {
        let body = Array(text.utf8)
        let tag = "\"\(Base64URL.encode(Array(SHA256.hash(data: Data(body))).prefix(16)))\""
        var headers = [
            "cache-control": "public, max-age=300", "cross-origin-resource-policy": "same-origin", "etag": tag,
        ]
        let known = (request.headers["if-none-match"] ?? "").utf8.prefix(1000).split(separator: UInt8(ascii: ","))
        if known.contains(where: { isTag($0, tag) }) { return ServerResponse(status: 304, headers: headers) }
        headers["content-type"] = type
        return ServerResponse(status: 200, headers: headers, body: body)
    }

    /// Returns `true` for the same tag, weak or not: a proxy that compresses makes it weak. Source: RFC 9110 §8.8.3.2.
    private static func isTag(_ text: Substring.UTF8View, _ tag: String) -> Bool {
        let trimmed = text.drop { $0 == ASCII.space }
        let strong = trimmed.starts(with: "W/".utf8) ? trimmed.dropFirst(2) : trimmed
        return strong.elementsEqual(tag.utf8)
    }
}
