import Foundation

/// The place of a backup.
package enum BackupDestination: Hashable, Sendable {
    /// A new file.
    case file(String)
    /// A new file in a directory, named after the time; if there is a number, only that many of the newest are kept.
    case directory(String, keeping: Int?)

    private static let prefix = "ostiary-"
    private static let suffix = ".db"
    private static let timeCharacters = 16

    /// Creates the destination that a path names: the directory if there is one.
    ///
    /// - Throws: ``BackupProblem/noDirectory(path:)`` where a path or a number needs a directory that is not there.
    package init(path: String, keeping count: Int?) throws(BackupProblem) {
        var isDirectory: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
        if exists, isDirectory.boolValue {
            self = .directory(path, keeping: count)
        } else {
            guard count == nil, !path.hasSuffix("/") else { throw .noDirectory(path: path) }
            self = .file(path)
        }
    }

    func draft(at now: Date) throws(BackupProblem) -> BackupDraft {
        switch self {
        case .file(let path): return try BackupDraft(path: path, draft: "\(path).part")
        case .directory(let directory, _):
            return try BackupDraft(
                path: "\(directory)/\(Self.name(at: now))", draft: "\(directory)/.ostiary-backup.part")
        }
    }

    /// Removes the oldest backups of the directory beyond the number to keep. Other files are not touched.
    ///
    /// - Returns: The names of the removed files.
    func removeOldest() throws -> [String] {
        guard case .directory(let directory, let count?) = self else { return [] }
        let names = try FileManager.default.contentsOfDirectory(atPath: directory).filter(Self.isName).sorted()
        let old = Array(names.dropLast(count))
        for name in old { try FileManager.default.removeItem(atPath: "\(directory)/\(name)") }
        return old
    }

    /// Returns the name of a backup: `ostiary-20261126T021530Z.db`. Names are ordered as their times.
    static func name(at now: Date) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: now)
        func padded(_ number: Int?, _ width: Int) -> String {
            let text = String(number ?? 0)
            return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
        }
        let day = padded(parts.year, 4) + padded(parts.month, 2) + padded(parts.day, 2)
        let time = padded(parts.hour, 2) + padded(parts.minute, 2) + padded(parts.second, 2)
        return "\(prefix)\(day)T\(time)Z\(suffix)"
    }

    /// Returns the time of a backup's name; nil for another name.
    static func time(ofName name: String) -> Date? {
        guard isName(name) else { return nil }
        let digits = name.utf8.filter { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        func number(_ range: Range<Int>) -> Int { digits[range].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar.date(
            from: DateComponents(
                year: number(0..<4), month: number(4..<6), day: number(6..<8), hour: number(8..<10),
                minute: number(10..<12), second: number(12..<14)))
    }

    static func isName(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        guard bytes.count == prefix.utf8.count + timeCharacters + suffix.utf8.count, bytes.starts(with: prefix.utf8),
            bytes.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
        else { return false }
        return bytes[prefix.utf8.count...].prefix(timeCharacters).enumerated().allSatisfy { index, byte in
            switch index {
            case 8: byte == UInt8(ascii: "T")
            case timeCharacters - 1: byte == UInt8(ascii: "Z")
            default: (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            }
        }
    }
}
