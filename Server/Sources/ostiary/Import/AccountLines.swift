import Foundation
import OstiaryContracts
import OstiaryEngine

/// A file with one account a line, in the format of the export.
struct AccountLines: AccountSource {
    private let path: String
    private let file: FileHandle
    /// The length in bytes; 0 where it is unknown, as for a pipe.
    private let length: UInt64
    private var bytesRead: UInt64 = 0
    private var lineNumber = 0
    /// Bytes read that are not yet part of a line.
    private var rest: [UInt8] = []
    private var isAtEnd = false

    private static let chunkBytes = 1 << 18
    /// More than the longest possible account, with ten passkeys.
    private static let maximumLineBytes = 1 << 16
    /// The size that ends a page, so that it fits into one message.
    private static let pageBytes = 1 << 22

    init(path: String) throws {
        self.path = path
        do {
            file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            length = attributes[.type] as? FileAttributeType == .typeRegular ? attributes[.size] as? UInt64 ?? 0 : 0
        } catch {
            throw AdministrationProblem("\(path) cannot be read")
        }
    }

    var progress: Double? { length == 0 ? nil : Double(bytesRead) / Double(length) }

    mutating func nextPage() throws -> [SourceRecord]? {
        var page: [SourceRecord] = []
        var bytes = 0
        while page.count < ControlCommand.pageSize, bytes < Self.pageBytes, let line = try nextLine() {
            lineNumber += 1
            let text = line ?? []
            bytes += text.count
            guard line == nil || text.contains(where: { $0 != 0x20 && $0 != 0x0D && $0 != 0x09 }) else { continue }
            page.append(SourceRecord(place: "line \(lineNumber)", record: Self.record(line)))
        }
        return page.isEmpty ? nil : page
    }

    private static func record(_ line: [UInt8]?) -> Result<AccountRecord, AdministrationProblem> {
        guard let line else { return .failure(AdministrationProblem("longer than \(maximumLineBytes) bytes")) }
        // A byte order mark may precede the first line.
        let text = line.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(line.dropFirst(3)) : line
        do throws(JSONProblem) {
            // Foundation's decoder takes one of two values of a key.
            _ = try JSON.read(text)
        } catch {
            if case .duplicateName(let name) = error {
                return .failure(AdministrationProblem("repeated key \(name)"))
            }
            return .failure(AdministrationProblem("not a JSON object of the expected form"))
        }
        do { return .success(try AccountRecord(line: text)) } catch { return .failure(error) }
    }

    /// - Returns: Nil at the end, and in the place of a line that is too long.
    private mutating func nextLine() throws -> [UInt8]?? {
        var isTooLong = false
        while true {
            if let end = rest.firstIndex(of: 0x0A) {
                let line = Array(rest[..<end])
                rest.removeSubrange(...end)
                return .some(isTooLong || line.count > Self.maximumLineBytes ? nil : line)
            }
            if isAtEnd {
                guard !rest.isEmpty || isTooLong else { return nil }
                defer { rest = [] }
                return .some(isTooLong || rest.count > Self.maximumLineBytes ? nil : rest)
            }
            if rest.count > Self.maximumLineBytes {
                isTooLong = true
                rest = []
            }
            try readChunk()
        }
    }

    private mutating func readChunk() throws {
        let data: Data
        do {
            data = try file.read(upToCount: Self.chunkBytes) ?? Data()
        } catch {
            throw AdministrationProblem("\(path) cannot be read")
        }
        if bytesRead == 0, data.starts(with: Data("SQLite format 3\0".utf8)) {
            throw AdministrationProblem("\(path) is a database: is --from viewvault:\(path) meant?")
        }
        isAtEnd = data.isEmpty
        bytesRead += UInt64(data.count)
        rest += data
    }
}
