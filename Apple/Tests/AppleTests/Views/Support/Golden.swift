import Foundation
import SwiftUI
import Testing

@testable import OstiaryUI

extension Screen {
    /// Expects the text of the screen to equal its reviewed recording.
    ///
    /// `OSTIARY_RECORD=1 swift test` records it again: first as for iOS, then as for macOS, which has a file of its own
    /// where it differs. A rendering is written beside it.
    ///
    /// - Parameter isData: Returns `true` for a text that is not from the table, for example a name.
    func matches(
        _ name: String, _ comment: Comment? = nil, isData: (String) -> Bool = { _ in false },
        at location: SourceLocation = #_sourceLocation
    ) throws {
        let words = host.snapshot() + "\n"
        let picture = host.html(title: name)
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Snapshots")
            .standardizedFileURL
        if ProcessInfo.processInfo.environment["OSTIARY_RECORD"] != nil {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try record(words, as: "txt", name, folder)
            try record(picture, as: "html", name, folder)
            try Data(ShimHost.stylesheet.utf8).write(to: folder.appending(path: "screens.css"))
        }
        #expect(try golden("txt", name, folder) == words, comment, sourceLocation: location)
        #expect(
            try golden("html", name, folder) == picture, "the picture is of an older screen", sourceLocation: location)
        if model.texts.language == "de" { saysOnlyGerman(except: isData, location) }
    }

    #if canImport(UIKit)
    private var own: String? { nil }
    #else
    private var own: String? { "macos" }
    #endif

    private func golden(_ kind: String, _ name: String, _ folder: URL) throws -> String {
        let file = folder.appending(path: "\(name).\(kind)")
        guard let own else { return try String(contentsOf: file, encoding: .utf8) }
        let special = folder.appending(path: "\(name).\(own).\(kind)")
        let isSpecial = FileManager.default.fileExists(atPath: special.path)
        return try String(contentsOf: isSpecial ? special : file, encoding: .utf8)
    }

    private func record(_ text: String, as kind: String, _ name: String, _ folder: URL) throws {
        let file = folder.appending(path: "\(name).\(kind)")
        guard let own else { return try Data(text.utf8).write(to: file) }
        let special = folder.appending(path: "\(name).\(own).\(kind)")
        if (try? String(contentsOf: file, encoding: .utf8)) == text {
            try? FileManager.default.removeItem(at: special)
        } else {
            try Data(text.utf8).write(to: special)
        }
    }

    /// Expects every text on the screen to be in the German table: a literal in a view would not be.
    private func saysOnlyGerman(except isData: (String) -> Bool, _ location: SourceLocation) {
        let known = AuthTexts.german.table.values.map { text in
            text.split(separator: /\{\w+\}/, omittingEmptySubsequences: false).map(String.init)
        }
        for node in host.all where ["system", "hidden", "spelled"].allSatisfy({ node.attributes[$0] == nil }) {
            let own = node.children.isEmpty || node.kind == "Button" || node.kind == "Section"
            for text in [own ? node.label : "", node.attributes["hint"] ?? "", node.attributes["prompt"] ?? ""]
            where !text.isEmpty && !isData(text) {
                #expect(known.contains { text.isMade(of: $0) }, "\(text)", sourceLocation: location)
            }
        }
    }
}

extension String {
    /// Returns `true` if the text consists of these parts in this order, with other text between them.
    fileprivate func isMade(of parts: [String]) -> Bool {
        guard parts.count > 1 else { return self == parts.first }
        var rest = self[...]
        guard let first = parts.first, let last = parts.last, rest.hasPrefix(first), rest.hasSuffix(last) else {
            return false
        }
        rest = rest.dropFirst(first.count)
        for part in parts.dropFirst().dropLast() {
            guard let found = rest.firstRange(of: part) else { return false }
            rest = rest[found.upperBound...]
        }
        return rest.count > last.count
    }
}
