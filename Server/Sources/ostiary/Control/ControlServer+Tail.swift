import Foundation
import Hummingbird
import NIOCore
import NIOFoundationCompat
import OstiaryHTTP

/// A request to follow the access log.
struct TailRequest: Codable, Sendable {
    /// The database that the caller's configuration names; nil if there is none.
    var store: FileIdentity?
    var filter: AccessFilter
}

/// One line of the answer.
enum TailLine: Codable, Sendable {
    case record(AccessRecord)
    /// The number of records that were dropped here because the reader was slow.
    case dropped(Int)
    /// The request was not accepted, for this reason.
    case refused(String)
}

extension ControlServer {
    /// The interval of signs of life, which also show that a reader has gone.
    private static let heartbeat = Duration.seconds(10)
    /// The time of a reader for the last lines, when the server ends.
    private static let grace = TimeAmount.seconds(1)

    /// Answers with one JSON value a line, and empty lines as signs of life, until the server or the reader ends.
    func tail(_ request: Request, over channel: any Channel) async -> Response {
        guard let body = try? await request.body.collect(upTo: Self.maximumMessageBytes),
            let wanted = try? JSONDecoder().decode(TailRequest.self, from: Data(buffer: body))
        else { return Response(status: .badRequest) }
        let feed = feed
        let refusal = refusal(of: wanted)
        return Response(
            status: .ok,
            body: ResponseBody { writer in
                if let refusal {
                    try await writer.write(Self.lines([.refused(refusal)]))
                    return try await writer.finish(nil)
                }
                // A reader that is stopped must not keep the server from ending.
                let close: @Sendable () -> Void = {
                    channel.eventLoop.scheduleTask(in: Self.grace) { channel.close(promise: nil) }
                }
                let sent: Void? = try await feed.withReader(wanted.filter, onEnd: close) { reader in
                    try await Self.send(from: reader, to: &writer)
                }
                if sent == nil {
                    try await writer.write(Self.lines([.refused("the server is ending, or has too many readers")]))
                }
                try await writer.finish(nil)
            })
    }

    private func refusal(of wanted: TailRequest) -> String? {
        let service = service()
        guard wanted.store == service.store else {
            return "the running server has another database open than the configuration names"
        }
        do { try wanted.filter.app.map(service.checkApp) } catch { return "\(error)" }
        return nil
    }

    private static func send(from reader: AccessLogReader, to writer: inout any ResponseBodyWriter) async throws {
        let signs = Task {
            while (try? await Task.sleep(for: heartbeat)) != nil { reader.wake() }
        }
        defer { signs.cancel() }
        // The reader is there.
        try await writer.write(ByteBuffer(string: "\n"))
        for await batch in reader.batches {
            var lines = batch.records.map { TailLine.record($0) }
            if batch.dropped > 0 { lines.append(.dropped(batch.dropped)) }
            try await writer.write(lines.isEmpty ? ByteBuffer(string: "\n") : Self.lines(lines))
        }
    }

    private static func lines(_ lines: [TailLine]) throws -> ByteBuffer {
        let encoder = JSONEncoder()
        var buffer = ByteBuffer()
        for line in lines {
            buffer.writeBytes(try encoder.encode(line))
            buffer.writeString("\n")
        }
        return buffer
    }
}
