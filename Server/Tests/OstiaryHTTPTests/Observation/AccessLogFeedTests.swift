import Foundation
import Logging
import OstiaryEngine
import Testing

@testable import OstiaryHTTP

struct AccessLogFeedTests {
    private static func record(_ change: (inout AccessRecord) -> Void = { _ in }) async throws -> AccessRecord {
        let address = try #require(IPAddress("192.0.2.7"))
        let tracing = RequestTracing(randomBytes: SystemDependencies.system.randomBytes)
        var record = await tracing.run("request", .server) { trace, _ in
            AccessRecord(
                id: "12345678", app: "vici", operation: "signIn", status: 401, duration: .milliseconds(250),
                address: address, context: trace.context)
        }
        change(&record)
        return record
    }

    /// Returns the batches that a reader receives of records that are published while it does not read.
    private func batches(
        _ filter: AccessFilter = AccessFilter(), capacity: Int = 10, of records: [AccessRecord]
    ) async throws -> [AccessLogReader.Batch] {
        let feed = AccessLogFeed(capacity: capacity)
        let batches = await feed.withReader(filter) { reader in
            for record in records { feed.publish(record) }
            feed.close()
            var batches: [AccessLogReader.Batch] = []
            for await batch in reader.batches { batches.append(batch) }
            return batches
        }
        return try #require(batches)
    }

    @Test func `passes on the requests in their order, and ends with the feed`() async throws {
        let records = [try await Self.record { $0.status = 200 }, try await Self.record { $0.status = 404 }]
        let received = try await batches(of: records)
        #expect(received.flatMap(\.records) == records && received.allSatisfy { $0.dropped == 0 })
    }

    @Test func `drops the requests that a slow reader has no room for, and counts them`() async throws {
        let records = [AccessRecord](repeating: try await Self.record(), count: 25)
        let received = try await batches(capacity: 10, of: records)
        #expect(received.flatMap(\.records).count == 10)
        #expect(received.reduce(0) { $0 + $1.dropped } == 15)
    }

    @Test func `does not count requests that the filter excludes`() async throws {
        var filter = AccessFilter()
        filter.app = "clarity"
        let records = [AccessRecord](repeating: try await Self.record(), count: 25)
        #expect(
            try await batches(filter, capacity: 1, of: records).allSatisfy { $0.records.isEmpty && $0.dropped == 0 })
    }

    @Test func `serves several readers with filters of their own`() async throws {
        let (feed, record) = (AccessLogFeed(), try await Self.record())
        var failures = AccessFilter()
        failures.status = 500...599
        _ = await feed.withReader(AccessFilter()) { all in
            await feed.withReader(failures) { failed in
                feed.publish(record)
                feed.close()
                var counts: [Int] = []
                for reader in [all, failed] {
                    var count = 0
                    for await batch in reader.batches { count += batch.records.count }
                    counts.append(count)
                }
                #expect(counts == [1, 0])
            }
        }
    }

    @Test(arguments: [
        "signIn", "listAccounts", "callback", "openAPI", "unknown_path", "/verify", "idp /token", "console people",
    ])
    func `knows the operations that requests have`(_ name: String) {
        #expect(AccessFilter.isOperation(name))
    }

    @Test(arguments: ["", "nope", "signin", "sign_in"])
    func `knows no other operation`(_ name: String) {
        #expect(!AccessFilter.isOperation(name))
    }

    @Test func `a record's metadata has the fields of its line but those of the trace`() async throws {
        let record = try await Self.record()
        let fields = record.logRecord().fields
        #expect(fields.map(\.name) == ["address", "app", "id", "ms", "operation", "status", "trace_id", "span_id"])
        #expect(
            record.metadata.mapValues(\.description)
                == Dictionary(
                    uniqueKeysWithValues: fields.dropLast(2).map { ($0.name, $0.value) }))
    }

    @Test func `refuses readers beyond its limit, and after its end`() async {
        let feed = AccessLogFeed(maximumReaders: 1)
        await feed.withReader(AccessFilter()) { _ in
            #expect(await feed.withReader(AccessFilter()) { _ in true } == nil)
        }
        #expect(await feed.withReader(AccessFilter()) { _ in true } == true)
        feed.close()
        #expect(await feed.withReader(AccessFilter()) { _ in true } == nil)
    }

    // MARK: Filters

    /// A condition, and whether it selects a sign-in at vici from 192.0.2.7 that answered 401 after 250 ms.
    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let selects: Bool
        let change: @Sendable (inout AccessFilter) -> Void

        init(_ name: String, _ selects: Bool, _ change: @escaping @Sendable (inout AccessFilter) -> Void) {
            (testDescription, self.selects, self.change) = (name, selects, change)
        }
    }

    @Test(arguments: [
        Row("no condition", true) { _ in },
        Row("its app", true) { $0.app = "vici" },
        Row("another app", false) { $0.app = "vic" },
        Row("its operation", true) { $0.operation = "signIn" },
        Row("another operation", false) { $0.operation = "signin" },
        Row("its status", true) { $0.status = AccessFilter.statuses("401") },
        Row("another status", false) { $0.status = AccessFilter.statuses("400") },
        Row("its class", true) { $0.status = AccessFilter.statuses("4xx") },
        Row("another class", false) { $0.status = AccessFilter.statuses("5xx") },
        Row("its network", true) { $0.range = AddressRange("192.0.2.0/24") },
        Row("its address", true) { $0.range = AddressRange("192.0.2.7") },
        Row("another network", false) { $0.range = AddressRange("192.0.3.0/24") },
        Row("a network of the other family", false) { $0.range = AddressRange("2001:db8::/32") },
        Row("faster", true) { $0.slowerThanMilliseconds = 250 },
        Row("slower", false) { $0.slowerThanMilliseconds = 250.1 },
        Row("another trace", false) { $0.traceID = "4bf92f3577b34da6a3ce929d0e0e4736" },
        Row("two of which one holds", false) { ($0.app, $0.operation) = ("vici", "register") },
    ])
    func `selects requests by every condition`(row: Row) async throws {
        var filter = AccessFilter()
        row.change(&filter)
        let sent = try JSONDecoder().decode(AccessFilter.self, from: JSONEncoder().encode(filter))
        let record = try await Self.record()
        #expect(sent == filter && sent.selects(record) == row.selects)
    }

    @Test func `selects requests by their trace`() async throws {
        let record = try await Self.record()
        var filter = AccessFilter()
        filter.traceID = record.traceID
        #expect(filter.selects(record))
    }

    @Test(arguments: ["", "4", "4xy", "xxx", "600", "6xx", "0xx", "4xxx", "+40", "40 ", "４xx"])
    func `a text that is no status is none`(text: String) {
        #expect(AccessFilter.statuses(text) == nil)
    }
}
