/// The reason for which bytes are rejected as CBOR.
package enum CBORProblem: Error, Hashable, Sendable, CaseIterable {
    /// The input exceeds ``CBOR/maximumBytes``.
    case tooLong
    /// Arrays and maps nest deeper than ``CBOR/maximumDepth``.
    case tooDeep
    /// The input ends within a value.
    case truncated
    /// Bytes follow the value.
    case trailingBytes
    /// A string, array or map of indefinite length, or a break code.
    case indefiniteLength
    /// An integer or a length that is not in its shortest encoding.
    case notShortest
    /// A head with reserved additional information.
    case reserved
    /// A tag.
    case tag
    /// A floating-point number.
    case float
    /// A simple value other than `false`, `true` and `null`.
    case simpleValue
    /// A text string that is not UTF-8.
    case invalidText
    /// The keys of a map are not in CTAP2 canonical order.
    case unsortedKeys
    /// A map has two equal keys.
    case duplicateKey
}

extension CBORProblem: CustomStringConvertible {
    /// The reason as a clause in English, for logs.
    package var description: String {
        switch self {
        case .tooLong: "it exceeds \(CBOR.maximumBytes) bytes"
        case .tooDeep: "it nests more than \(CBOR.maximumDepth) levels"
        case .truncated: "it ends within a value"
        case .trailingBytes: "bytes follow the value"
        case .indefiniteLength: "it has an indefinite length"
        case .notShortest: "an integer or length is not in its shortest encoding"
        case .reserved: "it uses reserved additional information"
        case .tag: "it has a tag"
        case .float: "it has a floating-point number"
        case .simpleValue: "it has a simple value other than false, true and null"
        case .invalidText: "a text string is not UTF-8"
        case .unsortedKeys: "the keys of a map are not sorted"
        case .duplicateKey: "a key stands twice in one map"
        }
    }
}
