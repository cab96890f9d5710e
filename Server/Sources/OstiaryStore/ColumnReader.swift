import Foundation
import OstiaryEngine

/// Reads the columns of a row one after the other, whichever database it came from.
///
/// - Throws: ``StoreError/damaged(detail:)`` where a column is not what was asked for.
protocol ColumnReader {
    mutating func optionalText() throws -> String?
    mutating func optionalInteger() throws -> Int64?
    mutating func bool() throws -> Bool
    mutating func bytes() throws -> [UInt8]
    /// What is thrown for the column read last.
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

    mutating func optionalDate() throws -> Date? { try optionalInteger().map(Date.init(milliseconds:)) }
    mutating func date() throws -> Date { Date(milliseconds: try integer()) }

    /// A column of a type that validates what it is made of.
    mutating func value<Value>(_ make: (String) throws -> Value) throws -> Value {
        let text = try text()
        do { return try make(text) } catch { throw mismatch }
    }

    mutating func optionalValue<Value>(_ make: (String) throws -> Value) throws -> Value? {
        guard let text = try optionalText() else { return nil }
        do { return try make(text) } catch { throw mismatch }
    }
}
