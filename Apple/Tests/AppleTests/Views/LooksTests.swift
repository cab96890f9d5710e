import Foundation
import OstiaryClient
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import SwiftUI
import Testing

@testable import OstiaryUI

/// Tests of the views' source text, for properties that no shim can show.
@MainActor struct LooksTests {
    private static func sources() throws -> [(name: String, line: Int, text: String)] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../../Sources/OstiaryUI/Views").standardizedFileURL
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        var found: [(name: String, line: Int, text: String)] = []
        while let file = files?.nextObject() as? URL {
            guard file.pathExtension == "swift" else { continue }
            let lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
            for (number, line) in lines.enumerated() where !line.drop(while: { $0 == " " }).hasPrefix("//") {
                found.append((file.lastPathComponent, number + 1, line))
            }
        }
        return found
    }

    @Test(
        arguments: [
            // Right-to-left: leading and trailing are mirrored automatically.
            #"\.left\b|\.right\b|offset\(x"#,
            // Text sizes: the system's styles grow, points do not.
            #"size: *[0-9]|\.custom\("#,
            // Words: all come from the texts.
            #"(Text|Button|Label|Toggle|TextField|SecureField|ProgressView|navigationTitle|accessibilityLabel|accessibilityHint)\("[^"]"#,
            // Colours: those that follow light and dark.
            #"Color\.(black|white|gray)|foregroundStyle\(\.(black|white)\)"#,
        ])
    func `follows the system in everything`(forbidden: String) throws {
        let pattern = try Regex(forbidden)
        let sources = try Self.sources()
        #expect(sources.count > 300)
        // A QR code is black on white in the dark too.
        for line in sources where line.text.contains(pattern) && !line.text.hasSuffix(" .background(Color.white)") {
            Issue.record("\(line.name):\(line.line): \(line.text)")
        }
    }

    @Test func `grows with the text size`() async throws {
        func height(_ size: DynamicTypeSize) async throws -> Int {
            let screen = try Screen(
                .viewvault, browser: { ScriptedBrowser($0) }, look: { $0.dynamicTypeSize = size })
            try await screen.start()
            return try Int(#require(screen.button("sign-in-google").looks["height"])) ?? 0
        }
        #expect(try await height(.large) == 44)
        #expect(try await height(.accessibility3) > 80)
    }

    @Test func `takes an app's own tint, corners and logo`() async throws {
        var theme = AuthTheme()
        theme.cornerRadius = 3
        theme.tint = .green
        theme.logo = Image("logo")
        let screen = try Screen(.vici, theme: theme)
        try await screen.start()
        let button = try screen.button("signIn")
        #expect(button.looks["radius"] == "3" && button.looks["tint"] == "green")
        let logo = try #require(screen.host.all.first { $0.attributes["name"] == "logo" })
        #expect(logo.attributes["hidden"] == "true")
    }

    @Test func `says the label of a field once to VoiceOver`() async throws {
        let screen = try Screen(.vici)
        try await screen.start()
        let said = screen.host.all.filter { $0.attributes["hidden"] == nil && $0.label == "Email" }
        #expect(said.map(\.kind) == ["TextField"])
    }
}
