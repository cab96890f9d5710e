import Foundation
import OstiaryContracts
import Testing

/// A file with a request and an answer as they stand on the wire, written by hand from the contracts' description.
///
/// Header names are compared in lower case, a content type without its parameters. The text `…` in an error body stands
/// for any text, as it does in the description.
struct Golden {
    var request: WireRequest
    var response: WireResponse

    static let folder = Tested.folder.appending(path: "Golden")

    /// - Parameter name: For example `vici/login`.
    init(_ name: String) throws {
        let text = try String(contentsOf: Self.folder.appending(path: "\(name).http"), encoding: .utf8)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let middle = try #require(lines.firstIndex { $0.hasPrefix("HTTP/1.1 ") })
        let (start, headers, body) = try Self.message(lines[..<middle])
        let words = start.split(separator: " ")
        let target = try #require(words.dropFirst().first).split(separator: "?", maxSplits: 1)
        request = WireRequest(
            method: String(words[0]), path: String(target[0]), query: target.count > 1 ? String(target[1]) : "",
            headers: headers, body: body)
        let answer = try Self.message(lines[middle...])
        response = WireResponse(
            status: try #require(Int(answer.start.dropFirst("HTTP/1.1 ".count))), headers: answer.headers,
            body: answer.body)
    }

    private static func message(_ lines: ArraySlice<Substring>) throws
        -> (start: Substring, headers: [String: String], body: [UInt8])
    {
        let end = lines.firstIndex(of: "") ?? lines.endIndex
        var headers: [String: String] = [:]
        for line in lines[lines.startIndex..<end].dropFirst() {
            let parts = line.split(separator: ": ", maxSplits: 1)
            headers[parts[0].lowercased()] = String(try #require(parts.last))
        }
        let body = lines[min(end + 1, lines.endIndex)...].joined(separator: "\n")
        return (try #require(lines.first), headers, Array(body.utf8.reversed().drop { $0 == 0x0A }.reversed()))
    }

    /// Every golden file there is.
    static func names() throws -> Set<String> {
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        var names: Set<String> = []
        for case let file as URL in files where file.pathExtension == "http" {
            let parts = file.deletingPathExtension().pathComponents.suffix(2)
            names.insert(parts.joined(separator: "/"))
        }
        return names
    }
}

extension WireResponse {
    /// This response as a golden file would have it.
    func comparable(to golden: WireResponse, failureKey: String) throws -> WireResponse {
        var response = self
        if let type = headers["content-type"] {
            response.headers["content-type"] = String(type.prefix { $0 != ";" })
        }
        if !body.isEmpty, let expected = try? JSON.read(golden.body), expected[failureKey] == "…",
            case .object(var members) = try JSON.read(body),
            let index = members.firstIndex(where: { $0.name == failureKey }),
            case .string(let text) = members[index].value
        {
            #expect(!text.isEmpty)
            members[index].value = "…"
            response.body = JSON.object(members).bytes
        }
        return response
    }
}
