import Foundation
import OstiaryClientTestSupport
@testable import OstiaryUI
import Testing

@Suite struct CatalogueTests {
    // MARK: What translators begin with

    /// The same texts as the built-in tables, in the form that Xcode edits. `OSTIARY_WRITE=1` writes it anew.
    @Test func `translators get every text as it is said in English and German`() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Examples/Texts/Ostiary.xcstrings")
        let expected = try Catalogue().json()
        if ProcessInfo.processInfo.environment["OSTIARY_WRITE"] == "1" { try expected.write(to: file) }
        #expect(try Data(contentsOf: file) == expected)
    }

    @Test func `every text with a value in it says so to translators`() throws {
        for key in TextKey.allCases where AuthTexts.english.table[key]?.contains("{") == true {
            let comment = try #require(Catalogue().strings[key.rawValue]?.comment)
            #expect(comment.contains("{") && !comment.contains("?"), "\(key)")
        }
    }

    // MARK: An app's own language

    /// A folder as Xcode makes it from a catalogue; removed by the caller.
    private func bundle(_ languages: [String: String]) throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "ostiary-\(UUID().uuidString).bundle")
        for (language, strings) in languages {
            let inner = folder.appending(path: "\(language).lproj")
            try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
            try Data(strings.utf8).write(to: inner.appending(path: "Ostiary.strings"))
        }
        return folder
    }

    @Test func `an app brings a language of its own`() throws {
        let folder = try bundle(["fr": #""sign_out" = "Se déconnecter"; "tolerated" = "x";"#])
        defer { try? FileManager.default.removeItem(at: folder) }
        let texts = AuthTexts(in: try #require(Bundle(url: folder)), language: "fr")
        #expect(texts.language == "fr")
        #expect(texts(.signOut) == "Se déconnecter")
        #expect(texts(.offline) == AuthTexts.english(.offline))
    }

    @Test func `a catalogue in a built-in language changes what it names`() throws {
        let folder = try bundle(["de": #""sign_out" = "Tschüs";"#])
        defer { try? FileManager.default.removeItem(at: folder) }
        let texts = AuthTexts(in: try #require(Bundle(url: folder)), language: "de")
        #expect(texts(.signOut) == "Tschüs")
        #expect(texts(.offline) == AuthTexts.german(.offline))
    }

    @Test(arguments: [("de", AuthTexts.german), ("en", .english), ("fr", .english)])
    func `screens speak the language of the app, whatever the device speaks`(
        localization: String, texts: AuthTexts
    ) throws {
        let folder = try bundle([localization: ""])
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(AuthTexts.preferred(in: try #require(Bundle(url: folder))) == texts)
    }

    @Test func `values are filled into an app's own words`() throws {
        let folder = try bundle(["fr": #""last_used" = "Utilisé le {date}";"#])
        defer { try? FileManager.default.removeItem(at: folder) }
        let texts = AuthTexts(in: try #require(Bundle(url: folder)), language: "fr")
        #expect(texts(.lastUsed, ["date": "1 mai"]) == "Utilisé le 1 mai")
    }

    @Test func `a bundle without a catalogue says everything in built-in words`() throws {
        let folder = try bundle(["de": ""])
        defer { try? FileManager.default.removeItem(at: folder) }
        let texts = AuthTexts(catalogue: "Other", in: try #require(Bundle(url: folder)), language: "de")
        #expect(texts == .german)
    }
}

/// A string catalogue, as Xcode reads and writes it.
private struct Catalogue: Encodable {
    var sourceLanguage = "en"
    var strings: [String: Entry] = [:]
    var version = "1.0"

    struct Entry: Encodable {
        var comment: String?
        var extractionState = "manual"
        var localizations: [String: Localization]
    }
    struct Localization: Encodable { var stringUnit: Unit }
    struct Unit: Encodable {
        var state = "translated"
        var value: String
    }

    init() {
        for key in TextKey.allCases {
            var localizations: [String: Localization] = [:]
            for texts in AuthTexts.all {
                localizations[texts.language] = Localization(stringUnit: Unit(value: texts(key)))
            }
            let holes = AuthTexts.english(key).matches(of: /\{(\w+)\}/)
                .map { "\($0.output.0) is replaced by \(Self.meanings[String($0.output.1)] ?? "?")." }
            strings[key.rawValue] = Entry(
                comment: holes.isEmpty ? nil : holes.joined(separator: " "), localizations: localizations)
        }
    }

    private static let meanings = [
        "wait": "a time, such as “2 minutes”, from this catalogue", "incident": "a number for whoever runs the server",
        "limit": "a number of characters, bytes or digits", "count": "a number, 2 or more",
        "name": "who is signed in", "date": "a date and time in the person's own form",
        "device": "the name of a device, such as “iOS 18.0”", "label": "what stands above a field",
        "strength": "how strong a password is, from this catalogue", "provider": "a service, such as “Google”",
        "number": "a phone number", "factor": "the name that a person gave an authenticator app or a passkey",
        "days": "a number, 2 or more",
    ]

    func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self) + Data("\n".utf8)
    }
}
