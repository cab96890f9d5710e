import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Parses the requests of a connection. Pure: bytes in, events out.
///
/// Stricter than RFC 9112 requires, where another parser in front of the server could read the same bytes differently.
struct RequestFraming {
    enum Event: Equatable {
        /// The first byte of a request arrived.
        case headBegan
        /// The head, a piece of the body, or the end of the request.
        case part(HTTPRequestPart)
    }

    private enum State {
        case beforeHead(emptyLine: Bool)
        case head
        case body(remaining: Int)
        case chunkSize
        case chunk(remaining: Int)
        case chunkEnd
        case lastChunkEnd
        /// The whole request was read, and its end was not reported.
        case complete
        case finished
    }

    private let limits: ConnectionLimits
    private let isSecure: Bool
    private var state = State.beforeHead(emptyLine: false)
    private var pending = ByteBuffer()
    private var line: [UInt8] = []
    private var sawCarriageReturn = false
    private var head: RequestHead
    private var chunkedBytes = 0
    private var endsWithRequest = false

    /// - Parameter isSecure: `true` if the connection is encrypted.
    init(limits: ConnectionLimits, isSecure: Bool) {
        self.limits = limits
        self.isSecure = isSecure
        head = RequestHead(limits: limits, isSecure: isSecure)
    }

    /// The host and path of the request being read, as far as its head has arrived.
    var targetHostAndPath: (host: String?, path: String?) { head.targetHostAndPath }

    /// `true` if the next byte begins a request.
    var isBetweenRequests: Bool {
        if case .beforeHead = state { return true }
        return false
    }

    /// The number of bytes that arrived and were not examined.
    var pendingBytes: Int { pending.readableBytes }

    mutating func append(_ bytes: ByteBuffer) {
        var bytes = bytes
        pending.writeBuffer(&bytes)
    }

    /// Returns the next event in the bytes so far; nil if more are needed. Not called again after a refusal.
    mutating func next() throws(RequestRefusal) -> Event? {
        while hasWork {
            switch state {
            case .beforeHead(let emptyLine):
                if try skipEmptyLine(alreadySkipped: emptyLine) { continue }
                guard pending.readableBytes > 0 else { return nil }
                state = .head
                head = RequestHead(limits: limits, isSecure: isSecure)
                return .headBegan
            case .head:
                guard let line = try nextLine() else { return nil }
                guard line.isEmpty else {
                    try head.take(line)
                    continue
                }
                return .part(.head(try endHead()))
            case .body(let remaining):
                return .part(.body(takeBody(remaining)))
            case .chunkSize:
                guard let line = try nextLine() else { return nil }
                try beginChunk(line)
            case .chunk(let remaining):
                return .part(.body(takeChunk(remaining)))
            case .chunkEnd:
                guard let line = try nextLine() else { return nil }
                guard line.isEmpty else { throw .malformed("chunk's end") }
                state = .chunkSize
            case .lastChunkEnd:
                guard let line = try nextLine() else { return nil }
                guard line.isEmpty else { throw .malformed("trailer") }
                state = .complete
            case .complete:
                state = endsWithRequest ? .finished : .beforeHead(emptyLine: false)
                return .part(.end(nil))
            case .finished:
                // Input after a request that ends the connection is never examined.
                pending.clear()
            }
        }
        return nil
    }

    private var hasWork: Bool {
        if case .complete = state { return true }
        return pending.readableBytes > 0
    }

    /// Skips one empty line before a request. Source: RFC 9112 §2.2.
    private mutating func skipEmptyLine(alreadySkipped: Bool) throws(RequestRefusal) -> Bool {
        guard let first = pending.getInteger(at: pending.readerIndex, as: UInt8.self) else { return false }
        guard first == ASCII.carriageReturn || sawCarriageReturn else { return false }
        guard !alreadySkipped, let line = try nextLine() else {
            if alreadySkipped { throw .malformed("empty lines") }
            return false
        }
        guard line.isEmpty else { throw .malformed("request line") }
        state = .beforeHead(emptyLine: true)
        return true
    }

    private mutating func endHead() throws(RequestRefusal) -> HTTPRequest {
        let (request, body, closes) = try head.finished()
        endsWithRequest = closes
        switch body {
        case .none, .length(0):
            state = .complete
        case .length(let count):
            state = .body(remaining: count)
        case .chunked:
            chunkedBytes = 0
            state = .chunkSize
        }
        return request
    }

    private mutating func takeBody(_ remaining: Int) -> ByteBuffer {
        let piece = takePending(atMost: remaining)
        state = piece.readableBytes == remaining ? .complete : .body(remaining: remaining - piece.readableBytes)
        return piece
    }

    /// Refuses chunk extensions, against RFC 9112 §7.1.1: no client needs them, and parsers disagree on where they end.
    private mutating func beginChunk(_ line: [UInt8]) throws(RequestRefusal) {
        var size = 0
        guard (1...8).contains(line.count) else { throw .malformed("chunk size") }
        for byte in line {
            guard let digit = ASCII.hexadecimal(byte) else { throw .malformed("chunk size") }
            size = size * 16 + digit
        }
        chunkedBytes += size
        guard chunkedBytes <= limits.bodyBytes else { throw .bodyTooLarge }
        state = size == 0 ? .lastChunkEnd : .chunk(remaining: size)
    }

    private mutating func takeChunk(_ remaining: Int) -> ByteBuffer {
        let piece = takePending(atMost: remaining)
        state = piece.readableBytes == remaining ? .chunkEnd : .chunk(remaining: remaining - piece.readableBytes)
        return piece
    }

    private mutating func takePending(atMost count: Int) -> ByteBuffer {
        let piece = pending.readSlice(length: min(count, pending.readableBytes)) ?? ByteBuffer()
        if pending.readableBytes == 0 { pending.clear() }
        return piece
    }

    /// Reads up to the next CRLF. Returns the line without it, or nil if the line is incomplete.
    ///
    /// A lone CR or LF, NUL and every other control character is refused on arrival, so that no parser before or after
    /// this one can see a line end where this one sees none.
    private mutating func nextLine() throws(RequestRefusal) -> [UInt8]? {
        while true {
            if !sawCarriageReturn { try takePlainBytes() }
            guard let byte = pending.readInteger(as: UInt8.self) else { break }
            if sawCarriageReturn {
                guard byte == ASCII.lineFeed else { throw .malformed("line end") }
                sawCarriageReturn = false
                defer { line.removeAll(keepingCapacity: true) }
                return line
            }
            guard byte == ASCII.carriageReturn else { throw .malformed("control character") }
            sawCarriageReturn = true
        }
        pending.clear()
        return nil
    }

    /// Moves the bytes up to the next control character into the line.
    private mutating func takePlainBytes() throws(RequestRefusal) {
        let count = pending.withUnsafeReadableBytes { ASCII.plainPrefix(of: $0) }
        guard count > 0 else { return }
        let start = line.count
        line.append(contentsOf: pending.readableBytesView.prefix(count))
        pending.moveReaderIndex(forwardBy: count)
        if case .head = state {
            try head.check(partialLine: line, from: start)
        } else if line.count > 8 {
            throw .malformed("chunk framing")
        }
    }
}
