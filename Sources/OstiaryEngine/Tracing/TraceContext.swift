/// The position of a unit of work in a distributed trace. Source: W3C Trace Context, Level 1.
public struct TraceContext: Hashable, Sendable {
    /// The id of the trace: 32 lower-case hexadecimal digits, not all of them zero.
    public let traceID: String
    /// The id of the work's own span: 16 lower-case hexadecimal digits, not all of them zero.
    public let spanID: String
    /// `true` if the work is recorded, so that its continuation should be.
    public let isSampled: Bool
    /// The members of `tracestate`, which tracing systems pass on to themselves; nil if there are none.
    public let state: String?

    /// The maximum length of `tracestate`, in bytes. Source: §3.3.1.5.
    static let maximumStateBytes = 512
    private static let maximumStateMembers = 32
    private static let length = 55
    /// The maximum length of `traceparent` of a later version, which may have further fields.
    private static let maximumLength = 256

    init(traceID: String, spanID: String, isSampled: Bool, state: String?) {
        self.traceID = traceID
        self.spanID = spanID
        self.isSampled = isSampled
        self.state = state
    }

    /// Reads the headers of a request. A malformed `tracestate` is discarded, without its `traceparent`.
    ///
    /// - Parameters:
    ///   - traceparent: The values of all headers of this name.
    ///   - tracestate: The values of all headers of this name, in their order.
    /// - Returns: Nil unless there is exactly one `traceparent`, and it is valid.
    public init?(traceparent: [String], tracestate: [String] = []) {
        guard traceparent.count == 1, let text = traceparent.first?.utf8,
            (Self.length...Self.maximumLength).contains(text.count)
        else { return nil }
        let bytes = Array(text)
        let dash = UInt8(ascii: "-")
        let (version, trace, span, flags) = (bytes[0..<2], bytes[3..<35], bytes[36..<52], bytes[53..<55])
        guard [2, 35, 52].allSatisfy({ bytes[$0] == dash }),
            [version, trace, span, flags].allSatisfy({ $0.allSatisfy(Self.isHexadecimal) }),
            // Version 255 is invalid; version 0 has no further field, and later versions separate them.
            !version.elementsEqual("ff".utf8),
            bytes.count == Self.length || (!version.elementsEqual("00".utf8) && bytes[Self.length] == dash),
            !trace.allSatisfy({ $0 == UInt8(ascii: "0") }), !span.allSatisfy({ $0 == UInt8(ascii: "0") })
        else { return nil }
        traceID = String(decoding: trace, as: UTF8.self)
        spanID = String(decoding: span, as: UTF8.self)
        // The lowest bit of eight; the others are not defined.
        isSampled = bytes[54] & 1 == (bytes[54] < UInt8(ascii: "a") ? 1 : 0)
        state = Self.state(tracestate)
    }

    /// The value of `traceparent`. Source: §3.2.
    public var traceparent: String { "00-\(traceID)-\(spanID)-\(isSampled ? "01" : "00")" }

    /// Returns the position of work that this work causes.
    func child(spanID: String) -> TraceContext {
        TraceContext(traceID: traceID, spanID: spanID, isSampled: isSampled, state: state)
    }

    // MARK: tracestate, §3.3

    private static func state(_ values: [String]) -> String? {
        let count = values.reduce(0) { $0 + $1.utf8.count + 1 } - 1
        guard (1...maximumStateBytes).contains(count) else { return nil }
        let text = Array(values.joined(separator: ",").utf8)
        var keys: [ArraySlice<UInt8>] = []
        var members: [ArraySlice<UInt8>] = []
        for part in text.split(separator: UInt8(ascii: ",")) {
            let member = trimmed(part)
            // An empty member is allowed.
            guard !member.isEmpty else { continue }
            guard let equals = member.firstIndex(of: UInt8(ascii: "=")) else { return nil }
            let key = member[..<equals]
            guard isKey(key), isValue(member[(equals + 1)...]), !keys.contains(where: { $0.elementsEqual(key) }),
                keys.count < maximumStateMembers
            else { return nil }
            keys.append(key)
            members.append(member)
        }
        guard !members.isEmpty else { return nil }
        return String(decoding: Array(members.joined(separator: [UInt8(ascii: ",")])), as: UTF8.self)
    }

    private static func trimmed(_ part: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        let start = part.drop(while: isSpace)
        let count = start.reversed().drop(while: isSpace).count
        return start.prefix(count)
    }

    /// `key`, or `tenant@system`.
    private static func isKey(_ key: ArraySlice<UInt8>) -> Bool {
        let parts = key.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        let limits = parts.count == 1 ? [256] : [241, 14]
        guard parts.count == limits.count else { return false }
        return zip(parts, limits).enumerated().allSatisfy { index, part in
            let (name, limit) = part
            guard let first = name.first, name.count <= limit, name.allSatisfy(isKeyByte) else { return false }
            // A tenant's name may begin with a digit.
            return isLowercase(first) || (parts.count == 2 && index == 0 && isDigit(first))
        }
    }

    private static func isValue(_ value: ArraySlice<UInt8>) -> Bool {
        (1...256).contains(value.count) && value.last != 0x20
            && value.allSatisfy {
                (0x20...0x7E).contains($0) && $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "=")
            }
    }

    private static func isKeyByte(_ byte: UInt8) -> Bool {
        isLowercase(byte) || isDigit(byte) || "_-*/".utf8.contains(byte)
    }

    private static func isLowercase(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }
    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    private static func isHexadecimal(_ byte: UInt8) -> Bool { isDigit(byte) || (0x61...0x66).contains(byte) }
}
