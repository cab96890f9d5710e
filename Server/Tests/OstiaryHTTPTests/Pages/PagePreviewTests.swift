import Foundation
import OstiaryContracts
import Testing

@testable import OstiaryHTTP

/// Writes every page into `OSTIARY_PAGES_DIRECTORY`, for inspection in a browser.
struct PagePreviewTests {
    private static let directory = ProcessInfo.processInfo.environment["OSTIARY_PAGES_DIRECTORY"]

    @Test(.enabled(if: directory != nil, "a directory is named to write the pages to"))
    func `writes every page to files`() async throws {
        let directory = URL(filePath: try #require(Self.directory))
        func write(_ text: String, _ path: String) throws {
            let file = directory.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        for language in ["en", "de"] {
            var frame = PageSample.frame
            for (look, color, name) in [
                ("ours", nil, "Nordwind"), ("own", "#f2b705", "Arbeitszeiterfassung Süddeutscher Genossenschaften"),
            ] {
                frame.color = color
                frame.name = name
                frame.isDevelopment = look == "own"
                for sample in PageSample.all() {
                    try write(sample.html(in: frame, language: language), "\(language)/\(look)/\(sample.name).html")
                }
            }
            var request = WireRequest(method: "GET", path: "/dev/inbox")
            request.headers["accept-language"] = language
            let inbox = await InboxPage(inbox: PreparedInbox([PreparedInbox.code, PreparedInbox.reset])).answer(request)
            try write(String(decoding: inbox.body, as: UTF8.self), "\(language)/inbox.html")
        }
        try write(StyleSheet.text(color: nil), "assets/ostiary.css")
        try write(StyleSheet.text(color: PageColor("f2b705")), "assets/ostiary.css?color=f2b705")
        try write(PageScript.text, "assets/ostiary.js")
        try write(PasskeyScript.text, "assets/passkeys.js")
        for mark in BrandMark.allCases { try write(mark.svg, String(mark.path.dropFirst())) }
    }
}
