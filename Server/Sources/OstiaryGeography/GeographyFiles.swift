package import OstiaryEngine
import OstiaryMaxMindDB

/// Finds networks in files of MaxMind's format. Everything is looked up on this machine.
package struct GeographyFiles: NetworkLocator {
    private let files: [MaxMindFile]

    /// The paths of the files; each is optional.
    package struct Paths: Hashable, Sendable {
        package var city: String?
        package var systems: String?
        package var anonymous: String?

        package init(city: String? = nil, systems: String? = nil, anonymous: String? = nil) {
            self.city = city
            self.systems = systems
            self.anonymous = anonymous
        }
    }

    /// Opens the files.
    ///
    /// - Throws: ``GeographyFileProblem`` for one that is unreadable or damaged.
    package init(_ paths: Paths) throws(GeographyFileProblem) {
        files = try Self.open(paths)
    }

    package func location(of address: String) -> NetworkLocation {
        var record = ostiary_maxmind_record()
        for file in files { file.read(address, into: &record) }
        return NetworkLocation(record)
    }

    private static func open(_ paths: Paths) throws(GeographyFileProblem) -> [MaxMindFile] {
        var files: [MaxMindFile] = []
        for path in [paths.city, paths.systems, paths.anonymous] {
            if let path { files.append(try MaxMindFile(path: path)) }
        }
        return files
    }
}

extension NetworkLocation {
    fileprivate init(_ record: ostiary_maxmind_record) {
        self.init()
        if record.has_country {
            country = withUnsafeBytes(of: record.country) { String(decoding: $0.prefix(2), as: UTF8.self) }
        }
        if record.has_system_number { systemNumber = record.system_number }
        if record.has_coordinates {
            coordinates = Coordinates(
                latitude: record.latitude, longitude: record.longitude, radiusKilometers: record.accuracy_radius)
        }
        isAnonymizing = record.is_anonymous
    }
}
