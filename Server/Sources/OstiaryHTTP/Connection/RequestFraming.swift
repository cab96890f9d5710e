import NIOCore

/// Finds the boundaries of each request of a connection before the decoder sees a byte of it.
///
/// The decoder parses the same bytes again: a request is served only if both agree. Pure: bytes in, events out.
struct RequestFraming {
    enum Event: Equatable {
        /// The first byte of a request arrived.
        case headBegan
        /// Bytes of the request, a whole head or a piece of a body, for the decoder.
        case bytes(ByteBuffer)
    }

    private enum State {
        case beforeHead(emptyLine: Bool)
        case head
        case body(remaining: Int)
        case chunkSize
        case chunk(remaining: Int)
        case chunkEnd
        case lastChunkEnd
        case finished
    }

    private let limits: ConnectionLimits
    private var state = State.beforeHead(emptyLine: false)
    private var pending = ByteBuffer()
    private var line: [UInt8] = []
    private var sawCarriageReturn = false
    private var head: RequestHead
    private var chunkedBytes = 0
    private var endsWithRequest = false

    init(limits: ConnectionLimits) {
        self.limits = limits
        head = RequestHead(limits: limits)
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
        while pending.readableBytes > 0 {
            switch state {
            case .beforeHead(let emptyLine):
                if try skipEmptyLine(alreadySkipped: emptyLine) { continue }
                guard pending.readableBytes > 0 else { return nil }
                state = .head
                head = RequestHead(limits: limits)
                return .headBegan
            case .head:
                guard let line = try nextLine() else { return nil }
                guard line.isEmpty else {
                    try head.take(line)
                    continue
                }
                return try endHead()
            case .body(let remaining):
                return .bytes(takeBody(remaining))
            case .chunkSize:
                guard let line = try nextLine() else { return nil }
                return .bytes(try beginChunk(line))
            case .chunk(let remaining):
                return .bytes(takeChunk(remaining))
            case .chunkEnd:
                guard let line = try nextLine() else { return nil }
                guard line.isEmpty else { throw .malformed("chunk's end") }
                state = .chunkSize
                return .bytes(ByteBuffer(string: "\r\n"))
            case .lastChunkEnd:
                guard let line = try nextLine() else { return nil }
                guard line.isEmpty else { throw .malformed("trailer") }
                endRequest()
                return .bytes(ByteBuffer(string: "\r\n"))
            case .finished:
                // Input after a request that ends the connection is never examined.
                pending.clear()
            }
        }
        return nil
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

    private mutating func endHead() throws(RequestRefusal) -> Event {
        let (bytes, body, closes) = try head.finished()
        endsWithRequest = closes
        switch body {
        case .none, .length(0):
            endRequest()
        case .length(let count):
            state = .body(remaining: count)
        case .chunked:
            chunkedBytes = 0
            state = .chunkSize
        }
        return .bytes(bytes)
    }

    private mutating func endRequest() {
        state = endsWithRequest ? .finished : .beforeHead(emptyLine: false)
    }

    private mutating func takeBody(_ remaining: Int) -> ByteBuffer {
        let piece = takePending(atMost: remaining)
        if piece.readableBytes == remaining {
            endRequest()
        } else {
            state = .body(remaining: remaining - piece.readableBytes)
        }
        return piece
    }

    /// Refuses chunk extensions, against RFC 9112 §7.1.1: no client needs them, and parsers disagree on where they end.
    private mutating func beginChunk(_ line: [UInt8]) throws(RequestRefusal) -> ByteBuffer {
        var size = 0
        guard (1...8).contains(line.count) else { throw .malformed("chunk size") }
        for byte in line {
            guard let digit = ASCII.hexadecimal(byte) else { throw .malformed("chunk size") }
            size = size * 16 + digit
        }
        chunkedBytes += size
        guard chunkedBytes <= limits.bodyBytes else { throw .bodyTooLarge }
        state = size == 0 ? .lastChunkEnd : .chunk(remaining: size)
        var bytes = ByteBuffer(bytes: line)
        bytes.writeStaticString("\r\n")
        return bytes
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
        let count = pending.withUnsafeReadableBytes { bytes in
            bytes.prefix { $0 >= ASCII.space && $0 != ASCII.delete || $0 == ASCII.tab }.count
        }
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
