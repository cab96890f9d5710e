import NIOCore

/// Parses the requests of a connection. Pure: bytes in, parts of requests out.
///
/// Stricter than RFC 9112 requires, where another parser in front of the server could read the same bytes differently.
struct RequestFraming {
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
    private var state = State.beforeHead(emptyLine: false)
    private var pending = ByteBuffer()
    private var line: [UInt8] = []
    private var sawCarriageReturn = false
    private var head: RequestHeadParser
    private var chunkedBytes = 0
    private var endsWithRequest = false

    init(limits: ConnectionLimits) {
        self.limits = limits
        head = RequestHeadParser(limits: limits)
    }

    /// The host and path of the request being read, as far as its head has arrived.
    var targetHostAndPath: (host: String?, path: String?) { head.targetHostAndPath }

    /// `true` if the next byte begins a request.
    var isBetweenRequests: Bool {
        if case .beforeHead = state { return true }
        return false
    }

    /// `true` if the first bytes of a head have arrived and its end has not.
    var isReadingHead: Bool {
        if case .head = state { return true }
        return false
    }

    /// The number of bytes that arrived and were not examined.
    var pendingBytes: Int { pending.readableBytes }

    mutating func append(_ bytes: ByteBuffer) {
        if pending.readableBytes == 0 {
            pending = bytes
        } else {
            pending.writeImmutableBuffer(bytes)
        }
    }

    /// Returns the next part in the bytes so far; nil if more are needed. Not called again after a refusal.
    mutating func next() throws(RequestRefusal) -> RequestPart? {
        while hasWork {
            switch state {
            case .beforeHead(let emptyLine):
                if try skipEmptyLine(alreadySkipped: emptyLine) { continue }
                guard pending.readableBytes > 0 else { return nil }
                state = .head
            case .head:
                if try takeCompleteLines() { return try endHead() }
                guard let line = try nextLine() else { return nil }
                if line.isEmpty { return try endHead() }
                try line.withUnsafeBufferPointer { line throws(RequestRefusal) in
                    try head.take(UnsafeRawBufferPointer(line))
                }
            case .body(let remaining):
                return .body(takeBody(remaining))
            case .chunkSize:
                guard let line = try nextLine() else { return nil }
                try beginChunk(line)
            case .chunk(let remaining):
                return .body(takeChunk(remaining))
            case .chunkEnd:
                guard let line = try nextLine() else { return nil }
                guard line.isEmpty else { throw .malformed("chunk's end") }
                state = .chunkSize
            case .lastChunkEnd:
                guard let line = try nextLine() else { return nil }
                guard line.isEmpty else { throw .malformed("trailer") }
                state = .complete
            case .complete:
                endRequest()
                return .end
            case .finished:
                // Input after a request that ends the connection is never examined.
                pending = ByteBuffer()
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

    private mutating func endHead() throws(RequestRefusal) -> RequestPart {
        let (request, body) = try head.finished()
        endsWithRequest = request.closes
        switch body {
        case .none, .length(0):
            endRequest()
            return .whole(request)
        case .length(let count):
            state = .body(remaining: count)
        case .chunked:
            chunkedBytes = 0
            state = .chunkSize
        }
        return .head(request)
    }

    private mutating func endRequest() {
        state = endsWithRequest ? .finished : .beforeHead(emptyLine: false)
        head = RequestHeadParser(limits: limits)
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
        if pending.readableBytes == 0 { pending = ByteBuffer() }
        return piece
    }

    /// Parses the lines of the head that have arrived completely, where they are.
    /// - Returns: `true` if the empty line that ends the head was among them.
    private mutating func takeCompleteLines() throws(RequestRefusal) -> Bool {
        guard line.isEmpty, !sawCarriageReturn else { return false }
        let bytes = pending
        var read = 0
        let isEnd = try bytes.withUnsafeReadableBytes { bytes throws(RequestRefusal) -> Bool in
            while true {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[read...])
                let count = ASCII.plainPrefix(of: rest)
                guard rest.count >= count + 2, rest[count] == ASCII.carriageReturn, rest[count + 1] == ASCII.lineFeed
                else { return false }
                read += count + 2
                guard count > 0 else { return true }
                let line = UnsafeRawBufferPointer(rebasing: rest[..<count])
                try head.check(partialLine: line)
                try head.take(line)
            }
        }
        pending.moveReaderIndex(forwardBy: read)
        return isEnd
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
        pending = ByteBuffer()
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
            try line.withUnsafeBufferPointer { line throws(RequestRefusal) in
                try head.check(partialLine: UnsafeRawBufferPointer(line), from: start)
            }
        } else if line.count > 8 {
            throw .malformed("chunk framing")
        }
    }
}
