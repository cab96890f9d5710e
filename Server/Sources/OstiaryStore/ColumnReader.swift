import Foundation
import OstiaryEngine

/// A reader of a row's columns in order, for both databases.
///
/// - Throws: ``StoreError/damaged(detail:)`` where a column has another type than requested.
protocol ColumnReader {
    mutating func optionalText() throws -> String?
    mutating func optionalInteger() throws -> Int64?
    mutating func bool() throws -> Bool
    mutating func optionalBool() throws -> Bool?
    mutating func optionalBytes() throws -> [UInt8]?
    /// The error for the column read last.
    var mismatch: StoreError { get }
}

extension ColumnReader {
    mutating func text() throws -> String {
        guard let text = try optionalText() else { throw mismatch }
        return text
    }

    mutating func integer() throws -> Int64 {
        guard let integer = try optionalInteger() else { throw mismatch }
        return integer
    }

    mutating func bytes() throws -> [UInt8] {
        guard let bytes = try optionalBytes() else { throw mismatch }
        return bytes
    }

    mutating func optionalDate() throws -> Date? { try optionalInteger().map(Date.init(milliseconds:)) }
    mutating func date() throws -> Date { Date(milliseconds: try integer()) }

    /// Reads a column as a type whose initializer validates the text.
    mutating func value<Value>(_ make: (String) throws -> Value) throws -> Value {
        let text = try text()
        do { return try make(text) } catch { throw mismatch }
    }

    mutating func optionalValue<Value>(_ make: (String) throws -> Value) throws -> Value? {
        guard let text = try optionalText() else { return nil }
        do { return try make(text) } catch { throw mismatch }
    }
}
