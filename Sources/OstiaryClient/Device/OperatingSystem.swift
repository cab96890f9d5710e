import Foundation
import OstiaryCore

/// The name and version that the system reports, without information about its user or its hardware.
struct OperatingSystem: Hashable, Sendable {
    let name: String
    let version: String?

    /// Reads the version from a Linux distribution's release file.
    ///
    /// - Parameters:
    ///   - release: The text of `/etc/os-release`; `nil` if there is none.
    ///   - kernel: The name of the system.
    init(release: String?, kernel: String) {
        let values = Self.values(release ?? "")
        name = kernel
        version =
            values["PRETTY_NAME"]
            ?? values["NAME"].map { name in
                values["VERSION_ID"].map { "\(name) \($0)" } ?? name
            }
    }

    init(name: String, version: String?) {
        self.name = name
        self.version = version
    }

    /// Parses assignments, one per line, in the syntax of a shell. Source: os-release(5).
    private static func values(_ text: String) -> [String: String] {
        var values: [String: String] = [:]
        for line in text.utf8.split(separator: UInt8(ascii: "\n")).map({ Substring($0) }) {
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !line.hasPrefix("#") else { continue }
            var value = parts[1]
            for quote in ["\"", "'"] where value.utf8.count >= 2 && value.hasPrefix(quote) && value.hasSuffix(quote) {
                value = value.dropFirst().dropLast()
                break
            }
            if !value.isEmpty { values[String(parts[0])] = String(value) }
        }
        return values
    }

    /// The size limit of the file in bytes; the rest is not parsed.
    private static let maximumBytes = 16_384

    /// Returns the system that this program runs on.
    static func current() -> OperatingSystem {
        let version = ProcessInfo.processInfo.operatingSystemVersion
        let number = "\(version.majorVersion).\(version.minorVersion)"
        #if os(visionOS)
        return OperatingSystem(name: "visionOS", version: number)
        #elseif os(tvOS)
        return OperatingSystem(name: "tvOS", version: number)
        #elseif os(watchOS)
        return OperatingSystem(name: "watchOS", version: number)
        // Mac Catalyst can import both AppKit and UIKit.
        #elseif canImport(AppKit)
        return OperatingSystem(name: "macOS", version: number)
        #elseif canImport(UIKit)
        return OperatingSystem(name: "iOS", version: number)
        #else
        let data = FileManager.default.contents(atPath: "/etc/os-release") ?? Data()
        let release = OperatingSystem(
            release: String(decoding: data.prefix(maximumBytes), as: UTF8.self), kernel: "Linux")
        return OperatingSystem(name: release.name, version: release.version ?? number)
        #endif
    }
}
