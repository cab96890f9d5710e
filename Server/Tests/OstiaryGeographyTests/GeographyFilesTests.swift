import Foundation
import OstiaryEngine
import OstiaryGeography
import Testing

/// Databases that `Fixtures/make.py` writes, and damaged copies of them.
@Suite struct GeographyFilesTests {
    private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")

    private static func path(_ name: String) -> String { fixtures.appending(path: "\(name).mmdb").path }

    private static var all: GeographyFiles.Paths {
        GeographyFiles.Paths(city: path("city"), systems: path("asn"), anonymous: path("anonymous"))
    }

    private func withDirectory(_ body: (URL) throws -> Void) throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "geography-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        try body(directory)
    }

    @Test func `an address has the country, the place and the operator of its network`() throws {
        let files = try GeographyFiles(Self.all)
        #expect(
            files.location(of: "203.0.113.7")
                == NetworkLocation(
                    country: "DE", systemNumber: 64_500,
                    coordinates: Coordinates(latitude: 52.52, longitude: 13.4, radiusKilometers: 20)))
        let french = files.location(of: "2001:db8:1::42")
        #expect(french.country == "FR" && french.systemNumber == 64_504)
        let proxy = files.location(of: "192.0.2.1")
        #expect(proxy.country == "NL" && proxy.isAnonymizing)
    }

    @Test(arguments: ["127.0.0.1", "8.8.8.8", "::1", "", "no address", "203.0.113.7/24", "fe80::1%eth0"])
    func `of other addresses nothing is known`(address: String) throws {
        #expect(try GeographyFiles(Self.all).location(of: address) == NetworkLocation())
    }

    @Test func `each file is optional`() throws {
        let systems = try GeographyFiles(GeographyFiles.Paths(systems: Self.path("asn")))
        #expect(systems.location(of: "192.0.2.1") == NetworkLocation(systemNumber: 64_503))
        let anonymous = try GeographyFiles(GeographyFiles.Paths(anonymous: Self.path("anonymous")))
        #expect(anonymous.location(of: "192.0.2.1") == NetworkLocation(isAnonymizing: true))
    }

    @Test func `a file that is missing, empty, cut or of another format is refused with its path`() throws {
        try withDirectory { directory in
            let whole = try Data(contentsOf: URL(filePath: Self.path("city")))
            let contents: [(name: String, data: Data?)] = [
                ("missing", nil), ("empty", Data()), ("text", Data("no database".utf8)),
                ("cut", Data(whole.prefix(whole.count - 40))), ("head", Data(whole.prefix(64))),
                // Metadata that promises a larger search tree than there is.
                ("tail", Data(whole.suffix(200))),
            ]
            for content in contents {
                let file = directory.appending(path: content.name)
                try content.data?.write(to: file)
                do {
                    _ = try GeographyFiles(GeographyFiles.Paths(city: file.path))
                    Issue.record("\(content.name) was accepted")
                } catch {
                    #expect("\(error)".hasPrefix("\(file.path): "), "\(content.name)")
                }
            }
        }
    }

    @Test func `flipped bytes never end the process, and give a problem or a location`() throws {
        try withDirectory { directory in
            let whole = try Data(contentsOf: URL(filePath: Self.path("city")))
            let file = directory.appending(path: "flipped.mmdb")
            for index in stride(from: 0, to: whole.count, by: 7) {
                var data = whole
                data[index] ^= 0xFF
                try? FileManager.default.removeItem(at: file)
                try data.write(to: file)
                guard let files = try? GeographyFiles(GeographyFiles.Paths(city: file.path)) else { continue }
                for address in ["203.0.113.7", "198.51.100.1", "192.0.2.1", "2001:db8:1::1"] {
                    let location = files.location(of: address)
                    #expect(location.country?.utf8.count ?? 2 == 2)
                    #expect((-90...90).contains(location.coordinates?.latitude ?? 0))
                }
            }
        }
    }

    @Test func `open files stay as they are when others take their names`() throws {
        try withDirectory { directory in
            let file = directory.appending(path: "current.mmdb")
            // A file that is in use is replaced, not changed in place.
            func replace(by source: URL) throws {
                let next = directory.appending(path: "next.mmdb")
                try? FileManager.default.removeItem(at: next)
                try FileManager.default.copyItem(at: source, to: next)
                try #require(rename(next.path, file.path) == 0)
            }
            try replace(by: URL(filePath: Self.path("city")))
            let files = try GeographyFiles(GeographyFiles.Paths(city: file.path))
            #expect(files.location(of: "192.0.2.1").country == "NL")

            let damaged = directory.appending(path: "damaged")
            try Data("no database".utf8).write(to: damaged)
            try replace(by: damaged)
            #expect(throws: GeographyFileProblem.self) { try GeographyFiles(GeographyFiles.Paths(city: file.path)) }
            #expect(files.location(of: "192.0.2.1").country == "NL")

            try replace(by: URL(filePath: Self.path("anonymous")))
            let opened = try GeographyFiles(GeographyFiles.Paths(city: file.path))
            #expect(opened.location(of: "192.0.2.1") == NetworkLocation(isAnonymizing: true))
            #expect(files.location(of: "192.0.2.1").country == "NL")
        }
    }
}
